package futharkc.pass.allocate;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.Body;
import futharkc.core.ir.Builder;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.SegBody;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegResult;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.spi.PassException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Says where the results of parallel operations are, and the arrays that they make inside. */
final class SegAllocation {
  private final Memory memory;
  private final Roots roots;
  private final Allocation allocation;

  SegAllocation(Memory memory, Roots roots, Allocation allocation) {
    this.memory = memory;
    this.roots = roots;
    this.allocation = allocation;
  }

  void parOp(Builder b, Stm s, SegExp.ParOp par) {
    List<PatElem> pat = new ArrayList<>();
    if (par.op() instanceof SegOp.SegHist h) {
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
                  p.name(),
                  there != null ? a.withMem(there) : Memory.direct(a, memory.alloc(b, a))));
        } else {
          pat.add(p);
        }
      }
    }
    SegOp op = segOp(s, par.op(), pat);
    Body nested = par.nested() == null ? null : nested(par.nested(), pat);
    memory.add(b, pat, s.aux(), new SegExp.ParOp(op, nested));
  }

  /**
   * The nested version makes its results where the pattern says if it can, else they are copied
   * there.
   */
  private Body nested(Body nested, List<PatElem> pat) {
    for (int k = 0; k < pat.size(); k++) {
      if (pat.get(k).type() instanceof Type.Array a && a.mem() != null) {
        memory.want(nested.stms(), nested.results().get(k), a.mem());
      }
    }
    return allocation.body(nested);
  }

  private SegOp segOp(Stm s, SegOp op, List<PatElem> pat) {
    for (var d : op.space().dims()) memory.add(d.index(), Type.I64);
    memory.add(op.space().flat(), Type.I64);
    List<SubExp> results = op.body().values();
    if (op instanceof SegOp.SegMap) wantRows(op, results, pat);
    SegBody body = new SegBody(allocation.stms(op.body().stms(), results), op.body().results());
    return switch (op) {
      case SegOp.SegMap m -> new SegOp.SegMap(m.level(), m.space(), m.types(), body);
      case SegOp.SegRed r ->
          new SegOp.SegRed(r.level(), r.space(), segBinOps(r.ops(), s), r.types(), body, r.post());
      case SegOp.SegScan r ->
          new SegOp.SegScan(
              r.level(),
              r.space(),
              segBinOps(r.ops(), s),
              r.types(),
              body,
              scalarLambda(r.post(), s));
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
        yield new SegOp.SegHist(h.level(), h.space(), ops, h.types(), body);
      }
    };
  }

  /** Arrays that a map makes at each index are made in their part of the result. */
  private void wantRows(SegOp op, List<SubExp> results, List<PatElem> pat) {
    List<SubExp> index = op.space().dims().stream().map(d -> SubExp.of(d.index())).toList();
    Set<Name> seen = new HashSet<>();
    for (int k = 0; k < results.size(); k++) {
      if (op.types().get(k).rank() == 0 || !(results.get(k) instanceof SubExp.Var v)) continue;
      if (!(op.body().results().get(k) instanceof SegResult.Returns)
          || !seen.add(roots.of(v.name()))) continue;
      Type.Array whole = (Type.Array) pat.get(k).type();
      ArrayMem mem = Memory.place(whole);
      memory.want(
          op.body().stms(),
          results.get(k),
          new ArrayMem(mem.block(), mem.lmad().slice(Slice.fix(index, whole.shape()))));
    }
  }

  private List<SegOp.SegBinOp> segBinOps(List<SegOp.SegBinOp> ops, Stm s) {
    List<SegOp.SegBinOp> out = new ArrayList<>();
    for (SegOp.SegBinOp o : ops) {
      out.add(new SegOp.SegBinOp(o.commutative(), scalarLambda(o.op(), s), o.neutral(), o.shape()));
    }
    return out;
  }

  /** An operator on scalars; arrays that it makes inside get memory there. */
  private Lambda scalarLambda(Lambda l, Stm s) {
    for (Param p : l.params()) {
      if (p.type() instanceof Type.Array) {
        throw new PassException(
            s.aux().loc(),
            "the operator of a parallel operation works on arrays, which is not possible here");
      }
      memory.add(p.name(), p.type());
    }
    return new Lambda(l.params(), allocation.body(l.body()), l.results());
  }
}
