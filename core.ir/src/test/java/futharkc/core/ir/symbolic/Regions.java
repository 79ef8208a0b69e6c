package futharkc.core.ir.symbolic;

import futharkc.core.ir.Lmad;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.SubExp;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;

/**
 * A parser and enumerator for pairs of LMADs in the notation of papers, {@code o+n+1+{k : nb-b, b :
 * n}}, with one-letter variables and known facts about them.
 */
final class Regions {
  private final Map<Character, Name> names = new LinkedHashMap<>();
  private final List<Poly> facts = new ArrayList<>();
  private final Map<Name, Poly> values = new LinkedHashMap<>();

  /** The names of sizes that are not variables, keyed by the size. */
  private final Map<Poly, Name> sizes = new LinkedHashMap<>();

  /**
   * Makes variables with the facts {@code a<=b}, {@code a<b} and values {@code n=qb+1}, separated
   * by commas.
   */
  Regions(String known) {
    for (String k : known.replace(" ", "").split(",")) {
      String[] sides = k.split("<=|<|=");
      if (!k.contains("<")) {
        values.put(name(sides[0].charAt(0)), poly(sides[1]));
        continue;
      }
      for (int i = 0; i + 1 < sides.length; i++) {
        boolean less = k.substring(k.indexOf(sides[i]) + sides[i].length()).charAt(1) != '=';
        Poly d = poly(sides[i + 1]).minus(poly(sides[i]));
        facts.add(less ? d.minus(Poly.ONE) : d);
      }
    }
  }

  /** Makes an instance without facts. */
  Regions() {}

  /** Returns a new variable. */
  Poly variable() {
    return Poly.of(name((char) ('a' + names.size())));
  }

  /** Adds the fact that the polynomial is at least 0. */
  Regions fact(Poly atLeastZero) {
    facts.add(atLeastZero);
    return this;
  }

  private Name name(char c) {
    return names.computeIfAbsent(c, k -> new Name(k.toString(), names.size() + 1));
  }

  /** Returns the variables. */
  List<Name> names() {
    return List.copyOf(names.values());
  }

  /** Returns a prover with all known facts. */
  NonOverlap prover() {
    Bounds bounds = new Bounds(null);
    for (Poly f : facts) {
      bounds.addFact(f);
    }
    values.forEach(bounds::addValue);
    sizes.forEach((p, n) -> bounds.addValue(n, p));
    return new NonOverlap(bounds);
  }

  boolean provesDisjoint(Lmad a, Lmad b) {
    return prover().disjoint(a, b);
  }

  Lmad lmad(String text) {
    String t = text.replace(" ", "");
    int brace = t.indexOf('{');
    if (brace < 0) {
      return new Lmad(poly(t), List.of());
    }
    List<Lmad.Dim> dims = new ArrayList<>();
    for (String d : t.substring(brace + 1, t.length() - 1).split(",")) {
      if (d.isEmpty()) {
        continue;
      }
      String[] parts = d.split(":");
      dims.add(new Lmad.Dim(poly(parts[1]), size(poly(parts[0]))));
    }
    return new Lmad(poly(t.substring(0, Math.max(brace - 1, 0))), dims);
  }

  /** Returns a size as an operand: a name with that value. */
  SubExp size(Poly p) {
    SubExp simple = p.asSubExp();
    return simple != null
        ? simple
        : SubExp.of(sizes.computeIfAbsent(p, k -> new Name("size", 1000 + sizes.size())));
  }

  // Polynomials

  private Poly poly(String text) {
    return new Reading(text).sum();
  }

  /** A parser of sums of products, written by juxtaposition. */
  private final class Reading {
    private final String text;
    private int at;

    Reading(String text) {
      this.text = text;
    }

    private char next() {
      return at < text.length() ? text.charAt(at) : ')';
    }

    Poly sum() {
      Poly sum = Poly.ZERO;
      boolean minus = false;
      while (next() != ')') {
        if (next() == '+' || next() == '-') {
          minus = text.charAt(at++) == '-';
        }
        sum = minus ? sum.minus(product()) : sum.plus(product());
        minus = false;
      }
      return sum;
    }

    private Poly product() {
      Poly product = Poly.ONE;
      while (next() != ')' && next() != '+' && next() != '-') {
        char c = text.charAt(at++);
        Poly factor;
        if (c == '(') {
          factor = sum();
          at++;
        } else if (Character.isDigit(c)) {
          int from = at - 1;
          while (Character.isDigit(next())) {
            at++;
          }
          factor = Poly.of(Long.parseLong(text.substring(from, at)));
        } else {
          factor = Poly.of(name(c));
        }
        product = product.times(factor);
      }
      return product;
    }
  }

  // Enumeration

  /** Tests whether the two LMADs overlap for some values of the variables up to {@code most}. */
  boolean overlap(Lmad a, Lmad b, int most) {
    return overlap(a, b, most, free(), new LinkedHashMap<>());
  }

  private List<Name> free() {
    List<Name> free = new ArrayList<>(names.values());
    free.removeAll(values.keySet());
    return free;
  }

  private boolean overlap(Lmad a, Lmad b, int most, List<Name> free, Map<Name, Long> given) {
    if (free.isEmpty()) {
      return overlap(a, b, given);
    }
    for (long v = 0; v <= most; v++) {
      given.put(free.get(0), v);
      if (overlap(a, b, most, free.subList(1, free.size()), given)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Tests whether the two LMADs overlap for some of {@code trials} random values up to {@code
   * most}.
   */
  boolean overlap(Lmad a, Lmad b, int most, Random random, int trials) {
    for (int t = 0; t < trials; t++) {
      Map<Name, Long> given = new LinkedHashMap<>();
      for (Name n : free()) {
        given.put(n, random.nextLong(most + 1));
      }
      if (overlap(a, b, given)) {
        return true;
      }
    }
    return false;
  }

  /** Tests whether the two LMADs overlap for the given values, if these satisfy the known facts. */
  private boolean overlap(Lmad a, Lmad b, Map<Name, Long> given) {
    Map<Name, Long> all = new LinkedHashMap<>(given);
    values.forEach((n, p) -> all.put(n, value(p, all)));
    sizes.forEach((p, n) -> all.put(n, value(p, all)));
    for (Poly f : facts) {
      if (value(f, all) < 0) {
        return false;
      }
    }
    Set<Long> places = new HashSet<>(places(a, all));
    return places(b, all).stream().anyMatch(places::contains);
  }

  private static long value(Poly p, Map<Name, Long> given) {
    long sum = 0;
    for (var t : p.terms().entrySet()) {
      long product = t.getValue();
      for (Name n : t.getKey().factors()) {
        product *= Objects.requireNonNull(given.get(n));
      }
      sum += product;
    }
    return sum;
  }

  private static List<Long> places(Lmad l, Map<Name, Long> given) {
    List<Long> all = List.of(value(l.offset(), given));
    for (Lmad.Dim d : l.dims()) {
      long size = value(Poly.of(d.size()), given);
      long stride = value(d.stride(), given);
      List<Long> next = new ArrayList<>();
      for (long p : all) {
        for (long i = 0; i < size; i++) {
          next.add(p + i * stride);
        }
      }
      all = next;
    }
    return all;
  }
}
