package futharkc.pass.parallelise;

import futharkc.core.ir.Body;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.Scope;
import futharkc.core.ir.Stm;
import futharkc.core.ir.sequential.SequentialCalls;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Property;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Assigns operations to CPU cores: from SOACS to MC. Every outermost SOAC becomes one parallel
 * operation. A nest of maps around a map, reduction or scan becomes one operation over a space of
 * several dimensions. Other SOACs inside become loops. Such an operation also gets a second
 * version, a sequential loop with the inner SOACs parallel, for small outer sizes.
 *
 * <p>Before:
 *
 * <pre>
 * let yss = screma(n, {xss}, \xs -> let ys = screma(m, {xs}, \x -> x + 1) in ys)
 * </pre>
 *
 * After:
 *
 * <pre>
 * let yss = parop segmap (i &lt; n, j &lt; m) { let xs = xss[i, :]; let x = xs[j]; let y = x + 1; returns y }
 * </pre>
 *
 * <p>A parallel operation calls a sequential copy ({@code f_seq}) of a function, which consists of
 * loops.
 *
 * <p>Known gaps: a scan or histogram is a sequential loop if its operator works on arrays other
 * than elementwise.
 */
public final class ParallelisePass implements Pass.OnProgram {
  @Override
  public PassInfo info() {
    return PassInfo.named(
            "parallelise", "converts outer SOACs to parallel operations on CPU cores", Rep.SOACS)
        .produces(Rep.MC)
        .requires(Property.DIFFERENTIATED)
        .prefers(Property.FUSED, Property.SIMPLIFIED)
        .destroys(Property.SIMPLIFIED)
        .options(Parallelise.OPTIONS);
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public Program run(Program program, PassContext context) {
    SequentialCalls calls = new SequentialCalls(program);
    NameSource constantNames = program.namesForConstants();
    List<Stm> constants =
        new Parallelise(constantNames, new Scope(), calls, context).stms(program.constants());
    Program renamed = program.withConstants(constants, constantNames.next());
    Map<String, FunDef> functions = new LinkedHashMap<>();
    for (FunDef f : renamed.functions().values()) {
      context.checkCancelled();
      NameSource names = new NameSource(f.nextTag());
      List<Stm> stms =
          new Parallelise(names, Scope.of(renamed, f), calls, context).stms(f.body().stms());
      functions.put(f.name(), f.withBody(new Body(stms, f.body().results()), names.next()));
    }
    ArrayDeque<String> wanted = new ArrayDeque<>(calls.wanted());
    while (!wanted.isEmpty()) {
      String name = wanted.remove();
      String copy = SequentialCalls.sequentialName(name);
      if (functions.containsKey(copy)) {
        continue;
      }
      FunDef f = renamed.functions().get(name);
      if (f == null) {
        throw new IllegalStateException("call of unknown function " + name);
      }
      NameSource names = new NameSource(f.nextTag());
      List<Stm> stms = calls.sequential(names, Scope.of(renamed, f), f.body().stms());
      functions.put(
          copy,
          new FunDef(
              copy,
              f.attrs(),
              f.params(),
              f.results(),
              new Body(stms, f.body().results()),
              null,
              names.next(),
              f.loc()));
      Set<String> now = calls.wanted();
      for (String w : now) {
        if (!functions.containsKey(SequentialCalls.sequentialName(w))) {
          wanted.add(w);
        }
      }
    }
    return renamed.withFunctions(functions).withRep(Rep.MC);
  }
}
