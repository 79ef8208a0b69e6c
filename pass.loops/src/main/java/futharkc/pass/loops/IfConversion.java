package futharkc.pass.loops;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Machine;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.UnOp;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeCopies;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.Variables;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A rewriting of conditionals that only choose among values to bit operations without branches, for
 * {@link IfConversionPass} and {@link UnrollAndJam}. The JVM does so by itself for a single
 * integer, but not for floats or for several values at a time.
 *
 * <pre>{@code
 * if (a < b) { x = p; y = q; } else { x = r; y = s; }
 *   =>
 * mask = -(a < b);  x = r ^ ((p ^ r) & mask);  y = s ^ ((q ^ s) & mask)
 * }</pre>
 */
final class IfConversion {
  private final NameSource names;

  /** True if the rewriting converts conditionals on floats, and executes branches speculatively. */
  private final boolean speculates;

  /** The variables that hold comparisons of floats. */
  private final Set<Name> comparisons = new HashSet<>();

  /** The maximum number of statements of a branch that is executed speculatively. */
  private final int mostStatements;

  private IfConversion(NameSource names, boolean speculates, Machine machine) {
    this.names = names;
    this.speculates = speculates;
    this.mostStatements = machine.operations().branch();
  }

  /** Returns the code with conditionals in its loops converted. */
  static List<Code> withoutBranchesInLoops(List<Code> code, NameSource names, Machine machine) {
    return new IfConversion(names, false, machine).all(code, false);
  }

  /** Converts conditionals on floats in an innermost loop; returns null if there are none. */
  static @Nullable List<Code> rewrite(Code.For loop, LoopContext around) {
    boolean isInnermost = CodeCopies.isPureBut(loop.body(), s -> true);
    if (carries(loop.body()) || loop.invariant() > 0 || !isInnermost) {
      return null;
    }
    List<Code> body =
        new IfConversion(around.names(), true, around.machine()).all(loop.body(), true);
    if (body.equals(loop.body())) {
      return null;
    }
    around.remark("converted conditionals to moves in the loop over " + loop.index());
    return List.of(loop.withIterations(body));
  }

  /** Tests whether iterations assign variables that are declared outside of them. */
  private static boolean carries(List<Code> body) {
    Set<Name> assigned = Variables.assignedBy(body);
    return Variables.usedBy(body, Set.of()).stream().anyMatch(v -> assigned.contains(v.name()));
  }

  private List<Code> all(List<Code> code, boolean inLoop) {
    List<Code> out = new ArrayList<>();
    for (Code c : code) {
      switch (c) {
        case Code.For f -> out.add(f.withBody(all(f.body(), true)));
        case Code.Scope s -> out.add(new Code.Scope(all(s.body(), inLoop)));
        case Code.If i -> {
          List<Code> chosen = inLoop ? chosen(i) : null;
          if (chosen != null) {
            out.addAll(chosen);
          } else if (!speculates) {
            out.add(i);
          } else {
            out.add(new Code.If(i.cond(), all(i.then(), true), all(i.otherwise(), true)));
          }
        }
        case Code.Declare d when speculates -> declare(d, out);
        default -> out.add(c);
      }
    }
    return out;
  }

  /** Adds a declaration; converts the minimum or maximum of a variable and a constant. */
  private void declare(Code.Declare d, List<Code> out) {
    if (d.value() != null && comparesFloats(d.value())) {
      comparisons.add(d.name());
    }
    if (!(d.value() instanceof Expr.Binary b) || !isFourBytesOrMore(d.type())) {
      out.add(d);
      return;
    }
    boolean isMin = b.op().kind() == BinOp.Kind.FMIN;
    boolean isLeft = b.left() instanceof Expr.Const;
    Expr constant = isLeft ? b.left() : b.right();
    Expr value = isLeft ? b.right() : b.left();
    if (!isMin && b.op().kind() != BinOp.Kind.FMAX
        || !(constant instanceof Expr.Const)
        || !(value instanceof Expr.Var)) {
      out.add(d);
      return;
    }
    // If the variable is NaN, the result is the constant; of two zeros, it is the left one.
    CmpOp op = new CmpOp(isLeft ? CmpOp.Kind.FLT : CmpOp.Kind.FLE, d.type());
    Expr isValue =
        isMin ? new Expr.Compare(op, value, constant) : new Expr.Compare(op, constant, value);
    Expr chosen = move(isValue, List.of(value), List.of(constant), out).get(0);
    out.add(new Code.Declare(d.name(), d.type(), chosen));
  }

  /**
   * Returns conditional moves: the values if a condition holds, else the others. Floats are moved
   * as integer bits, because the JVM has conditional moves of integers only.
   */
  private List<Expr> move(Expr cond, List<Expr> values, List<Expr> others, List<Code> out) {
    List<Expr> results = new ArrayList<>();
    List<Code> then = new ArrayList<>();
    List<Code> otherwise = new ArrayList<>();
    for (int k = 0; k < values.size(); k++) {
      PrimType type = values.get(k).type();
      Name moved = names.fresh("moved");
      PrimType held = type.isFloat() ? bits(type) : type;
      Expr value = held(values.get(k), out);
      Expr other = held(others.get(k), out);
      out.add(new Code.Declare(moved, held, null));
      then.add(new Code.Assign(moved, value));
      otherwise.add(new Code.Assign(moved, other));
      Expr result = new Expr.Var(moved, held);
      results.add(type.isFloat() ? fromBits(result, type) : result);
    }
    out.add(new Code.If(cond, then, otherwise));
    return results;
  }

  /** Returns an integer, or the bits of a float, as a variable or constant. */
  private Expr held(Expr e, List<Code> out) {
    if (!e.type().isFloat()) {
      return e;
    }
    if (e instanceof Expr.Const c) {
      return bitsOf(c.value());
    }
    Name n = names.fresh("bits");
    out.add(new Code.Declare(n, bits(e.type()), toBits(e)));
    return new Expr.Var(n, bits(e.type()));
  }

  private static Expr bitsOf(PrimValue value) {
    double d = Double.longBitsToDouble(value.bits());
    return new Expr.Const(
        value.type() == PrimType.F64
            ? PrimValue.i64(value.bits())
            : PrimValue.ofInt(PrimType.I32, Float.floatToRawIntBits((float) d)));
  }

  private boolean comparesFloats(Expr e) {
    return switch (e) {
      case Expr.Var v -> comparisons.contains(v.name());
      case Expr.Compare c -> c.left().type().isFloat();
      case Expr.Binary b -> comparesFloats(b.left()) || comparesFloats(b.right());
      case Expr.Unary u -> comparesFloats(u.operand());
      case Expr.Const _, Expr.Index _, Expr.Convert _, Expr.Apply _ -> false;
      case Expr.Load _, Expr.Capacity _, Expr.Tuning _ -> false;
    };
  }

  /**
   * Returns the conversion of a conditional; null if the conditional does more than choose values.
   */
  private @Nullable List<Code> chosen(Code.If i) {
    if (speculates && !comparesFloats(i.cond())) {
      return null;
    }
    Branch then = branch(i.then());
    Branch otherwise = branch(i.otherwise());
    if (then == null || otherwise == null) {
      return null;
    }
    if (!then.values.keySet().equals(otherwise.values.keySet())) {
      return null;
    }
    List<Code> out = new ArrayList<>(then.before);
    out.addAll(otherwise.before);
    List<Name> chosen = List.copyOf(then.values.keySet());
    List<Expr> values = List.copyOf(then.values.values());
    List<Expr> others = chosen.stream().map(otherwise.values::get).toList();
    if (speculates) {
      values = move(i.cond(), values, others, out);
    } else {
      Name mask = mask(i.cond(), out);
      List<Expr> either = new ArrayList<>();
      for (int k = 0; k < chosen.size(); k++) {
        either.add(either(mask, values.get(k), others.get(k)));
      }
      values = either;
    }
    for (int k = 0; k < chosen.size(); k++) {
      out.add(new Code.Assign(chosen.get(k), values.get(k)));
    }
    return out;
  }

  /** Declares a mask: all ones if a condition holds, else zero. */
  private Name mask(Expr cond, List<Code> out) {
    Name mask = names.fresh("mask");
    Expr one = new Expr.Convert(new ConvOp(ConvOp.Kind.BTOI, PrimType.BOOL, PrimType.I32), cond);
    Expr ones = new Expr.Unary(new UnOp(UnOp.Kind.NEG, PrimType.I32), one);
    out.add(new Code.Declare(mask, PrimType.I32, ones));
    return mask;
  }

  /**
   * A branch that only chooses values.
   *
   * @param before the statements of the branch, which are cheap and have no effect
   * @param values the assigned values by name; each name is assigned once, and no value reads an
   *     assigned name
   */
  private record Branch(List<Code> before, Map<Name, Expr> values) {}

  private @Nullable Branch branch(List<Code> code) {
    List<Code> before = new ArrayList<>();
    Map<Name, Expr> values = new LinkedHashMap<>();
    Set<Name> own = new HashSet<>();
    for (Code c : code) {
      List<Code> now = List.of(c);
      if (speculates && c instanceof Code.If i) {
        List<Code> chosen = chosen(i);
        if (chosen == null) {
          return null;
        }
        now = chosen;
      }
      for (Code x : now) {
        switch (x) {
          case Code.If move when speculates && x != c -> before.add(move);
          case Code.Declare d when speculates -> {
            if (d.value() != null && !isCheap(d.value())) {
              return null;
            }
            if (d.value() != null && comparesFloats(d.value())) {
              comparisons.add(d.name());
            }
            own.add(d.name());
            before.add(d);
          }
          case Code.Assign a when own.contains(a.name()) -> {
            if (!isCheap(a.value())) {
              return null;
            }
            before.add(a);
          }
          case Code.Assign a -> {
            if (!isFourBytesOrMore(a.value().type())) {
              return null;
            }
            Expr value = a.value();
            if (!(value instanceof Expr.Var) && !(value instanceof Expr.Const)) {
              if (!speculates || !isCheap(value)) {
                return null;
              }
              Name n = names.fresh(a.name());
              before.add(new Code.Declare(n, value.type(), value));
              value = new Expr.Var(n, value.type());
            }
            if (values.put(a.name(), value) != null) {
              return null;
            }
          }
          default -> {
            return null;
          }
        }
      }
    }
    // The statements of the branch may not read a variable that the branch assigns.
    Set<Name> read = new HashSet<>(Variables.readBy(before));
    for (Expr e : values.values()) {
      if (e instanceof Expr.Var v) {
        read.add(v.name());
      }
    }
    boolean isChoice = !values.isEmpty() && before.size() <= mostStatements;
    return isChoice && Collections.disjoint(read, values.keySet())
        ? new Branch(before, values)
        : null;
  }

  /** Tests whether an expression takes a few cycles and reads no memory. */
  private static boolean isCheap(Expr e) {
    return switch (e) {
      case Expr.Const _, Expr.Var _ -> true;
      case Expr.Compare c -> isCheap(c.left()) && isCheap(c.right());
      case Expr.Unary u -> isCheap(u.operand());
      case Expr.Convert c -> isCheap(c.operand());
      case Expr.Binary b ->
          switch (b.op().kind()) {
            case ADD, SUB, FADD, FSUB, FMUL, AND, OR, XOR, SHL, LOG_AND, LOG_OR ->
                isCheap(b.left()) && isCheap(b.right());
            default -> false;
          };
      case Expr.Apply a ->
          switch (a.fun().kind()) {
            case TO_BITS, FROM_BITS -> a.args().stream().allMatch(IfConversion::isCheap);
            default -> false;
          };
      case Expr.Index _, Expr.Load _, Expr.Capacity _, Expr.Tuning _ -> false;
    };
  }

  private static boolean isFourBytesOrMore(PrimType t) {
    return t == PrimType.I32 || t == PrimType.I64 || t == PrimType.F32 || t == PrimType.F64;
  }

  /**
   * Returns the bits of the first value where the mask has ones, and of the second where it has
   * zeros.
   */
  private static Expr either(Name mask, Expr first, Expr second) {
    PrimType type = first.type();
    PrimType bits = bits(type);
    Expr narrow = new Expr.Var(mask, PrimType.I32);
    Expr wide =
        bits == PrimType.I32
            ? narrow
            : new Expr.Convert(new ConvOp(ConvOp.Kind.SEXT, PrimType.I32, bits), narrow);
    Expr a = type.isFloat() ? toBits(first) : first;
    Expr b = type.isFloat() ? toBits(second) : second;
    Expr difference = binary(BinOp.Kind.AND, binary(BinOp.Kind.XOR, a, b, bits), wide, bits);
    Expr chosen = binary(BinOp.Kind.XOR, b, difference, bits);
    return type.isFloat() ? fromBits(chosen, type) : chosen;
  }

  /** Returns the integer type of the same width. */
  private static PrimType bits(PrimType type) {
    return type.bits() == 64 ? PrimType.I64 : PrimType.I32;
  }

  private static Expr toBits(Expr value) {
    return new Expr.Apply(new PrimFun(PrimFun.Kind.TO_BITS, value.type()), List.of(value));
  }

  private static Expr fromBits(Expr value, PrimType type) {
    return new Expr.Apply(new PrimFun(PrimFun.Kind.FROM_BITS, type), List.of(value));
  }

  private static Expr binary(BinOp.Kind kind, Expr a, Expr b, PrimType type) {
    return new Expr.Binary(new BinOp(kind, type), a, b);
  }
}
