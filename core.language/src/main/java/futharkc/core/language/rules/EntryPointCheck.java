package futharkc.core.language.rules;

import futharkc.core.language.Diagnostic;
import futharkc.core.language.Diagnostics;
import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.MetaType;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Program.TypeDef;
import futharkc.core.language.typed.Type;
import futharkc.core.language.typed.ValDef;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A check that a definition can be an entry point: it is monomorphic and first-order, and all its
 * sizes are known.
 */
public final class EntryPointCheck {
  private final Map<Name, TypeDef> types;

  private EntryPointCheck(Map<Name, TypeDef> types) {
    this.types = types;
  }

  /**
   * Checks an entry point. Reports at most one error.
   *
   * @param types the definitions of abstract types
   */
  public static void check(ValDef def, Map<Name, TypeDef> types, Diagnostics diagnostics) {
    Diagnostic error = new EntryPointCheck(types).error(def);
    if (error != null) {
      diagnostics.report(error);
    }
  }

  private @Nullable Diagnostic error(ValDef def) {
    if (!def.typeParams().isEmpty()) {
      return Diagnostic.error("E0801", def.loc(), "Entry point functions may not be polymorphic.")
          .see("polymorphic-entry");
    }
    List<Type> params = new ArrayList<>();
    Type result = def.type();
    while (result instanceof Type.Fun f) {
      params.add(f.from());
      result = f.result().type();
    }
    if (params.stream().anyMatch(this::holdsFunction) || holdsFunction(result)) {
      return Diagnostic.error("E0802", def.loc(), "Entry point functions may not be higher-order.")
          .see("higher-order-entry");
    }
    Set<Name> mentioned = new HashSet<>();
    Set<Name> constructive = new HashSet<>();
    for (Type p : params) {
      sizes(p, mentioned, constructive);
    }
    for (Name n : def.sizeParams()) {
      if (constructive.contains(n)) {
        continue;
      }
      if (mentioned.contains(n)) {
        return Diagnostic.error(
                "E0803",
                def.loc(),
                "Entry point size parameter [" + n.base() + "] only used non-constructively.")
            .see("nonconstructive-entry");
      }
      return Diagnostic.error(
              "E0804",
              def.loc(),
              "Entry point functions must not be size-polymorphic in their return type.")
          .see("size-polymorphic-entry");
    }
    return null;
  }

  private boolean holdsFunction(Type t) {
    return switch (t) {
      case Type.Prim _, MetaType _ -> false;
      case Type.Fun _ -> true;
      case Type.Array a -> holdsFunction(a.elem());
      case Type.Record r -> r.fields().values().stream().anyMatch(this::holdsFunction);
      case Type.Sum s ->
          s.variants().values().stream().flatMap(List::stream).anyMatch(this::holdsFunction);
      case Type.Named n -> {
        TypeDef def = types.get(n.name());
        yield def != null && holdsFunction(def.type().type())
            || n.args().stream()
                .anyMatch(a -> a instanceof Type.Arg.OfType arg && holdsFunction(arg.type()));
      }
    };
  }

  /**
   * Adds the names in sizes of a type to one set, and the names that are a dimension to another.
   */
  private static void sizes(Type t, Set<Name> mentioned, Set<Name> constructive) {
    switch (t) {
      case Type.Prim _, Type.Fun _, MetaType _ -> {}
      case Type.Array a -> {
        size(a.size(), mentioned, constructive);
        sizes(a.elem(), mentioned, constructive);
      }
      case Type.Record r -> r.fields().values().forEach(f -> sizes(f, mentioned, constructive));
      case Type.Sum s ->
          s.variants().values().forEach(ts -> ts.forEach(p -> sizes(p, mentioned, constructive)));
      case Type.Named n -> {
        for (Type.Arg arg : n.args()) {
          switch (arg) {
            case Type.Arg.OfSize s -> size(s.size(), mentioned, constructive);
            // The definition of an abstract type may not use its arguments.
            case Type.Arg.OfType p -> sizes(p.type(), mentioned, new HashSet<>());
          }
        }
      }
    }
  }

  private static void size(Type.Size s, Set<Name> mentioned, Set<Name> constructive) {
    switch (s) {
      case Type.Size.Const _, Type.Size.Any _ -> {}
      case Type.Size.Var v -> {
        mentioned.add(v.name());
        constructive.add(v.name());
      }
      case Type.Size.Of e ->
          ExpressionTraversal.each(
              e.exp(),
              part -> {
                if (part instanceof Exp.Var v) {
                  mentioned.add(v.name());
                }
              });
    }
  }
}
