package futharkc.pass.differentiation;

import futharkc.core.ir.Body;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.Scope;
import futharkc.core.ir.Stm;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Property;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Differentiation: the operators of derivatives, innermost ones first, become ordinary code.
 * Forward mode computes a tangent beside each value. Reverse mode runs the function (the forward
 * sweep), and then its statements backwards (the return sweep), each adding to the adjoints of what
 * it uses what the chain rule says; a scope is run again where its return sweep needs its values,
 * so that only loops keep a tape, of what they carry.
 *
 * <pre>{@code
 * let {y, g} = vjp([x], [1f64]) \ a ->        let s = sin(x)
 *   let s = sin(a)                             let y = s * x
 *   let y = s * a                       =>     let s_ = 1f64 * x
 *   in {y}                                     let c = cos(x)
 *                                              let g = 1f64 * s + s_ * c
 * }</pre>
 *
 * <p>(Griewank and Walther, "Evaluating Derivatives", 2008; for Futhark's operators, Schenck et
 * al., "AD for an Array Language with Nested Parallelism", SC 2022.)
 *
 * <p>Known gaps: each is an error that says what cannot be differentiated, and where.
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
    Map<String, FunDef> functions = new LinkedHashMap<>();
    for (FunDef f : renamed.functions().values()) {
      context.checkCancelled();
      NameSource names = new NameSource(f.nextTag());
      Emitter around = new Emitter(names, Scope.of(renamed, f));
      Body body = new Expansion(derivation, around).expanded(f.body());
      FunDef g = body == f.body() ? f : f.withBody(body, names.next());
      functions.put(g.name(), g);
      derivation.functions().expanded(g);
    }
    for (FunDef f : derivation.functions().make()) functions.put(f.name(), f);
    return renamed.withFunctions(functions);
  }
}
