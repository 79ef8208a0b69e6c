package futharkc.core.ir.verify;

import static futharkc.core.ir.verify.Check.broken;
import static futharkc.core.ir.verify.Check.count;

import futharkc.core.ir.EntryPoint;
import futharkc.core.ir.ExtType;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.Program;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Verification of a function: its signature, its body and its entry point. */
final class FunctionCheck {
  private final Program program;
  private final VerifierScope env;
  private final NonInjectiveViews views;
  private final Check check;

  FunctionCheck(
      Program program, VerifierScope env, NonInjectiveViews views, Set<String> hostFunctions) {
    this.program = program;
    this.env = env;
    this.views = views;
    this.check = new Check(program, env, views, hostFunctions);
  }

  /**
   * Checks a function.
   *
   * @param level the execution level of its callers
   */
  void function(FunDef f, ExecutionLevel level) {
    check.enter(level);
    if (program.functions().get(f.name()) != f) {
      throw broken("the function has another name in the program");
    }
    for (Param p : f.params()) {
      check.bindParam(p, p.unique() ? null : "a parameter that is not unique");
    }
    int mark = env.enter();
    Map<Name, SubExp> stands = new HashMap<>();
    count(f.body().results().size(), f.results().size(), "results of the body");
    for (int i = 0; i < f.results().size(); i++) {
      FunDef.Result r = f.results().get(i);
      check.binderType(r.type());
      env.bind(r.name(), r.type());
      stands.put(r.name(), f.body().results().get(i));
    }
    env.leave(mark);
    check.stms(f.body().stms());
    Substitution results = new Substitution(stands);
    for (int i = 0; i < f.results().size(); i++) {
      SubExp e = f.body().results().get(i);
      Type expected = Check.substitute(f.results().get(i).type(), results);
      check.sameWithMem(env.use(e), expected, "result " + e + " of the function");
    }
    resultsShare(f);
    if (f.entry() != null) {
      entry(f, f.entry());
    }
  }

  /**
   * Checks aliases of the results, on which callers rely: no result aliases a constant, and a
   * unique result aliases nothing that the caller can access. An accumulator is returned once.
   */
  private void resultsShare(FunDef f) {
    Set<AliasClass> params = new HashSet<>();
    for (Param p : f.params()) {
      if (!p.unique()) {
        params.addAll(env.origins(p.name()));
      }
    }
    Map<AliasClass, Integer> givers = new HashMap<>();
    for (SubExp e : f.body().results()) {
      for (AliasClass o : env.origins(e)) {
        givers.merge(o, 1, Integer::sum);
      }
    }
    for (int i = 0; i < f.results().size(); i++) {
      SubExp e = f.body().results().get(i);
      boolean unique = f.results().get(i).unique();
      for (AliasClass o : env.origins(e)) {
        if (o.region == 0) {
          throw broken("result " + e + " shares elements with a constant");
        }
        if (unique && params.contains(o)) {
          throw broken("unique result " + e + " shares elements with parameter " + o.first);
        }
        if (unique && o.protection != null) {
          throw broken("unique result " + e + " shares elements with " + o.protection);
        }
        if (NonInjectiveViews.PROTECTION.equals(o.protection)) {
          views.add(f, i);
        }
        if ((unique || o.accumulator) && givers.getOrDefault(o, 0) > 1) {
          String which = unique ? "unique result " : "result ";
          throw broken(which + e + " shares elements with another result");
        }
      }
    }
  }

  private void entry(FunDef f, EntryPoint e) {
    List<ExtType.Transparent> params = new ArrayList<>();
    for (EntryPoint.Param p : e.params()) {
      params.addAll(Check.parts(p.type(), program.opaques()));
    }
    interfaceTypes(f.params().stream().map(Param::type).toList(), params, "parameters");
    interfaceTypes(
        f.results().stream().map(FunDef.Result::type).toList(),
        Check.parts(e.result(), program.opaques()),
        "results");
  }

  /** Checks that sizes precede values. Blocks may be anywhere among them. */
  private static void interfaceTypes(List<Type> all, List<ExtType.Transparent> parts, String what) {
    List<Type> types = all.stream().filter(t -> !(t instanceof Type.Mem)).toList();
    int sizes = types.size() - parts.size();
    if (sizes < 0) {
      throw broken("fewer " + what + " than the entry point needs");
    }
    for (int i = 0; i < types.size(); i++) {
      Type t = types.get(i);
      boolean fits =
          i < sizes
              ? t.equals(Type.I64)
              : t instanceof Type.Prim || t instanceof Type.Array
                  ? t.elemPrim() == parts.get(i - sizes).prim()
                      && t.rank() == parts.get(i - sizes).rank()
                  : false;
      if (!fits) {
        throw broken("the types of the " + what + " do not fit the entry point");
      }
    }
  }
}
