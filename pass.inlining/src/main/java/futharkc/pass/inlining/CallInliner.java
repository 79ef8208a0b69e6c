package futharkc.pass.inlining;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Renamer;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Inlines calls in one function, including calls in inlined bodies. Each statement is copied once,
 * regardless of the length of the call chain. The results of a call are replaced by their values at
 * each use.
 */
final class CallInliner extends Mapper {
  /** The maximal number of calls in the trace of a check, from the innermost. */
  private static final int TRACED = 100;

  private final NameSource names;
  private final Map<String, FunDef> functions;
  private final Set<String> inlined;
  private final Map<Name, SubExp> replaced = new HashMap<>();

  /** The locations of the inlined calls around the current statements, innermost first. */
  private List<Loc> reached = List.of();

  CallInliner(NameSource names, Map<String, FunDef> functions, Set<String> inlined) {
    this.names = names;
    this.functions = functions;
    this.inlined = inlined;
  }

  /** Returns the substitution of the inlined calls' results, for statements elsewhere. */
  Substitution results() {
    return new Substitution(replaced);
  }

  @Override
  public SubExp subExp(SubExp e) {
    return e instanceof SubExp.Var v ? replaced.getOrDefault(v.name(), e) : e;
  }

  @Override
  public Name name(Name use) {
    return replaced.get(use) instanceof SubExp.Var v ? v.name() : use;
  }

  /**
   * Statements to be copied.
   *
   * @param todo the remaining statements
   * @param call the call whose body contains the statements; null for those of the caller
   * @param body the body that contains the statements
   * @param reached the locations of the calls around the statements
   */
  private record Source(Iterator<Stm> todo, @Nullable Stm call, Body body, List<Loc> reached) {}

  @Override
  public List<Stm> stms(List<Stm> stms) {
    List<Stm> out = new ArrayList<>();
    boolean changed = false;
    List<Loc> outer = reached;
    Deque<Source> sources = new ArrayDeque<>();
    sources.push(new Source(stms.iterator(), null, new Body(stms, List.of()), outer));
    while (!sources.isEmpty()) {
      Source source = sources.element();
      if (!source.todo.hasNext()) {
        sources.pop();
        if (source.call != null) {
          bindResults(source.call, source.body, out);
        }
        continue;
      }
      Stm s = source.todo.next();
      reached = source.reached;
      Stm t = stm(s);
      if (inlines(t, inlined)) {
        sources.push(bodyOf(t, (Exp.Apply) t.exp()));
        changed = true;
      } else {
        out.add(t);
        changed |= t != s;
      }
    }
    reached = outer;
    return changed ? out : stms;
  }

  /** Replaces a call's results by the results of its body. */
  private void bindResults(Stm call, Body body, List<Stm> out) {
    Set<Name> made = new HashSet<>();
    if (!call.aux().certs().isEmpty()) {
      for (Stm s : body.stms()) {
        made.addAll(s.names());
      }
    }
    for (int k = 0; k < call.pat().size(); k++) {
      PatElem p = call.pat().get(k);
      SubExp result = body.results().get(k);
      boolean guarded = call.aux().certs().isEmpty();
      guarded |= result instanceof SubExp.Var v && made.contains(v.name());
      if (guarded) {
        replaced.put(p.name(), subExp(result));
      } else {
        // A value that the body does not define, such as an argument, gets the certificates of the
        // call.
        PatElem here = new PatElem(p.name(), type(p.type()));
        out.add(new Stm(List.of(here), call.aux(), new BasicOp.SubExpOp(subExp(result))));
      }
    }
  }

  /** Tests whether a statement is a call to be inlined. */
  static boolean inlines(Stm s, Set<String> inlined) {
    return s.exp() instanceof Exp.Apply a
        && inlined.contains(a.function())
        && !s.aux().hasAttr(CallGraph.NOINLINE);
  }

  private Source bodyOf(Stm call, Exp.Apply a) {
    FunDef f = functions.get(a.function());
    if (f == null) {
      throw new IllegalStateException("unknown inlined function " + a.function());
    }
    Map<Name, SubExp> args = new HashMap<>();
    for (int k = 0; k < f.params().size(); k++) {
      args.put(f.params().get(k).name(), a.args().get(k));
    }
    List<Loc> trace = new ArrayList<>();
    trace.add(call.aux().loc());
    trace.addAll(reached.subList(0, Math.min(reached.size(), TRACED - 1)));
    Body renamed = new Substitution(args).body(new Renamer(names).body(f.body()));
    Body body = new Reached(call.aux(), trace).body(renamed);
    List<Stm> stms = new ArrayList<>(body.stms().size());
    for (Stm s : body.stms()) {
      stms.add(new Stm(s.pat(), s.aux().plusCerts(call.aux().certs()), s.exp()));
    }
    return new Source(stms.iterator(), call, body, trace);
  }

  /**
   * A traversal that adds the call's location to the trace of checks, and the call's attributes to
   * statements.
   */
  private static final class Reached extends Mapper {
    private final Aux call;
    private final List<Loc> trace;

    Reached(Aux call, List<Loc> trace) {
      this.call = call;
      this.trace = trace;
    }

    @Override
    public Aux aux(Aux aux) {
      return call.attrs().isEmpty() ? aux : aux.and(new Aux(List.of(), call.attrs(), call.loc()));
    }

    @Override
    public Exp exp(Exp e) {
      if (!(e instanceof BasicOp.Assert check)) {
        return super.exp(e);
      }
      List<Loc> all = new ArrayList<>(check.trace());
      all.addAll(trace);
      return new BasicOp.Assert(check.cond(), check.message(), all);
    }
  }
}
