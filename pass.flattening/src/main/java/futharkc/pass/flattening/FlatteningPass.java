package futharkc.pass.flattening;

import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.Scope;
import futharkc.core.ir.Stm;
import futharkc.core.ir.sequential.FirstOrder;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassException;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Property;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Turns nested parallelism into flat parallelism: from SOACS to GPU. Host code launches operations
 * of threads and of thread blocks. These operations contain no parallelism except that of a thread
 * block's threads.
 *
 * <p>A map becomes an operation over its width. The pass flattens the statements of its body one by
 * one. An inner map adds a dimension, and a reduction becomes a segmented reduction. A loop moves
 * out of the nest, and a branch computes the segments that take it. Arrays whose sizes vary among
 * segments are stored as one flat array with the sizes and offsets of the segments. An inner map
 * then runs over all elements at once. Functions are lifted: one call computes all segments. So
 * every program has a fully parallel form. The pass adds versions that leave inner parallelism to
 * single threads or to thread blocks. A comparison with a threshold chooses the version at run
 * time.
 *
 * <p>Before:
 *
 * <pre>
 * let ys = screma(n, {xss}) map \{xs} -> {let s = screma(m, {xs}) .. reduce_comm({0}) add .. in {s}}
 * </pre>
 *
 * <p>After:
 *
 * <pre>
 * let enough = cmp_size_le("main.suff_outer_par_0": threshold(def), n)
 * let ys = if enough then {
 *   segmap thread [i &lt; n] do { let xs = xss[i]; let s = screma(m, {xs}) ..; in s }
 * } else {
 *   segred thread [i &lt; n, j &lt; m] reduce_comm({0}) add do { let x = xss[i, j]; in x }
 * }
 * </pre>
 *
 * <p>Threads may contain second-order operations, which they execute one element after the other.
 *
 * <p>Operators that are parallel, or that exceed a thread's abilities, such as recursive operators,
 * are mapped over pairs of elements in rounds: see {@code TreeFold} and {@code SortedHistogram}.
 *
 * <p>Known gaps: a reduction or scan of varying width is a loop of one thread if its operator loops
 * over arrays. An accumulation with such an operator runs in order. An accumulator that is an
 * argument of a function combines arrays elementwise only: other operators are an error.
 */
public final class FlatteningPass implements Pass.OnProgram {
  @Override
  public PassInfo info() {
    return PassInfo.named(
            "flattening", "turns nested parallelism into flat parallelism of a GPU", Rep.SOACS)
        .produces(Rep.GPU)
        .requires(Property.DIFFERENTIATED)
        .prefers(Property.SIMPLIFIED)
        .destroys(Property.SIMPLIFIED, Property.FIRST_ORDER);
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public Program run(Program source, PassContext context) {
    Program possible = new ThreadLimits(source).respected(source);
    Program given = OrderedAccumulation.in(UserParameters.onHost(possible));
    FunctionForms functions = new FunctionForms(given, context.machine().device());
    NameSource names = given.namesForConstants();
    Scope scope = new Scope();
    scope.addAll(new Body(given.constants(), List.of()));
    List<Stm> constants =
        flattened(new FlatteningContext(names, scope, functions, "constants"), given.constants());
    Program program =
        given.withConstants(
            new OverwriteSafety(names, unique(given)).constants(constants), names.next());
    Map<String, FunDef> flat = new LinkedHashMap<>();
    for (FunDef f : program.functions().values()) {
      context.checkCancelled();
      flat.put(f.name(), flattened(program, functions, f));
    }
    FunctionLifting lifting = new FunctionLifting(program, functions);
    boolean more = true;
    while (more) {
      more = false;
      for (FunctionForms.Lifted l : functions.lifted()) {
        context.checkCancelled();
        if (flat.containsKey(l.name())) {
          continue;
        }
        flat.put(l.name(), lifting.lifted(l));
        more = true;
      }
      for (String s : functions.sequential()) {
        if (flat.containsKey(FunctionForms.sequentialName(s))) {
          continue;
        }
        flat.put(FunctionForms.sequentialName(s), sequential(program, functions, s));
        more = true;
      }
    }
    int next = program.namesForConstants().next();
    Map<String, FunDef> builtins = new LinkedHashMap<>();
    for (Builtin b : functions.builtins()) {
      builtins.put(b.function(), b.definition(next, functions));
    }
    Map<String, List<Boolean>> unique = unique(program.withFunctions(flat));
    unique.putAll(unique(program.withFunctions(builtins)));
    flat.replaceAll((name, f) -> ThresholdPaths.of(OverwriteSafety.of(f, unique)));
    flat.putAll(builtins);
    Program used = program.withFunctions(reachable(flat, constants));
    refuseRecursionInThreads(functions, used);
    Program all = ThreadFunctions.apart(used);
    return all.withFunctions(reachable(all.functions(), all.constants())).withRep(Rep.GPU);
  }

  /** Reports an error if a thread calls a recursive function: see {@link ThreadLimits}. */
  private static void refuseRecursionInThreads(FunctionForms functions, Program flat) {
    for (String f : functions.sequential()) {
      if (!functions.isRecursive(f)) {
        continue;
      }
      if (!flat.functions().containsKey(FunctionForms.sequentialName(f))) {
        continue;
      }
      throw new PassException(
          functions.function(f).loc(),
          "Function \""
              + f
              + "\" is recursive, and a GPU thread calls it: in an operator, in a bucket function,"
              + " or under an attribute that requests sequential code. GPU threads cannot"
              + " recurse. Write the function as a loop, or remove the attribute.");
    }
  }

  /** Returns the functions that are still called after flattening. */
  private static Map<String, FunDef> reachable(Map<String, FunDef> all, List<Stm> constants) {
    Set<String> found = new LinkedHashSet<>();
    ArrayDeque<FunDef> work = new ArrayDeque<>();
    Mapper calls =
        new Mapper() {
          @Override
          public Exp exp(Exp e) {
            if (e instanceof Exp.Apply a && found.add(a.function())) {
              work.add(Objects.requireNonNull(all.get(a.function()), a::function));
            }
            return super.exp(e);
          }
        };
    calls.stms(constants);
    for (FunDef f : all.values()) {
      if (f.entry() != null && found.add(f.name())) {
        work.add(f);
      }
    }
    while (!work.isEmpty()) {
      calls.body(work.remove().body());
    }
    Map<String, FunDef> reachable = new LinkedHashMap<>(all);
    reachable.keySet().retainAll(found);
    return reachable;
  }

  private static List<Stm> flattened(FlatteningContext cx, List<Stm> stms) {
    HostBuilder h = new HostBuilder(cx, FlatteningLevel.HOST);
    new Flattener(cx).top(h, stms);
    return h.stms();
  }

  private static FunDef flattened(Program program, FunctionForms functions, FunDef f) {
    NameSource names = new NameSource(f.nextTag());
    FlatteningContext cx =
        new FlatteningContext(names, Scope.ofAll(program, f), functions, f.name());
    List<Stm> stms = flattened(cx, f.body().stms());
    return f.withBody(new Body(stms, f.body().results()), names.next());
  }

  /** Returns, for each result of each function, whether the result aliases no argument. */
  private static Map<String, List<Boolean>> unique(Program p) {
    Map<String, List<Boolean>> all = new LinkedHashMap<>();
    for (FunDef f : p.functions().values()) {
      all.put(f.name(), f.results().stream().map(FunDef.Result::unique).toList());
    }
    return all;
  }

  /** Returns the sequential version of a function, which threads can call. */
  private static FunDef sequential(Program program, FunctionForms functions, String name) {
    FunDef f = Objects.requireNonNull(program.functions().get(name));
    NameSource names = new NameSource(f.nextTag());
    Scope scope = Scope.ofAll(program, f);
    List<Stm> stms = FirstOrder.toLoops(names, scope).stms(f.body().stms());
    FlatteningContext cx = new FlatteningContext(names, scope, functions, f.name());
    Body body = new Body(new ThreadCalls(cx.functions).stms(stms), f.body().results());
    return new FunDef(
        FunctionForms.sequentialName(name),
        f.attrs(),
        f.params(),
        f.results(),
        body,
        null,
        names.next(),
        f.loc());
  }
}
