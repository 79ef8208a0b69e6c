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
 * What a body that runs many times hands on to its next run, and leaves after the last: the
 * parameters of a loop, or the accumulators of a stream. An owned value may be overwritten in
 * place: its first value is consumed, and so each next one must be the body's to give.
 */
final class CarriedValues {
  private record Value(
      Name param, boolean owned, Set<AliasClass> before, SubExp next, Set<AliasClass> after) {}

  private final int inside;
  private final List<Value> values = new ArrayList<>();

  /** The values whose parameter has an origin, and those whose next value has it. */
  private final Map<AliasClass, List<Value>> given = new HashMap<>();

  private final Map<AliasClass, List<Value>> next = new HashMap<>();

  /** Of an origin of parts: what the wholes share with others. */
  private final Map<AliasClass, List<Set<AliasClass>>> wholes = new HashMap<>();

  /**
   * @param inside the region of the body
   */
  CarriedValues(int inside) {
    this.inside = inside;
  }

  /**
   * A value.
   *
   * @param given what its parameter shares with others
   * @param before what its first value shares with others
   * @param after what its next value shares with others
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
    for (AliasClass o : given) this.given.computeIfAbsent(o, k -> new ArrayList<>()).add(v);
    for (AliasClass o : after) this.next.computeIfAbsent(o, k -> new ArrayList<>()).add(v);
  }

  /**
   * Another parameter, which stands for a part of something outside.
   *
   * @param given what it shares with others
   * @param whole what that of which it is a part shares with others
   */
  void addPart(Set<AliasClass> given, Set<AliasClass> whole) {
    for (AliasClass o : given) wholes.computeIfAbsent(o, k -> new ArrayList<>()).add(whole);
  }

  /** Checks the next values of those that are owned. */
  void check() {
    for (Value v : values) {
      if (!v.owned) continue;
      String shares = "next value " + v.next + " of unique " + v.param + " shares elements with ";
      for (AliasClass o : v.after) {
        boolean part = wholes.containsKey(o);
        if (o.region < inside || o.protection != null || part) {
          throw new BrokenRule(shares + o.first);
        }
        for (Value w : next.getOrDefault(o, List.of())) {
          if (w != v) throw new BrokenRule(shares + "the next value of " + w.param);
        }
      }
    }
  }

  /**
   * What the last values share with others: with what is outside, directly or by way of first
   * values, and with each other. Null for those that are owned, which share nothing.
   *
   * @param env after the body
   */
  List<@Nullable Set<AliasClass>> results(VerifierScope env) {
    var renewed = new Renewal(env.region());
    List<@Nullable Set<AliasClass>> results = new ArrayList<>();
    for (Value v : values) results.add(v.owned ? null : renewed.of(reached(v)));
    return results;
  }

  private Set<AliasClass> reached(Value result) {
    Set<AliasClass> reached = new LinkedHashSet<>();
    List<Value> work = new ArrayList<>(List.of(result));
    Set<Value> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    seen.add(result);
    while (!work.isEmpty()) {
      Value v = work.removeLast();
      if (!v.owned) reached.addAll(v.before);
      for (AliasClass o : v.after) {
        boolean carried = false;
        for (Value w : given.getOrDefault(o, List.of())) {
          carried |= !w.owned;
          if (seen.add(w)) work.add(w);
        }
        for (Set<AliasClass> whole : wholes.getOrDefault(o, List.of())) {
          carried = true;
          reached.addAll(whole);
        }
        if (!carried) reached.add(o);
      }
    }
    return reached;
  }
}
