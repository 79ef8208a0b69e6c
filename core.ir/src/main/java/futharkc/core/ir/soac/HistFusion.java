package futharkc.core.ir.soac;

import futharkc.core.ir.Body;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.soac.ScremaFusion.Bound;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Fusion of histograms with preceding maps and with each other, based on {@link ScremaFusion}. */
public final class HistFusion {
  private HistFusion() {}

  /**
   * Fuses a map into a histogram over its results.
   *
   * @param map a map without scans or reductions, whose results are used only by the histogram
   * @return a histogram that computes the map's results itself
   */
  public static Soac.Hist withProducer(
      Bound map, Soac.Hist hist, Predicate<Name> consumed, NameSource names) {
    Bound buckets = asMap(hist, names);
    Bound fused = ofMaps(map, buckets, n -> false, consumed, names);
    return new Soac.Hist(hist.width(), fused.screma().inputs(), hist.ops(), fused.screma().map());
  }

  /**
   * Fuses two histograms of equal width into one. The results are those of the first, then those of
   * the second.
   */
  public static Soac.Hist sideBySide(Soac.Hist first, Soac.Hist second, NameSource names) {
    Bound fused = ofMaps(asMap(first, names), asMap(second, names), n -> true, n -> false, names);
    Lambda map = fused.screma().map();
    int total = first.bucket().results().size();
    int indicesA = indices(first);
    int indicesB = indices(second);
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < indicesA; i++) {
      order.add(i);
    }
    for (int i = 0; i < indicesB; i++) {
      order.add(total + i);
    }
    for (int i = indicesA; i < total; i++) {
      order.add(i);
    }
    for (int i = total + indicesB; i < map.results().size(); i++) {
      order.add(i);
    }
    List<SubExp> results = order.stream().map(map.body().results()::get).toList();
    List<Type> types = order.stream().map(map.results()::get).toList();
    List<Soac.HistOp> ops = new ArrayList<>(first.ops());
    ops.addAll(second.ops());
    Body body = new Body(map.body().stms(), results);
    return new Soac.Hist(
        first.width(), fused.screma().inputs(), ops, new Lambda(map.params(), body, types));
  }

  private static Bound ofMaps(
      Bound first, Bound second, Predicate<Name> kept, Predicate<Name> consumed, NameSource names) {
    Bound fused = ScremaFusion.fuse(first, second, kept, consumed, names);
    if (fused == null) {
      throw new IllegalStateException("maps always compose");
    }
    return fused;
  }

  private static int indices(Soac.Hist h) {
    return h.ops().stream().mapToInt(op -> op.shape().size()).sum();
  }

  /** Returns the map that computes the indices and values. */
  private static Bound asMap(Soac.Hist h, NameSource names) {
    List<PatElem> pat = new ArrayList<>();
    List<Param> params = new ArrayList<>();
    List<SubExp> results = new ArrayList<>();
    for (Type t : h.bucket().results()) {
      pat.add(new PatElem(names.fresh("bucket"), Type.array(t, h.width())));
      Param p = new Param(names.fresh("x"), t);
      params.add(p);
      results.add(SubExp.of(p.name()));
    }
    Lambda post = new Lambda(params, new Body(List.<Stm>of(), results), h.bucket().results());
    return new Bound(
        pat, new Soac.Screma(h.width(), h.inputs(), h.bucket(), List.of(), List.of(), post));
  }
}
