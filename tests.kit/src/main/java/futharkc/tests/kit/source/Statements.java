package futharkc.tests.kit.source;

import futharkc.tests.kit.source.Expressions.Value;
import futharkc.tests.kit.source.Scope.Fun;
import futharkc.tests.kit.source.Scope.Var;
import futharkc.tests.kit.source.Ty.Prim;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Random sequences of statements, mostly chains of array operations. */
final class Statements implements Expressions.Blocks {
  final Expressions exps;

  /**
   * A statement: a binding of a pattern.
   *
   * @param value what is bound
   */
  private record Binding(String pattern, Tree value) {}

  /** A way to make a statement; it does nothing if it lacks operands. */
  private interface Form {
    @Nullable Binding make(Scope s, int depth);
  }

  private final List<Form> forms = new ArrayList<>();

  Statements(Random random) {
    this.exps = new Expressions(random, this);
    often(8, this::map);
    often(3, this::mapOverRows);
    often(4, this::reduce);
    often(3, this::scan);
    often(4, this::scatter);
    often(2, this::histogram);
    often(2, this::filter);
    often(1, this::partition);
    often(2, this::slice);
    often(2, this::sameShape);
    often(1, this::transpose);
    often(1, this::flatten);
    often(1, this::unflatten);
    often(1, this::concat);
    often(2, this::fresh);
    often(3, this::update);
    often(2, this::loop);
    often(2, this::loopInPlace);
    often(1, this::whileLoop);
    often(2, this::branch);
    often(1, this::match);
    often(1, this::call);
    often(1, this::localFunction);
    often(1, this::gather);
    often(1, this::zip);
    often(1, this::scalar);
    often(1, this::flatScatter);
  }

  private void often(int times, Form form) {
    for (int i = 0; i < times; i++) {
      forms.add(form);
    }
  }

  @Override
  public Value block(Scope scope, Ty result, int statements, int depth) {
    List<Binding> bindings = new ArrayList<>();
    for (int i = 0; i < statements; i++) {
      bindings.add(statement(scope, depth));
    }
    Value value = exps.result(scope, result, Math.max(depth, 0) + 1);
    return new Value(bind(bindings, value.tree()), value.roots());
  }

  /** A block whose result aliases nothing that stays. */
  private Tree uniqueBlock(Scope scope, Ty result, int statements, int depth) {
    List<Binding> bindings = new ArrayList<>();
    for (int i = 0; i < statements; i++) {
      bindings.add(statement(scope, depth));
    }
    return bind(bindings, unique(scope, result));
  }

  /** A block whose result is a tuple of some of the last variables, but for sizes. */
  Tree mainBlock(Scope scope, int statements, int depth) {
    List<Binding> bindings = new ArrayList<>();
    int inputs = scope.vars.size();
    for (int i = 0; i < statements; i++) {
      bindings.add(statement(scope, depth));
    }
    List<Var> results = new ArrayList<>();
    for (int i = scope.vars.size() - 1; i >= 0 && results.size() < 5; i--) {
      Var v = scope.vars.get(i);
      if (exps.chance(results.isEmpty() ? 0.9 : i < inputs ? 0.1 : 0.5)) {
        results.add(v);
      }
    }
    List<Object> parts = new ArrayList<>();
    List<Ty> types = new ArrayList<>();
    parts.add("(");
    for (Var v : results) {
      parts.add(Tree.atom(v.type(), v.name()));
      parts.add(", ");
      types.add(v.type());
    }
    types.add(Prim.I64);
    types.add(Prim.I64);
    parts.add(exps.result(scope, Prim.I64, 2).tree());
    parts.add(", 0)");
    return bind(bindings, new Tree(new Ty.Tuple(types), parts));
  }

  private static Tree bind(List<Binding> bindings, Tree body) {
    Tree out = body;
    for (Binding b : bindings.reversed()) {
      out = Tree.let(b.pattern, b.value, out);
    }
    return out;
  }

  private Binding statement(Scope s, int depth) {
    while (true) {
      Binding made = exps.one(forms).make(s, depth);
      if (made != null) {
        return made;
      }
    }
  }

  /** A value that may be consumed: a variable of its own, or a copy. */
  private Tree unique(Scope s, Ty t) {
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

  /** Binds a new variable. */
  private Binding bound(Scope s, Tree value, Set<Integer> roots) {
    String name = s.name();
    s.add(name, Expressions.typeOf(value), roots);
    return new Binding(name, value);
  }

  private Binding bound(Scope s, Tree value) {
    return bound(s, value, s.fresh());
  }

  /** Binds the parts of a tuple, which nothing else shares. */
  private Binding boundParts(Scope s, Tree value, Ty.Tuple t) {
    List<String> names = new ArrayList<>();
    Set<Integer> roots = s.fresh();
    for (Ty part : t.parts()) {
      String name = s.name();
      names.add(name);
      s.add(name, part, roots);
    }
    return new Binding("(" + String.join(", ", names) + ")", value);
  }

  private @Nullable Var array(Scope s) {
    return exps.variable(s, t -> t instanceof Ty.Array);
  }

  private static Ty.Array type(Var v) {
    return (Ty.Array) v.type();
  }

  // Operations on arrays.

  private @Nullable Binding map(Scope s, int depth) {
    Var first = array(s);
    if (first == null) {
      return null;
    }
    String size = type(first).size();
    List<Var> inputs = new ArrayList<>(List.of(first));
    while (inputs.size() < 4 && exps.chance(0.35)) {
      Var v = exps.variable(s, t -> t instanceof Ty.Array a && a.size().equals(size));
      if (v != null) {
        inputs.add(v);
      }
    }
    return mapped(s, inputs, result(s, depth), depth);
  }

  private Ty result(Scope s, int depth) {
    return depth > 0 && exps.chance(0.25)
        ? new Ty.Array(exps.prim(), exps.one(s.sizes))
        : exps.element();
  }

  private Binding mapped(Scope s, List<Var> inputs, Ty result, int depth) {
    String size = type(inputs.get(0)).size();
    Tree f =
        exps.lambda(s, inputs.stream().map(v -> type(v).element()).toList(), result, depth - 1);
    List<Object> parts = new ArrayList<>();
    parts.add("map" + (inputs.size() == 1 ? "" : inputs.size()) + " ");
    parts.add(f);
    for (Var v : inputs) {
      parts.add(" ");
      parts.add(Tree.atom(v.type(), v.name()));
    }
    Tree value = Tree.of(new Ty.Array(result, size), parts.toArray());
    if (result instanceof Ty.Tuple t && exps.chance(0.6)) {
      List<Ty> arrays = new ArrayList<>();
      for (Ty part : t.parts()) {
        arrays.add(new Ty.Array(part, size));
      }
      Ty.Tuple all = new Ty.Tuple(arrays);
      return boundParts(s, Tree.of(all, "unzip ", value), all);
    }
    return bound(s, value);
  }

  private @Nullable Binding mapOverRows(Scope s, int depth) {
    Var v = exps.variable(s, Ty::isMatrix);
    if (v == null || !(type(v).element() instanceof Ty.Array row)) {
      return null;
    }
    Ty element = row.element();
    String name = Tree.atom(v.type(), v.name()).text();
    if (exps.chance(0.5)) {
      Tree op = Tree.piece(exps.associative(element));
      boolean scan = exps.chance(0.4);
      Ty result = new Ty.Array(scan ? row : element, type(v).size());
      return bound(s, Tree.of(result, scan ? "map (scan " : "map (reduce ", op, ") " + name));
    }
    Ty result = exps.prim();
    Tree f = exps.lambda(s, List.of(element), result, depth - 1);
    Ty all = new Ty.Array(new Ty.Array(result, row.size()), type(v).size());
    return bound(s, Tree.of(all, "map (map ", f, ") " + name));
  }

  private @Nullable Var associativeInput(Scope s) {
    return exps.variable(
        s,
        t ->
            t instanceof Ty.Array a
                && (!a.element().hasArrays()
                    || a.element() instanceof Ty.Array b && b.element() instanceof Prim));
  }

  private @Nullable Binding reduce(Scope s, int depth) {
    Var v = associativeInput(s);
    if (v == null) {
      return null;
    }
    Ty element = type(v).element();
    return bound(
        s,
        Tree.of(
            element, "reduce " + exps.associative(element) + " ", Tree.atom(v.type(), v.name())),
        element.hasArrays() ? v.roots() : Set.of());
  }

  private @Nullable Binding scan(Scope s, int depth) {
    Var v = associativeInput(s);
    if (v == null) {
      return null;
    }
    Ty element = type(v).element();
    return bound(
        s,
        Tree.of(
            v.type(), "scan " + exps.associative(element) + " ", Tree.atom(v.type(), v.name())));
  }

  /** Indices into an array of a size: different ones, or outside of the array. */
  private Tree indices(Scope s, String count, String size) {
    Ty t = new Ty.Array(Prim.I64, count);
    int k = exps.random.nextInt(4);
    return switch (exps.random.nextInt(6)) {
      case 0 -> Tree.of(t, "map (\\i -> " + size + " - 1 - i) (iota " + count + ")");
      case 1 -> Tree.of(t, "map (\\i -> i - " + k + ") (iota " + count + ")");
      case 2 ->
          Tree.of(t, "map (\\i -> if i % 3 == " + k + " then i else -1) (iota " + count + ")");
      case 3 -> Tree.of(t, "map (\\i -> i * 2 - " + k + ") (iota " + count + ")");
      case 4 -> {
        // The places of what a condition holds for, as in a filter.
        Var v = exps.variable(s, x -> x instanceof Ty.Array a && a.size().equals(count));
        if (v == null) {
          yield Tree.of(t, "iota " + count);
        }
        Tree p = exps.lambda(s, List.of(type(v).element()), Prim.BOOL, 0);
        String flags = s.name();
        String places = s.name();
        yield Tree.of(
            t,
            "let " + flags + " = map ",
            p,
            " " + v.name() + "\n  in let " + places + " = scan (+) 0 (map i64.bool " + flags + ")",
            "\n  in map2 (\\f i -> if f then i - 1 else -1) " + flags + " " + places);
      }
      default -> Tree.of(t, "iota " + count);
    };
  }

  private @Nullable Binding scatter(Scope s, int depth) {
    Var to = exps.variable(s, t -> t instanceof Ty.Array);
    if (to == null) {
      return null;
    }
    Ty.Array t = type(to);
    String count = exps.chance(0.6) ? t.size() : exps.one(s.sizes);
    Tree is = indices(s, count, t.size());
    Tree vs;
    if (exps.chance(0.1)) {
      is = Tree.of(new Ty.Array(Prim.I64, count), "map (% 3) (iota " + count + ")");
      vs =
          Tree.of(
              new Ty.Array(t.element(), count), "replicate " + count + " " + t.element().zero());
    } else {
      Var v = exps.variable(s, x -> x.equals(new Ty.Array(t.element(), count)));
      if (v != null && exps.chance(0.6) && (!s.mayConsume(to) || disjoint(v, to))) {
        vs = Tree.atom(v.type(), v.name());
      } else {
        Scope without = s.branch();
        if (without.mayConsume(to)) {
          without.consume(to);
        }
        vs = exps.value(without, new Ty.Array(t.element(), count), 1).tree();
      }
    }
    String name = s.name();
    String ivar = s.name();
    Tree target = consumed(s, to);
    s.add(ivar, new Ty.Array(Prim.I64, count), s.fresh());
    Tree made = Tree.of(t, "scatter ", target, " " + ivar + " ", vs);
    Set<Integer> root = s.fresh();
    s.vars.removeIf(v -> v.name().equals(ivar));
    s.add(name, t, root);
    return new Binding(name, Tree.let(ivar, is, made));
  }

  private static boolean disjoint(Var a, Var b) {
    return a.roots().stream().noneMatch(b.roots()::contains);
  }

  /** The variable, which is used up, or a copy. */
  private Tree consumed(Scope s, Var v) {
    if (s.mayConsume(v) && s.vars.contains(v) && exps.chance(0.75)) {
      s.consume(v);
      return Tree.atom(v.type(), v.name());
    }
    return Tree.of(v.type(), "copy ", Tree.atom(v.type(), v.name()));
  }

  private @Nullable Binding flatScatter(Scope s, int depth) {
    Var to = exps.variable(s, t -> t.isMatrix());
    if (to == null || !(type(to).element() instanceof Ty.Array row)) {
      return null;
    }
    Ty element = row.element();
    String count = exps.one(s.sizes);
    Scope without = s.branch();
    if (without.mayConsume(to)) {
      without.consume(to);
    }
    Tree vs = exps.value(without, new Ty.Array(element, count), 1).tree();
    Tree target = consumed(s, to);
    String is =
        exps.one(
            "(map (\\i -> (i, i % 2)) (iota " + count + "))",
            "(zip (iota " + count + ") (iota " + count + "))",
            "(map (\\i -> (0, i - 1)) (iota " + count + "))");
    return bound(s, Tree.of(to.type(), "scatter_2d ", target, " " + is + " ", vs));
  }

  private @Nullable Binding histogram(Scope s, int depth) {
    Var v =
        exps.variable(
            s,
            t ->
                t instanceof Ty.Array a
                    && (!a.element().hasArrays()
                        || a.element() instanceof Ty.Array b && b.element() instanceof Prim));
    if (v == null) {
      return null;
    }
    Ty element = type(v).element();
    String count = type(v).size();
    Ty.Array is = new Ty.Array(Prim.I64, count);
    String size = exps.one(s.sizes);
    Ty.Array t = new Ty.Array(element, size);
    String op = exps.commutative(element);
    Var to = exps.variable(s, t::equals);
    String input = " " + v.name();
    if (to != null && exps.chance(0.5) && !to.equals(v) && disjoint(v, to)) {
      Scope without = s.branch();
      if (without.mayConsume(to)) {
        without.consume(to);
      }
      Tree index = binIndices(without, is);
      String iname = s.name();
      Tree target = consumed(s, to);
      Tree made = Tree.of(t, "reduce_by_index ", target, " " + op + " " + iname + input);
      return bound(s, Tree.let(iname, index, made));
    }
    return bound(s, Tree.of(t, "hist " + op + " " + size + " ", binIndices(s, is), input));
  }

  private Tree binIndices(Scope s, Ty.Array t) {
    Var v = exps.variable(s, t::equals);
    return v != null && exps.chance(0.6)
        ? Tree.of(t, "map (\\i -> i % 5 - 1) ", Tree.atom(t, v.name()))
        : exps.value(s, t, 1).tree();
  }

  private @Nullable Binding filter(Scope s, int depth) {
    Var v = array(s);
    if (v == null) {
      return null;
    }
    Tree p = exps.lambda(s, List.of(type(v).element()), Prim.BOOL, depth - 1);
    return existential(s, type(v).element(), "filter ", p, " " + v.name());
  }

  /** Binds an array whose size is not known before. */
  private Binding existential(Scope s, Ty element, Object... parts) {
    String size = "k" + s.name();
    Ty.Array t = new Ty.Array(element, size);
    String name = s.name();
    Tree value = Tree.of(t, parts);
    s.sizes.add(size);
    s.add(name, t, s.fresh());
    return new Binding("[" + size + "] (" + name + ": " + t.text() + ")", value);
  }

  private @Nullable Binding partition(Scope s, int depth) {
    Var v = array(s);
    if (v == null) {
      return null;
    }
    Tree p = exps.lambda(s, List.of(type(v).element()), Prim.BOOL, depth - 1);
    String a = "k" + s.name();
    String b = "k" + s.name();
    Ty.Array ta = new Ty.Array(type(v).element(), a);
    Ty.Array tb = new Ty.Array(type(v).element(), b);
    String x = s.name();
    String y = s.name();
    Ty.Tuple both = new Ty.Tuple(List.of(ta, tb));
    Tree value = Tree.of(both, "partition ", p, " " + v.name());
    s.sizes.add(a);
    s.sizes.add(b);
    // They may alias whatever the function does.
    Set<Integer> roots = new HashSet<>(s.foreign());
    s.vars.forEach(u -> roots.addAll(u.roots()));
    s.add(x, ta, roots);
    s.add(y, tb, roots);
    return new Binding(
        "[" + a + "][" + b + "] (" + x + ": " + ta.text() + ", " + y + ": " + tb.text() + ")",
        value);
  }

  private @Nullable Binding slice(Scope s, int depth) {
    Var v = array(s);
    if (v == null) {
      return null;
    }
    Ty.Array t = type(v);
    String n = t.size();
    int k = exps.random.nextInt(3);
    String size = "k" + s.name();
    Ty.Array result = new Ty.Array(t.element(), size);
    String taken =
        switch (exps.random.nextInt(5)) {
          case 0 -> "[" + n + " / 2:]";
          case 1 -> "[:" + n + " / 2]";
          case 2 -> "[i64.min " + k + " " + n + ":]";
          case 3 -> "[::2]";
          default -> "[i64.min " + k + " " + n + ":" + n + "]";
        };
    Tree value = Tree.of(result, Tree.atom(t, v.name()), taken);
    String name = s.name();
    s.sizes.add(size);
    s.add(name, result, v.roots());
    return new Binding("[" + size + "] (" + name + ": " + result.text() + ")", value);
  }

  private @Nullable Binding sameShape(Scope s, int depth) {
    Var v = array(s);
    if (v == null) {
      return null;
    }
    Tree x = Tree.atom(v.type(), v.name());
    return switch (exps.random.nextInt(4)) {
      case 0 -> bound(s, Tree.of(v.type(), "reverse ", x), v.roots());
      case 1 -> bound(s, Tree.of(v.type(), "rotate " + exps.one("1", "(-1)", "2") + " ", x));
      case 2 -> bound(s, Tree.of(v.type(), "copy ", x));
      default -> bound(s, Tree.of(v.type(), x, "[::-1] :> " + v.type().text()), v.roots());
    };
  }

  private @Nullable Binding transpose(Scope s, int depth) {
    Var v = exps.variable(s, Ty::isMatrix);
    if (v == null || !(type(v).element() instanceof Ty.Array row)) {
      return null;
    }
    Ty t = new Ty.Array(new Ty.Array(row.element(), type(v).size()), row.size());
    return bound(s, Tree.of(t, "transpose ", Tree.atom(v.type(), v.name())), v.roots());
  }

  private @Nullable Binding flatten(Scope s, int depth) {
    Var v = exps.variable(s, Ty::isMatrix);
    if (v == null || !(type(v).element() instanceof Ty.Array row)) {
      return null;
    }
    String size = "(" + type(v).size() + " * " + row.size() + ")";
    Ty t = new Ty.Array(row.element(), size);
    if (exps.chance(0.5)) {
      return bound(s, Tree.of(t, "flatten ", Tree.atom(v.type(), v.name())), v.roots());
    }
    String k = "k" + s.name();
    String name = s.name();
    s.sizes.add(k);
    Ty.Array r = new Ty.Array(row.element(), k);
    s.add(name, r, v.roots());
    return new Binding(
        "[" + k + "] (" + name + ": " + r.text() + ")",
        Tree.of(r, "flatten ", Tree.atom(v.type(), v.name())));
  }

  private @Nullable Binding unflatten(Scope s, int depth) {
    Var v =
        exps.variable(s, t -> t instanceof Ty.Array a && a.size().matches("\\(\\w+ \\* \\w+\\)"));
    if (v == null) {
      return null;
    }
    String[] sizes = type(v).size().replaceAll("[()]", "").split(" \\* ", 2);
    Ty t = new Ty.Array(new Ty.Array(type(v).element(), sizes[1]), sizes[0]);
    return bound(s, Tree.of(t, "unflatten ", Tree.atom(v.type(), v.name())), v.roots());
  }

  private @Nullable Binding concat(Scope s, int depth) {
    Var v = array(s);
    if (v == null) {
      return null;
    }
    Ty element = type(v).element();
    Var w = exps.variable(s, t -> t instanceof Ty.Array a && a.element().equals(element));
    if (w == null) {
      return null;
    }
    if (exps.chance(0.4) && type(v).size().length() + type(w).size().length() < 20) {
      Ty t = new Ty.Array(element, "(" + type(v).size() + " + " + type(w).size() + ")");
      return bound(
          s, Tree.of(t, Tree.atom(v.type(), v.name()), " ++ ", Tree.atom(w.type(), w.name())));
    }
    return existential(s, element, "concat " + v.name() + " " + w.name());
  }

  private Binding fresh(Scope s, int depth) {
    Ty element = depth > 0 ? result(s, depth) : exps.element();
    String size = exps.one(s.sizes);
    Ty.Array t = new Ty.Array(element, size);
    return switch (exps.random.nextInt(3)) {
      case 0 -> bound(s, Tree.of(t, "replicate " + size + " ", exps.value(s, element, 1).tree()));
      case 1 -> bound(s, Tree.of(new Ty.Array(Prim.I64, size), "iota " + size));
      default ->
          bound(
              s,
              Tree.of(
                  t,
                  "tabulate " + size + " ",
                  exps.lambda(s, List.of(Prim.I64), element, depth - 1)));
    };
  }

  private @Nullable Binding update(Scope s, int depth) {
    Var v = array(s);
    if (v == null) {
      return null;
    }
    Ty.Array t = type(v);
    Scope without = s.branch();
    if (without.mayConsume(v)) {
      without.consume(v);
    }
    Object index;
    Tree element;
    if (exps.chance(0.2)) {
      index = ":i64.min 1 " + t.size();
      element =
          Tree.of(
              new Ty.Array(t.element(), "(i64.min 1 " + t.size() + ")"),
              "replicate (i64.min 1 " + t.size() + ") ",
              exps.value(without, t.element(), 1).tree());
    } else if (t.element() instanceof Ty.Array row && exps.chance(0.5)) {
      index =
          Tree.piece(exps.index(without, t.size(), 1), ", ", exps.index(without, row.size(), 1));
      element = exps.value(without, row.element(), 2).tree();
    } else {
      index = exps.index(without, t.size(), 2);
      element = exps.value(without, t.element(), 2).tree();
    }
    Tree target = consumed(s, v);
    return bound(s, Tree.of(t, target, " with [", index, "] = ", element));
  }

  private @Nullable Binding gather(Scope s, int depth) {
    Var v = array(s);
    if (v == null) {
      return null;
    }
    Ty.Array t = type(v);
    String count = exps.one(s.sizes);
    Ty.Array result = new Ty.Array(t.element(), count);
    String n = t.size();
    String f =
        exps.one(
            "\\i -> " + v.name() + "[i % " + n + "]",
            "\\i -> " + v.name() + "[(i * i + 1) % " + n + "]",
            "\\i -> " + v.name() + "[" + n + " - 1 - i % " + n + "]");
    return bound(s, Tree.of(result, "map (" + f + ") (iota " + count + ")"));
  }

  private @Nullable Binding zip(Scope s, int depth) {
    Var v = exps.variable(s, Ty::isVector);
    if (v == null) {
      return null;
    }
    String size = type(v).size();
    Var w = exps.variable(s, t -> t.isVector() && t instanceof Ty.Array a && a.size().equals(size));
    if (w == null || !(type(v).element() instanceof Prim) || !(type(w).element() instanceof Prim)) {
      return null;
    }
    Ty t = new Ty.Array(new Ty.Tuple(List.of(type(v).element(), type(w).element())), size);
    Set<Integer> roots = new HashSet<>(v.roots());
    roots.addAll(w.roots());
    return bound(s, Tree.of(t, "zip " + v.name() + " " + w.name()), roots);
  }

  private Binding scalar(Scope s, int depth) {
    return bound(s, exps.scalar(s, exps.prim(), 3), Set.of());
  }

  // Control.

  private String bound(Scope s) {
    return exps.chance(0.5) ? "" + exps.random.nextInt(4) : exps.one(s.sizes);
  }

  /** A loop over scalars and arrays that it does not consume. */
  private @Nullable Binding loop(Scope s, int depth) {
    if (depth <= 0) {
      return null;
    }
    Var v = exps.chance(0.7) ? array(s) : null;
    Ty scalar = exps.prim();
    Ty t = v == null ? scalar : new Ty.Tuple(List.of(scalar, v.type()));
    Value first = exps.value(s, scalar, 2);
    Scope inner = s.nested();
    String x = inner.name();
    inner.add(x, scalar, Set.of());
    String names = x;
    Object start = first.tree();
    if (v != null) {
      String y = inner.name();
      inner.add(y, v.type(), inner.foreign());
      names = "(" + x + ", " + y + ": " + v.type().text() + ")";
      start = Tree.piece("(", first.tree(), ", " + v.name() + ")");
    }
    String head;
    Var over = exps.chance(0.4) ? array(s) : null;
    String i = inner.name();
    if (over == null) {
      inner.add(i, Prim.I64, Set.of());
      head = " for " + i + " < " + bound(s) + " do ";
    } else {
      Set<Integer> roots = new HashSet<>(inner.foreign());
      roots.addAll(over.roots());
      inner.add(i, type(over).element(), roots);
      head = " for " + i + " in " + over.name() + " do ";
    }
    Value body = block(inner, t, 1 + exps.random.nextInt(3), depth - 1);
    Tree value = Tree.of(t, "loop " + names + " = ", start, head, body.tree());
    if (v == null) {
      return bound(s, value, Set.of());
    }
    Set<Integer> roots = new HashSet<>(s.fresh());
    roots.addAll(v.roots());
    roots.addAll(inner.exported(body.roots()));
    // Rows of the array that the loop goes over are not to be consumed.
    if (over != null) {
      roots.addAll(s.foreign());
    }
    String a = s.name();
    String b = s.name();
    s.add(a, scalar, Set.of());
    s.add(b, v.type(), roots);
    return new Binding("(" + a + ", " + b + ")", value);
  }

  /** A loop that updates its array in place. */
  private @Nullable Binding loopInPlace(Scope s, int depth) {
    if (depth <= 0) {
      return null;
    }
    Var v = array(s);
    if (v == null) {
      return null;
    }
    String count = bound(s);
    Tree first = consumed(s, v);
    Scope inner = s.nested();
    String x = inner.name();
    inner.add(x, v.type(), inner.fresh());
    String i = inner.name();
    inner.add(i, Prim.I64, Set.of());
    Tree body = uniqueBlock(inner, v.type(), 1 + exps.random.nextInt(3), depth - 1);
    return bound(
        s,
        Tree.of(
            v.type(),
            "loop (" + x + ": *" + v.type().text() + ") = ",
            first,
            " for " + i + " < " + count + " do ",
            body));
  }

  private @Nullable Binding whileLoop(Scope s, int depth) {
    if (depth <= 0) {
      return null;
    }
    Var v = array(s);
    if (v == null) {
      return null;
    }
    Tree first = consumed(s, v);
    Scope inner = s.nested();
    String x = inner.name();
    String i = inner.name();
    inner.add(i, Prim.I64, Set.of());
    inner.add(x, v.type(), inner.fresh());
    Tree condition = exps.chance(0.5) ? exps.scalar(inner, Prim.BOOL, 1) : Tree.piece("true");
    Tree body = uniqueBlock(inner, v.type(), 1 + exps.random.nextInt(2), depth - 1);
    Ty.Tuple t = new Ty.Tuple(List.of(Prim.I64, v.type()));
    Tree value =
        Tree.of(
            t,
            "loop (" + i + ", " + x + ": *" + v.type().text() + ") = (0, ",
            first,
            ") while " + i + " < " + (1 + exps.random.nextInt(4)) + " && ",
            condition,
            " do (" + i + " + 1, ",
            body,
            ")");
    return boundParts(s, value, t);
  }

  private @Nullable Binding branch(Scope s, int depth) {
    if (depth <= 0) {
      return null;
    }
    return branches(
        s, depth, Tree.piece("if ", exps.scalar(s, Prim.BOOL, 2), " then "), List.of(" else "));
  }

  private @Nullable Binding match(Scope s, int depth) {
    if (depth <= 0) {
      return null;
    }
    return branches(
        s,
        depth,
        Tree.piece("match ", Tree.of(Prim.I64, exps.scalar(s, Prim.I64, 2), " % 3"), " case 0 -> "),
        List.of(" case 1 -> ", " case _ -> "));
  }

  private Binding branches(Scope s, int depth, Tree head, List<String> separators) {
    Var v = exps.chance(0.75) ? array(s) : null;
    Ty t = v == null ? exps.prim() : v.type();
    List<Object> parts = new ArrayList<>();
    parts.add(head);
    Set<Integer> roots = new HashSet<>();
    List<Scope> taken = new ArrayList<>();
    for (int i = 0; i <= separators.size(); i++) {
      if (i > 0) {
        parts.add(separators.get(i - 1));
      }
      Scope inner = s.branch();
      Value body = block(inner, t, exps.random.nextInt(3), depth - 1);
      parts.add(body.tree());
      roots.addAll(inner.exported(body.roots()));
      taken.add(inner);
    }
    taken.forEach(s::joinConsumed);
    roots.addAll(s.fresh());
    return bound(s, Tree.of(t, parts.toArray()), roots);
  }

  // Functions.

  private @Nullable Binding call(Scope s, int depth) {
    if (s.funs.isEmpty()) {
      return null;
    }
    Fun f = exps.one(s.funs);
    List<String> sizes = f.sizes().stream().map(x -> exps.one(s.sizes)).toList();
    List<Object> parts = new ArrayList<>();
    parts.add(f.name());
    Set<Integer> roots = new HashSet<>(s.fresh());
    List<Tree> args = new ArrayList<>();
    List<Var> shared = new ArrayList<>();
    for (int i = 0; i < f.params().size(); i++) {
      Ty t = substitute(f.params().get(i), f.sizes(), sizes);
      if (f.unique().get(i)) {
        args.add(Tree.of(t, "copy ", exps.value(s, t, 1).tree()));
        continue;
      }
      Var v = exps.variable(s, t::equals);
      if (v != null) {
        args.add(Tree.atom(t, v.name()));
        shared.add(v);
      } else {
        Value value = exps.value(s, t, 1);
        args.add(value.tree());
        roots.addAll(value.roots());
      }
    }
    for (int i = 0; i < args.size(); i++) {
      // In place of the copy, an array that is used nowhere else.
      Ty t = Expressions.typeOf(args.get(i));
      if (f.unique().get(i) && exps.chance(0.7)) {
        Var v = exps.variable(s, t::equals);
        Scope rest = s.branch();
        if (v != null && rest.mayConsume(v)) {
          rest.consume(v);
          boolean elsewhere = false;
          for (int j = 0; j < args.size(); j++) {
            elsewhere |= j != i && !onlyUses(args.get(j), rest, s);
          }
          if (!elsewhere) {
            s.consume(v);
            args.set(i, Tree.atom(t, v.name()));
          }
        }
      }
    }
    shared.forEach(v -> roots.addAll(v.roots()));
    for (Tree arg : args) {
      parts.add(" ");
      parts.add(arg);
    }
    Ty result = substitute(f.result(), f.sizes(), sizes);
    Tree value = Tree.of(result, parts.toArray());
    if (result instanceof Ty.Tuple t && t.parts().get(1).hasArrays()) {
      String a = s.name();
      String b = s.name();
      Set<Integer> all = f.fresh() ? s.fresh() : roots;
      s.add(a, t.parts().get(0), all);
      s.add(b, t.parts().get(1), all);
      return new Binding("(" + a + ", " + b + ")", value);
    }
    return bound(s, value, f.fresh() ? s.fresh() : roots);
  }

  /** Whether a tree mentions no variable that is in one scope but not in the other. */
  private static boolean onlyUses(Tree tree, Scope rest, Scope s) {
    List<String> words = List.of(tree.text().split("\\W+"));
    return s.vars.stream()
        .filter(v -> !rest.vars.contains(v))
        .noneMatch(v -> words.contains(v.name()));
  }

  private static Ty substitute(Ty t, List<String> from, List<String> to) {
    return switch (t) {
      case Prim p -> p;
      case Ty.Array a -> {
        int i = from.indexOf(a.size());
        yield new Ty.Array(substitute(a.element(), from, to), i < 0 ? a.size() : to.get(i));
      }
      case Ty.Tuple u ->
          new Ty.Tuple(u.parts().stream().map(p -> substitute(p, from, to)).toList());
      case Ty.Fields f ->
          new Ty.Fields(f.parts().stream().map(p -> substitute(p, from, to)).toList());
    };
  }

  /** A function in a function, applied twice or passed on. */
  private Binding localFunction(Scope s, int depth) {
    Prim t = exps.prim();
    Tree f = exps.lambda(s, List.of(t), t, 0);
    String name = s.name();
    Tree use =
        exps.chance(0.5)
            ? Tree.of(t, name + " (" + name + " ", exps.scalar(s, t, 1), ")")
            : Tree.of(t, "twice " + name + " ", exps.scalar(s, t, 1));
    Var v = exps.variable(s, x -> x instanceof Ty.Array a && a.element() == t);
    if (v != null) {
      use = Tree.of(v.type(), "map (twice " + name + ") ", Tree.atom(v.type(), v.name()));
    }
    return bound(s, Tree.let(name, Tree.of(new Ty.Tuple(List.of(t, t)), f), use));
  }

  /** The main function. */
  Tree main(Scope s, List<RandomProgram.Param> params, int statements) {
    StringBuilder head = new StringBuilder("def main");
    for (RandomProgram.Param p : params) {
      head.append(" (").append(p.name()).append(": ");
      head.append(p.unique() ? "*" : "").append(p.type().text()).append(")");
    }
    return Tree.piece(head + " =\n  ", mainBlock(s, statements, 2), "\n");
  }

  /** A function of its own. */
  Tree function(Scope s, Fun f, List<String> params, int statements, int depth) {
    Ty result = f.result();
    Object body =
        f.fresh()
            ? uniqueBlock(s, result, statements, depth)
            : block(s, result, statements, depth).tree();
    StringBuilder head = new StringBuilder("def " + f.name());
    f.sizes().forEach(x -> head.append(" [").append(x).append("]"));
    for (int i = 0; i < params.size(); i++) {
      head.append(" (").append(params.get(i)).append(": ");
      head.append(f.unique().get(i) ? "*" : "").append(f.params().get(i).text()).append(")");
    }
    head.append(" : ").append(f.fresh() ? star(result) : result.text()).append(" =\n  ");
    return Tree.piece(head.toString(), body, "\n\n");
  }

  private static String star(Ty t) {
    return t instanceof Ty.Tuple u
        ? u.parts().stream()
            .map(Statements::star)
            .collect(java.util.stream.Collectors.joining(", ", "(", ")"))
        : t.hasArrays() ? "*" + t.text() : t.text();
  }
}
