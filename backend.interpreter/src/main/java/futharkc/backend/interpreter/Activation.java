package futharkc.backend.interpreter;

import org.jspecify.annotations.Nullable;

/** The variables of one call of a function of an imperative program. */
final class Activation {
  final Execution execution;
  final long[] scalars;

  /** For each scalar, why it has no value. */
  final @Nullable Undefined[] undefined;

  final @Nullable CheckedBlock[] blocks;

  Activation(Execution execution, int scalars, int blocks) {
    this.execution = execution;
    this.scalars = new long[scalars];
    this.undefined = new @Nullable Undefined[scalars];
    this.blocks = new @Nullable CheckedBlock[blocks];
  }

  private Activation(Activation of) {
    this.execution = of.execution;
    this.scalars = of.scalars.clone();
    this.undefined = of.undefined.clone();
    this.blocks = of.blocks.clone();
  }

  /** The same variables, with the same values, for themselves. */
  Activation copy() {
    return new Activation(this);
  }

  /** Gives a scalar a value. */
  void set(int slot, long value) {
    scalars[slot] = value;
    undefined[slot] = null;
  }

  /** Gives a scalar what an expression computes, even if that is no value. */
  void set(int slot, CompiledExpr value) {
    execution.undefined = null;
    scalars[slot] = value.value(this);
    undefined[slot] = execution.undefined;
  }

  /** What an expression computes, of which something depends: it has to be a value. */
  long defined(CompiledExpr term, String what) {
    Undefined before = execution.undefined;
    execution.undefined = null;
    long value = term.value(this);
    if (execution.undefined != null) {
      throw new Fault(what + " depends on " + execution.undefined);
    }
    execution.undefined = before;
    return value;
  }
}
