package futharkc.tests.kit.source;

import futharkc.tests.kit.source.Expressions.Value;
import futharkc.tests.kit.source.SourceScope.Fun;
import futharkc.tests.kit.source.SourceScope.Var;
import futharkc.tests.kit.source.SourceType.Prim;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/** A generator of random sequences of statements, mostly chains of array operations. */
final class RandomStatements implements Expressions.Blocks {
  final Expressions exps;

  private final Bindings bindings;
  private final List<Binding.Form> forms = new ArrayList<>();

  RandomStatements(Random random) {
    this.exps = new Expressions(random, this);
    this.bindings = new Bindings(exps);
    Traversals traversals = new Traversals(bindings);
    Writes writes = new Writes(bindings);
    RandomLayouts layouts = new RandomLayouts(bindings);
    RandomControl control = new RandomControl(bindings, this);
    RandomFunctions functions = new RandomFunctions(bindings);
    often(8, traversals::map);
    often(3, traversals::mapOverRows);
    often(4, traversals::reduce);
    often(3, traversals::scan);
    often(4, writes::scatter);
    often(2, writes::histogram);
    often(2, traversals::filter);
    often(1, traversals::partition);
    often(2, layouts::slice);
    often(2, layouts::sameShape);
    often(1, layouts::transpose);
    often(2, layouts::handedOn);
    often(1, layouts::flatten);
    often(1, layouts::unflatten);
    often(1, layouts::concat);
    often(2, layouts::fresh);
    often(3, writes::update);
    often(2, control::loop);
    often(2, control::loopInPlace);
    often(1, control::whileLoop);
    often(2, control::branch);
    often(1, control::match);
    often(2, control::overBranches);
    often(1, functions::call);
    often(1, functions::localFunction);
    often(1, traversals::gather);
    often(1, traversals::zip);
    often(1, this::scalar);
    often(1, writes::flatScatter);
  }

  private void often(int times, Binding.Form form) {
    for (int i = 0; i < times; i++) {
      forms.add(form);
    }
  }

  @Override
  public Value block(SourceScope scope, SourceType result, int statements, int depth) {
    List<Binding> stms = new ArrayList<>();
    for (int i = 0; i < statements; i++) {
      stms.add(statement(scope, depth));
    }
    Value value = exps.result(scope, result, Math.max(depth, 0) + 1);
    return new Value(bind(stms, value.tree()), value.roots());
  }

  /** Returns a block whose result aliases no variable that outlives the block. */
  Tree uniqueBlock(SourceScope scope, SourceType result, int statements, int depth) {
    List<Binding> stms = new ArrayList<>();
    for (int i = 0; i < statements; i++) {
      stms.add(statement(scope, depth));
    }
    return bind(stms, bindings.unique(scope, result));
  }

  /** Returns a block whose result is a tuple of some of the last variables and two integers. */
  Tree mainBlock(SourceScope scope, int statements, int depth) {
    List<Binding> stms = new ArrayList<>();
    int inputs = scope.vars.size();
    for (int i = 0; i < statements; i++) {
      stms.add(statement(scope, depth));
    }
    List<Var> results = new ArrayList<>();
    for (int i = scope.vars.size() - 1; i >= 0 && results.size() < 5; i--) {
      Var v = scope.vars.get(i);
      if (exps.chance(results.isEmpty() ? 0.9 : i < inputs ? 0.1 : 0.5)) {
        results.add(v);
      }
    }
    List<Object> parts = new ArrayList<>();
    List<SourceType> types = new ArrayList<>();
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
    return bind(stms, new Tree(new SourceType.Tuple(types), parts));
  }

  private static Tree bind(List<Binding> stms, Tree body) {
    Tree out = body;
    for (Binding b : stms.reversed()) {
      out = Tree.let(b.pattern(), b.value(), out);
    }
    return out;
  }

  private Binding statement(SourceScope s, int depth) {
    while (true) {
      Binding made = exps.one(forms).make(s, depth);
      if (made != null) {
        return made;
      }
    }
  }

  private Binding scalar(SourceScope s, int depth) {
    return bindings.bound(s, exps.scalar(s, exps.prim(), 3), Set.of());
  }

  /** Returns the main function. */
  Tree main(SourceScope s, List<RandomProgram.Param> params, int statements) {
    StringBuilder head = new StringBuilder("def main");
    for (RandomProgram.Param p : params) {
      head.append(" (").append(p.name()).append(": ");
      head.append(p.unique() ? "*" : "").append(p.type().text()).append(")");
    }
    return Tree.piece(head + " =\n  ", mainBlock(s, statements, 2), "\n");
  }

  /** Returns the definition of a function. */
  Tree function(SourceScope s, Fun f, List<String> params, int statements, int depth) {
    SourceType result = f.result();
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

  private static String star(SourceType t) {
    return t instanceof SourceType.Tuple u
        ? u.parts().stream().map(RandomStatements::star).collect(Collectors.joining(", ", "(", ")"))
        : t.hasArrays() ? "*" + t.text() : t.text();
  }
}
