package futharkc.pass.memorymerge;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegResult;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.memory.Access;
import futharkc.core.ir.memory.Accesses;
import futharkc.core.ir.memory.FunctionMemory;
import futharkc.core.ir.memory.Scopes;
import futharkc.core.ir.symbolic.Bounds;
import futharkc.core.ir.symbolic.NonOverlap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An analysis of whether a statement may compute an array in the memory of an array that it reads,
 * as {@code map (+ 1)} may. It must read each element for the last time before it writes the
 * element. The analysis compares each write with each later access to the other array: later in the
 * same iteration of all common loops, or in a later iteration of one. These accesses must be
 * disjoint from the write. The indices of a parallel operation run in any order.
 */
final class InPlaceOverwriteAnalysis {
  /**
   * The maximal nesting of statements that the analysis enters. Inner arrays of a nest of n loops
   * are tried at each level, so that entering all levels takes time cubic in n.
   */
  private static final int DEEPEST = 8;

  private final Map<Name, ArrayMem> moved;
  private final FunctionMemory table;
  private final Accesses accesses;
  private final Function<Stm, List<Access>> made;
  private final Predicate<Access> written;
  private final Predicate<Access> other;
  private final Tried tried;
  private @Nullable Stm outermost;
  private int fresh;
  private int depth;

  /**
   * Creates an analysis for some arrays.
   *
   * @param moved the assumed memory of the moving arrays
   * @param made returns the accesses of a statement under that assumption, at least those that one
   *     of the tests accepts; null to compute them
   * @param written tests whether an access concerns the computed array
   * @param other tests whether an access must not follow an overlapping write
   * @param tried the cached outcomes of proofs about the same statement, which may have been
   *     analysed for other arrays
   */
  InPlaceOverwriteAnalysis(
      FunctionMemory table,
      Map<Name, ArrayMem> moved,
      @Nullable Function<Stm, List<Access>> made,
      Predicate<Access> written,
      Predicate<Access> other,
      Tried tried) {
    this.moved = moved;
    this.table = table;
    this.accesses = table.accesses(moved).remembering();
    this.made = made == null ? accesses::of : made;
    this.written = written;
    this.other = other;
    this.tried = tried;
  }

  /**
   * Cached outcomes of proofs about one statement. Blocks that the statement accesses in the same
   * way share them.
   */
  static final class Tried {
    private final Map<Question, Boolean> outcomes = new HashMap<>();
    private @Nullable Scopes scopes;
  }

  /**
   * The question of whether two regions are disjoint.
   *
   * @param at an index variable that is smaller for the first region than for the second; null if
   *     both regions are at the same index of all enclosing loops
   * @param first the first region
   * @param second the second region
   */
  private record Question(@Nullable Name at, Part first, Part second) {}

  private @Nullable ArrayMem place(Name n) {
    ArrayMem m = moved.get(n);
    return m == null ? table.place(n) : m;
  }

  /** The region and element size of an access, independent of the array. */
  private record Part(int bytes, @Nullable Lmad region) {}

  private Part part(Access a) {
    return new Part(bytes(a), a.region());
  }

  private int bytes(Access a) {
    return table.elem(a.array()).bytes();
  }

  /** Tests whether a statement may compute the one array in the memory of the other. */
  boolean isOrdered(Stm s, Bounds known) {
    outermost = s;
    depth = 0;
    return inside(s, made.apply(s), known);
  }

  private Scopes scopes() {
    Scopes scopes = tried.scopes;
    if (scopes == null) {
      scopes = Scopes.of(Objects.requireNonNull(outermost));
      tried.scopes = scopes;
    }
    return scopes;
  }

  private boolean list(List<Stm> stms, List<Access> last, Bounds known) {
    List<Access> before = new ArrayList<>();
    for (Stm s : stms) {
      List<Access> now = made.apply(s);
      if (!apart(before, now, known)) {
        return false;
      }
      if (concerns(now) && !inside(s, now, known)) {
        return false;
      }
      for (Access a : now) {
        if (written.test(a)) {
          before.add(a);
        }
      }
    }
    // A row that is computed in its final memory has been written by the end of the body, so it is
    // compared, too.
    return apart(last, last, known);
  }

  /** Tests whether accesses include a write of the one array and an access to the other. */
  private boolean concerns(List<Access> all) {
    boolean writes = false;
    boolean others = false;
    for (Access a : all) {
      writes |= written.test(a);
      others |= other.test(a);
    }
    return writes && others;
  }

  private boolean apart(List<Access> writes, List<Access> later, Bounds known) {
    if (writes.isEmpty()) {
      return true;
    }
    List<Access> others = later.stream().filter(other).toList();
    if (others.isEmpty()) {
      return true;
    }
    for (Access w : writes) {
      if (!written.test(w)) {
        continue;
      }
      for (Access r : others) {
        if (!disjoint(w, r, known)) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean disjoint(Access w, Access r, Bounds known) {
    Lmad a = w.region();
    Lmad b = r.region();
    if (a == null || b == null) {
      return false;
    }
    Question q = new Question(null, part(w), part(r));
    return tried.outcomes.computeIfAbsent(
        q, k -> table.areDisjoint(NonOverlap.brief(known), w, a, r, b));
  }

  private boolean inside(Stm s, List<Access> all, Bounds known) {
    if (depth == DEEPEST) {
      return apart(all, all, known);
    }
    depth++;
    boolean ordered = entered(s, all, known);
    depth--;
    return ordered;
  }

  private boolean entered(Stm s, List<Access> all, Bounds known) {
    return switch (s.exp()) {
      case Exp.Match m -> {
        List<Body> bodies = new ArrayList<>();
        for (Exp.Case c : m.cases()) {
          bodies.add(c.body());
        }
        bodies.add(m.otherwise());
        boolean ordered = true;
        for (Body b : bodies) {
          ordered &= list(b.stms(), List.of(), known);
        }
        yield ordered;
      }
      case Exp.Loop l when l.form() instanceof Exp.Form.For f -> {
        List<SegSpace.Dim> dims = List.of(new SegSpace.Dim(f.index(), f.bound()));
        yield repeated(l.body().stms(), scopes().in(l.body()), List.of(), dims, false, known);
      }
      case SegExp.ParOp p -> {
        Body n = p.nested();
        yield segOp(s, p.op(), known)
            && (n == null || list(n.stms(), accesses.results(s.pat(), n.results()), known));
      }
      case SegExp.Seg x -> segOp(s, x.op(), known);
      default -> isOfItself(s, known) || apart(all, all, known);
    };
  }

  /** Tests whether a copy would store each element at the offset from which it was read. */
  private boolean isOfItself(Stm s, Bounds known) {
    Name source =
        switch (s.exp()) {
          case BasicOp.Manifest x -> x.array();
          case BasicOp.Replicate x when x.shape().isEmpty() && x.value() instanceof SubExp.Var v ->
              v.name();
          default -> null;
        };
    ArrayMem from = source == null ? null : place(source);
    ArrayMem to = place(s.names().get(0));
    return from != null
        && to != null
        && normal(from.lmad(), known).equals(normal(to.lmad(), known));
  }

  private Lmad normal(Lmad l, Bounds known) {
    Lmad e = table.values().expand(l);
    List<Lmad.Dim> dims = new ArrayList<>();
    for (Lmad.Dim d : e.dims()) {
      dims.add(new Lmad.Dim(known.normal(d.stride()), d.size()));
    }
    return new Lmad(known.normal(e.offset()), dims);
  }

  private boolean segOp(Stm s, SegOp op, Bounds known) {
    if (!(op instanceof SegOp.SegMap)) {
      return false;
    }
    List<SubExp> index = op.space().dims().stream().map(d -> SubExp.of(d.index())).toList();
    List<Access> results = new ArrayList<>();
    for (int k = 0; k < s.pat().size(); k++) {
      SegResult r = op.body().results().get(k);
      ArrayMem whole = place(s.pat().get(k).name());
      if (whole == null) {
        continue;
      }
      if (!(r instanceof SegResult.Returns)) {
        return false;
      }
      Lmad part = whole.lmad().slice(Slice.fix(index, whole.lmad().shape()));
      results.add(new Access(s.pat().get(k).name(), whole.block(), part, true));
      ArrayMem row = r.value() instanceof SubExp.Var v ? place(v.name()) : null;
      boolean elsewhere = row != null && !row.equals(new ArrayMem(whole.block(), part));
      if (row != null && elsewhere && r.value() instanceof SubExp.Var v) {
        results.add(new Access(v.name(), row.block(), row.lmad(), false));
      }
    }
    Predicate<Name> bound = scopes().in(op.body());
    return repeated(op.body().stms(), bound, results, op.space().dims(), true, known);
  }

  /** Analyses a body that runs at each index: in order, or in any order if {@code parallel}. */
  private boolean repeated(
      List<Stm> stms,
      Predicate<Name> bound,
      List<Access> last,
      List<SegSpace.Dim> dims,
      boolean parallel,
      Bounds known) {
    Bounds here = new Bounds(known);
    for (SegSpace.Dim d : dims) {
      here.addIndex(d.index(), Poly.of(d.size()));
    }
    if (!list(stms, last, here)) {
      return false;
    }
    Map<Part, Access> writes = new LinkedHashMap<>();
    Map<Part, Access> others = new LinkedHashMap<>();
    List<List<Access>> all = new ArrayList<>();
    for (Stm s : stms) {
      all.add(made.apply(s));
    }
    all.add(last);
    for (List<Access> some : all) {
      for (Access a : some) {
        if (written.test(a)) {
          writes.put(part(a), a);
        }
        if (other.test(a)) {
          others.put(part(a), a);
        }
      }
    }
    for (Access w : writes.values()) {
      for (Access r : others.values()) {
        if (!acrossDisjoint(w, r, bound, dims, parallel, here)) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Tests whether a write at one index and an access at another index are disjoint. In a sequential
   * loop, only accesses at later indices matter.
   */
  private boolean acrossDisjoint(
      Access w,
      Access r,
      Predicate<Name> bound,
      List<SegSpace.Dim> dims,
      boolean parallel,
      Bounds here) {
    Lmad writes = w.region() == null ? null : accesses.outside(w.region(), bound, List.of());
    Lmad reads = r.region() == null ? null : accesses.outside(r.region(), bound, List.of());
    if (writes == null || reads == null) {
      return false;
    }
    if (bytes(w) == bytes(r) && isOwn(writes, reads, dims, here)) {
      return true;
    }
    for (int level = 0; level < dims.size(); level++) {
      List<SegSpace.Dim> inner = dims.subList(level, dims.size());
      for (boolean later : parallel ? new boolean[] {true, false} : new boolean[] {true}) {
        Name at = inner.get(0).index();
        Question q =
            later ? new Question(at, part(w), part(r)) : new Question(at, part(r), part(w));
        boolean apart =
            tried.outcomes.computeIfAbsent(
                q,
                k -> {
                  Map<Name, Name> renamed = renamed(inner);
                  NonOverlap prover = NonOverlap.brief(elsewhere(here, inner, renamed, later));
                  return table.areDisjoint(prover, w, writes, r, renamed(reads, renamed));
                });
        if (!apart) {
          return false;
        }
      }
    }
    return true;
  }

  /** Returns fresh names for a second index of a space. */
  private Map<Name, Name> renamed(List<SegSpace.Dim> dims) {
    Map<Name, Name> renamed = new HashMap<>();
    for (SegSpace.Dim d : dims) {
      renamed.put(d.index(), new Name("other", Integer.MAX_VALUE / 2 + fresh++));
    }
    return renamed;
  }

  /**
   * Returns the facts about two indices that agree in the dimensions before the first one, and
   * differ in it.
   */
  private static Bounds elsewhere(
      Bounds here, List<SegSpace.Dim> dims, Map<Name, Name> renamed, boolean later) {
    Bounds b = new Bounds(here);
    for (SegSpace.Dim d : dims) {
      b.addIndex(renamed.getOrDefault(d.index(), d.index()), Poly.of(d.size()));
    }
    Name mine = dims.get(0).index();
    Poly difference = Poly.of(renamed.getOrDefault(mine, mine)).minus(Poly.of(mine));
    b.addFact((later ? difference : difference.times(-1)).minus(Poly.ONE));
    return b;
  }

  /** Tests whether each index has a region of its own that contains both accesses. */
  private boolean isOwn(Lmad a, Lmad b, List<SegSpace.Dim> dims, Bounds here) {
    Lmad part = around(a, b, here);
    if (part == null) {
      return false;
    }
    Lmad all = accesses.outside(part, n -> false, dims);
    return all != null
        && all.dims().size() == dims.size() + part.dims().size()
        && (all.order() != null || new NonOverlap(here).isInjective(table.values().expand(all)));
  }

  /** Returns the larger of two regions that differ only in sizes; null if they differ otherwise. */
  private static @Nullable Lmad around(Lmad a, Lmad b, Bounds here) {
    if (a.equals(b)) {
      return a;
    }
    if (!a.offset().equals(b.offset()) || a.dims().size() != b.dims().size()) {
      return null;
    }
    List<Lmad.Dim> dims = new ArrayList<>();
    for (int k = 0; k < a.dims().size(); k++) {
      Lmad.Dim x = a.dims().get(k);
      Lmad.Dim y = b.dims().get(k);
      if (!x.stride().equals(y.stride())) {
        return null;
      }
      if (here.provesAtMost(Poly.of(x.size()), Poly.of(y.size()))) {
        dims.add(y);
      } else if (here.provesAtMost(Poly.of(y.size()), Poly.of(x.size()))) {
        dims.add(x);
      } else {
        return null;
      }
    }
    return new Lmad(a.offset(), dims);
  }

  private static Lmad renamed(Lmad l, Map<Name, Name> names) {
    List<Lmad.Dim> dims = new ArrayList<>();
    for (Lmad.Dim d : l.dims()) {
      dims.add(new Lmad.Dim(renamed(d.stride(), names), d.size()));
    }
    return new Lmad(renamed(l.offset(), names), dims);
  }

  private static Poly renamed(Poly p, Map<Name, Name> names) {
    return p.substitute(n -> Poly.of(names.getOrDefault(n, n)));
  }
}
