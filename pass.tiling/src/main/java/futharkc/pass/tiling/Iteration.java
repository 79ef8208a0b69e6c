package futharkc.pass.tiling;

import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.BlockAliases;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeCopies;
import futharkc.core.ir.imperative.Variables;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a kernel does for one result, with a product in it.
 *
 * @param sides the dimensions that have a row or column for each result of a tile
 * @param before what is done in order, up to the last product
 * @param after the rest, and what was before it, but is for the rest only
 */
record Iteration(
    IndexSpace space,
    Sides<IndexSpace.Dimension> sides,
    Variance variance,
    List<Step> before,
    List<Code> after) {
  /** A part of what is done before the rest. */
  sealed interface Step {}

  /** A statement that computes scalars. */
  record Plain(Code code) implements Step {}

  /** A loop that is tiled. */
  record Tiled(Product product) implements Step {}

  /** Finds the products in what is done for an index; null if there are none. */
  static @Nullable Iteration of(
      IndexSpace space,
      List<Code> body,
      Set<Name> inside,
      Set<Name> written,
      BlockAliases aliases,
      NameSource names) {
    List<IndexSpace.Dimension> inner = space.dimensions().reversed();
    for (int column = 0; column < inner.size(); column++) {
      for (int row = column + 1; row < inner.size(); row++) {
        Sides<IndexSpace.Dimension> sides = new Sides<>(inner.get(row), inner.get(column));
        Iteration found = of(space, sides, body, inside, written, aliases, names);
        if (found != null) return found;
      }
    }
    return null;
  }

  private static @Nullable Iteration of(
      IndexSpace space,
      Sides<IndexSpace.Dimension> sides,
      List<Code> body,
      Set<Name> inside,
      Set<Name> written,
      BlockAliases aliases,
      NameSource names) {
    Sides<Name> indices = Sides.of(side -> sides.get(side).index());
    Map<Name, Poly> known = known(space, body);
    Variance variance = new Variance(known, indices, body);
    Product.Search search =
        new Product.Search(indices, known, variance, inside, written, aliases, names);
    List<Step> steps = new ArrayList<>();
    int last = -1;
    for (Code c : body) {
      Product p = c instanceof Code.For f ? search.of(f) : null;
      if (p != null) last = steps.size();
      steps.add(p == null ? new Plain(c) : new Tiled(p));
    }
    if (last < 0) return null;
    List<Step> before = new ArrayList<>();
    List<Code> after = new ArrayList<>(body.subList(last + 1, body.size()));
    after.removeIf(c -> isQuotient(c, space));
    Set<Name> needed = new HashSet<>();
    Set<Name> assigned = new HashSet<>();
    for (Step s : steps.subList(0, last + 1).reversed()) {
      switch (s) {
        case Tiled t -> {
          needed.addAll(t.product.reads());
          assigned.addAll(Variables.assignedBy(t.product.body()));
          before.addFirst(s);
        }
        case Plain p when isQuotient(p.code, space) -> {}
        case Plain p -> {
          List<Code> one = List.of(p.code);
          Set<Name> made = new HashSet<>(Variables.assignedBy(one));
          for (Code.Variable v : Variables.declaredBy(one)) made.add(v.name());
          Set<Name> read = Variables.readBy(one);
          if (stores(p.code)) return null;
          if (Collections.disjoint(made, needed)
              && Collections.disjoint(made, assigned)
              && Collections.disjoint(read, assigned)) {
            after.addFirst(p.code);
            continue;
          }
          if (!CodeCopies.isPure(one)) return null;
          needed.addAll(read);
          assigned.addAll(Variables.assignedBy(one));
          before.addFirst(s);
        }
      }
    }
    return CodeCopies.canCopy(after)
        ? new Iteration(space, sides, variance, before, List.copyOf(after))
        : null;
  }

  private static boolean stores(Code c) {
    return switch (c) {
      case Code.Store _ -> true;
      case Code.Simple _ -> false;
      case Code.Compound x -> x.bodies().stream().flatMap(List::stream).anyMatch(Iteration::stores);
    };
  }

  private static boolean isQuotient(Code c, IndexSpace space) {
    return c instanceof Code.Declare d && space.flat().containsKey(d.name());
  }

  /** Polynomials of variables that have one, down to the dimensions' indices. */
  private static Map<Name, Poly> known(IndexSpace space, List<Code> body) {
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
      if (c instanceof Code.Compound x) x.bodies().forEach(b -> addKnown(b, assigned, known));
    }
  }

  /** Statements without the scopes around some: each name is declared once. */
  static List<Code> flat(List<Code> code) {
    List<Code> out = new ArrayList<>();
    for (Code c : code) {
      if (c instanceof Code.Scope s) out.addAll(flat(s.body()));
      else out.add(c);
    }
    return out;
  }

  /** The dimensions that all results of a tile have the same index of, outermost first. */
  List<IndexSpace.Dimension> around() {
    List<IndexSpace.Dimension> around = new ArrayList<>(space.dimensions());
    around.removeAll(List.of(sides.row(), sides.column()));
    return around;
  }

  /** The products, in order. */
  List<Product> products() {
    List<Product> all = new ArrayList<>();
    for (Step s : before) if (s instanceof Tiled t) all.add(t.product);
    return all;
  }

  /** The types of what the products accumulate. */
  List<PrimType> accumulated() {
    Set<Name> assigned = new HashSet<>();
    for (Product p : products()) assigned.addAll(Variables.assignedBy(p.body()));
    List<PrimType> types = new ArrayList<>();
    for (Step s : before) {
      if (!(s instanceof Plain p)) continue;
      for (Code.Variable v : Variables.declaredBy(p.code)) {
        if (assigned.contains(v.name())) types.add(v.type());
      }
    }
    return types;
  }

  /** The types of the elements that each row, or column, has in a step. */
  List<PrimType> staged(Side side) {
    List<PrimType> types = new ArrayList<>();
    for (Product p : products()) {
      for (Staged s : p.staged()) if (s.side() == side) types.add(s.type());
    }
    return types;
  }
}
