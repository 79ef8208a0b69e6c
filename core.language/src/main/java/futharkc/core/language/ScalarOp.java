package futharkc.core.language;

import futharkc.core.language.syntax.PrimType;
import futharkc.core.language.typed.Exp;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The operations on scalars. The prelude is written in terms of them. Each operation exists for
 * several types. An intrinsic's name consists of the operation and the type: {@code add_i32},
 * {@code sqrt_f64}.
 */
public enum ScalarOp {
  ADD(Shape.BINARY, Domain.NUMBERS),
  SUB(Shape.BINARY, Domain.NUMBERS),
  MUL(Shape.BINARY, Domain.NUMBERS),
  /** Division. Integer division rounds towards minus infinity. */
  DIV(Shape.BINARY, Domain.NUMBERS),
  /** Modulo. On integers, the result has the sign of the divisor. */
  MOD(Shape.BINARY, Domain.NUMBERS),
  POW(Shape.BINARY, Domain.NUMBERS),
  MIN(Shape.BINARY, Domain.NUMBERS),
  MAX(Shape.BINARY, Domain.NUMBERS),
  NEG(Shape.UNARY, Domain.NUMBERS),
  ABS(Shape.UNARY, Domain.NUMBERS),
  /** Sign: 1 or -1 with the argument's sign, or zero. */
  SGN(Shape.UNARY, Domain.NUMBERS),
  /** The greatest value; plus infinity for floats. */
  HIGHEST(Shape.CONSTANT, Domain.NUMBERS),
  /** The least value; minus infinity for floats. */
  LOWEST(Shape.CONSTANT, Domain.NUMBERS),

  /** Division that rounds towards zero. */
  QUOT(Shape.BINARY, Domain.INTEGERS),
  /** Remainder. The result has the sign of the dividend. */
  REM(Shape.BINARY, Domain.INTEGERS),
  AND(Shape.BINARY, Domain.INTEGERS),
  OR(Shape.BINARY, Domain.INTEGERS),
  XOR(Shape.BINARY, Domain.INTEGERS),
  NOT(Shape.UNARY, Domain.INTEGERS),
  SHL(Shape.BINARY, Domain.INTEGERS),
  /** Right shift: arithmetic on signed types, logical on unsigned types. */
  SHR(Shape.BINARY, Domain.INTEGERS),
  /** Logical right shift on all types. */
  LSHR(Shape.BINARY, Domain.INTEGERS),
  POPC(Shape.COUNT, Domain.INTEGERS),
  CLZ(Shape.COUNT, Domain.INTEGERS),
  CTZ(Shape.COUNT, Domain.INTEGERS),
  /** The upper half of the product. */
  MUL_HI(Shape.BINARY, Domain.INTEGERS),

  EQ(Shape.COMPARISON, Domain.ALL),
  NEQ(Shape.COMPARISON, Domain.ALL),
  LT(Shape.COMPARISON, Domain.ALL),
  LE(Shape.COMPARISON, Domain.ALL),
  GT(Shape.COMPARISON, Domain.ALL),
  GE(Shape.COMPARISON, Domain.ALL),

  LOGAND(Shape.BINARY, Domain.BOOLEANS),
  LOGOR(Shape.BINARY, Domain.BOOLEANS),

  SQRT(Shape.UNARY, Domain.FLOATS),
  RSQRT(Shape.UNARY, Domain.FLOATS),
  CBRT(Shape.UNARY, Domain.FLOATS),
  HYPOT(Shape.BINARY, Domain.FLOATS),
  EXP(Shape.UNARY, Domain.FLOATS),
  LOG(Shape.UNARY, Domain.FLOATS),
  LOG2(Shape.UNARY, Domain.FLOATS),
  LOG10(Shape.UNARY, Domain.FLOATS),
  LOG1P(Shape.UNARY, Domain.FLOATS),
  SIN(Shape.UNARY, Domain.FLOATS),
  COS(Shape.UNARY, Domain.FLOATS),
  TAN(Shape.UNARY, Domain.FLOATS),
  ASIN(Shape.UNARY, Domain.FLOATS),
  ACOS(Shape.UNARY, Domain.FLOATS),
  ATAN(Shape.UNARY, Domain.FLOATS),
  ATAN2(Shape.BINARY, Domain.FLOATS),
  SINH(Shape.UNARY, Domain.FLOATS),
  COSH(Shape.UNARY, Domain.FLOATS),
  TANH(Shape.UNARY, Domain.FLOATS),
  ASINH(Shape.UNARY, Domain.FLOATS),
  ACOSH(Shape.UNARY, Domain.FLOATS),
  ATANH(Shape.UNARY, Domain.FLOATS),
  SINPI(Shape.UNARY, Domain.FLOATS),
  COSPI(Shape.UNARY, Domain.FLOATS),
  TANPI(Shape.UNARY, Domain.FLOATS),
  ASINPI(Shape.UNARY, Domain.FLOATS),
  ACOSPI(Shape.UNARY, Domain.FLOATS),
  ATANPI(Shape.UNARY, Domain.FLOATS),
  ATAN2PI(Shape.BINARY, Domain.FLOATS),
  GAMMA(Shape.UNARY, Domain.FLOATS),
  LGAMMA(Shape.UNARY, Domain.FLOATS),
  ERF(Shape.UNARY, Domain.FLOATS),
  ERFC(Shape.UNARY, Domain.FLOATS),
  FMA(Shape.TERNARY, Domain.FLOATS),
  CEIL(Shape.UNARY, Domain.FLOATS),
  FLOOR(Shape.UNARY, Domain.FLOATS),
  /** Rounding to the closest integer. A tie rounds to the even integer. */
  ROUND(Shape.UNARY, Domain.FLOATS),
  ISINF(Shape.PREDICATE, Domain.FLOATS),
  ISNAN(Shape.PREDICATE, Domain.FLOATS),
  NAN(Shape.CONSTANT, Domain.FLOATS),
  NEXTAFTER(Shape.BINARY, Domain.FLOATS),
  COPYSIGN(Shape.BINARY, Domain.FLOATS),
  /** The first argument times two to the power of the second argument, an i32. */
  LDEXP(Shape.SCALING, Domain.FLOATS),
  /** The unsigned integer with the same bits. */
  TO_BITS(Shape.ENCODING, Domain.FLOATS),
  FROM_BITS(Shape.DECODING, Domain.FLOATS);

  private enum Shape {
    CONSTANT,
    UNARY,
    BINARY,
    TERNARY,
    COMPARISON,
    PREDICATE,
    COUNT,
    SCALING,
    ENCODING,
    DECODING
  }

  private enum Domain {
    NUMBERS(EnumSet.range(PrimType.I8, PrimType.F64)),
    INTEGERS(EnumSet.range(PrimType.I8, PrimType.U64)),
    FLOATS(EnumSet.range(PrimType.F16, PrimType.F64)),
    BOOLEANS(EnumSet.of(PrimType.BOOL)),
    ALL(EnumSet.allOf(PrimType.class));

    @SuppressWarnings("ImmutableEnumChecker") // The result of Set.copyOf, hence immutable.
    private final Set<PrimType> types;

    Domain(Set<PrimType> types) {
      this.types = Set.copyOf(types);
    }
  }

  private final Shape shape;
  private final Domain domain;

  ScalarOp(Shape shape, Domain domain) {
    this.shape = shape;
    this.domain = domain;
  }

  /** Returns the types for which the operation exists. */
  public Set<PrimType> types() {
    return domain.types;
  }

  /** Returns the parameter types of the operation on {@code t}, or an empty list for a constant. */
  public List<PrimType> params(PrimType t) {
    return switch (shape) {
      case CONSTANT -> List.of();
      case UNARY, PREDICATE, COUNT, ENCODING -> List.of(t);
      case BINARY, COMPARISON -> List.of(t, t);
      case TERNARY -> List.of(t, t, t);
      case SCALING -> List.of(t, PrimType.I32);
      case DECODING -> List.of(bitsOf(t));
    };
  }

  /** Returns the result type of the operation on {@code t}. */
  public PrimType result(PrimType t) {
    return switch (shape) {
      case CONSTANT, UNARY, BINARY, TERNARY, SCALING, DECODING -> t;
      case COMPARISON, PREDICATE -> PrimType.BOOL;
      case COUNT -> PrimType.I32;
      case ENCODING -> bitsOf(t);
    };
  }

  /** Returns the name of the intrinsic for the operation on {@code t}. */
  public String intrinsic(PrimType t) {
    return name().toLowerCase(Locale.ROOT) + "_" + t;
  }

  /** Returns the scalar operation of an infix operator. */
  public static ScalarOp of(Exp.Op op) {
    return valueOf(op.name());
  }

  private static PrimType bitsOf(PrimType t) {
    return switch (t.bits()) {
      case 16 -> PrimType.U16;
      case 32 -> PrimType.U32;
      default -> PrimType.U64;
    };
  }
}
