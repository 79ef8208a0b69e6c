package futharkc.pass.writefusion;

import futharkc.core.ir.Loc;
import futharkc.core.ir.Stm;
import futharkc.core.ir.spi.Decisions;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.Remark;

/** Says of each write, and of each of its producers, what was done or why not; counts. */
final class Remarks {
  private final Decisions decisions;

  /** For one function. */
  Remarks(PassContext context, String function) {
    decisions = new Decisions(context, function);
  }

  /** Whether another fusion is allowed. */
  boolean mayGoOn() {
    return decisions.mayGoOn();
  }

  void fused(Stm first, Stm second, String what) {
    decisions.count();
    report(Remark.Kind.APPLIED, second, what + from(first));
  }

  void missed(Stm first, Stm second, String what) {
    report(Remark.Kind.MISSED, second, what + from(first));
  }

  /** Something was left out because of a proof; counts as a fusion. */
  void proved(Stm write, String what) {
    decisions.count();
    report(Remark.Kind.APPLIED, write, what);
  }

  void missed(Stm write, String what) {
    report(Remark.Kind.MISSED, write, what);
  }

  void applied(Stm write, String what) {
    report(Remark.Kind.APPLIED, write, what);
  }

  void note(Stm write, String what) {
    report(Remark.Kind.NOTE, write, what);
  }

  private static String from(Stm first) {
    Loc loc = first.aux().loc();
    return loc.equals(Loc.NONE) ? "" : " (from " + loc + ")";
  }

  private void report(Remark.Kind kind, Stm at, String message) {
    decisions.say(kind, at.aux().loc(), message);
  }
}
