package futharkc.pass.memorymerge;

import futharkc.core.ir.Body;
import futharkc.core.ir.BoundNames;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Motion of allocations out of the innermost loops of kernels. The memory of such a block exists
 * while the kernel runs, so early allocation costs nothing, and lets arrays of several loops share
 * one block:
 *
 * <pre>{@code
 * loop ... { let m0 = alloc(8 * n) ... }         let m0 = alloc(8 * n)
 * loop ... { let m1 = alloc(8 * n) ... }    =>   let m1 = alloc(8 * n)
 *                                                loop ... { ... }
 *                                                loop ... { ... }
 * }</pre>
 *
 * <p>One run moves allocations only out of loops at the greatest depth with movable allocations.
 * The moved allocations then are next to those of the outer loop. If both moved at once, the blocks
 * would be live across iterations of the outer loop.
 *
 * <p>Blocks that an iteration passes to the next stay, and so do blocks whose size the kernel
 * computes.
 */
final class LoopAllocations extends Mapper {
  private final Set<Name> operands = new HashSet<>();

  /** True if blocks may be passed on without being operands. */
  private boolean renames;

  /** The names bound in the current kernel; empty outside of kernels. */
  private Set<Name> inside = Set.of();

  /** The number of the kernel's loops around the current statements. */
  private int depth;

  /** The greatest depth of a loop with movable allocations. */
  private int deepest;

  /** The depth of the loops to rewrite. */
  private int changed;

  /**
   * Returns the function with fewer allocations in loops; the function itself if there is nothing
   * to move.
   */
  static FunDef moved(FunDef f) {
    LoopAllocations all = new LoopAllocations();
    new Mapper() {
      @Override
      public SubExp subExp(SubExp e) {
        if (e instanceof SubExp.Var v) {
          all.operands.add(v.name());
        }
        return e;
      }

      @Override
      public Exp exp(Exp e) {
        all.renames |= e instanceof MemOp.EnsureDirect;
        return super.exp(e);
      }
    }.fun(f);
    if (all.renames) {
      return f;
    }
    all.fun(f);
    all.changed = all.deepest;
    return all.deepest == 0 ? f : all.fun(f);
  }

  @Override
  public Stm stm(Stm s) {
    if (!(s.exp() instanceof SegExp) || !inside.isEmpty()) {
      return super.stm(s);
    }
    inside = new HashSet<>(BoundNames.of(s));
    Stm now = super.stm(s);
    inside = Set.of();
    return now;
  }

  @Override
  public List<Stm> stms(List<Stm> stms) {
    if (inside.isEmpty()) {
      return super.stms(stms);
    }
    List<Stm> out = new ArrayList<>();
    boolean same = true;
    for (Stm s : stms) {
      Stm now = s.exp() instanceof Exp.Loop ? loop(s, out) : stm(s);
      same &= now == s;
      out.add(now);
    }
    return same ? stms : out;
  }

  /** Returns a loop without the allocations that move before it. */
  private Stm loop(Stm s, List<Stm> before) {
    depth++;
    Stm now = stm(s);
    Exp.Loop l = (Exp.Loop) now.exp();
    List<Stm> moving = l.body().stms().stream().filter(this::mayMove).toList();
    if (!moving.isEmpty()) {
      deepest = Math.max(deepest, depth);
    }
    if (depth-- != changed || moving.isEmpty()) {
      return now;
    }
    before.addAll(moving);
    List<Stm> rest = l.body().stms().stream().filter(t -> !mayMove(t)).toList();
    return now.withExp(new Exp.Loop(l.params(), l.form(), new Body(rest, l.body().results())));
  }

  private boolean mayMove(Stm s) {
    return s.exp() instanceof MemOp.Alloc a
        && !operands.contains(s.names().get(0))
        && !(a.size() instanceof SubExp.Var v && inside.contains(v.name()))
        && Collections.disjoint(s.aux().certs(), inside);
  }
}
