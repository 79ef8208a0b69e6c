package futharkc.pass.mergegpubodies;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Renamer;
import futharkc.core.ir.SegBody;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.analysis.LastingArrays;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Puts the code of a kernel of one thread in front of the code of a parallel operation that uses
 * its results. Each thread then computes the scalars.
 */
final class Prologue {
  private final LastingArrays lasting;
  private final Limits limits;
  private final NameSource names;

  Prologue(LastingArrays lasting, Limits limits, NameSource names) {
    this.limits = limits;
    this.lasting = lasting;
    this.names = names;
  }

  /**
   * Returns a parallel operation that computes a kernel's results itself; or null if that takes too
   * long, or if the operation uses the results other than as scalars of its threads.
   */
  @Nullable Stm add(ScalarKernel kernel, Stm user) {
    if (!(user.exp() instanceof SegExp.Seg x)
        || kernel.operations() > limits.threadOperations()
        || kernel.loads() > limits.threadLoads()) {
      return null;
    }
    Set<Name> used = FreeNames.of(user);
    for (Stm s : kernel.op().body().stms()) {
      if (s.exp() instanceof BasicOp.Index i
          && !lasting.lasts(i.array())
          && !used.contains(i.array())) {
        return null;
      }
    }
    Renamer renamer = new Renamer(names);
    List<Stm> stms = new ArrayList<>();
    for (Stm s : kernel.op().body().stms()) {
      stms.add(renamer.stm(s));
    }
    Map<Name, SubExp> scalars = new HashMap<>();
    for (int k = 0; k < kernel.stm().pat().size(); k++) {
      scalars.put(
          kernel.stm().pat().get(k).name(), renamer.subExp(kernel.op().body().results().get(k)));
    }
    SegOp op = x.op();
    Mapper elements = elements(scalars);
    op.body().stms().forEach(s -> stms.add(elements.stm(s)));
    Stm with = user.withExp(new SegExp.Seg(op.withBody(new SegBody(stms, op.body().results()))));
    return FreeNames.of(with).stream().anyMatch(kernel::binds) ? null : with;
  }

  /** Returns a mapper that takes scalars instead of the only elements of arrays. */
  static Mapper elements(Map<Name, SubExp> scalars) {
    return new Mapper() {
      @Override
      public Exp exp(Exp e) {
        if (e instanceof BasicOp.Index x && x.slice().isElement()) {
          SubExp scalar = scalars.get(x.array());
          if (scalar != null) {
            return new BasicOp.SubExpOp(scalar);
          }
        }
        return super.exp(e);
      }
    };
  }
}
