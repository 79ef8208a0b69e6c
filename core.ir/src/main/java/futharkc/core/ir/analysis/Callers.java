package futharkc.core.ir.analysis;

import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Program;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The callers of functions in a GPU program, direct or indirect.
 *
 * @param host the functions that are entry points, that host code calls, or that have no callers
 * @param threads the functions that code of threads or thread blocks calls
 */
public record Callers(Set<String> host, Set<String> threads) {
  public Callers {
    host = Set.copyOf(host);
    threads = Set.copyOf(threads);
  }

  /** Returns the functions called by threads but not by host code. */
  public Set<String> threadsOnly() {
    Set<String> only = new LinkedHashSet<>(threads);
    only.removeAll(host);
    return only;
  }

  public static Callers of(Program p) {
    Calls c = new Calls(p);
    c.stms(p.constants());
    for (FunDef f : p.functions().values()) {
      if (f.entry() != null) {
        c.called(f.name(), false);
      }
    }
    c.work();
    for (FunDef f : p.functions().values()) {
      if (c.inThreads.contains(f.name())) {
        continue;
      }
      c.called(f.name(), false);
      c.work();
    }
    return new Callers(c.onHost, c.inThreads);
  }

  private static final class Calls extends DeviceMapper {
    private final Program program;
    final Set<String> onHost = new LinkedHashSet<>();
    final Set<String> inThreads = new LinkedHashSet<>();
    private final ArrayDeque<String> hostWork = new ArrayDeque<>();
    private final ArrayDeque<String> threadWork = new ArrayDeque<>();

    Calls(Program program) {
      super(false);
      this.program = program;
    }

    void called(String f, boolean byThread) {
      if (byThread && inThreads.add(f)) {
        threadWork.add(f);
      }
      if (!byThread && onHost.add(f)) {
        hostWork.add(f);
      }
    }

    void work() {
      while (!hostWork.isEmpty() || !threadWork.isEmpty()) {
        enter(hostWork.isEmpty());
        FunDef f = program.functions().get(inThread() ? threadWork.remove() : hostWork.remove());
        if (f != null) {
          body(f.body());
        }
      }
    }

    @Override
    public Exp exp(Exp e) {
      if (e instanceof Exp.Apply a) {
        called(a.function(), inThread());
      }
      return super.exp(e);
    }
  }
}
