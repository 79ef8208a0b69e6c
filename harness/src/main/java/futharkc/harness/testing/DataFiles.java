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

/** Reads and writes files of values. */
public final class DataFiles {
  private DataFiles() {}

  /**
   * All values in a file, in text or binary form; compressed if its name ends in {@code .gz}.
   *
   * @throws IOException if it cannot be read, or has something else in it
   */
  public static List<Value> read(Path file) throws IOException {
    try (InputStream raw = Files.newInputStream(file)) {
      InputStream in = file.toString().endsWith(".gz") ? new GZIPInputStream(raw, 1 << 16) : raw;
      return readAll(in);
    }
  }

  /**
   * As {@link #read(Path)}, of given types: that of a number without suffix is the one that is
   * wanted. Where there is no type, or an opaque one, a value is of the type that it shows.
   *
   * @throws IOException also if a value is of another type
   */
  public static List<Value> read(Path file, List<ValueType> types) throws IOException {
    try (InputStream raw = Files.newInputStream(file)) {
      InputStream in = file.toString().endsWith(".gz") ? new GZIPInputStream(raw, 1 << 16) : raw;
      return readAll(new ValueReader(in), types);
    }
  }

  /** All values that a reader has, of given types as in {@link #read(Path, List)}. */
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

  /** All values in a stream, in text or binary form. */
  public static List<Value> readAll(InputStream in) throws IOException {
    List<Value> values = new ArrayList<>();
    ValueReader reader = new ValueReader(in);
    while (!reader.atEnd()) {
      values.add(reader.readAny());
    }
    return values;
  }

  /** Writes values to a file, in binary form. */
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
