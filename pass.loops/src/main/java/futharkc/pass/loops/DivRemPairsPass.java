package futharkc.pass.loops;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Pairs of a division and a remainder (LLVM's {@code div-rem-pairs}): the remainder is what the
 * quotient leaves, so that one division does instead of two.
 *
 * <pre>{@code
 * var q = sdiv_i64(i, n)              var q = sdiv_i64(i, n)
 * var r = smod_i64(i, n)      =>      var r = i - q * n
 * }</pre>
 *
 * <p>It comes after all that infers from a remainder that it is less than the divisor, so it is no
 * rule of simplification.
 *
 * <p>Known gaps: quotients that come after the remainder, or that are part of a larger expression;
 * operators of reductions. Divisions by constants, which take no division instruction, stay.
 */
public final class DivRemPairsPass implements Pass.OnImperative {
  /** For {@code ServiceLoader}. */
  public DivRemPairsPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "div-rem-pairs",
            "computes remainders from quotients",
            Rep.MC_IMP,
            Rep.SEQ_IMP,
            Rep.GPU_IMP)
        .before("loop-invariant-motion", "thread-coarsening");
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public ImperativeProgram.Function run(
      ImperativeProgram.Function function, ImperativeProgram program, PassContext context) {
    return new Remainders(function).rewritten(context, "took", "remainders from quotients");
  }

  private static final class Remainders extends Pairs {
    private Map<Expr.Binary, Name> quotients = new HashMap<>();

    Remainders(ImperativeProgram.Function function) {
      super(function);
    }

    /** A list of statements, whose quotients are known there, and in lists inside. */
    @Override
    public List<Code> statements(List<Code> code) {
      Map<Expr.Binary, Name> outside = quotients;
      quotients = new HashMap<>(outside);
      List<Code> now = super.statements(code);
      quotients = outside;
      return now;
    }

    @Override
    public Code statement(Code code) {
      return switch (code) {
        case Code.Declare d -> declare(d);
        // Statement by statement, so that what is said of the first of them stays true.
        case Code.For f -> {
          List<Code> body = statements(f.body());
          yield body == f.body()
              ? f
              : new Code.For(
                  f.index(), f.type(), f.from(), f.to(), f.range(), f.invariant(), f.order(), body);
        }
        case Code.Strided s -> {
          List<Code> body = statements(s.body());
          yield body == s.body()
              ? s
              : new Code.Strided(s.index(), s.from(), s.to(), s.step(), s.independent(), body);
        }
        // What threads use of what is outside are parameters: a division is not worth one.
        case Code.Parallel p -> alone(p);
        case Code.ChainedScan s -> alone(s);
        case Code.Launch l -> alone(l);
        default -> super.statement(code);
      };
    }

    private Code alone(Code code) {
      Map<Expr.Binary, Name> outside = quotients;
      quotients = new HashMap<>();
      Code now = super.statement(code);
      quotients = outside;
      return now;
    }

    private Code declare(Code.Declare d) {
      if (!(d.value() instanceof Expr.Binary b) || !isPaired(b)) return d;
      if (isFixed(d.name())) quotients.put(b, d.name());
      BinOp.Kind kind = quotient(b.op().kind());
      if (kind == null) return d;
      PrimType type = b.op().type();
      Name q = quotients.get(new Expr.Binary(new BinOp(kind, type), b.left(), b.right()));
      if (q == null) return d;
      count();
      Expr product =
          new Expr.Binary(new BinOp(BinOp.Kind.MUL, type), new Expr.Var(q, type), b.right());
      return new Code.Declare(
          d.name(), d.type(), new Expr.Binary(new BinOp(BinOp.Kind.SUB, type), b.left(), product));
    }

    /** Whether a division's operands are always the same, and its divisor is no constant. */
    private boolean isPaired(Expr.Binary b) {
      return isFixed(b.left()) && isFixed(b.right()) && !isConstant(b.right());
    }

    private static boolean isConstant(Expr e) {
      return e instanceof Expr.Const || e instanceof Expr.Index i && i.poly().constant() != null;
    }

    /** The division whose remainder an operation gives. */
    private static BinOp.@Nullable Kind quotient(BinOp.Kind remainder) {
      return switch (remainder) {
        case SMOD -> BinOp.Kind.SDIV;
        case UMOD -> BinOp.Kind.UDIV;
        case SREM -> BinOp.Kind.SQUOT;
        default -> null;
      };
    }
  }
}
