package futharkc.core.ir.verify;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.UnOp;

/** The legal types of each scalar operator. */
final class ScalarTypes {
  private ScalarTypes() {}

  static boolean fits(BinOp op) {
    PrimType t = op.type();
    return switch (op.kind()) {
      case ADD, SUB, MUL, UDIV, UDIV_UP, SDIV, SDIV_UP, UMOD, SMOD, SQUOT, SREM -> t.isInt();
      case SMIN, UMIN, SMAX, UMAX, SHL, LSHR, ASHR, POW -> t.isInt();
      case FADD, FSUB, FMUL, FDIV, FMOD, FMIN, FMAX, FPOW -> t.isFloat();
      case AND, OR, XOR -> t.isInt() || t == PrimType.BOOL;
      case LOG_AND, LOG_OR -> t == PrimType.BOOL;
    };
  }

  static boolean fits(CmpOp op) {
    PrimType t = op.type();
    return switch (op.kind()) {
      case EQ -> true;
      case ULT, ULE, SLT, SLE -> t.isInt();
      case FLT, FLE -> t.isFloat();
      case LLT, LLE -> t == PrimType.BOOL;
    };
  }

  static boolean fits(UnOp op) {
    PrimType t = op.type();
    return switch (op.kind()) {
      case NEG, ABS -> t.isInt() || t.isFloat();
      case NOT -> t.isInt() || t == PrimType.BOOL;
      case SSIGNUM, USIGNUM -> t.isInt();
      case FSIGNUM -> t.isFloat();
    };
  }

  static boolean fits(ConvOp op) {
    PrimType from = op.from();
    PrimType to = op.to();
    return switch (op.kind()) {
      case ZEXT, SEXT -> from.isInt() && to.isInt();
      case FPCONV -> from.isFloat() && to.isFloat();
      case FPTOUI, FPTOSI -> from.isFloat() && to.isInt();
      case UITOFP, SITOFP -> from.isInt() && to.isFloat();
      case BTOI -> from == PrimType.BOOL && to.isInt();
      case ITOB -> from.isInt() && to == PrimType.BOOL;
      case BTOF -> from == PrimType.BOOL && to.isFloat();
      case FTOB -> from.isFloat() && to == PrimType.BOOL;
    };
  }

  static boolean fits(PrimFun f) {
    return switch (f.kind()) {
      case POPC, CLZ, CTZ, SMUL_HI, UMUL_HI, SMAD_HI, UMAD_HI -> f.type().isInt();
      case MAD -> f.type().isInt() || f.type().isFloat();
      default -> f.type().isFloat();
    };
  }
}
