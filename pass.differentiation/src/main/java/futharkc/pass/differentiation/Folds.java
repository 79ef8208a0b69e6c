package futharkc.pass.differentiation;

import static futharkc.core.ir.build.Arithmetic.compare;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Renamer;
import futharkc.core.ir.Slice;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.build.Arithmetic;
import futharkc.core.ir.build.Emitter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Shared code of the adjoints of reductions, scans and histograms: operators and orders. */
final class Folds {
  private Folds() {}

  /** Emits a copy of an operator on two tuples, and returns its results. */
  static List<SubExp> apply(Emitter e, Lambda op, List<SubExp> left, List<SubExp> right) {
    return apply(e, op, Stream.concat(left.stream(), right.stream()).toList());
  }

  /** Emits a copy of a function on operands, and returns its results. */
  static List<SubExp> apply(Emitter e, Lambda f, List<SubExp> operands) {
    Lambda g = new Renamer(e.names()).lambda(f);
    Map<Name, SubExp> args = new HashMap<>();
    for (int k = 0; k < operands.size(); k++) {
      args.put(g.params().get(k).name(), operands.get(k));
    }
    Body b = new Substitution(args).body(g.body());
    e.addAll(b.stms());
    e.scope().addAll(b);
    return b.results();
  }

  /** Returns a copy of an operator with fresh names. */
  static Lambda copy(Emitter e, Lambda op) {
    Lambda g = new Renamer(e.names()).lambda(op);
    e.scope().addParams(g.params());
    e.scope().addAll(g.body());
    return g;
  }

  /** Returns the operator with its operands exchanged. */
  static Lambda flipped(Emitter e, Lambda op) {
    int n = op.results().size();
    List<Type> types = op.params().stream().map(Param::type).toList();
    return e.lambda("x", types, (in, x) -> apply(in, op, x.subList(n, 2 * n), x.subList(0, n)));
  }

  /** Returns a reversed view of an array. */
  static SubExp reversed(Emitter e, SubExp array) {
    Type t = e.type(array);
    SubExp n = t.outerSize();
    List<Slice.Dim> dims = new ArrayList<>();
    dims.add(new Slice.Range(Arithmetic.sub(e, n, SubExp.i64(1)), n, SubExp.i64(-1)));
    for (SubExp d : t.dims().subList(1, t.rank())) {
      dims.add(new Slice.Range(SubExp.i64(0), d, SubExp.i64(1)));
    }
    return e.let("rev", t, new BasicOp.Index(Emitter.array(array), new Slice(dims)));
  }

  static List<SubExp> reversed(Emitter e, List<SubExp> arrays) {
    return arrays.stream().map(a -> reversed(e, a)).toList();
  }

  /** Returns the elements at an index, or other values if a condition is false. */
  static List<SubExp> elements(
      Emitter e, List<SubExp> arrays, SubExp inside, SubExp index, List<SubExp> otherwise) {
    return e.conditional(
        "at",
        arrays.stream().map(a -> e.type(a).row()).toList(),
        inside,
        in -> arrays.stream().map(a -> in.index(a, List.of(index))).toList(),
        in -> otherwise);
  }

  /**
   * Returns arrays shifted by one: index i has the element i - 1, index 0 has the neutral element.
   */
  static List<SubExp> before(Emitter e, SubExp width, List<SubExp> arrays, List<SubExp> neutral) {
    return e.map(
        "left",
        width,
        List.of(e.iota(width)),
        (in, i) -> {
          SubExp inside = compare(in, CmpOp.Kind.SLT, PrimType.I64, SubExp.i64(0), i.get(0));
          SubExp at = Arithmetic.sub(in, i.get(0), SubExp.i64(1));
          return elements(in, arrays, inside, at, neutral);
        });
  }

  /**
   * Returns arrays shifted by one: index i has the element i + 1, the last index has the neutral
   * element.
   */
  static List<SubExp> after(Emitter e, SubExp width, List<SubExp> arrays, List<SubExp> neutral) {
    return e.map(
        "right",
        width,
        List.of(e.iota(width)),
        (in, i) -> {
          SubExp at = Arithmetic.add(in, i.get(0), SubExp.i64(1));
          SubExp inside = compare(in, CmpOp.Kind.SLT, PrimType.I64, at, width);
          return elements(in, arrays, inside, at, neutral);
        });
  }

  /**
   * Returns a function that combines two tuples, or returns one of them if a condition holds.
   *
   * @param left whether the function returns the left tuple, else the right one
   * @return a function of the left operands, the right operands and the condition
   */
  static Lambda unless(Emitter e, Lambda op, boolean left) {
    int n = op.results().size();
    List<Type> types = new ArrayList<>();
    op.params().forEach(p -> types.add(p.type()));
    types.add(Type.BOOL);
    return e.lambda(
        "x",
        types,
        (in, x) -> {
          List<SubExp> ls = x.subList(0, n);
          List<SubExp> rs = x.subList(n, 2 * n);
          return in.conditional(
              "comb",
              op.results(),
              x.get(2 * n),
              no -> left ? ls : rs,
              yes -> apply(yes, op, ls, rs));
        });
  }

  /** Returns an array of flags, true at the given index. */
  static SubExp isIndex(Emitter e, SubExp width, SubExp index) {
    return e.map(
            "is",
            width,
            List.of(e.iota(width)),
            (in, i) -> List.of(compare(in, CmpOp.Kind.EQ, PrimType.I64, i.get(0), index)))
        .get(0);
  }

  /**
   * Returns arrays for a product of floats: the factors with zeros replaced by one, and a 1 for
   * each zero, else 0.
   */
  static List<SubExp> factors(Emitter e, SubExp width, SubExp array) {
    PrimType t = e.type(array).elemPrim();
    return e.map(
        "factor",
        width,
        List.of(array),
        (in, v) -> {
          SubExp isZero = compare(in, CmpOp.Kind.EQ, t, v.get(0), Arithmetic.zero(t));
          return List.of(
              in.select(isZero, Arithmetic.one(t), v.get(0)),
              in.select(isZero, SubExp.i64(1), SubExp.i64(0)));
        });
  }

  /** Returns the multiplication of scalars. */
  static Lambda product(Emitter e, PrimType t) {
    Type scalar = Type.prim(t);
    return e.lambda(
        "p",
        List.of(scalar, scalar),
        (in, v) -> List.of(Arithmetic.times(in, t, v.get(0), v.get(1))));
  }

  static List<Name> names(List<SubExp> arrays) {
    return arrays.stream().map(Emitter::array).toList();
  }
}
