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
 * have equal terms. Their order is that of their values where all variables are very large, later
 * ones more so: that of the coefficients of the greatest term of their difference.
 */
public final class Poly implements Comparable<Poly> {
  public static final Poly ZERO = new Poly(new TreeMap<>());
  public static final Poly ONE = of(1);

  private final SortedMap<Product, Long> terms;

  // Provers ask for these again and again.
  private @Nullable SortedSet<Name> variables;
  private int hash;

  private Poly(SortedMap<Product, Long> terms) {
    this.terms = terms;
  }

  /** The coefficient of each product of variables; none is zero. */
  public SortedMap<Product, Long> terms() {
    return Collections.unmodifiableSortedMap(terms);
  }

  @Override
  public boolean equals(@Nullable Object o) {
    return this == o || o instanceof Poly p && hashCode() == p.hashCode() && terms.equals(p.terms);
  }

  @Override
  public int hashCode() {
    if (hash == 0) hash = terms.hashCode();
    return hash;
  }

  /** A product of variables, in order, with repetitions; empty for the constant term. */
  public record Product(List<Name> factors) implements Comparable<Product> {
    static final Product EMPTY = new Product(List.of());

    public Product {
      factors = List.copyOf(factors);
    }

    Product times(Product other) {
      if (factors.isEmpty()) return other;
      if (other.factors.isEmpty()) return this;
      List<Name> all = new ArrayList<>(factors);
      all.addAll(other.factors);
      Collections.sort(all);
      return new Product(all);
    }

    /** The product without factors, or null if these are not all among its own. */
    public @Nullable Product without(Product other) {
      if (other.factors.isEmpty()) return this;
      if (other.factors.size() > factors.size()) return null;
      List<Name> rest = new ArrayList<>(factors);
      for (Name n : other.factors) if (!rest.remove(n)) return null;
      return new Product(rest);
    }

    // Written out, as those of a record take long until they have been compiled.
    @Override
    public boolean equals(@Nullable Object o) {
      return this == o || o instanceof Product p && factors.equals(p.factors);
    }

    @Override
    public int hashCode() {
      return factors.hashCode();
    }

    /** Shorter ones first, then by the names; kept by multiplication. */
    @Override
    public int compareTo(Product other) {
      if (this == other) return 0;
      int c = Integer.compare(factors.size(), other.factors.size());
      for (int i = 0; c == 0 && i < factors.size(); i++) {
        c = factors.get(i).compareTo(other.factors.get(i));
      }
      return c;
    }
  }

  public static Poly of(long c) {
    TreeMap<Product, Long> t = new TreeMap<>();
    if (c != 0) t.put(Product.EMPTY, c);
    return new Poly(t);
  }

  public static Poly of(Name name) {
    TreeMap<Product, Long> t = new TreeMap<>();
    t.put(new Product(List.of(name)), 1L);
    return new Poly(t);
  }

  /** An integer operand. */
  public static Poly of(SubExp e) {
    return switch (e) {
      case SubExp.Const c -> of(c.value().asLong());
      case SubExp.Var v -> of(v.name());
    };
  }

  /** The variables that occur, in the order of the products. */
  public Set<Name> names() {
    Set<Name> names = new LinkedHashSet<>();
    for (Product p : terms.keySet()) names.addAll(p.factors());
    return names;
  }

  /** Whether one of the variables is among these. */
  public boolean mentions(Set<Name> names) {
    for (Product p : terms.keySet()) {
      for (Name n : p.factors()) if (names.contains(n)) return true;
    }
    return false;
  }

  public boolean isZero() {
    return terms.isEmpty();
  }

  /** The value if this has no variables, else null. */
  public @Nullable Long constant() {
    if (terms.isEmpty()) return 0L;
    return terms.size() == 1 ? terms.get(Product.EMPTY) : null;
  }

  public Poly plus(Poly other) {
    if (other.terms.size() > terms.size()) return other.plus(this);
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
    if (equals(ONE)) return other;
    if (other.equals(ONE)) return this;
    TreeMap<Product, Long> t = new TreeMap<>();
    terms.forEach((p, c) -> other.terms.forEach((q, d) -> add(t, p.times(q), c * d)));
    return new Poly(t);
  }

  /**
   * What is left of a division by several terms: {@code dividend = quotient * divisor + remainder}.
   */
  public record Division(Poly quotient, Poly remainder) {}

  /**
   * Divides by the greatest term of a polynomial, as long as that divides a term: exactly where the
   * coefficients allow it, else towards zero. So {@code n*b - b} by {@code n - 1} is {@code b}
   * without remainder, and {@code 7*n + 2} by {@code 3*n} is {@code 2} and {@code n + 2}.
   *
   * @throws ArithmeticException if the divisor is zero
   */
  public Division divide(Poly divisor) {
    if (divisor.isZero()) throw new ArithmeticException("division of " + this + " by zero");
    Map.Entry<Product, Long> lead = divisor.terms.lastEntry();
    Poly quotient = ZERO;
    Poly rest = this;
    // Every step makes the coefficient at hand smaller than the divisor's, and changes smaller
    // terms only.
    for (var t = rest.terms.lastEntry(); t != null; t = before(rest, t.getKey())) {
      long q = t.getValue() / lead.getValue();
      Product p = t.getKey().without(lead.getKey());
      if (q == 0 || p == null) continue;
      Poly step = of(p, q);
      quotient = quotient.plus(step);
      rest = rest.minus(step.times(divisor));
    }
    return new Division(quotient, rest);
  }

  /**
   * {@code quotient * x + remainder}, where the remainder does not mention the variable: as
   * division by it, and faster.
   */
  public Division divide(Name x) {
    TreeMap<Product, Long> with = new TreeMap<>();
    // Few terms mention it: to copy all is less than to sort the rest once more.
    TreeMap<Product, Long> without = new TreeMap<>(terms);
    for (Map.Entry<Product, Long> t : terms.entrySet()) {
      List<Name> factors = t.getKey().factors;
      int at = factors.indexOf(x);
      if (at < 0) continue;
      without.remove(t.getKey());
      List<Name> others = new ArrayList<>(factors);
      others.remove(at);
      with.put(new Product(others), t.getValue());
    }
    return new Division(new Poly(with), new Poly(without));
  }

  /** The product of the variables that are in every term, as often as they are. */
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

  /** This or its negation, whose greatest term has a positive coefficient. */
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

  /** A term. */
  public static Poly of(Product p, long coefficient) {
    if (coefficient == 0) return ZERO;
    TreeMap<Product, Long> t = new TreeMap<>();
    t.put(p, coefficient);
    return new Poly(t);
  }

  /** The variables. */
  public SortedSet<Name> variables() {
    if (variables == null) {
      SortedSet<Name> names = new TreeSet<>();
      for (Product p : terms.keySet()) names.addAll(p.factors);
      variables = Collections.unmodifiableSortedSet(names);
    }
    return variables;
  }

  private static void add(Map<Product, Long> t, Product p, long c) {
    long sum = t.getOrDefault(p, 0L) + c;
    if (sum == 0) t.remove(p);
    else t.put(p, sum);
  }

  /** The polynomial with variables replaced. */
  public Poly substitute(Function<Name, Poly> replacement) {
    TreeMap<Product, Long> sum = new TreeMap<>();
    for (Map.Entry<Product, Long> e : terms.entrySet()) {
      List<Name> names = new ArrayList<>();
      Poly rest = of(e.getValue());
      for (Name n : e.getKey().factors()) {
        Poly by = replacement.apply(n);
        if (by.asSubExp() instanceof SubExp.Var v) names.add(v.name());
        else rest = rest.times(by);
      }
      Collections.sort(names);
      Product product = new Product(names);
      rest.terms.forEach((p, c) -> add(sum, p.times(product), c));
    }
    return new Poly(sum);
  }

  /** The polynomial as an operand, if it is a constant or a single variable, else null. */
  public @Nullable SubExp asSubExp() {
    Long c = constant();
    if (c != null) return SubExp.i64(c);
    if (terms.size() == 1) {
      var e = terms.firstEntry();
      if (e.getValue() == 1 && e.getKey().factors().size() == 1) {
        return SubExp.of(e.getKey().factors().get(0));
      }
    }
    return null;
  }

  /** As in {@code 4 + n_1 + -2*i_2*n_1}. */
  @Override
  public String toString() {
    if (terms.isEmpty()) return "0";
    StringBuilder s = new StringBuilder();
    terms.forEach(
        (p, c) -> {
          if (!s.isEmpty()) s.append(" + ");
          if (p.factors().isEmpty()) {
            s.append(c);
            return;
          }
          if (c != 1) s.append(c).append('*');
          for (int i = 0; i < p.factors().size(); i++) {
            s.append(i == 0 ? "" : "*").append(p.factors().get(i));
          }
        });
    return s.toString();
  }
}
