package futharkc.core.ir.symbolic;

import futharkc.core.ir.Lmad;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

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

  private Samples() {}

  /** For the variables of polynomials, and those that what is known of them mentions. */
  static Samples of(Collection<Poly> polys, Bounds known) {
    SortedSet<Name> variables = new TreeSet<>();
    Deque<Name> work = new ArrayDeque<>();
    for (Poly p : polys) work.addAll(known.normal(p).variables());
    while (!work.isEmpty() && variables.size() < VARIABLES) {
      Name x = work.pop();
      if (!variables.add(x)) continue;
      for (Poly b : known.lower(x)) work.addAll(b.variables());
      for (Poly b : known.upper(x)) work.addAll(b.variables());
    }
    List<Poly> facts = known.facts(variables);
    Samples s = new Samples();
    Random random = new Random(variables.size());
    for (int t = 0; t < TRIED && s.samples.size() < WANTED; t++) {
      Map<Name, Long> sample = sample(variables, known, random);
      if (facts.stream().allMatch(f -> holds(f, sample))) s.samples.add(sample);
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
      Set<Long> positions = new HashSet<>(positions(a, sample, known));
      positions.retainAll(positions(b, sample, known));
      for (Lmad l : within) positions.retainAll(positions(l, sample, known));
      if (!positions.isEmpty()) return true;
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

  private static Map<Name, Long> sample(Set<Name> variables, Bounds known, Random random) {
    Map<Name, Long> sample = new HashMap<>();
    for (Name x : variables) {
      long least = Long.MIN_VALUE;
      long most = Long.MAX_VALUE;
      for (Poly b : known.lower(x)) {
        if (isKnown(b, sample)) least = Math.max(least, value(b, sample));
      }
      for (Poly b : known.upper(x)) {
        if (isKnown(b, sample)) most = Math.min(most, value(b, sample));
      }
      if (least == Long.MIN_VALUE) least = most == Long.MAX_VALUE ? 0 : Math.min(0, most - 1);
      if (most == Long.MAX_VALUE) most = least + LARGEST;
      sample.put(x, least + random.nextLong(Math.max(1, Math.min(most - least, LARGEST) + 1)));
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
