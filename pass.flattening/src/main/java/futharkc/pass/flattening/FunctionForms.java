package futharkc.pass.flattening;

import futharkc.core.ir.FreeNames;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.Program;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Target;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Callees;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The functions of the program: which have parallelism, and of which other forms are called: lifted
 * ones, which do the work of all segments of a nest at once, and sequential ones, for threads.
 * Recursive functions count as parallel.
 */
final class FunctionForms {
  /** A function, called for all segments at once. */
  record Lifted(String function, boolean uniform) {
    String name() {
      return function + (uniform ? "_uniform_lifted" : "_lifted");
    }
  }

  private final Program program;
  private final Target target;
  private final Set<String> recursive = new HashSet<>();
  private final Set<String> parallel = new HashSet<>();
  private final ThreadLimits limits;
  private final Set<Lifted> lifted = new LinkedHashSet<>();
  private final Set<String> sequential = new LinkedHashSet<>();
  private final Set<Builtin> builtins = new LinkedHashSet<>();

  FunctionForms(Program program, Target target) {
    this.program = program;
    this.target = target;
    this.limits = new ThreadLimits(program);
    Parallelism within = new Parallelism(this);
    // What threads run does not recur, so that recursive functions are lifted.
    Callees callees = Callees.of(program);
    for (String f : program.functions().keySet()) if (callees.isRecursive(f)) recursive.add(f);
    parallel.addAll(recursive);
    boolean more = true;
    while (more) {
      more = false;
      for (FunDef f : program.functions().values()) {
        if (parallel.contains(f.name())) continue;
        if (f.body().stms().stream().anyMatch(within::isParallel)) more |= parallel.add(f.name());
      }
    }
  }

  FunDef function(String name) {
    FunDef f = program.functions().get(name);
    if (f == null) throw new IllegalStateException("call of unknown function " + name);
    return f;
  }

  /** What no thread can do. */
  ThreadLimits limits() {
    return limits;
  }

  /** Whether a function has parallelism. */
  boolean isParallel(String name) {
    return parallel.contains(name);
  }

  /** Whether a function calls itself, perhaps through others. */
  boolean isRecursive(String name) {
    return recursive.contains(name);
  }

  /** Which parameters are sizes that types of parameters or results mention. */
  Set<Name> sizeParams(FunDef f) {
    Set<Name> mentioned = new HashSet<>();
    for (Param p : f.params()) mentioned.addAll(FreeNames.of(p.type()));
    for (FunDef.Result r : f.results()) mentioned.addAll(FreeNames.of(r.type()));
    Set<Name> sizes = new HashSet<>();
    for (Param p : f.params()) if (mentioned.contains(p.name())) sizes.add(p.name());
    return sizes;
  }

  /**
   * Whether a result of a lifted function is one array: its sizes are among the parameters that all
   * segments share.
   */
  boolean isRegularResult(FunDef f, int result, boolean uniform) {
    Type t = f.results().get(result).type();
    if (t instanceof Type.Prim) return true;
    if (!uniform) return false;
    Set<Name> params = new HashSet<>();
    for (Param p : f.params()) params.add(p.name());
    return t.dims().stream()
        .allMatch(d -> !(d instanceof SubExp.Var v) || isKnown(v.name(), f, params));
  }

  private boolean isKnown(Name size, FunDef f, Set<Name> params) {
    return params.contains(size) || f.results().stream().noneMatch(r -> r.name().equals(size));
  }

  /** The name of a function that does the work of all segments. */
  String lifted(String name, boolean uniform) {
    Lifted l = new Lifted(name, uniform);
    lifted.add(l);
    return l.name();
  }

  /** The name of a function that a thread can call. */
  String sequential(String name) {
    sequential.add(name);
    return sequentialName(name);
  }

  /**
   * With fewer steps, inner parallelism is not worth a thread block: some threads of a warp idle.
   */
  int leastInBlock() {
    return target.kernels().warp();
  }

  static String sequentialName(String name) {
    return name + "_seq";
  }

  void want(Builtin b) {
    builtins.add(b);
  }

  /** The lifted functions called so far. */
  Set<Lifted> lifted() {
    return new LinkedHashSet<>(lifted);
  }

  /** The sequential functions called so far. */
  Set<String> sequential() {
    return new LinkedHashSet<>(sequential);
  }

  /** The built-in functions called so far. */
  Set<Builtin> builtins() {
    return builtins;
  }
}
