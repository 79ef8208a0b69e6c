package futharkc.core.ir.text;

import futharkc.core.ir.HostOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.TuningParameter;

/** A parser of GPU host operations. */
final class HostReader {
  private final ExpReader in;

  HostReader(ExpReader in) {
    this.in = in;
  }

  /** Reads an expression whose first word has been read. */
  HostOp exp(String word) {
    if (word.equals("gpu_body")) {
      return new HostOp.GpuBody(in.types(), in.body());
    }
    if (word.equals("read")) {
      return new HostOp.Read(in.list("(", this::element, ")"));
    }
    in.expect("(");
    HostOp op =
        switch (word) {
          case "get_size" -> new HostOp.GetSize(parameter());
          case "get_size_max" -> new HostOp.GetSizeMax(TuningReader.sizeClass(in));
          case "cmp_size_le" -> {
            TuningParameter p = parameter();
            in.expect(",");
            yield new HostOp.CmpSizeLe(p, in.subExp());
          }
          default -> {
            SubExp w = in.subExp();
            in.expect(",");
            TuningParameter max = parameter();
            in.expect(",");
            yield new HostOp.CalcNumBlocks(w, max, in.subExp());
          }
        };
    in.expect(")");
    return op;
  }

  private HostOp.Element element() {
    Name array = in.name();
    return new HostOp.Element(array, in.shape());
  }

  private TuningParameter parameter() {
    return TuningReader.parameter(in);
  }
}
