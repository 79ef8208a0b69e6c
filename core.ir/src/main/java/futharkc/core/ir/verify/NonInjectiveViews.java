package futharkc.core.ir.verify;

import futharkc.core.ir.FunDef;
import futharkc.core.ir.Name;
import java.util.HashSet;
import java.util.Set;

/** The function results that may contain an element several times and must not be updated. */
final class NonInjectiveViews {
  static final String PROTECTION = "a view that may repeat elements";

  private record Result(String function, int index) {}

  private final Set<Result> results = new HashSet<>();

  /** Returns an additional alias class for such a view, which protects it from consumption. */
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
