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

  private static final long[] NONE = {};

  /** Which element of a sample is a variable's value. */
  private final Map<Name, Integer> numbers;

  private final List<long[]> samples = new ArrayList<>();

  /** What is known of a variable alone. */
  private record Range(List<Poly> least, List<Poly> most) {}

  /**
   * A polynomial over numbered variables, for many values of them.
   *
   * @param last the greatest number of a variable; -1 if there is none
   */
  private record Numbered(long[] coefficients, int[][] factors, int last) {
    /** Null if a variable has no number. */
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
          if (number == null) return null;
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
        for (int x : factors[k]) product *= sample[x];
        sum += product;
      }
      return sum;
    }
  }

  private Samples(Map<Name, Integer> numbers) {
    this.numbers = numbers;
  }

  /** For the variables of polynomials, and those that what is known of them mentions. */
  static Samples of(Collection<Poly> polys, Bounds known) {
    SortedMap<Name, Range> ranges = new TreeMap<>();
    Deque<Name> work = new ArrayDeque<>();
    for (Poly p : polys) work.addAll(known.normal(p).variables());
    while (!work.isEmpty() && ranges.size() < VARIABLES) {
      Name x = work.pop();
      if (ranges.containsKey(x)) continue;
      Range range = new Range(known.lower(x), known.upper(x));
      ranges.put(x, range);
      for (Poly b : range.least) work.addAll(b.variables());
      for (Poly b : range.most) work.addAll(b.variables());
    }
    Map<Name, Integer> numbers = new HashMap<>();
    for (Name x : ranges.keySet()) numbers.put(x, numbers.size());
    List<Variable> variables = new ArrayList<>();
    for (Range r : ranges.values()) variables.add(Variable.of(r, variables.size(), numbers));
    Samples s = new Samples(numbers);
    if (known.isContradictory()) return s;
    for (Name x : ranges.keySet()) {
      for (Poly f : known.facts(x)) {
        Numbered fact = Numbered.of(f, numbers);
        if (fact != null) variables.get(fact.last).facts.add(fact);
      }
    }
    Random random = new Random(ranges.size());
    for (int t = 0; t < TRIED && s.samples.size() < WANTED; t++) {
      long[] sample = sample(variables, random);
      if (sample != null) s.samples.add(sample);
    }
    return s;
  }

  /**
   * What is known of a variable, once those with lesser numbers have values.
   *
   * @param facts what is at least 0, of which this is the last variable
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
        if (n != null && n.last < number) known.add(n);
      }
      return known;
    }
  }

  /** Those that agree with something more. */
  Samples where(Collection<Poly> atLeastZero) {
    Samples s = new Samples(numbers);
    s.samples.addAll(samples);
    for (Poly p : atLeastZero) {
      Numbered n = s.samples.isEmpty() ? null : Numbered.of(p, numbers);
      if (n != null) s.samples.removeIf(sample -> n.at(sample) < 0);
    }
    return s;
  }

  /** Whether the polynomial is at least 0 for all of these values, as far as these are known. */
  boolean agree(Poly atLeastZero) {
    Numbered n = samples.isEmpty() ? null : Numbered.of(atLeastZero, numbers);
    if (n == null) return true;
    for (long[] sample : samples) if (n.at(sample) < 0) return false;
    return true;
  }

  /**
   * Whether two index functions, and others, have a position in common for some of these values.
   */
  boolean overlap(Lmad a, Lmad b, List<Lmad> within, Bounds known) {
    if (samples.isEmpty()) return false;
    List<Region> all = new ArrayList<>();
    List<Lmad> lmads = new ArrayList<>(List.of(a, b));
    lmads.addAll(within);
    for (Lmad l : lmads) {
      Region r = Region.of(l, numbers, known);
      if (r == null) return false;
      all.add(r);
    }
    List<Region> around = all.subList(2, all.size());
    for (long[] sample : samples) {
      if (around.stream().anyMatch(r -> r.collapses(sample))) continue;
      if (haveCommon(all, sample)) return true;
    }
    return false;
  }

  private static boolean haveCommon(List<Region> all, long[] sample) {
    long least = Long.MIN_VALUE;
    long most = Long.MAX_VALUE;
    for (Region r : all) {
      long[] ends = r.ends(sample);
      if (ends.length == 0) return false;
      least = Math.max(least, ends[0]);
      most = Math.min(most, ends[1]);
    }
    if (least > most) return false;
    long[] common = NONE;
    for (Region r : all) {
      long[] positions = r.positions(sample);
      Arrays.sort(positions);
      common = r == all.get(0) ? positions : common(common, positions);
      if (common.length == 0) return false;
    }
    return true;
  }

  /** What is in both, in order. */
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

  /** The positions of an index function. */
  private record Region(Numbered offset, List<Numbered> sizes, List<Numbered> strides) {
    /** Null if it has variables that have no values. */
    static @Nullable Region of(Lmad l, Map<Name, Integer> numbers, Bounds known) {
      Numbered offset = Numbered.of(known.normal(l.offset()), numbers);
      List<Numbered> sizes = new ArrayList<>();
      List<Numbered> strides = new ArrayList<>();
      for (Lmad.Dim d : l.dims()) {
        Numbered size = Numbered.of(known.normal(Poly.of(d.size())), numbers);
        Numbered stride = Numbered.of(known.normal(d.stride()), numbers);
        if (size == null || stride == null) return null;
        sizes.add(size);
        strides.add(stride);
      }
      return offset == null ? null : new Region(offset, sizes, strides);
    }

    /**
     * Whether a stride that is a variable's would be 0, which that of an array in memory never is.
     */
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

    /** The least and the greatest position; nothing if there are none. */
    long[] ends(long[] sample) {
      long least = offset.at(sample);
      long most = least;
      for (int k = 0; k < sizes.size(); k++) {
        long last = sizes.get(k).at(sample) - 1;
        if (last < 0) return NONE;
        long way = last * strides.get(k).at(sample);
        least += Math.min(0, way);
        most += Math.max(0, way);
      }
      return new long[] {least, most};
    }

    /** The positions, if they are not too many; else none. */
    long[] positions(long[] sample) {
      long[] positions = {offset.at(sample)};
      for (int k = 0; k < sizes.size(); k++) {
        long stride = strides.get(k).at(sample);
        long size = sizes.get(k).at(sample);
        if (size > POSITIONS || size * positions.length > POSITIONS) return NONE;
        if (stride == 0) continue;
        long[] next = new long[(int) size * positions.length];
        int n = 0;
        for (long p : positions) for (long i = 0; i < size; i++) next[n++] = p + i * stride;
        positions = next;
      }
      return positions;
    }
  }

  /** One value for each variable, in order; null if they do not agree with what is known. */
  private static long @Nullable [] sample(List<Variable> variables, Random random) {
    long[] sample = new long[variables.size()];
    for (int x = 0; x < sample.length; x++) {
      Variable v = variables.get(x);
      long least = Long.MIN_VALUE;
      long most = Long.MAX_VALUE;
      for (Numbered b : v.least) least = Math.max(least, b.at(sample));
      for (Numbered b : v.most) most = Math.min(most, b.at(sample));
      if (least == Long.MIN_VALUE) least = most == Long.MAX_VALUE ? 0 : Math.min(0, most - 1);
      if (most == Long.MAX_VALUE) most = least + LARGEST;
      if (most < least) return null;
      sample[x] = least + random.nextLong(Math.min(most - least, LARGEST) + 1);
      for (Numbered f : v.facts) if (f.at(sample) < 0) return null;
    }
    return sample;
  }
}
