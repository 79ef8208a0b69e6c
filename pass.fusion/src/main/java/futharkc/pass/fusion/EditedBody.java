package futharkc.pass.fusion;

import futharkc.core.ir.Body;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Name;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.analysis.FreeNamesOfStms;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A body in which statements are replaced incrementally, with an index of definitions and uses. The
 * time of a replacement is proportional to the replaced statements.
 */
final class EditedBody {
  private static final long GAP = 1L << 32;

  private final Body original;
  private final Set<Name> results = new HashSet<>();
  private final Map<Name, Place> definers = new HashMap<>();
  private final Map<Name, Set<Place>> users = new HashMap<>();
  private final Place start = new Place(null, Set.of(), -1);
  private final Place end = new Place(null, Set.of(), Integer.MAX_VALUE);

  /** The position of a statement. Positions are ordered like their statements. */
  static final class Place implements Comparable<Place> {
    private final @Nullable Stm stm;
    private final Set<Name> free;
    private final int origin;

    /** The order key, which increases from position to position. */
    private long label;

    private Place previous = this;
    private Place next = this;

    private Place(@Nullable Stm stm, Set<Name> free, int origin) {
      this.stm = stm;
      this.free = free;
      this.origin = origin;
    }

    Stm stm() {
      if (stm == null) {
        throw new IllegalStateException("the ends of the list have no statement");
      }
      return stm;
    }

    /** Returns the free names of the statement. */
    Set<Name> free() {
      return free;
    }

    /** Returns the index in the original body of the statement that this one replaces. */
    int origin() {
      return origin;
    }

    @Override
    public int compareTo(Place other) {
      return Long.compare(label, other.label);
    }
  }

  EditedBody(Body body, FreeNamesOfStms free) {
    original = body;
    start.next = end;
    end.previous = start;
    for (SubExp r : body.results()) {
      if (r instanceof SubExp.Var v) {
        results.add(v.name());
      }
    }
    for (int i = 0; i < body.stms().size(); i++) {
      Stm s = body.stms().get(i);
      insert(new Place(s, free.of(s), i), end);
    }
    number();
  }

  /** Returns all positions, in order. */
  List<Place> places() {
    List<Place> all = new ArrayList<>();
    for (Place p = start.next; p != end; p = p.next) {
      all.add(p);
    }
    return all;
  }

  /** Returns the current body. */
  Body body() {
    return new Body(places().stream().map(Place::stm).toList(), original.results());
  }

  /** Returns the position that defines a name, or null if the body does not define it. */
  @Nullable Place definer(Name n) {
    return definers.get(n);
  }

  /** Returns the only statement that uses a name; null if another statement or a result uses it. */
  @Nullable Place onlyUser(Name n) {
    Set<Place> all = users.getOrDefault(n, Set.of());
    return all.size() == 1 && !results.contains(n) ? all.iterator().next() : null;
  }

  /**
   * Replaces statements by others at the position of the last of them, and returns the new
   * positions.
   *
   * @param gone the positions to remove, including {@code place}
   * @param place the position of the replacement
   */
  List<Place> replace(Collection<Place> gone, Place place, List<Stm> replacement) {
    Place behind = place.next;
    for (Place p : gone) {
      remove(p);
    }
    List<Place> added = new ArrayList<>();
    for (Stm s : replacement) {
      Place p = new Place(s, FreeNames.of(s), place.origin);
      insert(p, behind);
      if (p.label == p.previous.label) {
        number();
      }
      added.add(p);
    }
    return added;
  }

  private void insert(Place p, Place behind) {
    p.previous = behind.previous;
    p.next = behind;
    p.previous.next = p;
    behind.previous = p;
    p.label = p.previous.label + (behind.label - p.previous.label) / 2;
    for (Name n : p.stm().names()) {
      definers.put(n, p);
    }
    for (Name n : p.free) {
      users.computeIfAbsent(n, k -> new HashSet<>(2)).add(p);
    }
  }

  private void remove(Place p) {
    p.previous.next = p.next;
    p.next.previous = p.previous;
    for (Name n : p.stm().names()) {
      definers.remove(n);
    }
    for (Name n : p.free) {
      users.computeIfPresent(
          n,
          (k, all) -> {
            all.remove(p);
            return all.isEmpty() ? null : all;
          });
    }
  }

  /** Renumbers all positions, with gaps between them for insertions. */
  private void number() {
    for (Place p = start; p != end; p = p.next) {
      p.next.label = p.label + GAP;
    }
  }
}
