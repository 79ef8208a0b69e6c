package futharkc.core.codegen.java;

import futharkc.core.codegen.Identifiers;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.UnOp;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A printer of expressions as Java: an operator where Java's operator has Futhark's semantics, else
 * a call of the run-time library. Offsets into blocks are int expressions. Blocks are Java arrays,
 * so arithmetic modulo 2³² gives the right offset even if intermediate results wrap.
 */
final class JavaExprs {
  /** The functions of f64 that {@link Math} implements. */
  private static final Set<PrimFun.Kind> IN_MATH =
      Set.of(
          PrimFun.Kind.SQRT,
          PrimFun.Kind.CBRT,
          PrimFun.Kind.EXP,
          PrimFun.Kind.LOG,
          PrimFun.Kind.LOG10,
          PrimFun.Kind.LOG1P,
          PrimFun.Kind.SIN,
          PrimFun.Kind.COS,
          PrimFun.Kind.TAN,
          PrimFun.Kind.ASIN,
          PrimFun.Kind.ACOS,
          PrimFun.Kind.ATAN,
          PrimFun.Kind.SINH,
          PrimFun.Kind.COSH,
          PrimFun.Kind.TANH,
          PrimFun.Kind.ATAN2,
          PrimFun.Kind.CEIL,
          PrimFun.Kind.FLOOR);

  private final Map<Name, Integer> depths = new HashMap<>();
  private final Map<Name, Boolean> intLoops = new HashMap<>();
  private final Map<String, Integer> tuning;

  /** The copies of device blocks in the host's memory. */
  private final Set<Name> hostCopies = new HashSet<>();

  /** True if blocks are device buffers. */
  private final boolean hasDevice;

  JavaExprs(Map<String, Integer> tuning, boolean hasDevice) {
    this.tuning = tuning;
    this.hasDevice = hasDevice;
  }

  /** Records that a block is a copy of a device block in the host's memory. */
  void hostCopy(Name block) {
    hostCopies.add(block);
  }

  boolean isHostCopy(Name block) {
    return hostCopies.contains(block);
  }

  /** Records the number of loops around the declaration of a variable. */
  void declared(Name n, int depth) {
    depths.put(n, depth);
  }

  /** Records that an i64 loop index is an int variable. */
  void intLoop(Name n) {
    intLoops.put(n, true);
  }

  boolean isInt(Name n) {
    return intLoops.containsKey(n);
  }

  void longLoop(Name n) {
    intLoops.remove(n);
  }

  String expr(Expr e) {
    return switch (e) {
      case Expr.Const c -> JavaTypes.constant(c.value());
      case Expr.Var v ->
          v.type() == PrimType.I64 && intLoops.containsKey(v.name())
              ? "(long) " + Identifiers.name(v.name())
              : Identifiers.name(v.name());
      case Expr.Index i -> poly(i.poly(), false);
      case Expr.Load l when isHostCopy(l.block()) ->
          "HostCopies."
              + l.type()
              + "("
              + Identifiers.name(l.block())
              + ", "
              + poly(l.index(), false)
              + ")";
      case Expr.Load l -> Identifiers.name(l.block()) + "[" + poly(l.index(), true) + "]";
      case Expr.Binary b -> binary(b);
      case Expr.Unary u -> unary(u.op(), operand(u.operand()));
      case Expr.Compare c -> compare(c.op(), operand(c.left()), operand(c.right()));
      case Expr.Convert c -> convert(c.op(), operand(c.operand()));
      case Expr.Apply a -> apply(a.fun(), a.args().stream().map(this::expr).toList());
      case Expr.Capacity c when hasDevice -> Identifiers.name(c.block()) + ".asked()";
      case Expr.Capacity c -> "(long) " + Identifiers.name(c.block()) + ".length";
      case Expr.Tuning t ->
          "p.ctx.tuning("
              + tuning.computeIfAbsent(t.name(), k -> tuning.size())
              + ", "
              + expr(t.defaultValue())
              + ")";
    };
  }

  /** Returns the expression, in parentheses if it starts with a cast. */
  private String operand(Expr e) {
    String s = expr(e);
    return s.startsWith("(long) ") ? "(" + s + ")" : s;
  }

  // Polynomials

  /** Returns an int expression for an offset. */
  String offset(Poly p) {
    return poly(p, true);
  }

  /**
   * Returns the value of a polynomial as an int or as a long. The terms that vary least come first.
   */
  String poly(Poly p, boolean asInt) {
    if (p.isZero()) {
      return asInt ? "0" : "0L";
    }
    List<Map.Entry<Poly.Product, Long>> terms = new ArrayList<>(p.terms().entrySet());
    terms.sort(Comparator.comparingInt((Map.Entry<Poly.Product, Long> t) -> depth(t.getKey())));
    if (terms.size() > 1 && terms.get(0).getKey().factors().isEmpty()) {
      terms.add(terms.remove(0));
    }
    StringBuilder s = new StringBuilder();
    for (Map.Entry<Poly.Product, Long> t : terms) {
      long c = t.getValue();
      boolean minus = c < 0 && !s.isEmpty() && c != Long.MIN_VALUE;
      if (minus) {
        c = -c;
      }
      if (!s.isEmpty()) {
        s.append(minus ? " - " : " + ");
      }
      s.append(term(t.getKey(), c, asInt));
    }
    return terms.size() > 1 || s.indexOf("*") >= 0 || s.charAt(0) == '-'
        ? "(" + s + ")"
        : s.toString();
  }

  private String term(Poly.Product product, long c, boolean asInt) {
    String constant = asInt ? Integer.toString((int) c) : c + "L";
    if (product.factors().isEmpty()) {
      return constant;
    }
    StringBuilder s = new StringBuilder();
    if (c != 1) {
      s.append(constant);
    }
    for (Name n : product.factors()) {
      if (!s.isEmpty()) {
        s.append(" * ");
      }
      s.append(
          asInt
              ? asInt(n)
              : intLoops.containsKey(n)
                  ? "((long) " + Identifiers.name(n) + ")"
                  : Identifiers.name(n));
    }
    return s.toString();
  }

  private String asInt(Name n) {
    return intLoops.containsKey(n) ? Identifiers.name(n) : "(int) " + Identifiers.name(n);
  }

  private int depth(Poly.Product product) {
    int d = -1;
    for (Name n : product.factors()) {
      d = Math.max(d, depths.getOrDefault(n, 0));
    }
    return d;
  }

  // Operators

  private String binary(Expr.Binary b) {
    PrimType t = b.op().type();
    String l = operand(b.left());
    String r = operand(b.right());
    String special = byConstant(b, l);
    if (special == null) {
      special = smallPower(b, l);
    }
    if (special != null) {
      return special;
    }
    return switch (b.op().kind()) {
      case ADD -> integer(t, l + " + " + r);
      case SUB -> integer(t, l + " - " + r);
      case MUL -> integer(t, l + " * " + r);
      case AND -> integer(t, l + " & " + r);
      case OR -> integer(t, l + " | " + r);
      case XOR -> integer(t, l + " ^ " + r);
      case FADD -> t == PrimType.F16 ? call(t, "add", l, r) : "(" + l + " + " + r + ")";
      case FSUB -> t == PrimType.F16 ? call(t, "sub", l, r) : "(" + l + " - " + r + ")";
      case FMUL -> t == PrimType.F16 ? call(t, "mul", l, r) : "(" + l + " * " + r + ")";
      case FDIV -> t == PrimType.F16 ? call(t, "div", l, r) : "(" + l + " / " + r + ")";
      case FMOD -> t == PrimType.F16 ? call(t, "mod", l, r) : "(" + l + " % " + r + ")";
      case FMIN -> call(t, "min", l, r);
      case FMAX -> call(t, "max", l, r);
      case FPOW, POW -> call(t, "pow", l, r);
      case UDIV -> call(t, "udiv", l, r);
      case SDIV -> call(t, "sdiv", l, r);
      case UDIV_UP -> call(t, "udivUp", l, r);
      case SDIV_UP -> call(t, "sdivUp", l, r);
      case UMOD -> call(t, "umod", l, r);
      case SMOD -> call(t, "smod", l, r);
      case SQUOT -> call(t, "squot", l, r);
      case SREM -> call(t, "srem", l, r);
      case SMIN -> call(t, "smin", l, r);
      case UMIN -> call(t, "umin", l, r);
      case SMAX -> call(t, "smax", l, r);
      case UMAX -> call(t, "umax", l, r);
      case SHL -> call(t, "shl", l, r);
      case LSHR -> call(t, "lshr", l, r);
      case ASHR -> call(t, "ashr", l, r);
      case LOG_AND -> "(" + l + " && " + r + ")";
      case LOG_OR -> "(" + l + " || " + r + ")";
    };
  }

  /**
   * Returns a shift, division or remainder of an int or long by a suitable constant; null if there
   * is no special form.
   */
  private static @Nullable String byConstant(Expr.Binary b, String l) {
    PrimType t = b.op().type();
    if (!(b.right() instanceof Expr.Const c)) {
      return null;
    }
    PrimValue v = c.value();
    if (t == PrimType.I8 || t == PrimType.I16) {
      return smallByConstant(b, l, v.asLong());
    }
    if (t != PrimType.I32 && t != PrimType.I64) {
      return null;
    }
    long k = v.asLong();
    boolean shifts = k >= 0 && k < t.bits();
    boolean power = k > 0 && Long.bitCount(k) == 1;
    String mask = JavaTypes.constant(PrimValue.ofInt(t, k - 1));
    int log = Long.numberOfTrailingZeros(k);
    boolean isVariable = b.left() instanceof Expr.Var;
    return switch (b.op().kind()) {
      case SHL -> shifts ? "(" + l + " << " + k + ")" : null;
      case LSHR -> shifts ? "(" + l + " >>> " + k + ")" : null;
      case ASHR -> shifts ? "(" + l + " >> " + k + ")" : null;
      case SDIV -> power ? "(" + l + " >> " + log + ")" : null;
      case UDIV -> power ? "(" + l + " >>> " + log + ")" : unsigned(t, l, isVariable, " / ", k);
      case SMOD -> power ? "(" + l + " & " + mask + ")" : null;
      case UMOD -> power ? "(" + l + " & " + mask + ")" : unsigned(t, l, isVariable, " % ", k);
      case SQUOT -> k != 0 && k != -1 ? "(" + l + " / " + JavaTypes.constant(v) + ")" : null;
      case SREM -> k != 0 && k != -1 ? "(" + l + " % " + JavaTypes.constant(v) + ")" : null;
      default -> null;
    };
  }

  /**
   * Returns a variable to the power 2, 3 or 4 as products. Powers of floats are computed in double
   * precision and rounded once.
   */
  private static @Nullable String smallPower(Expr.Binary b, String l) {
    PrimType t = b.op().type();
    if (!(b.left() instanceof Expr.Var) || !(b.right() instanceof Expr.Const c)) {
      return null;
    }
    return switch (b.op().kind()) {
      case POW -> {
        long k = c.value().asLong();
        yield k >= 2 && k <= 4 ? integer(t, l + (" * " + l).repeat((int) k - 1)) : null;
      }
      case FPOW -> {
        double k = c.value().asDouble();
        if (k == 2 && (t == PrimType.F32 || t == PrimType.F64)) {
          yield "(" + l + " * " + l + ")";
        }
        boolean small = (k == 3 || k == 4) && t == PrimType.F32;
        yield small ? "((float) ((double) " + l + (" * " + l).repeat((int) k - 1) + "))" : null;
      }
      default -> null;
    };
  }

  /**
   * Returns a division or remainder of bytes or shorts as an operation on ints; null if there is no
   * special form.
   */
  private static @Nullable String smallByConstant(Expr.Binary b, String l, long k) {
    PrimType t = b.op().type();
    long ones = (1L << t.bits()) - 1;
    String op =
        switch (b.op().kind()) {
          case UDIV -> "(" + l + " & " + ones + ") / " + (k & ones);
          case UMOD -> "(" + l + " & " + ones + ") % " + (k & ones);
          case SQUOT -> l + " / " + k;
          case SREM -> l + " % " + k;
          default -> null;
        };
    return k == 0 || k == -1 || op == null ? null : integer(t, op);
  }

  /**
   * Returns an unsigned division or remainder of ints by a constant. A division is a multiplication
   * of longs if a {@link Reciprocal} exists, else a division of longs. A remainder by a power of
   * two plus one needs no division.
   *
   * @param isVariable true if the dividend is a variable, which code can read twice at no cost
   */
  private static @Nullable String unsigned(
      PrimType t, String l, boolean isVariable, String op, long k) {
    if (t != PrimType.I32 || k == 0) {
      return null;
    }
    int log = Long.numberOfTrailingZeros(k - 1);
    if (op.equals(" % ") && k == (1L << log) + 1 && log >= 16 && log < 31) {
      return "I32.umodAbove(" + l + ", " + log + ")";
    }
    String x = "(" + l + " & 0xffffffffL)";
    long d = k & 0xffffffffL;
    Reciprocal r = Reciprocal.of(d);
    boolean remainder = op.equals(" % ");
    if (r == null || remainder && !isVariable) {
      return "((int) (" + x + op + d + "L))";
    }
    String quotient = "(int) (" + x + " * " + r.factor() + "L >>> " + r.shift() + ")";
    return remainder ? "(" + l + " - " + quotient + " * " + (int) d + ")" : "(" + quotient + ")";
  }

  private static String integer(PrimType t, String e) {
    return switch (t) {
      case I8 -> "((byte) (" + e + "))";
      case I16 -> "((short) (" + e + "))";
      default -> "(" + e + ")";
    };
  }

  /** Returns a call of a type's library class. */
  private static String call(PrimType t, String method, String... args) {
    return t.toString().toUpperCase(Locale.ROOT)
        + "."
        + method
        + "("
        + String.join(", ", args)
        + ")";
  }

  private static String unary(UnOp op, String a) {
    PrimType t = op.type();
    return switch (op.kind()) {
      case NEG ->
          t == PrimType.F16
              ? call(t, "neg", a)
              : t.isFloat() ? "(-" + a + ")" : integer(t, "-" + a);
      case NOT -> t == PrimType.BOOL ? "(!" + a + ")" : integer(t, "~" + a);
      case ABS ->
          t == PrimType.F32 || t == PrimType.F64 ? "Math.abs(" + a + ")" : call(t, "abs", a);
      case SSIGNUM -> call(t, "ssignum", a);
      case USIGNUM -> call(t, "usignum", a);
      case FSIGNUM -> call(t, "signum", a);
    };
  }

  private static String compare(CmpOp op, String l, String r) {
    PrimType t = op.type();
    boolean half = t == PrimType.F16;
    return switch (op.kind()) {
      case EQ ->
          half ? call(t, "eq", l, r) : t == PrimType.UNIT ? "true" : "(" + l + " == " + r + ")";
      case SLT -> "(" + l + " < " + r + ")";
      case SLE -> "(" + l + " <= " + r + ")";
      case ULT -> call(t, "ult", l, r);
      case ULE -> call(t, "ule", l, r);
      case FLT -> half ? call(t, "lt", l, r) : "(" + l + " < " + r + ")";
      case FLE -> half ? call(t, "le", l, r) : "(" + l + " <= " + r + ")";
      case LLT -> "(!" + l + " && " + r + ")";
      case LLE -> "(!" + l + " || " + r + ")";
    };
  }

  private static String convert(ConvOp op, String a) {
    PrimType from = op.from();
    PrimType to = op.to();
    String cast = "((" + JavaTypes.type(to) + ") " + a + ")";
    return switch (op.kind()) {
      case SEXT -> from == to ? a : cast;
      case ZEXT -> zeroExtend(from, to, a, cast);
      case FPCONV ->
          from == to
              ? a
              : from == PrimType.F16 || to == PrimType.F16
                  ? library(text(from), text(to), a)
                  : cast;
      case FPTOUI -> library(text(from), unsigned(to), a);
      case FPTOSI -> library(text(from), text(to), a);
      case UITOFP -> library(unsigned(from), text(to), a);
      case SITOFP -> to == PrimType.F16 ? library(text(from), text(to), a) : cast;
      case BTOI ->
          to == PrimType.I32
              ? "(" + a + " ? 1 : 0)"
              : "((" + JavaTypes.type(to) + ") (" + a + " ? 1 : 0))";
      case ITOB -> "(" + a + " != 0)";
      case BTOF ->
          to == PrimType.F16
              ? "Convert.boolToF16(" + a + ")"
              : "(" + a + " ? 1" + suffix(to) + " : 0" + suffix(to) + ")";
      case FTOB -> from == PrimType.F16 ? "Convert.f16ToBool(" + a + ")" : "(" + a + " != 0)";
    };
  }

  private static String suffix(PrimType t) {
    return t == PrimType.F32 ? "f" : "d";
  }

  private static String zeroExtend(PrimType from, PrimType to, String a, String cast) {
    if (to.bits() <= from.bits()) {
      return from == to ? a : cast;
    }
    String mask =
        switch (from) {
          case I8 -> "0xff";
          case I16 -> "0xffff";
          default -> "0xffffffff";
        };
    String masked = "(" + a + " & " + mask + (to == PrimType.I64 ? "L)" : ")");
    return to == PrimType.I16 ? "((short) " + masked + ")" : masked;
  }

  private static String text(PrimType t) {
    String s = t.toString();
    return Character.toUpperCase(s.charAt(0)) + s.substring(1);
  }

  private static String unsigned(PrimType t) {
    return "U" + t.bits();
  }

  private static String library(String from, String to, String a) {
    return "Convert." + from.toLowerCase(Locale.ROOT) + "To" + to + "(" + a + ")";
  }

  private static String apply(PrimFun f, List<String> args) {
    PrimType t = f.type();
    String method =
        switch (f.kind()) {
          case NEXTAFTER -> "nextAfter";
          case COPYSIGN -> "copySign";
          case ISNAN -> "isNaN";
          case ISINF -> "isInfinite";
          case SMUL_HI -> "smulHi";
          case UMUL_HI -> "umulHi";
          case SMAD_HI -> "smadHi";
          case UMAD_HI -> "umadHi";
          default -> f.kind().toString();
        };
    String list = "(" + String.join(", ", args) + ")";
    if (f.kind() == PrimFun.Kind.TO_BITS || f.kind() == PrimFun.Kind.FROM_BITS) {
      boolean to = f.kind() == PrimFun.Kind.TO_BITS;
      return switch (t) {
        case F32 -> (to ? "Float.floatToRawIntBits" : "Float.intBitsToFloat") + list;
        case F64 -> (to ? "Double.doubleToRawLongBits" : "Double.longBitsToDouble") + list;
        default -> args.get(0);
      };
    }
    if (f.kind() == PrimFun.Kind.MAD && t.isInt()) {
      return integer(t, args.get(0) + " * " + args.get(1) + " + " + args.get(2));
    }
    String owner = t.toString().toUpperCase(Locale.ROOT);
    if (t == PrimType.F32 || t == PrimType.F64) {
      switch (f.kind()) {
        case ISNAN, ISINF -> owner = t == PrimType.F32 ? "Float" : "Double";
        case COPYSIGN, NEXTAFTER, FMA -> owner = "Math";
        default -> {
          if (t == PrimType.F64 && IN_MATH.contains(f.kind())) {
            owner = "Math";
          }
        }
      }
    }
    return owner + "." + method + list;
  }
}
