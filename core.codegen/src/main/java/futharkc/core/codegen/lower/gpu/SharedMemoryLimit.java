package futharkc.core.codegen.lower.gpu;

import futharkc.core.codegen.lower.common.FunctionSymbols;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SizeClass;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeCopies;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.Variables;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A test for whether a device has the shared memory that the kernels of a version need; if not, the
 * other version runs. The sizes are computed before the version is chosen, unless they depend on
 * results of the version's kernels. In that case, a launch that needs too much fails.
 */
final class SharedMemoryLimit {
  /** The alignment of shared blocks, in bytes. */
  private static final int ALIGNMENT = 16;

  /** The scalars that the version computes unconditionally, in order. */
  private final List<Code> steps = new ArrayList<>();

  private final List<List<Code.Shared>> kernels = new ArrayList<>();

  private SharedMemoryLimit() {}

  /**
   * Returns an expression for whether a version is chosen and its shared memory suffices.
   *
   * @param condition the condition under which the version is chosen
   * @param out receives the code that computes the sizes
   */
  static Expr fits(FunctionSymbols scope, Expr condition, List<Code> version, List<Code> out) {
    SharedMemoryLimit limit = new SharedMemoryLimit();
    limit.find(version, true);
    List<List<Code.Shared>> asked = new ArrayList<>();
    Set<Name> needed = new HashSet<>();
    if (limit.kernels.isEmpty()) {
      return condition;
    }
    Set<Name> outside = new HashSet<>();
    for (Code.Variable v : Variables.usedBy(version, List.of())) {
      outside.add(v.name());
    }
    Set<Name> assigned = Variables.assignedBy(version);
    for (List<Code.Shared> kernel : limit.kernels) {
      if (asked.contains(kernel)) {
        continue;
      }
      Set<Name> names = limit.needed(kernel, outside, assigned);
      if (names == null) {
        continue;
      }
      needed.addAll(names);
      asked.add(kernel);
    }
    if (asked.isEmpty()) {
      return condition;
    }
    Name most = scope.names.fresh("most");
    List<Expr> tests = asked.stream().map(k -> Expr.atMost(bytes(k), Expr.i64(most))).toList();
    Map<Name, Poly> copy = CodeCopies.fresh(needed, scope.names);
    List<Code> ask = new ArrayList<>();
    for (Code step : limit.steps) {
      if (needed.contains(declared(step))) {
        ask.addAll(CodeCopies.sideBySide(List.of(step), List.of(copy)));
      }
    }
    ask.add(new Code.GetSizeMax(most, SizeClass.Plain.SHARED_MEMORY));
    Name chosen = scope.names.fresh("fits");
    Code result = new Code.Assign(chosen, Expr.all(tests));
    ask.addAll(CodeCopies.sideBySide(List.of(result), List.of(copy)));
    out.add(new Code.Declare(chosen, PrimType.BOOL, condition));
    Expr isChosen = new Expr.Var(chosen, PrimType.BOOL);
    out.add(new Code.If(isChosen, ask, List.of()));
    return isChosen;
  }

  private static Expr bytes(List<Code.Shared> kernel) {
    Expr sum = Expr.i64((long) kernel.size() * ALIGNMENT);
    for (Code.Shared s : kernel) {
      sum = Expr.binary(BinOp.Kind.ADD, sum, s.bytes());
    }
    return sum;
  }

  /** Finds the kernels that run whenever the version, or a loop of the version, runs. */
  private void find(List<Code> code, boolean always) {
    for (Code c : code) {
      switch (c) {
        case Code.Scope s -> find(s.body(), always);
        case Code.Launch l -> {
          if (!l.shared().isEmpty()) {
            kernels.add(l.shared());
          }
        }
        case Code.If _ -> {}
        case Code.Compound x -> x.bodies().forEach(b -> find(b, false));
        case Code.Declare d -> {
          if (always && d.value() != null) {
            steps.add(d);
          }
        }
        case Code.GetSize g -> {
          if (always) {
            steps.add(g);
          }
        }
        case Code.GetSizeMax g -> {
          if (always) {
            steps.add(g);
          }
        }
        case Code.Simple _ -> {}
      }
    }
  }

  private static Name declared(Code step) {
    return Variables.declaredBy(step).get(0).name();
  }

  /**
   * Returns the variables from which the shared sizes of a kernel are computed; null if they are
   * constant or depend on the version's kernels.
   *
   * @param outside the variables that the version uses and does not declare
   * @param assigned the variables that the version assigns
   */
  private @Nullable Set<Name> needed(
      List<Code.Shared> kernel, Set<Name> outside, Set<Name> assigned) {
    Set<Name> open = new HashSet<>();
    for (Code.Shared s : kernel) {
      open.addAll(Variables.readBy(List.of(new Code.Assign(s.block(), s.bytes()))));
    }
    if (open.isEmpty()) {
      return null;
    }
    Set<Name> needed = new HashSet<>();
    for (Code step : steps.reversed()) {
      Name n = declared(step);
      if (!open.remove(n)) {
        continue;
      }
      if (assigned.contains(n)) {
        return null;
      }
      needed.add(n);
      open.addAll(Variables.readBy(List.of(step)));
    }
    for (Name n : open) {
      if (!outside.contains(n) || assigned.contains(n)) {
        return null;
      }
    }
    return needed;
  }
}
