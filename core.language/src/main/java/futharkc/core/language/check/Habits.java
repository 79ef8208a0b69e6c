package futharkc.core.language.check;

import futharkc.core.language.Diagnostic;
import futharkc.core.language.syntax.PrimType;
import futharkc.core.language.typed.Type;
import org.jspecify.annotations.Nullable;

/** What those who come from other languages write, and how it is said here. */
final class Habits {
  private Habits() {}

  /** A hint for who looks for a value that is called otherwise; null if there is none. */
  static @Nullable String value(String name, Locals names) {
    return switch (name) {
      case "/=", "<>" -> "Inequality is written \"!=\".";
      case "mod", "rem" -> "The remainder is written \"%\".";
      case "return" -> "The value of a function is its body: there is no \"return\".";
      default ->
          names.value("f64") instanceof Entity.Module m
                  && m.mod() instanceof Mod.Struct s
                  && s.env().values().containsKey(name)
              ? "Every type of numbers has its own: \"f64." + name + "\", for example."
              : null;
    };
  }

  /** A hint for who looks for a type that is called otherwise; null if there is none. */
  static @Nullable String type(String name) {
    return switch (name) {
      case "int", "Int", "integer" -> "Integers are i8, i16, i32, i64, u8, u16, u32 and u64.";
      case "float", "Float", "double", "Double", "real" -> "Floats are f16, f32 and f64.";
      case "char", "Char" -> "Characters are u8.";
      case "string", "String" -> "Strings are arrays of u8: \"[]u8\".";
      case "boolean", "Bool" -> "Booleans are bool.";
      default -> null;
    };
  }

  /** Says how to convert, where one type of numbers is wanted and another is there. */
  static Diagnostic conversion(Diagnostic d, Type wanted, Type found) {
    if (!(wanted instanceof Type.Prim p && found instanceof Type.Prim q)) return d;
    if (p.type() == PrimType.BOOL || q.type() == PrimType.BOOL) return d;
    return d.hint("\"%s.%s\" converts %s to %s.".formatted(p.type(), q.type(), q.type(), p.type()));
  }
}
