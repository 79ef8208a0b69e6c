package futharkc.pass.tiling;

import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeCopies;
import futharkc.core.ir.imperative.CodeSearch;
import futharkc.core.ir.imperative.Variables;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The computation of one result, with products in it.
 *
 * @param tiling the tiling of the index space
 * @param variance the variance of the computation's values
 * @param before the steps in order, up to the last product
 * @param after the remaining code, including earlier code that only this code uses
 */
record Iteration(Tiling tiling, Variance variance, List<Step> before, List<Code> after) {
  /** A step of the computation. */
  sealed interface Step {
    /** Returns the names that this step reads. */
    Set<Name> reads();

    /** Returns the names that this step assigns. */
    Set<Name> assigns();

    /** Returns the products in this step, in order. */
    List<Product> products();

    /** Returns the statements in this step that are not tiled, in order. */
    List<Code> plain();
  }

  /** A statement that computes scalars. */
  record Plain(Code code) implements Step {
    @Override
    public Set<Name> reads() {
      return Variables.readBy(plain());
    }

    @Override
    public Set<Name> assigns() {
      return Variables.assignedBy(plain());
    }

    @Override
    public List<Product> products() {
      return List.of();
    }

    @Override
    public List<Code> plain() {
      return List.of(code);
    }
  }

  /** A tiled loop. */
  record Tiled(Product product) implements Step {
    @Override
    public Set<Name> reads() {
      return product.reads();
    }

    @Override
    public Set<Name> assigns() {
      return Variables.assignedBy(product.body());
    }

    @Override
    public List<Product> products() {
      return List.of(product);
    }

    @Override
    public List<Code> plain() {
      return List.of();
    }
  }

  /**
   * A loop around a tiled loop that all threads of a thread block repeat alike.
   *
   * @param head the loop without its body
   * @param body the steps of the body
   */
  record Around(Code.For head, List<Step> body) implements Step {
    @Override
    public Set<Name> reads() {
      Set<Name> all = Variables.readBy(List.of(head));
      for (Step s : body) {
        all.addAll(s.reads());
      }
      return all;
    }

    @Override
    public Set<Name> assigns() {
      Set<Name> all = new HashSet<>();
      for (Step s : body) {
        all.addAll(s.assigns());
      }
      return all;
    }

    @Override
    public List<Product> products() {
      return body.stream().flatMap(s -> s.products().stream()).toList();
    }

    @Override
    public List<Code> plain() {
      return body.stream().flatMap(s -> s.plain().stream()).toList();
    }
  }

  /** A search for products in the computation of one index. */
  static final class Search {
    private final List<Code> body;
    private final Set<Name> inside;
    private final NameSource names;

    /**
     * Creates a search in a kernel.
     *
     * @param body the computation of one index
     * @param inside the names that the kernel declares
     * @param names the source of fresh names
     */
    Search(List<Code> body, Set<Name> inside, NameSource names) {
      this.body = body;
      this.inside = inside;
      this.names = names;
    }

    /**
     * Returns the computation for the first tiling with profitable products; null if there is none.
     */
    @Nullable Iteration of(List<Tiling> tilings, Predicate<Product> isWorthIt) {
      for (Tiling t : tilings) {
        Iteration found = of(t, isWorthIt);
        if (found != null) {
          return found;
        }
      }
      return null;
    }

    private @Nullable Iteration of(Tiling tiling, Predicate<Product> isWorthIt) {
      Map<Name, Poly> known = known(tiling.space(), body);
      Variance variance = new Variance(known, Sides.of(s -> tiling.sides().get(s).index()), body);
      Product.Search search = new Product.Search(tiling, known, variance, inside, names, isWorthIt);
      List<Step> steps = steps(body, search);
      int last = steps.size() - 1;
      while (last >= 0 && steps.get(last) instanceof Plain) {
        last--;
      }
      if (last < 0) {
        return null;
      }
      List<Step> before = new ArrayList<>();
      List<Code> after = new ArrayList<>();
      for (Step s : steps.subList(last + 1, steps.size())) {
        after.addAll(s.plain());
      }
      after.removeIf(c -> isQuotient(c, tiling.space()));
      Set<Name> needed = new HashSet<>();
      Set<Name> assigned = new HashSet<>();
      for (Step s : steps.subList(0, last + 1).reversed()) {
        if (s instanceof Plain p) {
          if (isQuotient(p.code, tiling.space())) {
            continue;
          }
          if (CodeSearch.anyStatement(p.plain(), c -> c instanceof Code.Store)) {
            return null;
          }
          Set<Name> made = new HashSet<>(p.assigns());
          for (Code.Variable v : Variables.declaredBy(p.code)) {
            made.add(v.name());
          }
          if (Collections.disjoint(made, needed)
              && Collections.disjoint(made, assigned)
              && Collections.disjoint(p.reads(), assigned)) {
            after.addFirst(p.code);
            continue;
          }
          if (!search.computes(p.plain())) {
            return null;
          }
        }
        needed.addAll(s.reads());
        assigned.addAll(s.assigns());
        before.addFirst(s);
      }
      return CodeCopies.computes(after, true)
          ? new Iteration(tiling, variance, before, List.copyOf(after))
          : null;
    }

    private List<Step> steps(List<Code> code, Product.Search search) {
      List<Step> steps = new ArrayList<>();
      for (Code c : code) {
        steps.add(c instanceof Code.For f ? loop(f, search) : new Plain(c));
      }
      return steps;
    }

    private Step loop(Code.For f, Product.Search search) {
      Product p = search.of(f);
      if (p != null) {
        return new Tiled(p);
      }
      if (!search.isAlike(f)) {
        return new Plain(f);
      }
      List<Step> inside = steps(flat(f.body()), search);
      boolean isTiled = inside.stream().anyMatch(s -> !s.products().isEmpty());
      boolean computes = inside.stream().allMatch(s -> search.computes(s.plain()));
      return isTiled && computes ? new Around(f.withBody(List.of()), inside) : new Plain(f);
    }
  }

  private static boolean isQuotient(Code c, ResultSpace space) {
    return c instanceof Code.Declare d && space.flat().containsKey(d.name());
  }

  /** Returns the polynomials over the dimensions' indices of all variables that have one. */
  private static Map<Name, Poly> known(ResultSpace space, List<Code> body) {
    Set<Name> assigned = Variables.assignedBy(body);
    Map<Name, Poly> known = new HashMap<>(space.flat());
    addKnown(body, assigned, known);
    return known;
  }

  private static void addKnown(List<Code> code, Set<Name> assigned, Map<Name, Poly> known) {
    for (Code c : code) {
      if (c instanceof Code.Declare d
          && d.value() != null
          && d.value().sum() instanceof Poly p
          && !assigned.contains(d.name())
          && !known.containsKey(d.name())
          && !p.mentions(assigned)) {
        known.put(d.name(), p.substitute(n -> known.getOrDefault(n, Poly.of(n))));
      }
      if (c instanceof Code.Compound x) {
        x.bodies().forEach(b -> addKnown(b, assigned, known));
      }
    }
  }

  /** Returns statements without nested scopes: each name is declared once. */
  static List<Code> flat(List<Code> code) {
    List<Code> out = new ArrayList<>();
    for (Code c : code) {
      if (c instanceof Code.Scope s) {
        out.addAll(flat(s.body()));
      } else {
        out.add(c);
      }
    }
    return out;
  }

  /** Returns the products, in order. */
  List<Product> products() {
    return before.stream().flatMap(s -> s.products().stream()).toList();
  }

  /** Returns the statements up to the last product that are not tiled, in order. */
  List<Code> plain() {
    return before.stream().flatMap(s -> s.plain().stream()).toList();
  }

  /** Returns the types of the products' accumulators. */
  List<PrimType> accumulated() {
    Set<Name> assigned = new HashSet<>();
    for (Product p : products()) {
      assigned.addAll(Variables.assignedBy(p.body()));
    }
    List<PrimType> types = new ArrayList<>();
    for (Code.Variable v : Variables.declaredBy(plain())) {
      if (assigned.contains(v.name())) {
        types.add(v.type());
      }
    }
    return types;
  }

  /** Returns the types of the elements of each row or column in a step. */
  List<PrimType> staged(Side side) {
    List<PrimType> types = new ArrayList<>();
    for (Product p : products()) {
      for (Staged s : p.staged()) {
        if (s.side() == side) {
          types.add(s.type());
        }
      }
    }
    return types;
  }
}
