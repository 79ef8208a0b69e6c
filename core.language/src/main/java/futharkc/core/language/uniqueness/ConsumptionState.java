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
 * The state of the uniqueness check at the current point: the consumed references, and the
 * references that the enclosing functions have used.
 */
final class ConsumptionState {
  /** A consumption in the log. */
  record Consumption(Ref ref, Loc loc) {}

  private record Capture(int level, Set<Ref> refs, int consumptions) {}

  private final Map<Ref, Loc> consumed = new HashMap<>();
  private final List<Consumption> log = new ArrayList<>();
  private final Deque<Capture> captures = new ArrayDeque<>();
  private int consumptions;

  /** The number of enclosing functions and loops. */
  int level;

  /** Records a use of a value. Throws if a reference that it aliases has been consumed. */
  void use(AliasedValue v, String what, Loc loc) {
    for (Ref ref : v.refs()) {
      Loc where = consumed.get(ref);
      if (where != null) {
        throw UniquenessErrors.consumed(what, ref, loc, where);
      }
      for (Capture c : captures) {
        if (ref.level < c.level && ref.isLocal()) {
          c.refs.add(ref);
        }
      }
    }
  }

  /** Consumes a value and all its aliases. Throws if that is not permitted at the current point. */
  void consume(AliasedValue v, String what, Loc loc) {
    if (!v.refs().isEmpty()) {
      consumptions++;
    }
    for (Ref ref : v.refs()) {
      if (!consumable(ref)) {
        throw UniquenessErrors.notConsumable(what, ref, loc);
      }
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
   * Returns the number of consumptions of references that other code can access, without those
   * inside functions that have not been called.
   */
  int consumptions() {
    return consumptions;
  }

  /** Returns a mark for {@link #undo}. */
  int mark() {
    return log.size();
  }

  /** Undoes all consumptions since a mark and returns them. */
  List<Consumption> undo(int mark) {
    List<Consumption> since = log.subList(mark, log.size());
    List<Consumption> undone = List.copyOf(since);
    for (Consumption c : undone) {
      consumed.remove(c.ref);
    }
    since.clear();
    return undone;
  }

  /** Consumes undone references again unless they are already consumed. */
  void redo(List<Consumption> undone) {
    for (Consumption c : undone) {
      add(c);
    }
  }

  /** Enters a function and starts to record the outer references that it uses. */
  void enterFunction() {
    level++;
    captures.push(new Capture(level, new LinkedHashSet<>(), consumptions));
  }

  /** Leaves a function and returns the outer references that it uses. */
  Set<Ref> leaveFunction() {
    level--;
    Capture capture = captures.pop();
    consumptions = capture.consumptions;
    return capture.refs;
  }

  /** Enters a loop and returns the argument for {@link #leaveLoop}. */
  int enterLoop() {
    level++;
    return consumptions;
  }

  /** Leaves a loop, which has consumed only its own parameters. */
  void leaveLoop(int entered) {
    level--;
    consumptions = entered;
  }

  private void add(Consumption c) {
    if (consumed.putIfAbsent(c.ref, c.loc) == null) {
      log.add(c);
    }
  }
}
