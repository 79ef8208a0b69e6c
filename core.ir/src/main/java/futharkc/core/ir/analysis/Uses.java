package futharkc.core.ir.analysis;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The names that a statement uses, by kind of use.
 *
 * @param inputs the arrays and accumulators that an operation takes element by element
 * @param others the names used otherwise: as whole values, in lambdas, in types or as certificates;
 *     a name may be in both sets
 */
public record Uses(Set<Name> inputs, Set<Name> others) {
  /** Returns the uses of a statement. */
  public static Uses of(Stm s) {
    Parts parts = Parts.of(s.exp());
    Stm rest = parts.inputs.isEmpty() ? s : s.withExp(parts.rest);
    return new Uses(new LinkedHashSet<>(parts.inputs), FreeNames.of(rest));
  }

  /**
   * Returns the arrays and accumulators that an operation takes element by element, in its own
   * order. The list is empty for other expressions.
   */
  public static List<Name> inputs(Exp e) {
    return Parts.of(e).inputs;
  }

  /** The inputs of an operation and the operation without its inputs. */
  private record Parts(List<Name> inputs, Exp rest) {
    static Parts of(Exp e) {
      List<Name> none = List.of();
      return switch (e) {
        case Soac.Screma s ->
            new Parts(
                s.inputs(),
                new Soac.Screma(s.width(), none, s.map(), s.scans(), s.reduces(), s.post()));
        case Soac.Hist h ->
            new Parts(h.inputs(), new Soac.Hist(h.width(), none, h.ops(), h.bucket()));
        case Soac.Stream s ->
            new Parts(s.inputs(), new Soac.Stream(s.width(), none, s.accs(), s.lambda()));
        case BasicOp _,
            Exp.Apply _,
            Exp.Match _,
            Exp.Loop _,
            Exp.WithAcc _,
            Soac.FlatMap _,
            Soac.Jvp _,
            Soac.Vjp _,
            Soac.WithVjp _,
            SegExp _,
            HostOp _,
            MemOp _ ->
            new Parts(none, e);
      };
    }
  }
}
