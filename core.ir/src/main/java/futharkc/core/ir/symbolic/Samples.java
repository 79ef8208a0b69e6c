package futharkc.core.ir.symbolic;

import futharkc.core.ir.Lmad;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Small values of variables that agree with what is known of them. An inequality that does not hold
 * for one of these cannot be proved, and nobody has to try.
 */
final class Samples {
  private static final int WANTED = 6;
  private static final int TRIED = 60;

  /** How many variables are followed through what is known of others. */
  private static final int VARIABLES = 40;

  /** Values without bounds are from 0 to here. */
  private static final int LARGEST = 5;

  /** How many positions are enumerated. */
  private static final int POSITIONS = 1000;

  private final List<Map<Name, Long>> samples = new ArrayList<>();

  /** What a variable is at least, or at most, and what that depends on. */
  private record Bound(Poly value, Set<Name> variables) {
    static List<Bound> of(List<Poly> all) {
      return all.stream().map(p -> new Bound(p, p.variables())).toList();
    }

    boolean isKnown(Map<Name, Long> sample) {
      return sample.keySet().containsAll(variables);
    }
  }

  /** What is known of a variable alone. */
  private record Range(List<Bound> least, List<Bound> most) {}

  private Samples() {}

  /** For the variables of polynomials, and those that what is known of them mentions. */
  static Samples of(Collection<Poly> polys, Bounds known) {
    SortedMap<Name, Range> ranges = new TreeMap<>();
    Deque<Name> work = new ArrayDeque<>();
    for (Poly p : polys) work.addAll(known.normal(p).variables());
    while (!work.isEmpty() && ranges.size() < VARIABLES) {
      Name x = work.pop();
      if (ranges.containsKey(x)) continue;
      Range range = new Range(Bound.of(known.lower(x)), Bound.of(known.upper(x)));
      ranges.put(x, range);
      for (Bound b : range.least) work.addAll(b.variables);
      for (Bound b : range.most) work.addAll(b.variables);
    }
    Map<Name, List<Poly>> facts = new HashMap<>();
    for (Poly f : known.facts(ranges.keySet())) {
      Long constant = f.constant();
      if (constant != null && constant < 0) return new Samples();
      if (constant != null) continue;
      facts.computeIfAbsent(Collections.max(f.variables()), k -> new ArrayList<>()).add(f);
    }
    Samples s = new Samples();
    Random random = new Random(ranges.size());
    for (int t = 0; t < TRIED && s.samples.size() < WANTED; t++) {
      Map<Name, Long> sample = sample(ranges, facts, random);
      if (sample != null) s.samples.add(sample);
    }
    return s;
  }

  /** Those that agree with something more. */
  Samples where(Collection<Poly> atLeastZero) {
    Samples s = new Samples();
    for (Map<Name, Long> sample : samples) {
      if (atLeastZero.stream().allMatch(p -> holds(p, sample))) s.samples.add(sample);
    }
    return s;
  }

  /** Whether the polynomial is at least 0 for all of these values, as far as these are known. */
  boolean agree(Poly atLeastZero) {
    for (Map<Name, Long> sample : samples) if (!holds(atLeastZero, sample)) return false;
    return true;
  }

  /**
   * Whether two index functions, and others, have a position in common for some of these values.
   */
  boolean overlap(Lmad a, Lmad b, List<Lmad> within, Bounds known) {
    for (Map<Name, Long> sample : samples) {
      if (within.stream().anyMatch(l -> collapses(l, sample, known))) continue;
      Set<Long> positions = new HashSet<>(positions(a, sample, known));
      positions.retainAll(positions(b, sample, known));
      for (Lmad l : within) positions.retainAll(positions(l, sample, known));
      if (!positions.isEmpty()) return true;
    }
    return false;
  }

  /**
   * Whether a stride that is a variable's would be 0, which that of an array in memory never is.
   */
  private static boolean collapses(Lmad l, Map<Name, Long> sample, Bounds known) {
    for (Lmad.Dim d : l.dims()) {
      Poly stride = known.normal(d.stride());
      if (stride.isZero() || d.size().isInt(1) || !isKnown(stride, sample)) continue;
      if (value(stride, sample) == 0) return true;
    }
    return false;
  }

  /** The positions, if they are all known and not too many; else none. */
  private static Set<Long> positions(Lmad l, Map<Name, Long> sample, Bounds known) {
    Poly offset = known.normal(l.offset());
    if (!isKnown(offset, sample)) return Set.of();
    Set<Long> positions = Set.of(value(offset, sample));
    for (Lmad.Dim d : l.dims()) {
      Poly size = known.normal(Poly.of(d.size()));
      Poly stride = known.normal(d.stride());
      if (!isKnown(size, sample) || !isKnown(stride, sample)) return Set.of();
      long count = value(size, sample);
      if (count * positions.size() > POSITIONS) return Set.of();
      Set<Long> next = new HashSet<>();
      for (long p : positions) {
        for (long i = 0; i < count; i++) next.add(p + i * value(stride, sample));
      }
      positions = next;
    }
    return positions;
  }

  private static boolean isKnown(Poly p, Map<Name, Long> sample) {
    return sample.keySet().containsAll(p.variables());
  }

  /**
   * One value for each variable, in order; null if they do not agree with what is known.
   *
   * @param facts what is at least 0, by the last variable of it
   */
  private static @Nullable Map<Name, Long> sample(
      SortedMap<Name, Range> ranges, Map<Name, List<Poly>> facts, Random random) {
    Map<Name, Long> sample = new HashMap<>();
    for (var r : ranges.entrySet()) {
      long least = Long.MIN_VALUE;
      long most = Long.MAX_VALUE;
      for (Bound b : r.getValue().least) {
        if (b.isKnown(sample)) least = Math.max(least, value(b.value, sample));
      }
      for (Bound b : r.getValue().most) {
        if (b.isKnown(sample)) most = Math.min(most, value(b.value, sample));
      }
      if (least == Long.MIN_VALUE) least = most == Long.MAX_VALUE ? 0 : Math.min(0, most - 1);
      if (most == Long.MAX_VALUE) most = least + LARGEST;
      sample.put(
          r.getKey(), least + random.nextLong(Math.max(1, Math.min(most - least, LARGEST) + 1)));
      for (Poly f : facts.getOrDefault(r.getKey(), List.of())) {
        if (value(f, sample) < 0) return null;
      }
    }
    return sample;
  }

  private static boolean holds(Poly atLeastZero, Map<Name, Long> sample) {
    return !isKnown(atLeastZero, sample) || value(atLeastZero, sample) >= 0;
  }

  private static long value(Poly p, Map<Name, Long> sample) {
    long sum = 0;
    for (var t : p.terms().entrySet()) {
      long product = t.getValue();
      for (Name x : t.getKey().factors()) product *= sample.getOrDefault(x, 0L);
      sum += product;
    }
    return sum;
  }
}
