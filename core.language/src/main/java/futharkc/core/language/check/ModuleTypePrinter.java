package futharkc.core.language.check;

import futharkc.core.language.syntax.TypeParam;
import futharkc.core.language.typed.Name;
import java.util.stream.Collectors;

/** The text form of the types of modules. */
final class ModuleTypePrinter {
  private final StringBuilder text = new StringBuilder();

  private ModuleTypePrinter() {}

  /** Returns the specifications of a module in braces, or the type of a parametric module. */
  static String show(Mod module) {
    ModuleTypePrinter printer = new ModuleTypePrinter();
    printer.module(module, "");
    return printer.text.toString();
  }

  private void module(Mod module, String indent) {
    switch (module) {
      case Mod.Struct s -> environment(s.env(), indent);
      case Mod.Functor f -> {
        module(f.param().mod(), indent);
        text.append(" -> ");
        module(f.result().mod(), indent);
      }
    }
  }

  private void environment(ModuleEnv env, String indent) {
    text.append("{\n");
    String inner = indent + "  ";
    env.types().forEach((name, type) -> type(name, type, inner));
    env.sigs().forEach((name, sig) -> text.append(inner).append("module type " + name + "\n"));
    env.values().forEach((name, entity) -> entity(name, entity, inner));
    text.append(indent).append('}');
  }

  private void type(String name, TypeBinding type, String indent) {
    text.append(indent)
        .append("type")
        .append(liftedness(type.liftedness()))
        .append(' ')
        .append(name);
    for (TypeBinding.Param param : type.params()) {
      text.append(' ').append(param.size() ? size(param.name()) : "'" + param.name().base());
    }
    if (!type.isAbstract()) {
      text.append(" = ").append(TypePrinter.show(type.rhs()));
    }
    text.append('\n');
  }

  private static String liftedness(TypeParam.Liftedness liftedness) {
    return switch (liftedness) {
      case UNLIFTED -> "";
      case SIZE_LIFTED -> "~";
      case LIFTED -> "^";
    };
  }

  private static String size(Name name) {
    return "[" + name.base() + "]";
  }

  private void entity(String name, Entity entity, String indent) {
    switch (entity) {
      case Entity.Value v -> {
        String sizes =
            v.scheme().sizes().stream().map(n -> " " + size(n)).collect(Collectors.joining());
        String types =
            v.scheme().types().stream()
                .map(t -> " '" + liftedness(t.liftedness()) + t.name().base())
                .collect(Collectors.joining());
        boolean operator = !Character.isJavaIdentifierStart(name.charAt(0));
        text.append(indent)
            .append("val ")
            .append(operator ? "(" + name + ")" : name)
            .append(sizes)
            .append(types)
            .append(": ")
            .append(TypePrinter.show(v.scheme().type()))
            .append('\n');
      }
      case Entity.Module m -> {
        text.append(indent).append("module ").append(name).append(": ");
        module(m.mod(), indent);
        text.append('\n');
      }
      case Entity.Operator _, Entity.Broken _, LocalVar _ -> {}
    }
  }
}
