package futharkc.pass.allocate;

import futharkc.core.ir.ArrayMem;
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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says where the arrays are that branches choose and loops pass on: a result or a loop parameter
 * comes with its block before it, unless all agree on a place that is known outside.
 */
final class ControlAllocation {
  private final Memory memory;
  private final Roots roots;
  private final Allocation allocation;

  ControlAllocation(Memory memory, Roots roots, Allocation allocation) {
    this.memory = memory;
    this.roots = roots;
    this.allocation = allocation;
  }

  // Branches

  /** A branch of which the statements are done; the results that it returns are added. */
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
    for (Exp.Case c : m.cases()) bodies.add(c.body());
    bodies.add(m.otherwise());
    for (int k = 0; k < s.pat().size(); k++) {
      ArrayMem there = memory.wantedPlace(s.pat().get(k).name());
      if (there == null) continue;
      for (Body body : bodies) memory.want(body.stms(), body.results().get(k), there);
    }
    List<Branch> branches = new ArrayList<>();
    for (Body body : bodies) {
      Builder branch = allocation.inside(body);
      Set<Name> bound = new HashSet<>();
      for (Stm st : branch.stms()) bound.addAll(st.names());
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
      for (Branch branch : branches) branch.results.add(branch.before.results().get(k));
    }
    List<Exp.Case> cases = new ArrayList<>();
    for (int i = 0; i < m.cases().size(); i++) {
      cases.add(new Exp.Case(m.cases().get(i).pattern(), branches.get(i).body()));
    }
    Body otherwise = branches.get(cases.size()).body();
    memory.add(b, pat, s.aux(), new Exp.Match(m.scrutinees(), cases, otherwise));
  }

  /** An array that comes with its block and, where that is not always 0, its offset. */
  private void chosen(List<Branch> branches, int k, Name name, Type.Array t, List<PatElem> pat) {
    boolean offsets = false;
    for (Branch branch : branches) {
      Lmad l = memory.place(branch.array(k)).lmad();
      offsets |= memory.isInSpace(branch.array(k)) && l.isContiguous() && !l.offset().isZero();
    }
    PatElem mem = new PatElem(memory.names.fresh("mem"), memory.blockType(t));
    pat.add(mem);
    Poly offset = Poly.ZERO;
    if (offsets) {
      PatElem o = new PatElem(memory.names.fresh("offset"), Type.I64);
      pat.add(o);
      offset = Poly.of(o.name());
    }
    ArrayMem there = new ArrayMem(mem.name(), Lmad.rowMajor(offset, t.shape()));
    pat.add(new PatElem(name, t.withMem(there)));
    for (Branch branch : branches) {
      Name array = branch.array(k);
      Lmad l = memory.place(array).lmad();
      boolean fits = offsets ? l.isContiguous() : l.isDirect();
      if (!fits || !memory.isInSpace(array)) array = memory.copy(branch.b, array);
      ArrayMem place = memory.place(array);
      branch.results.add(SubExp.of(place.block()));
      if (offsets) branch.results.add(branch.b.poly("offset", place.lmad().offset()));
      branch.results.add(SubExp.of(array));
    }
  }

  /**
   * The place of a result that all branches agree on and that is known outside; sizes are named as
   * in the pattern.
   */
  private @Nullable ArrayMem commonPlace(List<Branch> branches, int k) {
    ArrayMem common = null;
    for (Branch branch : branches) {
      ArrayMem m = memory.place(branch.array(k));
      if (common == null) common = m;
      else if (!common.equals(m)) return null;
      for (Name n : Places.namesIn(m)) if (branch.bound.contains(n)) return null;
    }
    return common;
  }

  // Loops

  void loop(Builder b, Stm s, Exp.Loop l) {
    List<Exp.LoopParam> params = new ArrayList<>();
    List<PatElem> pat = new ArrayList<>();
    List<Boolean> moves = new ArrayList<>();
    for (int k = 0; k < l.params().size(); k++) {
      Exp.LoopParam lp = l.params().get(k);
      Param p = lp.param();
      PatElem result = s.pat().get(k);
      if (!(p.type() instanceof Type.Array t)) {
        params.add(lp);
        pat.add(result);
        moves.add(false);
        memory.add(p.name(), p.type());
        continue;
      }
      Name init = ((SubExp.Var) lp.init()).name();
      if (roots.inPlace(l, k)) {
        ArrayMem mem = memory.place(init);
        params.add(new Exp.LoopParam(new Param(p.name(), t.withMem(mem), p.unique()), lp.init()));
        pat.add(new PatElem(result.name(), result.type().withMem(mem)));
        moves.add(false);
        memory.add(p.name(), t.withMem(mem));
        continue;
      }
      Name array = memory.ensureDirect(b, init);
      Param mem = new Param(memory.names.fresh("mem_param"), memory.blockType(t));
      params.add(new Exp.LoopParam(mem, SubExp.of(memory.place(array).block())));
      params.add(
          new Exp.LoopParam(
              new Param(p.name(), Memory.direct(t, mem.name()), p.unique()), SubExp.of(array)));
      memory.add(mem.name(), mem.type());
      memory.add(p.name(), Memory.direct(t, mem.name()));
      PatElem memResult = new PatElem(memory.names.fresh("mem"), memory.blockType(t));
      pat.add(memResult);
      pat.add(
          new PatElem(result.name(), Memory.direct((Type.Array) result.type(), memResult.name())));
      moves.add(true);
    }
    if (l.form() instanceof Exp.Form.For f) memory.add(f.index(), Type.prim(f.type()));
    Builder body = allocation.inside(l.body());
    List<SubExp> results = new ArrayList<>();
    for (int k = 0; k < l.params().size(); k++) {
      SubExp r = l.body().results().get(k);
      if (moves.get(k)) {
        Name array = memory.ensureDirect(body, ((SubExp.Var) r).name());
        results.add(SubExp.of(memory.place(array).block()));
        results.add(SubExp.of(array));
      } else {
        results.add(r);
      }
    }
    memory.add(b, pat, s.aux(), new Exp.Loop(params, l.form(), body.body(results)));
  }
}
