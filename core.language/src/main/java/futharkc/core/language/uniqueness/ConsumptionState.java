package futharkc.core.language.uniqueness;

import futharkc.core.ir.Loc;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What has been consumed on the way to the current point, and what the enclosing functions have
 * used.
 */
final class ConsumptionState {
  /** A consumption, as logged. */
  record Consumption(Ref ref, Loc loc) {}

  private record Capture(int level, Set<Ref> refs, int consumptions) {}

  private final Map<Ref, Loc> consumed = new HashMap<>();
  private final List<Consumption> log = new ArrayList<>();
  private final Deque<Capture> captures = new ArrayDeque<>();
  private int consumptions;

  /** How many functions and loops enclose the current point. */
  int level;

  /** Notes that the value is used; fails if something it aliases is no longer there. */
  void use(AliasedValue v, String what, Loc loc) {
    for (Ref ref : v.refs()) {
      Loc where = consumed.get(ref);
      if (where != null) throw UniquenessErrors.consumed(what, ref, loc, where);
      for (Capture c : captures) if (ref.level < c.level && ref.isLocal()) c.refs.add(ref);
    }
  }

  /** Consumes the value and all it aliases; fails if that is not allowed here. */
  void consume(AliasedValue v, String what, Loc loc) {
    if (!v.refs().isEmpty()) consumptions++;
    for (Ref ref : v.refs()) {
      if (!consumable(ref)) throw UniquenessErrors.notConsumable(what, ref, loc);
      add(new Consumption(ref, loc));
    }
  }

  boolean consumable(Ref ref) {
    return ref.consumable && ref.level >= level;
  }

  boolean isConsumed(Ref ref) {
    return consumed.containsKey(ref);
  }

  /**
   * How often anything that others may know of has been consumed, not counting what functions do
   * when called.
   */
  int consumptions() {
    return consumptions;
  }

  /** A point to go back to. */
  int mark() {
    return log.size();
  }

  /** Goes back, and returns what has been consumed since. */
  List<Consumption> undo(int mark) {
    List<Consumption> since = log.subList(mark, log.size());
    List<Consumption> undone = List.copyOf(since);
    for (Consumption c : undone) consumed.remove(c.ref);
    since.clear();
    return undone;
  }

  /** Consumes again what was undone, where it is not consumed already. */
  void redo(List<Consumption> undone) {
    for (Consumption c : undone) add(c);
  }

  /** Enters a function; what it uses from outside is noted until it is left. */
  void enterFunction() {
    level++;
    captures.push(new Capture(level, new LinkedHashSet<>(), consumptions));
  }

  /** Leaves a function; returns what it uses from outside. */
  Set<Ref> leaveFunction() {
    level--;
    Capture capture = captures.pop();
    consumptions = capture.consumptions;
    return capture.refs;
  }

  /** Enters a loop; what {@link #leaveLoop} needs. */
  int enterLoop() {
    level++;
    return consumptions;
  }

  /** Leaves a loop, which has consumed nothing but its own parameters. */
  void leaveLoop(int entered) {
    level--;
    consumptions = entered;
  }

  private void add(Consumption c) {
    if (consumed.putIfAbsent(c.ref, c.loc) == null) log.add(c);
  }
}
