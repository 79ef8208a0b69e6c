package futharkc.integration.spark;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.io.UncheckedIOException;

/** Java's serialised form of an object. */
final class SerializedForm {
  private SerializedForm() {}

  /** Returns the bytes of an object. */
  static byte[] write(Serializable object) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** Returns the object of some bytes. Spark's class loader finds the classes of added jars. */
  static <T> T read(byte[] bytes, Class<T> type) {
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes)) {
          @Override
          protected Class<?> resolveClass(ObjectStreamClass described)
              throws IOException, ClassNotFoundException {
            ClassLoader context = Thread.currentThread().getContextClassLoader();
            try {
              return Class.forName(described.getName(), false, context);
            } catch (ClassNotFoundException e) {
              return super.resolveClass(described);
            }
          }
        }) {
      return type.cast(in.readObject());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(
          "The class path of the executor lacks a class of the job: " + e.getMessage(), e);
    }
  }
}
