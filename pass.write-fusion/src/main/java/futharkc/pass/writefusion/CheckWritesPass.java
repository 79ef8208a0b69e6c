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
 * Adds checks for conflicting writes: writes of different values to one index, whose result is
 * unspecified. Writes of equal values do not conflict.
 *
 * <p>After each write, the program computes the indices and values again and compares the values
 * with the elements of the array. Of two different values at an index, at least one differs from
 * the element. So the check needs no marks and no locks, and later passes can optimise the write.
 * The cost is about that of a second write.
 *
 * <pre>{@code
 * let b = with_acc acc([k], {a}) ... screma(n, {acc, is, vs})
 * =>
 * let c = with_acc acc([k], {a}) ... screma(n, {acc, is, vs})
 * let ok = screma(n, {is, vs}) map \i v -> i in range => assert(c[i] == v) reduce (&&)
 * let b = cert{assert(ok)} c
 * }</pre>
 *
 * <p>A write with indices proved distinct gets no check; a remark reports it.
 *
 * <p>Known gaps: the pass does not check updates in a loop or branch, nor writes that are fused
 * with a map that overwrites its inputs; a remark reports these.
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
    var remarks = new WriteFusionRemarks(context, function.name());
    Scope scope = Scope.ofAll(program, function);
    var proofs = new IndexProofs(function, scope, names);
    Body body =
        new Mapper() {
          @Override
          public Body body(Body b) {
            Body inner = super.body(b);
            List<Stm> out = new ArrayList<>();
            for (Stm s : inner.stms()) {
              out.addAll(CheckedWrite.of(s, proofs, scope, names, remarks));
            }
            return out.size() == inner.stms().size() ? inner : new Body(out, inner.results());
          }
        }.body(function.body());
    return body == function.body() ? function : function.withBody(body, names.next());
  }
}
