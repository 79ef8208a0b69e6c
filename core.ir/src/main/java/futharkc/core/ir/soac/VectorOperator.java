package futharkc.core.ir.soac;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Builder;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.Renamer;
import futharkc.core.ir.Scope;
import futharkc.core.ir.Slice;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.List;

/**
 * An operator of a reduction, scan or histogram, as far as it works elementwise on arrays.
 *
 * @param shape the dimensions over which it does so
 * @param op what it does with elements
 * @param neutral the neutral elements of that
 */
public record VectorOperator(List<SubExp> shape, Lambda op, List<SubExp> neutral) {
  public VectorOperator {
    shape = List.copyOf(shape);
    neutral = List.copyOf(neutral);
  }

  /** Whether the elements that it works on are scalars. */
  public boolean isScalar() {
    return op.results().stream().allMatch(t -> t.rank() == 0);
  }

  /**
   * The operator so seen. An elementwise operator has the same neutral element everywhere, so that
   * any element of the given ones will do.
   *
   * @param before gets what computes the neutral elements
   */
  public static VectorOperator of(Lambda op, List<SubExp> neutral, Builder before, Scope scope) {
    return of(op, neutral, SubExp.TRUE, before, scope);
  }

  /**
   * The same where the given neutral elements may be of unspecified contents if nothing needs them.
   *
   * @param needed whether something does
   */
  public static VectorOperator of(
      Lambda op, List<SubExp> neutral, SubExp needed, Builder before, Scope scope) {
    List<SubExp> shape = new ArrayList<>();
    Lambda l = op;
    while (l.results().stream().anyMatch(t -> t.rank() > 0)) {
      Scremas.Elementwise map = Scremas.elementwise(l);
      if (map == null) break;
      shape.add(map.width());
      l = map.op();
    }
    if (shape.isEmpty()) return new VectorOperator(shape, op, neutral);
    List<SubExp> elements = new ArrayList<>();
    for (SubExp e : neutral) elements.add(first(e, shape.size(), needed, before, scope));
    return new VectorOperator(shape, new Renamer(before.names()).lambda(l), elements);
  }

  /** What an operator does with elements, as far as it works elementwise on arrays. */
  public static Lambda elements(Lambda op) {
    Lambda l = op;
    while (l.results().stream().anyMatch(t -> t.rank() > 0)) {
      Scremas.Elementwise map = Scremas.elementwise(l);
      if (map == null) break;
      l = map.op();
    }
    return l;
  }

  /**
   * The first element of an array, with so many outer dimensions gone; or if it has none, zero, or
   * an array of unspecified contents.
   */
  public static SubExp first(SubExp array, int dims, Builder before, Scope scope) {
    return first(array, dims, SubExp.TRUE, before, scope);
  }

  private static SubExp first(SubExp array, int dims, SubExp needed, Builder before, Scope scope) {
    if (!(array instanceof SubExp.Var v) || scope.type(array).rank() == 0) return array;
    Type t = scope.type(array);
    Type elem = t.peel(dims);
    List<SubExp> zeros = new ArrayList<>();
    for (int d = 0; d < dims; d++) zeros.add(SubExp.i64(0));
    Builder then = new Builder(before.names());
    Name x = then.let("ne", elem, new BasicOp.Index(v.name(), Slice.fix(zeros, t.dims())));
    SubExp nonEmpty = needed;
    for (SubExp d : t.dims().subList(0, dims)) {
      SubExp positive = before.cmp("nonempty", CmpOp.Kind.SLT, PrimType.I64, SubExp.i64(0), d);
      nonEmpty =
          nonEmpty.equals(SubExp.TRUE)
              ? positive
              : before.binOp("nonempty", BinOp.Kind.LOG_AND, PrimType.BOOL, nonEmpty, positive);
    }
    Builder otherwise = new Builder(before.names());
    SubExp none =
        elem.rank() == 0
            ? SubExp.of(PrimValue.zero(t.elemPrim()))
            : otherwise.letExp("ne", elem, new BasicOp.Scratch(t.elemPrim(), elem.dims()));
    Name ne =
        before.let(
            "ne",
            elem,
            Exp.Match.conditional(
                nonEmpty, then.body(List.of(SubExp.of(x))), otherwise.body(List.of(none))));
    scope.add(ne, elem);
    return SubExp.of(ne);
  }
}
