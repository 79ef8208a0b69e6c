package futharkc.pass.allocate;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Builder;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Adds memory to the arrays that branches and loops return. A result or loop parameter is preceded
 * by its memory block, unless all sides have the same memory outside.
 */
final class ControlAllocation {
  private final Placement memory;
  private final Roots roots;
  private final Layouts layouts;
  private final Allocation allocation;

  ControlAllocation(Placement memory, Roots roots, Reads reads, Allocation allocation) {
    this.memory = memory;
    this.roots = roots;
    this.layouts = new Layouts(memory, roots, reads);
    this.allocation = allocation;
  }

  // Branches

  /**
   * A branch with its statements translated, to which results are added.
   *
   * @param before the original branch
   * @param b the builder with the translated statements
   * @param bound the names bound in the branch
   * @param results the results so far
   */
  private record Branch(Body before, Builder b, Set<Name> bound, List<SubExp> results) {
    Name array(int k) {
      return ((SubExp.Var) before.results().get(k)).name();
    }

    Body body() {
      return b.body(results);
    }
  }

  void match(Builder b, Stm s, Exp.Match m) {
    List<Body> bodies = new ArrayList<>();
    for (Exp.Case c : m.cases()) {
      bodies.add(c.body());
    }
    bodies.add(m.otherwise());
    for (int k = 0; k < s.pat().size(); k++) {
      ArrayMem there = memory.wantedPlace(s.pat().get(k).name());
      if (there == null) {
        continue;
      }
      for (Body body : bodies) {
        memory.want(body.stms(), body.results().get(k), there);
      }
    }
    List<Branch> branches = new ArrayList<>();
    for (Body body : bodies) {
      Builder branch = allocation.inside(body);
      Set<Name> bound = new HashSet<>();
      for (Stm st : branch.stms()) {
        bound.addAll(st.names());
      }
      branches.add(new Branch(body, branch, bound, new ArrayList<>()));
    }
    List<PatElem> pat = new ArrayList<>();
    for (int k = 0; k < s.pat().size(); k++) {
      PatElem p = s.pat().get(k);
      ArrayMem common = p.type() instanceof Type.Array ? commonPlace(branches, k) : null;
      if (p.type() instanceof Type.Array t && common == null) {
        chosen(branches, k, p.name(), t, pat);
        continue;
      }
      pat.add(common == null ? p : new PatElem(p.name(), p.type().withMem(common)));
      for (Branch branch : branches) {
        branch.results.add(branch.before.results().get(k));
      }
    }
    List<Exp.Case> cases = new ArrayList<>();
    for (int i = 0; i < m.cases().size(); i++) {
      cases.add(new Exp.Case(m.cases().get(i).pattern(), branches.get(i).body()));
    }
    Body otherwise = branches.get(cases.size()).body();
    memory.add(b, pat, s.aux(), new Exp.Match(m.scrutinees(), cases, otherwise));
  }

  /** Adds an array result with its memory block, and with its offset unless that is always 0. */
  private void chosen(List<Branch> branches, int k, Name name, Type.Array t, List<PatElem> pat) {
    if (maySpread(branches, k)) {
      spread(branches, k, name, t, pat);
      return;
    }
    List<Integer> order = order(branches, k, name, t.rank());
    boolean offsets = false;
    for (Branch branch : branches) {
      Lmad l = memory.place(branch.array(k)).lmad();
      offsets |=
          memory.isInSpace(branch.array(k)) && order.equals(l.order()) && !l.offset().isZero();
    }
    PatElem mem = new PatElem(memory.names.fresh("mem"), memory.blockType(t));
    pat.add(mem);
    Poly offset = Poly.ZERO;
    if (offsets) {
      PatElem o = new PatElem(memory.names.fresh("offset"), Type.I64);
      pat.add(o);
      offset = Poly.of(o.name());
    }
    ArrayMem there = new ArrayMem(mem.name(), Lmad.ordered(offset, t.shape(), order));
    pat.add(new PatElem(name, t.withMem(there)));
    for (Branch branch : branches) {
      Name array = branch.array(k);
      Lmad l = memory.place(array).lmad();
      boolean fits = order.equals(l.order()) && (offsets || l.offset().isZero());
      if (!fits || !memory.isInSpace(array)) {
        array = memory.copy(branch.b, array, order);
      }
      ArrayMem place = memory.place(array);
      branch.results.add(SubExp.of(place.block()));
      if (offsets) {
        branch.results.add(branch.b.poly("offset", place.lmad().offset()));
      }
      branch.results.add(SubExp.of(array));
    }
  }

  /**
   * Returns the order of dimensions on which the branches agree, or row-major if that order is
   * unfavourable.
   */
  private List<Integer> order(List<Branch> branches, int k, Name result, int rank) {
    if (memory.level() != AllocationLevel.HOST) {
      return Layouts.rowMajor(rank);
    }
    List<@Nullable List<Integer>> orders = new ArrayList<>();
    for (Branch branch : branches) {
      orders.add(memory.place(branch.array(k)).lmad().order());
    }
    return layouts.agreed(result, orders, rank);
  }

  /**
   * Tests whether an array result may keep the strides of each branch. The strides of a branch must
   * differ from row-major order, and kernels must use the array: strides that are unknown at
   * compile time cost them less than a copy.
   */
  private boolean maySpread(List<Branch> branches, int k) {
    if (!memory.isOnDevice() || memory.level() != AllocationLevel.HOST) {
      return false;
    }
    boolean contiguous = true;
    for (Branch branch : branches) {
      if (!memory.isInSpace(branch.array(k))) {
        return false;
      }
      contiguous &= memory.place(branch.array(k)).lmad().isContiguous();
    }
    return !contiguous;
  }

  /**
   * Adds an array result with its memory block, and with those components of its LMAD that differ
   * among branches.
   */
  private void spread(List<Branch> branches, int k, Name name, Type.Array t, List<PatElem> pat) {
    PatElem mem = new PatElem(memory.names.fresh("mem"), memory.blockType(t));
    pat.add(mem);
    for (Branch branch : branches) {
      branch.results.add(SubExp.of(memory.place(branch.array(k)).block()));
    }
    Poly offset = component(branches, k, "offset", Lmad::offset, pat);
    List<Lmad.Dim> dims = new ArrayList<>();
    for (int d = 0; d < t.shape().size(); d++) {
      int dim = d;
      Poly stride = component(branches, k, "stride", l -> l.dims().get(dim).stride(), pat);
      dims.add(new Lmad.Dim(stride, t.shape().get(d)));
    }
    pat.add(new PatElem(name, t.withMem(new ArrayMem(mem.name(), new Lmad(offset, dims)))));
    for (Branch branch : branches) {
      branch.results.add(SubExp.of(branch.array(k)));
    }
  }

  /** Returns a component of an LMAD if all branches agree on it, else a new result for it. */
  private Poly component(
      List<Branch> branches, int k, String base, Function<Lmad, Poly> part, List<PatElem> pat) {
    Poly common = part.apply(memory.place(branches.get(0).array(k)).lmad());
    boolean same = true;
    for (Branch branch : branches) {
      same &= common.equals(part.apply(memory.place(branch.array(k)).lmad()));
      for (Name n : common.names()) {
        same &= !branch.bound.contains(n);
      }
    }
    if (same) {
      return common;
    }
    PatElem p = new PatElem(memory.names.fresh(base), Type.I64);
    pat.add(p);
    for (Branch branch : branches) {
      Poly value = part.apply(memory.place(branch.array(k)).lmad());
      branch.results.add(branch.b.poly(base, value));
    }
    return Poly.of(p.name());
  }

  /**
   * Returns the memory of a result on which all branches agree and that is known outside; null if
   * there is none. Sizes have the names of the pattern.
   */
  private @Nullable ArrayMem commonPlace(List<Branch> branches, int k) {
    ArrayMem common = null;
    for (Branch branch : branches) {
      ArrayMem m = memory.place(branch.array(k));
      if (common == null) {
        common = m;
      } else if (!common.equals(m)) {
        return null;
      }
      for (Name n : ArrayMemNames.namesIn(m)) {
        if (branch.bound.contains(n)) {
          return null;
        }
      }
    }
    return common;
  }

  // Loops

  void loop(Builder b, Stm s, Exp.Loop l) {
    List<Exp.LoopParam> params = new ArrayList<>();
    List<PatElem> pat = new ArrayList<>();
    Set<Integer> slides = new HashSet<>();
    Map<Integer, List<Integer>> orders =
        memory.level() == AllocationLevel.HOST ? layouts.ofLoop(l) : Map.of();
    Map<Integer, List<Integer>> moves = new HashMap<>();
    for (int k = 0; k < l.params().size(); k++) {
      Exp.LoopParam lp = l.params().get(k);
      Param p = lp.param();
      PatElem result = s.pat().get(k);
      if (!(p.type() instanceof Type.Array t)) {
        params.add(lp);
        pat.add(result);
        memory.add(p.name(), p.type());
        continue;
      }
      Name init = ((SubExp.Var) lp.init()).name();
      if (roots.inPlace(l, k)) {
        ArrayMem mem = memory.place(init);
        params.add(new Exp.LoopParam(new Param(p.name(), t.withMem(mem), p.unique()), lp.init()));
        pat.add(new PatElem(result.name(), result.type().withMem(mem)));
        memory.add(p.name(), t.withMem(mem));
        continue;
      }
      if (slides(l, k, init)) {
        slides.add(k);
        ArrayMem from = memory.place(init);
        params.add(place(t, "mem_param", SubExp.of(from.block())));
        SubExp start = b.poly("offset", from.lmad().offset());
        Param offset = new Param(memory.names.fresh("offset_param"), Type.I64);
        params.add(new Exp.LoopParam(offset, start));
        memory.add(offset.name(), offset.type());
        Name block = params.get(params.size() - 2).param().name();
        Type here = t.withMem(part(block, offset.name(), t));
        params.add(new Exp.LoopParam(new Param(p.name(), here, p.unique()), SubExp.of(init)));
        memory.add(p.name(), here);
        PatElem blockResult = new PatElem(memory.names.fresh("mem"), memory.blockType(t));
        PatElem offsetResult = new PatElem(memory.names.fresh("offset"), Type.I64);
        Type.Array last = (Type.Array) result.type();
        ArrayMem there = part(blockResult.name(), offsetResult.name(), last);
        pat.addAll(List.of(blockResult, offsetResult));
        pat.add(new PatElem(result.name(), last.withMem(there)));
        continue;
      }
      List<Integer> order = orders.getOrDefault(k, Layouts.rowMajor(t.rank()));
      Name array = memory.ensure(b, init, order);
      Param mem = new Param(memory.names.fresh("mem_param"), memory.blockType(t));
      params.add(new Exp.LoopParam(mem, SubExp.of(memory.place(array).block())));
      Type there = Placement.ordered(t, mem.name(), order);
      params.add(new Exp.LoopParam(new Param(p.name(), there, p.unique()), SubExp.of(array)));
      memory.add(mem.name(), mem.type());
      memory.add(p.name(), there);
      PatElem memResult = new PatElem(memory.names.fresh("mem"), memory.blockType(t));
      pat.add(memResult);
      Type after = Placement.ordered((Type.Array) result.type(), memResult.name(), order);
      pat.add(new PatElem(result.name(), after));
      moves.put(k, order);
    }
    if (l.form() instanceof Exp.Form.For f) {
      memory.add(f.index(), Type.prim(f.type()));
    }
    Builder body = allocation.inside(l.body());
    List<SubExp> results = new ArrayList<>();
    for (int k = 0; k < l.params().size(); k++) {
      SubExp r = l.body().results().get(k);
      if (slides.contains(k)) {
        Name array = ((SubExp.Var) r).name();
        if (!memory.place(array).lmad().isContiguous() || !memory.isInSpace(array)) {
          array = memory.copy(body, array);
        }
        ArrayMem place = memory.place(array);
        results.add(SubExp.of(place.block()));
        results.add(body.poly("offset", place.lmad().offset()));
        results.add(SubExp.of(array));
      } else if (moves.get(k) instanceof List<Integer> order) {
        Name array = memory.ensure(body, ((SubExp.Var) r).name(), order);
        results.add(SubExp.of(memory.place(array).block()));
        results.add(SubExp.of(array));
      } else {
        results.add(r);
      }
    }
    memory.add(b, pat, s.aux(), new Exp.Loop(params, l.form(), body.body(results)));
  }

  private Exp.LoopParam place(Type.Array t, String base, SubExp block) {
    Param mem = new Param(memory.names.fresh(base), memory.blockType(t));
    memory.add(mem.name(), mem.type());
    return new Exp.LoopParam(mem, block);
  }

  private static ArrayMem part(Name block, Name offset, Type.Array t) {
    return new ArrayMem(block, Lmad.rowMajor(Poly.of(offset), t.shape()));
  }

  /**
   * Tests whether a loop on the host of a device passes a slice of the array to the next iteration,
   * so that only the offset changes.
   */
  private boolean slides(Exp.Loop l, int k, Name init) {
    if (!memory.isOnDevice() || memory.level() != AllocationLevel.HOST) {
      return false;
    }
    if (!memory.isInSpace(init) || !memory.place(init).lmad().isContiguous()) {
      return false;
    }
    Map<Name, Stm> definitions = new HashMap<>();
    for (Stm s : l.body().stms()) {
      for (Name n : s.names()) {
        definitions.put(n, s);
      }
    }
    Name part = ((SubExp.Var) l.body().results().get(k)).name();
    boolean sliced = false;
    while (definitions.get(part) instanceof Stm s) {
      switch (s.exp()) {
        case BasicOp.Index x -> {
          part = x.array();
          sliced = true;
        }
        case BasicOp.Reshape x -> part = x.array();
        case BasicOp.SubExpOp x when x.value() instanceof SubExp.Var v -> part = v.name();
        default -> {
          return false;
        }
      }
    }
    return sliced && part.equals(l.params().get(k).param().name());
  }
}
