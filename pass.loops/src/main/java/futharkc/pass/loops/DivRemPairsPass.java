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
 * Division-remainder pairs (LLVM's {@code div-rem-pairs}): if the quotient of the same operands is
 * known, a remainder is computed from it by a multiplication and a subtraction, which saves a
 * division.
 *
 * <pre>{@code
 * var q = sdiv_i64(i, n)              var q = sdiv_i64(i, n)
 * var r = smod_i64(i, n)      =>      var r = i - q * n
 * }</pre>
 *
 * <p>The pass runs after all passes that infer from a remainder that it is less than the divisor.
 * For this reason it is no simplification rule.
 *
 * <p>Known gaps: quotients that follow the remainder or are part of a larger expression; operators
 * of reductions. The pass leaves divisions by constants, which need no division instruction.
 */
public final class DivRemPairsPass implements Pass.OnImperative {
  /** Creates the pass; {@code ServiceLoader} needs this constructor. */
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
    return new Remainders(function).rewritten(context, "computed", "remainders from quotients");
  }

  private static final class Remainders extends OperationPairs {
    private Map<Expr.Binary, Name> quotients = new HashMap<>();

    Remainders(ImperativeProgram.Function function) {
      super(function);
    }

    /**
     * Rewrites a list of statements. Quotients declared in it are known in the rest of the list and
     * in nested lists.
     */
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
        // A loop's body is mapped statement by statement, so that the number of its invariant
        // statements stays valid.
        case Code.For f -> {
          List<Code> body = statements(f.body());
          yield body == f.body()
              ? f
              : new Code.For(
                  f.index(), f.type(), f.from(), f.to(), f.range(), f.invariant(), f.order(), body);
        }
        case Code.Strided s -> {
          List<Code> body = statements(s.body());
          yield body == s.body() ? s : s.withBody(s.independent(), body);
        }
        // A quotient from outside of a region would become another parameter of the region, which
        // costs as much as a division.
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
      if (!(d.value() instanceof Expr.Binary b) || !isPaired(b)) {
        return d;
      }
      if (isFixed(d.name())) {
        quotients.put(b, d.name());
      }
      BinOp.Kind kind = quotient(b.op().kind());
      if (kind == null) {
        return d;
      }
      PrimType type = b.op().type();
      Name q = quotients.get(new Expr.Binary(new BinOp(kind, type), b.left(), b.right()));
      if (q == null) {
        return d;
      }
      count();
      Expr product =
          new Expr.Binary(new BinOp(BinOp.Kind.MUL, type), new Expr.Var(q, type), b.right());
      return new Code.Declare(
          d.name(), d.type(), new Expr.Binary(new BinOp(BinOp.Kind.SUB, type), b.left(), product));
    }

    /**
     * Tests whether the operands of a division are never reassigned, and its divisor is no
     * constant.
     */
    private boolean isPaired(Expr.Binary b) {
      return isFixed(b.left()) && isFixed(b.right()) && !isConstant(b.right());
    }

    private static boolean isConstant(Expr e) {
      return e instanceof Expr.Const || e instanceof Expr.Index i && i.poly().constant() != null;
    }

    /**
     * Returns the division that corresponds to a remainder operation; null for other operations.
     */
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
