package futharkc.core.codegen.kernel;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.UnOp;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * A printer of expressions as C: an operator where C's operator has Futhark's semantics, else a
 * call of the library. Integers are signed; wrapping arithmetic casts to unsigned types. Operations
 * on 8 and 16 bits are computed in i32. An f16 is an f32 that is rounded after each operation.
 */
final class KernelExprs {
  /** The C expressions for variables, elements of blocks and tuning parameters. */
  interface Environment {
    /** Returns a scalar variable. */
    String variable(Name name);

    /** Returns an element of a block as an assignable expression. */
    String element(Name block, PrimType type, String index);

    /** Returns the value of a tuning parameter. */
    String tuning(Expr.Tuning parameter);
  }

  private static final Set<BinOp.Kind> SHIFTS =
      Set.of(BinOp.Kind.SHL, BinOp.Kind.LSHR, BinOp.Kind.ASHR);

  private final Dialect dialect;
  private final KernelLibrary library;
  private final Environment environment;

  KernelExprs(Dialect dialect, KernelLibrary library, Environment environment) {
    this.dialect = dialect;
    this.library = library;
    this.environment = environment;
  }

  String expr(Expr e) {
    if (e.type() == PrimType.F64) {
      library.useDoubles();
    }
    return switch (e) {
      case Expr.Const c -> KernelTypes.constant(c.value());
      case Expr.Var v -> environment.variable(v.name());
      case Expr.Index i -> wrapping(i.poly());
      case Expr.Load l ->
          fromElement(l.type(), environment.element(l.block(), l.type(), offset(l.index())));
      case Expr.Binary b when isShiftByConstant(b) -> shift(b);
      case Expr.Binary b when isByVariable(b) ->
          library.use(b.op().kind() + "_by_variable")
              + "<"
              + b.op().type()
              + ">("
              + expr(b.left())
              + ", "
              + expr(b.right())
              + ")";
      case Expr.Binary b -> binary(b.op(), expr(b.left()), expr(b.right()));
      case Expr.Unary u -> unary(u.op(), expr(u.operand()));
      case Expr.Compare c -> compare(c.op(), expr(c.left()), expr(c.right()));
      case Expr.Convert c -> convert(c.op(), expr(c.operand()));
      case Expr.Apply a -> apply(a.fun(), a.args().stream().map(this::expr).toList());
      case Expr.Capacity c -> throw new IllegalStateException("capacity of a device's block");
      case Expr.Tuning t -> environment.tuning(t);
    };
  }

  /** Returns the scalar that an element of a block, or a kernel's parameter, represents. */
  String fromElement(PrimType t, String element) {
    return switch (t) {
      case BOOL -> "(" + element + " != 0)";
      case F16 -> call("from_bits_f16", element);
      case I8, I16, I32, I64, F32, F64, UNIT -> element;
    };
  }

  /** Returns the element representation of a scalar. */
  String toElement(PrimType t, String scalar) {
    return switch (t) {
      case BOOL -> "((u8) " + scalar + ")";
      case F16 -> call("bits_f16", scalar);
      case I8, I16, I32, I64, F32, F64, UNIT -> scalar;
    };
  }

  private String call(String function, String... args) {
    return library.use(function) + "(" + String.join(", ", args) + ")";
  }

  // Polynomials

  /**
   * Returns an offset into a block. The number of elements bounds an offset, so that no operation
   * wraps.
   */
  String offset(Poly p) {
    return polynomial(p, "");
  }

  private String wrapping(Poly p) {
    boolean plain =
        p.terms().size() <= 1
            && p.terms().entrySet().stream()
                .allMatch(t -> t.getKey().factors().size() + (t.getValue() == 1 ? 0 : 1) <= 1);
    return plain ? polynomial(p, "") : "((i64) " + polynomial(p, "(u64) ") + ")";
  }

  /** Returns a polynomial with its constant term last. */
  private String polynomial(Poly p, String cast) {
    if (p.isZero()) {
      return "I64(0)";
    }
    List<String> terms = new ArrayList<>();
    String constant = null;
    for (Map.Entry<Poly.Product, Long> t : p.terms().entrySet()) {
      List<String> factors = new ArrayList<>();
      for (Name n : t.getKey().factors()) {
        factors.add(cast + environment.variable(n));
      }
      if (factors.isEmpty()) {
        constant = cast + KernelTypes.i64(t.getValue());
        continue;
      }
      if (t.getValue() != 1) {
        factors.add(0, cast + KernelTypes.i64(t.getValue()));
      }
      terms.add(String.join(" * ", factors));
    }
    if (constant != null) {
      terms.add(constant);
    }
    String sum = String.join(" + ", terms);
    return terms.size() > 1 || sum.contains(" ") ? "(" + sum + ")" : sum;
  }

  // Operators

  /** Returns a call of the library's function for i32 or i64. */
  private String integer(String function, PrimType t, boolean unsigned, String... args) {
    if (t == PrimType.I32 || t == PrimType.I64) {
      return call(function + "_" + t, args);
    }
    List<String> all = new ArrayList<>();
    for (String a : args) {
      all.add(unsigned ? "(" + KernelTypes.unsigned(t) + ") " + a : a);
    }
    return "((" + t + ") " + call(function + "_i32", all.toArray(String[]::new)) + ")";
  }

  /** Returns a wrapping operation. */
  private static String wrap(PrimType t, String l, String op, String r) {
    return switch (t) {
      case I32, I64 -> {
        String u = "(" + KernelTypes.unsigned(t) + ") ";
        yield "((" + t + ") (" + u + l + op + u + r + "))";
      }
      // The product of two 16-bit integers can exceed an i32.
      default -> "((" + t + ") ((u32) " + l + op + "(u32) " + r + "))";
    };
  }

  /**
   * Tests whether CUDA code divides an i32 or i64 by a variable, whose value the C compiler does
   * not know. If a dialect's devices divide by zero without a trap, such a division needs no test.
   */
  private boolean isByVariable(Expr.Binary b) {
    PrimType type = b.op().type();
    boolean divides =
        switch (b.op().kind()) {
          case SQUOT, SREM, SDIV, SMOD -> type == PrimType.I32 || type == PrimType.I64;
          default -> false;
        };
    boolean variable =
        b.right() instanceof Expr.Var
            || b.right() instanceof Expr.Index i
                && i.poly().variables().size() == 1
                && i.poly().equals(Poly.of(i.poly().variables().iterator().next()));
    return dialect.dividesByZero() && divides && variable;
  }

  /** Tests whether an i32 or i64 is shifted by a constant below its width. */
  private static boolean isShiftByConstant(Expr.Binary b) {
    PrimType t = b.op().type();
    return SHIFTS.contains(b.op().kind())
        && (t == PrimType.I32 || t == PrimType.I64)
        && b.right() instanceof Expr.Const c
        && c.value().asLong() >= 0
        && c.value().asLong() < t.bits();
  }

  private String shift(Expr.Binary b) {
    PrimType t = b.op().type();
    String l = expr(b.left());
    long by = ((Expr.Const) b.right()).value().asLong();
    if (b.op().kind() == BinOp.Kind.ASHR) {
      return "(" + l + " >> " + by + ")";
    }
    String op = b.op().kind() == BinOp.Kind.SHL ? " << " : " >> ";
    return "((" + t + ") (" + unsigned(t, l) + op + by + "))";
  }

  private static String bitwise(PrimType t, String l, String op, String r) {
    String e = "(" + l + op + r + ")";
    return t == PrimType.I8 || t == PrimType.I16 ? "((" + t + ") " + e + ")" : e;
  }

  private String rounded(PrimType t, String value) {
    return t == PrimType.F16 ? call("round_f16", value) : "(" + value + ")";
  }

  private String binary(BinOp op, String l, String r) {
    PrimType t = op.type();
    return switch (op.kind()) {
      case ADD -> wrap(t, l, " + ", r);
      case SUB -> wrap(t, l, " - ", r);
      case MUL -> wrap(t, l, " * ", r);
      case AND -> t == PrimType.BOOL ? "(" + l + " && " + r + ")" : bitwise(t, l, " & ", r);
      case OR -> t == PrimType.BOOL ? "(" + l + " || " + r + ")" : bitwise(t, l, " | ", r);
      case XOR -> t == PrimType.BOOL ? "(" + l + " != " + r + ")" : bitwise(t, l, " ^ ", r);
      case FADD -> rounded(t, l + " + " + r);
      case FSUB -> rounded(t, l + " - " + r);
      case FMUL -> rounded(t, l + " * " + r);
      case FDIV -> rounded(t, l + " / " + r);
      case FMOD -> rounded(t, builtin(t, "fmod", l, r));
      case FPOW -> rounded(t, builtin(t, "pow", l, r));
      case FMIN -> builtin(t, "fmin", l, r);
      case FMAX -> builtin(t, "fmax", l, r);
      case POW -> raised(t, l, r);
      case UDIV -> integer("udiv", t, true, l, r);
      case UDIV_UP -> integer("udiv_up", t, true, l, r);
      case UMOD -> integer("umod", t, true, l, r);
      case UMIN -> integer("umin", t, true, l, r);
      case UMAX -> integer("umax", t, true, l, r);
      case SDIV -> integer("sdiv", t, false, l, r);
      case SDIV_UP -> integer("sdiv_up", t, false, l, r);
      case SMOD -> integer("smod", t, false, l, r);
      case SQUOT -> integer("squot", t, false, l, r);
      case SREM -> integer("srem", t, false, l, r);
      case SMIN -> integer("smin", t, false, l, r);
      case SMAX -> integer("smax", t, false, l, r);
      case SHL -> integer("shl", t, true, l, r);
      case LSHR -> integer("lshr", t, true, l, r);
      case ASHR -> integer("ashr", t, false, l, unsigned(t, r));
      case LOG_AND -> "(" + l + " && " + r + ")";
      case LOG_OR -> "(" + l + " || " + r + ")";
    };
  }

  private String raised(PrimType t, String l, String r) {
    return integer("pow", t, false, l, unsigned(t, r));
  }

  private static String unsigned(PrimType t, String e) {
    return "(" + KernelTypes.unsigned(t) + ") " + e;
  }

  private String unary(UnOp op, String a) {
    PrimType t = op.type();
    return switch (op.kind()) {
      case NEG -> t.isFloat() ? "(-" + a + ")" : wrap(t, "0", " - ", a);
      case NOT ->
          t == PrimType.BOOL
              ? "(!" + a + ")"
              : t == PrimType.I8 || t == PrimType.I16 ? "((" + t + ") ~" + a + ")" : "(~" + a + ")";
      case ABS -> t.isFloat() ? builtin(t, "fabs", a) : integer("abs", t, false, a);
      case SSIGNUM -> "((" + t + ") ((" + a + " > 0) - (" + a + " < 0)))";
      case USIGNUM -> "((" + t + ") (" + a + " != 0))";
      case FSIGNUM -> call("signum_" + KernelTypes.scalar(t), a);
    };
  }

  private static String compare(CmpOp op, String l, String r) {
    PrimType t = op.type();
    return switch (op.kind()) {
      case EQ -> t == PrimType.UNIT ? "true" : "(" + l + " == " + r + ")";
      case SLT, FLT -> "(" + l + " < " + r + ")";
      case SLE, FLE -> "(" + l + " <= " + r + ")";
      case ULT -> "(" + unsigned(t, l) + " < " + unsigned(t, r) + ")";
      case ULE -> "(" + unsigned(t, l) + " <= " + unsigned(t, r) + ")";
      case LLT -> "(!" + l + " && " + r + ")";
      case LLE -> "(!" + l + " || " + r + ")";
    };
  }

  private String convert(ConvOp op, String a) {
    PrimType from = op.from();
    PrimType to = op.to();
    if (from == PrimType.F64 || to == PrimType.F64) {
      library.useDoubles();
    }
    return switch (op.kind()) {
      case SEXT -> from == to ? a : cast(to, a);
      case ZEXT -> from == to ? a : cast(to, unsigned(from, a));
      case FPCONV ->
          switch (to) {
            case F16 ->
                switch (from) {
                  case F16 -> a;
                  case F64 -> call("f64_to_f16", a);
                  default -> call("round_f16", a);
                };
            case F32 -> from == PrimType.F64 ? cast(to, a) : a;
            default -> from == PrimType.F64 ? a : cast(to, a);
          };
      case FPTOUI -> toInteger(from, to, a, true);
      case FPTOSI -> toInteger(from, to, a, false);
      case UITOFP -> fromInteger(to, unsigned(from, a));
      case SITOFP -> fromInteger(to, a);
      case BTOI -> cast(to, a);
      case ITOB, FTOB -> "(" + a + " != 0)";
      case BTOF -> "((" + KernelTypes.scalar(to) + ") (" + a + " ? 1 : 0))";
    };
  }

  private static String cast(PrimType to, String a) {
    return "((" + KernelTypes.scalar(to) + ") " + a + ")";
  }

  private String toInteger(PrimType from, PrimType to, String a, boolean unsigned) {
    String f = KernelTypes.scalar(from);
    return switch (to) {
      case I64 -> call(f + (unsigned ? "_to_u64" : "_to_i64"), a);
      case I32 -> unsigned ? cast(to, call(f + "_to_i64", a)) : call(f + "_to_i32", a);
      default -> cast(to, call(f + "_to_i32", a));
    };
  }

  private String fromInteger(PrimType to, String a) {
    return to == PrimType.F16 ? call("round_f16", "(f32) " + a) : cast(to, a);
  }

  // Functions

  /** Returns a call of a function that all dialects have. */
  private String builtin(PrimType t, String function, String... args) {
    return dialect.function(function, t) + "(" + String.join(", ", args) + ")";
  }

  private String apply(PrimFun f, List<String> args) {
    PrimType t = f.type();
    String a = args.get(0);
    String b = args.size() > 1 ? args.get(1) : "";
    String c = args.size() > 2 ? args.get(2) : "";
    String carrier = t.isFloat() ? KernelTypes.scalar(t) : "";
    return switch (f.kind()) {
      case SQRT,
          RSQRT,
          CBRT,
          EXP,
          LOG,
          LOG2,
          LOG10,
          LOG1P,
          SIN,
          COS,
          TAN,
          ASIN,
          ACOS,
          ATAN,
          SINH,
          COSH,
          TANH,
          ASINH,
          ACOSH,
          ATANH,
          SINPI,
          COSPI,
          ATAN2,
          HYPOT ->
          rounded(t, builtin(t, f.kind().toString(), args.toArray(String[]::new)));
      case TANPI, ASINPI, ACOSPI, ATANPI, ATAN2PI, GAMMA, LGAMMA, ERF, ERFC ->
          rounded(t, call(f.kind() + "_" + carrier, args.toArray(String[]::new)));
      case CEIL -> builtin(t, "ceil", a);
      case FLOOR -> builtin(t, "floor", a);
      case ROUND -> builtin(t, "rint", a);
      case ISNAN -> "(" + call("isnan_" + carrier, a) + ")";
      case ISINF ->
          "(" + builtin(t, "fabs", a) + " == " + carrier.toUpperCase(Locale.ROOT) + "_INF)";
      case NEXTAFTER ->
          t == PrimType.F16 ? call("nextafter_f16", a, b) : builtin(t, "nextafter", a, b);
      case LDEXP -> t == PrimType.F16 ? call("ldexp_f16", a, b) : builtin(t, "ldexp", a, b);
      case COPYSIGN -> builtin(t, "copysign", a, b);
      case LERP -> {
        String difference = rounded(t, b + " - " + a);
        yield rounded(t, a + " + " + rounded(t, difference + " * " + c));
      }
      case MAD ->
          switch (t) {
            case F32, F64 -> builtin(t, "mad", a, b, c);
            case F16 -> rounded(t, rounded(t, a + " * " + b) + " + " + c);
            default -> wrap(t, wrap(t, a, " * ", b), " + ", c);
          };
      case FMA -> t == PrimType.F16 ? call("fma_f16", a, b, c) : builtin(t, "fma", a, b, c);
      case TO_BITS -> call("bits_" + t, a);
      case FROM_BITS -> call("from_bits_" + t, a);
      case POPC -> small(t) ? call("popc_i32", unsigned(t, a)) : call("popc_" + t, a);
      case CLZ ->
          small(t)
              ? "(" + call("clz_i32", unsigned(t, a)) + " - " + (32 - t.bits()) + ")"
              : call("clz_" + t, a);
      case CTZ -> small(t) ? call("ctz_i32", (1 << t.bits()) + " | " + a) : call("ctz_" + t, a);
      case SMUL_HI -> high(t, false, a, b);
      case UMUL_HI -> high(t, true, a, b);
      case SMAD_HI -> wrap(t, high(t, false, a, b), " + ", c);
      case UMAD_HI -> wrap(t, high(t, true, a, b), " + ", c);
    };
  }

  private static boolean small(PrimType t) {
    return t == PrimType.I8 || t == PrimType.I16;
  }

  private String high(PrimType t, boolean unsigned, String a, String b) {
    if (!small(t)) {
      return call((unsigned ? "umul_hi_" : "smul_hi_") + t, a, b);
    }
    String l = unsigned ? "(u32) " + unsigned(t, a) : "(i32) " + a;
    String r = unsigned ? "(u32) " + unsigned(t, b) : "(i32) " + b;
    return "((" + t + ") ((" + l + " * " + r + ") >> " + t.bits() + "))";
  }
}
