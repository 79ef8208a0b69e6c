package futharkc.pass.simplify;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegLevel;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegResult;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Weight;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.symbolic.Bounds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Computes an element where a kernel reads it, instead of reading it from another kernel's result.
 * The computation may take a few operations, and no more reads than the one that it replaces. If
 * the array has no reads left, this saves a kernel and its memory.
 *
 * <pre>{@code
 * let ys = segmap thread [i < n] do {          let zs = segmap thread [i < n, j < m] do {
 *   let x = xs[i]                                let x = xs[i]
 *   let y = add_i64(x, 1) in {y} }       =>      let y = add_i64(x, 1)
 * let zs = segmap thread [i < n, j < m] do {     let z = mul_i64(y, j) in {z} }
 *   let y = ys[i]
 *   let z = mul_i64(y, j) in {z} }
 * }</pre>
 *
 * <p>On a CPU, reads of neighbouring elements are cheap. There the rule applies to elements of
 * arrays with a few columns, such as the coordinates of points.
 *
 * <p>{@link Weight} tells which kinds of expressions are cheap; options tell how many of them cost
 * as much as a read.
 */
final class Recomputation {
  /** The operations of a thread that cost as much as reading their result from device memory. */
  static final Option OPERATIONS =
      Option.integer(
          "recomputed",
          8,
          "operations of a thread that cost as much as reading their result from device"
              + " memory");

  /**
   * The operations of a thread in a thread block that cost as much as writing, synchronising and
   * reading their result.
   */
  static final Option OPERATIONS_IN_BLOCK =
      Option.integer(
          "recomputed-in-block",
          12,
          "operations of a thread in a thread block that cost as much as writing,"
              + " synchronising and reading their result");

  /** The cost of an f32 division in operations that are computed again. */
  static final Option DIVISION =
      Option.integer(
          "recomputed-division",
          4,
          "cost of an f32 division in operations that are computed again");

  /** The elements of a row that one read delivers. */
  static final Option ELEMENTS =
      Option.integer("recomputed-elements", 4, "elements of a row that one read delivers");

  /** The options of the pass. */
  static final List<Option> OPTIONS = List.of(OPERATIONS, OPERATIONS_IN_BLOCK, DIVISION, ELEMENTS);

  private final SegOp.SegMap map;
  private final Stm kernel;
  private final Simplifier in;
  private final Map<Name, Stm> inside = new HashMap<>();
  private final Set<Stm> needed = Collections.newSetFromMap(new IdentityHashMap<>());
  private int operations;
  private int reads;

  private Recomputation(SegOp.SegMap map, Stm kernel, Simplifier in) {
    this.map = map;
    this.kernel = kernel;
    this.in = in;
    for (Stm s : map.body().stms()) {
      for (Name n : s.names()) {
        inside.put(n, s);
      }
    }
  }

  /** Returns statements that compute an element of a kernel's result, or null. */
  static @Nullable List<Stm> of(
      Stm s, BasicOp.Index x, Stm kernel, SegOp.SegMap map, Simplifier in) {
    boolean threads =
        switch (map.level()) {
          case SegLevel.Thread _, SegLevel.ThreadInBlock _, SegLevel.Cores _ -> true;
          case SegLevel.Block _ -> false;
        };
    if (in.hasMemory() || !threads || !x.slice().isElement()) {
      return null;
    }
    int k = kernel.names().indexOf(x.array());
    boolean element =
        map.types().get(k) instanceof Type.Prim
            && map.body().results().get(k) instanceof SegResult.Returns;
    return element && in.isOnlyRead(x.array())
        ? new Recomputation(map, kernel, in).element(s, x, map.body().results().get(k).value())
        : null;
  }

  private @Nullable List<Stm> element(Stm s, BasicOp.Index x, SubExp value) {
    if (!need(value)) {
      return null;
    }
    Map<Name, SubExp> here = new HashMap<>();
    List<SegSpace.Dim> dims = map.space().dims();
    for (int d = 0; d < dims.size(); d++) {
      here.put(dims.get(d).index(), ((Slice.Fix) x.slice().dims().get(d)).index());
    }
    for (int k = 0; k < kernel.pat().size(); k++) {
      if (map.body().results().get(k) instanceof SegResult.Checked c
          && c.value() instanceof SubExp.Var v) {
        here.put(v.name(), SubExp.of(kernel.names().get(k)));
      }
    }
    List<Stm> out = new ArrayList<>();
    for (Stm t : map.body().stms()) {
      if (!needed.contains(t)) {
        continue;
      }
      Substitution now = new Substitution(here);
      List<Name> certs = new ArrayList<>(now.names(t.aux().certs()));
      for (Name c : s.aux().certs()) {
        if (!certs.contains(c)) {
          certs.add(c);
        }
      }
      Exp e = in.renamed(now.exp(t.exp()));
      List<PatElem> pat = new ArrayList<>();
      for (PatElem p : t.pat()) {
        Name fresh = in.names().fresh(p.name());
        pat.add(new PatElem(fresh, p.type()));
        here.put(p.name(), SubExp.of(fresh));
      }
      out.add(new Stm(pat, Aux.at(s.aux().loc()).withCerts(certs), e));
    }
    out.add(s.withExp(new BasicOp.SubExpOp(new Substitution(here).subExp(value))));
    return out;
  }

  /** Tests whether a value is cheap to compute elsewhere, and records the statements for it. */
  private boolean need(SubExp e) {
    if (!(e instanceof SubExp.Var v)) {
      return true;
    }
    if (v.name().equals(map.space().flat())) {
      return false;
    }
    Stm s = inside.get(v.name());
    if (s == null || !needed.add(s)) {
      return true;
    }
    return areKnown(s.aux().certs()) && isCheap(s.exp(), s.aux().certs());
  }

  /** Tests whether certificates are bound outside, or their checks are known to hold there. */
  private boolean areKnown(List<Name> certs) {
    for (Name c : certs) {
      boolean given =
          map.body().results().stream()
              .anyMatch(r -> r instanceof SegResult.Checked k && k.value().equals(SubExp.of(c)));
      if (inside.containsKey(c) && !given) {
        return false;
      }
    }
    return true;
  }

  private boolean isCheap(Exp e, List<Name> certs) {
    return switch (Weight.of(e)) {
      case VIEW -> e instanceof BasicOp.SubExpOp x && need(x.value());
      case ELEMENT -> e instanceof BasicOp.Index x && isCheap(x, certs);
      case OPERATION -> counted(e) && FreeNames.of(e).stream().allMatch(n -> need(SubExp.of(n)));
      case CODE -> e instanceof Exp.Match x && isCheap(x);
      case FUNCTION, ARRAY, COPY, CHECK, EFFECT -> false;
    };
  }

  /** Tests whether a read is within the limit. */
  private boolean isCheap(BasicOp.Index x, List<Name> certs) {
    return x.slice().isElement()
        && !inside.containsKey(x.array())
        && in.canBeReadLater(x.array())
        && (!(map.level() instanceof SegLevel.Cores) || isNear(x, certs))
        && ++reads <= most()
        && x.slice().dims().stream().allMatch(d -> need(((Slice.Fix) d).index()));
  }

  /**
   * Returns the maximal number of reads. Memory that a thread block shares is cheaper to read than
   * arrays outside.
   */
  private int most() {
    return map.level() instanceof SegLevel.ThreadInBlock ? 0 : 1;
  }

  /**
   * Tests whether neighbours of the map are neighbours in the array, except at the ends of short
   * rows.
   */
  private boolean isNear(BasicOp.Index x, List<Name> certs) {
    Bounds bounds = new Bounds(in.bounds());
    for (Name c : certs) {
      if (in.expOf(SubExp.of(c)) instanceof BasicOp.Assert a) {
        in.conditions().add(a.cond(), true, bounds);
      }
    }
    List<SubExp> sizes = in.type(x.array()).dims();
    List<SegSpace.Dim> dims = map.space().dims();
    if (sizes.size() < dims.size()) {
      return false;
    }
    Poly row = Poly.ONE;
    for (int d = 0; d < sizes.size(); d++) {
      SubExp at = ((Slice.Fix) x.slice().dims().get(d)).index();
      if (d < dims.size()) {
        if (!at.equals(SubExp.of(dims.get(d).index()))) {
          return false;
        }
      } else {
        if (!(at instanceof SubExp.Const)) {
          return false;
        }
        row = row.times(in.poly(sizes.get(d)));
      }
    }
    return bounds.provesAtMost(row, Poly.of(SubExp.i64(in.number(ELEMENTS))));
  }

  /** Tests whether each branch computes a scalar or two. */
  private boolean isCheap(Exp.Match m) {
    if (!m.isConditional() || !counted() || !need(m.scrutinees().get(0))) {
      return false;
    }
    for (Body b : List.of(m.cases().get(0).body(), m.otherwise())) {
      Set<Name> within = new HashSet<>();
      for (Stm s : b.stms()) {
        if (s.pat().size() != 1 || !s.aux().certs().isEmpty()) {
          return false;
        }
        boolean scalar =
            switch (Weight.of(s.exp())) {
              case VIEW -> s.exp() instanceof BasicOp.SubExpOp;
              case OPERATION -> counted(s.exp());
              case ELEMENT, FUNCTION, ARRAY, COPY, CHECK, EFFECT, CODE -> false;
            };
        if (!scalar) {
          return false;
        }
        for (Name n : FreeNames.of(s.exp())) {
          if (!within.contains(n) && !need(SubExp.of(n))) {
            return false;
          }
        }
        within.addAll(s.names());
      }
      for (SubExp r : b.results()) {
        boolean own = r instanceof SubExp.Var v && within.contains(v.name());
        if (!own && !need(r)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Counts an operation, and returns whether the count is within the limit. */
  private boolean counted() {
    return ++operations
        <= switch (map.level()) {
          case SegLevel.Cores _ -> 0;
          case SegLevel.Thread _, SegLevel.Block _ -> in.number(OPERATIONS);
          case SegLevel.ThreadInBlock _ -> in.number(OPERATIONS_IN_BLOCK);
        };
  }

  /**
   * Counts an operation on scalars. An option tells the cost of divisions. An operation that needs
   * a check of its operands is excluded.
   */
  private boolean counted(Exp e) {
    return e instanceof BasicOp.BinOpExp x ? counted(x.op()) : counted();
  }

  private boolean counted(BinOp op) {
    boolean isDivision = op.kind() == BinOp.Kind.FDIV;
    boolean isRemainder = op.kind() == BinOp.Kind.FMOD;
    if (op.isPartial() || isRemainder || isDivision && op.type() != PrimType.F32) {
      return false;
    }
    if (isDivision) {
      operations += in.number(DIVISION) - 1;
    }
    return counted();
  }
}
