package futharkc.harness.testing;

import futharkc.core.runtime.EntryPoint;
import futharkc.core.runtime.Opaques;
import futharkc.core.runtime.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The value of a FutharkScript expression. */
public sealed interface ScriptValue {
  /** Returns the name of the value's type, for messages. */
  String typeName();

  /**
   * A value of the program.
   *
   * @param isConstant whether the value is a literal, whose type the context may still change
   */
  record Atom(Value value, boolean isConstant) implements ScriptValue {
    @Override
    public String typeName() {
      return Opaques.typeName(value);
    }
  }

  /** A tuple that is not yet an opaque value of the program. */
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

  /** A record that is not yet an opaque value of the program. */
  record Record(Map<String, ScriptValue> fields) implements ScriptValue {
    @Override
    public String typeName() {
      List<String> names = new ArrayList<>();
      fields.forEach((name, value) -> names.add(name + ": " + value.typeName()));
      return "{" + String.join(", ", names) + "}";
    }
  }

  /**
   * A function of the program with some of its arguments.
   *
   * @param args the first arguments, fewer than the function has parameters
   */
  record Function(EntryPoint entry, List<ScriptValue> args) implements ScriptValue {
    @Override
    public String typeName() {
      List<String> names = new ArrayList<>();
      EntryPoint.Parameter[] params = entry.parameters();
      for (int i = args.size(); i < params.length; i++) {
        names.add(params[i].type().name());
      }
      names.add(entry.result().name());
      return String.join(" -> ", names);
    }
  }
}
