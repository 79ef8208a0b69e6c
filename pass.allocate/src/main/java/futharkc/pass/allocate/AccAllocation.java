package futharkc.pass.allocate;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Builder;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Adds memory to accumulations. The arrays of an accumulator keep their memory, and the rows on
 * which an operator works get memory.
 */
final class AccAllocation {
  private final Placement memory;
  private final Allocation allocation;

  /** The tokens of accumulators with an operator. */
  private final Set<Name> withOperator = new HashSet<>();

  AccAllocation(Placement memory, Allocation allocation) {
    this.memory = memory;
    this.allocation = allocation;
  }

  void withAcc(Builder b, Stm s, Exp.WithAcc w) {
    List<Exp.AccInput> inputs = new ArrayList<>();
    List<PatElem> pat = new ArrayList<>();
    for (Exp.AccInput in : w.inputs()) {
      Exp.AccOp op = in.op();
      if (op != null) {
        withOperator.add(w.lambda().params().get(inputs.size()).name());
        op = new Exp.AccOp(operator(op.lambda(), in), op.neutral());
      }
      inputs.add(new Exp.AccInput(in.space(), in.arrays(), op));
      for (Name a : in.arrays()) {
        PatElem p = s.pat().get(pat.size());
        pat.add(new PatElem(p.name(), p.type().withMem(memory.place(a))));
      }
    }
    int arrays = pat.size();
    int accs = w.inputs().size();
    for (Param p : w.lambda().params()) {
      memory.add(p.name(), p.type());
    }
    Builder body = allocation.inside(w.lambda().body());
    List<SubExp> results = new ArrayList<>(w.lambda().body().results().subList(0, accs));
    List<Type> resultTypes = new ArrayList<>(w.lambda().results().subList(0, accs));
    for (int k = accs; k < w.lambda().results().size(); k++) {
      SubExp r = w.lambda().body().results().get(k);
      PatElem p = s.pat().get(arrays + k - accs);
      if (p.type() instanceof Type.Array t) {
        Name array = memory.ensureDirect(body, ((SubExp.Var) r).name());
        PatElem mem = new PatElem(memory.names.fresh("mem"), memory.blockType(t));
        pat.add(mem);
        pat.add(new PatElem(p.name(), Placement.direct(t, mem.name())));
        results.add(SubExp.of(memory.place(array).block()));
        results.add(SubExp.of(array));
        resultTypes.add(memory.blockType(t));
      } else {
        pat.add(p);
        results.add(r);
      }
      resultTypes.add(w.lambda().results().get(k));
    }
    Lambda lambda = new Lambda(w.lambda().params(), body.body(results), resultTypes);
    memory.add(b, pat, s.aux(), new Exp.WithAcc(inputs, lambda));
  }

  /**
   * Returns the operator of an accumulator. The old values are rows of its arrays, the new values
   * may be in any memory block.
   */
  private Lambda operator(Lambda l, Exp.AccInput in) {
    // Threads execute the updates, at every level of the accumulation.
    AllocationLevel before =
        memory.enter(memory.isOnDevice() ? AllocationLevel.THREAD : memory.level());
    int rank = in.space().size();
    int n = in.arrays().size();
    List<SubExp> index = new ArrayList<>();
    List<Param> params = new ArrayList<>();
    for (int i = 0; i < l.params().size(); i++) {
      Param p = l.params().get(i);
      if (i < rank) {
        index.add(SubExp.of(p.name()));
      }
      if (!(p.type() instanceof Type.Array t)) {
        params.add(p);
      } else if (i < rank + n) {
        Name array = in.arrays().get(i - rank);
        Slice row = Slice.fix(index, memory.type(array).dims());
        ArrayMem there = memory.at(array, memory.place(array).lmad().slice(row));
        params.add(new Param(p.name(), t.withMem(there), p.unique()));
      } else {
        Param mem = new Param(memory.names.fresh(p.name().base() + "_mem"), memory.blockType(t));
        params.add(mem);
        params.add(new Param(p.name(), Placement.direct(t, mem.name()), p.unique()));
      }
    }
    for (Param p : params) {
      memory.add(p.name(), p.type());
    }
    Body body = allocation.body(l.body());
    memory.enter(before);
    return new Lambda(params, body, l.results());
  }

  /**
   * Adds an update. The operand arrays of an operator are row-major from the start of their memory
   * block.
   */
  void updateAcc(Builder b, Stm s, BasicOp.UpdateAcc x) {
    Type.Acc acc = (Type.Acc) s.pat().get(0).type();
    List<SubExp> values = new ArrayList<>();
    for (SubExp v : x.values()) {
      boolean array = memory.isArray(v);
      values.add(
          array && withOperator.contains(acc.token())
              ? SubExp.of(memory.ensureDirect(b, ((SubExp.Var) v).name()))
              : v);
    }
    memory.add(b, s.pat(), s.aux(), new BasicOp.UpdateAcc(x.inRange(), x.acc(), x.index(), values));
  }
}
