package futharkc.tests.kit.source;

import futharkc.tests.kit.source.Expressions.Value;
import futharkc.tests.kit.source.SourceScope.Fun;
import futharkc.tests.kit.source.SourceScope.Var;
import futharkc.tests.kit.source.SourceType.Prim;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A generator of random function calls and local functions. */
final class RandomFunctions {
  private final Bindings bindings;
  private final Expressions exps;

  RandomFunctions(Bindings bindings) {
    this.bindings = bindings;
    this.exps = bindings.exps;
  }

  @Nullable Binding call(SourceScope s, int depth) {
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
      SourceType t = substitute(f.params().get(i), f.sizes(), sizes);
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
      // Replaces the copy by an array that no other argument uses.
      SourceType t = Expressions.typeOf(args.get(i));
      if (f.unique().get(i) && exps.chance(0.7)) {
        Var v = exps.variable(s, t::equals);
        SourceScope rest = s.branch();
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
    SourceType result = substitute(f.result(), f.sizes(), sizes);
    Tree value = Tree.of(result, parts.toArray());
    if (result instanceof SourceType.Tuple t && t.parts().get(1).hasArrays()) {
      String a = s.name();
      String b = s.name();
      Set<Integer> all = f.fresh() ? s.fresh() : roots;
      s.add(a, t.parts().get(0), all);
      s.add(b, t.parts().get(1), all);
      return new Binding("(" + a + ", " + b + ")", value);
    }
    return bindings.bound(s, value, f.fresh() ? s.fresh() : roots);
  }

  /** Tests whether a tree mentions no variable that is in {@code s} but not in {@code rest}. */
  private static boolean onlyUses(Tree tree, SourceScope rest, SourceScope s) {
    List<String> words = List.of(tree.text().split("\\W+"));
    return s.vars.stream()
        .filter(v -> !rest.vars.contains(v))
        .noneMatch(v -> words.contains(v.name()));
  }

  private static SourceType substitute(SourceType t, List<String> from, List<String> to) {
    return switch (t) {
      case Prim _, SourceType.Named _ -> t;
      case SourceType.Array a -> {
        int i = from.indexOf(a.size());
        yield new SourceType.Array(substitute(a.element(), from, to), i < 0 ? a.size() : to.get(i));
      }
      case SourceType.Tuple u ->
          new SourceType.Tuple(u.parts().stream().map(p -> substitute(p, from, to)).toList());
      case SourceType.Fields f ->
          new SourceType.Fields(f.parts().stream().map(p -> substitute(p, from, to)).toList());
    };
  }

  /** Makes a local function that is applied twice or passed as an argument. */
  Binding localFunction(SourceScope s, int depth) {
    Prim t = exps.prim();
    Tree f = exps.lambda(s, List.of(t), t, 0);
    String name = s.name();
    Tree use =
        exps.chance(0.5)
            ? Tree.of(t, name + " (" + name + " ", exps.scalar(s, t, 1), ")")
            : Tree.of(t, "twice " + name + " ", exps.scalar(s, t, 1));
    Var v = exps.variable(s, x -> x instanceof SourceType.Array a && a.element() == t);
    if (v != null) {
      use = Tree.of(v.type(), "map (twice " + name + ") ", Tree.atom(v.type(), v.name()));
    }
    return bindings.bound(s, Tree.let(name, Tree.of(new SourceType.Tuple(List.of(t, t)), f), use));
  }
}
