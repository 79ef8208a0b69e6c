package futharkc.pass.writefusion;

import futharkc.core.ir.Body;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.Scope;
import futharkc.core.ir.Stm;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Property;
import java.util.ArrayList;
import java.util.List;

/**
 * Lets the program report writes of different values to one index, which leave it unspecified which
 * of them stays. Equal values are fine.
 *
 * <p>After each write, its indices and values are computed once more and compared with what the
 * array holds now: of two different values at an index, at least one is not there. So neither marks
 * nor locks are needed, and what comes later may optimise the write as ever. It costs as much as
 * the write once more.
 *
 * <pre>{@code
 * let b = with_acc acc([k], {a}) ... screma(n, {acc, is, vs})
 * =>
 * let c = with_acc acc([k], {a}) ... screma(n, {acc, is, vs})
 * let ok = screma(n, {is, vs}) map \i v -> i in range => assert(c[i] == v) reduce (&&)
 * let b = cert{assert(ok)} c
 * }</pre>
 *
 * <p>Where the indices of a write are proved to be distinct, it is not checked; a remark says so.
 *
 * <p>Known gaps: updates of an accumulator that a loop or a branch makes are not checked, nor,
 * where writes are fused already, what overwrites what it reads; a remark says which.
 */
public final class CheckWritesPass implements Pass.OnFunction {
  @Override
  public PassInfo info() {
    return PassInfo.named(
            "check-writes",
            "makes the program report writes of different values to one index",
            Rep.SOACS)
        .destroys(Property.SIMPLIFIED, Property.FUSED)
        .before("soacs-early")
        .optional();
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public FunDef run(FunDef function, Program program, PassContext context) {
    var names = new NameSource(function.nextTag());
    var remarks = new Remarks(context, function.name());
    Scope scope = Scope.ofAll(program, function);
    var proofs = new IndexProofs(function, scope, names);
    Body body =
        new Mapper() {
          @Override
          public Body body(Body b) {
            Body inner = super.body(b);
            List<Stm> out = new ArrayList<>();
            for (Stm s : inner.stms())
              out.addAll(CheckedWrite.of(s, proofs, scope, names, remarks));
            return out.size() == inner.stms().size() ? inner : new Body(out, inner.results());
          }
        }.body(function.body());
    return body == function.body() ? function : function.withBody(body, names.next());
  }
}
