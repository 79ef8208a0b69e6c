package futharkc.core.language.check;

import futharkc.core.language.Diagnostic;
import futharkc.core.language.syntax.Exp;
import futharkc.core.language.syntax.PrimType;
import futharkc.core.language.typed.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hints for programmers who use the syntax of other languages. */
final class ForeignSyntaxHints {
  private ForeignSyntaxHints() {}

  /** Returns a hint for an unknown value that has another name in Futhark, or null. */
  static @Nullable String value(String name, Locals names) {
    return switch (name) {
      case "/=", "<>" -> "Inequality is written \"!=\".";
      case "mod", "rem" -> "The remainder is written \"%\".";
      case "=>" -> "An anonymous function is written \"\\x -> ..\".";
      case "<-" -> "There are no list comprehensions: use \"map\" and \"filter\".";
      case "^", "^^" -> "A power is written \"**\".";
      case "return" -> "The value of a function is its body: there is no \"return\".";
      default ->
          names.value("f64") instanceof Entity.Module m
                  && m.mod() instanceof Mod.Struct s
                  && s.env().values().containsKey(name)
              ? "Each number type has its own function, for example \"f64." + name + "\"."
              : null;
    };
  }

  /** Returns a hint for an unknown type that has another name in Futhark, or null. */
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

  /** Adds a hint on conversion to a diagnostic if a number type's name is used as a function. */
  static Diagnostic module(Diagnostic d, String name) {
    PrimType p = PrimType.named(name);
    if (p == null) {
      return d;
    }
    String other = p == PrimType.I32 ? "i64" : "i32";
    return d.hint("\"%s.%s\" converts %s to %s.".formatted(name, other, other, name));
  }

  /** Returns a hint for a function with too many arguments, or null. */
  static @Nullable String arguments(@Nullable String function, int count) {
    if (function == null) {
      return null;
    }
    boolean map = function.matches("map[2-5]?");
    int arrays = map ? count - 1 : count;
    if (!map && !function.matches("zip[3-5]?") || arrays > 5) {
      return null;
    }
    return "Use \"%s%d\" for %d arrays.".formatted(map ? "map" : "zip", arrays, arrays);
  }

  /** Returns a hint for an application of a value that is not a function, or null. */
  static @Nullable String application(List<? extends Exp> arguments) {
    if (arguments.size() == 1 && arguments.get(0) instanceof Exp.Paren) {
      return "An element of an array is written \"xs[i]\".";
    }
    if (arguments.isEmpty() || !(arguments.get(0) instanceof Exp.Var v)) {
      return null;
    }
    return switch (v.name().toString()) {
      case "and" -> "\"x and y\" is written \"x && y\".";
      case "or" -> "\"x or y\" is written \"x || y\".";
      default -> null;
    };
  }

  /** Returns a hint for an operator on an operand of an unsupported type, or null. */
  static @Nullable String operator(String operator, Type left, Type right) {
    if (operator.equals("-") && left instanceof Type.Fun) {
      return "A negative argument needs parentheses: \"f (-1)\".";
    }
    if (operator.equals("|") && right instanceof Type.Fun) {
      return "\"x |> f\" applies f to x.";
    }
    return null;
  }

  /** Adds a hint on conversion to a diagnostic about two different number types. */
  static Diagnostic conversion(Diagnostic d, Type wanted, Type found) {
    if (!(wanted instanceof Type.Prim p && found instanceof Type.Prim q)) {
      return d;
    }
    if (p.type() == PrimType.BOOL || q.type() == PrimType.BOOL) {
      return d;
    }
    return d.hint("\"%s.%s\" converts %s to %s.".formatted(p.type(), q.type(), q.type(), p.type()));
  }
}
