package futharkc.pass.differentiation;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.build.Arithmetic;
import futharkc.core.ir.build.Emitter;
import futharkc.core.ir.liveness.DeadCode;
import futharkc.core.ir.soac.Scremas;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A classification of the operators of reductions, scans and histograms by their form. */
final class OperatorForms {
  private OperatorForms() {}

  /**
   * Returns the scalar operator if it is the only operation, on the two operands in either order;
   * else null.
   */
  static @Nullable BinOp binary(Lambda op) {
    if (op.results().size() != 1 || op.body().stms().size() != 1) {
      return null;
    }
    Stm only = op.body().stms().get(0);
    if (!(only.exp() instanceof BasicOp.BinOpExp x) || !returns(op, only)) {
      return null;
    }
    SubExp a = SubExp.of(op.params().get(0).name());
    SubExp b = SubExp.of(op.params().get(1).name());
    boolean inOrder = x.left().equals(a) && x.right().equals(b);
    boolean swapped = x.left().equals(b) && x.right().equals(a) && x.op().isCommutative();
    return inOrder || swapped ? x.op() : null;
  }

  private static boolean returns(Lambda op, Stm only) {
    return op.body().results().equals(Emitter.operands(only.names()));
  }

  /** Tests whether an operator adds scalars, or arrays element by element. */
  static boolean isSum(Lambda op) {
    if (op.results().size() != 1) {
      return false;
    }
    BinOp scalar = binary(op);
    if (scalar != null) {
      return scalar.equals(Arithmetic.addition(scalar.type()));
    }
    Vectorised v = vectorised(op);
    return v != null && v.others.isEmpty() && isSum(v.inner);
  }

  /** Tests whether an operator multiplies scalars. */
  static boolean isProduct(Lambda op) {
    BinOp b = binary(op);
    return b != null && (b.kind() == BinOp.Kind.MUL || b.kind() == BinOp.Kind.FMUL);
  }

  /** Returns the operator if it is a minimum or maximum of scalars; else null. */
  static @Nullable BinOp extremum(Lambda op) {
    BinOp b = binary(op);
    if (b == null) {
      return null;
    }
    return switch (b.kind()) {
      case SMIN, UMIN, FMIN, SMAX, UMAX, FMAX -> b;
      default -> null;
    };
  }

  /**
   * An elementwise operator on arrays: a map of an operator on elements.
   *
   * @param width the outer size of the arrays
   * @param inner the operator on elements; elements of {@code others} follow its operands
   * @param others the free arrays that are additional inputs of the map
   */
  record Vectorised(SubExp width, Lambda inner, List<Name> others) {}

  static @Nullable Vectorised vectorised(Lambda op) {
    if (op.body().stms().size() != 1) {
      return null;
    }
    Stm only = op.body().stms().get(0);
    if (!(only.exp() instanceof Soac.Screma x) || !isMap(x) || !returns(op, only)) {
      return null;
    }
    Map<Name, Param> elements = new LinkedHashMap<>();
    List<Name> others = new ArrayList<>();
    Set<Name> operands = new HashSet<>();
    for (Param p : op.params()) {
      operands.add(p.name());
    }
    for (int i = 0; i < x.inputs().size(); i++) {
      Param p = x.map().params().get(i);
      if (p.type() instanceof Type.Acc) {
        return null;
      }
      // An array that occurs twice as an input is not supported.
      if (elements.put(x.inputs().get(i), p) != null) {
        return null;
      }
      if (!operands.contains(x.inputs().get(i))) {
        others.add(x.inputs().get(i));
      }
    }
    Set<Name> inside = FreeNames.of(x.map());
    List<Param> params = new ArrayList<>();
    for (Param p : op.params()) {
      Param element = elements.get(p.name());
      if (inside.contains(p.name()) || element == null) {
        return null;
      }
      params.add(element);
    }
    for (Name other : others) {
      params.add(elements.get(other));
    }
    return new Vectorised(x.width(), new Lambda(params, x.map().body(), x.map().results()), others);
  }

  /** Tests whether a Screma is a map with an identity as its post function. */
  static boolean isMap(Soac.Screma x) {
    return x.isMap() && Scremas.isIdentity(x.post());
  }

  /**
   * Returns the components of an operator on tuples, in independent groups.
   *
   * @return the positions of the results in each group, ascending
   */
  static List<List<Integer>> groups(Lambda op) {
    int n = op.results().size();
    if (n == 1) {
      return List.of(List.of(0));
    }
    int[] group = new int[n];
    for (int k = 0; k < n; k++) {
      group[k] = k;
    }
    for (int k = 0; k < n; k++) {
      Set<Name> used = FreeNames.of(new DeadCode().body(pick(op, List.of(k)).body()));
      for (int j = 0; j < n; j++) {
        boolean needed =
            used.contains(op.params().get(j).name())
                || used.contains(op.params().get(n + j).name());
        if (needed) {
          join(group, k, j);
        }
      }
    }
    Map<Integer, List<Integer>> groups = new LinkedHashMap<>();
    for (int k = 0; k < n; k++) {
      groups.computeIfAbsent(group[k], g -> new ArrayList<>()).add(k);
    }
    return List.copyOf(groups.values());
  }

  private static void join(int[] group, int a, int b) {
    int from = group[a];
    int to = group[b];
    for (int k = 0; k < group.length; k++) {
      if (group[k] == from) {
        group[k] = to;
      }
    }
  }

  /** Returns an operator on some components, which must not depend on the others. */
  static Lambda restrict(Lambda op, List<Integer> components) {
    int n = op.results().size();
    Set<Integer> params = new TreeSet<>(components);
    for (int k : components) {
      params.add(n + k);
    }
    Lambda picked = pick(op, components);
    Body live = new DeadCode().body(picked.body());
    return new Lambda(params.stream().map(op.params()::get).toList(), live, picked.results());
  }

  private static Lambda pick(Lambda l, List<Integer> results) {
    Body b = new Body(l.body().stms(), results.stream().map(l.body().results()::get).toList());
    return new Lambda(l.params(), b, results.stream().map(l.results()::get).toList());
  }
}
