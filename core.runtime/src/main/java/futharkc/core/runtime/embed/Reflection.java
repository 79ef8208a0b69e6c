package futharkc.core.runtime.embed;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reflective access to the records of a user's program. */
final class Reflection {
  private Reflection() {}

  static @Nullable Object get(RecordComponent component, Record record) {
    try {
      component.getAccessor().trySetAccessible();
      return component.getAccessor().invoke(record);
    } catch (IllegalAccessException e) {
      throw inaccessible(record.getClass(), e);
    } catch (InvocationTargetException e) {
      throw new IllegalArgumentException(e.getCause());
    }
  }

  /**
   * Constructs a record.
   *
   * @param order a permutation of the record's components
   * @param values the values of the components, in the order of {@code order}
   */
  static Object construct(Class<?> c, RecordComponent[] order, @Nullable Object[] values) {
    RecordComponent[] components = c.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    @Nullable Object[] arguments = new @Nullable Object[components.length];
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
      String name = components[i].getName();
      for (int j = 0; j < order.length; j++) {
        if (order[j].getName().equals(name)) {
          arguments[i] = values[j];
        }
      }
    }
    try {
      Constructor<?> constructor = c.getDeclaredConstructor(types);
      constructor.trySetAccessible();
      return constructor.newInstance(arguments);
    } catch (IllegalAccessException e) {
      throw inaccessible(c, e);
    } catch (InvocationTargetException e) {
      throw new IllegalArgumentException(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("record without " + Arrays.toString(types), e);
    }
  }

  private static IllegalArgumentException inaccessible(Class<?> c, IllegalAccessException e) {
    return new IllegalArgumentException(
        c.getName()
            + " cannot be accessed: its package has to be exported or opened to"
            + " futharkc.core.runtime",
        e);
  }
}
