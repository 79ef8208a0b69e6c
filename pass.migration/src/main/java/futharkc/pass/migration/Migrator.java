package futharkc.pass.migration;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.LastingArrays;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites host code so that the device evaluates what its placements say. A statement that moves
 * becomes a {@link HostOp.GpuBody} of its own; each scalar that it computes is stored in an array
 * of one element. Whoever uses the scalar on the device reads that element.
 *
 * <p>The rewriting does not rely on the placements: an operand of the host that is on the device
 * only is read where the host needs the operand.
 */
final class Migrator {
  private static final SubExp ONE = SubExp.i64(1);

  private final Placements placements;
  private final LastingArrays lasting;
  private final NameSource names;
  private final Report report;
  private final StoredScalars scalars;
  private final KernelReads kernels;
  private final ElementUpdates updates;
  private final ControlMigrator control;

  Migrator(Placements placements, LastingArrays lasting, NameSource names, Report report) {
    this.placements = placements;
    this.lasting = lasting;
    this.names = names;
    this.report = report;
    this.scalars = new StoredScalars(lasting, names);
    this.kernels = new KernelReads(scalars);
    this.updates = new ElementUpdates(names, report, kernels::reading);
    this.control = new ControlMigrator(placements, scalars, kernels, names, this::stms);
  }

  /** Rewrites the statements of a function's body. The results are on the host. */
  Body function(Body b) {
    List<Stm> out = new ArrayList<>();
    stms(b.stms(), out);
    List<SubExp> results = new ArrayList<>();
    for (SubExp r : b.results()) {
      results.add(scalars.onHost(r, Aux.NONE, out));
    }
    return new Body(out, results);
  }

  private void stms(List<Stm> stms, List<Stm> out) {
    Set<Name> updated = ElementUpdates.updatedBy(stms);
    for (Stm s : stms) {
      stm(s, s.names().stream().anyMatch(updated::contains), out);
    }
  }

  /**
   * Rewrites a statement.
   *
   * @param isChained true if a later statement updates an element of the result
   */
  private void stm(Stm s, boolean isChained, List<Stm> out) {
    if (placements.moves(s)) {
      move(s, out);
      return;
    }
    if (Placements.isRead(s)) {
      report.stays(s, placements.reason(s.pat().get(0).name()));
    }
    switch (s.exp()) {
      case Exp.Match m -> control.match(s, m, out);
      case Exp.Loop l -> control.loop(s, l, out);
      case Exp.WithAcc w -> control.withAcc(s, w, out);
      case SegExp.Seg x -> kernels.kernel(s, x, out);
      case BasicOp.Update u
          when u.slice().isElement()
              && !u.safe()
              && (u.slice().dims().stream()
                      .anyMatch(d -> scalars.isOnlyStored(((Slice.Fix) d).index()))
                  || placements.waits(s)
                  || scalars.isOnlyStored(u.value()) && (isChained || updates.endsAt(u.array()))) ->
          updates.add(s, u, out);
      case BasicOp.Update u
          when scalars.isStored(u.value()) && !u.safe() && u.slice().isElement() ->
          update(s, u, out);
      case BasicOp.Replicate r when scalars.isOnlyStored(r.value()) -> replicate(s, r, out);
      default -> out.add(scalars.hosted(s, out));
    }
  }

  // Statements that move

  private void move(Stm s, List<Stm> out) {
    if (staysInPlace(s)) {
      PatElem p = s.pat().get(0);
      BasicOp.Index x = (BasicOp.Index) s.exp();
      scalars.put(
          p.name(), new StoredScalars.Stored(x, s.aux().certs(), p.type().elemPrim(), false));
      report.inPlace(s);
      return;
    }
    List<Stm> inside = new ArrayList<>();
    Map<Name, SubExp> replaced = scalars.reads(FreeNames.of(s), inside);
    List<PatElem> pat = new ArrayList<>();
    List<Type> types = new ArrayList<>();
    List<SubExp> results = new ArrayList<>();
    List<PatElem> outside = new ArrayList<>();
    List<Stm> after = new ArrayList<>();
    for (PatElem p : s.pat()) {
      Name in = names.fresh(p.name());
      pat.add(new PatElem(in, p.type()));
      results.add(SubExp.of(in));
      types.add(p.type());
      if (!(p.type() instanceof Type.Prim t) || t.prim() == PrimType.UNIT) {
        outside.add(p);
        continue;
      }
      Name array = names.fresh(p.name());
      outside.add(new PatElem(array, StoredScalars.arrayOf(t.prim())));
      boolean read = placements.of(p.name()) != Placement.DEVICE;
      scalars.put(p.name(), StoredScalars.Stored.in(array, t.prim(), read));
      if (read && s.exp() instanceof Exp.Loop l && placements.isGuarded(p.name())) {
        SubExp initial = l.params().get(outside.size() - 1).init();
        Stm reading = new Stm(List.of(p), Aux.at(s.aux().loc()), StoredScalars.element(array));
        after.add(control.conditional(p, control.ran(s, l, after), reading, initial));
      } else if (read) {
        after.add(new Stm(List.of(p), Aux.at(s.aux().loc()), StoredScalars.element(array)));
      }
    }
    SubExp single = single(s);
    if (single != null) {
      results.set(0, new Substitution(replaced).subExp(single));
      types.set(0, ((Type.Array) s.pat().get(0).type()).peel(1));
    } else {
      Stm renamed = new Stm(pat, s.aux(), s.exp());
      inside.add(replaced.isEmpty() ? renamed : new Substitution(replaced).stm(renamed));
    }
    report.moved(s, after.isEmpty());
    out.add(
        new Stm(
            outside, Aux.at(s.aux().loc()), new HostOp.GpuBody(types, new Body(inside, results))));
    out.addAll(after);
  }

  /**
   * Tests whether a statement reads an element that kernels can as well read themselves: the array
   * is there as long as they need it, and the host knows the index.
   */
  private boolean staysInPlace(Stm s) {
    if (!Placements.isRead(s) || placements.of(s.pat().get(0).name()) != Placement.DEVICE) {
      return false;
    }
    BasicOp.Index x = (BasicOp.Index) s.exp();
    return lasting.lasts(x.array())
        && !placements.waits(s)
        && x.slice().dims().stream().noneMatch(d -> scalars.isOnlyStored(((Slice.Fix) d).index()));
  }

  /**
   * Returns the scalar that a statement puts into an array of one dimension and one element, or
   * null.
   */
  private static @Nullable SubExp single(Stm s) {
    if (s.pat().get(0).type().rank() != 1 || !s.aux().certs().isEmpty()) {
      return null;
    }
    return switch (s.exp()) {
      case BasicOp.ArrayLit x when x.elems().size() == 1 && x.row() instanceof Type.Prim ->
          x.elems().get(0);
      case BasicOp.Replicate x when x.shape().equals(List.of(ONE)) -> x.value();
      default -> null;
    };
  }

  // Arrays of the host

  /** Copies an element on the device, instead of a write by the host. */
  private void update(Stm s, BasicOp.Update u, List<Stm> out) {
    List<Slice.Dim> dims = new ArrayList<>(u.slice().dims());
    SubExp last = ((Slice.Fix) dims.removeLast()).index();
    dims.add(new Slice.Range(last, ONE, ONE));
    Name scalar = ((SubExp.Var) u.value()).name();
    StoredScalars.Stored value = scalars.get(scalar);
    Name from;
    if (value.isFirst()) {
      from = scalars.array(value, scalar, s.aux(), out);
    } else {
      // A part of the array itself will do.
      List<Slice.Dim> part = new ArrayList<>(value.element().slice().dims());
      SubExp at = ((Slice.Fix) part.removeLast()).index();
      part.add(new Slice.Range(at, ONE, ONE));
      from = names.fresh(scalar);
      out.add(
          new Stm(
              List.of(new PatElem(from, StoredScalars.arrayOf(value.type()))),
              Aux.at(s.aux().loc()).withCerts(value.certs()),
              new BasicOp.Index(value.element().array(), new Slice(part))));
    }
    BasicOp copy = new BasicOp.Update(false, u.array(), new Slice(dims), SubExp.of(from));
    out.add(scalars.hosted(s.withExp(copy), out));
  }

  private void replicate(Stm s, BasicOp.Replicate r, List<Stm> out) {
    PatElem p = s.pat().get(0);
    Name scalar = ((SubExp.Var) r.value()).name();
    StoredScalars.Stored value = scalars.get(scalar);
    List<SubExp> shape = new ArrayList<>(r.shape());
    if (shape.isEmpty()) {
      out.add(scalars.hosted(s, out));
      return;
    }
    shape.add(ONE);
    Name wide = names.fresh(p.name());
    BasicOp copies =
        new BasicOp.Replicate(r.shape(), SubExp.of(scalars.array(value, scalar, s.aux(), out)));
    Type type = Type.array(Type.prim(value.type()), shape);
    out.add(scalars.hosted(new Stm(List.of(new PatElem(wide, type)), s.aux(), copies), out));
    BasicOp view = new BasicOp.Reshape(false, wide, r.shape());
    out.add(scalars.hosted(new Stm(s.pat(), s.aux(), view), out));
  }
}
