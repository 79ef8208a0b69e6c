package futharkc.pass.migration;

import futharkc.core.ir.Exp;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.SegLevel;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegResult;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The variables that the host must have to run IR on either side: sizes in types, index spaces,
 * grids, and neutral elements of parallel operations.
 */
final class Sizes extends Mapper {
  private final Set<Name> found = new LinkedHashSet<>();

  private Sizes() {}

  /** Returns the sizes that the types of a statement's pattern mention. */
  static Set<Name> ofPattern(Stm s) {
    Sizes sizes = new Sizes();
    s.pat().forEach(sizes::patElem);
    return sizes.found;
  }

  /** Returns the sizes that a type mentions. */
  static Set<Name> of(Type t) {
    Sizes sizes = new Sizes();
    sizes.type(t);
    return sizes.found;
  }

  /** Returns the sizes and other values of the host that an expression mentions at any depth. */
  static Set<Name> of(Exp e) {
    Sizes sizes = new Sizes();
    sizes.exp(e);
    return sizes.found;
  }

  private void note(SubExp e) {
    if (e instanceof SubExp.Var v) {
      found.add(v.name());
    }
  }

  private void note(List<SubExp> es) {
    es.forEach(this::note);
  }

  @Override
  public Type type(Type t) {
    switch (t) {
      case Type.Prim _, Type.Mem _ -> {}
      case Type.Array a -> note(a.shape());
      case Type.Acc a -> note(a.space());
    }
    return super.type(t);
  }

  @Override
  public SegSpace segSpace(SegSpace s) {
    note(s.shape());
    return super.segSpace(s);
  }

  @Override
  public SegOp segOp(SegOp op) {
    level(op.level());
    switch (op) {
      case SegOp.SegMap _ -> {}
      case SegOp.SegRed r -> r.ops().forEach(this::operator);
      case SegOp.SegScan s -> s.ops().forEach(this::operator);
      case SegOp.SegHist h -> {
        for (SegOp.SegHistOp o : h.ops()) {
          note(o.shape());
          note(o.raceFactor());
          note(o.neutral());
          note(o.opShape());
        }
      }
    }
    return super.segOp(op);
  }

  @Override
  public SegResult segResult(SegResult r) {
    switch (r) {
      case SegResult.Returns _, SegResult.Checked _ -> {}
      case SegResult.TileReturns x -> x.dims().forEach(d -> note(List.of(d.size(), d.tile())));
      case SegResult.RegTileReturns x ->
          x.dims().forEach(d -> note(List.of(d.size(), d.block(), d.reg())));
    }
    return super.segResult(r);
  }

  private void level(SegLevel level) {
    SegLevel.Grid grid =
        switch (level) {
          case SegLevel.Thread t -> t.grid();
          case SegLevel.Block b -> b.grid();
          case SegLevel.Cores _, SegLevel.ThreadInBlock _ -> null;
        };
    if (grid == null) {
      return;
    }
    note(grid.blocks());
    note(grid.blockSize());
  }

  private void operator(SegOp.SegBinOp o) {
    note(o.neutral());
    note(o.shape());
  }

  @Override
  public Exp exp(Exp e) {
    if (e instanceof Exp.WithAcc w) {
      for (Exp.AccInput in : w.inputs()) {
        note(in.space());
        if (in.op() != null) {
          note(in.op().neutral());
        }
      }
    }
    return super.exp(e);
  }
}
