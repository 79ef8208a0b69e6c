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
 * Inlines calls in one function, and the calls in what that brings in: each statement is copied
 * once, however long the chain of calls that leads to it. Results of calls are replaced by what
 * they are, where they are used.
 */
final class CallInliner extends Mapper {
  /** How many calls a check remembers that lead to it, the closest ones. */
  private static final int TRACED = 100;

  private final NameSource names;
  private final Map<String, FunDef> functions;
  private final Set<String> inlined;
  private final Map<Name, SubExp> replaced = new HashMap<>();

  /** The inlined calls around the statements at hand, the closest first. */
  private List<Loc> reached = List.of();

  CallInliner(NameSource names, Map<String, FunDef> functions, Set<String> inlined) {
    this.names = names;
    this.functions = functions;
    this.inlined = inlined;
  }

  /**
   * Replaces the results of the calls that have been inlined, where statements elsewhere mention
   * them.
   */
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
   * Statements that are being copied.
   *
   * @param call whose body they are; null for those of the caller
   * @param body what they are of
   * @param reached the calls around the statements
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
        if (source.call != null) bindResults(source.call, source.body, out);
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

  /** Lets a call's results stand for what its body returns. */
  private void bindResults(Stm call, Body body, List<Stm> out) {
    Set<Name> made = new HashSet<>();
    if (!call.aux().certs().isEmpty()) for (Stm s : body.stms()) made.addAll(s.names());
    for (int k = 0; k < call.pat().size(); k++) {
      PatElem p = call.pat().get(k);
      SubExp result = body.results().get(k);
      boolean guarded = call.aux().certs().isEmpty();
      guarded |= result instanceof SubExp.Var v && made.contains(v.name());
      if (guarded) {
        replaced.put(p.name(), subExp(result));
      } else {
        // What the body does not make, such as an argument, does not have the call's checks.
        PatElem here = new PatElem(p.name(), type(p.type()));
        out.add(new Stm(List.of(here), call.aux(), new BasicOp.SubExpOp(subExp(result))));
      }
    }
  }

  /** Whether a statement is a call that is to be inlined. */
  static boolean inlines(Stm s, Set<String> inlined) {
    return s.exp() instanceof Exp.Apply a
        && inlined.contains(a.function())
        && !s.aux().hasAttr(CallGraph.NOINLINE);
  }

  private Source bodyOf(Stm call, Exp.Apply a) {
    FunDef f = functions.get(a.function());
    if (f == null) throw new IllegalStateException("inlined function " + a.function() + " is gone");
    Map<Name, SubExp> args = new HashMap<>();
    for (int k = 0; k < f.params().size(); k++) args.put(f.params().get(k).name(), a.args().get(k));
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

  /** Tells checks from where they are reached, and statements of what attributes the call has. */
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
      if (!(e instanceof BasicOp.Assert check)) return super.exp(e);
      List<Loc> all = new ArrayList<>(check.trace());
      all.addAll(trace);
      return new BasicOp.Assert(check.cond(), check.message(), all);
    }
  }
}
