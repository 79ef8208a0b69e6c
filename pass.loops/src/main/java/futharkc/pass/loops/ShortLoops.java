package futharkc.pass.loops;

import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeCopies;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.PassContext;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A rewriter of loops in threads with a constant, small trip count, which kernel compilers unroll.
 */
abstract class ShortLoops extends ThreadLoopRewriter {
  /** The maximum trip count of a short loop. */
  static final Option TRIPS =
      Option.integer(
          "trips",
          machine -> machine.device().compiler().unrolled(),
          "maximum trip count of a short loop: the kernel compiler unrolls no longer loops");

  /** The maximum number of loads of all iterations, each of which takes a register or two. */
  static final Option LOADS =
      Option.integer(
          "loads",
          32,
          "maximum number of loads of all iterations, each of which takes a register or two");

  private final int trips;
  private final int loads;
  private final int mostStatements;

  /** The thread-private arrays. */
  private final Set<Name> arrays = new HashSet<>();

  /**
   * Creates a rewriter.
   *
   * @param statements the option for the maximum number of statements of all iterations
   */
  ShortLoops(ImperativeProgram.Function function, PassContext context, Option statements) {
    super(function);
    this.trips = context.number(TRIPS);
    this.loads = context.number(LOADS);
    this.mostStatements = context.number(statements);
  }

  /** Returns the replacement of a short loop; the loop itself if it stays. */
  abstract List<Code> rewriteShort(Code.For loop);

  @Override
  final List<Code> rewrite(Code.For f) {
    return trips(f) > 0 ? rewriteShort(f) : List.of(f);
  }

  /** Returns the trip count of a loop if it is constant and small, else 0. */
  final int trips(Code.For f) {
    Poly from = f.from().poly();
    Poly to = f.to().poly();
    if (from == null || to == null) {
      return 0;
    }
    Long count = to.minus(from).constant();
    return count == null || count < 2 || count > trips ? 0 : count.intValue();
  }

  /** Tests whether a block is known to be in device memory. */
  final boolean isOfDevice(Name block) {
    return !own().contains(block);
  }

  /** Tests whether a block is known to be a thread-private array. */
  final boolean isOfThread(Name block) {
    return arrays.contains(block);
  }

  /**
   * Returns the number of loads from device memory that depend on the loop index; -1 if there are
   * other loads.
   */
  private int loads(List<Code> code, Name index) {
    int[] loads = {0, 0};
    Set<Name> varying = CodeCopies.declared(code);
    varying.add(index);
    new CodeMapper() {
      @Override
      public Expr expr(Expr e) {
        if (e instanceof Expr.Load l) {
          boolean fits = isOfDevice(l.block()) && l.index().mentions(varying);
          loads[fits ? 0 : 1]++;
        }
        return super.expr(e);
      }
    }.statements(code);
    return loads[1] > 0 ? -1 : loads[0];
  }

  /**
   * Tests whether the unrolled loop is short, and has loads, all of whose results fit in registers.
   *
   * @param first the statements with the loads
   */
  final boolean canWait(Code.For f, List<Code> first) {
    int each = loads(first, f.index());
    return each > 0 && each * trips(f) <= loads && f.body().size() * trips(f) <= mostStatements;
  }

  /** Returns the declarations at the start of a list of statements. */
  static List<Code> declarations(List<Code> code) {
    int n = 0;
    while (n < code.size() && code.get(n) instanceof Code.Declare) {
      n++;
    }
    return code.subList(0, n);
  }

  @Override
  final boolean enter(Code.Launch l) {
    if (!hasShortLoop(l.body())) {
      return false;
    }
    arrays.clear();
    new CodeMapper() {
      @Override
      public Code statement(Code c) {
        if (c instanceof Code.Private p) {
          arrays.add(p.block());
        }
        return super.statement(c);
      }
    }.statements(l.body());
    return true;
  }

  private boolean hasShortLoop(List<Code> code) {
    for (Code c : code) {
      if (c instanceof Code.For f && trips(f) > 0) {
        return true;
      }
      if (c instanceof Code.Compound x && x.bodies().stream().anyMatch(this::hasShortLoop)) {
        return true;
      }
    }
    return false;
  }
}
