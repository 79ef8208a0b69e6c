package futharkc.tests.kit.source;

import futharkc.tests.kit.source.SourceScope.Var;
import futharkc.tests.kit.source.SourceType.Prim;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The choice of operands for random statements, and the binding of their results. */
final class Bindings {
  final Expressions exps;

  Bindings(Expressions exps) {
    this.exps = exps;
  }

  @Nullable Var array(SourceScope s) {
    return exps.variable(s, t -> t instanceof SourceType.Array);
  }

  static SourceType.Array type(Var v) {
    return (SourceType.Array) v.type();
  }

  SourceType result(SourceScope s, int depth) {
    return depth > 0 && exps.chance(0.25)
        ? new SourceType.Array(exps.prim(), exps.one(s.sizes))
        : exps.element();
  }

  @Nullable Var associativeInput(SourceScope s) {
    return exps.variable(
        s,
        t ->
            t instanceof SourceType.Array a
                && (!a.element().hasArrays()
                    || a.element() instanceof SourceType.Array b && b.element() instanceof Prim));
  }

  static boolean disjoint(Var a, Var b) {
    return a.roots().stream().noneMatch(b.roots()::contains);
  }

  /** Returns a value that may be consumed: an owned variable or a copy. */
  Tree unique(SourceScope s, SourceType t) {
    Var v = exps.variable(s, t::equals);
    if (v != null && s.mayConsume(v) && exps.chance(0.7)) {
      s.consume(v);
      return Tree.atom(t, v.name());
    }
    if (v != null) {
      return Tree.of(t, "copy ", Tree.atom(t, v.name()));
    }
    return switch (t) {
      case SourceType.Tuple u when u.hasArrays() -> {
        List<Object> parts = new ArrayList<>();
        parts.add("(");
        for (SourceType part : u.parts()) {
          parts.add(parts.size() == 1 ? "" : ", ");
          parts.add(unique(s, part));
        }
        parts.add(")");
        yield new Tree(t, parts);
      }
      default -> Tree.of(t, "copy ", exps.value(s, t, 1).tree());
    };
  }

  /** Consumes the variable and returns it, or returns a copy of the variable. */
  Tree consumed(SourceScope s, Var v) {
    if (s.mayConsume(v) && s.vars.contains(v) && exps.chance(0.75)) {
      s.consume(v);
      return Tree.atom(v.type(), v.name());
    }
    return Tree.of(v.type(), "copy ", Tree.atom(v.type(), v.name()));
  }

  /** Binds a value to a new variable. */
  Binding bound(SourceScope s, Tree value, Set<Integer> roots) {
    String name = s.name();
    s.add(name, Expressions.typeOf(value), roots);
    return new Binding(name, value);
  }

  Binding bound(SourceScope s, Tree value) {
    return bound(s, value, s.fresh());
  }

  /** Binds the components of a tuple that aliases no other variable. */
  Binding boundParts(SourceScope s, Tree value, SourceType.Tuple t) {
    List<String> names = new ArrayList<>();
    Set<Integer> roots = s.fresh();
    for (SourceType part : t.parts()) {
      String name = s.name();
      names.add(name);
      s.add(name, part, roots);
    }
    return new Binding("(" + String.join(", ", names) + ")", value);
  }

  /** Binds an array whose size is known only at run time to a new variable and a new size. */
  Binding existential(SourceScope s, SourceType element, Object... parts) {
    String size = "k" + s.name();
    SourceType.Array t = new SourceType.Array(element, size);
    String name = s.name();
    Tree value = Tree.of(t, parts);
    s.sizes.add(size);
    s.add(name, t, s.fresh());
    return new Binding("[" + size + "] (" + name + ": " + t.text() + ")", value);
  }
}
