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
 * Asserted equalities: behind an assertion that two numbers are equal, one stands for both. Sizes
 * of arguments that have to agree are such numbers; arrays of the same size are then accessed at
 * the same index, which is computed once, and kernels have fewer parameters.
 *
 * <pre>{@code
 * assert(n == m)                      assert(n == m)
 * launch k { zs[i, j] = xs[i * n + j]      launch k { zs[i, j] = xs[i * n + j]
 *                     + ys[i * m + j] }  =>                    + ys[i * n + j] }
 * }</pre>
 *
 * <p>What follows an assertion in its list of statements is run only if the assertion holds. Both
 * must be integers of 64 bits that are never assigned, or the second one a constant.
 *
 * <p>Known gaps: equalities of larger terms; what a branch on an equality says.
 */
public final class EqualityPropagationPass implements Pass.OnImperative {
  /** For {@code ServiceLoader}. */
  public EqualityPropagationPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "equality-propagation",
            "uses one of two numbers that an assertion says are equal",
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
    if (body == function.body()) return function;
    String what = "used " + known.replaced.size() + " numbers in the place of others equal to them";
    context.remark(Remark.Kind.APPLIED, function.name(), Loc.NONE, what);
    return function.withBody(body, function.nextTag());
  }

  private static final class Equalities extends CodeMapper {
    private final Set<Name> assigned;
    private final Set<Name> replaced = new HashSet<>();
    private final Map<Name, Expr> conditions = new HashMap<>();
    private Map<Name, Expr> equal = new HashMap<>();

    /**
     * In some function.
     *
     * @param assigned what has a value only until it is given another
     */
    Equalities(Set<Name> assigned) {
      this.assigned = assigned;
    }

    /** A list of statements, where what is known before each, and no longer behind the list. */
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
            if (!assigned.contains(d.name())) conditions.put(d.name(), d.value());
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
      if (by == null) return v;
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
      if (first == null || second == null || first.equals(second)) return;
      Name from = second instanceof Expr.Var v ? v.name() : name(first);
      Expr to = second instanceof Expr.Var ? first : second;
      if (from == null) return;
      equal.replaceAll((n, e) -> from.equals(name(e)) ? to : e);
      equal.put(from, to);
    }

    private static @Nullable Name name(@Nullable Expr e) {
      return e instanceof Expr.Var v ? v.name() : null;
    }

    /** A constant, or a variable that is never assigned, or what stands for that. */
    private @Nullable Expr known(Expr e) {
      Poly p = e.poly();
      if (p == null) return null;
      if (p.constant() != null) return Expr.i64(p.constant());
      Name n = p.variables().iterator().next();
      if (!p.equals(Poly.of(n)) || assigned.contains(n)) return null;
      return equal.getOrDefault(n, new Expr.Var(n, PrimType.I64));
    }
  }
}
