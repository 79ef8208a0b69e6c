package futharkc.pass.flattening;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Builder;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.sequential.FirstOrder;
import futharkc.core.ir.soac.Scremas;
import futharkc.core.ir.soac.VectorOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Normalises second-order operations to forms that the flattening rules accept. A stream becomes
 * one chunk. An operation has scans or reductions, not both. An elementwise reduction or scan of
 * arrays becomes a map of reductions or scans of scalars. An elementwise accumulation of arrays
 * becomes an accumulation of scalars.
 */
final class Preparation {
  private final FlatteningContext cx;
  private final FirstOrder loopsAround;

  Preparation(FlatteningContext cx) {
    this.cx = cx;
    this.loopsAround = new FirstOrder(cx.names, cx.scope, inner -> inner);
  }

  /**
   * Returns equivalent statements. Nested bodies stay unchanged.
   *
   * @param onHost whether the host executes the statements
   */
  List<Stm> stms(List<Stm> stms, boolean onHost) {
    List<Stm> out = new ArrayList<>();
    for (Stm s : stms) {
      cx.scope.add(s);
      List<Stm> instead = instead(s, onHost);
      if (instead == null) {
        out.add(s);
      } else {
        out.addAll(stms(cx.learn(instead), onHost));
      }
    }
    return out;
  }

  private @Nullable List<Stm> instead(Stm s, boolean onHost) {
    if (s.exp() instanceof Exp.WithAcc w) {
      return ElementAccumulation.of(cx, s, w);
    }
    if (!(s.exp() instanceof Soac op) || Parallelism.isSequential(s)) {
      return null;
    }
    if (s.aux().hasAttr("sequential_outer")) {
      return loopsAround.soac(s, op);
    }
    return switch (op) {
      case Soac.Screma x -> instead(s, x, onHost);
      case Soac.Stream x -> whole(s, x);
      case Soac.Hist x ->
          Parallelism.makesUnforeseen(x.bucket()) || !cx.functions.limits().allow(x.bucket())
              ? mapFirst(s, x)
              : null;
      case Soac.FlatMap x -> null;
      case Soac.Jvp x -> loopsAround.soac(s, x);
      case Soac.Vjp x -> loopsAround.soac(s, x);
      case Soac.WithVjp x -> loopsAround.soac(s, x);
    };
  }

  private @Nullable List<Stm> instead(Stm s, Soac.Screma x, boolean onHost) {
    if (!x.scans().isEmpty() && !x.reduces().isEmpty()) {
      return Scremas.reduceThenScan(s, x, cx.names);
    }
    if (!Scremas.isIdentity(x.post()) || x.scans().size() + x.reduces().size() != 1) {
      return null;
    }
    if (x.map().results().size() != x.scanResults() + x.reduceResults()) {
      return null;
    }
    boolean isScan = x.reduces().isEmpty();
    Lambda op = isScan ? x.scans().get(0).op() : x.reduces().get(0).op();
    Scremas.Elementwise map = Scremas.elementwise(op);
    if (map == null) {
      return null;
    }
    Lambda before = before(x.map(), map);
    if (before != null) {
      return interchanged(s, x, map, before);
    }
    if (isScan || !s.aux().hasAttr("sequential_inner")) {
      return null;
    }
    if (!onHost) {
      return mapFirst(s, x);
    }
    return new PartialReduction(cx, s, x, map).stms();
  }

  /**
   * Separates the map from a reduction. Both statements keep the attribute {@code
   * sequential_inner}. Without the separation, a reduction of rows would become one reduction for
   * each column.
   */
  private List<Stm> mapFirst(Stm s, Soac.Screma x) {
    List<Type> rows = x.map().results();
    List<PatElem> mapped = new ArrayList<>();
    for (Type t : rows) {
      mapped.add(new PatElem(cx.names.fresh("row"), Type.array(t, x.width())));
    }
    Soac.Screma map =
        new Soac.Screma(
            x.width(), x.inputs(), x.map(), List.of(), List.of(), Scremas.identity(rows, cx.names));
    List<Name> inputs = mapped.stream().map(PatElem::name).toList();
    Lambda identity = Scremas.identity(rows, cx.names);
    Soac.Screma reduction =
        new Soac.Screma(x.width(), inputs, identity, List.of(), x.reduces(), x.post());
    return List.of(new Stm(mapped, s.aux(), map), s.withExp(reduction));
  }

  /**
   * Returns the elementwise function applied before the reduction or scan; null if the map has
   * another form.
   */
  private @Nullable Lambda before(Lambda rows, Scremas.Elementwise map) {
    if (Scremas.isIdentity(rows)) {
      return Scremas.identity(map.op().results(), cx.names);
    }
    Scremas.Elementwise mapped = Scremas.elementwise(rows);
    return mapped != null && mapped.width().equals(map.width()) && !mapped.op().params().isEmpty()
        ? mapped.op()
        : null;
  }

  /** Separates the map from a histogram. */
  private List<Stm> mapFirst(Stm s, Soac.Hist x) {
    List<Type> rows = x.bucket().results();
    List<PatElem> mapped = new ArrayList<>();
    for (Type t : rows) {
      mapped.add(new PatElem(cx.names.fresh("bucket"), Type.array(t, x.width())));
    }
    Soac.Screma map =
        new Soac.Screma(
            x.width(),
            x.inputs(),
            x.bucket(),
            List.of(),
            List.of(),
            Scremas.identity(rows, cx.names));
    List<Name> inputs = mapped.stream().map(PatElem::name).toList();
    Soac.Hist hist = new Soac.Hist(x.width(), inputs, x.ops(), Scremas.identity(rows, cx.names));
    return List.of(new Stm(mapped, s.aux(), map), s.withExp(hist));
  }

  /**
   * Tests whether all operators work on scalars or elementwise on arrays. An operator qualifies if
   * a thread can execute it, and if it neither selects among arrays nor allocates arrays of
   * variable sizes: the number of threads that apply it is unknown.
   */
  boolean isOnScalars(Soac op) {
    return switch (op) {
      case Soac.Screma x ->
          x.scans().stream().allMatch(o -> isOnScalars(cx.functions.limits(), o.op()))
              && x.reduces().stream().allMatch(o -> isOnScalars(cx.functions.limits(), o.op()));
      case Soac.Hist x ->
          x.ops().stream().allMatch(o -> isOnScalars(cx.functions.limits(), o.op()));
      case Soac.Stream x -> true;
      case Soac.FlatMap x -> true;
      case Soac.Jvp x -> true;
      case Soac.Vjp x -> true;
      case Soac.WithVjp x -> true;
    };
  }

  /**
   * Tests whether an operator works on scalars or elementwise on arrays, with the same conditions.
   */
  static boolean isOnScalars(ThreadLimits limits, Lambda op) {
    Lambda elements = VectorOperator.elements(op);
    return elements.results().stream().allMatch(t -> t.rank() == 0)
        && !makesArrays(elements.body())
        && limits.allow(elements);
  }

  private static boolean makesArrays(Body b) {
    boolean[] found = {false};
    new Mapper() {
      @Override
      public Stm stm(Stm s) {
        found[0] |= choosesArrays(s);
        found[0] |=
            !isRead(s.exp())
                && s.pat().stream()
                    .anyMatch(p -> p.type().dims().stream().anyMatch(d -> d instanceof SubExp.Var));
        return found[0] ? s : super.stm(s);
      }
    }.body(b);
    return found[0];
  }

  /**
   * Tests whether a statement selects one of several arrays, such as the array of a loop's last
   * iteration.
   */
  private static boolean choosesArrays(Stm s) {
    boolean array = s.pat().stream().anyMatch(p -> p.type().rank() > 0);
    return array
        && switch (s.exp()) {
          case Exp.Match _ -> true;
          case Exp.Loop l -> !updatesInPlace(l);
          default -> false;
        };
  }

  private static boolean updatesInPlace(Exp.Loop l) {
    for (int k = 0; k < l.params().size(); k++) {
      Param p = l.params().get(k).param();
      if (p.type().rank() > 0 && !isUpdate(l.body(), l.body().results().get(k), p.name())) {
        return false;
      }
    }
    return true;
  }

  /** Tests whether a body's array result is the given array or an update of it. */
  private static boolean isUpdate(Body b, SubExp result, Name given) {
    SubExp now = result;
    for (Stm s : b.stms().reversed()) {
      if (!(now instanceof SubExp.Var v)) {
        return false;
      }
      int k = s.names().indexOf(v.name());
      if (k < 0) {
        continue;
      }
      switch (s.exp()) {
        case BasicOp.Update u -> now = SubExp.of(u.array());
        case BasicOp.FlatUpdate u -> now = SubExp.of(u.array());
        case BasicOp.SubExpOp x -> now = x.value();
        case Exp.Loop l when updatesInPlace(l) -> now = l.params().get(k).init();
        default -> {
          return false;
        }
      }
    }
    return now.equals(SubExp.of(given));
  }

  /**
   * Tests whether the array of an expression needs no memory, because its uses read single
   * elements.
   */
  private static boolean isRead(Exp e) {
    return switch (e) {
      case BasicOp.SubExpOp _, BasicOp.Iota _, BasicOp.Replicate _ -> true;
      case BasicOp.Index _, BasicOp.FlatIndex _, BasicOp.Rearrange _, BasicOp.Reshape _ -> true;
      default -> false;
    };
  }

  /** Returns the statements with all second-order operations as loops. */
  List<Stm> sequential(List<Stm> stms) {
    return FirstOrder.toLoops(cx.names, cx.scope).stms(stms);
  }

  /** Returns a loop that executes a second-order operation one element after the other. */
  List<Stm> asLoop(Stm s, Soac x) {
    return loopsAround.soac(s, x);
  }

  /** Returns a stream as one chunk with all elements. */
  private static List<Stm> whole(Stm s, Soac.Stream x) {
    Lambda l =
        new Substitution(Map.of(x.lambda().params().get(0).name(), x.width())).lambda(x.lambda());
    List<Stm> out = new ArrayList<>();
    List<SubExp> given = new ArrayList<>(x.accs());
    for (Name in : x.inputs()) {
      given.add(SubExp.of(in));
    }
    for (int i = 0; i < given.size(); i++) {
      Param p = l.params().get(1 + i);
      out.add(
          new Stm(
              List.of(new PatElem(p.name(), p.type())),
              s.aux(),
              new BasicOp.SubExpOp(given.get(i))));
    }
    for (Stm t : l.body().stms()) {
      out.add(new Stm(t.pat(), t.aux().plusCerts(s.aux().certs()), t.exp()));
    }
    for (int i = 0; i < s.pat().size(); i++) {
      out.add(
          new Stm(
              List.of(s.pat().get(i)), s.aux(), new BasicOp.SubExpOp(l.body().results().get(i))));
    }
    return out;
  }

  /** Returns a map over the columns of reductions or scans along the columns. */
  private List<Stm> interchanged(Stm s, Soac.Screma x, Scremas.Elementwise map, Lambda before) {
    boolean isScan = x.reduces().isEmpty();
    List<SubExp> neutral = isScan ? x.scans().get(0).neutral() : x.reduces().get(0).neutral();
    // The attribute for the inside of the reduction belongs to the reduction within the new map.
    List<String> attrs = new ArrayList<>(s.aux().attrs());
    boolean alone = attrs.remove("sequential_inner");
    Aux around = new Aux(s.aux().certs(), attrs, s.aux().loc());
    List<String> attrsAlong = alone ? List.of("sequential_inner") : List.of();
    Builder b = new Builder(cx.names);
    b.with(around);
    List<SubExp> elements = new ArrayList<>();
    for (SubExp e : neutral) {
      elements.add(VectorOperator.first(e, 1, b, cx.scope));
    }
    List<Name> columns = new ArrayList<>();
    List<Param> params = new ArrayList<>();
    List<Type> elems = map.op().results();
    List<Type> results = new ArrayList<>();
    for (int i = 0; i < x.inputs().size(); i++) {
      Name array = x.inputs().get(i);
      Type column = Type.array(before.params().get(i).type(), x.width());
      columns.add(b.let(array.base(), Type.array(column, map.width()), swapped(array)));
      params.add(new Param(cx.names.fresh("column"), column));
    }
    for (Type t : elems) {
      results.add(isScan ? Type.array(t, x.width()) : t);
    }
    Lambda identity = Scremas.identity(elems, cx.names);
    Lambda none = Scremas.identity(List.of(), cx.names);
    Soac.Screma along =
        new Soac.Screma(
            x.width(),
            params.stream().map(Param::name).toList(),
            before,
            isScan ? List.of(new Soac.Scan(map.op(), elements)) : List.of(),
            isScan
                ? List.of()
                : List.of(new Soac.Reduce(x.reduces().get(0).commutative(), map.op(), elements)),
            isScan ? identity : none);
    List<PatElem> inner = new ArrayList<>();
    for (Type t : results) {
      inner.add(new PatElem(cx.names.fresh("along"), t));
    }
    Body body =
        new Body(
            List.of(new Stm(inner, new Aux(List.of(), attrsAlong, s.aux().loc()), along)),
            inner.stream().map(p -> SubExp.of(p.name())).toList());
    Soac.Screma outer =
        new Soac.Screma(
            map.width(),
            columns,
            new Lambda(params, body, results),
            List.of(),
            List.of(),
            Scremas.identity(results, cx.names));
    if (!isScan) {
      b.let(s.pat(), outer);
      return b.stms();
    }
    List<PatElem> scanned = new ArrayList<>();
    for (Type t : results) {
      scanned.add(new PatElem(cx.names.fresh("scanned"), Type.array(t, map.width())));
    }
    b.let(scanned, outer);
    for (int i = 0; i < scanned.size(); i++) {
      cx.scope.add(scanned.get(i).name(), scanned.get(i).type());
      b.let(List.of(s.pat().get(i)), swapped(scanned.get(i).name()));
    }
    return b.stms();
  }

  /** Returns the array with its two outer dimensions swapped. */
  private BasicOp swapped(Name array) {
    List<Integer> perm = new ArrayList<>(List.of(1, 0));
    for (int d = 2; d < cx.scope.type(array).rank(); d++) {
      perm.add(d);
    }
    return new BasicOp.Rearrange(array, perm);
  }
}
