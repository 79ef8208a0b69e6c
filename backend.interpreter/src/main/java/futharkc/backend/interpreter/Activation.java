package futharkc.backend.interpreter;

import org.jspecify.annotations.Nullable;

/** The variables of one call of a function of an imperative program. */
final class Activation {
  final Execution execution;
  final long[] scalars;

  /** The reason why each scalar has no value, by slot; null for a scalar with a value. */
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

  /** Returns a copy of all variables with their current values. */
  Activation copy() {
    return new Activation(this);
  }

  /** Assigns a value to a scalar. */
  void set(int slot, long value) {
    scalars[slot] = value;
    undefined[slot] = null;
  }

  /** Assigns the value of an expression to a scalar; the expression may have no value. */
  void set(int slot, CompiledExpr value) {
    execution.undefined = null;
    scalars[slot] = value.value(this);
    undefined[slot] = execution.undefined;
  }

  /** Tests whether the value of an expression is an element outside its block. */
  boolean isOutside(CompiledExpr value) {
    execution.undefined = null;
    value.value(this);
    boolean isOutside = execution.undefined == Undefined.OUTSIDE;
    execution.undefined = null;
    return isOutside;
  }

  /**
   * Returns the value of an expression, which must have one because control flow or an address
   * depends on it.
   */
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
