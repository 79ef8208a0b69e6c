package futharkc.pass.strategies;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.SegBody;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.Stm;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.FreeNamesOfStms;
import futharkc.core.ir.spi.Decisions;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Remark;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A search for statements in the bodies of maps and reductions on CPU cores that do not depend on
 * the innermost index. The pass moves them to the start of the body and records their number;
 * lowering puts them at the start of the innermost loop, and {@code loop-invariant-motion} moves
 * them before the loop.
 *
 * <pre>{@code
 * segmap cores [i < n, j < m] do {          segmap cores [i < n, j < m] do {
 *   let y = ys[i, j]                          let x = xs[i]
 *   let x = xs[i]                       =>    let y = ys[i, j]
 *   let z = x + y                             let z = x + y
 *   in z }                                    in z } invariant 1
 * }</pre>
 *
 * <p>An invariant statement may fail, since a segment that runs is not empty. If an array in a new
 * block would be invariant, but a variant statement writes to the block, the array stays.
 *
 * <p>Known gaps: statements with bodies, and the bodies of scans and histograms.
 */
public final class InvariantStatementsPass implements Pass.OnFunction {
  /** Creates the pass; {@code ServiceLoader} needs this constructor. */
  public InvariantStatementsPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "invariant-statements",
            "finds statements of maps and reductions that do not depend on the innermost index",
            Rep.MC_MEM)
        .after("mc-mem-late");
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public FunDef run(FunDef function, Program program, PassContext context) {
    Decisions decisions = new Decisions(context, function.name());
    Mapper annotation =
        new Mapper() {
          @Override
          public Stm stm(Stm statement) {
            Stm s = super.stm(statement);
            return s.exp() instanceof SegExp.ParOp p ? annotated(s, p, decisions) : s;
          }
        };
    Body body = annotation.body(function.body());
    return body == function.body() ? function : function.withBody(body, function.nextTag());
  }

  private static Stm annotated(Stm s, SegExp.ParOp p, Decisions decisions) {
    boolean fits = p.op() instanceof SegOp.SegMap || p.op() instanceof SegOp.SegRed;
    if (!fits || p.invariant() > 0) {
      return s;
    }
    List<Stm> stms = p.op().body().stms();
    Name index = p.op().space().dims().getLast().index();
    Partition parts = partition(stms, Set.of(index, p.op().space().flat()));
    int invariant = parts.early.size();
    if (invariant == 0 || !decisions.mayGoOn()) {
      return s;
    }
    decisions.count();
    decisions.say(
        Remark.Kind.APPLIED,
        s.aux().loc(),
        invariant + " statements do not depend on the innermost index");
    List<Stm> all = new ArrayList<>(parts.early);
    all.addAll(parts.late);
    SegBody body = new SegBody(all, p.op().body().results());
    SegOp op = p.op().withBody(body);
    return s.withExp(new SegExp.ParOp(op, p.nested(), p.choice(), invariant));
  }

  /**
   * The statements that are invariant under some names and may be evaluated early, and the rest.
   */
  private record Partition(List<Stm> early, List<Stm> late) {}

  /** Partitions statements by whether they depend on one of the names. */
  private static Partition partition(List<Stm> stms, Set<Name> names) {
    Set<Name> pinned = new HashSet<>();
    FreeNamesOfStms free = new FreeNamesOfStms();
    while (true) {
      Set<Name> variant = new HashSet<>(names);
      variant.addAll(pinned);
      List<Stm> early = new ArrayList<>();
      List<Stm> late = new ArrayList<>();
      for (Stm s : stms) {
        boolean depends = !isPure(s);
        for (Name n : s.names()) {
          depends |= pinned.contains(n);
        }
        if (!depends) {
          for (Name n : free.of(s)) {
            depends |= variant.contains(n);
          }
        }
        if (depends) {
          variant.addAll(s.names());
        }
        (depends ? late : early).add(s);
      }
      Set<Name> written = new HashSet<>();
      for (Stm s : early) {
        if (s.exp() instanceof MemOp.Alloc) {
          written.addAll(s.names());
        }
      }
      if (!written.isEmpty()) {
        written.retainAll(writtenBy(late));
      }
      if (written.isEmpty()) {
        return new Partition(early, late);
      }
      pinned.addAll(written);
    }
  }

  /** Returns the blocks that statements may write. */
  private static Set<Name> writtenBy(List<Stm> stms) {
    Set<Name> blocks = new HashSet<>();
    Mapper find =
        new Mapper() {
          @Override
          public Stm stm(Stm s) {
            if (!onlyRenames(s.exp())) {
              for (PatElem p : s.pat()) {
                if (p.type() instanceof Type.Array a && a.mem() != null) {
                  blocks.add(a.mem().block());
                }
              }
              if (s.exp() instanceof Exp.Loop
                  || s.exp() instanceof Exp.Match
                  || s.exp() instanceof Exp.Apply) {
                blocks.addAll(FreeNames.of(s.exp()));
              }
            }
            return super.stm(s);
          }
        };
    for (Stm s : stms) {
      find.stm(s);
    }
    return blocks;
  }

  private static boolean onlyRenames(Exp e) {
    return e instanceof BasicOp.Index
        || e instanceof BasicOp.FlatIndex
        || e instanceof BasicOp.Rearrange
        || e instanceof BasicOp.Reshape
        || e instanceof BasicOp.SubExpOp;
  }

  /** Tests whether a statement has no effects and depends only on its operands. */
  private static boolean isPure(Stm s) {
    if (s.exp() instanceof MemOp.Alloc) {
      return true;
    }
    if (!(s.exp() instanceof BasicOp op)) {
      return false;
    }
    return switch (op) {
      case BasicOp.SubExpOp x -> s.pat().get(0).type() instanceof Type.Prim;
      case BasicOp.BinOpExp x -> true;
      case BasicOp.UnOpExp x -> true;
      case BasicOp.CmpOpExp x -> true;
      case BasicOp.ConvOpExp x -> true;
      case BasicOp.PrimFunExp x -> true;
      case BasicOp.UserParam x -> true;
      case BasicOp.Assert x -> true;
      case BasicOp.Index x -> true;
      case BasicOp.FlatIndex x -> true;
      case BasicOp.Rearrange x -> true;
      case BasicOp.Reshape x -> true;
      case BasicOp.Concat x -> true;
      case BasicOp.ArrayLit x -> true;
      case BasicOp.ArrayVal x -> true;
      case BasicOp.Iota x -> true;
      case BasicOp.Replicate x -> true;
      case BasicOp.Manifest x -> true;
      case BasicOp.Scratch x -> false;
      case BasicOp.Opaque x -> false;
      case BasicOp.Update x -> false;
      case BasicOp.FlatUpdate x -> false;
      case BasicOp.UpdateAcc x -> false;
    };
  }
}
