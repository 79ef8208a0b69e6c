package futharkc.pass.loops;

import futharkc.core.ir.Loc;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.Remark;
import java.util.List;

/** Rewrites a function, counts what it rewrites, and says how much it was. */
abstract class CountedRewriting extends CodeMapper {
  /** For what is new. */
  final NameSource names;

  private final ImperativeProgram.Function function;
  private int found;

  CountedRewriting(ImperativeProgram.Function function) {
    this.function = function;
    this.names = new NameSource(function.nextTag());
  }

  /** Counts one more. */
  final void count() {
    found++;
  }

  /**
   * The function rewritten, which is said; or as it is, if nothing is found.
   *
   * @param done what was done
   * @param things to what, in the plural
   */
  final ImperativeProgram.Function rewritten(PassContext context, String done, String things) {
    List<Code> body = statements(function.body());
    if (found == 0) return function;
    String what = done + " " + found + " " + things;
    context.remark(Remark.Kind.APPLIED, function.name(), Loc.NONE, what);
    return function.withBody(body, names.next());
  }
}
