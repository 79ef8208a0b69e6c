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
 * Moves what the innermost loops in kernels allocate before these loops. The kernel has room for it
 * from its start to its end anyway, and then arrays of several loops may be in one block:
 *
 * <pre>{@code
 * loop ... { let m0 = alloc(8 * n) ... }         let m0 = alloc(8 * n)
 * loop ... { let m1 = alloc(8 * n) ... }    =>   let m1 = alloc(8 * n)
 *                                                loop ... { ... }
 *                                                loop ... { ... }
 * }</pre>
 *
 * <p>Only loops at the greatest depth at which there is something to move are looked at, so that
 * what an inner loop has allocated comes to stand beside what the outer one allocates, and not
 * before both: there it would be in use from each iteration to the next.
 *
 * <p>Blocks that an iteration passes on stay, and so do those of which the kernel computes the
 * size.
 */
final class LoopAllocations extends Mapper {
  private final Set<Name> operands = new HashSet<>();

  /** Whether something passes on blocks that are no operands. */
  private boolean renames;

  /** What the kernel being looked at binds; nothing outside of kernels. */
  private Set<Name> inside = Set.of();

  /** In how many loops of the kernel the statements are that are being looked at. */
  private int depth;

  /** The greatest depth of a loop seen so far that allocates what may move. */
  private int deepest;

  /** The depth of the loops that are changed. */
  private int changed;

  /** The function with fewer allocations in loops; itself if there is nothing to move. */
  static FunDef moved(FunDef f) {
    LoopAllocations all = new LoopAllocations();
    new Mapper() {
      @Override
      public SubExp subExp(SubExp e) {
        if (e instanceof SubExp.Var v) all.operands.add(v.name());
        return e;
      }

      @Override
      public Exp exp(Exp e) {
        all.renames |= e instanceof MemOp.EnsureDirect;
        return super.exp(e);
      }
    }.fun(f);
    if (all.renames) return f;
    all.fun(f);
    all.changed = all.deepest;
    return all.deepest == 0 ? f : all.fun(f);
  }

  @Override
  public Stm stm(Stm s) {
    if (!(s.exp() instanceof SegExp) || !inside.isEmpty()) return super.stm(s);
    inside = new HashSet<>(BoundNames.of(s));
    Stm now = super.stm(s);
    inside = Set.of();
    return now;
  }

  @Override
  public List<Stm> stms(List<Stm> stms) {
    if (inside.isEmpty()) return super.stms(stms);
    List<Stm> out = new ArrayList<>();
    boolean same = true;
    for (Stm s : stms) {
      Stm now = s.exp() instanceof Exp.Loop ? loop(s, out) : stm(s);
      same &= now == s;
      out.add(now);
    }
    return same ? stms : out;
  }

  /** A loop, without the allocations that go before it. */
  private Stm loop(Stm s, List<Stm> before) {
    depth++;
    Stm now = stm(s);
    Exp.Loop l = (Exp.Loop) now.exp();
    List<Stm> moving = l.body().stms().stream().filter(this::mayMove).toList();
    if (!moving.isEmpty()) deepest = Math.max(deepest, depth);
    if (depth-- != changed || moving.isEmpty()) return now;
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
