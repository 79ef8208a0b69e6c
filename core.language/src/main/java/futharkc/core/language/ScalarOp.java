package futharkc.core.language;

import futharkc.core.language.syntax.PrimType;
import futharkc.core.language.typed.Exp;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The operations on scalars that the prelude is made of. Each exists for several types, and is the
 * intrinsic named after the operation and the type: {@code add_i32}, {@code sqrt_f64}.
 */
public enum ScalarOp {
  ADD(Shape.BINARY, Domain.NUMBERS),
  SUB(Shape.BINARY, Domain.NUMBERS),
  MUL(Shape.BINARY, Domain.NUMBERS),
  /** Rounds towards minus infinity on integers. */
  DIV(Shape.BINARY, Domain.NUMBERS),
  /** Takes the sign of the divisor on integers. */
  MOD(Shape.BINARY, Domain.NUMBERS),
  POW(Shape.BINARY, Domain.NUMBERS),
  MIN(Shape.BINARY, Domain.NUMBERS),
  MAX(Shape.BINARY, Domain.NUMBERS),
  NEG(Shape.UNARY, Domain.NUMBERS),
  ABS(Shape.UNARY, Domain.NUMBERS),
  /** One with the argument's sign, or zero. */
  SGN(Shape.UNARY, Domain.NUMBERS),
  /** Plus infinity for floats. */
  HIGHEST(Shape.CONSTANT, Domain.NUMBERS),
  /** Minus infinity for floats. */
  LOWEST(Shape.CONSTANT, Domain.NUMBERS),

  /** Rounds towards zero. */
  QUOT(Shape.BINARY, Domain.INTEGERS),
  /** Takes the sign of the dividend. */
  REM(Shape.BINARY, Domain.INTEGERS),
  AND(Shape.BINARY, Domain.INTEGERS),
  OR(Shape.BINARY, Domain.INTEGERS),
  XOR(Shape.BINARY, Domain.INTEGERS),
  NOT(Shape.UNARY, Domain.INTEGERS),
  SHL(Shape.BINARY, Domain.INTEGERS),
  /** Arithmetic on signed types, logical on unsigned ones. */
  SHR(Shape.BINARY, Domain.INTEGERS),
  /** Logical on all types. */
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
  /** To the closest integer, and to the even one of two. */
  ROUND(Shape.UNARY, Domain.FLOATS),
  ISINF(Shape.PREDICATE, Domain.FLOATS),
  ISNAN(Shape.PREDICATE, Domain.FLOATS),
  NAN(Shape.CONSTANT, Domain.FLOATS),
  NEXTAFTER(Shape.BINARY, Domain.FLOATS),
  COPYSIGN(Shape.BINARY, Domain.FLOATS),
  /** The first argument times two to the power of the second, an i32. */
  LDEXP(Shape.SCALING, Domain.FLOATS),
  /** The unsigned integer of the same bits. */
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

    @SuppressWarnings("ImmutableEnumChecker") // It is a Set.copyOf.
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

  /** The types the operation exists for. */
  public Set<PrimType> types() {
    return domain.types;
  }

  /** The parameter types of the operation on {@code t}; none for a constant. */
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

  /** The result type of the operation on {@code t}. */
  public PrimType result(PrimType t) {
    return switch (shape) {
      case CONSTANT, UNARY, BINARY, TERNARY, SCALING, DECODING -> t;
      case COMPARISON, PREDICATE -> PrimType.BOOL;
      case COUNT -> PrimType.I32;
      case ENCODING -> bitsOf(t);
    };
  }

  /** The name of the intrinsic that is this operation on {@code t}. */
  public String intrinsic(PrimType t) {
    return name().toLowerCase(Locale.ROOT) + "_" + t;
  }

  /** What an infix operator does to scalars. */
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
