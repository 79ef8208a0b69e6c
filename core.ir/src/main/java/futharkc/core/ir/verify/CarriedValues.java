package futharkc.core.ir.verify;

import futharkc.core.ir.Name;
import futharkc.core.ir.SubExp;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a body that runs many times hands on to its next run, and leaves after the last: the
 * parameters of a loop, or the accumulators of a stream. An owned value may be overwritten in
 * place: its first value is consumed, and so each next one must be the body's to give.
 */
final class CarriedValues {
  private record Value(
      Name param,
      boolean owned,
      Set<AliasClass> given,
      Set<AliasClass> before,
      SubExp next,
      Set<AliasClass> after) {}

  private final int inside;
  private final List<Value> values = new ArrayList<>();
  private final List<Set<AliasClass>> others = new ArrayList<>();
  private final List<Set<AliasClass>> outside = new ArrayList<>();

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
    values.add(new Value(param, owned, given, before, next, after));
  }

  /**
   * Another parameter, which stands for a part of something outside.
   *
   * @param given what it shares with others
   * @param whole what that of which it is a part shares with others
   */
  void addPart(Set<AliasClass> given, Set<AliasClass> whole) {
    others.add(given);
    outside.add(whole);
  }

  /** Checks the next values of those that are owned. */
  void check() {
    for (Value v : values) {
      if (!v.owned) continue;
      String next = "next value " + v.next + " of unique " + v.param + " shares elements with ";
      for (AliasClass o : v.after) {
        boolean part = others.stream().anyMatch(given -> given.contains(o));
        if (o.region < inside || o.protection != null || part) throw new BrokenRule(next + o.first);
        for (Value w : values) {
          if (w != v && w.after.contains(o))
            throw new BrokenRule(next + "the next value of " + w.param);
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
  List<@Nullable Set<AliasClass>> results(Env env) {
    var renewed = new Renewal(env.region());
    List<@Nullable Set<AliasClass>> results = new ArrayList<>();
    for (Value v : values) results.add(v.owned ? null : renewed.of(reached(v)));
    return results;
  }

  private Set<AliasClass> reached(Value result) {
    Set<AliasClass> reached = new LinkedHashSet<>();
    List<Value> work = new ArrayList<>(List.of(result));
    Set<Value> seen = new HashSet<>(work);
    while (!work.isEmpty()) {
      Value v = work.removeLast();
      if (!v.owned) reached.addAll(v.before);
      for (AliasClass o : v.after) {
        boolean carried = false;
        for (Value w : values) {
          if (!w.given.contains(o)) continue;
          carried |= !w.owned;
          if (seen.add(w)) work.add(w);
        }
        for (int k = 0; k < others.size(); k++) {
          if (!others.get(k).contains(o)) continue;
          carried = true;
          reached.addAll(outside.get(k));
        }
        if (!carried) reached.add(o);
      }
    }
    return reached;
  }
}
