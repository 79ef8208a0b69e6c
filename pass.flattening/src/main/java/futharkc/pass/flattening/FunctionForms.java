package futharkc.pass.flattening;

import futharkc.core.ir.FreeNames;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Machine;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.Program;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Callees;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The versions of the program's functions that flattened code calls. A lifted version computes all
 * segments of a nest at once, a sequential version runs in a thread. Recursive functions count as
 * parallel.
 */
final class FunctionForms {
  /**
   * A lifted version of a function.
   *
   * @param function the name of the original function
   * @param uniform whether the sizes in the function's type are the same in all segments
   */
  record Lifted(String function, boolean uniform) {
    String name() {
      return function + (uniform ? "_uniform_lifted" : "_lifted");
    }
  }

  private final Program program;
  private final Machine.Device device;
  private final Set<String> recursive = new HashSet<>();
  private final Set<String> parallel = new HashSet<>();
  private final ThreadLimits limits;
  private final Set<Lifted> lifted = new LinkedHashSet<>();
  private final Set<String> sequential = new LinkedHashSet<>();
  private final Set<Builtin> builtins = new LinkedHashSet<>();

  FunctionForms(Program program, Machine.Device device) {
    this.program = program;
    this.device = device;
    this.limits = new ThreadLimits(program);
    Parallelism within = new Parallelism(this);
    // Threads do not recurse, so recursive functions are lifted.
    Callees callees = Callees.of(program);
    for (String f : program.functions().keySet()) {
      if (callees.isRecursive(f)) {
        recursive.add(f);
      }
    }
    parallel.addAll(recursive);
    boolean more = true;
    while (more) {
      more = false;
      for (FunDef f : program.functions().values()) {
        if (parallel.contains(f.name())) {
          continue;
        }
        if (f.body().stms().stream().anyMatch(within::isParallel)) {
          more |= parallel.add(f.name());
        }
      }
    }
  }

  FunDef function(String name) {
    FunDef f = program.functions().get(name);
    if (f == null) {
      throw new IllegalStateException("call of unknown function " + name);
    }
    return f;
  }

  /** Returns the limits of a thread. */
  ThreadLimits limits() {
    return limits;
  }

  /** Tests whether a function contains parallelism. */
  boolean isParallel(String name) {
    return parallel.contains(name);
  }

  /** Tests whether a function calls itself, directly or through other functions. */
  boolean isRecursive(String name) {
    return recursive.contains(name);
  }

  /** Returns the parameters that are sizes in the types of parameters or results. */
  Set<Name> sizeParams(FunDef f) {
    Set<Name> mentioned = new HashSet<>();
    for (Param p : f.params()) {
      mentioned.addAll(FreeNames.of(p.type()));
    }
    for (FunDef.Result r : f.results()) {
      mentioned.addAll(FreeNames.of(r.type()));
    }
    Set<Name> sizes = new HashSet<>();
    for (Param p : f.params()) {
      if (mentioned.contains(p.name())) {
        sizes.add(p.name());
      }
    }
    return sizes;
  }

  /**
   * Tests whether a result of a lifted function is one array: all its sizes are parameters that the
   * segments share.
   */
  boolean isRegularResult(FunDef f, int result, boolean uniform) {
    Type t = f.results().get(result).type();
    if (t instanceof Type.Prim) {
      return true;
    }
    if (!uniform) {
      return false;
    }
    Set<Name> params = new HashSet<>();
    for (Param p : f.params()) {
      params.add(p.name());
    }
    return t.dims().stream()
        .allMatch(d -> !(d instanceof SubExp.Var v) || isKnown(v.name(), f, params));
  }

  private boolean isKnown(Name size, FunDef f, Set<Name> params) {
    return params.contains(size) || f.results().stream().noneMatch(r -> r.name().equals(size));
  }

  /** Returns the name of the lifted version of a function, and requests that version. */
  String lifted(String name, boolean uniform) {
    Lifted l = new Lifted(name, uniform);
    lifted.add(l);
    return l.name();
  }

  /** Returns the name of the sequential version of a function, and requests that version. */
  String sequential(String name) {
    sequential.add(name);
    return sequentialName(name);
  }

  /**
   * Returns the minimal amount of inner parallelism for a thread block, in threads: with less, part
   * of a warp idles.
   */
  int leastInBlock() {
    return device.warp();
  }

  static String sequentialName(String name) {
    return name + "_seq";
  }

  void want(Builtin b) {
    builtins.add(b);
  }

  /** Returns the lifted functions requested so far. */
  Set<Lifted> lifted() {
    return new LinkedHashSet<>(lifted);
  }

  /** Returns the functions whose sequential versions were requested so far. */
  Set<String> sequential() {
    return new LinkedHashSet<>(sequential);
  }

  /** Returns the built-in functions requested so far. */
  Set<Builtin> builtins() {
    return builtins;
  }
}
