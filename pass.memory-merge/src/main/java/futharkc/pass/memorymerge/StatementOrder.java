package futharkc.pass.memorymerge;

import futharkc.core.ir.Name;
import futharkc.core.ir.Stm;
import futharkc.core.ir.memory.FunctionMemory;
import futharkc.core.ir.symbolic.Bounds;
import futharkc.core.ir.symbolic.Facts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The statements of a body in their current order. The class maps names to the statements that bind
 * and use them, and records the facts before each statement.
 */
final class StatementOrder {
  /** The number of statements in a portion; the facts before each portion are cached. */
  private static final int STRIDE = 128;

  /** The number of statements between cached facts within the current portion. */
  private static final int STEP = 8;

  private final FunctionMemory table;
  private final Set<Name> results;
  private final Map<Name, Stm> binders = new HashMap<>();
  private final Map<Name, List<Stm>> users = new HashMap<>();

  /** The current position of each statement. */
  private final Map<Stm, Integer> positions = new IdentityHashMap<>();

  /** Further certificates that a statement requires. */
  private final Map<Stm, Set<Name>> certs = new IdentityHashMap<>();

  /** The positions of last uses that have been requested. */
  private final Map<Name, Integer> lastUses = new HashMap<>();

  /** The facts before each portion; null if they are not computed or no longer valid. */
  private final @Nullable Facts[] known;

  private List<Stm> stms;

  /** The facts within the current portion, after every few statements. */
  private final List<Facts> steps = new ArrayList<>();

  private int stepping = -1;
  private @Nullable LiveRangeTable lives;

  /**
   * Creates the order of a body.
   *
   * @param results the names that are used after the statements
   * @param facts the facts before the statements
   */
  StatementOrder(List<Stm> stms, Set<Name> results, Facts facts, FunctionMemory table) {
    this.table = table;
    this.stms = stms;
    this.results = results;
    this.known = new Facts[stms.size() / STRIDE + 1];
    this.known[0] = facts.inside().extended();
    for (int i = 0; i < stms.size(); i++) {
      Stm s = stms.get(i);
      positions.put(s, i);
      for (Name n : table.bound(s)) {
        binders.put(n, s);
      }
      for (Name n : table.free(s)) {
        users.computeIfAbsent(n, k -> new ArrayList<>(2)).add(s);
      }
    }
  }

  /** Returns the original statements in current order. */
  List<Stm> stms() {
    return stms;
  }

  /** Returns the statements in current order, with the certificates that they require. */
  List<Stm> checked() {
    return certs.isEmpty() ? stms : stms.stream().map(this::checked).toList();
  }

  /** Returns a statement with the certificates that it requires. */
  Stm checked(Stm s) {
    Set<Name> more = certs.get(s);
    return more == null ? s : new Stm(s.pat(), s.aux().plusCerts(List.copyOf(more)), s.exp());
  }

  /** Adds certificates to the statement whose pattern binds a name. */
  void require(Name n, List<Name> more) {
    Stm s = binders.get(n);
    if (s != null && !more.isEmpty()) {
      certs.computeIfAbsent(s, k -> new LinkedHashSet<>()).addAll(more);
    }
  }

  /** Returns the names that a statement needs from outside, including certificates. */
  Set<Name> needed(Stm s) {
    Set<Name> more = certs.get(s);
    if (more == null) {
      return table.free(s);
    }
    Set<Name> all = new LinkedHashSet<>(table.free(s));
    all.addAll(more);
    return all;
  }

  /** Returns the position of the statement that binds a name at any depth; -1 if none does. */
  int bound(Name n) {
    Stm s = binders.get(n);
    return s == null ? -1 : positions.get(s);
  }

  /** Returns the statements that use or bind a name at any depth. */
  Collection<Stm> mentioning(Name n) {
    List<Stm> found = new ArrayList<>(users.getOrDefault(n, List.of()));
    Stm binder = binders.get(n);
    if (binder != null) {
      found.add(binder);
    }
    return found;
  }

  /**
   * Returns the statements from one position to another that may access one of these arrays, in
   * order.
   */
  List<Stm> mentioning(Collection<Name> names, int first, int end) {
    Set<Stm> found = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Name n : names) {
      found.addAll(mentioning(n));
    }
    return found.stream()
        .filter(s -> position(s) >= first && position(s) < end)
        .sorted(Comparator.comparing(this::position))
        .toList();
  }

  /** Returns the current position of a statement. */
  int position(Stm s) {
    return Objects.requireNonNull(positions.get(s));
  }

  private int lastUse(Name n) {
    return lastUses.computeIfAbsent(
        n,
        k -> users.getOrDefault(k, List.of()).stream().mapToInt(positions::get).max().orElse(-1));
  }

  /** Tests whether the pattern of a statement binds a name. */
  boolean isBoundIn(Name n) {
    Stm s = binders.get(n);
    return s != null && s == table.statement(n);
  }

  /** Tests whether a name is used after a position, or bound at or after it. */
  boolean isNeededAfter(int at, Name n) {
    return results.contains(n) || lastUse(n) > at || bound(n) >= at;
  }

  /** Returns the facts before a position, without those that later checks imply. */
  Bounds before(int at) {
    return known(at).bounds();
  }

  private Facts known(int at) {
    int portion = at / STRIDE;
    Facts before = beforePortion(portion);
    if (portion != stepping) {
      steps.clear();
    }
    stepping = portion;
    if (steps.isEmpty()) {
      steps.add(before);
    }
    int start = portion * STRIDE;
    int step = (at - start) / STEP;
    while (steps.size() <= step) {
      int from = start + (steps.size() - 1) * STEP;
      steps.add(after(steps.getLast(), stms.subList(from, from + STEP)));
    }
    return after(steps.get(step), stms.subList(start + step * STEP, at));
  }

  private Facts beforePortion(int portion) {
    int last = portion;
    while (known[last] == null) {
      last--;
    }
    Facts facts = Objects.requireNonNull(known[last]);
    for (int k = last; k < portion; k++) {
      facts = facts.extended();
      for (Stm s : stms.subList(k * STRIDE, (k + 1) * STRIDE)) {
        facts.passed(s);
      }
      known[k + 1] = facts;
    }
    return facts;
  }

  /**
   * Returns the facts before a position in another order, whose first {@code same} statements are
   * the same.
   */
  Bounds before(List<Stm> other, int same, int at) {
    return after(known(same), other.subList(same, at)).bounds();
  }

  private static Facts after(Facts facts, List<Stm> stms) {
    Facts inside = facts.inside();
    for (Stm s : stms) {
      inside.passed(s);
    }
    return inside;
  }

  /** Returns the statements that have moved before statements that they used to follow. */
  private List<Stm> movedUp(List<Stm> now) {
    List<Stm> up = new ArrayList<>();
    int least = Integer.MAX_VALUE;
    for (Stm s : now.reversed()) {
      if (position(s) > least) {
        up.add(s);
      }
      least = Math.min(least, position(s));
    }
    return up;
  }

  /** Returns the live ranges of blocks, which follow later moves of statements. */
  LiveRangeTable lives(ToDoubleFunction<Name> size) {
    if (lives == null) {
      lives = new LiveRangeTable(this, table, size);
    }
    return lives;
  }

  /** Records that the arrays of some blocks are now in another block. */
  void merged(Collection<Name> from, Name to) {
    if (lives != null) {
      lives.merged(from, to);
    }
  }

  /** Tests whether a name is used after the statements. */
  boolean isResult(Name n) {
    return results.contains(n);
  }

  /** Returns the statement that binds a name at any depth; null if none does. */
  @Nullable Stm binder(Name n) {
    return binders.get(n);
  }

  /**
   * Replaces the order of the statements between two positions. Cached facts stay valid where the
   * set of preceding statements is unchanged.
   */
  void reorder(List<Stm> now, int first, int end) {
    int from = first;
    int to = end;
    while (from < to && now.get(from) == stms.get(from)) {
      from++;
    }
    while (from < to && now.get(to - 1) == stms.get(to - 1)) {
      to--;
    }
    if (from == to) {
      return;
    }
    for (int k = from / STRIDE + 1; k * STRIDE < to; k++) {
      known[k] = null;
    }
    int start = stepping * STRIDE;
    if (start < to) {
      while (!steps.isEmpty() && start + (steps.size() - 1) * STEP > from) {
        steps.removeLast();
      }
    }
    List<Stm> up = movedUp(now.subList(from, to));
    for (int i = from; i < to; i++) {
      positions.put(now.get(i), i);
    }
    lastUses.clear();
    stms = now;
    if (lives != null) {
      up.forEach(lives::moved);
    }
  }
}
