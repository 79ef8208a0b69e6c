package futharkc.pass.readbatching;

import futharkc.core.ir.Name;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Variables;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;

/** The effects of a host statement, nested statements included, on the motion of host reads. */
final class HostEffects {
  private final Set<Name> used;
  private final Set<Name> changed;
  private final Set<Name> written = new HashSet<>();
  private boolean hasCall;
  private boolean prints;
  private int launches;
  private boolean enqueues;
  private boolean releases;

  HostEffects(Code code) {
    List<Code> alone = List.of(code);
    used = Variables.readBy(alone);
    changed = new HashSet<>(Variables.assignedBy(alone));
    Variables.declaredBy(code).forEach(v -> changed.add(v.name()));
    host(code);
    enqueues |= launches > 0 || !written.isEmpty();
  }

  private void host(Code code) {
    switch (code) {
      case Code.Launch l -> {
        launches++;
        kernel(l.body());
      }
      // The called function may write, or print.
      case Code.Call c -> {
        hasCall = true;
        enqueues = true;
      }
      // After the failure of a kernel, nothing is printed.
      case Code.Trace t -> prints = true;
      case Code.WriteElement w -> written.add(w.block());
      case Code.OnCopies c -> {
        // The host waits, then reports failures.
        hasCall = true;
        enqueues = true;
      }
      case Code.CopyRun c -> written.add(c.to());
      case Code.Free f -> releases = true;
      case Code.Compound c ->
          c.bodies()
              .forEach(
                  body -> {
                    enqueues |= body.stream().anyMatch(s -> s instanceof Code.AskElement);
                    body.forEach(this::host);
                  });
      case Code.Simple s -> {}
    }
  }

  private void kernel(List<Code> body) {
    for (Code code : body) {
      switch (code) {
        case Code.Store s -> written.add(s.block());
        case Code.VolatileStore s -> written.add(s.block());
        case Code.Atomic a -> written.add(a.block());
        case Code.CompareAndSet c -> written.add(c.block());
        case Code.CopyRun c -> written.add(c.to());
        case Code.FillRun f -> written.add(f.block());
        case Code.MapRun m -> written.add(m.to());
        case Code.Call c -> {
          for (Code.Operand o : c.args()) {
            if (o instanceof Code.Operand.Block b) {
              written.add(b.name());
            }
          }
        }
        case Code.Compound c -> c.bodies().forEach(this::kernel);
        case Code.Simple s -> {}
      }
    }
  }

  /**
   * Tests whether the statement enqueues work or waits; a request or wait itself does not count.
   */
  boolean enqueues() {
    return enqueues;
  }

  /**
   * Tests whether the statement may release a block, which starts the transfers of requests for its
   * elements.
   */
  boolean releases() {
    return releases;
  }

  /** Returns the number of kernel launches in the text of the statement. */
  int launches() {
    return launches;
  }

  /**
   * Tests whether a request may move from behind the statement to before it.
   *
   * @param mayAlias tests whether two variables may refer to the same block
   */
  boolean allowsBefore(Code.AskElement ask, BiPredicate<Name, Name> mayAlias) {
    if (hasCall || changed.contains(ask.block())) {
      return false;
    }
    for (Name n : ask.index().names()) {
      if (changed.contains(n)) {
        return false;
      }
    }
    for (Name block : written) {
      if (mayAlias.test(block, ask.block())) {
        return false;
      }
    }
    return true;
  }

  /** Tests whether a wait for a scalar may move from before the statement to behind it. */
  boolean allowsAfter(Name scalar) {
    return !hasCall && !prints && !used.contains(scalar) && !changed.contains(scalar);
  }
}
