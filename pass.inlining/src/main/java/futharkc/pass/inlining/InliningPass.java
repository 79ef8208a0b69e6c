package futharkc.pass.inlining;

import static java.util.Objects.requireNonNull;

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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Replaces calls by the body of the called function, and removes functions without calls. Later
 * passes then see producers and consumers together.
 *
 * <p>Before: {@code fun f(x: i32): i32 = x + 1} and {@code let b = f(a)}. After: {@code let b = a +
 * 1}.
 *
 * <p>The pass inlines a function that is marked {@code inline}, has one call, is small, or for
 * which inlining all calls adds at most {@code budget} statements. The pass never inlines a
 * recursive function, a function or call marked {@code noinline}, or a function that would nest
 * bodies too deep. Checks keep their location and get a trace of the calls.
 */
public final class InliningPass implements Pass.OnProgram {
  /** The maximal nesting depth of bodies in a function that is inlined. */
  private static final int DEEPEST = 100;

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
                    "maximal number of statements that inlining all calls of a function may add")
                .from(0));
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public Program run(Program program, PassContext context) {
    CallGraph calls = new CallGraph(program);
    Set<String> inlined = inlined(program, calls, context);
    Map<String, FunDef> kept = new LinkedHashMap<>();
    for (FunDef f : program.functions().values()) {
      context.checkCancelled();
      String name = f.name();
      boolean isCalled = calls.isReached(name) && (!inlined.contains(name) || calls.isKept(name));
      if (f.entry() == null && !isCalled) {
        continue;
      }
      NameSource names = new NameSource(f.nextTag());
      Body body = new CallInliner(names, program.functions(), inlined).body(f.body());
      kept.put(name, body == f.body() ? f : f.withBody(body, names.next()));
    }
    NameSource constantNames = program.withFunctions(kept).namesForConstants();
    CallInliner inConstants = new CallInliner(constantNames, program.functions(), inlined);
    List<Stm> constants = inConstants.stms(program.constants());
    Substitution results = inConstants.results();
    kept.replaceAll((name, f) -> results.fun(f));
    Program result = program.withFunctions(kept);
    return constants == program.constants()
        ? result
        : result.withConstants(constants, constantNames.next());
  }

  private static Set<String> inlined(Program program, CallGraph calls, PassContext context) {
    Set<String> inlined = new LinkedHashSet<>();
    Map<String, Extent> extents = new HashMap<>();
    for (String name : calls.calleesFirst()) {
      context.checkCancelled();
      FunDef f = requireNonNull(program.functions().get(name));
      Extent extent = Extent.of(f.body(), inlined, extents);
      extents.put(name, extent);
      if (shouldInline(f, extent, calls, context.integer("budget"))) {
        inlined.add(name);
      }
    }
    return inlined;
  }

  private static boolean shouldInline(FunDef f, Extent extent, CallGraph calls, long budget) {
    if (calls.isRecursive(f.name()) || f.attrs().contains(CallGraph.NOINLINE)) {
      return false;
    }
    if (extent.depth() > DEEPEST) {
      return false;
    }
    if (f.attrs().contains("inline") || calls.callsOf(f.name()) <= 1) {
      return true;
    }
    return extent.size() <= 20 || extent.size() * (calls.callsOf(f.name()) - 1) <= budget;
  }
}
