package futharkc.core.language.check;

import futharkc.core.ir.Loc;
import futharkc.core.language.Diagnostic;
import futharkc.core.language.Diagnostics;
import futharkc.core.language.syntax.TypeParam.Liftedness;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Program;
import futharkc.core.language.typed.Type;
import futharkc.core.language.typed.ValDef;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The state that the checks of all definitions of a compilation share. */
final class CheckContext {
  final NameSource names;

  /** The collector of errors and warnings. An incremental check has one for each file. */
  Diagnostics diagnostics;

  /**
   * The receiver of every checked definition of a file and its modules, or null. The definitions of
   * an applied parametric module are those of its body.
   */
  @Nullable Consumer<ValDef> observer;

  /** A test whether the check has become needless. */
  BooleanSupplier cancelled = () -> false;

  /** The liftedness of abstract types and type parameters. */
  final Map<Name, Liftedness> liftedness = new HashMap<>();

  /**
   * The types whose definitions have errors. The checker reports no further errors about types that
   * mention them.
   */
  final Set<Name> broken = new HashSet<>();

  /** The paths of abstract types from the modules that created them, for messages. */
  final Map<Name, String> paths = new HashMap<>();

  /** The definitions of abstract types. */
  final Map<Name, Program.TypeDef> typeDefs = new LinkedHashMap<>();

  /**
   * The number of nested applications of parametric modules at the moment. A parametric module's
   * body was already checked on its own.
   */
  int applications;

  /**
   * True if only errors and warnings matter. Applications of parametric modules then make no
   * definitions.
   */
  boolean typesOnly;

  /** The functions whose results share memory with themselves. */
  final Set<Name> selfAliased = new HashSet<>();

  /** True if an attribute that was checked requests warnings of the lowering. */
  boolean asksForWarnings;

  CheckContext(NameSource names, Diagnostics diagnostics) {
    this.names = names;
    this.diagnostics = diagnostics;
  }

  /** The contents of a context at one moment. */
  record State(
      int nextName,
      Map<Name, Liftedness> liftedness,
      Set<Name> broken,
      Map<Name, String> paths,
      Map<Name, Program.TypeDef> typeDefs,
      Set<Name> selfAliased) {}

  /** Returns a copy of the contents. */
  State save() {
    return new State(
        names.next(),
        new HashMap<>(liftedness),
        new HashSet<>(broken),
        new HashMap<>(paths),
        new LinkedHashMap<>(typeDefs),
        new HashSet<>(selfAliased));
  }

  /** Replaces the contents by those of an earlier moment. Later names become free again. */
  void restore(State state) {
    names.reset(state.nextName);
    replace(liftedness, state.liftedness);
    replace(paths, state.paths);
    replace(typeDefs, state.typeDefs);
    broken.clear();
    broken.addAll(state.broken);
    selfAliased.clear();
    selfAliased.addAll(state.selfAliased);
    applications = 0;
  }

  private static <K, V> void replace(Map<K, V> map, Map<K, V> by) {
    map.clear();
    map.putAll(by);
  }

  /**
   * Ends a check that has become needless.
   *
   * @throws CancellationException if the check is cancelled
   */
  void checkCancelled() {
    if (cancelled.getAsBoolean()) {
      throw new CancellationException();
    }
  }

  void report(Diagnostic d) {
    diagnostics.report(d);
  }

  void error(String code, Loc loc, String message) {
    report(Diagnostic.error(code, loc, message));
  }

  /**
   * Returns the liftedness of a type. An array has the liftedness of its elements, which are always
   * unlifted.
   */
  Liftedness liftednessOf(Type t) {
    t = TypeVar.prune(t);
    return switch (t) {
      case Type.Prim p -> Liftedness.UNLIFTED;
      case Type.Array a -> liftednessOf(a.elem());
      case Type.Record r -> {
        Liftedness l = Liftedness.UNLIFTED;
        for (Type f : r.fields().values()) {
          l = max(l, liftednessOf(f));
        }
        yield l;
      }
      case Type.Sum s -> {
        Liftedness l = Liftedness.UNLIFTED;
        for (List<Type> payload : s.variants().values()) {
          for (Type p : payload) {
            l = max(l, liftednessOf(p));
          }
        }
        yield l;
      }
      case Type.Fun f -> Liftedness.LIFTED;
      case Type.Named n -> {
        Liftedness l = liftedness.getOrDefault(n.name(), Liftedness.UNLIFTED);
        for (Type.Arg a : n.args()) {
          if (a instanceof Type.Arg.OfType o) {
            l = max(l, liftednessOf(o.type()));
          }
        }
        yield l;
      }
      case futharkc.core.language.typed.MetaType m -> Liftedness.UNLIFTED;
    };
  }

  static Liftedness max(Liftedness a, Liftedness b) {
    return a.compareTo(b) >= 0 ? a : b;
  }

  /** Tests whether the structure of a type contains no function type. */
  static boolean orderZero(Type t) {
    t = TypeVar.prune(t);
    return switch (t) {
      case Type.Prim p -> true;
      case Type.Array a -> orderZero(a.elem());
      case Type.Record r -> {
        for (Type f : r.fields().values()) {
          if (!orderZero(f)) {
            yield false;
          }
        }
        yield true;
      }
      case Type.Sum s -> {
        for (List<Type> payload : s.variants().values()) {
          for (Type p : payload) {
            if (!orderZero(p)) {
              yield false;
            }
          }
        }
        yield true;
      }
      case Type.Fun f -> false;
      case Type.Named n -> true;
      case futharkc.core.language.typed.MetaType m -> true;
    };
  }
}
