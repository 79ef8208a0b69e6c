package futharkc.pass.differentiation;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Renamer;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.build.Arithmetic;
import futharkc.core.ir.build.Emitter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Converts code to the normal form for differentiation, in which each operation has one purpose:
 *
 * <pre>
 * screma map f scan g reduce h post k    =>    maps; a scan for each group of components of g;
 *                                              a reduction for each group of h; a map k
 * reduce (map2 op) ne xss                =>    map (reduce op) ne (transpose xss)
 * hist with a bucket function            =>    a map; a histogram over given indices and values,
 *                                              with one index
 * stream f                               =>    f of everything as one chunk
 * let y = x                              =>    x in place of y
 * </pre>
 *
 * <p>Vectorised sums stay, because their derivative is equally simple. Fusion combines the
 * operations again.
 */
final class NormalForm extends Mapper {
  private final Emitter around;
  private final Map<Name, SubExp> replaced = new HashMap<>();

  private NormalForm(Emitter around) {
    this.around = around;
  }

  /** Returns a lambda in normal form. All its names are in the emitter's scope. */
  static Lambda of(Lambda l, Emitter around) {
    around.scope().addParams(l.params());
    return new NormalForm(around).lambda(l);
  }

  @Override
  public SubExp subExp(SubExp e) {
    return e instanceof SubExp.Var v ? replaced.getOrDefault(v.name(), e) : e;
  }

  @Override
  public Name name(Name use) {
    return replaced.get(use) instanceof SubExp.Var v ? v.name() : use;
  }

  @Override
  public Param param(Param p) {
    Param q = super.param(p);
    around.scope().add(q.name(), q.type());
    return q;
  }

  @Override
  public Exp exp(Exp e) {
    if (e instanceof Exp.Loop l && l.form() instanceof Exp.Form.For f) {
      around.scope().add(f.index(), Type.prim(f.type()));
    }
    return super.exp(e);
  }

  @Override
  public List<Stm> stms(List<Stm> stms) {
    Emitter e = around.inner();
    for (Stm s : stms) {
      statement(stm(s), e);
    }
    return e.stms();
  }

  /** Emits a statement, whose nested bodies are in normal form, in normal form. */
  private void statement(Stm s, Emitter e) {
    e.at(s.aux());
    switch (s.exp()) {
      case BasicOp.SubExpOp x when isCopy(s, x, e) -> {
        e.scope().add(s);
        replaced.put(s.pat().get(0).name(), x.value());
      }
      case Soac.Screma x when x.scans().isEmpty() -> maps(s, x, e);
      case Soac.Screma x -> scans(s, x, e);
      case Soac.Hist x -> hist(s, x, e);
      case Soac.Stream x -> stream(s, x, e);
      default -> e.add(s);
    }
  }

  private static boolean isCopy(Stm s, BasicOp.SubExpOp x, Emitter e) {
    PatElem p = s.pat().get(0);
    return s.aux().certs().isEmpty()
        && (p.type().rank() == 0 || p.type().equals(e.type(x.value())));
  }

  // Scremas

  /** Emits a map or reductions, with the functions before and after combined into one. */
  private void maps(Stm s, Soac.Screma x, Emitter e) {
    if (OperatorForms.isMap(x)) {
      e.add(s);
      return;
    }
    int reduced = x.reduceResults();
    List<SubExp> mapped = x.map().body().results();
    Map<Name, SubExp> given = new HashMap<>();
    for (int k = 0; k < x.post().params().size(); k++) {
      given.put(x.post().params().get(k).name(), mapped.get(reduced + k));
    }
    Body post = new Substitution(given).body(x.post().body());
    List<Stm> stms = new ArrayList<>(x.map().body().stms());
    stms.addAll(post.stms());
    post.stms().forEach(e.scope()::add);
    ProducerMap handover = new ProducerMap(x, stms, e);
    List<Name> arrays = handover.arrays(mapped.subList(0, reduced), x.map().results());
    List<PatElem> pat = s.pat().subList(reduced, s.pat().size());
    handover.finish(pat, post.results(), x.post().results());
    reductions(s.pat(), x.width(), arrays, x.reduces(), e);
  }

  /** Emits a map, followed by scans, followed by a map. */
  private void scans(Stm s, Soac.Screma x, Emitter e) {
    int scanned = x.scanResults();
    int reduced = x.reduceResults();
    List<SubExp> mapped = x.map().body().results();
    ProducerMap handover = new ProducerMap(x, x.map().body().stms(), e);
    List<Name> arrays = handover.arrays(mapped, x.map().results());
    handover.finish(List.of(), List.of(), List.of());
    List<Name> toPost = new ArrayList<>();
    int at = 0;
    for (Soac.Scan o : x.scans()) {
      int n = o.neutral().size();
      List<Type> rows = x.map().results().subList(at, at + n);
      List<PatElem> pat = new ArrayList<>();
      for (Type t : rows) {
        pat.add(new PatElem(e.names().fresh("scanned"), Type.array(t, x.width())));
      }
      for (List<Integer> group : OperatorForms.groups(o.op())) {
        scan(
            pick(pat, group),
            x.width(),
            pick(arrays.subList(at, at + n), group),
            new Soac.Scan(restrict(o.op(), group, e), pick(o.neutral(), group)),
            e);
      }
      for (PatElem p : pat) {
        toPost.add(p.name());
      }
      at += n;
    }
    List<Name> toReduce = arrays.subList(scanned, scanned + reduced);
    reductions(s.pat(), x.width(), toReduce, x.reduces(), e);
    toPost.addAll(arrays.subList(scanned + reduced, arrays.size()));
    List<PatElem> results = s.pat().subList(reduced, s.pat().size());
    if (!results.isEmpty()) {
      e.add(results, e.mapping(x.width(), toPost, x.post()));
    }
  }

  /** A map whose result arrays are operands of other operations. */
  private static final class ProducerMap {
    private final Soac.Screma screma;
    private final List<Stm> stms;
    private final Emitter e;
    private final List<PatElem> pat = new ArrayList<>();
    private final List<SubExp> results = new ArrayList<>();
    private final List<Type> types = new ArrayList<>();

    ProducerMap(Soac.Screma screma, List<Stm> stms, Emitter e) {
      this.screma = screma;
      this.stms = stms;
      this.e = e;
    }

    /**
     * Returns, for each value, the array of it over the iterations. For a parameter that the map
     * returns unchanged, this array is the map's input.
     */
    List<Name> arrays(List<SubExp> values, List<Type> rows) {
      List<Name> arrays = new ArrayList<>();
      for (int k = 0; k < values.size(); k++) {
        Name input = input(values.get(k));
        if (input == null) {
          input = e.names().fresh("mapped");
          pat.add(new PatElem(input, Type.array(rows.get(k), screma.width())));
          results.add(values.get(k));
          types.add(rows.get(k));
        }
        arrays.add(input);
      }
      return arrays;
    }

    private @Nullable Name input(SubExp value) {
      for (int i = 0; i < screma.inputs().size(); i++) {
        if (value.equals(SubExp.of(screma.map().params().get(i).name()))) {
          return screma.inputs().get(i);
        }
      }
      return null;
    }

    /** Emits the map, with additional results. */
    void finish(List<PatElem> more, List<SubExp> values, List<Type> rows) {
      pat.addAll(more);
      results.addAll(values);
      types.addAll(rows);
      if (pat.isEmpty()) {
        return;
      }
      // The map after the scans updates an accumulator that the first map returns unchanged.
      List<Integer> inputs = new ArrayList<>();
      for (int i = 0; i < screma.inputs().size(); i++) {
        Param p = screma.map().params().get(i);
        boolean passes = p.type() instanceof Type.Acc && !screma.scans().isEmpty();
        if (!passes) {
          inputs.add(i);
        }
      }
      Lambda f = new Lambda(pick(screma.map().params(), inputs), new Body(stms, results), types);
      e.add(pat, e.mapping(screma.width(), pick(screma.inputs(), inputs), f));
    }
  }

  private void reductions(
      List<PatElem> pat, SubExp width, List<Name> arrays, List<Soac.Reduce> reduces, Emitter e) {
    int at = 0;
    for (Soac.Reduce o : reduces) {
      int n = o.neutral().size();
      for (List<Integer> group : OperatorForms.groups(o.op())) {
        reduction(
            pick(pat.subList(at, at + n), group),
            width,
            pick(arrays.subList(at, at + n), group),
            new Soac.Reduce(o.commutative(), restrict(o.op(), group, e), pick(o.neutral(), group)),
            e);
      }
      at += n;
    }
  }

  private void reduction(
      List<PatElem> pat, SubExp width, List<Name> arrays, Soac.Reduce o, Emitter e) {
    OperatorForms.Vectorised v =
        OperatorForms.isSum(o.op()) ? null : OperatorForms.vectorised(o.op());
    if (v == null) {
      List<Type> rows = pat.stream().map(PatElem::type).toList();
      e.add(
          pat,
          new Soac.Screma(
              width, arrays, e.identity(rows), List.of(), List.of(o), e.identity(List.of())));
      return;
    }
    Columns columns = new Columns(v, arrays, o.neutral(), e);
    columns.map(
        pat,
        (in, cols, neutral, op) -> {
          List<PatElem> inside = new ArrayList<>();
          for (PatElem p : pat) {
            inside.add(new PatElem(in.names().fresh("red"), p.type().row()));
          }
          reduction(inside, width, cols, new Soac.Reduce(o.commutative(), op, neutral), in);
          return inside.stream().map(p -> SubExp.of(p.name())).toList();
        });
  }

  private void scan(List<PatElem> pat, SubExp width, List<Name> arrays, Soac.Scan o, Emitter e) {
    OperatorForms.Vectorised v =
        OperatorForms.isSum(o.op()) ? null : OperatorForms.vectorised(o.op());
    if (v == null) {
      List<Type> rows = pat.stream().map(p -> p.type().row()).toList();
      e.add(
          pat,
          new Soac.Screma(
              width, arrays, e.identity(rows), List.of(o), List.of(), e.identity(rows)));
      return;
    }
    Columns columns = new Columns(v, arrays, o.neutral(), e);
    columns.mapTransposed(
        pat,
        (in, cols, neutral, op) -> {
          List<PatElem> inside = new ArrayList<>();
          for (Name c : cols) {
            inside.add(new PatElem(in.names().fresh("scanned"), in.type(c)));
          }
          scan(inside, width, cols, new Soac.Scan(op, neutral), in);
          return inside.stream().map(p -> SubExp.of(p.name())).toList();
        });
  }

  // Histograms

  private void hist(Stm s, Soac.Hist x, Emitter e) {
    List<SubExp> results = x.bucket().body().results();
    var asMap =
        new Soac.Screma(
            x.width(), x.inputs(), x.bucket(), List.of(), List.of(), e.identity(List.of()));
    ProducerMap handover = new ProducerMap(asMap, x.bucket().body().stms(), e);
    List<Name> arrays = handover.arrays(results, x.bucket().results());
    handover.finish(List.of(), List.of(), List.of());
    int index = 0;
    int value = x.ops().stream().mapToInt(o -> o.shape().size()).sum();
    int at = 0;
    for (Soac.HistOp o : x.ops()) {
      int n = o.dests().size();
      int rank = o.shape().size();
      List<Name> indices = arrays.subList(index, index + rank);
      for (List<Integer> group : OperatorForms.groups(o.op())) {
        var single =
            new Soac.HistOp(
                o.shape(),
                o.raceFactor(),
                pick(o.dests(), group),
                pick(o.neutral(), group),
                restrict(o.op(), group, e));
        List<Name> values = pick(arrays.subList(value + at, value + at + n), group);
        flatten(pick(s.pat().subList(at, at + n), group), x.width(), indices, values, single, e);
      }
      index += rank;
      at += n;
    }
  }

  /** Emits the histogram with one index computed from several indices. */
  private void flatten(
      List<PatElem> pat,
      SubExp width,
      List<Name> indices,
      List<Name> values,
      Soac.HistOp o,
      Emitter e) {
    int rank = indices.size();
    if (rank == 1) {
      histogram(pat, width, indices.get(0), values, o, e);
      return;
    }
    SubExp size = o.shape().get(0);
    for (SubExp d : o.shape().subList(1, rank)) {
      size = Arithmetic.mul(e, size, d);
    }
    SubExp flat =
        e.map(
                "flat",
                width,
                Emitter.operands(indices),
                (in, is) -> {
                  SubExp at = is.get(0);
                  SubExp inside = Arithmetic.inRange(in, at, o.shape().get(0));
                  for (int k = 1; k < rank; k++) {
                    SubExp d = o.shape().get(k);
                    SubExp also = Arithmetic.inRange(in, is.get(k), d);
                    inside = Arithmetic.times(in, PrimType.BOOL, inside, also);
                    at = Arithmetic.add(in, Arithmetic.mul(in, at, d), is.get(k));
                  }
                  return List.of(in.select(inside, at, SubExp.i64(-1)));
                })
            .get(0);
    List<Name> dests = new ArrayList<>();
    List<PatElem> flatPat = new ArrayList<>();
    for (Name d : o.dests()) {
      Type t = Type.array(e.type(d).peel(rank), size);
      dests.add(e.name("flat", t, new BasicOp.Reshape(false, d, t.dims())));
      flatPat.add(new PatElem(e.names().fresh("hist"), t));
    }
    var op = new Soac.HistOp(List.of(size), o.raceFactor(), dests, o.neutral(), o.op());
    histogram(flatPat, width, Emitter.array(flat), values, op, e);
    for (int k = 0; k < pat.size(); k++) {
      e.add(
          List.of(pat.get(k)),
          new BasicOp.Reshape(false, flatPat.get(k).name(), pat.get(k).type().dims()));
    }
  }

  private void histogram(
      List<PatElem> pat, SubExp width, Name index, List<Name> values, Soac.HistOp o, Emitter e) {
    OperatorForms.Vectorised v =
        OperatorForms.isSum(o.op()) ? null : OperatorForms.vectorised(o.op());
    if (v == null) {
      List<Name> inputs = new ArrayList<>(List.of(index));
      inputs.addAll(values);
      List<Type> rows = inputs.stream().map(n -> e.type(n).row()).toList();
      e.add(pat, new Soac.Hist(width, inputs, List.of(o), e.identity(rows)));
      return;
    }
    List<Name> all = new ArrayList<>(o.dests());
    all.addAll(values);
    Columns columns = new Columns(v, all, o.neutral(), e);
    int n = o.dests().size();
    columns.mapTransposed(
        pat,
        (in, cols, neutral, op) -> {
          List<Name> dests = new ArrayList<>();
          List<PatElem> inside = new ArrayList<>();
          for (Name c : cols.subList(0, n)) {
            dests.add(Emitter.array(in.copy(SubExp.of(c))));
            inside.add(new PatElem(in.names().fresh("hist"), in.type(c)));
          }
          var single = new Soac.HistOp(o.shape(), o.raceFactor(), dests, neutral, op);
          histogram(inside, width, index, cols.subList(n, cols.size()), single, in);
          return inside.stream().map(p -> SubExp.of(p.name())).toList();
        });
  }

  /** A vectorised operation as a map over the columns of its arrays. */
  private static final class Columns {
    /** The operation on each column, with the neutral element and the operator of the column. */
    interface Inside {
      List<SubExp> of(Emitter in, List<Name> columns, List<SubExp> neutral, Lambda op);
    }

    private final OperatorForms.Vectorised v;
    private final List<Name> arrays;
    private final List<SubExp> neutral;
    private final Emitter e;

    Columns(OperatorForms.Vectorised v, List<Name> arrays, List<SubExp> neutral, Emitter e) {
      this.v = v;
      this.arrays = arrays;
      this.neutral = neutral;
      this.e = e;
    }

    /** Emits the map with one result for each column. */
    void map(List<PatElem> pat, Inside inside) {
      List<Name> inputs = new ArrayList<>();
      for (Name a : arrays) {
        inputs.add(transposed(a, e));
      }
      for (SubExp ne : neutral) {
        inputs.add(Emitter.array(ne));
      }
      inputs.addAll(v.others());
      int n = arrays.size();
      Lambda f =
          e.lambda(
              "col",
              inputs.stream().map(i -> e.type(i).row()).toList(),
              (in, xs) -> {
                List<Name> columns = xs.subList(0, n).stream().map(Emitter::array).toList();
                List<SubExp> here = xs.subList(n, n + neutral.size());
                Map<Name, SubExp> others = new HashMap<>();
                for (int k = 0; k < v.others().size(); k++) {
                  Param p = v.inner().params().get(2 * neutral.size() + k);
                  others.put(p.name(), xs.get(n + neutral.size() + k));
                }
                Lambda op =
                    new Lambda(
                        v.inner().params().subList(0, 2 * neutral.size()),
                        new Substitution(others).body(v.inner().body()),
                        v.inner().results());
                return inside.of(in, columns, here, op);
              });
      e.add(pat, e.mapping(v.width(), inputs, f));
    }

    /** Emits the map with columns as results, and transposes them. */
    void mapTransposed(List<PatElem> pat, Inside inside) {
      List<PatElem> columns = new ArrayList<>();
      for (PatElem p : pat) {
        List<SubExp> dims = new ArrayList<>(p.type().dims());
        dims.add(0, dims.remove(1));
        columns.add(new PatElem(e.names().fresh("cols"), p.type().withShape(dims)));
      }
      map(columns, inside);
      for (int k = 0; k < pat.size(); k++) {
        Type t = columns.get(k).type();
        e.add(List.of(pat.get(k)), transposition(columns.get(k).name(), t.rank()));
      }
    }

    private static Name transposed(Name a, Emitter e) {
      Type t = e.type(a);
      List<SubExp> dims = new ArrayList<>(t.dims());
      dims.add(0, dims.remove(1));
      return e.name("cols", t.withShape(dims), transposition(a, t.rank()));
    }

    private static BasicOp transposition(Name a, int rank) {
      List<Integer> perm = new ArrayList<>(List.of(1, 0));
      for (int d = 2; d < rank; d++) {
        perm.add(d);
      }
      return new BasicOp.Rearrange(a, perm);
    }
  }

  // Streams

  private void stream(Stm s, Soac.Stream x, Emitter e) {
    List<Param> params = x.lambda().params();
    int n = x.accs().size();
    Map<Name, SubExp> whole = new HashMap<>();
    whole.put(params.get(0).name(), x.width());
    for (int k = 0; k < n; k++) {
      whole.put(params.get(1 + k).name(), x.accs().get(k));
    }
    for (int k = 0; k < x.inputs().size(); k++) {
      whole.put(params.get(1 + n + k).name(), SubExp.of(x.inputs().get(k)));
    }
    Body body = new Substitution(whole).body(x.lambda().body());
    for (Stm t : body.stms()) {
      e.scope().addAll(new Body(List.of(t), List.of()));
      statement(new Stm(t.pat(), t.aux().plusCerts(s.aux().certs()), t.exp()), e);
    }
    e.at(s.aux());
    for (int k = 0; k < s.pat().size(); k++) {
      SubExp value = subExp(body.results().get(k));
      PatElem p = s.pat().get(k);
      boolean fresh = k >= n && p.type() instanceof Type.Array;
      BasicOp result =
          fresh ? new BasicOp.Replicate(List.of(), value) : new BasicOp.SubExpOp(value);
      statement(new Stm(List.of(p), s.aux(), result), e);
    }
  }

  private static <T> List<T> pick(List<T> all, List<Integer> positions) {
    return positions.stream().map(all::get).toList();
  }

  /**
   * Returns the operator restricted to some components. Statements that several groups need are
   * copied.
   */
  private static Lambda restrict(Lambda op, List<Integer> group, Emitter e) {
    if (group.size() == op.results().size()) {
      return op;
    }
    Lambda part = new Renamer(e.names()).lambda(OperatorForms.restrict(op, group));
    e.scope().addParams(part.params());
    e.scope().addAll(part.body());
    return part;
  }
}
