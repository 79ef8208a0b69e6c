package futharkc.pass.loops;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.UnOp;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes conditionals that only choose among values without branches, as operations on bits. The
 * JVM does so by itself for a single integer, but not for floats or for several values at a time.
 * For loops that do not wait for the choice: elsewhere a branch that is foreseen takes no time.
 *
 * <pre>{@code
 * if (a < b) { x = p; y = q; } else { x = r; y = s; }
 *   =>
 * mask = -(a < b);  x = r ^ ((p ^ r) & mask);  y = s ^ ((q ^ s) & mask)
 * }</pre>
 */
final class IfConversion {
  private final NameSource names;

  private IfConversion(NameSource names) {
    this.names = names;
  }

  /** The code, with those in its loops written without branches. */
  static List<Code> withoutBranchesInLoops(List<Code> code, NameSource names) {
    return new IfConversion(names).all(code, false);
  }

  private List<Code> all(List<Code> code, boolean inLoop) {
    List<Code> out = new ArrayList<>();
    for (Code c : code) {
      switch (c) {
        case Code.For f -> out.add(f.withBody(all(f.body(), true)));
        case Code.Scope s -> out.add(new Code.Scope(all(s.body(), inLoop)));
        case Code.If i -> {
          List<Code> chosen = inLoop ? chosen(i) : null;
          if (chosen == null) out.add(i);
          else out.addAll(chosen);
        }
        default -> out.add(c);
      }
    }
    return out;
  }

  /** A conditional without a branch; null if it does more than choose. */
  private @Nullable List<Code> chosen(Code.If i) {
    Map<Name, Expr> otherwise = values(i.otherwise());
    Map<Name, Expr> then = values(i.then());
    if (then == null || otherwise == null || !then.keySet().equals(otherwise.keySet())) return null;
    Name mask = names.fresh("mask");
    List<Code> out = new ArrayList<>();
    Expr one =
        new Expr.Convert(new ConvOp(ConvOp.Kind.BTOI, PrimType.BOOL, PrimType.I32), i.cond());
    Expr ones = new Expr.Unary(new UnOp(UnOp.Kind.NEG, PrimType.I32), one);
    out.add(new Code.Declare(mask, PrimType.I32, ones));
    for (Code c : i.then()) {
      Code.Assign a = (Code.Assign) c;
      Expr other = otherwise.get(a.name());
      if (other == null) return null;
      out.add(new Code.Assign(a.name(), either(mask, a.value(), other)));
    }
    return out;
  }

  /** What a branch assigns, if that is all it does; each name once, and none of the values. */
  private static @Nullable Map<Name, Expr> values(List<Code> branch) {
    Map<Name, Expr> values = new HashMap<>();
    for (Code c : branch) {
      if (!(c instanceof Code.Assign a) || !isFourBytesOrMore(a.value().type())) return null;
      if (!(a.value() instanceof Expr.Var) && !(a.value() instanceof Expr.Const)) return null;
      if (values.put(a.name(), a.value()) != null) return null;
    }
    for (Expr e : values.values()) {
      if (e instanceof Expr.Var v && values.containsKey(v.name())) return null;
    }
    return values.isEmpty() ? null : values;
  }

  private static boolean isFourBytesOrMore(PrimType t) {
    return t == PrimType.I32 || t == PrimType.I64 || t == PrimType.F32 || t == PrimType.F64;
  }

  /** The first value where the mask has ones, the second where it has zeros. */
  private static Expr either(Name mask, Expr first, Expr second) {
    PrimType type = first.type();
    PrimType bits = type.bits() == 64 ? PrimType.I64 : PrimType.I32;
    Expr narrow = new Expr.Var(mask, PrimType.I32);
    Expr wide =
        bits == PrimType.I32
            ? narrow
            : new Expr.Convert(new ConvOp(ConvOp.Kind.SEXT, PrimType.I32, bits), narrow);
    Expr a =
        type.isFloat() ? new Expr.Apply(bits(PrimFun.Kind.TO_BITS, type), List.of(first)) : first;
    Expr b =
        type.isFloat() ? new Expr.Apply(bits(PrimFun.Kind.TO_BITS, type), List.of(second)) : second;
    Expr difference = binary(BinOp.Kind.AND, binary(BinOp.Kind.XOR, a, b, bits), wide, bits);
    Expr chosen = binary(BinOp.Kind.XOR, b, difference, bits);
    return type.isFloat()
        ? new Expr.Apply(bits(PrimFun.Kind.FROM_BITS, type), List.of(chosen))
        : chosen;
  }

  private static PrimFun bits(PrimFun.Kind kind, PrimType type) {
    return new PrimFun(kind, type);
  }

  private static Expr binary(BinOp.Kind kind, Expr a, Expr b, PrimType type) {
    return new Expr.Binary(new BinOp(kind, type), a, b);
  }
}
