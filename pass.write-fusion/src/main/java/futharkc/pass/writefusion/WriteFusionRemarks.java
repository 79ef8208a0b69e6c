package futharkc.pass.writefusion;

import futharkc.core.ir.Loc;
import futharkc.core.ir.Stm;
import futharkc.core.ir.spi.Decisions;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.Remark;

/** Reports the decisions for each write and its producers as remarks, and counts fusions. */
final class WriteFusionRemarks {
  private final Decisions decisions;

  /** Creates the remarks of one function. */
  WriteFusionRemarks(PassContext context, String function) {
    decisions = new Decisions(context, function);
  }

  /** Tests whether the limit on fusions permits another one. */
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

  /** Reports a removal that a proof permits, and counts it as a fusion. */
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
