package futharkc.backend.interpreter;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;

/** The scalar operators of atomic operations. */
final class AtomicOperators {
  private AtomicOperators() {}

  /**
   * Returns the operator that computes the new value of an element from the old value and the
   * operand.
   */
  static ScalarOps.Binary of(Code.AtomicOp op, PrimType elem) {
    BinOp.Kind kind =
        switch (op) {
          case ADD -> BinOp.Kind.ADD;
          case FADD -> BinOp.Kind.FADD;
          case SMIN -> BinOp.Kind.SMIN;
          case SMAX -> BinOp.Kind.SMAX;
          case UMIN -> BinOp.Kind.UMIN;
          case UMAX -> BinOp.Kind.UMAX;
          case AND -> BinOp.Kind.AND;
          case OR -> BinOp.Kind.OR;
          case XOR -> BinOp.Kind.XOR;
          case EXCHANGE -> null;
        };
    return kind == null ? (old, operand) -> operand : ScalarOps.binary(new BinOp(kind, elem));
  }
}
