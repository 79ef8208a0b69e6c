package futharkc.core.ir.memory;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The reads and writes of statements in a memory representation, including nested statements. Views
 * read nothing; a scratch array writes nothing. The range of a loop index or space index becomes a
 * dimension of the region.
 */
public final class Accesses {
  private final Function<Name, @Nullable ArrayMem> places;
  private final ScalarValues values;
  private final Map<Name, List<Name>> accumulated = new HashMap<>();
  private @Nullable Map<Stm, Found> known;

  /** The statements with cached accesses that depend on the location of each array. */
  private final Map<Name, Set<Stm>> dependent = new HashMap<>();

  /** The arrays whose locations the current statement has queried. */
  private Set<Name> asked = new HashSet<>();

  /**
   * The position in the access list of each array that the current statement binds and writes as a
   * whole.
   */
  private Map<Name, Integer> written = new HashMap<>();

  /**
   * The pairs of arrays that the current statement copies to each other unless they have the same
   * location.
   */
  private Map<Name, Set<Name>> paired = new HashMap<>();

  /**
   * The cached accesses of a statement.
   *
   * @param arrays the arrays on whose locations the accesses depend
   * @param written the positions of the accesses that write whole arrays bound by the statement;
   *     they also depend on these arrays' locations
   * @param paired for each array, the arrays whose accesses depend on its location
   * @param stale the arrays whose accesses have changed since
   */
  private record Found(
      List<Access> accesses,
      Map<Name, List<Access>> byArray,
      Set<Name> arrays,
      Map<Name, Integer> written,
      Map<Name, Set<Name>> paired,
      Set<Name> stale) {
    Found(
        List<Access> accesses,
        Set<Name> arrays,
        Map<Name, Integer> written,
        Map<Name, Set<Name>> paired) {
      this(accesses, new HashMap<>(), arrays, written, paired, new HashSet<>());
    }

    /**
     * Invalidates the accesses of an array that has moved. Accesses of other arrays remain valid.
     */
    void forget(Name array) {
      stale.add(array);
      stale.addAll(paired.getOrDefault(array, Set.of()));
    }

    /** Updates the location of an array that the statement writes. */
    void move(Name array, ArrayMem to) {
      Integer at = written.get(array);
      if (at == null) {
        return;
      }
      Access there = new Access(array, to.block(), to.lmad(), true);
      accesses.set(at, there);
      byArray.replace(array, List.of(there));
    }

    List<Access> of(Name array) {
      if (byArray.isEmpty()) {
        for (Access a : accesses) {
          byArray.computeIfAbsent(a.array(), k -> new ArrayList<>(1)).add(a);
        }
      }
      return byArray.getOrDefault(array, List.of());
    }
  }

  /** The queried statement, with the names bound in it. */
  private @Nullable Stm outermost;

  private @Nullable Scopes scopes;

  /**
   * Makes the analysis of a function.
   *
   * @param places a function that returns the locations of arrays, and null for other names
   */
  public Accesses(Function<Name, @Nullable ArrayMem> places, ScalarValues values) {
    this.places = places;
    this.values = values;
  }

  /**
   * Enables the caching of accesses of all statements. An entry is valid until an array in it
   * moves, which callers report with {@link #forget}.
   *
   * @return this
   */
  public Accesses remembering() {
    known = new IdentityHashMap<>();
    return this;
  }

  /** Invalidates cached accesses of arrays that have moved. */
  public void forget(Iterable<Name> arrays) {
    if (known == null) {
      return;
    }
    for (Name array : arrays) {
      Set<Stm> stms = dependent.remove(array);
      if (stms != null) {
        for (Stm s : stms) {
          forget(array, s, known);
        }
      }
    }
  }

  /**
   * Invalidates or updates one entry. An update suffices if the statement writes the array, which
   * is common when many arrays of one statement move in turn.
   */
  private void forget(Name array, Stm s, Map<Stm, Found> known) {
    Found before = known.get(s);
    if (before == null) {
      return;
    }
    ArrayMem m = before.arrays.contains(array) ? null : places.apply(array);
    if (m == null) {
      before.forget(array);
    } else {
      before.move(array, m);
      depends(s, array);
    }
  }

  /** Records the arrays of an accumulator, given its token. */
  public void accumulator(Name token, List<Name> arrays) {
    accumulated.put(token, arrays);
  }

  /**
   * Returns the accesses of a statement in terms of names bound outside it. The list is valid until
   * arrays move.
   */
  public List<Access> of(Stm s) {
    outermost = s;
    scopes = null;
    return Collections.unmodifiableList(lookUp(s).accesses);
  }

  /** Returns the accesses of a statement to an array. */
  public List<Access> of(Stm s, Name array) {
    Found before = known == null ? null : known.get(s);
    if (before != null && !before.stale.contains(array)) {
      return before.of(array);
    }
    outermost = s;
    scopes = null;
    return lookUp(s).of(array);
  }

  private Scopes scopes() {
    if (scopes == null) {
      scopes = Scopes.of(Objects.requireNonNull(outermost));
    }
    return scopes;
  }

  private void read(Name array, List<Access> out) {
    ArrayMem m = place(array);
    if (m != null) {
      out.add(new Access(array, m.block(), m.lmad(), false));
    }
  }

  private void read(SubExp e, List<Access> out) {
    if (e instanceof SubExp.Var v) {
      read(v.name(), out);
    }
  }

  private void write(Name array, List<Access> out) {
    ArrayMem m = place(array);
    if (m != null) {
      out.add(new Access(array, m.block(), m.lmad(), true));
    }
  }

  private void writes(Stm s, List<Access> out) {
    for (PatElem p : s.pat()) {
      ArrayMem m = p.type() instanceof Type.Array ? places.apply(p.name()) : null;
      if (m == null) {
        continue;
      }
      written.put(p.name(), out.size());
      out.add(new Access(p.name(), m.block(), m.lmad(), true));
    }
  }

  private void part(
      Name array, Function<Lmad, @Nullable Lmad> part, boolean write, List<Access> out) {
    ArrayMem m = place(array);
    if (m != null) {
      out.add(new Access(array, m.block(), part.apply(m.lmad()), write));
    }
  }

  private void stm(Stm s, List<Access> out) {
    Found all = lookUp(s);
    asked.addAll(all.arrays);
    asked.addAll(all.written.keySet());
    all.paired.forEach((n, others) -> paired(n).addAll(others));
    out.addAll(all.accesses);
  }

  private Found lookUp(Stm s) {
    Found all = known == null ? null : known.get(s);
    if (all != null && all.stale.isEmpty()) {
      return all;
    }
    Set<Name> askedAround = asked;
    Map<Name, Integer> writtenAround = written;
    Map<Name, Set<Name>> pairedAround = paired;
    asked = new HashSet<>();
    written = new HashMap<>();
    paired = new HashMap<>();
    List<Access> accesses = new ArrayList<>();
    found(s, accesses);
    all = new Found(accesses, asked, written, paired);
    asked = askedAround;
    written = writtenAround;
    paired = pairedAround;
    if (known != null) {
      known.put(s, all);
      for (Name array : all.arrays) {
        depends(s, array);
      }
      for (Name array : all.written.keySet()) {
        depends(s, array);
      }
    }
    return all;
  }

  private Set<Name> paired(Name array) {
    return paired.computeIfAbsent(array, k -> new HashSet<>(2));
  }

  private void pair(Name a, Name b) {
    paired(a).add(b);
    paired(b).add(a);
  }

  private void depends(Stm s, Name array) {
    dependent.computeIfAbsent(array, k -> identities()).add(s);
  }

  private static Set<Stm> identities() {
    return Collections.newSetFromMap(new IdentityHashMap<>());
  }

  private @Nullable ArrayMem place(Name array) {
    asked.add(array);
    return places.apply(array);
  }

  private void found(Stm s, List<Access> out) {
    switch (s.exp()) {
      case BasicOp op -> basicOp(s, op, out);
      case Exp.Apply a -> {
        for (int k = 0; k < a.args().size(); k++) {
          read(a.args().get(k), out);
          if (a.consumed().get(k) && a.args().get(k) instanceof SubExp.Var v) {
            write(v.name(), out);
          }
        }
        writes(s, out);
      }
      case Exp.Match m -> {
        for (Exp.Case c : m.cases()) {
          branch(s.pat(), c.body(), out);
        }
        branch(s.pat(), m.otherwise(), out);
      }
      case Exp.Loop l -> loop(l, out);
      case Exp.WithAcc w -> withAcc(s, w, out);
      case SegExp.ParOp p -> {
        segOp(s, p.op(), out);
        if (p.nested() != null) {
          branch(s.pat(), p.nested(), out);
        }
      }
      case SegExp.Seg x -> segOp(s, x.op(), out);
      case MemOp.Alloc a -> {}
      case MemOp.EnsureDirect e -> {
        read(e.array(), out);
        writes(s, out);
      }
      case HostOp.GetSize x -> {}
      case HostOp.GetSizeMax x -> {}
      case HostOp.CmpSizeLe x -> {}
      case HostOp.CalcNumBlocks x -> {}
      case HostOp.Read x -> {
        for (HostOp.Element e : x.elements()) {
          read(e.array(), out);
        }
      }
      case HostOp.GpuBody x -> {
        List<Access> inside = new ArrayList<>();
        stms(x.body().stms(), inside);
        for (SubExp r : x.body().results()) {
          read(r, inside);
        }
        lift(inside, scopes().in(x.body()), List.of(), out);
        writes(s, out);
      }
      case Soac x ->
          throw new IllegalArgumentException(
              "the expression is not part of a memory representation: " + x.getClass());
    }
  }

  private void stms(List<Stm> stms, List<Access> out) {
    for (Stm s : stms) {
      stm(s, out);
    }
  }

  private void basicOp(Stm s, BasicOp op, List<Access> out) {
    switch (op) {
      case BasicOp.SubExpOp x -> {}
      case BasicOp.Opaque x -> read(x.value(), out);
      case BasicOp.Index x -> {
        if (x.slice().isElement()) {
          part(x.array(), l -> l.slice(x.slice()), false, out);
        }
      }
      case BasicOp.FlatIndex x -> {}
      case BasicOp.Update x -> {
        read(x.value(), out);
        part(x.array(), l -> x.safe() ? l : l.slice(x.slice()), true, out);
      }
      case BasicOp.FlatUpdate x -> {
        read(x.value(), out);
        part(x.array(), l -> l.flatSlice(x.slice()), true, out);
      }
      case BasicOp.Rearrange x -> {}
      case BasicOp.Reshape x -> {
        ArrayMem from = place(x.array());
        ArrayMem to = place(s.pat().get(0).name());
        pair(x.array(), s.pat().get(0).name());
        if (from != null && to != null && !from.block().equals(to.block())) {
          read(x.array(), out);
          writes(s, out);
        }
      }
      case BasicOp.Scratch x -> {}
      case BasicOp.ArrayVal x -> writes(s, out);
      case BasicOp.Iota x -> writes(s, out);
      case BasicOp.Replicate x -> {
        read(x.value(), out);
        writes(s, out);
      }
      case BasicOp.ArrayLit x -> {
        for (SubExp e : x.elems()) {
          read(e, out);
        }
        writes(s, out);
      }
      case BasicOp.Concat x -> {
        for (Name a : x.arrays()) {
          read(a, out);
        }
        writes(s, out);
      }
      case BasicOp.Manifest x -> {
        read(x.array(), out);
        writes(s, out);
      }
      case BasicOp.UpdateAcc x -> {
        for (SubExp e : x.values()) {
          read(e, out);
        }
        if (s.pat().get(0).type() instanceof Type.Acc t) {
          for (Name a : accumulated.getOrDefault(t.token(), List.of())) {
            read(a, out);
            write(a, out);
          }
        }
      }
      case BasicOp.BinOpExp x -> {}
      case BasicOp.UnOpExp x -> {}
      case BasicOp.CmpOpExp x -> {}
      case BasicOp.ConvOpExp x -> {}
      case BasicOp.PrimFunExp x -> {}
      case BasicOp.Assert x -> {}
      case BasicOp.UserParam x -> {}
    }
  }

  // Bodies

  /** Adds the accesses of a branch. A result with another location than the pattern's is copied. */
  private void branch(List<PatElem> pat, Body b, List<Access> out) {
    List<Access> inside = new ArrayList<>();
    stms(b.stms(), inside);
    inside.addAll(results(pat, b.results()));
    lift(inside, scopes().in(b), List.of(), out);
  }

  /**
   * Returns the copies at the end of a branch: of results with other locations than the pattern's.
   */
  public List<Access> results(List<PatElem> pat, List<SubExp> results) {
    List<Access> out = new ArrayList<>();
    Set<Name> own = new HashSet<>();
    for (int k = 0; k < pat.size(); k++) {
      if (pat.get(k).type() instanceof Type.Mem) {
        own.add(pat.get(k).name());
      }
      if (pat.get(k).type() instanceof Type.Array && k < results.size()) {
        copied(pat.get(k).name(), results.get(k), own, out);
      }
    }
    return out;
  }

  /**
   * Returns the copies at the end of a loop's body: of results with other locations than the
   * parameters'.
   */
  public List<Access> next(Exp.Loop l) {
    List<Access> out = new ArrayList<>();
    Set<Name> own = new HashSet<>();
    for (int k = 0; k < l.params().size(); k++) {
      Param p = l.params().get(k).param();
      if (p.type() instanceof Type.Mem) {
        own.add(p.name());
      }
      if (p.type() instanceof Type.Array) {
        copied(p.name(), l.body().results().get(k), own, out);
      }
    }
    return out;
  }

  private void copied(Name to, SubExp from, Set<Name> own, List<Access> out) {
    if (!(from instanceof SubExp.Var v)) {
      return;
    }
    ArrayMem there = place(to);
    ArrayMem here = place(v.name());
    pair(to, v.name());
    if (there == null || here == null || own.contains(there.block()) || there.equals(here)) {
      return;
    }
    read(from, out);
    write(to, out);
  }

  private void loop(Exp.Loop l, List<Access> out) {
    List<Access> inside = new ArrayList<>();
    stms(l.body().stms(), inside);
    Set<Name> own = new HashSet<>();
    for (int k = 0; k < l.params().size(); k++) {
      Param p = l.params().get(k).param();
      if (p.type() instanceof Type.Mem) {
        own.add(p.name());
      }
      if (p.type() instanceof Type.Array) {
        copied(p.name(), l.params().get(k).init(), own, out);
      }
    }
    inside.addAll(next(l));
    List<SegSpace.Dim> over = List.of();
    if (l.form() instanceof Exp.Form.For f) {
      over = List.of(new SegSpace.Dim(f.index(), f.bound()));
    }
    lift(inside, scopes().in(l), over, out);
  }

  private void withAcc(Stm s, Exp.WithAcc w, List<Access> out) {
    for (Exp.AccInput in : w.inputs()) {
      for (Name a : in.arrays()) {
        read(a, out);
        write(a, out);
      }
      if (in.op() != null) {
        lambda(in.op().lambda(), out);
      }
    }
    for (int k = 0; k < w.inputs().size(); k++) {
      accumulator(w.lambda().params().get(k).name(), w.inputs().get(k).arrays());
    }
    lambda(w.lambda(), out);
    List<SubExp> results = w.lambda().body().results();
    int others = results.size() - w.inputs().size();
    List<PatElem> rest = s.pat().subList(s.pat().size() - others, s.pat().size());
    lift(
        results(rest, results.subList(results.size() - others, results.size())),
        scopes().in(w.lambda()),
        List.of(),
        out);
  }

  private void lambda(Lambda l, List<Access> out) {
    List<Access> inside = new ArrayList<>();
    stms(l.body().stms(), inside);
    for (SubExp r : l.body().results()) {
      read(r, inside);
    }
    lift(inside, scopes().in(l), List.of(), out);
  }

  private void segOp(Stm s, SegOp op, List<Access> out) {
    List<Access> inside = new ArrayList<>();
    stms(op.body().stms(), inside);
    for (SubExp r : op.body().values()) {
      read(r, inside);
    }
    Predicate<Name> bound = scopes().in(op);
    lift(inside, bound, op.space().dims(), out);
    switch (op) {
      case SegOp.SegMap m -> {}
      case SegOp.SegRed r -> {
        operators(r.ops(), bound, out);
        if (r.post() != null) {
          lambda(r.post(), out);
        }
      }
      case SegOp.SegScan r -> {
        operators(r.ops(), bound, out);
        lambda(r.post(), out);
      }
      case SegOp.SegHist h -> {
        for (SegOp.SegHistOp o : h.ops()) {
          for (Name d : o.dests()) {
            read(d, out);
          }
          for (SubExp e : o.neutral()) {
            read(e, out);
          }
          lambda(o.op(), out);
        }
      }
    }
    writes(s, out);
  }

  private void operators(List<SegOp.SegBinOp> ops, Predicate<Name> bound, List<Access> out) {
    for (SegOp.SegBinOp o : ops) {
      for (SubExp e : o.neutral()) {
        read(e, out);
      }
      List<Access> inside = new ArrayList<>();
      lambda(o.op(), inside);
      lift(inside, bound, List.of(), out);
    }
  }

  /** Translates accesses inside a body to names bound outside it. */
  private void lift(
      List<Access> inside, Predicate<Name> bound, List<SegSpace.Dim> over, List<Access> out) {
    for (Access a : inside) {
      Lmad region = a.region() == null ? null : outside(a.region(), bound, over);
      out.add(region == a.region() ? a : a.in(region));
    }
  }

  /**
   * Returns the union of a region over all indices of a space, in terms of names bound outside, or
   * null if no LMAD describes it.
   *
   * @param bound a test for names bound inside
   */
  public @Nullable Lmad outside(Lmad region, Predicate<Name> bound, List<SegSpace.Dim> over) {
    Set<Name> indices = new HashSet<>();
    for (SegSpace.Dim d : over) {
      indices.add(d.index());
    }
    Lmad l = values.without(n -> bound.test(n) && !indices.contains(n), region);
    Poly offset = l.offset();
    List<Lmad.Dim> dims = new ArrayList<>();
    for (SegSpace.Dim d : over) {
      if (mentions(d.size(), bound)) {
        return null;
      }
      Poly.Division q = offset.divide(d.index());
      offset = q.remainder();
      if (!q.quotient().isZero()) {
        dims.add(new Lmad.Dim(q.quotient(), d.size()));
      }
    }
    for (Lmad.Dim d : l.dims()) {
      SubExp size = mentions(d.size(), bound) ? most(d.size(), bound, over) : d.size();
      if (size == null) {
        return null;
      }
      dims.add(new Lmad.Dim(d.stride(), size));
    }
    for (Name n : offset.variables()) {
      if (bound.test(n)) {
        return null;
      }
    }
    for (Lmad.Dim d : dims) {
      if (mentions(d.size(), bound)) {
        return null;
      }
      for (Name n : d.stride().variables()) {
        if (bound.test(n)) {
          return null;
        }
      }
    }
    return new Lmad(offset, dims);
  }

  /**
   * Returns an upper bound of a size over all indices of a space, for example of a triangular loop,
   * or null if none is known.
   */
  private @Nullable SubExp most(SubExp size, Predicate<Name> bound, List<SegSpace.Dim> over) {
    Poly exact = values.expand(Poly.of(size));
    Poly rough = exact;
    for (SegSpace.Dim d : over) {
      Poly.Division q = exact.divide(d.index());
      Long times = q.quotient().constant();
      if (times == null || times < 0) {
        return null;
      }
      Poly last = Poly.of(d.size()).minus(Poly.ONE);
      exact = q.remainder().plus(last.times(times));
      rough = rough.divide(d.index()).remainder().plus(Poly.of(d.size()).times(times));
    }
    SubExp most = exact.asSubExp() == null ? rough.asSubExp() : exact.asSubExp();
    return most == null || mentions(most, bound) ? null : most;
  }

  private static boolean mentions(SubExp e, Predicate<Name> bound) {
    return e instanceof SubExp.Var v && bound.test(v.name());
  }
}
