package futharkc.core.codegen.java;

import futharkc.core.codegen.Writer;
import futharkc.core.ir.Machine;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The constant arrays of a program. A small array is an array initialiser. A larger array is a
 * string literal, which is decoded at the first use. Code that fills such an array element by
 * element would exceed the size limit of a method.
 */
final class ConstantArrays {
  private record Key(PrimType elem, List<PrimValue> values) {}

  private final Machine.Methods limits;
  private final Map<Key, String> known = new HashMap<>();
  private final List<Writer> classes = new ArrayList<>();

  ConstantArrays(Machine.Methods limits) {
    this.limits = limits;
  }

  /** Returns an expression for a read-only array of these values. */
  String add(PrimType elem, List<PrimValue> values) {
    return known.computeIfAbsent(new Key(elem, values), this::write);
  }

  Writer classes() {
    Writer all = new Writer();
    for (Writer w : classes) {
      all.add(w);
    }
    return all;
  }

  private String write(Key k) {
    String c = "Constants" + classes.size();
    Writer out = new Writer();
    classes.add(out);
    out.open("final class " + c + " {");
    String type = JavaTypes.block(k.elem);
    if (k.values.size() <= limits.smallArray()) {
      List<String> elements = k.values.stream().map(JavaTypes::constant).toList();
      out.line("static final " + type + " VALUES = {" + String.join(", ", elements) + "};");
    } else {
      List<String> parts = encode(k);
      String decode = "Blocks.decode" + k.elem.toString().toUpperCase(Locale.ROOT);
      out.line(
          "static final "
              + type
              + " VALUES = "
              + decode
              + "("
              + k.values.size()
              + ", "
              + String.join(", ", parts)
              + ");");
    }
    out.close("}");
    return c + ".VALUES";
  }

  private List<String> encode(Key k) {
    int bits = k.elem.bits();
    int chars = Math.max(1, bits / 16);
    List<String> parts = new ArrayList<>();
    StringBuilder s = new StringBuilder("\"");
    int n = 0;
    for (PrimValue v : k.values) {
      long x =
          switch (k.elem) {
            case F16 -> Float.floatToFloat16((float) v.asDouble());
            case F32 -> Float.floatToRawIntBits((float) v.asDouble());
            default -> v.bits();
          };
      for (int i = 0; i < chars; i++) {
        int c = (int) (x >>> (16 * i)) & (bits < 16 ? 0xff : 0xffff);
        if (c >= 32 && c <= 126 && c != '"' && c != '\\') {
          s.append((char) c);
        } else if (c == '"' || c == '\\' || c == '\n' || c == '\r') {
          s.append(c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\" + (char) c);
        } else {
          s.append(String.format("\\u%04x", c));
        }
        if (++n == limits.literal()) {
          parts.add(s.append('"').toString());
          s = new StringBuilder("\"");
          n = 0;
        }
      }
    }
    if (n > 0) {
      parts.add(s.append('"').toString());
    }
    return parts;
  }
}
