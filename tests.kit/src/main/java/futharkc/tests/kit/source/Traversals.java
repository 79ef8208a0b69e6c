package futharkc.tests.kit.source;

import futharkc.tests.kit.source.SourceScope.Var;
import futharkc.tests.kit.source.SourceType.Prim;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A generator of random maps, reductions, scans and filters. */
final class Traversals {
  private final Bindings bindings;
  private final Expressions exps;

  Traversals(Bindings bindings) {
    this.bindings = bindings;
    this.exps = bindings.exps;
  }

  @Nullable Binding map(SourceScope s, int depth) {
    Var first = bindings.array(s);
    if (first == null) {
      return null;
    }
    String size = Bindings.type(first).size();
    List<Var> inputs = new ArrayList<>(List.of(first));
    while (inputs.size() < 4 && exps.chance(0.35)) {
      Var v = exps.variable(s, t -> t instanceof SourceType.Array a && a.size().equals(size));
      if (v != null) {
        inputs.add(v);
      }
    }
    return mapped(s, inputs, bindings.result(s, depth), depth);
  }

  private Binding mapped(SourceScope s, List<Var> inputs, SourceType result, int depth) {
    String size = Bindings.type(inputs.get(0)).size();
    Tree f =
        exps.lambda(
            s, inputs.stream().map(v -> Bindings.type(v).element()).toList(), result, depth - 1);
    List<Object> parts = new ArrayList<>();
    parts.add("map" + (inputs.size() == 1 ? "" : inputs.size()) + " ");
    parts.add(f);
    for (Var v : inputs) {
      parts.add(" ");
      parts.add(Tree.atom(v.type(), v.name()));
    }
    Tree value = Tree.of(new SourceType.Array(result, size), parts.toArray());
    if (result instanceof SourceType.Tuple t && exps.chance(0.6)) {
      List<SourceType> arrays = new ArrayList<>();
      for (SourceType part : t.parts()) {
        arrays.add(new SourceType.Array(part, size));
      }
      SourceType.Tuple all = new SourceType.Tuple(arrays);
      return bindings.boundParts(s, Tree.of(all, "unzip ", value), all);
    }
    return bindings.bound(s, value);
  }

  @Nullable Binding mapOverRows(SourceScope s, int depth) {
    Var v = exps.variable(s, SourceType::isMatrix);
    if (v == null || !(Bindings.type(v).element() instanceof SourceType.Array row)) {
      return null;
    }
    SourceType element = row.element();
    String name = Tree.atom(v.type(), v.name()).text();
    if (exps.chance(0.5)) {
      Tree op = Tree.piece(exps.associative(element));
      boolean scan = exps.chance(0.4);
      SourceType result = new SourceType.Array(scan ? row : element, Bindings.type(v).size());
      return bindings.bound(
          s, Tree.of(result, scan ? "map (scan " : "map (reduce ", op, ") " + name));
    }
    SourceType result = exps.prim();
    Tree f = exps.lambda(s, List.of(element), result, depth - 1);
    SourceType all =
        new SourceType.Array(new SourceType.Array(result, row.size()), Bindings.type(v).size());
    return bindings.bound(s, Tree.of(all, "map (map ", f, ") " + name));
  }

  @Nullable Binding reduce(SourceScope s, int depth) {
    Var v = bindings.associativeInput(s);
    if (v == null) {
      return null;
    }
    SourceType element = Bindings.type(v).element();
    return bindings.bound(
        s,
        Tree.of(
            element, "reduce " + exps.associative(element) + " ", Tree.atom(v.type(), v.name())),
        element.hasArrays() ? v.roots() : Set.of());
  }

  @Nullable Binding scan(SourceScope s, int depth) {
    Var v = bindings.associativeInput(s);
    if (v == null) {
      return null;
    }
    SourceType element = Bindings.type(v).element();
    return bindings.bound(
        s,
        Tree.of(
            v.type(), "scan " + exps.associative(element) + " ", Tree.atom(v.type(), v.name())));
  }

  @Nullable Binding filter(SourceScope s, int depth) {
    Var v = bindings.array(s);
    if (v == null) {
      return null;
    }
    Tree p = exps.lambda(s, List.of(Bindings.type(v).element()), Prim.BOOL, depth - 1);
    return bindings.existential(s, Bindings.type(v).element(), "filter ", p, " " + v.name());
  }

  @Nullable Binding partition(SourceScope s, int depth) {
    Var v = bindings.array(s);
    if (v == null) {
      return null;
    }
    Tree p = exps.lambda(s, List.of(Bindings.type(v).element()), Prim.BOOL, depth - 1);
    String a = "k" + s.name();
    String b = "k" + s.name();
    SourceType.Array ta = new SourceType.Array(Bindings.type(v).element(), a);
    SourceType.Array tb = new SourceType.Array(Bindings.type(v).element(), b);
    String x = s.name();
    String y = s.name();
    SourceType.Tuple both = new SourceType.Tuple(List.of(ta, tb));
    Tree value = Tree.of(both, "partition ", p, " " + v.name());
    s.sizes.add(a);
    s.sizes.add(b);
    // The results may alias every variable in scope.
    Set<Integer> roots = new HashSet<>(s.foreign());
    s.vars.forEach(u -> roots.addAll(u.roots()));
    s.add(x, ta, roots);
    s.add(y, tb, roots);
    return new Binding(
        "[" + a + "][" + b + "] (" + x + ": " + ta.text() + ", " + y + ": " + tb.text() + ")",
        value);
  }

  @Nullable Binding gather(SourceScope s, int depth) {
    Var v = bindings.array(s);
    if (v == null) {
      return null;
    }
    SourceType.Array t = Bindings.type(v);
    String count = exps.one(s.sizes);
    SourceType.Array result = new SourceType.Array(t.element(), count);
    String n = t.size();
    String f =
        exps.one(
            "\\i -> " + v.name() + "[i % " + n + "]",
            "\\i -> " + v.name() + "[(i * i + 1) % " + n + "]",
            "\\i -> " + v.name() + "[" + n + " - 1 - i % " + n + "]");
    return bindings.bound(s, Tree.of(result, "map (" + f + ") (iota " + count + ")"));
  }

  @Nullable Binding zip(SourceScope s, int depth) {
    Var v = exps.variable(s, SourceType::isVector);
    if (v == null) {
      return null;
    }
    String size = Bindings.type(v).size();
    Var w =
        exps.variable(
            s, t -> t.isVector() && t instanceof SourceType.Array a && a.size().equals(size));
    if (w == null
        || !(Bindings.type(v).element() instanceof Prim)
        || !(Bindings.type(w).element() instanceof Prim)) {
      return null;
    }
    SourceType t =
        new SourceType.Array(
            new SourceType.Tuple(List.of(Bindings.type(v).element(), Bindings.type(w).element())),
            size);
    Set<Integer> roots = new HashSet<>(v.roots());
    roots.addAll(w.roots());
    return bindings.bound(s, Tree.of(t, "zip " + v.name() + " " + w.name()), roots);
  }
}
