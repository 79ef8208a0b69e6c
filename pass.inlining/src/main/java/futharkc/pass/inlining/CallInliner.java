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
import futharkc.core.ir.Renamer;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Inlines calls in one function. Results of calls are replaced by what they are, where they are
 * used.
 */
final class CallInliner extends Mapper {
  private final NameSource names;
  private final Map<String, FunDef> functions;
  private final Set<String> inlined;
  private final Map<Name, SubExp> replaced = new HashMap<>();

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

  @Override
  public List<Stm> stms(List<Stm> stms) {
    List<Stm> out = new ArrayList<>();
    boolean changed = false;
    for (Stm s : stms) {
      Stm t = stm(s);
      if (t.exp() instanceof Exp.Apply a
          && inlined.contains(a.function())
          && !t.aux().hasAttr(CallGraph.NOINLINE)) {
        FunDef f = functions.get(a.function());
        if (f == null)
          throw new IllegalStateException("inlined function " + a.function() + " is gone");
        inline(t, a, f, out);
        changed = true;
      } else {
        out.add(t);
        changed |= t != s;
      }
    }
    return changed ? out : stms;
  }

  private void inline(Stm call, Exp.Apply a, FunDef f, List<Stm> out) {
    Renamer renamer = new Renamer(names);
    Map<Name, SubExp> args = new HashMap<>();
    for (int k = 0; k < f.params().size(); k++) args.put(f.params().get(k).name(), a.args().get(k));
    Body renamed = new Substitution(args).body(renamer.body(f.body()));
    Body body = new Reached(call.aux()).body(renamed);
    for (Stm s : body.stms()) {
      out.add(new Stm(s.pat(), s.aux().plusCerts(call.aux().certs()), s.exp()));
    }
    for (int k = 0; k < call.pat().size(); k++) {
      replaced.put(call.pat().get(k).name(), body.results().get(k));
    }
  }

  /** Tells checks from where they are reached, and statements of what attributes the call has. */
  private static final class Reached extends Mapper {
    private final Aux call;

    Reached(Aux call) {
      this.call = call;
    }

    @Override
    public Aux aux(Aux aux) {
      return call.attrs().isEmpty() ? aux : aux.and(new Aux(List.of(), call.attrs(), call.loc()));
    }

    @Override
    public Exp exp(Exp e) {
      if (!(e instanceof BasicOp.Assert check)) return super.exp(e);
      List<Loc> trace = new ArrayList<>(check.trace());
      trace.add(call.loc());
      return new BasicOp.Assert(check.cond(), check.message(), trace);
    }
  }
}
