package futharkc.core.ir.spi;

import futharkc.core.ir.FunDef;
import futharkc.core.ir.Program;
import futharkc.core.ir.imperative.ImperativeProgram;
import java.util.List;

/**
 * An optimisation or a change of representation. A pass has no state: one instance may process any
 * number of programs concurrently. Equal inputs give equal outputs, independent of the number of
 * threads. A pass that changes nothing returns its argument itself.
 */
public sealed interface Pass
    permits Pass.OnProgram,
        Pass.OnFunction,
        Pass.Lowering,
        Pass.OnImperative,
        Pass.OnImperativeProgram {
  /** The level of this interface. A plugin declares the level for which it was built. */
  int API_LEVEL = 1;

  /** Returns the description of the pass and its ordering constraints, without running it. */
  PassInfo info();

  /**
   * Returns the {@link #API_LEVEL} for which the pass was built. Implementations return the
   * constant {@code 1}.
   */
  int apiLevel();

  /** A pass over a whole program. */
  non-sealed interface OnProgram extends Pass {
    /**
     * Transforms a program in a representation that {@link PassInfo} accepts.
     *
     * @throws PassException if the pass cannot handle a valid program because of a limitation,
     *     which is reported to the user
     */
    Program run(Program program, PassContext context);
  }

  /**
   * A pass over single functions, with access to the signatures of others. The driver transforms
   * functions in parallel.
   */
  non-sealed interface OnFunction extends Pass {
    /**
     * Transforms a function.
     *
     * @param program the program before the pass, of which only the representation, constants and
     *     signatures of other functions may be read
     */
    FunDef run(FunDef function, Program program, PassContext context);

    /**
     * Transforms the constants as the body of a function without parameters, whose results are the
     * constants that functions mention. If a result becomes another operand, functions mention that
     * operand instead.
     */
    default Program runOnConstants(Program program, PassContext context) {
      if (program.constants().isEmpty()) {
        return program;
      }
      FunDef before = program.constantsAsFunction();
      FunDef after = run(before, program.withConstants(List.of(), 0), context);
      return after == before ? program : program.withConstants(after);
    }
  }

  /** A pass from an array representation to an imperative one. */
  non-sealed interface Lowering extends Pass {
    /** Lowers a program in a representation that {@link PassInfo} accepts. */
    ImperativeProgram run(Program program, PassContext context);
  }

  /**
   * A pass over single imperative functions, with access to the signatures of others. The driver
   * transforms functions in parallel, including the function that computes the constants.
   */
  non-sealed interface OnImperative extends Pass {
    /**
     * Transforms a function.
     *
     * @param program the program before the pass, of which only the representation, constants and
     *     signatures of other functions may be read
     */
    ImperativeProgram.Function run(
        ImperativeProgram.Function function, ImperativeProgram program, PassContext context);
  }

  /** A pass over whole imperative programs. */
  non-sealed interface OnImperativeProgram extends Pass {
    /** Transforms a program in a representation that {@link PassInfo} accepts. */
    ImperativeProgram run(ImperativeProgram program, PassContext context);
  }
}
