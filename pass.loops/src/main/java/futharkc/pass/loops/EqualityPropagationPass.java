package futharkc.pass.loops;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.imperative.Variables;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Remark;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Equality propagation: after an assertion that two numbers are equal, the pass replaces one by the
 * other. Sizes of arguments that must agree are such numbers. Arrays of equal size then have equal
 * index computations, and kernels have fewer parameters.
 *
 * <pre>{@code
 * assert(n == m)                      assert(n == m)
 * launch k { zs[i, j] = xs[i * n + j]      launch k { zs[i, j] = xs[i * n + j]
 *                     + ys[i * m + j] }  =>                    + ys[i * n + j] }
 * }</pre>
 *
 * <p>The statements after an assertion in the same list run only if the assertion holds. Both
 * numbers must be 64-bit integers that are never reassigned; the second may be a constant.
 *
 * <p>Known gaps: equalities of larger terms; equalities implied by the condition of a branch.
 */
public final class EqualityPropagationPass implements Pass.OnImperative {
  /** Creates the pass; {@code ServiceLoader} needs this constructor. */
  public EqualityPropagationPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "equality-propagation",
            "replaces a number by another that an assertion proves equal",
            Rep.GPU_IMP)
        .formerly("asserted-equalities")
        .before("div-rem-pairs", "thread-coarsening");
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public ImperativeProgram.Function run(
      ImperativeProgram.Function function, ImperativeProgram program, PassContext context) {
    Equalities known = new Equalities(Variables.assignedBy(function.body()));
    List<Code> body = known.statements(function.body());
    if (body == function.body()) {
      return function;
    }
    String what = "replaced " + known.replaced.size() + " numbers by equal ones";
    context.remark(Remark.Kind.APPLIED, function.name(), Loc.NONE, what);
    return function.withBody(body, function.nextTag());
  }

  private static final class Equalities extends CodeMapper {
    private final Set<Name> assigned;
    private final Set<Name> replaced = new HashSet<>();
    private final Map<Name, Expr> conditions = new HashMap<>();
    private Map<Name, Expr> equal = new HashMap<>();

    /**
     * Creates the rewriting of one function.
     *
     * @param assigned the variables that are reassigned
     */
    Equalities(Set<Name> assigned) {
      this.assigned = assigned;
    }

    /**
     * Rewrites a list of statements. An equality holds from its assertion to the end of the list.
     */
    @Override
    public List<Code> statements(List<Code> code) {
      Map<Name, Expr> outside = equal;
      equal = new HashMap<>(outside);
      List<Code> now = new ArrayList<>();
      boolean changed = false;
      for (Code c : code) {
        List<Code> one = super.statements(List.of(c));
        changed |= one.size() != 1 || one.get(0) != c;
        now.addAll(one);
        switch (c) {
          case Code.Declare d when d.type() == PrimType.BOOL && d.value() != null -> {
            if (!assigned.contains(d.name())) {
              conditions.put(d.name(), d.value());
            }
          }
          case Code.Assert a -> learn(a.cond());
          default -> {}
        }
      }
      equal = outside;
      return changed ? now : code;
    }

    @Override
    public Expr var(Expr.Var v) {
      Expr by = equal.get(v.name());
      if (by == null) {
        return v;
      }
      replaced.add(v.name());
      return by;
    }

    private void learn(Expr condition) {
      switch (condition) {
        case Expr.Var v when conditions.containsKey(v.name()) -> learn(conditions.get(v.name()));
        case Expr.Binary b when b.op().kind() == BinOp.Kind.LOG_AND -> {
          learn(b.left());
          learn(b.right());
        }
        case Expr.Compare c when c.op().equals(new CmpOp(CmpOp.Kind.EQ, PrimType.I64)) ->
            learn(c.left(), c.right());
        default -> {}
      }
    }

    private void learn(Expr left, Expr right) {
      Expr first = known(left);
      Expr second = known(right);
      if (first == null || second == null || first.equals(second)) {
        return;
      }
      Name from = second instanceof Expr.Var v ? v.name() : name(first);
      Expr to = second instanceof Expr.Var ? first : second;
      if (from == null) {
        return;
      }
      equal.replaceAll((n, e) -> from.equals(name(e)) ? to : e);
      equal.put(from, to);
    }

    private static @Nullable Name name(@Nullable Expr e) {
      return e instanceof Expr.Var v ? v.name() : null;
    }

    /**
     * Returns the representative of a constant or of a variable that is never reassigned; null for
     * other expressions.
     */
    private @Nullable Expr known(Expr e) {
      Poly p = e.poly();
      if (p == null) {
        return null;
      }
      if (p.constant() != null) {
        return Expr.i64(p.constant());
      }
      Name n = p.variables().iterator().next();
      if (!p.equals(Poly.of(n)) || assigned.contains(n)) {
        return null;
      }
      return equal.getOrDefault(n, new Expr.Var(n, PrimType.I64));
    }
  }
}
