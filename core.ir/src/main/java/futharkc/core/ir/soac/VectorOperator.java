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
 * An operator of a reduction, scan or histogram, factored into outer dimensions over which it works
 * elementwise and an operator on elements.
 *
 * @param shape the outer dimensions
 * @param op the operator on elements
 * @param neutral the neutral elements of {@code op}
 */
public record VectorOperator(List<SubExp> shape, Lambda op, List<SubExp> neutral) {
  public VectorOperator {
    shape = List.copyOf(shape);
    neutral = List.copyOf(neutral);
  }

  /** Tests whether the elements are scalars. */
  public boolean isScalar() {
    return op.results().stream().allMatch(t -> t.rank() == 0);
  }

  /**
   * Factors an operator. Any element of a given neutral element is a neutral element of the
   * factored operator, since elementwise operators have the same neutral element at each position.
   *
   * @param before the builder that receives the computation of the neutral elements
   */
  public static VectorOperator of(Lambda op, List<SubExp> neutral, Builder before, Scope scope) {
    return of(op, neutral, SubExp.TRUE, before, scope);
  }

  /**
   * Factors an operator whose neutral elements may be unspecified if they are not needed.
   *
   * @param needed a boolean operand that is true if the neutral elements are needed
   */
  public static VectorOperator of(
      Lambda op, List<SubExp> neutral, SubExp needed, Builder before, Scope scope) {
    List<SubExp> shape = new ArrayList<>();
    Lambda l = op;
    while (l.results().stream().anyMatch(t -> t.rank() > 0)) {
      Scremas.Elementwise map = Scremas.elementwise(l);
      if (map == null) {
        break;
      }
      shape.add(map.width());
      l = map.op();
    }
    if (shape.isEmpty()) {
      return new VectorOperator(shape, op, neutral);
    }
    List<SubExp> elements = new ArrayList<>();
    for (SubExp e : neutral) {
      elements.add(first(e, shape.size(), needed, before, scope));
    }
    return new VectorOperator(shape, new Renamer(before.names()).lambda(l), elements);
  }

  /** Returns the operator on elements of an operator that works elementwise on arrays. */
  public static Lambda elements(Lambda op) {
    Lambda l = op;
    while (l.results().stream().anyMatch(t -> t.rank() > 0)) {
      Scremas.Elementwise map = Scremas.elementwise(l);
      if (map == null) {
        break;
      }
      l = map.op();
    }
    return l;
  }

  /**
   * Returns the first element of an array in its outer dimensions. If the array is empty, returns
   * zero or an array with unspecified contents.
   *
   * @param dims the number of outer dimensions to remove
   */
  public static SubExp first(SubExp array, int dims, Builder before, Scope scope) {
    return first(array, dims, SubExp.TRUE, before, scope);
  }

  private static SubExp first(SubExp array, int dims, SubExp needed, Builder before, Scope scope) {
    if (!(array instanceof SubExp.Var v) || scope.type(array).rank() == 0) {
      return array;
    }
    Type t = scope.type(array);
    Type elem = t.peel(dims);
    List<SubExp> zeros = new ArrayList<>();
    for (int d = 0; d < dims; d++) {
      zeros.add(SubExp.i64(0));
    }
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
