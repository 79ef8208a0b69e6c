package futharkc.tests.kit.source;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The scope of an expression. The <em>roots</em> of an array are the numbers of the arrays that may
 * own its elements. A scope may consume an array if it owns all roots of the array. Consumption
 * removes all variables that have one of these roots.
 */
final class SourceScope {
  /** A variable with the roots that it may alias. */
  record Var(String name, SourceType type, Set<Integer> roots) {
    Var {
      roots = Set.copyOf(roots);
    }
  }

  /**
   * A function.
   *
   * @param sizes the names of its size parameters
   * @param unique for each parameter, true if the function consumes the argument
   * @param fresh true if the result aliases no argument
   */
  record Fun(
      String name,
      List<String> sizes,
      List<SourceType> params,
      List<Boolean> unique,
      SourceType result,
      boolean fresh) {
    Fun {
      sizes = List.copyOf(sizes);
      params = List.copyOf(params);
      unique = List.copyOf(unique);
    }
  }

  /** The source of names and roots for a whole program. */
  static final class Counter {
    private int next;

    int next() {
      return next++;
    }
  }

  final List<Var> vars;
  final List<String> sizes;
  final List<Fun> funs;
  final Counter counter;
  private final Set<Integer> owned;
  private final int start;

  private SourceScope(
      List<Var> vars, List<String> sizes, List<Fun> funs, Counter counter, Set<Integer> owned) {
    this.vars = new ArrayList<>(vars);
    this.sizes = new ArrayList<>(sizes);
    this.funs = new ArrayList<>(funs);
    this.counter = counter;
    this.owned = new HashSet<>(owned);
    this.start = counter.next();
  }

  /** Returns the scope of a function's body. */
  static SourceScope top(Counter counter, List<Fun> funs) {
    return new SourceScope(List.of(), List.of(), funs, counter, Set.of());
  }

  /**
   * Returns the scope of a local function or loop, which must not consume variables from outside.
   */
  SourceScope nested() {
    return new SourceScope(vars, sizes, funs, counter, Set.of());
  }

  /** Returns the scope of a branch; {@link #joinConsumed} records its consumption in this scope. */
  SourceScope branch() {
    return new SourceScope(vars, sizes, funs, counter, owned);
  }

  /** Returns the roots that a value from this scope aliases outside. */
  Set<Integer> exported(Set<Integer> roots) {
    Set<Integer> out = new HashSet<>();
    for (int root : roots) {
      if (root < start) {
        out.add(root);
      }
    }
    return out;
  }

  /** Creates a root that this scope may consume. */
  Set<Integer> fresh() {
    int root = counter.next();
    owned.add(root);
    return Set.of(root);
  }

  /** Creates a root that no scope may consume. */
  Set<Integer> foreign() {
    return Set.of(counter.next());
  }

  String name() {
    return "v" + counter.next();
  }

  Var add(String name, SourceType type, Set<Integer> roots) {
    Var v = new Var(name, type, type.hasArrays() ? roots : Set.of());
    vars.add(v);
    return v;
  }

  boolean mayConsume(Var v) {
    return owned.containsAll(v.roots);
  }

  /** Removes a variable and its aliases. */
  void consume(Var v) {
    Set<Integer> gone = v.roots;
    owned.removeAll(gone);
    vars.removeIf(x -> x == v || x.roots.stream().anyMatch(gone::contains));
  }

  /** Removes the variables that a branch has consumed. */
  void joinConsumed(SourceScope branch) {
    owned.retainAll(branch.owned);
    vars.removeIf(x -> !branch.vars.contains(x));
  }

  List<Var> all(Predicate<SourceType> wanted) {
    return vars.stream().filter(v -> wanted.test(v.type)).toList();
  }
}
