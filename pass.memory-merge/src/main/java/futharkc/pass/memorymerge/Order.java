package futharkc.pass.memorymerge;

import futharkc.core.ir.Name;
import futharkc.core.ir.Stm;
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
 * The statements of a body in the order that they have by now: which of them binds a name, or has
 * it bound inside of it, which is the last to use one, and what is known before each.
 */
final class Order {
  /** After how many statements what is known is kept, to go on from there. */
  private static final int STRIDE = 128;

  /** Likewise, in the portion that is looked at. */
  private static final int STEP = 8;

  private final FunctionTable table;
  private final Set<Name> results;
  private final Map<Name, Stm> binders = new HashMap<>();
  private final Map<Name, List<Stm>> users = new HashMap<>();

  /** Where a statement is by now. */
  private final Map<Stm, Integer> positions = new IdentityHashMap<>();

  /** What has to hold before a statement, besides what it says itself. */
  private final Map<Stm, Set<Name>> certs = new IdentityHashMap<>();

  /** The last of the users, as far as it has been asked for. */
  private final Map<Name, Integer> lastUses = new HashMap<>();

  /** Before each portion; null where that is not known any more, or not yet. */
  private final @Nullable Facts[] known;

  private List<Stm> stms;

  /** What is known in one portion, after every few statements. */
  private final List<Facts> steps = new ArrayList<>();

  private int stepping = -1;
  private @Nullable LiveRangeTable lives;

  /**
   * Of a body.
   *
   * @param results what is used after the statements
   * @param facts what is known before them
   */
  Order(List<Stm> stms, Set<Name> results, Facts facts, FunctionTable table) {
    this.table = table;
    this.stms = stms;
    this.results = results;
    this.known = new Facts[stms.size() / STRIDE + 1];
    this.known[0] = facts.inside().extended();
    for (int i = 0; i < stms.size(); i++) {
      Stm s = stms.get(i);
      positions.put(s, i);
      for (Name n : table.bound(s)) binders.put(n, s);
      for (Name n : table.free(s)) users.computeIfAbsent(n, k -> new ArrayList<>(2)).add(s);
    }
  }

  /** As they were, in the order of now. */
  List<Stm> stms() {
    return stms;
  }

  /** With what has to hold before them by now. */
  List<Stm> checked() {
    return certs.isEmpty() ? stms : stms.stream().map(this::checked).toList();
  }

  /** A statement with what has to hold before it by now. */
  Stm checked(Stm s) {
    Set<Name> more = certs.get(s);
    return more == null ? s : new Stm(s.pat(), s.aux().plusCerts(List.copyOf(more)), s.exp());
  }

  /** The statement whose pattern binds a name may run only if these hold. */
  void require(Name n, List<Name> more) {
    Stm s = binders.get(n);
    if (s != null && !more.isEmpty())
      certs.computeIfAbsent(s, k -> new LinkedHashSet<>()).addAll(more);
  }

  /** The names that a statement needs from outside of it. */
  Set<Name> needed(Stm s) {
    Set<Name> more = certs.get(s);
    if (more == null) return table.free(s);
    Set<Name> all = new LinkedHashSet<>(table.free(s));
    all.addAll(more);
    return all;
  }

  /** The statement that binds a name, or inside of which it is bound; -1 if none does. */
  int bound(Name n) {
    Stm s = binders.get(n);
    return s == null ? -1 : positions.get(s);
  }

  /** The statements that use a name or bind it, themselves or inside of them. */
  Collection<Stm> mentioning(Name n) {
    List<Stm> found = new ArrayList<>(users.getOrDefault(n, List.of()));
    Stm binder = binders.get(n);
    if (binder != null) found.add(binder);
    return found;
  }

  /** From one position up to another, those that may access one of these arrays, in order. */
  List<Stm> mentioning(Collection<Name> names, int first, int end) {
    Set<Stm> found = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Name n : names) found.addAll(mentioning(n));
    return found.stream()
        .filter(s -> position(s) >= first && position(s) < end)
        .sorted(Comparator.comparing(this::position))
        .toList();
  }

  /** Where a statement is by now. */
  int position(Stm s) {
    return Objects.requireNonNull(positions.get(s));
  }

  private int lastUse(Name n) {
    return lastUses.computeIfAbsent(
        n,
        k -> users.getOrDefault(k, List.of()).stream().mapToInt(positions::get).max().orElse(-1));
  }

  /** Whether the pattern of one of the statements binds a name. */
  boolean isBoundIn(Name n) {
    Stm s = binders.get(n);
    return s != null && s == table.statement(n);
  }

  /** Whether a name is used after a statement, or bound there or after it. */
  boolean isNeededAfter(int at, Name n) {
    return results.contains(n) || lastUse(n) > at || bound(n) >= at;
  }

  /** What is known before a statement: what is checked later comes too late. */
  Bounds before(int at) {
    return known(at).bounds();
  }

  private Facts known(int at) {
    int portion = at / STRIDE;
    Facts before = beforePortion(portion);
    if (portion != stepping) steps.clear();
    stepping = portion;
    if (steps.isEmpty()) steps.add(before);
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
    while (known[last] == null) last--;
    Facts facts = Objects.requireNonNull(known[last]);
    for (int k = last; k < portion; k++) {
      facts = facts.extended();
      for (Stm s : stms.subList(k * STRIDE, (k + 1) * STRIDE)) facts.passed(s);
      known[k + 1] = facts;
    }
    return facts;
  }

  /** Before a statement of another order, which is the same up to some statement. */
  Bounds before(List<Stm> other, int same, int at) {
    return after(known(same), other.subList(same, at)).bounds();
  }

  private static Facts after(Facts facts, List<Stm> stms) {
    Facts inside = facts.inside();
    for (Stm s : stms) inside.passed(s);
    return inside;
  }

  /** Those of some statements that have been after some that they are before now. */
  private List<Stm> movedUp(List<Stm> now) {
    List<Stm> up = new ArrayList<>();
    int least = Integer.MAX_VALUE;
    for (Stm s : now.reversed()) {
      if (position(s) > least) up.add(s);
      least = Math.min(least, position(s));
    }
    return up;
  }

  /** Which blocks are live, from now on and as statements move. */
  LiveRangeTable lives(ToDoubleFunction<Name> size) {
    if (lives == null) lives = new LiveRangeTable(this, table, size);
    return lives;
  }

  /** What is in some blocks is in another one now. */
  void merged(Collection<Name> from, Name to) {
    if (lives != null) lives.merged(from, to);
  }

  /** Whether a name is used after the statements. */
  boolean isResult(Name n) {
    return results.contains(n);
  }

  /** The statement that binds a name, or has it bound inside of it; null if none does. */
  @Nullable Stm binder(Name n) {
    return binders.get(n);
  }

  /**
   * Takes another order of the statements from one up to another; the rest stay, and so does what
   * is known where all that are in another order have passed.
   */
  void reorder(List<Stm> now, int first, int end) {
    int from = first;
    int to = end;
    while (from < to && now.get(from) == stms.get(from)) from++;
    while (from < to && now.get(to - 1) == stms.get(to - 1)) to--;
    if (from == to) return;
    for (int k = from / STRIDE + 1; k * STRIDE < to; k++) known[k] = null;
    int start = stepping * STRIDE;
    if (start < to) {
      while (!steps.isEmpty() && start + (steps.size() - 1) * STEP > from) steps.removeLast();
    }
    List<Stm> up = movedUp(now.subList(from, to));
    for (int i = from; i < to; i++) positions.put(now.get(i), i);
    lastUses.clear();
    stms = now;
    if (lives != null) up.forEach(lives::moved);
  }
}
