package futharkc.core.ir.memory;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A rewriting that records the current memory of arrays in annotations, and removes blocks that
 * hold no array.
 */
public final class PlacementRewriter extends Mapper {
  private final FunctionMemory table;
  private final Set<Name> gone;
  private final Set<Name> dropped;

  /**
   * Creates the rewriting of a function.
   *
   * @param gone the blocks whose allocations are removed
   * @param dropped the unused results to remove, together with their loop parameters
   */
  public PlacementRewriter(FunctionMemory table, Set<Name> gone, Set<Name> dropped) {
    this.table = table;
    this.gone = gone;
    this.dropped = dropped;
  }

  @Override
  public PatElem patElem(PatElem p) {
    Type t = moved(p.name(), p.type());
    return t == p.type() ? p : new PatElem(p.name(), t);
  }

  @Override
  public Param param(Param p) {
    Type t = moved(p.name(), p.type());
    return t == p.type() ? p : new Param(p.name(), t, p.unique());
  }

  private Type moved(Name n, Type t) {
    if (!(t instanceof Type.Array a) || a.mem() == null) {
      return t;
    }
    ArrayMem m = table.place(n);
    return m == null || m.equals(a.mem()) ? t : a.withMem(m);
  }

  @Override
  public List<Stm> stms(List<Stm> stms) {
    List<Stm> out = new ArrayList<>();
    for (Stm s : stms) {
      if (s.exp() instanceof MemOp.Alloc && gone.contains(s.pat().get(0).name())) {
        continue;
      }
      out.add(stm(s));
    }
    return out;
  }

  @Override
  public Stm stm(Stm s) {
    List<Integer> kept = new ArrayList<>();
    for (int k = 0; k < s.pat().size(); k++) {
      if (!dropped.contains(s.pat().get(k).name())) {
        kept.add(k);
      }
    }
    if (kept.size() == s.pat().size()) {
      return super.stm(s);
    }
    Exp e =
        switch (s.exp()) {
          case Exp.Match m -> {
            List<Exp.Case> cases = new ArrayList<>();
            for (Exp.Case c : m.cases()) {
              cases.add(new Exp.Case(c.pattern(), only(kept, c.body())));
            }
            yield new Exp.Match(m.scrutinees(), cases, only(kept, m.otherwise()));
          }
          case Exp.Loop l -> new Exp.Loop(only(kept, l.params()), l.form(), only(kept, l.body()));
          case BasicOp _, Exp.Apply _, Exp.WithAcc _, Soac _, SegExp _, HostOp _, MemOp _ ->
              throw new IllegalStateException("results of " + s.names() + " stay");
        };
    return super.stm(new Stm(only(kept, s.pat()), s.aux(), e));
  }

  private static Body only(List<Integer> kept, Body b) {
    List<SubExp> results = only(kept, b.results());
    return new Body(b.stms(), results);
  }

  private static <T> List<T> only(List<Integer> kept, List<T> all) {
    return kept.stream().map(all::get).toList();
  }
}
