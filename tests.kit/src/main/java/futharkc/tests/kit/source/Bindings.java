package futharkc.tests.kit.source;

import futharkc.tests.kit.source.SourceScope.Var;
import futharkc.tests.kit.source.Ty.Prim;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What operands statements find, and how they bind their results. */
final class Bindings {
  final Expressions exps;

  Bindings(Expressions exps) {
    this.exps = exps;
  }

  @Nullable Var array(SourceScope s) {
    return exps.variable(s, t -> t instanceof Ty.Array);
  }

  static Ty.Array type(Var v) {
    return (Ty.Array) v.type();
  }

  Ty result(SourceScope s, int depth) {
    return depth > 0 && exps.chance(0.25)
        ? new Ty.Array(exps.prim(), exps.one(s.sizes))
        : exps.element();
  }

  @Nullable Var associativeInput(SourceScope s) {
    return exps.variable(
        s,
        t ->
            t instanceof Ty.Array a
                && (!a.element().hasArrays()
                    || a.element() instanceof Ty.Array b && b.element() instanceof Prim));
  }

  static boolean disjoint(Var a, Var b) {
    return a.roots().stream().noneMatch(b.roots()::contains);
  }

  /** A value that may be consumed: a variable of its own, or a copy. */
  Tree unique(SourceScope s, Ty t) {
    Var v = exps.variable(s, t::equals);
    if (v != null && s.mayConsume(v) && exps.chance(0.7)) {
      s.consume(v);
      return Tree.atom(t, v.name());
    }
    if (v != null) {
      return Tree.of(t, "copy ", Tree.atom(t, v.name()));
    }
    return switch (t) {
      case Ty.Tuple u when u.hasArrays() -> {
        List<Object> parts = new ArrayList<>();
        parts.add("(");
        for (Ty part : u.parts()) {
          parts.add(parts.size() == 1 ? "" : ", ");
          parts.add(unique(s, part));
        }
        parts.add(")");
        yield new Tree(t, parts);
      }
      default -> Tree.of(t, "copy ", exps.value(s, t, 1).tree());
    };
  }

  /** The variable, which is used up, or a copy. */
  Tree consumed(SourceScope s, Var v) {
    if (s.mayConsume(v) && s.vars.contains(v) && exps.chance(0.75)) {
      s.consume(v);
      return Tree.atom(v.type(), v.name());
    }
    return Tree.of(v.type(), "copy ", Tree.atom(v.type(), v.name()));
  }

  /** Binds a new variable. */
  Binding bound(SourceScope s, Tree value, Set<Integer> roots) {
    String name = s.name();
    s.add(name, Expressions.typeOf(value), roots);
    return new Binding(name, value);
  }

  Binding bound(SourceScope s, Tree value) {
    return bound(s, value, s.fresh());
  }

  /** Binds the parts of a tuple, which nothing else shares. */
  Binding boundParts(SourceScope s, Tree value, Ty.Tuple t) {
    List<String> names = new ArrayList<>();
    Set<Integer> roots = s.fresh();
    for (Ty part : t.parts()) {
      String name = s.name();
      names.add(name);
      s.add(name, part, roots);
    }
    return new Binding("(" + String.join(", ", names) + ")", value);
  }

  /** Binds an array whose size is not known before. */
  Binding existential(SourceScope s, Ty element, Object... parts) {
    String size = "k" + s.name();
    Ty.Array t = new Ty.Array(element, size);
    String name = s.name();
    Tree value = Tree.of(t, parts);
    s.sizes.add(size);
    s.add(name, t, s.fresh());
    return new Binding("[" + size + "] (" + name + ": " + t.text() + ")", value);
  }
}
