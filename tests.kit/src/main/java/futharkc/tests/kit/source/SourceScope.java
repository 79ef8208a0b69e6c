package futharkc.tests.kit.source;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What an expression may use. Arrays have <em>roots</em>: numbers for the arrays that they may
 * share elements with. An array can be consumed where all of its roots are owned, and takes all
 * variables with one of these roots along.
 */
final class SourceScope {
  /** A variable and what it may alias. */
  record Var(String name, Ty type, Set<Integer> roots) {
    Var {
      roots = Set.copyOf(roots);
    }
  }

  /**
   * A function.
   *
   * @param sizes its size parameters
   * @param unique which parameters it consumes
   * @param fresh whether the result aliases no argument
   */
  record Fun(
      String name,
      List<String> sizes,
      List<Ty> params,
      List<Boolean> unique,
      Ty result,
      boolean fresh) {
    Fun {
      sizes = List.copyOf(sizes);
      params = List.copyOf(params);
      unique = List.copyOf(unique);
    }
  }

  /** Where names and roots come from: one for a whole program. */
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

  /** Of a function. */
  static SourceScope top(Counter counter, List<Fun> funs) {
    return new SourceScope(List.of(), List.of(), funs, counter, Set.of());
  }

  /** Inside a function or loop, which may consume nothing from outside. */
  SourceScope nested() {
    return new SourceScope(vars, sizes, funs, counter, Set.of());
  }

  /** In a branch: what it consumes is to be consumed outside as well. */
  SourceScope branch() {
    return new SourceScope(vars, sizes, funs, counter, owned);
  }

  /** What a value that leaves this scope aliases outside. */
  Set<Integer> exported(Set<Integer> roots) {
    Set<Integer> out = new HashSet<>();
    for (int root : roots) {
      if (root < start) {
        out.add(root);
      }
    }
    return out;
  }

  /** A new root, which can be consumed in this scope. */
  Set<Integer> fresh() {
    int root = counter.next();
    owned.add(root);
    return Set.of(root);
  }

  /** A new root, which cannot. */
  Set<Integer> foreign() {
    return Set.of(counter.next());
  }

  String name() {
    return "v" + counter.next();
  }

  Var add(String name, Ty type, Set<Integer> roots) {
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

  /** Removes what a branch has consumed. */
  void joinConsumed(SourceScope branch) {
    owned.retainAll(branch.owned);
    vars.removeIf(x -> !branch.vars.contains(x));
  }

  List<Var> all(Predicate<Ty> wanted) {
    return vars.stream().filter(v -> wanted.test(v.type)).toList();
  }
}
