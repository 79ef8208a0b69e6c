package futharkc.core.language.check;

import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The positions of sizes in types. */
final class Positions {
  private Positions() {}

  /** The kinds of positions. */
  enum Position {
    /** A position in the value itself. */
    IMMEDIATE,
    /** A position in the parameter of a function. */
    PARAM,
    /** A position in the result of a function. */
    RETURN
  }

  /**
   * A visitor of sizes. It receives every size, with the names that the type binds there. The set
   * of names is valid only during the call.
   */
  interface Visitor {
    void size(Position position, Type.Size size, Set<Name> bound);
  }

  static void visit(Type t, Visitor v) {
    visit(t, Position.IMMEDIATE, new HashSet<>(), v);
  }

  private static void visit(Type t, Position pos, Set<Name> bound, Visitor v) {
    switch (t) {
      case Type.Prim p -> {}
      case Type.Array a -> {
        v.size(pos, a.size(), bound);
        visit(a.elem(), pos, bound, v);
      }
      case Type.Record r -> {
        for (Type f : r.fields().values()) {
          visit(f, pos, bound, v);
        }
      }
      case Type.Sum s -> {
        for (List<Type> payload : s.variants().values()) {
          for (Type p : payload) {
            visit(p, pos, bound, v);
          }
        }
      }
      case Type.Fun f -> {
        visit(f.from(), Position.PARAM, bound, v);
        List<Name> here = new ArrayList<>();
        if (f.param() != null && bound.add(f.param())) {
          here.add(f.param());
        }
        for (Name n : f.result().sizes()) {
          if (bound.add(n)) {
            here.add(n);
          }
        }
        visit(f.result().type(), pos == Position.PARAM ? pos : Position.RETURN, bound, v);
        here.forEach(bound::remove);
      }
      case Type.Named n -> {
        for (Type.Arg a : n.args()) {
          switch (a) {
            case Type.Arg.OfSize s -> v.size(pos, s.size(), bound);
            case Type.Arg.OfType o -> visit(o.type(), pos, bound, v);
          }
        }
      }
      case futharkc.core.language.typed.MetaType m -> {
        Type p = TypeVar.prune(m);
        if (p != m) {
          visit(p, pos, bound, v);
        }
      }
    }
  }

  /** Adds the names free in a type. */
  static void free(Type t, Set<Name> into) {
    visit(
        t,
        (pos, size, bound) -> {
          if (size instanceof Type.Size.Const) {
            return;
          }
          if (bound.isEmpty()) {
            SizeExps.names(size, into);
          } else {
            Set<Name> names = new HashSet<>();
            SizeExps.names(size, names);
            names.removeAll(bound);
            into.addAll(names);
          }
        });
  }

  static Set<Name> free(Type t) {
    Set<Name> names = new HashSet<>();
    free(t, names);
    return names;
  }

  /** Tests whether a size occurs once in a type, as the dimension of an array. */
  static boolean isOneDimension(Name n, Type t) {
    List<Type.Size> uses = new ArrayList<>();
    visit(
        t,
        (pos, size, bound) -> {
          Set<Name> names = new HashSet<>();
          SizeExps.names(size, names);
          if (names.contains(n)) {
            uses.add(size);
          }
        });
    return uses.size() == 1 && uses.getFirst() instanceof Type.Size.Var;
  }

  /** Adds the names that are a dimension of some array in a value of the type. */
  static void witnesses(Type t, Set<Name> into) {
    visit(
        t,
        (pos, size, bound) -> {
          if (pos == Position.IMMEDIATE && size instanceof Type.Size.Var v) {
            into.add(v.name());
          }
        });
  }

  /**
   * Adds the names that are a dimension of an array in a parameter of a function, or in the value
   * itself.
   */
  static void constructive(Type t, Set<Name> into) {
    Type rest = t;
    while (rest instanceof Type.Fun f) {
      witnesses(f.from(), into);
      rest = f.result().type();
    }
    witnesses(rest, into);
  }

  /**
   * Adds the names in the sizes of the value itself to one set, and the names in parameters of
   * functions to another.
   */
  static void uses(Type t, Set<Name> produced, Set<Name> params) {
    visit(
        t,
        (pos, size, bound) -> {
          if (pos == Position.RETURN) {
            return;
          }
          Set<Name> free = new HashSet<>();
          SizeExps.names(size, free);
          free.removeAll(bound);
          (pos == Position.IMMEDIATE ? produced : params).addAll(free);
        });
  }
}
