package futharkc.core.language.check;

import futharkc.core.ir.Loc;
import futharkc.core.language.syntax.PrimType;
import futharkc.core.language.syntax.TypeParam.Liftedness;
import futharkc.core.language.typed.MetaType;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Unification of types without sizes and unique marks. Failures are returned as text; null means
 * success.
 */
final class Unifier {
  private final List<TypeVar> vars = new ArrayList<>();

  /** The variables that the occurs check has visited. */
  private final Set<TypeVar> visited = Collections.newSetFromMap(new IdentityHashMap<>());

  /** The nesting depth of the binding of each local type parameter. */
  private final Map<Name, Integer> paramLevels = new HashMap<>();

  TypeVar fresh(int level, Liftedness liftedness, Loc loc) {
    TypeVar v = new TypeVar(vars.size(), level, liftedness, loc);
    vars.add(v);
    return v;
  }

  /** Returns all variables, in order of creation. */
  List<TypeVar> vars() {
    return vars;
  }

  void bindParam(Name name, int level) {
    paramLevels.put(name, level);
  }

  @Nullable String unify(Type a, Type b) {
    a = TypeVar.prune(a);
    b = TypeVar.prune(b);
    if (a == b) {
      return null;
    }
    if (a instanceof TypeVar v) {
      return b instanceof TypeVar w ? merge(v, w) : bind(v, b);
    }
    if (b instanceof TypeVar w) {
      return bind(w, a);
    }
    switch (a) {
      case Type.Prim p -> {
        return b instanceof Type.Prim q && p.type() == q.type() ? null : mismatch(a, b);
      }
      case Type.Array x -> {
        return b instanceof Type.Array y ? unify(x.elem(), y.elem()) : mismatch(a, b);
      }
      case Type.Record x -> {
        if (!(b instanceof Type.Record y)) {
          return mismatch(a, b);
        }
        return x.fields().keySet().equals(y.fields().keySet())
            ? unifyFields(x, y)
            : fieldsDiffer(x, y);
      }
      case Type.Sum x -> {
        return b instanceof Type.Sum y ? unifySums(x, y) : mismatch(a, b);
      }
      case Type.Fun x -> {
        if (!(b instanceof Type.Fun y)) {
          return mismatch(a, b);
        }
        String failure = unify(x.from(), y.from());
        return failure != null ? failure : unify(x.result().type(), y.result().type());
      }
      case Type.Named x -> {
        if (!(b instanceof Type.Named y) || !x.name().equals(y.name())) {
          return mismatch(a, b);
        }
        for (int i = 0; i < x.args().size(); i++) {
          if (x.args().get(i) instanceof Type.Arg.OfType s
              && y.args().get(i) instanceof Type.Arg.OfType t) {
            String failure = unify(s.type(), t.type());
            if (failure != null) {
              return failure;
            }
          }
        }
        return null;
      }
      case MetaType m -> throw new IllegalStateException("unknown of another inference");
    }
  }

  /** Returns the text of a failure to unify two types of different kinds. */
  static String mismatch(Type a, Type b) {
    return "Types\n  "
        + TypePrinter.unsized(a)
        + "\nand\n  "
        + TypePrinter.unsized(b)
        + "\ndo not match.";
  }

  private @Nullable String unifyFields(Type.Record x, Type.Record y) {
    for (Map.Entry<String, Type> f : x.fields().entrySet()) {
      String failure = unify(f.getValue(), Objects.requireNonNull(y.fields().get(f.getKey())));
      if (failure != null) {
        return failure + "\nWhen matching field \"" + f.getKey() + "\".";
      }
    }
    return null;
  }

  private static String fieldsDiffer(Type.Record x, Type.Record y) {
    List<Type> s = Type.tupleElems(x);
    List<Type> t = Type.tupleElems(y);
    if (s != null && t != null) {
      return "Tuples have " + s.size() + " and " + t.size() + " components respectively.";
    }
    List<String> unshared = new ArrayList<>();
    for (String f : x.fields().keySet()) {
      if (!y.fields().containsKey(f)) {
        unshared.add(f);
      }
    }
    for (String f : y.fields().keySet()) {
      if (!x.fields().containsKey(f)) {
        unshared.add(f);
      }
    }
    unshared.sort(Type.FIELD_ORDER);
    return "The records have unshared fields: " + String.join(", ", unshared) + ".";
  }

  private @Nullable String unifySums(Type.Sum x, Type.Sum y) {
    List<String> unshared = new ArrayList<>();
    for (String c : x.variants().keySet()) {
      if (!y.variants().containsKey(c)) {
        unshared.add("#" + c);
      }
    }
    for (String c : y.variants().keySet()) {
      if (!x.variants().containsKey(c)) {
        unshared.add("#" + c);
      }
    }
    if (!unshared.isEmpty()) {
      unshared.sort(null);
      return "Unshared constructors: " + String.join(", ", unshared) + ".";
    }
    for (Map.Entry<String, List<Type>> c : x.variants().entrySet()) {
      String failure =
          unifyPayloads(
              c.getKey(), c.getValue(), Objects.requireNonNull(y.variants().get(c.getKey())));
      if (failure != null) {
        return failure;
      }
    }
    return null;
  }

  private @Nullable String unifyPayloads(String name, List<Type> a, List<Type> b) {
    if (a.size() != b.size()) {
      return "Uses of constructor #"
          + name
          + " differ in arity: "
          + a.size()
          + " and "
          + b.size()
          + ".";
    }
    for (int i = 0; i < a.size(); i++) {
      String failure = unify(a.get(i), b.get(i));
      if (failure != null) {
        return failure;
      }
    }
    return null;
  }

  private static String primNames(int set) {
    return java.util.Arrays.stream(PrimType.values())
        .filter(p -> (set & 1 << p.ordinal()) != 0)
        .map(PrimType::toString)
        .collect(Collectors.joining(", "));
  }

  private static String fieldNames(SortedMap<String, Type> fields) {
    return fields.entrySet().stream()
        .map(e -> e.getKey() + ": " + TypePrinter.unsized(e.getValue()))
        .collect(Collectors.joining(", ", "{", "}"));
  }

  private static String variantNames(SortedMap<String, List<Type>> variants) {
    return variants.entrySet().stream()
        .map(
            e ->
                "#"
                    + e.getKey()
                    + e.getValue().stream()
                        .map(t -> " " + TypePrinter.unsized(t))
                        .collect(Collectors.joining()))
        .collect(Collectors.joining(" | "));
  }

  private @Nullable String bind(TypeVar v, Type t) {
    visited.clear();
    String failure = occurs(v, t);
    if (failure != null) {
      return failure;
    }
    if (v.prims != 0 && !(t instanceof Type.Prim p && (v.prims & 1 << p.type().ordinal()) != 0)) {
      return "Cannot unify type that must be one of\n  "
          + primNames(v.prims)
          + "\nwith\n  "
          + TypePrinter.unsized(t);
    }
    v.solution = t;
    if (v.fields != null) {
      if (!(t instanceof Type.Record r)) {
        v.solution = null;
        return "Cannot unify record type with fields\n  "
            + fieldNames(v.fields)
            + "\nwith type\n  "
            + TypePrinter.unsized(t);
      }
      for (Map.Entry<String, Type> f : v.fields.entrySet()) {
        Type other = r.fields().get(f.getKey());
        if (other == null) {
          v.solution = null;
          return "Cannot unify record type with fields\n  "
              + fieldNames(v.fields)
              + "\nwith type\n  "
              + TypePrinter.unsized(t)
              + "\nwhich has no field \""
              + f.getKey()
              + "\".";
        }
        failure = unify(f.getValue(), other);
        if (failure != null) {
          return "When matching record field \"" + f.getKey() + "\": " + failure;
        }
      }
    }
    if (v.variants != null) {
      if (!(t instanceof Type.Sum s)) {
        v.solution = null;
        return "Cannot unify type with constructors\n  "
            + variantNames(v.variants)
            + "\nwith type\n  "
            + TypePrinter.unsized(t);
      }
      for (Map.Entry<String, List<Type>> c : v.variants.entrySet()) {
        List<Type> other = s.variants().get(c.getKey());
        if (other == null) {
          v.solution = null;
          return "Cannot unify type with constructors\n  "
              + variantNames(v.variants)
              + "\nwith sum type\n  "
              + TypePrinter.unsized(t)
              + "\nUnshared constructors: #"
              + c.getKey()
              + ".";
        }
        failure = unifyPayloads(c.getKey(), c.getValue(), other);
        if (failure != null) {
          return failure;
        }
      }
    }
    return null;
  }

  /** Returns the first of two values that is not null. */
  private static <T> T either(@Nullable T a, @Nullable T b) {
    return a != null ? a : Objects.requireNonNull(b);
  }

  private @Nullable String merge(TypeVar v, TypeVar w) {
    if (v.prims != 0 || w.prims != 0) {
      if (v.fields != null || w.fields != null) {
        return "Cannot unify type that must be one of\n  "
            + primNames(v.prims | w.prims)
            + "\nwith type that must be a record with fields\n  "
            + fieldNames(either(v.fields, w.fields));
      }
      if (v.variants != null || w.variants != null) {
        return "Cannot unify type that must be one of\n  "
            + primNames(v.prims | w.prims)
            + "\nwith sum type\n  "
            + variantNames(either(v.variants, w.variants));
      }
      int both = v.prims == 0 ? w.prims : w.prims == 0 ? v.prims : v.prims & w.prims;
      if (both == 0) {
        return "Cannot unify type that must be one of\n  "
            + primNames(v.prims)
            + "\nwith type that must be one of\n  "
            + primNames(w.prims);
      }
      w.prims = both;
    }
    if (v.fields != null && w.variants != null || v.variants != null && w.fields != null) {
      return "Cannot unify type with constructors\n  "
          + variantNames(either(v.variants, w.variants))
          + "\nwith type that must be a record with fields\n  "
          + fieldNames(either(v.fields, w.fields));
    }
    v.solution = w;
    w.level = Math.min(v.level, w.level);
    if (v.liftedness.compareTo(w.liftedness) < 0) {
      w.liftedness = v.liftedness;
    }
    if (v.fields != null) {
      if (w.fields == null) {
        w.fields = v.fields;
      } else {
        for (Map.Entry<String, Type> f : new TreeMap<>(v.fields).entrySet()) {
          Type other = w.fields.putIfAbsent(f.getKey(), f.getValue());
          String failure = other == null ? null : unify(f.getValue(), other);
          if (failure != null) {
            return "When matching record field \"" + f.getKey() + "\": " + failure;
          }
        }
      }
    }
    if (v.variants != null) {
      if (w.variants == null) {
        w.variants = v.variants;
      } else {
        for (Map.Entry<String, List<Type>> c : new TreeMap<>(v.variants).entrySet()) {
          List<Type> other = w.variants.putIfAbsent(c.getKey(), c.getValue());
          String failure = other == null ? null : unifyPayloads(c.getKey(), c.getValue(), other);
          if (failure != null) {
            return failure;
          }
        }
      }
    }
    return null;
  }

  /**
   * Checks that a variable may be solved to a type, and transfers the variable's constraints to the
   * variables in the type.
   */
  private @Nullable String occurs(TypeVar v, Type t) {
    switch (t) {
      case Type.Prim p -> {
        return null;
      }
      case Type.Array a -> {
        return occurs(v, a.elem());
      }
      case Type.Record r -> {
        for (Type f : r.fields().values()) {
          String failure = occurs(v, f);
          if (failure != null) {
            return failure;
          }
        }
        return null;
      }
      case Type.Sum s -> {
        for (List<Type> payload : s.variants().values()) {
          for (Type p : payload) {
            String failure = occurs(v, p);
            if (failure != null) {
              return failure;
            }
          }
        }
        return null;
      }
      case Type.Fun f -> {
        String failure = occurs(v, f.from());
        return failure != null ? failure : occurs(v, f.result().type());
      }
      case Type.Named n -> {
        Integer level = paramLevels.get(n.name());
        if (level != null && level > v.level) {
          return "Cannot unify type \""
              + TypePrinter.unsized(v)
              + "\" with \""
              + TypePrinter.unsized(n)
              + "\" (scope violation), because \""
              + n.name().base()
              + "\" is not in scope where the former is introduced.";
        }
        for (Type.Arg a : n.args()) {
          if (a instanceof Type.Arg.OfType o) {
            String failure = occurs(v, o.type());
            if (failure != null) {
              return failure;
            }
          }
        }
        return null;
      }
      case MetaType m -> {
        Type p = TypeVar.prune(m);
        if (p == v) {
          return "Occurs check: the type would contain itself.";
        }
        if (!(p instanceof TypeVar w)) {
          return occurs(v, p);
        }
        w.level = Math.min(w.level, v.level);
        if (v.liftedness.compareTo(w.liftedness) < 0) {
          w.liftedness = v.liftedness;
        }
        if (!visited.add(w)) {
          return null;
        }
        if (w.fields != null) {
          for (Type f : w.fields.values()) {
            String failure = occurs(v, f);
            if (failure != null) {
              return failure;
            }
          }
        }
        if (w.variants != null) {
          for (List<Type> payload : w.variants.values()) {
            for (Type q : payload) {
              String failure = occurs(v, q);
              if (failure != null) {
                return failure;
              }
            }
          }
        }
        return null;
      }
    }
  }
}
