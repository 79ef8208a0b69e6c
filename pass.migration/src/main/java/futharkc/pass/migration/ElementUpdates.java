package futharkc.pass.migration;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.SegBody;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegLevel;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegResult;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.SegVirt;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Updates of elements at indices that only the device has. A kernel of one thread writes the
 * elements in place, as a scatter does; the host reads no index. Updates that follow each other are
 * one kernel.
 *
 * <p>Before:
 *
 * <pre>
 * let {ys: [n]i64} = xs with [i] = v
 * </pre>
 *
 * <p>After, if {@code i} is the element of {@code i'}:
 *
 * <pre>
 * let {ys: [n]i64} = with_acc acc([n], {xs}) do \{token: unit, acc: ...} -> {...} {
 *   let {written: ...} = segmap thread [one &lt; 1] do {...} {
 *     let {i: i64} = i'[0]
 *     let {next: ...} = update_acc(acc, [i], {v})
 *     in {next}
 *   }
 *   in {written}
 * }
 * </pre>
 */
final class ElementUpdates {
  private final NameSource names;
  private final Report report;
  private final UnaryOperator<SegOp> reading;

  /** The updates of kernels, by the array that the kernel returns. */
  private final Map<Name, Kernel> kernels = new HashMap<>();

  /** An update of one element. */
  private record Update(List<SubExp> index, SubExp value) {}

  /** The updates of a kernel in order, and the kernel's statement. */
  private record Kernel(Name array, List<Update> updates, Stm stm) {}

  /**
   * Updates of one function.
   *
   * @param reading lets a parallel operation read the scalars that only the device has
   */
  ElementUpdates(NameSource names, Report report, UnaryOperator<SegOp> reading) {
    this.names = names;
    this.report = report;
    this.reading = reading;
  }

  /** Tests whether a kernel of updates returns an array. */
  boolean endsAt(Name array) {
    return kernels.containsKey(array);
  }

  /** Returns the arrays of which statements update elements. */
  static Set<Name> updatedBy(List<Stm> stms) {
    Set<Name> arrays = new HashSet<>();
    for (Stm s : stms) {
      if (s.exp() instanceof BasicOp.Update u && u.slice().isElement() && !u.safe()) {
        arrays.add(u.array());
      }
    }
    return arrays;
  }

  /** Adds an update to the statements of a body. */
  void add(Stm s, BasicOp.Update u, List<Stm> out) {
    report.updated(s);
    List<SubExp> index = u.slice().dims().stream().map(d -> ((Slice.Fix) d).index()).toList();
    List<Update> updates = new ArrayList<>();
    Name array = u.array();
    List<Name> certs = new ArrayList<>(s.aux().certs());
    Kernel before = kernels.get(u.array());
    if (before != null && mayFollow(before, out)) {
      out.remove(before.stm);
      updates.addAll(before.updates);
      array = before.array;
      certs.addAll(before.stm.aux().certs());
    }
    updates.add(new Update(index, u.value()));
    Stm kernel = kernel(s, certs, array, updates);
    kernels.put(s.pat().get(0).name(), new Kernel(array, updates, kernel));
    out.add(kernel);
  }

  /** Tests whether a kernel may move to the end, where nothing has used its result. */
  private static boolean mayFollow(Kernel before, List<Stm> out) {
    int at = out.indexOf(before.stm);
    if (at < 0) {
      return false;
    }
    Name array = before.stm.pat().get(0).name();
    for (Stm s : out.subList(at + 1, out.size())) {
      if (!(s.exp() instanceof BasicOp || s.exp() instanceof HostOp.GpuBody)
          || s.exp() instanceof BasicOp.Update
          || s.exp() instanceof BasicOp.Assert
          || FreeNames.of(s).contains(array)) {
        return false;
      }
    }
    return true;
  }

  private Stm kernel(Stm s, List<Name> certs, Name array, List<Update> updates) {
    PatElem p = s.pat().get(0);
    List<SubExp> space = p.type().dims();
    Type elem = Type.prim(p.type().elemPrim());
    Name token = names.fresh("token");
    Type type = new Type.Acc(token, space, List.of(elem));
    Name acc = names.fresh("acc");
    Name last = acc;
    List<Stm> stms = new ArrayList<>();
    for (Update u : updates) {
      Name next = names.fresh("acc");
      BasicOp write = new BasicOp.UpdateAcc(false, last, u.index, List.of(u.value));
      stms.add(new Stm(List.of(new PatElem(next, type)), s.aux().withCerts(List.of()), write));
      last = next;
    }
    SegOp op =
        new SegOp.SegMap(
            new SegLevel.Thread(SegVirt.NO_VIRT, null),
            new SegSpace(
                names.fresh("flat"), List.of(new SegSpace.Dim(names.fresh("one"), SubExp.i64(1)))),
            List.of(type),
            new SegBody(stms, List.of(new SegResult.Returns(SubExp.of(last)))));
    Name written = names.fresh("acc");
    Stm map =
        new Stm(
            List.of(new PatElem(written, type)),
            s.aux().withCerts(List.of()),
            new SegExp.Seg(reading.apply(op)));
    Lambda lambda =
        new Lambda(
            List.of(new Param(token, Type.UNIT), new Param(acc, type)),
            new Body(List.of(map), List.of(SubExp.of(written))),
            List.of(type));
    Exp.AccInput input = new Exp.AccInput(space, List.of(array), null);
    return new Stm(s.pat(), s.aux().withCerts(certs), new Exp.WithAcc(List.of(input), lambda));
  }
}
