package futharkc.core.language.check;

import futharkc.core.ir.Loc;
import futharkc.core.language.Diagnostic;
import futharkc.core.language.Diagnostics;
import futharkc.core.language.syntax.TypeParam.Liftedness;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Program;
import futharkc.core.language.typed.Type;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the checks of all definitions of a compilation share. */
final class CheckContext {
  final NameSource names;
  final Diagnostics diagnostics;

  /** What abstract types and type parameters may be. */
  final Map<Name, Liftedness> liftedness = new HashMap<>();

  /** Types whose definitions have errors: what mentions them has no errors of its own. */
  final Set<Name> broken = new HashSet<>();

  /** How abstract types are called from where they were made, for messages. */
  final Map<Name, String> paths = new HashMap<>();

  /** The definitions behind abstract types. */
  final Map<Name, Program.TypeDef> typeDefs = new LinkedHashMap<>();

  /**
   * How many parametric modules are being applied: what is checked meanwhile has been checked in
   * general.
   */
  int applications;

  CheckContext(NameSource names, Diagnostics diagnostics) {
    this.names = names;
    this.diagnostics = diagnostics;
  }

  void report(Diagnostic d) {
    diagnostics.report(d);
  }

  void error(String code, Loc loc, String message) {
    report(Diagnostic.error(code, loc, message));
  }

  /** What a type may be; arrays cannot be of anything but unlifted types, so they are that too. */
  Liftedness liftednessOf(Type t) {
    t = TypeVar.prune(t);
    return switch (t) {
      case Type.Prim p -> Liftedness.UNLIFTED;
      case Type.Array a -> liftednessOf(a.elem());
      case Type.Record r -> {
        Liftedness l = Liftedness.UNLIFTED;
        for (Type f : r.fields().values()) l = max(l, liftednessOf(f));
        yield l;
      }
      case Type.Sum s -> {
        Liftedness l = Liftedness.UNLIFTED;
        for (List<Type> payload : s.variants().values()) {
          for (Type p : payload) l = max(l, liftednessOf(p));
        }
        yield l;
      }
      case Type.Fun f -> Liftedness.LIFTED;
      case Type.Named n -> {
        Liftedness l = liftedness.getOrDefault(n.name(), Liftedness.UNLIFTED);
        for (Type.Arg a : n.args()) {
          if (a instanceof Type.Arg.OfType o) l = max(l, liftednessOf(o.type()));
        }
        yield l;
      }
      case futharkc.core.language.typed.MetaType m -> Liftedness.UNLIFTED;
    };
  }

  static Liftedness max(Liftedness a, Liftedness b) {
    return a.compareTo(b) >= 0 ? a : b;
  }

  /** Whether a value of the type can hold no function, going by the structure of the type alone. */
  static boolean orderZero(Type t) {
    t = TypeVar.prune(t);
    return switch (t) {
      case Type.Prim p -> true;
      case Type.Array a -> orderZero(a.elem());
      case Type.Record r -> {
        for (Type f : r.fields().values()) if (!orderZero(f)) yield false;
        yield true;
      }
      case Type.Sum s -> {
        for (List<Type> payload : s.variants().values()) {
          for (Type p : payload) if (!orderZero(p)) yield false;
        }
        yield true;
      }
      case Type.Fun f -> false;
      case Type.Named n -> true;
      case futharkc.core.language.typed.MetaType m -> true;
    };
  }
}
