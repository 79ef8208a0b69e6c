package futharkc.core.ir.verify;

import futharkc.core.ir.FunDef;
import futharkc.core.ir.Name;
import java.util.HashSet;
import java.util.Set;

/**
 * Views that may show an element at several places, which cannot be updated: the results of
 * functions that are known to give such.
 */
final class Views {
  static final String PROTECTION = "a view that may repeat elements";

  private record Result(String function, int index) {}

  private final Set<Result> results = new HashSet<>();

  /** What such a view shares besides the elements of the array. */
  static AliasClass origin(Name view, VerifierScope env) {
    return new AliasClass(view, env.region(), PROTECTION, false);
  }

  void add(FunDef f, int result) {
    results.add(new Result(f.name(), result));
  }

  boolean contains(FunDef f, int result) {
    return results.contains(new Result(f.name(), result));
  }

  int count() {
    return results.size();
  }
}
