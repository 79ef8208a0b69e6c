package futharkc.pass.loops;

import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.Target;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeCopies;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ImperativeProgram;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Looks for loops in the threads of kernels that run so few times, and always as many, that a
 * compiler of kernels unrolls them.
 */
abstract class ShortLoops extends ThreadLoopRewriter {
  private final Target.ShortLoops limits;

  /** Arrays of the thread's own. */
  private final Set<Name> arrays = new HashSet<>();

  ShortLoops(ImperativeProgram.Function function, Target.ShortLoops limits) {
    super(function);
    this.limits = limits;
  }

  /** What to put in the place of a short loop; the loop itself if it stays. */
  abstract List<Code> rewriteShort(Code.For loop);

  @Override
  final List<Code> rewrite(Code.For f) {
    return trips(f) > 0 ? rewriteShort(f) : List.of(f);
  }

  /** How often a loop runs, if that is always as often, and short; or 0. */
  final int trips(Code.For f) {
    Poly from = f.from().poly();
    Poly to = f.to().poly();
    if (from == null || to == null) return 0;
    Long trips = to.minus(from).constant();
    return trips == null || trips < 2 || trips > limits.trips() ? 0 : trips.intValue();
  }

  /** Whether a block is one of device memory for certain. */
  final boolean isOfDevice(Name block) {
    return !own().contains(block);
  }

  /** Whether a block is an array of the thread's own for certain. */
  final boolean isOfThread(Name block) {
    return arrays.contains(block);
  }

  /**
   * How many elements of device memory, another one in each iteration, statements load; -1 if they
   * load something else as well.
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
   * Whether a loop, unrolled, has loads, but no more than registers for them, and is short.
   *
   * @param first what loads
   * @param mostStatements of all iterations
   */
  final boolean canWait(Code.For f, List<Code> first, int mostStatements) {
    int loads = loads(first, f.index());
    return loads > 0
        && loads * trips(f) <= limits.loads()
        && f.body().size() * trips(f) <= mostStatements;
  }

  /** The declarations at the start of some statements. */
  static List<Code> declarations(List<Code> code) {
    int n = 0;
    while (n < code.size() && code.get(n) instanceof Code.Declare) n++;
    return code.subList(0, n);
  }

  @Override
  final boolean enter(Code.Launch l) {
    if (!hasShortLoop(l.body())) return false;
    arrays.clear();
    new CodeMapper() {
      @Override
      public Code statement(Code c) {
        if (c instanceof Code.Private p) arrays.add(p.block());
        return super.statement(c);
      }
    }.statements(l.body());
    return true;
  }

  private boolean hasShortLoop(List<Code> code) {
    for (Code c : code) {
      if (c instanceof Code.For f && trips(f) > 0) return true;
      if (c instanceof Code.Compound x && x.bodies().stream().anyMatch(this::hasShortLoop)) {
        return true;
      }
    }
    return false;
  }
}
