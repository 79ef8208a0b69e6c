package futharkc.pass.flattening;

import futharkc.core.ir.Name;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Converts the values of all segments to one of two forms: a regular array if all segments have the
 * same sizes, else consecutive segments of a flat array.
 */
final class Regularisation {
  private Regularisation() {}

  /**
   * Returns one array of the values of all segments. Its outer dimensions are those of the nest.
   *
   * @param type the type of the value in one segment, with sizes that the host knows
   */
  static Name regular(HostBuilder h, Nest n, LiftedEnv env, SubExp e, Type type) {
    List<SubExp> shape = new ArrayList<>(n.dims());
    shape.addAll(type.dims());
    LiftedName v = e instanceof SubExp.Var x ? env.get(x.name()) : null;
    if (v == null) {
      Name all = h.replicate("all", n.dims(), e);
      return shape.isEmpty() ? all : h.reshaped(all, shape);
    }
    if (v.rep() instanceof ValueRep.Accumulator a) {
      return a.current();
    }
    if (v.nest().equals(n)) {
      switch (v.rep()) {
        case ValueRep.Regular r -> {
          return shape.isEmpty() ? r.array() : h.reshaped(r.array(), shape);
        }
        case ValueRep.Irregular r -> {
          return h.reshaped(dense(h, n, r).data(), shape);
        }
        case ValueRep.HostRow r
            when n.outer() instanceof Nest outer && n instanceof Nest.Uniform -> {
          Name rows =
              outer.dims().isEmpty()
                  ? r.array()
                  : h.replicate("all", outer.dims(), SubExp.of(r.array()));
          return h.reshaped(rows, shape);
        }
        default -> {}
      }
    }
    SegBodyBuilder k = h.kernel(n, env, type.dims().toArray(SubExp[]::new));
    SubExp value = k.locate(v).element(k, k.inside());
    return h.segMap("all", k, value);
  }

  /** Returns the values as segments of a flat array. Segments may overlap. */
  static ValueRep.Irregular irregular(HostBuilder h, Nest n, LiftedEnv env, Name name) {
    LiftedName v = env.get(name);
    SubExp count = h.count(n);
    if (v == null) {
      Name data = h.flat(name);
      SubExp size = h.type(data).outerSize();
      Name sizes = h.replicate("sizes", List.of(count), size);
      Name offsets = h.replicate("offsets", List.of(count), SubExp.i64(0));
      return new ValueRep.Irregular(sizes, offsets, data, false);
    }
    if (v.nest().equals(n) && v.rep() instanceof ValueRep.Irregular r) {
      return r;
    }
    if (v.nest().equals(n) && v.rep() instanceof ValueRep.Regular r) {
      return parts(h, n, r.array());
    }
    if (v.rep().isPart()) {
      return parts(h, n, regular(h, n, env, SubExp.of(name), v.type()));
    }
    SegBodyBuilder k = h.kernel(n, env);
    SegmentOperand place = k.locate(v);
    SubExp size = k.product(place.dims());
    Name data;
    SubExp offset;
    switch (place) {
      case SegmentOperand.InData d -> {
        data = d.data();
        offset = d.offset();
      }
      case SegmentOperand.InArray a -> {
        data = h.flat(a.array());
        List<SubExp> prefix = Objects.requireNonNull(a.prefix(k), () -> "part of " + name);
        List<SubExp> outer = h.type(a.array()).dims().subList(0, prefix.size());
        offset = k.times(k.rowMajor(prefix, outer), size);
      }
    }
    List<Name> both = h.segMap(List.of("sizes", "offsets"), k, List.of(size, offset));
    return new ValueRep.Irregular(
        h.reshaped(both.get(0), List.of(count)),
        h.reshaped(both.get(1), List.of(count)),
        data,
        false);
  }

  /** Converts a regular array of all segments' values to segments of a flat array. */
  static ValueRep.Irregular parts(HostBuilder h, Nest n, Name array) {
    SubExp count = h.count(n);
    List<SubExp> dims = h.type(array).dims();
    List<SubExp> row = dims.subList(n.dims().size(), dims.size());
    SubExp size = h.product("size", row);
    Name sizes = sizes(h, n, new LiftedEnv(), row);
    Name offsets = h.iota("offsets", count, SubExp.i64(0), size);
    return new ValueRep.Irregular(sizes, offsets, h.flat(array), true);
  }

  /** Returns the values in dense form: all segments in order, without gaps. */
  static ValueRep.Irregular dense(HostBuilder h, Nest n, ValueRep.Irregular r) {
    if (r.dense()) {
      return r;
    }
    return gather(
        h,
        n,
        new LiftedEnv(),
        r.sizes(),
        (k, j) -> k.element(r.data(), k.plus(k.element(r.offsets(), k.number(n)), j)));
  }

  /**
   * Computes new values in flat form.
   *
   * @param sizes the scalar count of each segment
   * @param scalar a function that returns the scalar at a row-major index of a segment
   */
  static ValueRep.Irregular gather(
      HostBuilder h,
      Nest n,
      LiftedEnv env,
      Name sizes,
      BiFunction<SegBodyBuilder, SubExp, SubExp> scalar) {
    SegmentDescriptor all = h.numbering(sizes);
    Nest.Flat elements = new Nest.Flat(n, all.total(), all.ids(), all.offsets());
    SegBodyBuilder k = h.kernel(elements, env);
    SubExp value = scalar.apply(k, k.position(elements));
    Name data = h.segMap("data", k, value);
    return new ValueRep.Irregular(sizes, all.offsets(), data, true);
  }

  /**
   * Returns the element counts of arrays of the given shape in all segments; {@code [count]i64}.
   */
  static Name sizes(HostBuilder h, Nest n, LiftedEnv env, List<SubExp> dims) {
    return h.sizes(n, dims, () -> computed(h, n, env, dims));
  }

  private static Name computed(HostBuilder h, Nest n, LiftedEnv env, List<SubExp> dims) {
    SubExp count = h.count(n);
    if (!env.anyVaries(dims)) {
      return h.replicate("sizes", List.of(count), h.product("size", dims));
    }
    if (dims.size() == 1
        && dims.get(0) instanceof SubExp.Var v
        && env.of(v.name()) instanceof LiftedName x
        && x.nest().equals(n)
        && x.rep() instanceof ValueRep.Regular r) {
      return h.reshaped(r.array(), List.of(count));
    }
    return perSegment(h, n, env, "sizes", k -> k.product(k.operands(dims)));
  }

  /** Computes an {@code i64} for each segment, by row-major number. */
  static Name perSegment(
      HostBuilder h, Nest n, LiftedEnv env, String base, Function<SegBodyBuilder, SubExp> value) {
    SegBodyBuilder k = h.kernel(n, env);
    return h.reshaped(h.segMap(base, k, value.apply(k)), List.of(h.count(n)));
  }

  /**
   * Converts a value to the form that its type requires.
   *
   * @param type the type of the value in one segment
   * @param regular whether the host knows the sizes of the value
   */
  static LiftedName variant(
      HostBuilder h, Nest n, LiftedEnv env, SubExp e, Type type, boolean regular) {
    if (type instanceof Type.Acc) {
      LiftedName v = env.of(((SubExp.Var) e).name());
      return new LiftedName(type, v.rep(), n);
    }
    if (regular) {
      return new LiftedName(type, new ValueRep.Regular(regular(h, n, env, e, type)), n);
    }
    return new LiftedName(type, irregular(h, n, env, ((SubExp.Var) e).name()), n);
  }
}
