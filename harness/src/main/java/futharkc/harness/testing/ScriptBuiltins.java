package futharkc.harness.testing;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Built-in functions of FutharkScript that only some commands have. */
@FunctionalInterface
public interface ScriptBuiltins {
  /**
   * Calls a function.
   *
   * @param name the name, which starts with {@code $}
   * @return the result, or null if there is no such function with this number of arguments
   * @throws ScriptException if the arguments do not fit
   * @throws IOException if a file cannot be read or written
   */
  @Nullable ScriptValue call(String name, List<ScriptValue> args)
      throws ScriptException, IOException;
}
