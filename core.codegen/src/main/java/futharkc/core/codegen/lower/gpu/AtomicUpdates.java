package futharkc.core.codegen.lower.gpu;

import futharkc.core.codegen.lower.common.FunctionSymbols;
import futharkc.core.codegen.lower.common.Operators;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Space;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.UpdateStrategy;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.InsertingMapper;
import futharkc.core.ir.spi.PassException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A lowering of concurrent updates of elements by threads of a GPU, by the strategies of {@link
 * UpdateStrategy}: an atomic operation if the hardware has one; a compare-and-set loop if operands
 * can be updated one by one; else a lock.
 */
final class AtomicUpdates {
  private final FunctionSymbols scope;
  private final Operators operators;

  AtomicUpdates(FunctionSymbols scope, Operators operators) {
    this.scope = scope;
    this.operators = operators;
  }

  /** An element of a block. */
  record Target(Name block, PrimType elem, Poly at) {}

  private static Code.@Nullable AtomicOp hardware(BinOp op) {
    Code.AtomicOp atomic =
        switch (op.kind()) {
          case ADD -> Code.AtomicOp.ADD;
          case FADD -> Code.AtomicOp.FADD;
          case SMIN -> Code.AtomicOp.SMIN;
          case SMAX -> Code.AtomicOp.SMAX;
          case UMIN -> Code.AtomicOp.UMIN;
          case UMAX -> Code.AtomicOp.UMAX;
          case AND -> Code.AtomicOp.AND;
          case OR -> Code.AtomicOp.OR;
          case XOR -> Code.AtomicOp.XOR;
          default -> null;
        };
    return atomic != null && atomic.fits(op.type()) ? atomic : null;
  }

  /**
   * Combines elements with values; all operands are scalars.
   *
   * @param op the operator; its parameters are the old values, then the new values
   * @param key the number from which the lock is chosen; updates with equal keys exclude each other
   * @param locks the locks; null if the operator needs none
   */
  void combine(
      Lambda op,
      List<Target> targets,
      List<Expr> values,
      Poly key,
      @Nullable Name locks,
      List<Code> out) {
    int n = targets.size();
    if (UpdateStrategy.isOneByOne(op, n)) {
      for (int j = 0; j < n; j++) {
        BinOp b = UpdateStrategy.ofOperand(op, n, j);
        Target t = targets.get(j);
        Code.AtomicOp atomic = b == null ? null : hardware(b);
        if (atomic != null) {
          Name old = scope.names.fresh("old");
          scope.add(old, Type.prim(t.elem));
          out.add(new Code.Atomic(old, atomic, t.block, t.elem, t.at, values.get(j)));
        } else {
          compareAndSet(op, b, t, values.get(j), out);
        }
      }
      return;
    }
    if (locks == null) {
      throw new IllegalStateException("an update under a lock without locks");
    }
    List<Code> body = new ArrayList<>();
    List<Expr> old = new ArrayList<>();
    for (Target t : targets) {
      old.add(new Expr.Load(t.block, t.elem, t.at));
    }
    operators.apply(
        op,
        old,
        values,
        results -> {
          for (int j = 0; j < n; j++) {
            Target t = targets.get(j);
            body.add(new Code.Store(t.block, t.elem, t.at, scope.expr(results.get(j))));
          }
        },
        body);
    Set<Name> blocks = new HashSet<>();
    for (Target t : targets) {
      blocks.add(t.block);
    }
    locked(locks, key, blocks, body, out);
  }

  // Locks

  /**
   * Runs code under the lock of a key.
   *
   * @param blocks the blocks whose elements the lock guards
   */
  void locked(Name locks, Poly key, Set<Name> blocks, List<Code> body, List<Code> out) {
    if (scope.mayFail(body)) {
      throw new PassException(
          scope.loc(),
          "the operator of an accumulator may fail, but it is applied under a lock, where it must"
              + " not fail: check its operands earlier, or mark the expression '#[unsafe]'");
    }
    Name which = scope.names.fresh("lock");
    Expr number =
        Expr.binary(
            BinOp.Kind.SMOD,
            new Expr.Index(key),
            Expr.i64(
                isInBlock(locks)
                    ? scope.number(KernelOptions.BLOCK_LOCKS)
                    : scope.number(KernelOptions.LOCKS)));
    scope.declare(which, Type.I64, number, out);
    Name waits = scope.names.fresh("waits");
    Name was = scope.names.fresh("was");
    Name old = scope.names.fresh("old");
    Expr zero = Expr.zero(PrimType.I32);
    Expr one = new Expr.Const(futharkc.core.ir.PrimValue.ofInt(PrimType.I32, 1));
    List<Code> inside = new ArrayList<>();
    inside.add(new Code.Fence(isInBlock(locks)));
    inside.add(new Code.Scope(new Volatile(blocks).statements(body)));
    inside.add(new Code.Fence(isInBlock(locks)));
    inside.add(
        new Code.Atomic(old, Code.AtomicOp.EXCHANGE, locks, PrimType.I32, Poly.of(which), zero));
    inside.add(new Code.Assign(waits, Expr.bool(false)));
    List<Code> loop = new ArrayList<>();
    loop.add(new Code.CompareAndSet(was, locks, PrimType.I32, Poly.of(which), zero, one));
    Expr free =
        new Expr.Compare(
            new CmpOp(CmpOp.Kind.EQ, PrimType.I32), new Expr.Var(was, PrimType.I32), zero);
    loop.add(new Code.If(free, inside, List.of()));
    out.add(new Code.Declare(waits, PrimType.BOOL, Expr.bool(true)));
    out.add(new Code.While(waits, loop));
  }

  private boolean isInBlock(Name locks) {
    return scope.type(locks) instanceof Type.Mem m && m.space() instanceof Space.Shared;
  }

  /**
   * A mapper that makes accesses to some blocks volatile, because other threads change their
   * elements.
   */
  private final class Volatile extends InsertingMapper {
    private final Set<Name> blocks;

    Volatile(Set<Name> blocks) {
      this.blocks = blocks;
    }

    @Override
    public Expr expr(Expr e) {
      if (!(e instanceof Expr.Load l) || !blocks.contains(l.block())) {
        return super.expr(e);
      }
      Name n = scope.names.fresh("now");
      before().add(new Code.VolatileLoad(n, l.block(), l.type(), l.index()));
      return new Expr.Var(n, l.type());
    }

    @Override
    public Code statement(Code code) {
      Code mapped = super.statement(code);
      return mapped instanceof Code.Store s && blocks.contains(s.block())
          ? new Code.VolatileStore(s.block(), s.elem(), s.index(), s.value())
          : mapped;
    }
  }

  // Compare-and-set

  /** Combines an element by a compare-and-set, repeated until no other thread interferes. */
  private void compareAndSet(
      Lambda op, @Nullable BinOp binary, Target t, Expr value, List<Code> out) {
    int bytes = t.elem.bytes();
    PrimType word = bytes == 8 ? PrimType.I64 : PrimType.I32;
    boolean whole = bytes == word.bytes();
    Poly at = t.at;
    Expr shift = Expr.i64(0);
    if (!whole) {
      Poly place = t.at.times(bytes);
      Name wordAt = scope.names.fresh("word");
      Expr index = Expr.binary(BinOp.Kind.ASHR, new Expr.Index(place), Expr.i64(2));
      scope.declare(wordAt, Type.I64, index, out);
      at = Poly.of(wordAt);
      Name bits = scope.names.fresh("shift");
      Expr inWord = new Expr.Index(place.minus(at.times(4)));
      scope.declare(bits, Type.I64, Expr.binary(BinOp.Kind.MUL, inWord, Expr.i64(8)), out);
      shift = Expr.i64(bits);
    }
    Name current = scope.names.fresh("current");
    Name again = scope.names.fresh("again");
    Name was = scope.names.fresh("was");
    out.add(new Code.VolatileLoad(current, t.block, word, at));
    out.add(new Code.Declare(again, PrimType.BOOL, Expr.bool(true)));
    Expr now = new Expr.Var(current, word);
    Expr field = whole ? now : convert(logicalShift(now, shift), PrimType.I32, width(t.elem));
    Expr old = fromBits(field, t.elem);
    List<Code> loop = new ArrayList<>();
    Poly index = at;
    Expr by = shift;
    Consumer<Expr> set =
        result -> {
          Expr bits = toBits(result, t.elem);
          Expr next = whole ? bits : insert(now, bits, t.elem, by);
          loop.add(new Code.CompareAndSet(was, t.block, word, index, now, next));
        };
    if (binary != null) {
      set.accept(new Expr.Binary(binary, old, value));
    } else {
      operators.apply(
          op,
          List.of(old),
          List.of(value),
          results -> set.accept(scope.expr(results.get(0))),
          loop);
    }
    Expr changed =
        new Expr.Unary(
            new futharkc.core.ir.UnOp(futharkc.core.ir.UnOp.Kind.NOT, PrimType.BOOL),
            new Expr.Compare(new CmpOp(CmpOp.Kind.EQ, word), new Expr.Var(was, word), now));
    loop.add(new Code.Assign(again, changed));
    loop.add(new Code.Assign(current, new Expr.Var(was, word)));
    out.add(new Code.While(again, loop));
  }

  /** Returns the integer type with the width of a type. */
  static PrimType width(PrimType t) {
    return switch (t.bytes()) {
      case 1 -> PrimType.I8;
      case 2 -> PrimType.I16;
      case 4 -> PrimType.I32;
      default -> PrimType.I64;
    };
  }

  static Expr fromBits(Expr bits, PrimType t) {
    if (t.isInt()) {
      return bits;
    }
    if (t == PrimType.BOOL) {
      return new Expr.Convert(new ConvOp(ConvOp.Kind.ITOB, width(t), t), bits);
    }
    return new Expr.Apply(new PrimFun(PrimFun.Kind.FROM_BITS, t), List.of(bits));
  }

  static Expr toBits(Expr value, PrimType t) {
    if (t.isInt()) {
      return value;
    }
    if (t == PrimType.BOOL) {
      return new Expr.Convert(new ConvOp(ConvOp.Kind.BTOI, t, width(t)), value);
    }
    return new Expr.Apply(new PrimFun(PrimFun.Kind.TO_BITS, t), List.of(value));
  }

  private static Expr convert(Expr e, PrimType from, PrimType to) {
    return from == to ? e : new Expr.Convert(new ConvOp(ConvOp.Kind.ZEXT, from, to), e);
  }

  private static Expr logicalShift(Expr word, Expr by) {
    Expr count = convert(by, PrimType.I64, PrimType.I32);
    return new Expr.Binary(new BinOp(BinOp.Kind.LSHR, PrimType.I32), word, count);
  }

  /** Returns a word with some of its bits replaced. */
  private static Expr insert(Expr word, Expr bits, PrimType elem, Expr shift) {
    Expr count = convert(shift, PrimType.I64, PrimType.I32);
    int ones = (int) ((1L << (8 * elem.bytes())) - 1);
    Expr mask = new Expr.Const(futharkc.core.ir.PrimValue.ofInt(PrimType.I32, ones));
    BinOp shl = new BinOp(BinOp.Kind.SHL, PrimType.I32);
    BinOp and = new BinOp(BinOp.Kind.AND, PrimType.I32);
    BinOp or = new BinOp(BinOp.Kind.OR, PrimType.I32);
    Expr hole =
        new Expr.Unary(
            new futharkc.core.ir.UnOp(futharkc.core.ir.UnOp.Kind.NOT, PrimType.I32),
            new Expr.Binary(shl, mask, count));
    Expr wide = convert(bits, width(elem), PrimType.I32);
    return new Expr.Binary(or, new Expr.Binary(and, word, hole), new Expr.Binary(shl, wide, count));
  }
}
