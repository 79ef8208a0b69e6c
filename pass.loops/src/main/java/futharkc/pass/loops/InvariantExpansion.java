package futharkc.pass.loops;

import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeCopies;
import futharkc.core.ir.imperative.CostModel;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.Variables;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rewriting of one loop around others, for {@link InvariantExpansionPass}. */
final class InvariantExpansion {
  private final Code.For outer;
  private final LoopContext around;

  /** The variables that the outer loop assigns at any depth. */
  private final Set<Name> assigned;

  /** The variables that the outer loop assigns or declares at any depth. */
  private final Set<Name> changed;

  /** The blocks that the outer loop may write or release. */
  private final Set<Name> written = new HashSet<>();

  private InvariantExpansion(Code.For outer, LoopContext around) {
    this.outer = outer;
    this.around = around;
    this.assigned = Variables.assignedBy(outer.body());
    this.changed = new HashSet<>(assigned);
    changed.add(outer.index());
    collect(outer.body());
  }

  /** Returns the loop after the computation of its invariants; null if there are none. */
  static @Nullable List<Code> rewrite(Code.For outer, LoopContext around) {
    boolean isNest = outer.body().stream().anyMatch(c -> c instanceof Code.For);
    if (!isNest || !around.isOnOneThread() || outer.type() != PrimType.I64) {
      return null;
    }
    return new InvariantExpansion(outer, around).rewrite();
  }

  private @Nullable List<Code> rewrite() {
    List<Code> out = new ArrayList<>();
    List<Code> body = new ArrayList<>(outer.body());
    for (int k = 0; k < body.size() && !mayFail(body.get(k)); k++) {
      if (body.get(k) instanceof Code.For inner) {
        body.set(k, expanded(inner, out));
      }
    }
    if (out.isEmpty()) {
      return null;
    }
    // A test of the bounds precedes the loop, so the facts about the loop stay valid.
    out.add(
        new Code.For(
            outer.index(),
            outer.type(),
            outer.from(),
            outer.to(),
            outer.range(),
            outer.invariant(),
            outer.order(),
            body));
    return out;
  }

  /** Returns an inner loop that loads its invariants from blocks. */
  private Code expanded(Code.For inner, List<Code> out) {
    Poly from = inner.from().poly();
    Poly to = inner.to().poly();
    if (from == null || to == null) {
      return inner;
    }
    if (from.mentions(changed) || to.mentions(changed)) {
      return inner;
    }
    Map<Name, Code.Declare> invariant = invariant(inner);
    Set<Name> chosen = chosen(inner, invariant);
    Long longest = longest(chosen, invariant);
    if (longest == null) {
      return inner;
    }
    Poly length = to.minus(from);
    Long known = length.constant();
    boolean isInnermost = inner.body().stream().noneMatch(InvariantExpansion::hasLoop);
    if (known == null ? !isInnermost : known > longest) {
      return inner;
    }

    List<Code> before = new ArrayList<>();
    Name index = around.names().fresh(inner.index());
    List<Code> all = new ArrayList<>();
    Map<Name, Name> blocks = new HashMap<>();
    Map<Name, Code.Declare> needed = needed(chosen, invariant);
    Map<Name, Poly> copy = CodeCopies.fresh(needed.keySet(), around.names());
    copy.put(inner.index(), Poly.of(index));
    for (Code.Declare d : needed.values()) {
      all.addAll(CodeCopies.sideBySide(List.of(d), List.of(copy)));
      if (!chosen.contains(d.name())) {
        continue;
      }
      Name block = around.expand(d.type(), new Expr.Index(length), before);
      blocks.put(d.name(), block);
      Expr value = new Expr.Var(CodeCopies.name(d.name(), copy), d.type());
      all.add(new Code.Store(block, d.type(), Poly.of(index).minus(from), value));
    }
    before.add(
        new Code.For(
            index,
            inner.type(),
            inner.from(),
            inner.to(),
            inner.range(),
            0,
            new Code.Order.Independent(),
            all));
    Set<Expr> tests = new LinkedHashSet<>();
    tests.add(Expr.less(outer.from(), outer.to()));
    tests.add(Expr.less(inner.from(), inner.to()));
    Name fits = around.names().fresh("fits");
    if (known == null) {
      Expr test = Expr.atMost(new Expr.Index(length), Expr.i64(longest));
      out.add(new Code.Declare(fits, PrimType.BOOL, test));
      tests.add(new Expr.Var(fits, PrimType.BOOL));
    }
    out.add(new Code.If(Expr.all(List.copyOf(tests)), before, List.of()));
    around.remark(
        "moved "
            + blocks.size()
            + " invariant scalars of the loop over "
            + inner.index()
            + " out of its outer loop");

    List<Code> body = new ArrayList<>();
    for (Code c : inner.body()) {
      Name block = c instanceof Code.Declare d ? blocks.get(d.name()) : null;
      if (block == null || !(c instanceof Code.Declare d)) {
        body.add(c);
        continue;
      }
      Expr load = new Expr.Load(block, d.type(), Poly.of(inner.index()).minus(from));
      body.add(new Code.Declare(d.name(), d.type(), load));
    }
    Code.For now =
        new Code.For(
            inner.index(),
            inner.type(),
            inner.from(),
            inner.to(),
            inner.range(),
            inner.invariant(),
            inner.order(),
            body);
    return known != null
        ? now
        : new Code.If(new Expr.Var(fits, PrimType.BOOL), List.of(now), List.of(inner));
  }

  /**
   * Returns the maximum trip count for which blocks may hold these scalars; null if there are no
   * scalars.
   */
  private @Nullable Long longest(Set<Name> chosen, Map<Name, Code.Declare> invariant) {
    long bytes = 0;
    for (Code.Declare d : invariant.values()) {
      if (chosen.contains(d.name())) {
        bytes += d.type().bytes();
      }
    }
    return bytes == 0 ? null : around.number(StripOptions.BYTES) / bytes;
  }

  private static boolean hasLoop(Code code) {
    return switch (code) {
      case Code.For _, Code.While _ -> true;
      case Code.Compound c ->
          c.bodies().stream().anyMatch(b -> b.stream().anyMatch(InvariantExpansion::hasLoop));
      case Code.Simple _ -> false;
    };
  }

  /**
   * Returns the scalars of the inner loop that do not change between iterations of the outer loop.
   */
  private Map<Name, Code.Declare> invariant(Code.For inner) {
    Map<Name, Code.Declare> found = new LinkedHashMap<>();
    for (Code c : inner.body()) {
      if (!(c instanceof Code.Declare d) || d.value() == null) {
        continue;
      }
      if (assigned.contains(d.name())) {
        continue;
      }
      boolean same = true;
      for (Code.Variable v : Variables.usedBy(List.of(d), Set.of())) {
        same &= v.isBlock() ? isKept(v.name()) : isKnown(v.name(), inner, found);
      }
      if (same) {
        found.put(d.name(), d);
      }
    }
    return found;
  }

  private boolean isKnown(Name scalar, Code.For inner, Map<Name, Code.Declare> found) {
    return scalar.equals(inner.index()) || found.containsKey(scalar) || !changed.contains(scalar);
  }

  /** Tests whether a block exists before the outer loop, which does not write it. */
  private boolean isKept(Name block) {
    return !changed.contains(block) && written.stream().noneMatch(w -> around.mayAlias(w, block));
  }

  /**
   * Returns the scalars to store in blocks: the results of costly functions, or the last scalar of
   * a chain that is the only use of such a result.
   */
  private Set<Name> chosen(Code.For inner, Map<Name, Code.Declare> invariant) {
    Set<Name> chosen = new LinkedHashSet<>();
    Set<Name> varying = new HashSet<>(Set.of(inner.index()));
    for (Code.Declare d : invariant.values()) {
      Set<Name> read = Variables.readBy(List.of(d));
      if (Collections.disjoint(read, varying)) {
        continue;
      }
      varying.add(d.name());
      if (isCostly(d)) {
        chosen.add(last(d, inner, invariant).name());
      }
    }
    // A scalar needs no block if only other chosen scalars use it.
    for (Name n : List.copyOf(chosen)) {
      List<Code> users = users(n, inner);
      boolean needless =
          !users.isEmpty()
              && users.stream()
                  .allMatch(
                      u ->
                          u instanceof Code.Declare d
                              && invariant.containsKey(d.name())
                              && chosen.contains(d.name()));
      if (needless) {
        chosen.remove(n);
      }
    }
    return chosen.size() <= around.number(StripOptions.SCALARS) ? chosen : Set.of();
  }

  private boolean isCostly(Code.Declare d) {
    Long cost = new CostModel(around.machine()).cost(List.of(d), Set.of()).constant();
    return cost != null && cost >= around.machine().operations().function();
  }

  private Code.Declare last(Code.Declare d, Code.For inner, Map<Name, Code.Declare> invariant) {
    List<Code> users = users(d.name(), inner);
    Code.Declare next =
        users.size() == 1 && users.get(0) instanceof Code.Declare u
            ? invariant.get(u.name())
            : null;
    return next == null || next != users.get(0) ? d : last(next, inner, invariant);
  }

  /** Returns the statements of a loop that use a scalar at any depth. */
  private static List<Code> users(Name scalar, Code.For loop) {
    return loop.body().stream().filter(c -> Variables.readBy(List.of(c)).contains(scalar)).toList();
  }

  /** Returns the declarations from which the chosen scalars are computed, in order. */
  private static Map<Name, Code.Declare> needed(
      Set<Name> chosen, Map<Name, Code.Declare> invariant) {
    Set<Name> names = new HashSet<>(chosen);
    for (Code.Declare d : new ArrayList<>(invariant.values()).reversed()) {
      if (names.contains(d.name())) {
        names.addAll(Variables.readBy(List.of(d)));
      }
    }
    Map<Name, Code.Declare> needed = new LinkedHashMap<>();
    invariant.forEach(
        (n, d) -> {
          if (names.contains(n)) {
            needed.put(n, d);
          }
        });
    return needed;
  }

  /**
   * Tests whether a statement may fail, has output, or is of a kind that this analysis does not
   * know.
   */
  private static boolean mayFail(Code code) {
    return switch (code) {
      case Code.Declare _, Code.Assign _, Code.Store _, Code.CopyRun _ -> false;
      case Code.FillRun _, Code.MapRun _ -> false;
      case Code.DeclareBlock _, Code.SetBlock _, Code.Reserve _, Code.ConstantBlock _ -> false;
      case Code.If i -> mayFail(i.then()) || mayFail(i.otherwise());
      case Code.For f -> mayFail(f.body());
      case Code.Scope s -> mayFail(s.body());
      case Code.Simple _, Code.Compound _ -> true;
    };
  }

  private static boolean mayFail(List<Code> code) {
    return code.stream().anyMatch(InvariantExpansion::mayFail);
  }

  /**
   * Collects the variables that statements declare at any depth, and the blocks that they write.
   */
  private void collect(List<Code> code) {
    for (Code c : code) {
      for (Code.Variable v : Variables.declaredBy(c)) {
        changed.add(v.name());
      }
      switch (c) {
        case Code.Declare _, Code.Assign _ -> {}
        case Code.Store s -> written.add(s.block());
        case Code.CopyRun r -> written.add(r.to());
        case Code.FillRun r -> written.add(r.block());
        case Code.MapRun r -> written.add(r.to());
        case Code.For f -> collect(f.body());
        case Code.If i -> {
          collect(i.then());
          collect(i.otherwise());
        }
        case Code.While w -> collect(w.body());
        case Code.Scope s -> collect(s.body());
        case Code.Simple _, Code.Compound _ -> {
          for (Code.Variable v : Variables.usedBy(List.of(c), Set.of())) {
            if (v.isBlock()) {
              written.add(v.name());
            }
          }
        }
      }
    }
  }
}
