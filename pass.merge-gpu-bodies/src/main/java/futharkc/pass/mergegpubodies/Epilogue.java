package futharkc.pass.mergegpubodies;

import futharkc.core.ir.Body;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Renamer;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Puts the code of a kernel of one thread at the end of the reduction that produced its operands.
 */
final class Epilogue {
  private final Limits limits;
  private final NameSource names;

  Epilogue(Limits limits, NameSource names) {
    this.limits = limits;
    this.names = names;
  }

  /**
   * Returns a reduction that also computes a kernel's results; or null if the statement is no
   * reduction to scalars. Results that are not needed go.
   */
  @Nullable Stm add(ScalarKernel kernel, Stm producer, Set<Name> needed) {
    if (!(producer.exp() instanceof SegExp.Seg x)
        || !(x.op() instanceof SegOp.SegRed r)
        || kernel.operations() > limits.endOperations()
        || r.space().dims().size() != 2
        || !r.space().dims().get(0).size().isInt(1)) {
      return null;
    }
    Lambda post = r.post() == null ? identity(r) : r.post();
    if (post == null) {
      return null;
    }
    int reduced = post.results().size();
    Map<Name, SubExp> scalars = new HashMap<>();
    for (int k = 0; k < reduced; k++) {
      if (!(post.results().get(k) instanceof Type.Prim)) {
        return null;
      }
      scalars.put(producer.pat().get(k).name(), post.body().results().get(k));
    }
    Renamer renamer = new Renamer(names);
    Mapper elements = Prologue.elements(scalars);
    List<Stm> stms = new ArrayList<>(post.body().stms());
    for (Stm s : kernel.op().body().stms()) {
      stms.add(renamer.stm(elements.stm(s)));
    }
    List<PatElem> pat = new ArrayList<>();
    List<SubExp> results = new ArrayList<>();
    List<Type> types = new ArrayList<>();
    for (int k = 0; k < reduced; k++) {
      if (needed.contains(producer.pat().get(k).name())) {
        pat.add(producer.pat().get(k));
        results.add(post.body().results().get(k));
        types.add(post.results().get(k));
      }
    }
    for (int k = 0; k < kernel.stm().pat().size(); k++) {
      if (!needed.contains(kernel.stm().pat().get(k).name())) {
        continue;
      }
      pat.add(kernel.stm().pat().get(k));
      results.add(renamer.subExp(kernel.op().body().results().get(k)));
      types.add(kernel.op().types().get(k));
    }
    for (Stm s : stms.subList(post.body().stms().size(), stms.size())) {
      if (FreeNames.of(s).stream().anyMatch(n -> binds(producer, n))) {
        return null;
      }
    }
    pat.addAll(producer.pat().subList(reduced, producer.pat().size()));
    Lambda with = new Lambda(post.params(), new Body(stms, results), types);
    SegOp op = new SegOp.SegRed(r.level(), r.space(), r.ops(), r.types(), r.body(), with);
    return new Stm(pat, producer.aux(), new SegExp.Seg(op));
  }

  private static boolean binds(Stm s, Name n) {
    return s.pat().stream().map(PatElem::name).anyMatch(n::equals);
  }

  /** Returns a function that gives back the results of scalar reductions, or null. */
  private @Nullable Lambda identity(SegOp.SegRed r) {
    List<Param> params = new ArrayList<>();
    List<SubExp> results = new ArrayList<>();
    List<Type> types = new ArrayList<>();
    for (SegOp.SegBinOp o : r.ops()) {
      if (!o.shape().isEmpty()) {
        return null;
      }
      for (Type t : o.op().results()) {
        if (!(t instanceof Type.Prim)) {
          return null;
        }
        Name n = names.fresh("total");
        params.add(new Param(n, t));
        results.add(SubExp.of(n));
        types.add(t);
      }
    }
    return new Lambda(params, new Body(List.of(), results), types);
  }
}
