package futharkc.pass.galop;

import futharkc.core.ir.Name;
import futharkc.core.ir.Stm;
import futharkc.core.ir.memory.ElementAccess;
import futharkc.core.ir.spi.Remark;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Remarks about accesses to elements that stay apart, with the reason. */
final class KeptAccesses {
  private KeptAccesses() {}

  /** An access of an operation that has had its remark. */
  private record Reported(Name operation, Name block, ElementAccess.Kind kind) {}

  /**
   * Reports the accesses of a function after all choices.
   *
   * @param copies the choice of copies; null if nothing is copied
   */
  static void report(AnalysedFunction f, @Nullable LayoutCopies copies) {
    Set<Reported> done = new HashSet<>();
    for (ElementAccess a : f.accesses()) {
      Stm operation = a.operation();
      if (operation == null || !f.traffic().isApart(a, a.place().lmad())) {
        continue;
      }
      Name block = a.place().block();
      String why = reason(f, a, operation, copies);
      if (why == null || !done.add(new Reported(operation.names().get(0), block, a.kind()))) {
        continue;
      }
      String what =
          operation.names().get(0)
              + (a.kind() == ElementAccess.Kind.READ ? " reads " : " writes ")
              + a.array()
              + (f.program().rep().hasDevice()
                  ? " with elements of neighbouring threads apart: "
                  : " with consecutive elements apart: ")
              + why;
      f.context().remark(Remark.Kind.MISSED, f.function().name(), a.loc(), what);
    }
  }

  private static @Nullable String reason(
      AnalysedFunction f, ElementAccess a, Stm operation, @Nullable LayoutCopies copies) {
    if (a.kind() != ElementAccess.Kind.READ) {
      return "the layout of the array is fixed, or serves other accesses better";
    }
    if (copies == null) {
      return "nothing is copied";
    }
    String refusal = copies.refusal(operation, a.place().block());
    return refusal != null && f.traffic().isStaged(a, a.place().lmad())
        ? "shared memory or a cache may serve the rows"
        : refusal;
  }
}
