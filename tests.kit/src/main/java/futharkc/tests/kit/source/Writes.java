package futharkc.tests.kit.source;

import futharkc.tests.kit.source.SourceScope.Var;
import futharkc.tests.kit.source.SourceType.Prim;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A generator of random scatters, histograms and in-place updates. */
final class Writes {
  private final Bindings bindings;
  private final Expressions exps;

  Writes(Bindings bindings) {
    this.bindings = bindings;
    this.exps = bindings.exps;
  }

  @Nullable Binding scatter(SourceScope s, int depth) {
    Var to = exps.variable(s, t -> t instanceof SourceType.Array);
    if (to == null) {
      return null;
    }
    SourceType.Array t = Bindings.type(to);
    String count = exps.chance(0.6) ? t.size() : exps.one(s.sizes);
    Tree is = indices(s, count, t.size());
    Tree vs;
    if (exps.chance(0.1)) {
      is = Tree.of(new SourceType.Array(Prim.I64, count), "map (% 3) (iota " + count + ")");
      vs =
          Tree.of(
              new SourceType.Array(t.element(), count),
              "replicate " + count + " " + t.element().zero());
    } else {
      Var v = exps.variable(s, x -> x.equals(new SourceType.Array(t.element(), count)));
      if (v != null && exps.chance(0.6) && (!s.mayConsume(to) || Bindings.disjoint(v, to))) {
        vs = Tree.atom(v.type(), v.name());
      } else {
        SourceScope without = s.branch();
        if (without.mayConsume(to)) {
          without.consume(to);
        }
        vs = exps.value(without, new SourceType.Array(t.element(), count), 1).tree();
      }
    }
    String name = s.name();
    String ivar = s.name();
    Tree target =
        t.element() instanceof Prim && exps.chance(0.3)
            ? Tree.of(t, "(replicate " + t.size() + " " + t.element().zero() + ")")
            : bindings.consumed(s, to);
    if (t.element() instanceof Prim && exps.chance(0.2)) {
      SourceType positions = new SourceType.Array(Prim.I64, count);
      Tree before = exps.chance(0.4) ? Tree.atom(positions, ivar) : indices(s, count, t.size());
      String zeros = "(replicate " + count + " " + t.element().zero() + ")";
      target = Tree.of(t, "(scatter ", target, " (", before, ") " + zeros + ")");
    }
    s.add(ivar, new SourceType.Array(Prim.I64, count), s.fresh());
    Tree made = Tree.of(t, "scatter ", target, " " + ivar + " ", vs);
    Set<Integer> root = s.fresh();
    s.vars.removeIf(v -> v.name().equals(ivar));
    s.add(name, t, root);
    return new Binding(name, Tree.let(ivar, is, made));
  }

  /** Returns an array of indices for a write to an array; indices in range are distinct. */
  private Tree indices(SourceScope s, String count, String size) {
    SourceType t = new SourceType.Array(Prim.I64, count);
    int k = exps.random.nextInt(4);
    return switch (exps.random.nextInt(8)) {
      case 0 -> Tree.of(t, "map (\\i -> " + size + " - 1 - i) (iota " + count + ")");
      case 1 -> Tree.of(t, "map (\\i -> i - " + k + ") (iota " + count + ")");
      case 2 ->
          Tree.of(t, "map (\\i -> if i % 3 == " + k + " then i else -1) (iota " + count + ")");
      case 3 -> Tree.of(t, "map (\\i -> i * 2 - " + k + ") (iota " + count + ")");
      case 4, 5 -> {
        // The target indices of a filter or partition: elements that fail the condition go out of
        // range or to the end.
        Var v = exps.variable(s, x -> x instanceof SourceType.Array a && a.size().equals(count));
        if (v == null) {
          yield Tree.of(t, "iota " + count);
        }
        Tree p = exps.lambda(s, List.of(Bindings.type(v).element()), Prim.BOOL, 0);
        String flags = s.name();
        String places = s.name();
        String otherwise = exps.one("-1", count + " - 1 - (j - i)");
        yield Tree.of(
            t,
            "let " + flags + " = map ",
            p,
            " " + v.name() + "\n  in let " + places + " = scan (+) 0 (map i64.bool " + flags + ")",
            "\n  in map3 (\\f i j -> if f then i - 1 else " + otherwise + ") " + flags,
            " " + places + " (iota " + count + ")");
      }
      default -> Tree.of(t, "iota " + count);
    };
  }

  @Nullable Binding flatScatter(SourceScope s, int depth) {
    Var to = exps.variable(s, t -> t.isMatrix());
    if (to == null || !(Bindings.type(to).element() instanceof SourceType.Array row)) {
      return null;
    }
    SourceType element = row.element();
    String count = exps.one(s.sizes);
    SourceScope without = s.branch();
    if (without.mayConsume(to)) {
      without.consume(to);
    }
    Tree vs = exps.value(without, new SourceType.Array(element, count), 1).tree();
    Tree target = bindings.consumed(s, to);
    String is =
        exps.one(
            "(map (\\i -> (i, i % 2)) (iota " + count + "))",
            "(zip (iota " + count + ") (iota " + count + "))",
            "(map (\\i -> (0, i - 1)) (iota " + count + "))");
    return bindings.bound(s, Tree.of(to.type(), "scatter_2d ", target, " " + is + " ", vs));
  }

  @Nullable Binding histogram(SourceScope s, int depth) {
    Var v = bindings.associativeInput(s);
    if (v == null) {
      return null;
    }
    SourceType element = Bindings.type(v).element();
    String count = Bindings.type(v).size();
    SourceType.Array is = new SourceType.Array(Prim.I64, count);
    String size = exps.one(s.sizes);
    SourceType.Array t = new SourceType.Array(element, size);
    String op = exps.commutative(element);
    Var to = exps.variable(s, t::equals);
    String input = " " + v.name();
    if (to != null && exps.chance(0.5) && !to.equals(v) && Bindings.disjoint(v, to)) {
      SourceScope without = s.branch();
      if (without.mayConsume(to)) {
        without.consume(to);
      }
      Tree index = binIndices(without, is);
      String iname = s.name();
      Tree target = bindings.consumed(s, to);
      Tree made = Tree.of(t, "reduce_by_index ", target, " " + op + " " + iname + input);
      return bindings.bound(s, Tree.let(iname, index, made));
    }
    return bindings.bound(s, Tree.of(t, "hist " + op + " " + size + " ", binIndices(s, is), input));
  }

  private Tree binIndices(SourceScope s, SourceType.Array t) {
    Var v = exps.variable(s, t::equals);
    return v != null && exps.chance(0.6)
        ? Tree.of(t, "map (\\i -> i % 5 - 1) ", Tree.atom(t, v.name()))
        : exps.value(s, t, 1).tree();
  }

  @Nullable Binding update(SourceScope s, int depth) {
    Var v = bindings.array(s);
    if (v == null) {
      return null;
    }
    SourceType.Array t = Bindings.type(v);
    SourceScope without = s.branch();
    if (without.mayConsume(v)) {
      without.consume(v);
    }
    Object index;
    Tree element;
    if (exps.chance(0.2)) {
      index = ":i64.min 1 " + t.size();
      element =
          Tree.of(
              new SourceType.Array(t.element(), "(i64.min 1 " + t.size() + ")"),
              "replicate (i64.min 1 " + t.size() + ") ",
              exps.value(without, t.element(), 1).tree());
    } else if (t.element() instanceof SourceType.Array row && exps.chance(0.5)) {
      index =
          Tree.piece(exps.index(without, t.size(), 1), ", ", exps.index(without, row.size(), 1));
      element = exps.value(without, row.element(), 2).tree();
    } else {
      index = exps.index(without, t.size(), 2);
      element = exps.value(without, t.element(), 2).tree();
    }
    Tree target = bindings.consumed(s, v);
    return bindings.bound(s, Tree.of(t, target, " with [", index, "] = ", element));
  }
}
