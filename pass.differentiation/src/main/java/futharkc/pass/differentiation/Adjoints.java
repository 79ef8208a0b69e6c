package futharkc.pass.differentiation;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Slice;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.build.Arithmetic;
import futharkc.core.ir.build.Emitter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The adjoints of variables during the return sweep of a body. The adjoint of a variable is the
 * derivative of the results of interest with respect to the variable, limited to the statements
 * visited so far. A variable without an entry has the adjoint zero.
 *
 * <p>An adjoint has the type of its variable. There are three forms for arrays. A sparse adjoint
 * consists of a few elements, so that the adjoint of an element read has constant cost. A dense
 * adjoint without other references is updated in place. While several iterations add to an adjoint
 * at once, the adjoint is an accumulator.
 */
final class Adjoints {
  /** The maximal number of elements of a sparse adjoint. */
  private static final int FEW = 4;

  /** An adjoint other than zero. */
  sealed interface Adjoint {
    /**
     * A value.
     *
     * @param value the value
     * @param owned whether the value has no other references and may be overwritten
     */
    record Dense(SubExp value, boolean owned) implements Adjoint {}

    /** The sum of the parts, zero elsewhere. */
    record Sparse(List<Part> parts) implements Adjoint {}

    /** An accumulator. */
    record Accumulated(Name acc) implements Adjoint {}
  }

  /**
   * An element or row of an adjoint.
   *
   * @param index the indices of the outer dimensions
   * @param value the value of the element or row
   * @param safe whether the index may be out of range, in which case the part is zero
   */
  record Part(List<SubExp> index, SubExp value, boolean safe) {}

  private final Set<Name> active;
  private final Map<Name, Adjoint> known;

  /**
   * The values to add to accumulated arrays after the accumulation, because they are whole arrays.
   */
  private final Map<Name, List<SubExp>> deferred;

  /** Creates the adjoints, all zero. Only active variables can get adjoints. */
  Adjoints(Set<Name> active) {
    this(active, new HashMap<>(), new HashMap<>());
  }

  private Adjoints(Set<Name> active, Map<Name, Adjoint> known, Map<Name, List<SubExp>> deferred) {
    this.active = active;
    this.known = known;
    this.deferred = deferred;
  }

  /** Returns the same adjoints with a larger set of active variables. */
  Adjoints with(Set<Name> nowActive) {
    return new Adjoints(nowActive, known, deferred);
  }

  Set<Name> active() {
    return active;
  }

  /** Adds active variables. */
  void activate(Collection<Name> more) {
    active.addAll(more);
  }

  boolean isActive(SubExp x) {
    return x instanceof SubExp.Var v && active.contains(v.name());
  }

  @Nullable Adjoint get(Name x) {
    return known.get(x);
  }

  void set(Name x, Adjoint a) {
    known.put(x, a);
  }

  /** Sets the adjoint to a value. A constant zero has no effect. */
  void set(Name x, SubExp value, boolean owned) {
    if (!Arithmetic.isZero(value)) {
      known.put(x, new Adjoint.Dense(value, owned));
    }
  }

  void clear(Name x) {
    known.remove(x);
  }

  boolean isZero(Name x) {
    return !known.containsKey(x);
  }

  /** Returns the adjoint as a value, or null if the adjoint is zero. */
  @Nullable SubExp dense(Emitter e, Name x) {
    return isZero(x) ? null : value(e, x);
  }

  /** Returns the adjoint as a value. */
  SubExp value(Emitter e, Name x) {
    return switch (known.get(x)) {
      case null -> Arithmetic.zeros(e, e.type(x));
      case Adjoint.Dense d -> d.value();
      case Adjoint.Sparse s -> materialise(e, x, s).value();
      case Adjoint.Accumulated a ->
          throw new IllegalStateException("the adjoint of " + x + " is being accumulated");
    };
  }

  /** Returns the adjoint as a value that the caller owns and may overwrite. */
  SubExp owned(Emitter e, Name x) {
    SubExp v = value(e, x);
    boolean owned = !(known.get(x) instanceof Adjoint.Dense d) || d.owned();
    return owned ? v : e.copy(v);
  }

  private Adjoint.Dense materialise(Emitter e, Name x, Adjoint.Sparse s) {
    SubExp array = Arithmetic.zeros(e, e.type(x));
    boolean first = true;
    for (Part p : s.parts()) {
      array = first ? write(e, array, p) : increase(e, array, p);
      first = false;
    }
    var dense = new Adjoint.Dense(array, true);
    known.put(x, dense);
    return dense;
  }

  private static SubExp write(Emitter e, SubExp array, Part p) {
    Type t = e.type(array);
    Slice s = Slice.fix(p.index(), t.dims());
    return e.let("adj", t, new BasicOp.Update(p.safe(), Emitter.array(array), s, p.value()));
  }

  private static SubExp increase(Emitter e, SubExp array, Part p) {
    if (!p.safe()) {
      SubExp sum = Arithmetic.sum(e, e.index(array, p.index()), p.value());
      return write(e, array, new Part(p.index(), sum, false));
    }
    SubExp inside = isInside(e, p.index(), e.type(array));
    Part there = new Part(p.index(), p.value(), false);
    return e.conditional(
            "adj",
            List.of(e.type(array)),
            inside,
            in -> List.of(increase(in, array, there)),
            in -> List.of(array))
        .get(0);
  }

  /** Returns whether the index of a part is in range. */
  static SubExp isInside(Emitter e, List<SubExp> index, Type t) {
    SubExp inside = SubExp.TRUE;
    for (int d = 0; d < index.size(); d++) {
      SubExp also = Arithmetic.inRange(e, index.get(d), t.dims().get(d));
      inside = Arithmetic.times(e, PrimType.BOOL, inside, also);
    }
    return inside;
  }

  // Adding

  /** Adds {@code x_ += value} if x is active. */
  void add(Emitter e, SubExp x, SubExp value) {
    add(e, x, value, false);
  }

  /**
   * Adds a value to an adjoint.
   *
   * @param owned whether the value has no other references
   */
  void add(Emitter e, SubExp x, SubExp value, boolean owned) {
    if (!isActive(x) || Arithmetic.isZero(value)) {
      return;
    }
    Name n = ((SubExp.Var) x).name();
    SubExp same = e.coerce(value, e.type(n));
    switch (known.get(n)) {
      case null -> set(n, same, owned);
      case Adjoint.Dense d -> set(n, Arithmetic.sum(e, d.value(), same), true);
      case Adjoint.Sparse s -> {
        SubExp array = owned ? same : e.copy(same);
        for (Part p : s.parts()) {
          array = increase(e, array, p);
        }
        set(n, array, true);
      }
      case Adjoint.Accumulated a -> {
        List<SubExp> later = deferred.get(n);
        if (later != null) {
          later.add(same);
        } else {
          set(n, new Adjoint.Accumulated(addAll(e, a.acc(), List.of(), same)));
        }
      }
    }
  }

  /** Starts to collect whole arrays instead of adding them to the accumulator. */
  void defer(Name x) {
    deferred.put(x, new ArrayList<>());
  }

  /** Returns the collected arrays and stops collecting. */
  List<SubExp> deferred(Name x) {
    List<SubExp> kept = deferred.remove(x);
    return kept == null ? List.of() : kept;
  }

  /** Adds to the element or row at an index. */
  void addAt(Emitter e, Name x, List<SubExp> index, SubExp value, boolean safe) {
    if (!active.contains(x) || Arithmetic.isZero(value)) {
      return;
    }
    Part part = new Part(index, value, safe);
    switch (known.get(x)) {
      case null -> set(x, new Adjoint.Sparse(List.of(part)));
      case Adjoint.Sparse s when s.parts().size() < FEW -> {
        List<Part> parts = new ArrayList<>(s.parts());
        parts.add(part);
        set(x, new Adjoint.Sparse(parts));
      }
      case Adjoint.Accumulated a when safe -> set(x, new Adjoint.Accumulated(addIf(e, x, a, part)));
      case Adjoint.Accumulated a ->
          set(x, new Adjoint.Accumulated(addAll(e, a.acc(), index, value)));
      default -> set(x, increase(e, owned(e, x), part), true);
    }
  }

  /** Adds to a slice. */
  void addSlice(Emitter e, Name x, Slice s, SubExp value) {
    if (!active.contains(x) || Arithmetic.isZero(value)) {
      return;
    }
    List<SubExp> index = new ArrayList<>();
    for (Slice.Dim d : s.dims()) {
      if (d instanceof Slice.Fix f) {
        index.add(f.index());
      }
    }
    boolean prefix = isRow(s, e.type(x).dims(), index.size());
    if (prefix) {
      if (index.isEmpty()) {
        add(e, SubExp.of(x), value);
      } else {
        addAt(e, x, index, value, false);
      }
      return;
    }
    switch (known.get(x)) {
      case null -> {
        SubExp zeros = Arithmetic.zeros(e, e.type(x));
        set(x, update(e, zeros, s, value), true);
      }
      case Adjoint.Accumulated a ->
          set(x, new Adjoint.Accumulated(addSlice(e, a.acc(), s, 0, List.of(), value)));
      default -> {
        SubExp array = owned(e, x);
        SubExp sum = Arithmetic.sum(e, e.slice(array, s), value);
        set(x, update(e, array, s, sum), true);
      }
    }
  }

  /** Tests whether a slice fixes the outer dimensions and selects all of the others. */
  private static boolean isRow(Slice s, List<SubExp> dims, int fixed) {
    for (int d = 0; d < dims.size(); d++) {
      boolean whole =
          s.dims().get(d) instanceof Slice.Range r
              && r.start().isInt(0)
              && r.stride().isInt(1)
              && r.count().equals(dims.get(d));
      if (d < fixed ? !(s.dims().get(d) instanceof Slice.Fix) : !whole) {
        return false;
      }
    }
    return true;
  }

  private static SubExp update(Emitter e, SubExp array, Slice s, SubExp value) {
    return e.let("adj", e.type(array), new BasicOp.Update(false, Emitter.array(array), s, value));
  }

  // Accumulators

  /** Adds all elements of a value to the row of an accumulator at an index. */
  static Name addAll(Emitter e, Name acc, List<SubExp> index, SubExp value) {
    if (!(e.type(value) instanceof Type.Array t)) {
      return e.name("acc", e.type(acc), new BasicOp.UpdateAcc(true, acc, index, List.of(value)));
    }
    return over(
        e,
        t.outerSize(),
        acc,
        List.of(value),
        (in, a, row, i) -> {
          List<SubExp> below = new ArrayList<>(index);
          below.add(i);
          return addAll(in, a, below, row.get(0));
        });
  }

  /** Adds a part if its index is in range. */
  private static Name addIf(Emitter e, Name x, Adjoint.Accumulated a, Part p) {
    Type acc = e.type(a.acc());
    if (e.type(p.value()) instanceof Type.Prim) {
      return e.name(
          "acc", acc, new BasicOp.UpdateAcc(false, a.acc(), p.index(), List.of(p.value())));
    }
    SubExp inside = isInside(e, p.index(), e.type(x));
    return Emitter.array(
        e.conditional(
                "acc",
                List.of(acc),
                inside,
                in -> List.of(SubExp.of(addAll(in, a.acc(), p.index(), p.value()))),
                in -> List.of(SubExp.of(a.acc())))
            .get(0));
  }

  private static Name addSlice(
      Emitter e, Name acc, Slice s, int dim, List<SubExp> index, SubExp value) {
    if (dim == s.dims().size()) {
      return addAll(e, acc, index, value);
    }
    return switch (s.dims().get(dim)) {
      case Slice.Fix f -> addSlice(e, acc, s, dim + 1, plus(index, f.index()), value);
      case Slice.Range r ->
          over(
              e,
              r.count(),
              acc,
              List.of(value),
              (in, a, row, i) -> {
                SubExp at = Arithmetic.add(in, r.start(), Arithmetic.mul(in, i, r.stride()));
                return addSlice(in, a, s, dim + 1, plus(index, at), row.get(0));
              });
    };
  }

  private static List<SubExp> plus(List<SubExp> index, SubExp i) {
    List<SubExp> more = new ArrayList<>(index);
    more.add(i);
    return more;
  }

  /** Code that updates an accumulator with one element of each array. */
  interface Updating {
    Name with(Emitter in, Name acc, List<SubExp> elements, SubExp index);
  }

  /** Emits a map over arrays and their indices that updates an accumulator. */
  static Name over(Emitter e, SubExp width, Name acc, List<SubExp> arrays, Updating f) {
    Type t = e.type(acc);
    Param inner = e.param("acc", t);
    List<Param> params = new ArrayList<>(List.of(inner));
    List<Name> inputs = new ArrayList<>(List.of(acc));
    for (SubExp a : arrays) {
      params.add(e.param("x", e.type(a).row()));
      inputs.add(Emitter.array(a));
    }
    Param index = e.param("i", Type.I64);
    params.add(index);
    inputs.add(Emitter.array(e.iota(width)));
    List<SubExp> elements =
        params.subList(1, params.size() - 1).stream().map(p -> SubExp.of(p.name())).toList();
    Lambda l =
        e.lambda(
            params,
            in -> List.of(SubExp.of(f.with(in, inner.name(), elements, SubExp.of(index.name())))));
    return Emitter.array(e.letAll("acc", List.of(t), e.mapping(width, inputs, l)).get(0));
  }
}
