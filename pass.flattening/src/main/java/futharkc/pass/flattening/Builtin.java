package futharkc.pass.flattening;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Scope;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.soac.Scremas;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Functions over segment sizes, which host code calls. Code of a thread block cannot call them and
 * gets their statements inline.
 */
enum Builtin {
  /** The segment number of each element, for consecutive segments of the given sizes. */
  REPIOTA,
  /**
   * The position of each element within its segment, for consecutive segments of the given sizes.
   */
  SEGIOTA,
  /** The offsets of consecutive segments of the given sizes, and their total element count. */
  PREFIXSUM,
  /** The segments sorted by class, and the position of each segment in that order. */
  PARTITION;

  /** Returns the name of the function. */
  String function() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the numbering of the elements of consecutive segments.
   *
   * @param sizes the element counts of the segments, {@code [n]i64}
   */
  SegmentDescriptor call(HostBuilder h, Name sizes) {
    SubExp n = h.type(sizes).outerSize();
    if (h.place == FlatteningLevel.BLOCK) {
      return numbering(h, n, sizes);
    }
    h.cx.functions.want(this);
    Name total = h.cx.names.fresh("total");
    Type all = Type.array(Type.I64, SubExp.of(total));
    List<PatElem> pat = new ArrayList<>();
    pat.add(new PatElem(total, Type.I64));
    Name offsets = h.cx.names.fresh("offsets");
    pat.add(new PatElem(offsets, Type.array(Type.I64, n)));
    Name ids = h.cx.names.fresh(this == SEGIOTA ? "places" : "ids");
    if (this != PREFIXSUM) {
      pat.add(new PatElem(ids, all));
    }
    h.let(pat, new Exp.Apply(function(), List.of(n, SubExp.of(sizes)), List.of(false, false)));
    return new SegmentDescriptor(SubExp.of(total), offsets, ids);
  }

  /**
   * A partition of segments by class.
   *
   * @param counts the number of segments of each class
   * @param begins the position of each class's first segment in {@code members}
   * @param members the segments sorted by class
   * @param places the position of each segment in {@code members}
   */
  record Partition(Name counts, Name begins, Name members, Name places) {}

  /**
   * Sorts segments by class.
   *
   * @param k the number of classes
   * @param classes the class of each segment, {@code [n]i64}, numbers below {@code k}
   */
  static Partition partition(HostBuilder h, SubExp k, Name classes) {
    SubExp n = h.type(classes).outerSize();
    if (h.place == FlatteningLevel.BLOCK) {
      return partition(h, n, k, classes);
    }
    h.cx.functions.want(PARTITION);
    Type perClass = Type.array(Type.I64, k);
    Type perSegment = Type.array(Type.I64, n);
    List<Name> names =
        h.let(
            "part",
            List.of(perClass, perClass, perSegment, perSegment),
            new Exp.Apply(
                PARTITION.function(),
                List.of(n, k, SubExp.of(classes)),
                List.of(false, false, false)));
    return new Partition(names.get(0), names.get(1), names.get(2), names.get(3));
  }

  /** Returns the definition of the function. */
  FunDef definition(int nextTag, FunctionForms functions) {
    NameSource names = new NameSource(nextTag);
    FlatteningContext cx = new FlatteningContext(names, new Scope(), functions, function());
    Param n = new Param(names.fresh("n"), Type.I64);
    Param k = new Param(names.fresh("k"), Type.I64);
    Param given =
        new Param(
            names.fresh(this == PARTITION ? "classes" : "sizes"),
            Type.array(Type.I64, SubExp.of(n.name())));
    List<Param> params = this == PARTITION ? List.of(n, k, given) : List.of(n, given);
    cx.scope.addParams(params);
    HostBuilder h = new HostBuilder(cx, FlatteningLevel.HOST);
    SubExp size = SubExp.of(n.name());
    List<FunDef.Result> results = new ArrayList<>();
    List<SubExp> values = new ArrayList<>();
    if (this == PARTITION) {
      Partition p = partition(h, size, SubExp.of(k.name()), given.name());
      for (Name v : List.of(p.counts, p.begins, p.members, p.places)) {
        results.add(new FunDef.Result(names.fresh(v), h.type(v), true));
        values.add(SubExp.of(v));
      }
    } else {
      SegmentDescriptor all = numbering(h, size, given.name());
      Name total = names.fresh("total");
      results.add(new FunDef.Result(total, Type.I64, false));
      values.add(all.total());
      results.add(new FunDef.Result(names.fresh("offsets"), h.type(all.offsets()), true));
      values.add(SubExp.of(all.offsets()));
      if (this != PREFIXSUM) {
        Type t = Type.array(Type.I64, SubExp.of(total));
        results.add(new FunDef.Result(names.fresh("ids"), t, true));
        values.add(SubExp.of(all.ids()));
      }
    }
    return new FunDef(
        function(),
        List.of(FunDef.BUILTIN),
        params,
        results,
        h.body(values),
        null,
        names.next(),
        Loc.NONE);
  }

  private SegmentDescriptor numbering(HostBuilder h, SubExp n, Name sizes) {
    LiftedEnv none = new LiftedEnv();
    Nest segments = new Nest.Uniform(top(h), n);
    // Offsets and ends of the segments.
    SegBodyBuilder scan = h.kernel(segments, none);
    SubExp size = scan.element(sizes, scan.at(segments).get(0));
    SegBodyBuilder then = scan.again();
    Param sum = then.param(new Param(h.cx.names.fresh("sum"), Type.I64));
    Param own = then.param(new Param(h.cx.names.fresh("own"), Type.I64));
    SubExp begin = then.minus(SubExp.of(sum.name()), SubExp.of(own.name()));
    Lambda post = then.lambda(List.of(sum, own), List.of(begin, SubExp.of(sum.name())));
    List<Name> bounds =
        h.segScan(
            "offsets",
            scan,
            List.of(operator(h, BinOp.Kind.ADD, SubExp.i64(0))),
            List.of(size, size),
            post);
    Name offsets = bounds.get(0);
    SubExp total = last(h, n, bounds.get(1));
    if (this == PREFIXSUM) {
      return new SegmentDescriptor(total, offsets, offsets);
    }
    // Each element gets the number of the last segment that begins at or before the element.
    Name zeros = h.replicate("starts", List.of(total), SubExp.i64(0));
    Name starts =
        h.scatter(
            "starts",
            zeros,
            segments,
            none,
            List.of(),
            k -> {
              SubExp i = k.at(segments).get(0);
              SubExp some = k.compare(CmpOp.Kind.SLT, SubExp.i64(0), k.element(sizes, i));
              SubExp at = k.either(some, Type.I64, x -> x.element(offsets, i), x -> SubExp.i64(-1));
              return new HostBuilder.Written(List.of(at), i);
            });
    Nest elements = new Nest.Uniform(top(h), total);
    SegBodyBuilder spread = h.kernel(elements, none);
    SubExp start = spread.element(starts, spread.at(elements).get(0));
    SegBodyBuilder after = spread.again();
    Param id = after.param(new Param(h.cx.names.fresh("id"), Type.I64));
    SubExp result = SubExp.of(id.name());
    if (this == SEGIOTA) {
      result = after.minus(after.at(elements).get(0), after.element(offsets, result));
    }
    Lambda numbered = after.lambda(List.of(id), List.of(result));
    Name ids =
        h.segScan(
                this == SEGIOTA ? "places" : "ids",
                spread,
                List.of(operator(h, BinOp.Kind.SMAX, SubExp.i64(0))),
                List.of(start),
                numbered)
            .get(0);
    return new SegmentDescriptor(total, offsets, ids);
  }

  /** Returns the last element of an array of {@code n} elements, or zero if the array is empty. */
  private static SubExp last(HostBuilder h, SubExp n, Name array) {
    SubExp some = h.cmp("some", CmpOp.Kind.SLT, SubExp.i64(0), n);
    return SubExp.of(
        h.either(
                "total",
                List.of(Type.I64),
                some,
                x -> {
                  SubExp i = x.binOp("last", BinOp.Kind.SUB, n, SubExp.i64(1));
                  return List.of(x.element("total", array, i));
                },
                x -> List.of(SubExp.i64(0)))
            .get(0));
  }

  /** Returns an operator on {@code i64}. */
  static SegOp.SegBinOp operator(HostBuilder h, BinOp.Kind kind, SubExp neutral) {
    Param a = new Param(h.cx.names.fresh("a"), Type.I64);
    Param b = new Param(h.cx.names.fresh("b"), Type.I64);
    h.cx.scope.addParams(List.of(a, b));
    HostBuilder body = new HostBuilder(h.cx, FlatteningLevel.HOST);
    SubExp r = body.binOp("c", kind, SubExp.of(a.name()), SubExp.of(b.name()));
    Lambda op = new Lambda(List.of(a, b), body.body(List.of(r)), List.of(Type.I64));
    return new SegOp.SegBinOp(true, op, List.of(neutral), List.of());
  }

  private static Partition partition(HostBuilder h, SubExp n, SubExp k, Name classes) {
    LiftedEnv none = new LiftedEnv();
    Nest all = new Nest.Uniform(new Nest.Uniform(top(h), k), n);
    // The number of members of each class up to each segment.
    SegBodyBuilder scan = h.kernel(all, none);
    SubExp own = scan.element(classes, scan.at(all).get(1));
    SubExp isMember = scan.compare(CmpOp.Kind.EQ, own, scan.at(all).get(0));
    SubExp one = scan.either(isMember, Type.I64, x -> SubExp.i64(1), x -> SubExp.i64(0));
    Name upTo =
        h.segScan(
                "up_to",
                scan,
                List.of(operator(h, BinOp.Kind.ADD, SubExp.i64(0))),
                List.of(one),
                Scremas.identity(List.of(Type.I64), h.cx.names))
            .get(0);
    Nest perClass = new Nest.Uniform(top(h), k);
    SegBodyBuilder counting = h.kernel(perClass, none);
    SubExp c = counting.at(perClass).get(0);
    SubExp some = counting.compare(CmpOp.Kind.SLT, SubExp.i64(0), n);
    SubExp members =
        counting.either(
            some, Type.I64, x -> x.element(upTo, c, x.minus(n, SubExp.i64(1))), x -> SubExp.i64(0));
    Name counts = h.segMap("counts", counting, members);
    SegBodyBuilder scanCounts = h.kernel(perClass, none);
    SubExp count = scanCounts.element(counts, scanCounts.at(perClass).get(0));
    SegBodyBuilder after = scanCounts.again();
    Param end = after.param(new Param(h.cx.names.fresh("end"), Type.I64));
    Param size = after.param(new Param(h.cx.names.fresh("size"), Type.I64));
    SubExp begin = after.minus(SubExp.of(end.name()), SubExp.of(size.name()));
    Name begins =
        h.segScan(
                "begins",
                scanCounts,
                List.of(operator(h, BinOp.Kind.ADD, SubExp.i64(0))),
                List.of(count, count),
                after.lambda(List.of(end, size), List.of(begin)))
            .get(0);
    Nest segments = new Nest.Uniform(top(h), n);
    SegBodyBuilder placing = h.kernel(segments, none);
    SubExp s = placing.at(segments).get(0);
    SubExp mine = placing.element(classes, s);
    SubExp before = placing.minus(placing.element(upTo, mine, s), SubExp.i64(1));
    SubExp place = placing.plus(placing.element(begins, mine), before);
    Name places = h.segMap("places", placing, place);
    Name blank = h.blank("members", Type.array(Type.I64, n));
    Name sorted =
        h.scatter(
            "members",
            blank,
            segments,
            none,
            List.of(),
            x -> {
              SubExp i = x.at(segments).get(0);
              return new HostBuilder.Written(List.of(x.element(places, i)), i);
            });
    return new Partition(counts, begins, sorted, places);
  }

  private static Nest top(HostBuilder h) {
    return new Nest.Top(h.place);
  }
}
