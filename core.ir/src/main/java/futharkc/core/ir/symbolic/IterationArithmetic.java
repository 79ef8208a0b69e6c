package futharkc.core.ir.symbolic;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.UnOp;
import futharkc.core.ir.symbolic.IterationAtoms.Atom;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Scalar operators on the polynomials of {@link Iterations}. A polynomial equals the value modulo
 * two to the power of the type's width, a relation that sums and products preserve. Comparisons and
 * conversions to wider types depend on the exact value, so they require exact polynomials.
 */
final class IterationArithmetic {
  private final Iterations iterations;
  private final IterationAtoms atoms;

  IterationArithmetic(Iterations iterations) {
    this.iterations = iterations;
    this.atoms = iterations.atoms;
  }

  /** Returns an uninterpreted term. Equal operators with equal operands give equal terms. */
  Poly term(PrimType type, String op, List<Poly> operands) {
    return atoms.other(type, op, operands, null, "a result of " + op);
  }

  private Poly bounded(PrimType type, String op, List<Poly> operands, Poly below) {
    return below.equals(Poly.of(2))
        ? atoms.flag(op, operands, null, null)
        : atoms.other(type, op, operands, below, "a result of " + op);
  }

  Poly unary(UnOp op, Poly a) {
    PrimType t = op.type();
    if (op.kind() == UnOp.Kind.NEG && t.isInt()) {
      return a.times(-1);
    }
    if (op.kind() == UnOp.Kind.NOT && t == PrimType.BOOL) {
      return Poly.ONE.minus(a);
    }
    return term(t, op.toString(), List.of(a));
  }

  Poly binary(BinOp op, Poly a, Poly b) {
    PrimType t = op.type();
    List<Poly> operands = List.of(a, b);
    Long c = b.constant();
    return switch (op.kind()) {
      case ADD -> a.plus(b);
      case SUB -> a.minus(b);
      case MUL, LOG_AND -> a.times(b);
      case LOG_OR -> a.plus(b).minus(a.times(b));
      case SMIN -> a.plus(less(b, a, t).times(b.minus(a)));
      case SMAX -> a.plus(less(a, b, t).times(b.minus(a)));
      case AND -> {
        if (t.isInt() && c == null && a.constant() != null) {
          yield binary(op, b, a);
        }
        yield t.isInt() && c != null && isWithin(c, t) && c > 0 && c < Integer.MAX_VALUE
            ? bounded(t, op.toString(), operands, Poly.of(c + 1))
            : term(t, op.toString(), operands);
      }
      case SMOD, UMOD -> {
        // The divisor is not 0 if the operation is evaluated.
        boolean positive = isExact(b, t) && (c != null ? c > 0 : isSize(b));
        yield positive ? bounded(t, op.toString(), operands, b) : term(t, op.toString(), operands);
      }
      default -> term(t, op.toString(), operands);
    };
  }

  private boolean isSize(Poly p) {
    return iterations.sizes.contains(p.terms().firstKey().factors().get(0));
  }

  Poly comparison(CmpOp op, Poly a, Poly b) {
    return switch (op.kind()) {
      case SLT -> less(a, b, op.type());
      case SLE -> Poly.ONE.minus(less(b, a, op.type()));
      case EQ ->
          op.type().isInt() || op.type() == PrimType.BOOL
              ? equal(a, b, op)
              : term(PrimType.BOOL, op.toString(), List.of(a, b));
      default -> term(PrimType.BOOL, op.toString(), List.of(a, b));
    };
  }

  private Poly less(Poly a, Poly b, PrimType type) {
    if (a.equals(b)) {
      return Poly.ZERO;
    }
    Long x = a.constant();
    Long y = b.constant();
    if (x != null && y != null && type == PrimType.I64) {
      return x < y ? Poly.ONE : Poly.ZERO;
    }
    boolean exact = isExact(a, type) && isExact(b, type) && isFarFromEnds(a) && isFarFromEnds(b);
    Poly ifTrue = exact ? b.minus(a).minus(Poly.ONE) : null;
    Poly ifFalse = exact ? a.minus(b) : null;
    return atoms.flag("slt_" + type, List.of(a, b), ifTrue, ifFalse);
  }

  /** Tests whether the polynomial is known to equal the value exactly. */
  private boolean isExact(Poly p, PrimType type) {
    Long c = p.constant();
    if (c != null) {
      return isWithin(c, type);
    }
    return Iterations.isVariable(p) && (type == PrimType.I64 || isOf(p, type));
  }

  /**
   * Tests whether the constant is small enough for differences of two such polynomials not to
   * overflow.
   */
  private static boolean isFarFromEnds(Poly p) {
    Long c = p.constant();
    return c == null || c > -1L << 61 && c < 1L << 61;
  }

  private static boolean isWithin(long c, PrimType type) {
    return c == c << (64 - type.bits()) >> (64 - type.bits());
  }

  private Poly equal(Poly a, Poly b, CmpOp op) {
    Poly difference = a.minus(b);
    if (difference.isZero()) {
      return Poly.ONE;
    }
    Long constant = difference.constant();
    int bits = op.type().bits();
    if (constant != null) {
      return isZero(constant, bits) ? Poly.ONE : Poly.ZERO;
    }
    Name flag = onlyFlag(difference);
    if (flag != null) {
      boolean whenOff = isZero(constantTerm(difference), bits);
      boolean whenOn = isZero(constantTerm(difference) + coefficient(difference, flag), bits);
      Poly on = Poly.of(flag).times(whenOn ? 1 : 0);
      return whenOff ? on.plus(Poly.ONE.minus(Poly.of(flag))) : on;
    }
    if (bits == 64
        && (difference.equals(iterations.width())
            || difference.times(-1).equals(iterations.width()))) {
      return iterations.empty();
    }
    boolean inOrder = a.toString().compareTo(b.toString()) <= 0;
    List<Poly> operands = inOrder ? List.of(a, b) : List.of(b, a);
    return atoms.flag(op.toString(), operands, null, null);
  }

  private static boolean isZero(long value, int bits) {
    return value << (64 - bits) == 0;
  }

  /** Returns the single flag of which the polynomial is a linear function, or null. */
  private @Nullable Name onlyFlag(Poly p) {
    Name flag = null;
    for (Poly.Product t : p.terms().keySet()) {
      if (t.factors().isEmpty()) {
        continue;
      }
      if (flag != null || t.factors().size() > 1 || !atoms.isFlag(t.factors().get(0))) {
        return null;
      }
      flag = t.factors().get(0);
    }
    return flag;
  }

  static long constantTerm(Poly p) {
    return p.terms().getOrDefault(new Poly.Product(List.of()), 0L);
  }

  private static long coefficient(Poly p, Name variable) {
    return p.terms().getOrDefault(new Poly.Product(List.of(variable)), 0L);
  }

  Poly converted(ConvOp op, Poly a) {
    return switch (op.kind()) {
      case BTOI -> a;
      case ITOB -> Poly.ONE.minus(equal(a, Poly.ZERO, new CmpOp(CmpOp.Kind.EQ, op.from())));
      case ZEXT, SEXT -> {
        int bits = op.from().bits();
        if (bits >= op.to().bits()) {
          yield a;
        }
        boolean signed = op.kind() == ConvOp.Kind.SEXT;
        long end = 1L << (bits - 1);
        if (signed && Iterations.isVariable(a) && isOf(a, op.from())) {
          yield a;
        }
        if (new IterationProofs(iterations).within(a, signed ? -end : 0, end)) {
          yield a;
        }
        yield signed
            ? term(op.to(), op.toString(), List.of(a))
            : bounded(op.to(), op.toString(), List.of(a), Poly.of(2 * end));
      }
      default -> term(op.to(), op.toString(), List.of(a));
    };
  }

  /** Tests whether a variable has the type. */
  private boolean isOf(Poly variable, PrimType type) {
    return atoms.of(variable.terms().firstKey().factors().get(0)) instanceof Atom.Other o
        && o.type() == type;
  }
}
