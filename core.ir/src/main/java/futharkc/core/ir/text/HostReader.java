package futharkc.core.ir.text;

import futharkc.core.ir.HostOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.SizeClass;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.TuningParameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Reads operations of GPU host code. */
final class HostReader {
  private final ExpReader in;

  HostReader(ExpReader in) {
    this.in = in;
  }

  /** An expression whose first word has been read. */
  HostOp exp(String word) {
    if (word.equals("gpu_body")) return new HostOp.GpuBody(in.types(), in.body());
    if (word.equals("read")) return new HostOp.Read(in.list("(", this::element, ")"));
    in.expect("(");
    HostOp op =
        switch (word) {
          case "get_size" -> new HostOp.GetSize(parameter());
          case "get_size_max" -> new HostOp.GetSizeMax(sizeClass());
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
    String name = in.string();
    in.expect(":");
    return new TuningParameter(name, sizeClass());
  }

  private SizeClass sizeClass() {
    Token t = in.next();
    switch (t.text()) {
      case "threshold" -> {
        in.expect("(");
        Long defaultValue = in.skip("def") ? null : Long.valueOf(in.number());
        List<SizeClass.Compared> path = new ArrayList<>();
        while (in.skip(",")) {
          boolean reached = !in.skip("not");
          path.add(new SizeClass.Compared(in.string(), reached));
        }
        in.expect(")");
        return new SizeClass.Threshold(defaultValue, path);
      }
      case "bespoke" -> {
        in.expect("(");
        String name = in.string();
        in.expect(",");
        long defaultValue = in.number();
        in.expect(")");
        return new SizeClass.Bespoke(name, defaultValue);
      }
      default -> {
        for (SizeClass.Plain c : SizeClass.Plain.values()) {
          if (c.name().toLowerCase(Locale.ROOT).equals(t.text())) return c;
        }
        throw in.error(t, "unknown class of tuning parameters " + t.text());
      }
    }
  }
}
