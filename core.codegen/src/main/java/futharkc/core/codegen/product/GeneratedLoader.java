package futharkc.core.codegen.product;

import futharkc.core.runtime.FutharkProgram;
import java.util.Map;

/** A class loader for generated classes. Its classes are unloaded with it. */
final class GeneratedLoader extends ClassLoader {
  private final Map<String, byte[]> classes;

  private GeneratedLoader(Map<String, byte[]> classes, ClassLoader libraries) {
    super(libraries);
    this.classes = classes;
  }

  /**
   * Returns an instance of the program class.
   *
   * @param libraries the class loader of the libraries that the program uses
   */
  static FutharkProgram load(Map<String, byte[]> classes, String program, ClassLoader libraries) {
    try {
      Class<?> c = new GeneratedLoader(classes, libraries).loadClass(program);
      return (FutharkProgram) c.getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("generated program cannot be loaded", e);
    }
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] code = classes.get(name);
    if (code == null) {
      throw new ClassNotFoundException(name);
    }
    return defineClass(name, code, 0, code.length);
  }
}
