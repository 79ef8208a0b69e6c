package futharkc.core.ir;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A polynomial over i64 variables with wrapping arithmetic, in canonical form: equal polynomials
 * have equal terms. Polynomials are ordered by the sign of the greatest term of their difference.
 * This is the order of their values if all variables are very large, with later variables much
 * larger than earlier ones.
 */
public final class Poly implements Comparable<Poly> {
  public static final Poly ZERO = new Poly(new TreeMap<>());
  public static final Poly ONE = of(1);

  private final SortedMap<Product, Long> terms;

  // Cached, since provers request the variables repeatedly.
  private @Nullable SortedSet<Name> variables;
  private int hash;

  private Poly(SortedMap<Product, Long> terms) {
    this.terms = terms;
  }

  /** Returns the non-zero coefficient of each product of variables. */
  public SortedMap<Product, Long> terms() {
    return Collections.unmodifiableSortedMap(terms);
  }

  @Override
  public boolean equals(@Nullable Object o) {
    return this == o || o instanceof Poly p && hashCode() == p.hashCode() && terms.equals(p.terms);
  }

  @Override
  public int hashCode() {
    if (hash == 0) {
      hash = terms.hashCode();
    }
    return hash;
  }

  /**
   * A product of variables, in order, with repetitions. The empty product belongs to the constant
   * term.
   */
  public record Product(List<Name> factors) implements Comparable<Product> {
    static final Product EMPTY = new Product(List.of());

    public Product {
      factors = List.copyOf(factors);
    }

    Product times(Product other) {
      if (factors.isEmpty()) {
        return other;
      }
      if (other.factors.isEmpty()) {
        return this;
      }
      List<Name> all = new ArrayList<>(factors);
      all.addAll(other.factors);
      Collections.sort(all);
      return new Product(all);
    }

    /**
     * Divides by another product. Returns null if the other's factors are not all among this
     * product's factors.
     */
    public @Nullable Product without(Product other) {
      if (other.factors.isEmpty()) {
        return this;
      }
      if (other.factors.size() > factors.size()) {
        return null;
      }
      List<Name> rest = new ArrayList<>(factors);
      for (Name n : other.factors) {
        if (!rest.remove(n)) {
          return null;
        }
      }
      return new Product(rest);
    }

    // Explicit methods, since those of a record are slow until the JVM has compiled them.
    @Override
    public boolean equals(@Nullable Object o) {
      return this == o || o instanceof Product p && factors.equals(p.factors);
    }

    @Override
    public int hashCode() {
      return factors.hashCode();
    }

    /** Compares by length, then by names. Multiplication by a product preserves the order. */
    @Override
    public int compareTo(Product other) {
      if (this == other) {
        return 0;
      }
      int c = Integer.compare(factors.size(), other.factors.size());
      for (int i = 0; c == 0 && i < factors.size(); i++) {
        c = factors.get(i).compareTo(other.factors.get(i));
      }
      return c;
    }
  }

  public static Poly of(long c) {
    TreeMap<Product, Long> t = new TreeMap<>();
    if (c != 0) {
      t.put(Product.EMPTY, c);
    }
    return new Poly(t);
  }

  public static Poly of(Name name) {
    TreeMap<Product, Long> t = new TreeMap<>();
    t.put(new Product(List.of(name)), 1L);
    return new Poly(t);
  }

  /** Returns the polynomial of an integer operand. */
  public static Poly of(SubExp e) {
    return switch (e) {
      case SubExp.Const c -> of(c.value().asLong());
      case SubExp.Var v -> of(v.name());
    };
  }

  /** Returns the variables in the order of the products. */
  public Set<Name> names() {
    Set<Name> names = new LinkedHashSet<>();
    for (Product p : terms.keySet()) {
      names.addAll(p.factors());
    }
    return names;
  }

  /** Tests whether one of the given names occurs. */
  public boolean mentions(Set<Name> names) {
    for (Product p : terms.keySet()) {
      for (Name n : p.factors()) {
        if (names.contains(n)) {
          return true;
        }
      }
    }
    return false;
  }

  public boolean isZero() {
    return terms.isEmpty();
  }

  /** Returns the term without variables, 0 if there is none. */
  public long constantTerm() {
    return terms.getOrDefault(Product.EMPTY, 0L);
  }

  /** Returns the value of a polynomial without variables, otherwise null. */
  public @Nullable Long constant() {
    if (terms.isEmpty()) {
      return 0L;
    }
    return terms.size() == 1 ? terms.get(Product.EMPTY) : null;
  }

  public Poly plus(Poly other) {
    if (other.terms.size() > terms.size()) {
      return other.plus(this);
    }
    TreeMap<Product, Long> t = new TreeMap<>(terms);
    other.terms.forEach((p, c) -> add(t, p, c));
    return new Poly(t);
  }

  public Poly minus(Poly other) {
    TreeMap<Product, Long> t = new TreeMap<>(terms);
    other.terms.forEach((p, c) -> add(t, p, -c));
    return new Poly(t);
  }

  public Poly times(long k) {
    TreeMap<Product, Long> t = new TreeMap<>();
    terms.forEach((p, c) -> add(t, p, c * k));
    return new Poly(t);
  }

  public Poly times(Poly other) {
    if (equals(ONE)) {
      return other;
    }
    if (other.equals(ONE)) {
      return this;
    }
    TreeMap<Product, Long> t = new TreeMap<>();
    terms.forEach((p, c) -> other.terms.forEach((q, d) -> add(t, p.times(q), c * d)));
    return new Poly(t);
  }

  /** The result of a division with remainder: {@code dividend = quotient * divisor + remainder}. */
  public record Division(Poly quotient, Poly remainder) {}

  /**
   * Divides with remainder by repeatedly dividing terms by the greatest term of the divisor.
   * Coefficients are divided with rounding towards zero. For example, {@code n*b - b} divided by
   * {@code n - 1} is {@code b} with remainder 0, and {@code 7*n + 2} divided by {@code 3*n} is
   * {@code 2} with remainder {@code n + 2}.
   *
   * @throws ArithmeticException if the divisor is zero
   */
  public Division divide(Poly divisor) {
    if (divisor.isZero()) {
      throw new ArithmeticException("division of " + this + " by zero");
    }
    Map.Entry<Product, Long> lead = divisor.terms.lastEntry();
    Poly quotient = ZERO;
    Poly rest = this;
    // Invariant: each step reduces the current coefficient below the divisor's and changes smaller
    // terms only.
    for (var t = rest.terms.lastEntry(); t != null; t = before(rest, t.getKey())) {
      long q = t.getValue() / lead.getValue();
      Product p = t.getKey().without(lead.getKey());
      if (q == 0 || p == null) {
        continue;
      }
      Poly step = of(p, q);
      quotient = quotient.plus(step);
      rest = rest.minus(step.times(divisor));
    }
    return new Division(quotient, rest);
  }

  /**
   * Returns {@code quotient * x + remainder} with a remainder that does not mention the variable.
   * Equivalent to division by the polynomial {@code x}, but faster.
   */
  public Division divide(Name x) {
    TreeMap<Product, Long> with = new TreeMap<>();
    // Few terms mention the variable: copying all terms is cheaper than sorting the remainder
    // again.
    TreeMap<Product, Long> without = new TreeMap<>(terms);
    for (Map.Entry<Product, Long> t : terms.entrySet()) {
      List<Name> factors = t.getKey().factors;
      int at = factors.indexOf(x);
      if (at < 0) {
        continue;
      }
      without.remove(t.getKey());
      List<Name> others = new ArrayList<>(factors);
      others.remove(at);
      with.put(new Product(others), t.getValue());
    }
    return new Division(new Poly(with), new Poly(without));
  }

  /** Returns the greatest product of variables that divides every term. */
  public Product content() {
    List<Name> common = null;
    for (Product p : terms.keySet()) {
      if (common == null) {
        common = new ArrayList<>(p.factors);
        continue;
      }
      List<Name> rest = new ArrayList<>(p.factors);
      common.removeIf(n -> !rest.remove(n));
    }
    return common == null ? Product.EMPTY : new Product(common);
  }

  /** Returns this polynomial or its negation, with a positive coefficient of the greatest term. */
  public Poly magnitude() {
    return !isZero() && terms.lastEntry().getValue() < 0 ? times(-1) : this;
  }

  @Override
  public int compareTo(Poly other) {
    Poly difference = minus(other);
    return difference.isZero() ? 0 : Long.signum(difference.terms.lastEntry().getValue());
  }

  private static Map.@Nullable Entry<Product, Long> before(Poly p, Product bound) {
    SortedMap<Product, Long> smaller = p.terms.headMap(bound);
    return smaller.isEmpty() ? null : smaller.lastEntry();
  }

  /** Returns the polynomial of a single term. */
  public static Poly of(Product p, long coefficient) {
    if (coefficient == 0) {
      return ZERO;
    }
    TreeMap<Product, Long> t = new TreeMap<>();
    t.put(p, coefficient);
    return new Poly(t);
  }

  /** Returns the variables. */
  public SortedSet<Name> variables() {
    if (variables == null) {
      SortedSet<Name> names = new TreeSet<>();
      for (Product p : terms.keySet()) {
        names.addAll(p.factors);
      }
      variables = Collections.unmodifiableSortedSet(names);
    }
    return variables;
  }

  private static void add(Map<Product, Long> t, Product p, long c) {
    long sum = t.getOrDefault(p, 0L) + c;
    if (sum == 0) {
      t.remove(p);
    } else {
      t.put(p, sum);
    }
  }

  /** Replaces variables by polynomials. */
  public Poly substitute(Function<Name, Poly> replacement) {
    TreeMap<Product, Long> sum = new TreeMap<>();
    for (Map.Entry<Product, Long> e : terms.entrySet()) {
      List<Name> names = new ArrayList<>();
      Poly rest = of(e.getValue());
      for (Name n : e.getKey().factors()) {
        Poly by = replacement.apply(n);
        if (by.asSubExp() instanceof SubExp.Var v) {
          names.add(v.name());
        } else {
          rest = rest.times(by);
        }
      }
      Collections.sort(names);
      Product product = new Product(names);
      rest.terms.forEach((p, c) -> add(sum, p.times(product), c));
    }
    return new Poly(sum);
  }

  /**
   * Returns the polynomial as an operand if it is a constant or a single variable, otherwise null.
   */
  public @Nullable SubExp asSubExp() {
    Long c = constant();
    if (c != null) {
      return SubExp.i64(c);
    }
    if (terms.size() == 1) {
      var e = terms.firstEntry();
      if (e.getValue() == 1 && e.getKey().factors().size() == 1) {
        return SubExp.of(e.getKey().factors().get(0));
      }
    }
    return null;
  }

  /** Returns the text form, for example {@code 4 + n_1 + -2*i_2*n_1}. */
  @Override
  public String toString() {
    if (terms.isEmpty()) {
      return "0";
    }
    StringBuilder s = new StringBuilder();
    terms.forEach(
        (p, c) -> {
          if (!s.isEmpty()) {
            s.append(" + ");
          }
          if (p.factors().isEmpty()) {
            s.append(c);
            return;
          }
          if (c != 1) {
            s.append(c).append('*');
          }
          for (int i = 0; i < p.factors().size(); i++) {
            s.append(i == 0 ? "" : "*").append(p.factors().get(i));
          }
        });
    return s.toString();
  }
}
