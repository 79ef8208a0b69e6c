package futharkc.pass.mergegpubodies;

import futharkc.core.ir.PatElem;
import futharkc.core.ir.Stm;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.Remark;
import java.util.stream.Collectors;

/** Remarks about the kernels that compute scalars. */
final class Report {
  private final PassContext context;
  private final String function;

  Report(PassContext context, String function) {
    this.context = context;
    this.function = function;
  }

  /** Reports scalars that each thread of their only user computes. */
  void byThreads(Stm kernel) {
    remark(
        kernel, "each thread of the kernel that uses " + scalars(kernel) + " computes the value");
  }

  /** Reports scalars that a reduction computes at its end. */
  void byReduction(Stm kernel) {
    remark(kernel, "the reduction computes " + scalars(kernel) + " at its end");
  }

  /** Reports scalars that a kernel of their own computes. */
  void alone(Stm kernel) {
    remark(kernel, "a kernel of one thread computes " + scalars(kernel));
  }

  private void remark(Stm kernel, String text) {
    context.remark(Remark.Kind.APPLIED, function, kernel.aux().loc(), text);
  }

  private static String scalars(Stm kernel) {
    return kernel.pat().stream()
        .map(PatElem::name)
        .map(n -> n.base())
        .distinct()
        .collect(Collectors.joining(", "));
  }
}
