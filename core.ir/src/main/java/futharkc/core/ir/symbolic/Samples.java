package futharkc.core.ir.symbolic;

import futharkc.core.ir.Lmad;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Small sample values of variables that satisfy the known facts. An inequality that is false for a
 * sample cannot be proved, so the prover skips it.
 */
final class Samples {
  private static final int WANTED = 6;
  private static final int TRIED = 60;

  /** The maximum number of variables, including those reached through facts about others. */
  private static final int VARIABLES = 40;

  /**
   * The largest offset of a sample value above its lower bound, and the largest value without
   * bounds.
   */
  private static final int LARGEST = 5;

  /** The maximum number of offsets that are enumerated. */
  private static final int POSITIONS = 1000;

  private static final long[] NONE = {};

  /** The position of each variable in a sample. */
  private final Map<Name, Integer> numbers;

  private final List<long[]> samples = new ArrayList<>();

  /** The bounds of a single variable. */
  private record Range(List<Poly> least, List<Poly> most) {}

  /**
   * A polynomial over positions in a sample, for fast evaluation.
   *
   * @param last the greatest position of a variable; -1 if there is none
   */
  private record Numbered(long[] coefficients, int[][] factors, int last) {
    /** Returns the numbered form, or null if a variable has no position. */
    static @Nullable Numbered of(Poly p, Map<Name, Integer> numbers) {
      int n = p.terms().size();
      long[] coefficients = new long[n];
      int[][] factors = new int[n][];
      int last = -1;
      int k = 0;
      for (var t : p.terms().entrySet()) {
        List<Name> names = t.getKey().factors();
        int[] mine = new int[names.size()];
        for (int i = 0; i < mine.length; i++) {
          Integer number = numbers.get(names.get(i));
          if (number == null) {
            return null;
          }
          mine[i] = number;
          last = Math.max(last, number);
        }
        coefficients[k] = t.getValue();
        factors[k++] = mine;
      }
      return new Numbered(coefficients, factors, last);
    }

    long at(long[] sample) {
      long sum = 0;
      for (int k = 0; k < coefficients.length; k++) {
        long product = coefficients[k];
        for (int x : factors[k]) {
          product *= sample[x];
        }
        sum += product;
      }
      return sum;
    }
  }

  private Samples(Map<Name, Integer> numbers) {
    this.numbers = numbers;
  }

  /**
   * Returns samples for the variables of polynomials and the variables that their bounds mention.
   */
  static Samples of(Collection<Poly> polys, Bounds known) {
    SortedMap<Name, Range> ranges = new TreeMap<>();
    Deque<Name> work = new ArrayDeque<>();
    for (Poly p : polys) {
      work.addAll(known.normal(p).variables());
    }
    while (!work.isEmpty() && ranges.size() < VARIABLES) {
      Name x = work.pop();
      if (ranges.containsKey(x)) {
        continue;
      }
      Range range = new Range(known.lower(x), known.upper(x));
      ranges.put(x, range);
      for (Poly b : range.least) {
        work.addAll(b.variables());
      }
      for (Poly b : range.most) {
        work.addAll(b.variables());
      }
    }
    Map<Name, Integer> numbers = new HashMap<>();
    for (Name x : ranges.keySet()) {
      numbers.put(x, numbers.size());
    }
    List<Variable> variables = new ArrayList<>();
    for (Range r : ranges.values()) {
      variables.add(Variable.of(r, variables.size(), numbers));
    }
    Samples s = new Samples(numbers);
    if (known.isContradictory()) {
      return s;
    }
    for (Name x : ranges.keySet()) {
      for (Poly f : known.facts(x)) {
        Numbered fact = Numbered.of(f, numbers);
        if (fact != null) {
          variables.get(fact.last).facts.add(fact);
        }
      }
    }
    Random random = new Random(ranges.size());
    for (int t = 0; t < TRIED && s.samples.size() < WANTED; t++) {
      long[] sample = sample(variables, random);
      if (sample != null) {
        s.samples.add(sample);
      }
    }
    return s;
  }

  /**
   * The facts about a variable in terms of variables with smaller positions.
   *
   * @param facts polynomials that are at least 0 and whose last variable is this variable
   */
  private record Variable(List<Numbered> least, List<Numbered> most, List<Numbered> facts) {
    static Variable of(Range r, int number, Map<Name, Integer> numbers) {
      return new Variable(
          known(r.least, number, numbers), known(r.most, number, numbers), new ArrayList<>());
    }

    private static List<Numbered> known(List<Poly> all, int number, Map<Name, Integer> numbers) {
      List<Numbered> known = new ArrayList<>();
      for (Poly p : all) {
        Numbered n = Numbered.of(p, numbers);
        if (n != null && n.last < number) {
          known.add(n);
        }
      }
      return known;
    }
  }

  /** Returns the samples that satisfy further inequalities. */
  Samples where(Collection<Poly> atLeastZero) {
    Samples s = new Samples(numbers);
    s.samples.addAll(samples);
    for (Poly p : atLeastZero) {
      Numbered n = s.samples.isEmpty() ? null : Numbered.of(p, numbers);
      if (n != null) {
        s.samples.removeIf(sample -> n.at(sample) < 0);
      }
    }
    return s;
  }

  /**
   * Tests whether the polynomial is at least 0 for all samples. The result is true if a variable
   * has no sample value.
   */
  boolean agree(Poly atLeastZero) {
    Numbered n = samples.isEmpty() ? null : Numbered.of(atLeastZero, numbers);
    if (n == null) {
      return true;
    }
    for (long[] sample : samples) {
      if (n.at(sample) < 0) {
        return false;
      }
    }
    return true;
  }

  /** Tests whether two LMADs and all in {@code within} share an offset for some sample. */
  boolean overlap(Lmad a, Lmad b, List<Lmad> within, Bounds known) {
    if (samples.isEmpty()) {
      return false;
    }
    List<Region> all = new ArrayList<>();
    List<Lmad> lmads = new ArrayList<>(List.of(a, b));
    lmads.addAll(within);
    for (Lmad l : lmads) {
      Region r = Region.of(l, numbers, known);
      if (r == null) {
        return false;
      }
      all.add(r);
    }
    List<Region> around = all.subList(2, all.size());
    for (long[] sample : samples) {
      if (around.stream().anyMatch(r -> r.collapses(sample))) {
        continue;
      }
      if (haveCommon(all, sample)) {
        return true;
      }
    }
    return false;
  }

  private static boolean haveCommon(List<Region> all, long[] sample) {
    long least = Long.MIN_VALUE;
    long most = Long.MAX_VALUE;
    for (Region r : all) {
      long[] ends = r.ends(sample);
      if (ends.length == 0) {
        return false;
      }
      least = Math.max(least, ends[0]);
      most = Math.min(most, ends[1]);
    }
    if (least > most) {
      return false;
    }
    long[] common = NONE;
    for (Region r : all) {
      long[] positions = r.positions(sample);
      Arrays.sort(positions);
      common = r == all.get(0) ? positions : common(common, positions);
      if (common.length == 0) {
        return false;
      }
    }
    return true;
  }

  /** Returns the common elements of two sorted arrays, sorted. */
  private static long[] common(long[] a, long[] b) {
    long[] both = new long[Math.min(a.length, b.length)];
    int n = 0;
    for (int i = 0, k = 0; i < a.length && k < b.length; ) {
      if (a[i] == b[k]) {
        both[n++] = a[i++];
        k++;
      } else if (a[i] < b[k]) {
        i++;
      } else {
        k++;
      }
    }
    return Arrays.copyOf(both, n);
  }

  /** The set of offsets of an LMAD. */
  private record Region(Numbered offset, List<Numbered> sizes, List<Numbered> strides) {
    /** Returns the region of an LMAD, or null if a variable has no sample value. */
    static @Nullable Region of(Lmad l, Map<Name, Integer> numbers, Bounds known) {
      Numbered offset = Numbered.of(known.normal(l.offset()), numbers);
      List<Numbered> sizes = new ArrayList<>();
      List<Numbered> strides = new ArrayList<>();
      for (Lmad.Dim d : l.dims()) {
        Numbered size = Numbered.of(known.normal(Poly.of(d.size())), numbers);
        Numbered stride = Numbered.of(known.normal(d.stride()), numbers);
        if (size == null || stride == null) {
          return null;
        }
        sizes.add(size);
        strides.add(stride);
      }
      return offset == null ? null : new Region(offset, sizes, strides);
    }

    /** Tests whether a symbolic stride is 0, which is impossible for an array in memory. */
    boolean collapses(long[] sample) {
      for (int k = 0; k < strides.size(); k++) {
        Numbered size = sizes.get(k);
        boolean isOne = size.last < 0 && size.at(sample) == 1;
        if (strides.get(k).coefficients.length > 0 && !isOne && strides.get(k).at(sample) == 0) {
          return true;
        }
      }
      return false;
    }

    /** Returns the least and the greatest offset, or an empty array if there are no offsets. */
    long[] ends(long[] sample) {
      long least = offset.at(sample);
      long most = least;
      for (int k = 0; k < sizes.size(); k++) {
        long last = sizes.get(k).at(sample) - 1;
        if (last < 0) {
          return NONE;
        }
        long way = last * strides.get(k).at(sample);
        least += Math.min(0, way);
        most += Math.max(0, way);
      }
      return new long[] {least, most};
    }

    /** Returns all offsets, or an empty array if there are too many. */
    long[] positions(long[] sample) {
      long[] positions = {offset.at(sample)};
      for (int k = 0; k < sizes.size(); k++) {
        long stride = strides.get(k).at(sample);
        long size = sizes.get(k).at(sample);
        if (size > POSITIONS || size * positions.length > POSITIONS) {
          return NONE;
        }
        if (stride == 0) {
          continue;
        }
        long[] next = new long[(int) size * positions.length];
        int n = 0;
        for (long p : positions) {
          for (long i = 0; i < size; i++) {
            next[n++] = p + i * stride;
          }
        }
        positions = next;
      }
      return positions;
    }
  }

  /** Returns a random value for each variable, in order, or null if the values violate a fact. */
  private static long @Nullable [] sample(List<Variable> variables, Random random) {
    long[] sample = new long[variables.size()];
    for (int x = 0; x < sample.length; x++) {
      Variable v = variables.get(x);
      long least = Long.MIN_VALUE;
      long most = Long.MAX_VALUE;
      for (Numbered b : v.least) {
        least = Math.max(least, b.at(sample));
      }
      for (Numbered b : v.most) {
        most = Math.min(most, b.at(sample));
      }
      if (least == Long.MIN_VALUE) {
        least = most == Long.MAX_VALUE ? 0 : Math.min(0, most - 1);
      }
      if (most == Long.MAX_VALUE) {
        most = least + LARGEST;
      }
      if (most < least) {
        return null;
      }
      sample[x] = least + random.nextLong(Math.min(most - least, LARGEST) + 1);
      for (Numbered f : v.facts) {
        if (f.at(sample) < 0) {
          return null;
        }
      }
    }
    return sample;
  }
}
