package futharkc.core.ir.verify;

import futharkc.core.ir.Name;
import futharkc.core.ir.SubExp;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The values that a repeated body passes from one iteration to the next: loop parameters or
 * accumulators of a stream. The body may overwrite an owned value in place. The initial value of an
 * owned value is consumed, so the body must own each next value.
 */
final class CarriedValues {
  private record Value(
      Name param, boolean owned, Set<AliasClass> before, SubExp next, Set<AliasClass> after) {}

  private final int inside;
  private final List<Value> values = new ArrayList<>();

  /** The values whose parameter belongs to an alias class, and those whose next value does. */
  private final Map<AliasClass, List<Value>> given = new HashMap<>();

  private final Map<AliasClass, List<Value>> next = new HashMap<>();

  /** The alias classes of sliced arrays, keyed by an alias class of the slice parameter. */
  private final Map<AliasClass, List<Set<AliasClass>>> wholes = new HashMap<>();

  /**
   * @param inside the region number of the body
   */
  CarriedValues(int inside) {
    this.inside = inside;
  }

  /**
   * Adds a carried value.
   *
   * @param given the alias classes of its parameter
   * @param before the alias classes of its initial value
   * @param after the alias classes of its next value
   */
  void add(
      Name param,
      boolean owned,
      Set<AliasClass> given,
      Set<AliasClass> before,
      SubExp next,
      Set<AliasClass> after) {
    Value v = new Value(param, owned, before, next, after);
    values.add(v);
    for (AliasClass o : given) {
      this.given.computeIfAbsent(o, k -> new ArrayList<>()).add(v);
    }
    for (AliasClass o : after) {
      this.next.computeIfAbsent(o, k -> new ArrayList<>()).add(v);
    }
  }

  /**
   * Adds a parameter that is a slice of an outer array.
   *
   * @param given the alias classes of the parameter
   * @param whole the alias classes of the sliced array
   */
  void addPart(Set<AliasClass> given, Set<AliasClass> whole) {
    for (AliasClass o : given) {
      wholes.computeIfAbsent(o, k -> new ArrayList<>()).add(whole);
    }
  }

  /** Checks the next values of the owned values. */
  void check() {
    for (Value v : values) {
      if (!v.owned) {
        continue;
      }
      String shares = "next value " + v.next + " of unique " + v.param + " shares elements with ";
      for (AliasClass o : v.after) {
        boolean part = wholes.containsKey(o);
        if (o.region < inside || o.protection != null || part) {
          throw new BrokenRule(shares + o.first);
        }
        for (Value w : next.getOrDefault(o, List.of())) {
          if (w != v) {
            throw new BrokenRule(shares + "the next value of " + w.param);
          }
        }
      }
    }
  }

  /**
   * Returns the alias classes of the final values: classes of outer arrays, directly or through
   * initial values, and classes of each other. The entry of an owned value is null, since it has no
   * aliases.
   *
   * @param env the scope after the body
   */
  List<@Nullable Set<AliasClass>> results(VerifierScope env) {
    var renewed = new ResultAliases(env.region());
    List<@Nullable Set<AliasClass>> results = new ArrayList<>();
    for (Value v : values) {
      results.add(v.owned ? null : renewed.of(reached(v)));
    }
    return results;
  }

  private Set<AliasClass> reached(Value result) {
    Set<AliasClass> reached = new LinkedHashSet<>();
    List<Value> work = new ArrayList<>(List.of(result));
    Set<Value> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    seen.add(result);
    while (!work.isEmpty()) {
      Value v = work.removeLast();
      if (!v.owned) {
        reached.addAll(v.before);
      }
      for (AliasClass o : v.after) {
        boolean carried = false;
        for (Value w : given.getOrDefault(o, List.of())) {
          carried |= !w.owned;
          if (seen.add(w)) {
            work.add(w);
          }
        }
        for (Set<AliasClass> whole : wholes.getOrDefault(o, List.of())) {
          carried = true;
          reached.addAll(whole);
        }
        if (!carried) {
          reached.add(o);
        }
      }
    }
    return reached;
  }
}
