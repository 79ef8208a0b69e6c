package futharkc.pass.loops;

import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.Variables;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A test for whether an access in a loop depends on the loop's index, directly or through scalars.
 */
final class IndexDependence {
  private final Set<Name> depends = new HashSet<>();
  private boolean found;

  private IndexDependence(Name index) {
    depends.add(index);
  }

  static boolean dependOnIndex(Code.For loop) {
    IndexDependence o = new IndexDependence(loop.index());
    o.walk.statements(loop.body());
    return o.found;
  }

  private boolean depends(Expr e) {
    return !Collections.disjoint(depends, Variables.in(List.of(new Code.Operand.Scalar(e))));
  }

  /** The traversal of statements, in order. */
  private final CodeMapper walk =
      new CodeMapper() {
        @Override
        public Code statement(Code code) {
          if (found || code instanceof Code.Parallel || code instanceof Code.ChainedScan) {
            return code;
          }
          switch (code) {
            case Code.Declare d when d.value() != null && depends(d.value()) ->
                depends.add(d.name());
            case Code.Assign a when depends(a.value()) -> depends.add(a.name());
            case Code.For f when depends(f.from()) -> depends.add(f.index());
            default -> {}
          }
          return super.statement(code);
        }

        @Override
        public Expr expr(Expr e) {
          return e instanceof Expr.Index ? e : super.expr(e);
        }

        /** Records the offset of an access. */
        @Override
        public Poly poly(Poly index) {
          found |= index.mentions(depends);
          return index;
        }
      };
}
