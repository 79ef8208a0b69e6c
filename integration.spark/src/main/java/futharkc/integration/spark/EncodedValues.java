package futharkc.integration.spark;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.Opaques;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.ValueType;
import futharkc.core.runtime.data.ValueReader;
import futharkc.core.runtime.data.ValueWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** The form of values between JVMs: the binary data format of Futhark, part by part. */
final class EncodedValues {
  private EncodedValues() {}

  /** Returns the size of a value's elements in bytes. */
  static long bytes(Value value) {
    long bytes = 0;
    for (Value part : Opaques.parts(value)) {
      bytes += part instanceof ArrayValue array ? array.bytes() : Long.BYTES;
    }
    return bytes;
  }

  /** Returns the bytes of values. */
  static byte[] encode(List<Value> values) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      ValueWriter writer = new ValueWriter(bytes);
      for (Value value : values) {
        for (Value part : Opaques.parts(value)) {
          writer.binary(part);
        }
      }
      writer.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** Returns the values of some types. */
  static List<Value> decode(byte[] bytes, List<ValueType> types) {
    ValueReader reader = new ValueReader(new ByteArrayInputStream(bytes));
    List<Value> values = new ArrayList<>();
    try {
      for (ValueType type : types) {
        List<Value> parts = new ArrayList<>();
        for (ValueType.Part part : type.parts()) {
          parts.add(reader.read(part.elem(), part.rank()));
        }
        values.add(Opaques.compose(type, parts.toArray(new Value[0])));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return values;
  }
}
