package futharkc.core.runtime;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The JVM's module of vector classes. The option {@code --add-modules} would make the JVM print a
 * warning at each start, so the module is loaded while the program runs.
 */
final class VectorModule {
  private static final String NAME = "jdk.incubator.vector";

  private static final AtomicBoolean LOADED = new AtomicBoolean();

  private VectorModule() {}

  /**
   * Loads the module if it is not loaded yet.
   *
   * @throws ReflectiveOperationException if the JVM does not have the module, or was not started
   *     with {@code --add-exports=java.base/jdk.internal.module=ALL-UNNAMED}
   */
  static synchronized void load() throws ReflectiveOperationException {
    if (LOADED.get() || ModuleLayer.boot().findModule(NAME).isPresent()) {
      return;
    }
    Method load =
        Class.forName("jdk.internal.module.Modules").getMethod("loadModule", String.class);
    try {
      load.invoke(null, NAME);
      LOADED.set(true);
    } catch (InvocationTargetException e) {
      throw new ReflectiveOperationException(e.getCause());
    }
  }
}
