package futharkc.pass.inlining;

import futharkc.core.ir.Body;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.Stm;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Property;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Replaces calls by the called function's body, and drops functions that are not called any more,
 * so that the passes after it see producers and consumers together.
 *
 * <p>Before: {@code fun f(x: i32): i32 = x + 1} and {@code let b = f(a)}. After: {@code let b = a +
 * 1}.
 *
 * <p>A function is inlined if it is marked {@code inline}, is called once, or is small, or if
 * inlining it everywhere adds no more than {@code budget} statements; never if it is marked {@code
 * noinline} or calls itself, and a call that is so marked stays. Checks keep where they are from,
 * and learn from where they are reached.
 */
public final class InliningPass implements Pass.OnProgram {
  @Override
  public PassInfo info() {
    return PassInfo.named("inline", "replaces calls by function bodies", Rep.SOACS)
        .establishes(Property.INLINED)
        .destroys(Property.SIMPLIFIED)
        .options(
            new Option(
                "budget",
                Option.Kind.INTEGER,
                "3000",
                "how many statements inlining one function everywhere may add"));
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public Program run(Program program, PassContext context) {
    CallGraph calls = new CallGraph(program);
    long budget = context.integer("budget");
    Map<String, FunDef> done = new LinkedHashMap<>();
    Set<String> inlined = new LinkedHashSet<>();
    for (String name : calls.calleesFirst()) {
      context.checkCancelled();
      FunDef f = program.functions().get(name);
      if (f == null) throw new IllegalStateException("call of unknown function " + name);
      NameSource names = new NameSource(f.nextTag());
      Body body = new CallInliner(names, done, inlined).body(f.body());
      FunDef g = body == f.body() ? f : f.withBody(body, names.next());
      done.put(name, g);
      if (shouldInline(g, calls, budget)) inlined.add(name);
    }
    NameSource constantNames = program.withFunctions(done).namesForConstants();
    CallInliner inConstants = new CallInliner(constantNames, done, inlined);
    List<Stm> constants = inConstants.stms(program.constants());
    Substitution results = inConstants.results();
    Map<String, FunDef> kept = new LinkedHashMap<>();
    for (String name : program.functions().keySet()) {
      FunDef f = done.get(name);
      boolean isCalled = !inlined.contains(name) || calls.isKept(name);
      if (f != null && (f.entry() != null || isCalled)) kept.put(name, results.fun(f));
    }
    Program result = program.withFunctions(kept);
    return constants == program.constants()
        ? result
        : result.withConstants(constants, constantNames.next());
  }

  private static boolean shouldInline(FunDef f, CallGraph calls, long budget) {
    if (calls.isRecursive(f.name()) || f.attrs().contains(CallGraph.NOINLINE)) return false;
    if (f.attrs().contains("inline") || calls.callsOf(f.name()) <= 1) return true;
    int size = CallGraph.size(f.body());
    return size <= 20 || (long) size * (calls.callsOf(f.name()) - 1) <= budget;
  }
}
