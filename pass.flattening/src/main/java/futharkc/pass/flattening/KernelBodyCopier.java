package futharkc.pass.flattening;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Renamer;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Copies statements into a kernel with fresh names. Varying names become the values that the kernel
 * has read, and certificates of other kernels move to the host. Updates of accumulators get the
 * indices of the shared accumulator, and calls go to functions that do not use the device.
 */
final class KernelBodyCopier extends Renamer {
  private final SegBodyBuilder kernel;
  private final Set<Name> known = new HashSet<>();

  KernelBodyCopier(SegBodyBuilder kernel) {
    super(kernel.host().cx.names);
    this.kernel = kernel;
  }

  @Override
  public Renamer with(Name free, Name replacement) {
    known.add(free);
    return super.with(free, replacement);
  }

  @Override
  public Name binder(Name bound) {
    known.add(bound);
    return super.binder(bound);
  }

  /**
   * Returns the name in the kernel of a name that the kernel copied or read; null for other names.
   */
  @Nullable Name copy(Name n) {
    return known.contains(n) ? name(n) : null;
  }

  @Override
  public Name name(Name use) {
    if (!known.contains(use)
        && kernel.env().get(use) instanceof LiftedName v
        && v.rep() instanceof ValueRep.Accumulator acc) {
      return acc.current();
    }
    return super.name(use);
  }

  @Override
  public Aux aux(Aux aux) {
    List<Name> certs = new ArrayList<>();
    for (Name c : aux.certs()) {
      LiftedName v = known.contains(c) ? null : kernel.env().get(c);
      if (v != null && v.rep() instanceof ValueRep.Certificate all) {
        kernel.check(all.all());
      } else {
        certs.add(name(c));
      }
    }
    return certs.equals(aux.certs()) ? aux : aux.withCerts(certs);
  }

  @Override
  public Type type(Type t) {
    LiftedAccumulator spread =
        t instanceof Type.Acc acc ? kernel.host().cx.spread(acc.token()) : null;
    return spread == null || !(t instanceof Type.Acc acc)
        ? super.type(t)
        : super.type(new Type.Acc(acc.token(), spread.space(), spread.elems()));
  }

  @Override
  public List<Stm> stms(List<Stm> stms) {
    List<Stm> out = new ArrayList<>();
    for (Stm s : stms) {
      Stm copy = stm(s);
      kernel.host().cx.scope.add(copy);
      LiftedAccumulator spread = s.exp() instanceof BasicOp.UpdateAcc u ? spread(u) : null;
      if (spread != null && copy.exp() instanceof BasicOp.UpdateAcc u) {
        out.addAll(update(copy, u, spread));
      } else {
        out.add(copy);
      }
    }
    return out;
  }

  private @Nullable LiftedAccumulator spread(BasicOp.UpdateAcc u) {
    Type t = kernel.host().type(u.acc());
    LiftedAccumulator spread =
        t instanceof Type.Acc acc ? kernel.host().cx.spread(acc.token()) : null;
    return spread != null && kernel.isWithin(spread.nest()) ? spread : null;
  }

  /** Returns the update of the segment's elements in the shared accumulator. */
  private List<Stm> update(Stm s, BasicOp.UpdateAcc u, LiftedAccumulator spread) {
    Name offsets = spread.offsets();
    if (offsets == null) {
      List<SubExp> index = new ArrayList<>(kernel.at(spread.nest()));
      index.addAll(u.index());
      return List.of(s.withExp(new BasicOp.UpdateAcc(u.inRange(), u.acc(), index, u.values())));
    }
    List<SubExp> dims = kernel.operands(spread.inner());
    List<SubExp> row = kernel.operands(spread.row());
    SubExp segment = kernel.number(spread.nest());
    SegBodyBuilder k = kernel.again();
    // An index outside the segment must not become an index of another segment.
    SubExp inside = SubExp.TRUE;
    for (int d = 0; d < dims.size() && !u.inRange(); d++) {
      inside = k.and(inside, k.compare(CmpOp.Kind.ULT, u.index().get(d), dims.get(d)));
    }
    SubExp size = k.product(row);
    SubExp place = k.times(k.rowMajor(u.index(), dims), size);
    SubExp flat = k.plus(k.element(offsets, segment), place);
    if (row.isEmpty()) {
      SubExp at = u.inRange() ? flat : k.either(inside, Type.I64, x -> flat, x -> SubExp.i64(-1));
      List<Stm> out = new ArrayList<>(k.stms());
      out.add(s.withExp(new BasicOp.UpdateAcc(u.inRange(), u.acc(), List.of(at), u.values())));
      return out;
    }
    SubExp count = u.inRange() ? size : k.either(inside, Type.I64, x -> size, x -> SubExp.i64(0));
    List<Stm> out = new ArrayList<>(k.stms());
    out.add(s.withExp(eachElement(u, s.pat().get(0).type(), flat, count, row)));
    return out;
  }

  /** Returns a loop of updates with the elements of arrays. */
  private Exp eachElement(
      BasicOp.UpdateAcc u, Type acc, SubExp first, SubExp count, List<SubExp> row) {
    HostBuilder host = kernel.host();
    Name j = host.cx.names.fresh("j");
    Param param = new Param(host.cx.names.fresh(u.acc()), acc);
    host.cx.scope.add(j, Type.I64);
    host.cx.scope.addParams(List.of(param));
    SegBodyBuilder k = kernel.again();
    List<SubExp> index = k.unflatten(SubExp.of(j), row);
    List<SubExp> values = new ArrayList<>();
    for (SubExp v : u.values()) {
      values.add(k.element(((SubExp.Var) v).name(), index.toArray(SubExp[]::new)));
    }
    SubExp at = k.plus(first, SubExp.of(j));
    SubExp next =
        k.letExp("acc", acc, new BasicOp.UpdateAcc(true, param.name(), List.of(at), values));
    return new Exp.Loop(
        List.of(new Exp.LoopParam(param, SubExp.of(u.acc()))),
        new Exp.Form.For(j, PrimType.I64, count),
        new Body(k.stms(), List.of(next)));
  }

  @Override
  public Exp exp(Exp e) {
    return ThreadCalls.of(super.exp(e), kernel.host().cx.functions);
  }
}
