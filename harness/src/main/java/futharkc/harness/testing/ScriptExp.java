package futharkc.harness.testing;

import futharkc.core.runtime.Value;
import java.util.List;
import java.util.Map;

/** An expression of FutharkScript, a language for computed test inputs. */
public sealed interface ScriptExp {
  /**
   * A call of an entry point or built-in function, or a variable, which has no arguments.
   *
   * @param name the name; a built-in function's name starts with {@code $}
   */
  record Call(String name, List<ScriptExp> args) implements ScriptExp {}

  /** A scalar or array. */
  record Constant(Value value) implements ScriptExp {}

  /** A string, which evaluates to its UTF-8 bytes as an array of {@code u8}. */
  record Text(String string) implements ScriptExp {}

  /** A tuple of zero, two or more components. */
  record Tuple(List<ScriptExp> components) implements ScriptExp {}

  /** A record with its fields in source order. */
  record Record(Map<String, ScriptExp> fields) implements ScriptExp {}

  /** A projection of a field from a record. */
  record Project(ScriptExp record, String field) implements ScriptExp {}

  /** An element of an array. */
  record Index(ScriptExp array, List<ScriptExp> indices) implements ScriptExp {}

  /**
   * A binding of names in an expression.
   *
   * @param names one name, or a name for each component of a tuple
   */
  record Let(List<String> names, ScriptExp value, ScriptExp body) implements ScriptExp {}

  /** Returns the expression as text on one line. */
  default String text() {
    StringBuilder text = new StringBuilder();
    print(this, false, text);
    return text.toString();
  }

  private static void print(ScriptExp exp, boolean isArgument, StringBuilder text) {
    switch (exp) {
      case Call call -> {
        boolean parens = isArgument && !call.args.isEmpty();
        text.append(parens ? "(" : "").append(call.name);
        for (ScriptExp arg : call.args) {
          text.append(' ');
          print(arg, true, text);
        }
        text.append(parens ? ")" : "");
      }
      case Constant constant -> text.append(ValueText.of(constant.value));
      case Text string ->
          text.append('"')
              .append(string.string.replace("\\", "\\\\").replace("\"", "\\\""))
              .append('"');
      case Tuple tuple -> {
        text.append('(');
        printAll(tuple.components, text);
        text.append(')');
      }
      case Record record -> {
        text.append('{');
        String separator = "";
        for (Map.Entry<String, ScriptExp> field : record.fields.entrySet()) {
          text.append(separator).append(field.getKey()).append('=');
          print(field.getValue(), false, text);
          separator = ", ";
        }
        text.append('}');
      }
      case Project project -> {
        print(project.record, true, text);
        text.append('.').append(project.field);
      }
      case Index index -> {
        print(index.array, true, text);
        text.append('[');
        printAll(index.indices, text);
        text.append(']');
      }
      case Let let -> {
        text.append(isArgument ? "(let " : "let ");
        text.append(
            let.names.size() == 1 ? let.names.get(0) : "(" + String.join(", ", let.names) + ")");
        text.append(" = ");
        print(let.value, false, text);
        text.append(" in ");
        print(let.body, false, text);
        text.append(isArgument ? ")" : "");
      }
    }
  }

  private static void printAll(List<ScriptExp> exps, StringBuilder text) {
    for (int i = 0; i < exps.size(); i++) {
      text.append(i == 0 ? "" : ", ");
      print(exps.get(i), false, text);
    }
  }
}
