package futharkc.pass.differentiation;

import futharkc.core.ir.FunDef;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.Scope;
import futharkc.core.ir.Stm;
import futharkc.core.ir.build.Emitter;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Property;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Expands derivatives into ordinary code: {@code jvp} by forward mode, {@code vjp} by reverse mode.
 *
 * <p>Before:
 *
 * <pre>
 * let (y, x_) = vjp([], {x}, {y_}) \a -> {let b = sin(a); let c = a * b; in c}
 * </pre>
 *
 * After:
 *
 * <pre>
 * let b = sin(x)
 * let y = x * b
 * let t = b * y_
 * let u = x * y_
 * let v = cos(x)
 * let w = v * u
 * let x_ = t + w
 * </pre>
 *
 * <p>The pass expands derivative operators from the innermost outwards ({@link Expansion}), after
 * conversion of their functions to a normal form ({@link NormalForm}). {@link Forward} and {@link
 * Sweep} implement the two modes. Each construct has a class with its rule. A called function gets
 * a derivative of its own ({@link DerivedFunctions}). A program without derivatives stays
 * unchanged.
 *
 * <p>Known gaps: reverse mode supports no accumulator with an operator other than a sum, and no
 * loop that needs arrays whose size changes between iterations. A scatter or histogram into an
 * array that a loop carries saves a copy of the array for every iteration.
 */
public final class DifferentiationPass implements Pass.OnProgram {
  @Override
  public PassInfo info() {
    return PassInfo.named(
            "differentiate",
            "expands derivatives, forward and reverse, into ordinary code",
            Rep.SOACS)
        .prefers(Property.INLINED, Property.FUSED, Property.SIMPLIFIED)
        .establishes(Property.DIFFERENTIATED)
        .destroys(Property.SIMPLIFIED, Property.FUSED)
        .optional();
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public Program run(Program program, PassContext context) {
    Derivation derivation = new Derivation(program, context);
    NameSource constantNames = program.namesForConstants();
    List<Stm> constants =
        new Expansion(derivation, new Emitter(constantNames, new Scope()))
            .expanded(program.constants());
    Program renamed =
        constants == program.constants()
            ? program
            : program.withConstants(constants, constantNames.next());
    derivation.constants(constants);
    Map<String, FunDef> functions = new LinkedHashMap<>();
    for (String f : renamed.functions().keySet()) {
      functions.put(f, derivation.functions().finished(f));
    }
    for (FunDef f : derivation.functions().derived()) {
      functions.put(f.name(), f);
    }
    return renamed.withFunctions(functions);
  }
}
