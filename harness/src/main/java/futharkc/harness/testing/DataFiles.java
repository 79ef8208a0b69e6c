package futharkc.harness.testing;

import futharkc.core.runtime.Value;
import futharkc.core.runtime.ValueType;
import futharkc.core.runtime.data.ValueReader;
import futharkc.core.runtime.data.ValueSyntaxException;
import futharkc.core.runtime.data.ValueWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** Input and output of files with values. */
public final class DataFiles {
  private DataFiles() {}

  /**
   * Reads all values in a file, in text or binary form. A file with the suffix {@code .gz} is
   * decompressed.
   *
   * @throws IOException if the file cannot be read or contains something else
   */
  public static List<Value> read(Path file) throws IOException {
    try (InputStream raw = Files.newInputStream(file)) {
      InputStream in = file.toString().endsWith(".gz") ? new GZIPInputStream(raw, 1 << 16) : raw;
      return readAll(in);
    }
  }

  /**
   * Reads all values in a file with expected types, as {@link #read(Path)} does. A number without a
   * suffix gets the expected type. A value without an expected type, or with an opaque one, gets
   * the type of its literal.
   *
   * @throws IOException also if a value has another type
   */
  public static List<Value> read(Path file, List<ValueType> types) throws IOException {
    try (InputStream raw = Files.newInputStream(file)) {
      InputStream in = file.toString().endsWith(".gz") ? new GZIPInputStream(raw, 1 << 16) : raw;
      return readAll(new ValueReader(in), types);
    }
  }

  /** Reads all values from a reader with expected types, see {@link #read(Path, List)}. */
  public static List<Value> readAll(ValueReader reader, List<ValueType> types) throws IOException {
    List<Value> values = new ArrayList<>();
    while (!reader.atEnd()) {
      int i = values.size();
      ValueType type = i < types.size() ? types.get(i) : null;
      try {
        values.add(
            switch (type) {
              case ValueType.Prim p -> reader.read(p.elem(), 0);
              case ValueType.Array a -> reader.read(a.elem(), a.rank());
              case null -> reader.readAny();
              case ValueType.Opaque _ -> reader.readAny();
            });
      } catch (ValueSyntaxException e) {
        throw new IOException("value " + (i + 1) + ": " + e.getMessage(), e);
      }
    }
    return values;
  }

  /** Reads all values in a stream, in text or binary form. */
  public static List<Value> readAll(InputStream in) throws IOException {
    List<Value> values = new ArrayList<>();
    ValueReader reader = new ValueReader(in);
    while (!reader.atEnd()) {
      values.add(reader.readAny());
    }
    return values;
  }

  /** Writes values to a file in binary form. */
  public static void write(Path file, List<Value> values) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      ValueWriter writer = new ValueWriter(out);
      for (Value value : values) {
        writer.binary(value);
      }
      writer.flush();
    }
  }
}
