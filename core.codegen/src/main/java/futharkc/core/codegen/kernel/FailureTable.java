package futharkc.core.codegen.kernel;

import futharkc.core.codegen.Backtraces;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.device.KernelSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A numbered table of the failures that a program's kernels can report. */
final class FailureTable {
  private final List<KernelSource.Failure> all = new ArrayList<>();

  /**
   * Adds the message of a check.
   *
   * @param values receives the values of the message's arguments
   * @return the number of the failure
   */
  int add(Code.Assert check, List<Expr> values) {
    List<String> pieces = new ArrayList<>();
    List<ElemType> types = new ArrayList<>();
    StringBuilder piece = new StringBuilder();
    for (Code.MessagePart part : check.message()) {
      switch (part) {
        case Code.MessagePart.Text t -> piece.append(t.text());
        case Code.MessagePart.Value v -> {
          pieces.add(piece.toString());
          piece.setLength(0);
          values.add(v.value());
          types.add(type(v.value().type(), v.unsigned()));
        }
      }
    }
    pieces.add(piece.toString());
    all.add(new KernelSource.Failure(pieces, types, Backtraces.text(check.trace())));
    return all.size() - 1;
  }

  private static ElemType type(PrimType t, boolean unsigned) {
    return unsigned && t.isInt()
        ? ElemType.valueOf("U" + t.bits())
        : ElemType.valueOf(t.toString().toUpperCase(Locale.ROOT));
  }

  List<KernelSource.Failure> all() {
    return List.copyOf(all);
  }
}
