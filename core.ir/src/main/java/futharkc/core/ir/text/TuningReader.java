package futharkc.core.ir.text;

import futharkc.core.ir.SizeClass;
import futharkc.core.ir.TuningParameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A parser of tuning parameters and their classes. */
final class TuningReader {
  private TuningReader() {}

  static TuningParameter parameter(Reader in) {
    String name = in.string();
    in.expect(":");
    return new TuningParameter(name, sizeClass(in));
  }

  static SizeClass sizeClass(Reader in) {
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
          if (c.name().toLowerCase(Locale.ROOT).equals(t.text())) {
            return c;
          }
        }
        throw in.error(t, "unknown class of tuning parameters " + t.text());
      }
    }
  }
}
