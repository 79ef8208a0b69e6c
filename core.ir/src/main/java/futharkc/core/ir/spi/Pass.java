package futharkc.core.ir.spi;

import futharkc.core.ir.FunDef;
import futharkc.core.ir.Program;
import futharkc.core.ir.imperative.ImperativeProgram;
import java.util.List;

/**
 * An optimisation or a change of representation. A pass has no state: one instance serves any
 * number of programs, at the same time. Given the same input it returns the same output, whatever
 * the number of threads. It returns its very argument if it changed nothing.
 */
public sealed interface Pass
    permits Pass.OnProgram, Pass.OnFunction, Pass.Lowering, Pass.OnImperative {
  /** The level of this interface. A plugin states the one it was built for. */
  int API_LEVEL = 1;

  /** What the pass is and where it may run; read without running it. */
  PassInfo info();

  /**
   * The {@link #API_LEVEL} that the pass was built for: implementations return the constant {@code
   * 1}.
   */
  int apiLevel();

  /** A pass that sees the whole program. */
  non-sealed interface OnProgram extends Pass {
    /**
     * Transforms a program in a representation that {@link PassInfo} accepts.
     *
     * @throws PassException if the program is fine but the pass cannot go on: a limitation, told to
     *     the user
     */
    Program run(Program program, PassContext context);
  }

  /**
   * A pass that sees one function at a time, and signatures of the others; functions are
   * transformed in parallel.
   */
  non-sealed interface OnFunction extends Pass {
    /**
     * Transforms a function. The program is the one before the pass: only its representation,
     * constants and the other functions' signatures may be read.
     */
    FunDef run(FunDef function, Program program, PassContext context);

    /**
     * Transforms the constants, as a function without parameters whose results are the constants
     * that functions mention. Where these become other operands, functions mention those.
     */
    default Program runOnConstants(Program program, PassContext context) {
      if (program.constants().isEmpty()) return program;
      FunDef before = program.constantsAsFunction();
      FunDef after = run(before, program.withConstants(List.of(), 0), context);
      return after == before ? program : program.withConstants(after);
    }
  }

  /** A pass from a representation of arrays to an imperative one. */
  non-sealed interface Lowering extends Pass {
    /** Lowers a program in a representation that {@link PassInfo} accepts. */
    ImperativeProgram run(Program program, PassContext context);
  }

  /**
   * A pass on imperative code, which sees one function at a time, and signatures of the others;
   * functions are transformed in parallel, and so is the one that computes the constants.
   */
  non-sealed interface OnImperative extends Pass {
    /**
     * Transforms a function. The program is the one before the pass: only its representation,
     * constants and the other functions' signatures may be read.
     */
    ImperativeProgram.Function run(
        ImperativeProgram.Function function, ImperativeProgram program, PassContext context);
  }
}
