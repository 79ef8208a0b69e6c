package futharkc.core.codegen.java;

import static java.util.stream.Collectors.joining;

import futharkc.core.codegen.Identifiers;
import futharkc.core.codegen.Writer;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.LaneForms;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A printer of lane statements as operations of {@code jdk.incubator.vector}. A lane variable is a
 * local variable of a vector type with one element for each lane; a boolean lane variable is a mask
 * for the loop's widest integers.
 */
final class LaneWriter {
  private final JavaExprs exprs;
  private final Writer out;
  private final LaneForms forms;
  private final int lanes;
  private final PrimType maskType;
  private int sines;

  LaneWriter(JavaExprs exprs, Writer out, Code.VectorLoop loop) {
    this.exprs = exprs;
    this.out = out;
    this.forms = new LaneForms(new HashSet<>(Set.of(loop.index())), loop.index());
    this.lanes = loop.lanes();
    this.maskType = widest(loop) == 8 ? PrimType.I64 : PrimType.I32;
  }

  /** Returns the size in bytes of the largest lane variables of a loop. */
  private static int widest(Code.VectorLoop loop) {
    int[] bytes = {0};
    new CodeMapper() {
      @Override
      public Code statement(Code c) {
        if (c instanceof Code.DeclareLanes d) {
          bytes[0] = Math.max(bytes[0], d.type().bytes());
        }
        return super.statement(c);
      }
    }.statements(loop.body());
    return bytes[0];
  }

  /** Writes the constants that describe the vectors of a loop. */
  void species() {
    for (PrimType t : new PrimType[] {PrimType.I32, PrimType.I64, PrimType.F32, PrimType.F64}) {
      int bits = lanes * t.bytes() * Byte.SIZE;
      if (bits <= 512) {
        out.line(
            "static final VectorSpecies<"
                + boxed(t)
                + "> "
                + species(t)
                + " = VectorSpecies.of("
                + JavaTypes.type(t)
                + ".class, VectorShape.forBitSize("
                + bits
                + "));");
      }
    }
  }

  private static String species(PrimType t) {
    return "LANES_" + t.toString().toUpperCase(java.util.Locale.ROOT);
  }

  private static String boxed(PrimType t) {
    return switch (t) {
      case I32 -> "Integer";
      case I64 -> "Long";
      case F32 -> "Float";
      case F64 -> "Double";
      case I8, I16, F16, BOOL, UNIT -> throw new IllegalArgumentException("no vectors of " + t);
    };
  }

  private static String vector(PrimType t) {
    return switch (t) {
      case I32 -> "IntVector";
      case I64 -> "LongVector";
      case F32 -> "FloatVector";
      case F64 -> "DoubleVector";
      case I8, I16, F16, BOOL, UNIT -> throw new IllegalArgumentException("no vectors of " + t);
    };
  }

  private String type(PrimType t) {
    return t == PrimType.BOOL ? "VectorMask<" + boxed(maskType) + ">" : vector(t);
  }

  private static String name(Name n) {
    return Identifiers.name(n);
  }

  // Statements

  void write(Code.Vector code) {
    switch (code) {
      case Code.VectorLoop l -> throw new IllegalStateException("a vector loop in another");
      case Code.DeclareLanes d -> {
        Expr value = d.value();
        String initial = value == null ? zero(d.type()) : expr(value, null);
        out.line(type(d.type()) + " " + name(d.name()) + " = " + initial + ";");
        forms.lanes().add(d.name());
      }
      case Code.AssignLanes a -> assign(a);
      case Code.StoreLanes s ->
          out.line(
              expr(s.value(), s.mask())
                  + ".intoArray("
                  + name(s.block())
                  + ", "
                  + exprs.offset(s.index())
                  + (s.mask() == null ? "" : ", " + mask(s.mask(), s.elem()))
                  + ");");
      case Code.AnyLane a -> out.line(name(a.name()) + " = " + name(a.mask()) + ".anyTrue();");
    }
  }

  private void assign(Code.AssignLanes a) {
    String n = name(a.name());
    Name mask = a.mask();
    PrimType t = a.value().type();
    String value = expr(a.value(), mask);
    if (mask == null) {
      out.line(n + " = " + value + ";");
    } else if (t != PrimType.BOOL) {
      out.line(n + " = " + n + ".blend(" + value + ", " + mask(mask, t) + ");");
    } else if (a.value() instanceof Expr.Const c) {
      String op = c.value().asBoolean() ? ".or(" : ".andNot(";
      out.line(n + " = " + n + op + name(mask) + ");");
    } else {
      String m = name(mask);
      out.line(n + " = " + n + ".andNot(" + m + ").or(" + value + ".and(" + m + "));");
    }
  }

  /** Returns a mask for elements of a type. */
  private String mask(Name mask, PrimType elem) {
    return cast(name(mask), maskType, elem);
  }

  private static String cast(String mask, PrimType from, PrimType to) {
    return from == to ? mask : mask + ".cast(" + species(to) + ")";
  }

  private String zero(PrimType t) {
    return t == PrimType.BOOL
        ? species(maskType) + ".maskAll(false)"
        : vector(t) + ".zero(" + species(t) + ")";
  }

  // Expressions

  /**
   * Returns a vector.
   *
   * @param mask the lanes that may read memory; null for all lanes
   */
  private String expr(Expr e, @Nullable Name mask) {
    PrimType t = e.type();
    if (!forms.varies(e)) {
      String scalar = exprs.expr(e);
      return t == PrimType.BOOL
          ? species(maskType) + ".maskAll(" + scalar + ")"
          : vector(t) + ".broadcast(" + species(t) + ", " + scalar + ")";
    }
    return switch (e) {
      case Expr.Var v -> v.name().equals(forms.index()) ? index(Poly.of(v.name())) : name(v.name());
      case Expr.Index i -> index(i.poly());
      case Expr.Load l when t == PrimType.BOOL ->
          "VectorMask.fromArray("
              + species(maskType)
              + ", "
              + name(l.block())
              + ", "
              + exprs.offset(l.index())
              + ")";
      case Expr.Load l ->
          vector(t)
              + ".fromArray("
              + species(t)
              + ", "
              + name(l.block())
              + ", "
              + exprs.offset(l.index())
              + (mask == null ? "" : ", " + mask(mask, t))
              + ")";
      case Expr.Binary b -> binary(b, mask);
      case Expr.Unary u -> {
        String x = expr(u.operand(), mask);
        yield switch (u.op().kind()) {
          case NEG -> x + ".neg()";
          case NOT -> x + ".not()";
          case ABS -> x + ".abs()";
          case SSIGNUM, USIGNUM, FSIGNUM -> throw unexpected(e);
        };
      }
      case Expr.Compare c -> compare(c, mask);
      case Expr.Convert c -> convert(c, mask);
      case Expr.Apply a -> {
        String x = expr(a.args().get(0), mask);
        yield switch (a.fun().kind()) {
          case SQRT -> x + ".sqrt()";
          case SIN, COS -> sine(a.fun().kind() == PrimFun.Kind.COS, x);
          default -> cast(x + ".test(VectorOperators.IS_NAN)", a.fun().type(), maskType);
        };
      }
      case Expr.Const _, Expr.Capacity _, Expr.Tuning _ -> throw unexpected(e);
    };
  }

  private static IllegalStateException unexpected(Expr e) {
    return new IllegalStateException("no vector form of " + e);
  }

  /** Returns consecutive i64 values. The loop's index is the index of the first lane. */
  private String index(Poly first) {
    return "LongVector.broadcast("
        + species(PrimType.I64)
        + ", "
        + exprs.poly(first, false)
        + ").addIndex(1)";
  }

  private String binary(Expr.Binary b, @Nullable Name mask) {
    PrimType t = b.op().type();
    String l = expr(b.left(), mask);
    BinOp.Kind kind = b.op().kind();
    long k = b.right() instanceof Expr.Const c && t.isInt() ? c.value().asLong() : 0;
    int log = Long.numberOfTrailingZeros(k);
    return switch (kind) {
      case SHL -> l + ".lanewise(VectorOperators.LSHL, " + k + ")";
      case LSHR -> l + ".lanewise(VectorOperators.LSHR, " + k + ")";
      case ASHR -> l + ".lanewise(VectorOperators.ASHR, " + k + ")";
      case SDIV -> l + ".lanewise(VectorOperators.ASHR, " + log + ")";
      case UDIV -> l + ".lanewise(VectorOperators.LSHR, " + log + ")";
      case SMOD, UMOD -> l + ".and(" + (k - 1) + (t == PrimType.I64 ? "L)" : ")");
      case FPOW -> l + ".mul(" + l + ")";
      case ADD, FADD -> l + ".add(" + expr(b.right(), mask) + ")";
      case SUB, FSUB -> l + ".sub(" + expr(b.right(), mask) + ")";
      case MUL, FMUL -> l + ".mul(" + expr(b.right(), mask) + ")";
      case FDIV -> l + ".div(" + expr(b.right(), mask) + ")";
      case AND, LOG_AND -> l + ".and(" + expr(b.right(), mask) + ")";
      case OR, LOG_OR -> l + ".or(" + expr(b.right(), mask) + ")";
      case XOR -> l + ".lanewise(VectorOperators.XOR, " + expr(b.right(), mask) + ")";
      case SMIN -> l + ".min(" + expr(b.right(), mask) + ")";
      case SMAX -> l + ".max(" + expr(b.right(), mask) + ")";
      case FMIN -> extreme(l, expr(b.right(), mask), "LT");
      case FMAX -> extreme(l, expr(b.right(), mask), "GT");
      case UMIN, UMAX, SDIV_UP, UDIV_UP, SQUOT, SREM, FMOD, POW -> throw unexpected(b);
    };
  }

  /** Returns the smaller or larger of two floats; if one is NaN, the other one. */
  private static String extreme(String l, String r, String order) {
    String takesRight = r + ".compare(VectorOperators." + order + ", " + l + ")";
    return l + ".blend(" + r + ", " + takesRight + ".or(" + l + ".test(VectorOperators.IS_NAN)))";
  }

  /** Writes the computation of a sine or cosine; returns the result. */
  private String sine(boolean cosine, String x) {
    String name = (cosine ? "cos" : "sin") + sines++;
    out.line("final FloatVector " + name + "_x = " + x + ";");
    String f32 = species(PrimType.F32);
    String f64 = species(PrimType.F64);
    LaneSines.write(cosine, name, name + "_x", f32, f64, lanes, out);
    return name;
  }

  private String compare(Expr.Compare c, @Nullable Name mask) {
    PrimType t = c.op().type();
    String l = expr(c.left(), mask);
    String r = expr(c.right(), mask);
    if (t == PrimType.BOOL) {
      return l + ".eq(" + r + ")";
    }
    CmpOp.Kind kind = c.op().kind();
    String op =
        switch (kind) {
          case EQ -> "EQ";
          case SLT, FLT -> "LT";
          case SLE, FLE -> "LE";
          case ULT -> "ULT";
          case ULE -> "ULE";
          case LLT, LLE -> throw unexpected(c);
        };
    return cast(l + ".compare(VectorOperators." + op + ", " + r + ")", t, maskType);
  }

  private String convert(Expr.Convert c, @Nullable Name mask) {
    PrimType from = c.op().from();
    PrimType to = c.op().to();
    Expr narrowed = forms.narrowed(c);
    if (narrowed != null) {
      Poly first = narrowed.polynomial();
      return "IntVector.broadcast("
          + species(PrimType.I32)
          + ", "
          + exprs.offset(first)
          + ").addIndex(1)";
    }
    String x = expr(c.operand(), mask);
    return switch (c.op().kind()) {
      case SEXT, FPCONV, SITOFP -> from == to ? x : shaped(x, letter(from) + "2" + letter(to), to);
      case ZEXT -> {
        boolean extends_ = from == PrimType.I32 && to == PrimType.I64;
        String op = (extends_ ? "ZERO_EXTEND_" : "") + letter(from) + "2" + letter(to);
        yield from == to ? x : shaped(x, op, to);
      }
      case FPTOSI ->
          shaped(x, "F2I", to)
              + ".blend(0, "
              + cast(x + ".abs().compare(VectorOperators.GT, Float.MAX_VALUE)", from, to)
              + ")";
      case BTOI, BTOF -> {
        String one = to == PrimType.F32 ? "1f" : to == PrimType.F64 ? "1d" : "1";
        yield zero(to) + ".blend(" + one + ", " + cast(x, maskType, to) + ")";
      }
      case FPTOUI, UITOFP, ITOB, FTOB -> throw unexpected(c);
    };
  }

  private static String letter(PrimType t) {
    return vector(t).substring(0, 1);
  }

  private static String shaped(String x, String op, PrimType to) {
    return "(("
        + vector(to)
        + ") "
        + x
        + ".convertShape(VectorOperators."
        + op
        + ", "
        + species(to)
        + ", 0))";
  }

  /** Returns the imports of a program with vector loops. */
  static String imports() {
    return java.util.stream.Stream.of(
            "DoubleVector",
            "FloatVector",
            "IntVector",
            "LongVector",
            "VectorMask",
            "VectorOperators",
            "VectorShape",
            "VectorSpecies")
        .map(n -> "import jdk.incubator.vector." + n + ";")
        .collect(joining("\n"));
  }
}
