package futharkc.pass.galop;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.SegBody;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegLevel;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegResult;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.memory.ElementAccess;
import futharkc.core.ir.memory.ElementAccess.Iteration;
import futharkc.core.ir.memory.ElementAccess.Level;
import futharkc.core.ir.memory.ElementAccesses;
import futharkc.core.ir.memory.FunctionMemory;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.Remark;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The choice of the innermost dimension of maps. The results are computed in the order of the new
 * dimensions, into the same memory; a view restores the order of their dimensions.
 */
final class KernelOrders {
  private final FunDef function;
  private final FunctionMemory memory;
  private final Traffic traffic;
  private final PassContext context;
  private final NameSource names;
  private final ElementAccesses elements;

  KernelOrders(AnalysedFunction f) {
    this.function = f.function();
    this.memory = f.memory();
    this.traffic = f.traffic();
    this.context = f.context();
    this.names = new NameSource(f.function().nextTag());
    this.elements = f.elements();
  }

  FunDef run() {
    Body b = new Host().body(function.body());
    return b == function.body() ? function : function.withBody(b, names.next());
  }

  /** A traversal of host code. */
  private final class Host extends Mapper {
    @Override
    public List<Stm> stms(List<Stm> stms) {
      List<Stm> out = new ArrayList<>();
      boolean same = true;
      for (Stm s : stms) {
        SegOp op = operation(s);
        List<Integer> order = op == null ? null : order(s, op);
        if (op != null && order != null) {
          out.addAll(ordered(s, op, order));
          same = false;
        } else {
          Stm now = stm(s);
          same &= now == s;
          out.add(now);
        }
      }
      return same ? stms : out;
    }

    @Override
    public SegOp segOp(SegOp op) {
      return op;
    }
  }

  private static @Nullable SegOp operation(Stm s) {
    return switch (s.exp()) {
      case SegExp.Seg x -> x.op();
      case SegExp.ParOp x -> x.op();
      default -> null;
    };
  }

  /**
   * Returns the order of dimensions with the least traffic, as numbers of the present dimensions;
   * null if that is the present one.
   */
  private @Nullable List<Integer> order(Stm s, SegOp op) {
    int dims = op.space().dims().size();
    List<ElementAccess> all = elements.of(s);
    if (dims < 2
        || all.stream().noneMatch(a -> traffic.isApart(a, a.place().lmad()))
        || !mayChange(op)) {
      return null;
    }
    double now = sum(all, op, Permutations.identity(dims));
    double least = now;
    List<Integer> best = null;
    for (int last = 0; last < dims - 1; last++) {
      List<Integer> order = Permutations.withLast(Permutations.identity(dims), last);
      double bytes = sum(all, op, order);
      if (bytes < least && traffic.isGain(now, bytes)) {
        least = bytes;
        best = order;
      }
    }
    if (best == null || !context.mayChange()) {
      return null;
    }
    context.countChange();
    String what =
        s.pat().get(0).name()
            + " runs with "
            + op.space().dims().get(best.getLast()).index()
            + " innermost: "
            + Percent.of(least, now)
            + " of the memory traffic";
    context.remark(Remark.Kind.APPLIED, function.name(), s.aux().loc(), what);
    return best;
  }

  /** Tests whether the body and results of an operation allow another order. */
  private static boolean mayChange(SegOp op) {
    boolean isMap =
        op instanceof SegOp.SegMap
            && (op.level() instanceof SegLevel.Thread || op.level() instanceof SegLevel.Cores);
    if (!isMap) {
      return false;
    }
    for (SegResult r : op.body().results()) {
      if (!(r instanceof SegResult.Returns || r instanceof SegResult.Checked)) {
        return false;
      }
    }
    return !usesNumber(op.body(), op.space().flat());
  }

  private static boolean usesNumber(SegBody body, Name flat) {
    for (Stm s : body.stms()) {
      if (FreeNames.of(s).contains(flat)) {
        return true;
      }
    }
    return body.values().contains(SubExp.of(flat));
  }

  private double sum(List<ElementAccess> all, SegOp op, List<Integer> order) {
    List<SegSpace.Dim> dims = op.space().dims();
    Map<Name, Iteration> instead = new HashMap<>();
    for (int d = 0; d < dims.size(); d++) {
      SegSpace.Dim now = dims.get(order.get(d));
      Level level = d == dims.size() - 1 ? Level.INNER : Level.OUTER;
      instead.put(dims.get(d).index(), new Iteration(now.index(), now.size(), level));
    }
    List<Traffic.Placed> placed = new ArrayList<>();
    for (ElementAccess a : all) {
      List<Iteration> nest = new ArrayList<>();
      for (Iteration i : a.nest()) {
        nest.add(instead.getOrDefault(i.index(), i));
      }
      placed.add(new Traffic.Placed(a.in(nest), a.place().lmad()));
    }
    return traffic.of(placed, false);
  }

  // Rewriting

  private List<Stm> ordered(Stm s, SegOp op, List<Integer> order) {
    int dims = order.size();
    SegSpace space =
        new SegSpace(op.space().flat(), order.stream().map(op.space().dims()::get).toList());
    SegOp.SegMap map = (SegOp.SegMap) op;
    SegOp now = new SegOp.SegMap(map.level(), space, map.types(), map.body());
    List<PatElem> pat = new ArrayList<>();
    List<Stm> views = new ArrayList<>();
    for (PatElem p : s.pat()) {
      if (!(p.type() instanceof Type.Array t) || t.mem() == null) {
        pat.add(p);
        continue;
      }
      List<Integer> perm = new ArrayList<>(order);
      for (int d = dims; d < t.rank(); d++) {
        perm.add(d);
      }
      Name ordered = names.fresh(p.name().base());
      pat.add(new PatElem(ordered, permuted(t, perm)));
      BasicOp.Rearrange view = new BasicOp.Rearrange(ordered, Lmad.inverse(perm));
      views.add(new Stm(List.of(p), s.aux().withCerts(List.of()), view));
    }
    List<Stm> out = new ArrayList<>();
    switch (s.exp()) {
      case SegExp.ParOp x ->
          out.add(
              new Stm(
                  pat,
                  s.aux(),
                  new SegExp.ParOp(
                      now, x.nested() == null ? null : nested(x.nested(), pat, dims, order))));
      default -> out.add(new Stm(pat, s.aux(), new SegExp.Seg(now)));
    }
    out.addAll(views);
    return out;
  }

  /** Returns the version with inner parallelism, whose results are viewed in the new order. */
  private Body nested(Body b, List<PatElem> pat, int dims, List<Integer> order) {
    Body inner = new Host().body(b);
    List<Stm> stms = new ArrayList<>(inner.stms());
    List<SubExp> results = new ArrayList<>();
    for (int k = 0; k < pat.size(); k++) {
      SubExp r = inner.results().get(k);
      if (!(pat.get(k).type() instanceof Type.Array t) || !(r instanceof SubExp.Var v)) {
        results.add(r);
        continue;
      }
      if (!(memory.type(v.name()) instanceof Type.Array was)) {
        throw new IllegalStateException("the type of " + v + " is unknown");
      }
      List<Integer> perm = new ArrayList<>(order);
      for (int d = dims; d < t.rank(); d++) {
        perm.add(d);
      }
      Name view = names.fresh(v.name().base());
      stms.add(Stm.of(view, permuted(was, perm), new BasicOp.Rearrange(v.name(), perm)));
      results.add(SubExp.of(view));
    }
    return new Body(stms, results);
  }

  private static Type.Array permuted(Type.Array t, List<Integer> perm) {
    List<SubExp> shape = perm.stream().map(t.shape()::get).toList();
    ArrayMem m = t.mem();
    return new Type.Array(
        t.elem(), shape, m == null ? null : new ArrayMem(m.block(), m.lmad().permute(perm)));
  }
}
