package futharkc.pass.allocate;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A prediction, before allocation, of the order of dimensions of arrays that loops and branches
 * return. A loop parameter has the order on which the initial array and the body's result agree. If
 * these differ, it has the body's order, because a copy before the loop is cheaper than one in each
 * iteration. If the body's order is not that of the parameter, the parameter is row-major. An array
 * is also row-major if inner loops read it mostly along another dimension than the one with stride
 * 1.
 *
 * <p>A prediction may be wrong if a new array is constructed in the memory of another one; the pass
 * then adds a copy.
 */
final class Layouts {
  /** The number of attempts to find the orders of a loop's parameters. */
  private static final int ROUNDS = 3;

  private final Placement memory;
  private final Roots roots;
  private final Reads reads;
  private final Map<Name, Lmad> known = new HashMap<>();

  Layouts(Placement memory, Roots roots, Reads reads) {
    this.memory = memory;
    this.roots = roots;
    this.reads = reads;
  }

  /** Returns the order of dimensions of a row-major array. */
  static List<Integer> rowMajor(int rank) {
    return IntStream.range(0, rank).boxed().toList();
  }

  /**
   * Returns the order of a result of branches: the common order of the branches that have one, if
   * it is favourable for reads.
   */
  List<Integer> agreed(Name result, List<@Nullable List<Integer>> orders, int rank) {
    List<List<Integer>> different = new ArrayList<>();
    for (List<Integer> o : orders) {
      if (o != null && !different.contains(o)) {
        different.add(o);
      }
    }
    return different.size() == 1 ? suitable(result, different.get(0)) : rowMajor(rank);
  }

  /** Returns the order, or row-major if that is better for the loops that read the array. */
  private List<Integer> suitable(Name array, List<Integer> order) {
    List<Integer> rows = rowMajor(order.size());
    if (order.equals(rows)) {
      return order;
    }
    return reads.unfavourable(array, order) <= reads.unfavourable(array, rows) ? order : rows;
  }

  /**
   * Returns the orders of a loop's array parameters, except those that are only updated in place,
   * keyed by position.
   */
  Map<Integer, List<Integer>> ofLoop(Exp.Loop l) {
    Map<Integer, List<Integer>> orders = new HashMap<>();
    for (int k = 0; k < l.params().size(); k++) {
      Exp.LoopParam lp = l.params().get(k);
      if (!(lp.param().type() instanceof Type.Array t)) {
        continue;
      }
      Lmad init = place(((SubExp.Var) lp.init()).name());
      if (roots.inPlace(l, k)) {
        known.put(lp.param().name(), init);
      } else {
        List<Integer> order = Objects.requireNonNullElse(init.order(), rowMajor(t.rank()));
        orders.put(k, suitable(lp.param().name(), order));
      }
    }
    for (int round = 0; round < ROUNDS && !orders.isEmpty(); round++) {
      orders.forEach(
          (k, o) -> put(l.params().get(k).param().name(), l.params().get(k).param().type(), o));
      stms(l.body());
      boolean changed = false;
      for (Map.Entry<Integer, List<Integer>> e : orders.entrySet()) {
        List<Integer> before = e.getValue();
        List<Integer> result = order(l.body(), e.getKey());
        if (before.equals(result)) {
          continue;
        }
        Name param = l.params().get(e.getKey()).param().name();
        List<Integer> wanted = round > 0 || result == null ? rowMajor(before.size()) : result;
        e.setValue(suitable(param, wanted));
        changed |= !before.equals(e.getValue());
      }
      if (!changed) {
        break;
      }
    }
    return orders;
  }

  private @Nullable List<Integer> order(Body body, int k) {
    return place(((SubExp.Var) body.results().get(k)).name()).order();
  }

  private Lmad place(Name array) {
    Lmad l = known.get(array);
    return l != null ? l : memory.place(array).lmad();
  }

  private void put(Name name, Type type, List<Integer> order) {
    known.put(name, Lmad.ordered(Poly.ZERO, type.dims(), order));
  }

  private void stms(Body body) {
    for (Stm s : body.stms()) {
      stm(s);
    }
  }

  private void stm(Stm s) {
    switch (s.exp()) {
      case BasicOp op -> {
        PatElem p = s.pat().get(0);
        if (p.type() instanceof Type.Array a) {
          known.put(p.name(), basicOp(op, a));
        }
      }
      case Exp.Match m -> match(s, m);
      case Exp.Loop l -> loop(s, l);
      case Exp.WithAcc w -> {
        fresh(s);
        int k = 0;
        for (Exp.AccInput in : w.inputs()) {
          for (Name a : in.arrays()) {
            known.put(s.pat().get(k++).name(), place(a));
          }
        }
      }
      case Exp.Apply a -> fresh(s);
      case SegExp e -> fresh(s);
      case HostOp op -> fresh(s);
      case Soac soac -> fresh(s);
      case MemOp op -> fresh(s);
    }
  }

  private void fresh(Stm s) {
    for (PatElem p : s.pat()) {
      if (p.type() instanceof Type.Array a) {
        known.put(p.name(), Lmad.rowMajor(a.shape()));
      }
    }
  }

  private Lmad basicOp(BasicOp op, Type.Array a) {
    if (op instanceof BasicOp.Manifest x) {
      return Lmad.ordered(Poly.ZERO, a.shape(), x.perm());
    }
    ArrayView v = ArrayView.of(op, this::place);
    return v == null || v.lmad() == null ? Lmad.rowMajor(a.shape()) : v.lmad();
  }

  private void match(Stm s, Exp.Match m) {
    List<Body> bodies = new ArrayList<>();
    for (Exp.Case c : m.cases()) {
      bodies.add(c.body());
    }
    bodies.add(m.otherwise());
    bodies.forEach(this::stms);
    for (int k = 0; k < s.pat().size(); k++) {
      PatElem p = s.pat().get(k);
      if (!(p.type() instanceof Type.Array a)) {
        continue;
      }
      List<@Nullable List<Integer>> orders = new ArrayList<>();
      for (Body b : bodies) {
        orders.add(order(b, k));
      }
      put(p.name(), a, agreed(p.name(), orders, a.rank()));
    }
  }

  private void loop(Stm s, Exp.Loop l) {
    Map<Integer, List<Integer>> orders = ofLoop(l);
    for (int k = 0; k < s.pat().size(); k++) {
      PatElem p = s.pat().get(k);
      if (!(p.type() instanceof Type.Array a)) {
        continue;
      }
      List<Integer> order = orders.get(k);
      if (order != null) {
        put(p.name(), a, order);
      } else {
        known.put(p.name(), place(((SubExp.Var) l.params().get(k).init()).name()));
      }
    }
  }
}
