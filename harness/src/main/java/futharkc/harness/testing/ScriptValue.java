package futharkc.harness.testing;

import futharkc.core.runtime.Opaques;
import futharkc.core.runtime.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a FutharkScript expression evaluates to. */
public sealed interface ScriptValue {
  /** The name of its type, for messages. */
  String typeName();

  /**
   * A value of the program's.
   *
   * @param isConstant whether it was written down, so that its type may still change
   */
  record Atom(Value value, boolean isConstant) implements ScriptValue {
    @Override
    public String typeName() {
      return Opaques.typeName(value);
    }
  }

  /** A tuple that the program does not know. */
  record Tuple(List<ScriptValue> components) implements ScriptValue {
    @Override
    public String typeName() {
      List<String> names = new ArrayList<>();
      for (ScriptValue component : components) {
        names.add(component.typeName());
      }
      return "(" + String.join(", ", names) + ")";
    }
  }

  /** A record that the program does not know. */
  record Record(Map<String, ScriptValue> fields) implements ScriptValue {
    @Override
    public String typeName() {
      List<String> names = new ArrayList<>();
      fields.forEach((name, value) -> names.add(name + ": " + value.typeName()));
      return "{" + String.join(", ", names) + "}";
    }
  }
}
