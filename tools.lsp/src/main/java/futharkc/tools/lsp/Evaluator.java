package futharkc.tools.lsp;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An evaluator of expressions in the scope of a program. */
@FunctionalInterface
public interface Evaluator {
  /**
   * Evaluates an expression within limits of time and memory.
   *
   * @param path the path of the program, whose definitions are in scope
   * @param reader a function from a path to the text of a file, or null
   * @param expression the expression
   * @return the value, or the message of an error
   */
  String evaluate(String path, Function<String, @Nullable String> reader, String expression);
}
