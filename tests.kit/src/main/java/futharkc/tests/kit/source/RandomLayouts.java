package futharkc.tests.kit.source;

import futharkc.tests.kit.source.SourceScope.Var;
import futharkc.tests.kit.source.SourceType.Prim;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A generator of random new arrays, and of views and copies of arrays. */
final class RandomLayouts {
  private final Bindings bindings;
  private final Expressions exps;

  RandomLayouts(Bindings bindings) {
    this.bindings = bindings;
    this.exps = bindings.exps;
  }

  @Nullable Binding slice(SourceScope s, int depth) {
    Var v = bindings.array(s);
    if (v == null) {
      return null;
    }
    SourceType.Array t = Bindings.type(v);
    String n = t.size();
    int k = exps.random.nextInt(3);
    String size = "k" + s.name();
    SourceType.Array result = new SourceType.Array(t.element(), size);
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

  @Nullable Binding sameShape(SourceScope s, int depth) {
    Var v = bindings.array(s);
    if (v == null) {
      return null;
    }
    Tree x = Tree.atom(v.type(), v.name());
    return switch (exps.random.nextInt(4)) {
      case 0 -> bindings.bound(s, Tree.of(v.type(), "reverse ", x), v.roots());
      case 1 ->
          bindings.bound(s, Tree.of(v.type(), "rotate " + exps.one("1", "(-1)", "2") + " ", x));
      case 2 -> bindings.bound(s, Tree.of(v.type(), "copy ", x));
      default -> bindings.bound(s, Tree.of(v.type(), x, "[::-1] :> " + v.type().text()), v.roots());
    };
  }

  @Nullable Binding transpose(SourceScope s, int depth) {
    Var v = exps.variable(s, SourceType::isMatrix);
    if (v == null || !(Bindings.type(v).element() instanceof SourceType.Array row)) {
      return null;
    }
    SourceType t =
        new SourceType.Array(
            new SourceType.Array(row.element(), Bindings.type(v).size()), row.size());
    return bindings.bound(s, Tree.of(t, "transpose ", Tree.atom(v.type(), v.name())), v.roots());
  }

  /** Makes a loop or a branch whose result is a transposed matrix. */
  @Nullable Binding handedOn(SourceScope s, int depth) {
    Var v = exps.variable(s, SourceType::isMatrix);
    if (v == null || !(Bindings.type(v).element() instanceof SourceType.Array row)) {
      return null;
    }
    SourceType turned =
        new SourceType.Array(
            new SourceType.Array(row.element(), Bindings.type(v).size()), row.size());
    Tree x = Tree.atom(v.type(), v.name());
    String rows = exps.one("reverse", "(rotate 1)", "(\\r -> copy r)");
    if (exps.chance(0.5)) {
      Tree cond = exps.value(s, Prim.BOOL, 1).tree();
      String other = exps.one("transpose (map " + rows + " ", "copy (transpose ");
      Tree either = Tree.of(turned, "if ", cond, " then transpose ", x, " else " + other, x, ")");
      return bindings.bound(s, either, v.roots());
    }
    boolean first = exps.chance(0.5);
    String rounds = exps.one("0", "1", "2", "3");
    String m = s.name();
    String next = "transpose (map " + rows + " (transpose " + m + "))";
    Tree loop =
        Tree.of(
            first ? turned : v.type(),
            "loop " + m + " = " + (first ? "transpose " : ""),
            x,
            " for _i < " + rounds + "i64 do " + next);
    return bindings.bound(s, loop, v.roots());
  }

  @Nullable Binding flatten(SourceScope s, int depth) {
    Var v = exps.variable(s, SourceType::isMatrix);
    if (v == null || !(Bindings.type(v).element() instanceof SourceType.Array row)) {
      return null;
    }
    String size = "(" + Bindings.type(v).size() + " * " + row.size() + ")";
    SourceType t = new SourceType.Array(row.element(), size);
    if (exps.chance(0.5)) {
      return bindings.bound(s, Tree.of(t, "flatten ", Tree.atom(v.type(), v.name())), v.roots());
    }
    String k = "k" + s.name();
    String name = s.name();
    s.sizes.add(k);
    SourceType.Array r = new SourceType.Array(row.element(), k);
    s.add(name, r, v.roots());
    return new Binding(
        "[" + k + "] (" + name + ": " + r.text() + ")",
        Tree.of(r, "flatten ", Tree.atom(v.type(), v.name())));
  }

  @Nullable Binding unflatten(SourceScope s, int depth) {
    Var v =
        exps.variable(
            s, t -> t instanceof SourceType.Array a && a.size().matches("\\(\\w+ \\* \\w+\\)"));
    if (v == null) {
      return null;
    }
    String[] sizes = Bindings.type(v).size().replaceAll("[()]", "").split(" \\* ", 2);
    SourceType t =
        new SourceType.Array(new SourceType.Array(Bindings.type(v).element(), sizes[1]), sizes[0]);
    return bindings.bound(s, Tree.of(t, "unflatten ", Tree.atom(v.type(), v.name())), v.roots());
  }

  @Nullable Binding concat(SourceScope s, int depth) {
    Var v = bindings.array(s);
    if (v == null) {
      return null;
    }
    SourceType element = Bindings.type(v).element();
    Var w = exps.variable(s, t -> t instanceof SourceType.Array a && a.element().equals(element));
    if (w == null) {
      return null;
    }
    if (exps.chance(0.4)
        && Bindings.type(v).size().length() + Bindings.type(w).size().length() < 20) {
      SourceType t =
          new SourceType.Array(
              element, "(" + Bindings.type(v).size() + " + " + Bindings.type(w).size() + ")");
      return bindings.bound(
          s, Tree.of(t, Tree.atom(v.type(), v.name()), " ++ ", Tree.atom(w.type(), w.name())));
    }
    return bindings.existential(s, element, "concat " + v.name() + " " + w.name());
  }

  Binding fresh(SourceScope s, int depth) {
    SourceType element = depth > 0 ? bindings.result(s, depth) : exps.element();
    String size = exps.one(s.sizes);
    SourceType.Array t = new SourceType.Array(element, size);
    return switch (exps.random.nextInt(3)) {
      case 0 ->
          bindings.bound(
              s, Tree.of(t, "replicate " + size + " ", exps.value(s, element, 1).tree()));
      case 1 -> bindings.bound(s, Tree.of(new SourceType.Array(Prim.I64, size), "iota " + size));
      default ->
          bindings.bound(
              s,
              Tree.of(
                  t,
                  "tabulate " + size + " ",
                  exps.lambda(s, List.of(Prim.I64), element, depth - 1)));
    };
  }
}
