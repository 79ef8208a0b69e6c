package futharkc.tests;

import futharkc.core.ir.PrimType;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.data.ValueWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The golden files of all passes, and random values for their programs. */
final class GoldenValues {
  /** The line between the two programs of a golden file. */
  static final String SEPARATOR = "=====\n";

  private GoldenValues() {}

  /** Returns all golden files of passes that hold two programs. */
  static List<Path> files(String extension) throws IOException {
    List<Path> all = new ArrayList<>();
    try (Stream<Path> modules = Files.list(Path.of(".."))) {
      for (Path module :
          modules.filter(m -> m.getFileName().toString().startsWith("pass.")).toList()) {
        Path resources = module.resolve("src/test/resources");
        if (!Files.isDirectory(resources)) {
          continue;
        }
        try (Stream<Path> files = Files.walk(resources)) {
          for (Path file : files.filter(f -> f.toString().endsWith(extension)).sorted().toList()) {
            if (Files.readString(file).contains(SEPARATOR)) {
              all.add(file);
            }
          }
        }
      }
    }
    return all;
  }

  /** Returns a scalar: the given value, or a random one if {@code value} is null. */
  static Value scalar(PrimType type, @Nullable Long value, Random random) {
    return array(type, new long[] {1}, random, value).element(0);
  }

  /** Returns an array of small numbers with few significant digits. */
  static ArrayValue array(PrimType type, long[] shape, Random random) {
    return array(type, shape, random, null);
  }

  private static ArrayValue array(
      PrimType type, long[] shape, Random random, @Nullable Long value) {
    ElemType elem = ElemType.valueOf(type.name());
    int n = Math.toIntExact(ArrayValue.size(shape));
    ArrayValue array = new ArrayValue(elem, shape, elem.newArray(n));
    for (int i = 0; i < n; i++) {
      long x = value != null ? value : random.nextInt(12) - 3;
      array.setElement(
          i,
          switch (type) {
            case F16 -> Scalar.f16(Float.floatToFloat16(x / 2f));
            case F32 -> Scalar.f32(x / 2f);
            case F64 -> Scalar.f64(x / 2d);
            case BOOL -> Scalar.bool(x > 2);
            case I8, I16, I32, I64, UNIT -> new Scalar(elem, x);
          });
    }
    return array;
  }

  static List<Value> copies(List<Value> values) {
    return values.stream().map(GoldenValues::copy).toList();
  }

  private static Value copy(Value v) {
    if (!(v instanceof ArrayValue a)) {
      return v;
    }
    ArrayValue copy = new ArrayValue(a.elemType(), a.shape(), a.elemType().newArray(a.length()));
    for (int i = 0; i < a.length(); i++) {
      copy.setElement(i, a.element(i));
    }
    return copy;
  }

  static String text(List<Value> values) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ValueWriter out = new ValueWriter(bytes);
    for (Value v : values) {
      out.text(v);
      out.newline();
    }
    out.flush();
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
