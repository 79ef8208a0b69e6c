package futharkc.pass.simplify;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Builder;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.soac.Scremas;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rules on maps over arrays of arrays. */
final class MapRules {
  private MapRules() {}

  /**
   * Replaces a map that only concatenates or views rows by an operation on whole arrays.
   *
   * <pre>{@code
   * screma(n, [xss, yss]) map \xs ys -> concat(0, xs, ys)   =>   concat(1, xss, yss)
   * }</pre>
   */
  static @Nullable List<Stm> ofRows(Stm s, Soac.Screma x, Simplifier in) {
    if (in.hasMemory() || !x.isMap() || s.pat().size() != 1) {
      return null;
    }
    Body body = x.map().body();
    if (body.stms().size() != 1 || !x.post().body().stms().isEmpty()) {
      return null;
    }
    Stm only = body.stms().get(0);
    boolean passed =
        x.post().params().size() == 1
            && x.post().body().results().equals(List.of(SubExp.of(x.post().params().get(0).name())))
            && body.results().equals(List.of(SubExp.of(only.names().get(0))));
    if (!passed) {
      return null;
    }
    // Fusion with the map that produces the rows is preferable.
    if (x.inputs().stream().anyMatch(a -> in.expOf(a) instanceof Soac.Screma)) {
      return null;
    }
    Map<Name, Name> wholes = new HashMap<>();
    for (int k = 0; k < x.inputs().size(); k++) {
      wholes.put(x.map().params().get(k).name(), x.inputs().get(k));
    }
    Aux aux = s.aux().plusCerts(only.aux().certs());
    Type type = s.pat().get(0).type();
    return switch (only.exp()) {
      case BasicOp.Concat c when wholes.keySet().containsAll(c.arrays()) -> {
        List<Name> arrays = c.arrays().stream().map(wholes::get).toList();
        yield List.of(new Stm(s.pat(), aux, new BasicOp.Concat(c.dim() + 1, arrays, c.size())));
      }
      case BasicOp.Rearrange r when wholes.containsKey(r.array()) -> {
        List<Integer> perm = new ArrayList<>(List.of(0));
        r.perm().forEach(d -> perm.add(d + 1));
        yield copied(s, aux, type, new BasicOp.Rearrange(wholes.get(r.array()), perm), in);
      }
      case BasicOp.Reshape r when wholes.containsKey(r.array()) -> {
        BasicOp all = new BasicOp.Reshape(r.coerce(), wholes.get(r.array()), type.dims());
        yield copied(s, aux, type, all, in);
      }
      default -> null;
    };
  }

  /**
   * Replaces a slice of a map's result by a map over slices of its inputs.
   *
   * <pre>{@code
   * let ys = screma(n, [xs]) map f          let part = xs[0 :+ k * 2]
   * let zs = ys[0 :+ k * 2]          =>     let zs = screma(k, [part]) map f
   * }</pre>
   *
   * <p>If the slice also selects within rows, the map's function selects from each row. A map over
   * a scan's result stays if the slice takes all elements in another order, so that fusion with the
   * scan is possible.
   */
  static @Nullable List<Stm> sliced(Stm s, BasicOp.Index x, Soac.Screma map, Simplifier in) {
    if (in.hasMemory() || !map.isMap()) {
      return null;
    }
    if (!(x.slice().dims().get(0) instanceof Slice.Range r)) {
      return null;
    }
    // No array that the map reads, including free arrays of its function, may be consumed in
    // between.
    if (!in.isUsedOnceHere(x.array())) {
      return null;
    }
    if (!in.isMadeLast(x.array()) && !in.stay(List.copyOf(FreeNames.of(map)))) {
      return null;
    }
    // A check or known bounds must prove the slice in range, because a map needs a non-negative
    // width.
    boolean isThere =
        !s.aux().certs().isEmpty() || in.bounds().provesNonNegative(in.poly(r.count()));
    if (!isThere) {
      return null;
    }
    if (map.map().params().stream().anyMatch(p -> p.type() instanceof Type.Acc)) {
      return null;
    }
    if (r.count().equals(map.width()) && map.inputs().stream().anyMatch(n -> isScanned(n, in))) {
      return null;
    }
    Builder b = in.builder(s.aux());
    List<Name> parts = new ArrayList<>();
    for (Name input : map.inputs()) {
      List<SubExp> dims = in.type(input).dims();
      List<Slice.Dim> slice = new ArrayList<>(Slice.fix(List.of(SubExp.i64(0)), dims).dims());
      slice.set(0, r);
      Type.Array t = (Type.Array) in.type(input);
      List<SubExp> shape = new ArrayList<>(dims);
      shape.set(0, r.count());
      parts.add(b.let("part", t.withShape(shape), new BasicOp.Index(input, new Slice(slice))));
    }
    List<Slice.Dim> inRow = x.slice().dims().subList(1, x.slice().dims().size());
    Lambda l = rows(Scremas.mapThenPost(map), inRow, in);
    Lambda post = Scremas.identity(l.results(), in.names());
    b.add(s.withExp(new Soac.Screma(r.count(), parts, l, List.of(), List.of(), post)));
    return b.stms();
  }

  private static boolean isScanned(Name array, Simplifier in) {
    Stm def = in.definition(array);
    return def != null && def.exp() instanceof Soac.Screma x && !x.scans().isEmpty();
  }

  /** Returns a lambda that selects from each row of another lambda's result. */
  private static Lambda rows(Lambda l, List<Slice.Dim> dims, Simplifier in) {
    if (!(l.results().get(0) instanceof Type.Array row)) {
      return l;
    }
    Slice slice = new Slice(dims);
    if (slice.equals(Slice.fix(List.of(), row.shape()))) {
      return l;
    }
    Builder b = in.builder(Aux.NONE);
    b.addAll(l.body().stms());
    Type t = Type.array(Type.prim(row.elem()), slice.shape());
    Name array = ((SubExp.Var) l.body().results().get(0)).name();
    Name part = b.let("part", t, new BasicOp.Index(array, slice));
    return new Lambda(l.params(), b.body(List.of(SubExp.of(part))), List.of(t));
  }

  /**
   * Returns the view and a copy of it, since the result of a map is a new array. A later rule
   * removes the copy if possible.
   */
  private static List<Stm> copied(Stm s, Aux aux, Type type, BasicOp view, Simplifier in) {
    Builder b = in.builder(aux);
    Name all = b.let("rows", type, view);
    b.add(s.withExp(new BasicOp.Replicate(List.of(), SubExp.of(all))));
    return b.stms();
  }

  /** Removes the copy of each row in a map, if no other code can use the array of the rows. */
  static @Nullable List<Stm> ownRows(Stm s, Soac.Screma x, Simplifier in) {
    if (in.hasMemory()) {
      return null;
    }
    Set<Name> rows = new HashSet<>();
    for (int k = 0; k < x.inputs().size(); k++) {
      Param p = x.map().params().get(k);
      if (p.type() instanceof Type.Array && in.isOnlyUseOfOwned(x.inputs().get(k))) {
        rows.add(p.name());
      }
    }
    if (rows.isEmpty()) {
      return null;
    }
    List<Stm> stms = new ArrayList<>();
    boolean changed = false;
    for (Stm t : x.map().body().stms()) {
      boolean needless =
          t.exp() instanceof BasicOp.Replicate r
              && r.shape().isEmpty()
              && r.value() instanceof SubExp.Var v
              && rows.contains(v.name())
              && in.isUsedOnce(v.name());
      if (needless && t.exp() instanceof BasicOp.Replicate r) {
        stms.add(t.withExp(new BasicOp.SubExpOp(r.value())));
        changed = true;
      } else {
        stms.add(t);
      }
    }
    if (!changed) {
      return null;
    }
    Lambda map =
        new Lambda(x.map().params(), new Body(stms, x.map().body().results()), x.map().results());
    return List.of(
        s.withExp(new Soac.Screma(x.width(), x.inputs(), map, x.scans(), x.reduces(), x.post())));
  }
}
