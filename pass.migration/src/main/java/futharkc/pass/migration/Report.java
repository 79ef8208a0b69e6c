package futharkc.pass.migration;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Stm;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.Remark;

/** Says which reads of the host stay, and why, and what moves. */
final class Report {
  private final PassContext context;
  private final String function;

  Report(PassContext context, String function) {
    this.context = context;
    this.function = function;
  }

  /** Reports a read of an element that the host waits for. */
  void stays(Stm read, String reason) {
    BasicOp.Index x = (BasicOp.Index) read.exp();
    context.remark(
        Remark.Kind.MISSED,
        function,
        read.aux().loc(),
        "the host reads an element of " + x.array().base() + ": " + reason);
  }

  /** Reports a read of an element that kernels perform themselves. */
  void inPlace(Stm read) {
    BasicOp.Index x = (BasicOp.Index) read.exp();
    context.remark(
        Remark.Kind.APPLIED,
        function,
        read.aux().loc(),
        "kernels read an element of " + x.array().base() + " themselves, not the host");
  }

  /** Reports an update of an element by a kernel. */
  void updated(Stm s) {
    BasicOp.Update u = (BasicOp.Update) s.exp();
    context.remark(
        Remark.Kind.APPLIED,
        function,
        s.aux().loc(),
        "a kernel updates an element of " + u.array().base() + " at an index of the device");
  }

  /**
   * Reports a statement that the device evaluates.
   *
   * @param free true if the host reads none of the statement's results
   */
  void moved(Stm s, boolean free) {
    String what =
        switch (s.exp()) {
          case BasicOp.Index x -> "a read of an element of " + x.array().base();
          case BasicOp.ArrayLit _ -> "an array literal";
          case BasicOp.Assert _ -> "a check";
          case Exp.Match _ -> "a branch";
          case Exp.Loop _ -> "a loop";
          default -> s.pat().get(0).name().base();
        };
    context.remark(
        Remark.Kind.APPLIED,
        function,
        s.aux().loc(),
        "the device evaluates " + what + (free ? "" : ", and the host reads the result"));
  }
}
