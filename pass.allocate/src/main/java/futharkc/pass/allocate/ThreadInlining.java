package futharkc.pass.allocate;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Program;
import futharkc.core.ir.Renamer;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Callers;
import futharkc.core.ir.analysis.DeviceMapper;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Inlines calls by threads of functions that use arrays, because a function would not know the
 * memory of the calling thread. Calls of functions on scalars stay.
 */
final class ThreadInlining extends DeviceMapper {
  private final Map<String, FunDef> functions;
  private final Set<String> onArrays;
  private final NameSource names;
  private final Map<Name, SubExp> replaced = new HashMap<>();

  private ThreadInlining(Map<String, FunDef> functions, Set<String> onArrays, NameSource names) {
    super(false);
    this.functions = functions;
    this.onArrays = onArrays;
    this.names = names;
  }

  /** Returns the program with all such calls inlined. */
  static Program inlined(Program p) {
    Callers callers = Callers.of(p);
    Set<String> onArrays = onArrays(p, callers.threads());
    if (onArrays.isEmpty()) {
      return p;
    }
    NameSource forConstants = p.namesForConstants();
    List<Stm> constants =
        new ThreadInlining(p.functions(), onArrays, forConstants).stms(p.constants());
    Program q = p.withConstants(constants, forConstants.next());
    Map<String, FunDef> functions = new LinkedHashMap<>();
    for (FunDef f : q.functions().values()) {
      if (onArrays.contains(f.name()) && !callers.host().contains(f.name())) {
        continue;
      }
      NameSource names = new NameSource(f.nextTag());
      functions.put(
          f.name(),
          f.withBody(
              new ThreadInlining(q.functions(), onArrays, names).body(f.body()), names.next()));
    }
    return q.withFunctions(functions);
  }

  /** Returns the functions that use arrays, directly or in the functions they call. */
  private static Set<String> onArrays(Program p, Set<String> candidates) {
    Set<String> found = new HashSet<>();
    for (int before = -1; before < found.size(); ) {
      before = found.size();
      for (String name : candidates) {
        FunDef f = p.functions().get(name);
        if (f != null && !found.contains(name) && hasArrays(f, found)) {
          found.add(name);
        }
      }
    }
    return found;
  }

  private static boolean hasArrays(FunDef f, Set<String> others) {
    boolean[] has = {false};
    Mapper look =
        new Mapper() {
          @Override
          public Type type(Type t) {
            has[0] |= !(t instanceof Type.Prim);
            return t;
          }

          @Override
          public Exp exp(Exp e) {
            has[0] |= e instanceof Exp.Apply a && others.contains(a.function());
            return super.exp(e);
          }
        };
    for (Param x : f.params()) {
      look.type(x.type());
    }
    for (FunDef.Result r : f.results()) {
      look.type(r.type());
    }
    look.body(f.body());
    return has[0];
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
      if (inThread() && t.exp() instanceof Exp.Apply a && onArrays.contains(a.function())) {
        inline(t, a, out);
        changed = true;
      } else {
        out.add(t);
        changed |= t != s;
      }
    }
    return changed ? out : stms;
  }

  private void inline(Stm call, Exp.Apply a, List<Stm> out) {
    FunDef f = functions.get(a.function());
    if (f == null) {
      throw new IllegalStateException("call of unknown function " + a.function());
    }
    Map<Name, SubExp> args = new HashMap<>();
    for (int k = 0; k < f.params().size(); k++) {
      args.put(f.params().get(k).name(), a.args().get(k));
    }
    var body = new Substitution(args).body(new Renamer(names).body(f.body()));
    Set<Name> made = new HashSet<>();
    for (Stm s : stms(new Reached(call.aux().loc()).stms(body.stms()))) {
      out.add(new Stm(s.pat(), s.aux().plusCerts(call.aux().certs()), s.exp()));
      made.addAll(s.names());
    }
    for (int k = 0; k < call.pat().size(); k++) {
      PatElem p = call.pat().get(k);
      SubExp result = subExp(body.results().get(k));
      if (call.aux().certs().isEmpty()
          || result instanceof SubExp.Var v && made.contains(v.name())) {
        replaced.put(p.name(), result);
      } else {
        // A value that the body does not define, such as an argument, gets the certificates of the
        // call.
        PatElem here = new PatElem(p.name(), type(p.type()));
        out.add(new Stm(List.of(here), call.aux(), new BasicOp.SubExpOp(result)));
      }
    }
  }

  /** A traversal that adds the location of the call to the trace of checks. */
  private static final class Reached extends Mapper {
    private final Loc call;

    Reached(Loc call) {
      this.call = call;
    }

    @Override
    public Aux aux(Aux aux) {
      return aux;
    }

    @Override
    public Exp exp(Exp e) {
      if (!(e instanceof BasicOp.Assert check)) {
        return super.exp(e);
      }
      List<Loc> trace = new ArrayList<>(check.trace());
      trace.add(call);
      return new BasicOp.Assert(check.cond(), check.message(), trace);
    }
  }
}
