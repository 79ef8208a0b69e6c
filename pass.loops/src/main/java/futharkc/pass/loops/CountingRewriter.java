package futharkc.pass.loops;

import futharkc.core.ir.Loc;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.Remark;
import java.util.List;

/**
 * A mapper that rewrites a function, counts its rewritings, and reports their number in a remark.
 */
abstract class CountingRewriter extends CodeMapper {
  /** The source of fresh names. */
  final NameSource names;

  private final ImperativeProgram.Function function;
  private int found;

  CountingRewriter(ImperativeProgram.Function function) {
    this.function = function;
    this.names = new NameSource(function.nextTag());
  }

  /** Counts one rewriting. */
  final void count() {
    found++;
  }

  /**
   * Returns the rewritten function after a remark; the function itself if nothing was rewritten.
   *
   * @param done the verb of the remark, in the past tense
   * @param things the rewritten objects, in the plural
   */
  final ImperativeProgram.Function rewritten(PassContext context, String done, String things) {
    List<Code> body = statements(function.body());
    if (found == 0) {
      return function;
    }
    String what = done + " " + found + " " + things;
    context.remark(Remark.Kind.APPLIED, function.name(), Loc.NONE, what);
    return function.withBody(body, names.next());
  }
}
