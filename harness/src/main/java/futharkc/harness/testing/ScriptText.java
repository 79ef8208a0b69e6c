package futharkc.harness.testing;

import futharkc.core.runtime.OpaqueValue;
import futharkc.core.runtime.Opaques;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.ValueType;
import futharkc.core.runtime.data.ValueDisplay;
import java.util.ArrayList;
import java.util.List;

/** The text of the values of FutharkScript expressions, as {@code futhark script} prints them. */
public final class ScriptText {
  private ScriptText() {}

  /**
   * Returns the text of a value.
   *
   * @throws ScriptException if the value is a function or of an abstract type
   */
  public static String of(ScriptValue value) throws ScriptException {
    return switch (value) {
      case ScriptValue.Tuple t -> tuple(t.components());
      case ScriptValue.Record r -> {
        List<String> fields = new ArrayList<>();
        for (var field : r.fields().entrySet()) {
          fields.add(field.getKey() + "=" + of(field.getValue()));
        }
        yield "{" + String.join(", ", fields) + "}";
      }
      case ScriptValue.Atom(Value v, boolean _) -> atom(v, value);
      case ScriptValue.Function _ -> throw cannotShow(value);
    };
  }

  private static String tuple(List<ScriptValue> components) throws ScriptException {
    List<String> texts = new ArrayList<>();
    for (ScriptValue component : components) {
      texts.add(of(component));
    }
    return "(" + String.join(", ", texts) + ")";
  }

  private static String atom(Value value, ScriptValue whole) throws ScriptException {
    if (!(value instanceof OpaqueValue o)) {
      return ValueDisplay.withSuffixes(value);
    }
    return switch (o.type().structure()) {
      case ValueType.Record r -> {
        Value[] fields = Opaques.unpack(o);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < fields.length; i++) {
          String text = of(new ScriptValue.Atom(fields[i], false));
          texts.add(r.isTuple() ? text : r.fields()[i].name() + "=" + text);
        }
        String all = String.join(", ", texts);
        yield r.isTuple() ? "(" + all + ")" : "{" + all + "}";
      }
      case ValueType.Sum _, ValueType.ArrayOf _ -> ValueDisplay.withSuffixes(value);
      case ValueType.Abstract _ -> throw cannotShow(whole);
    };
  }

  private static ScriptException cannotShow(ScriptValue value) {
    return new ScriptException("Cannot show a value of type " + value.typeName());
  }
}
