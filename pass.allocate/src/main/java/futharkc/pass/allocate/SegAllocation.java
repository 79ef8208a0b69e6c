package futharkc.pass.allocate;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.Body;
import futharkc.core.ir.Builder;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Machine;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegBody;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegLevel;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegResult;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.spi.PassException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Adds memory to the results of parallel operations, and to the arrays within. */
final class SegAllocation {
  private final Placement memory;
  private final Roots roots;
  private final Allocation allocation;
  private final Machine machine;

  SegAllocation(Placement memory, Roots roots, Allocation allocation, Machine machine) {
    this.memory = memory;
    this.roots = roots;
    this.allocation = allocation;
    this.machine = machine;
  }

  void parOp(Builder b, Stm s, SegExp.ParOp par) {
    List<PatElem> pat = pattern(b, s, par.op());
    SegOp op = segOp(s, par.op(), pat, List.of());
    Body nested = par.nested() == null ? null : nested(par.nested(), pat);
    memory.add(b, pat, s.aux(), par.with(op, nested));
  }

  void seg(Builder b, Stm s, SegExp.Seg seg) {
    List<PatElem> pat = pattern(b, s, seg.op());
    List<Param> after = postParams(b, seg.op(), pat);
    AllocationLevel before = memory.enter(inside(seg.op().level()));
    SegOp op = segOp(s, seg.op(), pat, after);
    memory.enter(before);
    memory.add(b, pat, s.aux(), new SegExp.Seg(op));
  }

  private static AllocationLevel inside(SegLevel level) {
    return switch (level) {
      case SegLevel.Cores l -> AllocationLevel.HOST;
      case SegLevel.Block l -> AllocationLevel.BLOCK;
      case SegLevel.Thread l -> AllocationLevel.THREAD;
      case SegLevel.ThreadInBlock l -> AllocationLevel.THREAD;
    };
  }

  /**
   * Adds code for one device thread. Array results that the code has in memory from outside stay
   * there. Other results are copied to the memory of the pattern.
   */
  void gpuBody(Builder b, Stm s, HostOp.GpuBody g) {
    AllocationLevel before = memory.enter(AllocationLevel.THREAD);
    Body body = allocation.body(g.body());
    memory.enter(before);
    Set<Name> inside = boundIn(body);
    List<PatElem> pat = new ArrayList<>();
    for (int k = 0; k < s.pat().size(); k++) {
      PatElem p = s.pat().get(k);
      if (!(p.type() instanceof Type.Array a)) {
        pat.add(p);
        continue;
      }
      ArrayMem there =
          g.types().get(k) instanceof Type.Array ? outside(a, body.results().get(k), inside) : null;
      pat.add(
          new PatElem(
              p.name(),
              there != null
                  ? new Type.Array(a.elem(), a.shape(), there)
                  : Placement.direct(a, memory.alloc(b, a))));
    }
    memory.add(b, pat, s.aux(), new HostOp.GpuBody(g.types(), body));
  }

  /** Returns the memory of a result if it exists outside a body; otherwise null. */
  private @Nullable ArrayMem outside(Type.Array a, SubExp result, Set<Name> inside) {
    if (!(result instanceof SubExp.Var v)) {
      return null;
    }
    ArrayMem m = memory.place(v.name());
    Type there = new Type.Array(a.elem(), a.shape(), m);
    return FreeNames.of(there).stream().noneMatch(inside::contains) ? m : null;
  }

  private static Set<Name> boundIn(Body body) {
    Set<Name> bound = new HashSet<>();
    new Mapper() {
      @Override
      public Name binder(Name n) {
        bound.add(n);
        return n;
      }
    }.body(body);
    return bound;
  }

  /** Returns the pattern of an operation with memory. */
  private List<PatElem> pattern(Builder b, Stm s, SegOp op) {
    List<PatElem> pat = new ArrayList<>();
    if (op instanceof SegOp.SegHist h) {
      for (SegOp.SegHistOp o : h.ops()) {
        for (Name d : o.dests()) {
          PatElem p = s.pat().get(pat.size());
          pat.add(new PatElem(p.name(), p.type().withMem(memory.place(d))));
        }
      }
    } else {
      for (PatElem p : s.pat()) {
        if (p.type() instanceof Type.Array a) {
          ArrayMem there = memory.wantedPlace(p.name());
          pat.add(
              new PatElem(
                  p.name(), a.withMem(there != null ? there : result(op, a, memory.alloc(b, a)))));
        } else {
          pat.add(p);
        }
      }
    }
    return pat;
  }

  /**
   * Returns the memory of a result in a new block. If each thread constructs a row, the array is
   * column-major: neighbouring threads then access neighbouring elements.
   */
  private ArrayMem result(SegOp op, Type.Array a, Name block) {
    int dims = op.space().dims().size();
    if (!(op instanceof SegOp.SegMap)
        || !(op.level() instanceof SegLevel.Thread)
        || a.rank() <= dims
        || isShort(a.shape().subList(dims, a.rank()), a.elem())) {
      return new ArrayMem(block, Lmad.rowMajor(a.shape()));
    }
    List<Integer> order = new ArrayList<>();
    for (int d = dims; d < a.rank(); d++) {
      order.add(d);
    }
    for (int d = 0; d < dims; d++) {
      order.add(d);
    }
    return new ArrayMem(block, Lmad.ordered(Poly.ZERO, a.shape(), order));
  }

  /** Tests whether rows are so short that threads access neighbouring elements in any order. */
  private boolean isShort(List<SubExp> shape, PrimType elem) {
    Long elements = Placement.elements(shape).constant();
    return elements != null && elements * elem.bytes() <= machine.device().memory().access();
  }

  /**
   * Returns the nested version. It constructs its results in the memory of the pattern where
   * possible, else it copies them.
   */
  private Body nested(Body nested, List<PatElem> pat) {
    for (int k = 0; k < pat.size(); k++) {
      if (pat.get(k).type() instanceof Type.Array a && a.mem() != null) {
        memory.want(nested.stms(), nested.results().get(k), a.mem());
      }
    }
    return allocation.body(nested);
  }

  /**
   * Returns the parameters of the function after a scan or reduction. If that function returns a
   * parameter unchanged, the parameter has the memory of the result. A mapped array from outside
   * keeps its memory. Other parameters get new memory blocks.
   */
  private List<Param> postParams(Builder b, SegOp op, List<PatElem> pat) {
    Lambda post =
        switch (op) {
          case SegOp.SegScan c -> c.post();
          case SegOp.SegRed r -> r.post();
          case SegOp.SegMap m -> null;
          case SegOp.SegHist h -> null;
        };
    if (post == null) {
      return List.of();
    }
    int operands =
        op instanceof SegOp.SegScan c
            ? c.ops().stream().mapToInt(o -> o.neutral().size()).sum()
            : post.params().size();
    List<Param> params = new ArrayList<>();
    for (Param p : post.params()) {
      if (!(p.type() instanceof Type.Array row)) {
        params.add(p);
        continue;
      }
      if (params.size() >= operands
          && op.body().values().get(params.size()) instanceof SubExp.Var v
          && memory.knows(v.name())) {
        params.add(new Param(p.name(), row.withMem(memory.place(v.name())), p.unique()));
        continue;
      }
      int result = post.body().results().indexOf(SubExp.of(p.name()));
      Type.Array whole = (Type.Array) Type.array(row, postIndex(op, SegSpace.Dim::size));
      ArrayMem there =
          result >= 0 && pat.get(result).type() instanceof Type.Array a
              ? Placement.place(a)
              : new ArrayMem(memory.alloc(b, whole), Lmad.rowMajor(whole.shape()));
      Slice at = Slice.fix(postIndex(op, d -> SubExp.of(d.index())), whole.shape());
      params.add(
          new Param(
              p.name(),
              row.withMem(new ArrayMem(there.block(), there.lmad().slice(at))),
              p.unique()));
    }
    return params;
  }

  /**
   * Returns a value for each dimension of the results of the function after a scan or reduction.
   */
  private static List<SubExp> postIndex(SegOp op, Function<SegSpace.Dim, SubExp> of) {
    List<SegSpace.Dim> dims = op.space().dims();
    return (op instanceof SegOp.SegRed ? dims.subList(0, dims.size() - 1) : dims)
        .stream().map(of).toList();
  }

  /**
   * Returns the function after a scan or reduction. The rows that it constructs are constructed in
   * the memory of the result.
   */
  private Lambda post(SegOp op, Lambda l, List<Param> params, List<PatElem> pat) {
    for (Param p : params) {
      memory.add(p.name(), p.type());
    }
    Set<Name> seen = new HashSet<>();
    for (int k = 0; k < l.results().size(); k++) {
      if (l.results().get(k).rank() == 0
          || !(l.body().results().get(k) instanceof SubExp.Var v)
          || !seen.add(roots.of(v.name()))) {
        continue;
      }
      Type.Array whole = (Type.Array) pat.get(k).type();
      ArrayMem mem = Placement.place(whole);
      Slice at = Slice.fix(postIndex(op, d -> SubExp.of(d.index())), whole.shape());
      memory.want(
          l.body().stms(), SubExp.of(v.name()), new ArrayMem(mem.block(), mem.lmad().slice(at)));
    }
    return new Lambda(params, allocation.body(l.body()), l.results());
  }

  /**
   * Returns an operation over an index space, with memory.
   *
   * @param after the parameters of the function after a scan or reduction
   */
  private SegOp segOp(Stm s, SegOp op, List<PatElem> pat, List<Param> after) {
    for (var d : op.space().dims()) {
      memory.add(d.index(), Type.I64);
    }
    memory.add(op.space().flat(), Type.I64);
    List<SubExp> results = op.body().values();
    if (op instanceof SegOp.SegMap) {
      wantRows(op, results, pat);
    }
    if (op instanceof SegOp.SegScan) {
      Aliases aliases = Aliases.of(op.body().stms());
      for (int k = 0; k < after.size(); k++) {
        // The scan overwrites its operands, so no other array may share their memory.
        if (after.get(k).type() instanceof Type.Array a && isAlone(aliases, results, k)) {
          memory.want(op.body().stms(), results.get(k), Placement.place(a));
        }
      }
    }
    SegBody body = new SegBody(allocation.stms(op.body().stms(), results), op.body().results());
    return switch (op) {
      case SegOp.SegMap m -> new SegOp.SegMap(m.level(), m.space(), m.types(), body);
      case SegOp.SegRed r ->
          new SegOp.SegRed(
              r.level(),
              r.space(),
              segBinOps(r.ops(), s),
              r.types(),
              body,
              r.post() == null ? null : post(op, r.post(), after, pat));
      case SegOp.SegScan r ->
          new SegOp.SegScan(
              r.level(),
              r.space(),
              segBinOps(r.ops(), s),
              r.types(),
              body,
              after.isEmpty() ? scalarLambda(r.post(), s) : post(op, r.post(), after, pat));
      case SegOp.SegHist h -> {
        List<SegOp.SegHistOp> ops = new ArrayList<>();
        for (SegOp.SegHistOp o : h.ops()) {
          ops.add(
              new SegOp.SegHistOp(
                  o.shape(),
                  o.raceFactor(),
                  o.dests(),
                  o.neutral(),
                  o.opShape(),
                  scalarLambda(o.op(), s)));
        }
        yield new SegOp.SegHist(h.level(), h.space(), ops, h.types(), body, h.strategy());
      }
    };
  }

  /** Tests whether no other result aliases a result. */
  private static boolean isAlone(Aliases aliases, List<SubExp> results, int k) {
    if (!(results.get(k) instanceof SubExp.Var v)) {
      return true;
    }
    for (int i = 0; i < results.size(); i++) {
      if (i != k
          && results.get(i) instanceof SubExp.Var o
          && aliases.mayShare(v.name(), o.name())) {
        return false;
      }
    }
    return true;
  }

  /** Sets the destinations of arrays that a map constructs at each index: rows of the result. */
  private void wantRows(SegOp op, List<SubExp> results, List<PatElem> pat) {
    List<SubExp> index = op.space().dims().stream().map(d -> SubExp.of(d.index())).toList();
    Set<Name> seen = new HashSet<>();
    for (int k = 0; k < results.size(); k++) {
      if (op.types().get(k).rank() == 0 || !(results.get(k) instanceof SubExp.Var v)) {
        continue;
      }
      if (!(op.body().results().get(k) instanceof SegResult.Returns)
          || !seen.add(roots.of(v.name()))) {
        continue;
      }
      if (memory.level() == AllocationLevel.BLOCK && isUsed(op, v.name())) {
        continue;
      }
      Type.Array whole = (Type.Array) pat.get(k).type();
      ArrayMem mem = Placement.place(whole);
      memory.want(
          op.body().stms(),
          results.get(k),
          new ArrayMem(mem.block(), mem.lmad().slice(Slice.fix(index, whole.shape()))));
    }
  }

  /**
   * Tests whether a thread block reads its own result. Such a result should be in shared memory,
   * and be copied afterwards.
   *
   * @param result one of the results
   */
  private boolean isUsed(SegOp op, Name result) {
    Name root = roots.of(result);
    for (Stm s : op.body().stms()) {
      for (Name n : FreeNames.of(s)) {
        if (roots.of(n).equals(root)) {
          return true;
        }
      }
    }
    return false;
  }

  private List<SegOp.SegBinOp> segBinOps(List<SegOp.SegBinOp> ops, Stm s) {
    List<SegOp.SegBinOp> out = new ArrayList<>();
    for (SegOp.SegBinOp o : ops) {
      out.add(new SegOp.SegBinOp(o.commutative(), scalarLambda(o.op(), s), o.neutral(), o.shape()));
    }
    return out;
  }

  /** Returns an operator on scalars, with memory for the arrays inside. */
  private Lambda scalarLambda(Lambda l, Stm s) {
    for (Param p : l.params()) {
      if (p.type() instanceof Type.Array) {
        throw new PassException(
            s.aux().loc(),
            "The operator of a parallel operation works on arrays. A thread has no memory for its"
                + " result. Write the operator on scalars or tuples, or as a map.");
      }
      memory.add(p.name(), p.type());
    }
    return new Lambda(l.params(), allocation.body(l.body()), l.results());
  }
}
