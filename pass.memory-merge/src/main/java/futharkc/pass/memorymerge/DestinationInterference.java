package futharkc.pass.memorymerge;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.memory.Access;
import futharkc.core.ir.memory.BlockAliases;
import futharkc.core.ir.memory.FunctionMemory;
import futharkc.core.ir.memory.Web;
import futharkc.core.ir.symbolic.Bounds;
import futharkc.core.ir.symbolic.NonOverlap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An interference analysis for the destination of a copy, from the computation of the array to the
 * copy. It walks backwards from the copy, and tracks which of the moving blocks hold elements that
 * will be copied (live blocks). While a block is live, no other access may touch the destination.
 * No second block may be live, because both would occupy the destination.
 */
final class DestinationInterference {
  private final FunctionMemory table;
  private final BlockAliases aliases;
  private final NonOverlap prover;
  private final Web web;
  private final ArrayMem to;
  private final Map<Name, ArrayMem> moved;
  private final Bounds known;
  private final Set<Name> apart;
  private final RelevantAccesses touched;
  private final Map<Part, Boolean> proofs = new HashMap<>();
  private @Nullable String refusal;

  /** True if the interference is an access to the moving blocks, which reordering cannot avoid. */
  private boolean isRefusedAnyway;

  /** The region of an access. Equal regions of several arrays need one proof. */
  private record Part(PrimType elem, Lmad region) {}

  /**
   * The number of enclosing loops of the current statement that compute the array anew. In such a
   * loop, earlier statements of the body also run after it, in the next iteration.
   */
  private int loops;

  /**
   * Creates an analysis for a destination.
   *
   * @param to the destination
   * @param moved the future memory of the arrays in the moving blocks
   * @param apart the arrays that are disjoint from the destination
   * @param touched the accesses that concern the moving blocks or may concern the destination
   */
  DestinationInterference(
      FunctionMemory table,
      BlockAliases aliases,
      Bounds known,
      Web web,
      ArrayMem to,
      Map<Name, ArrayMem> moved,
      Set<Name> apart,
      RelevantAccesses touched) {
    this.table = table;
    this.aliases = aliases;
    this.prover = new NonOverlap(known);
    this.known = known;
    this.moved = moved;
    this.web = web;
    this.to = to;
    this.apart = apart;
    this.touched = touched;
  }

  /** Returns the reason for which the destination is not free; null if it is free. */
  @Nullable String refusal() {
    return refusal;
  }

  /** Tests whether the destination would still not be free after a reordering of statements. */
  boolean isRefusedAnyway() {
    return isRefusedAnyway;
  }

  /**
   * Tests whether the destination is free from the computation of a block's contents up to a
   * position.
   *
   * @param first the position of the first statement that accesses the moving blocks
   * @param allocated the moving blocks that these statements allocate
   */
  boolean isFree(List<Stm> stms, int first, int end, Name block, Set<Name> allocated) {
    refusal = null;
    isRefusedAnyway = false;
    loops = 0;
    Map<Stm, Set<Name>> made = made(touched.in(stms, first, end), allocated, touched::by);
    List<Stm> all = touched.in(stms, 0, end);
    Set<Name> live = walk(all, made, Set.of(block), touched::by, false);
    if (refusal != null) {
      return false;
    }
    if (!live.isEmpty()) {
      refuse(live.iterator().next() + " is created outside of the body");
    }
    return refusal == null;
  }

  private Set<Name> refuse(String why) {
    if (refusal == null) {
      refusal = why;
    }
    return Set.of();
  }

  /**
   * Returns the live blocks before some statements.
   *
   * @param made the blocks that each statement accesses first
   * @param after the live blocks after the statements
   * @param touching returns the relevant accesses of a statement; null if it has none
   * @param whole true to examine all statements, even those before which no block is live; in a
   *     loop, the next iteration may use what they read
   */
  private Set<Name> walk(
      List<Stm> stms,
      Map<Stm, Set<Name>> made,
      Set<Name> after,
      Function<Stm, @Nullable List<Access>> touching,
      boolean whole) {
    Set<Name> live = after;
    for (int i = stms.size() - 1; i >= 0 && refusal == null && (whole || !live.isEmpty()); i--) {
      Stm s = stms.get(i);
      List<Access> accesses = touching.apply(s);
      if (accesses == null) {
        continue;
      }
      if (s.exp() instanceof MemOp.Alloc) {
        live = without(live, s.names());
        continue;
      }
      Set<Name> mine = made.getOrDefault(s, Set.of());
      Set<Name> earlier = before(s, accesses, live);
      if (refusal != null && !live.isEmpty() && live.equals(mine)) {
        earlier = over(s, live.iterator().next());
      }
      isRefusedAnyway =
          refusal != null && accesses.stream().anyMatch(a -> web.blocks().contains(a.block()));
      live = without(earlier, mine);
    }
    return live;
  }

  private static Set<Name> without(Set<Name> blocks, Collection<Name> some) {
    if (Collections.disjoint(blocks, some)) {
      return blocks;
    }
    Set<Name> rest = new HashSet<>(blocks);
    rest.removeAll(some);
    return rest;
  }

  /** Returns the first statement that accesses each of some blocks. */
  private Map<Stm, Set<Name>> made(
      List<Stm> stms, Set<Name> blocks, Function<Stm, @Nullable List<Access>> touching) {
    Map<Stm, Set<Name>> made = new IdentityHashMap<>();
    Set<Name> waiting = new HashSet<>(blocks);
    for (Stm s : stms) {
      if (waiting.isEmpty()) {
        break;
      }
      List<Access> accesses = touching.apply(s);
      if (accesses == null) {
        continue;
      }
      for (Access a : accesses) {
        if (waiting.remove(a.block())) {
          made.computeIfAbsent(s, k -> new HashSet<>()).add(a.block());
        }
      }
    }
    return made;
  }

  /** Returns the live blocks before a nested body. */
  private Set<Name> walk(Body b, Set<Name> after) {
    Set<Name> allocated = new HashSet<>();
    for (Stm s : b.stms()) {
      if (s.exp() instanceof MemOp.Alloc) {
        allocated.addAll(s.names());
      }
    }
    allocated.retainAll(web.blocks());
    Map<Stm, Set<Name>> made = made(b.stms(), allocated, table.accesses()::of);
    return walk(b.stms(), made, after, table.accesses()::of, true);
  }

  /** Returns the live blocks before a statement. */
  private Set<Name> before(Stm s, List<Access> accesses, Set<Name> live) {
    return switch (s.exp()) {
      case Exp.Match m -> match(s, m, live);
      case Exp.Loop l when binds(s, live) -> loop(s, l, live);
      default -> touched(accesses, live);
    };
  }

  private boolean binds(Stm s, Set<Name> names) {
    return names.stream().anyMatch(n -> table.result(s, n) >= 0);
  }

  private Set<Name> touched(List<Access> accesses, Set<Name> live) {
    Set<Name> needed = live;
    for (Access a : accesses) {
      if (web.blocks().contains(a.block())) {
        if (needed.contains(a.block())) {
          continue;
        }
        needed = new HashSet<>(needed);
        needed.add(a.block());
      } else if ((!live.isEmpty() || loops > 0) && overlaps(a)) {
        return refuse(a.array() + (a.write() ? " is written" : " is read") + " before the copy");
      }
    }
    return alone(needed);
  }

  /** Refuses if several blocks are live, because all of them would occupy the destination. */
  private Set<Name> alone(Set<Name> needed) {
    return needed.size() > 1 ? refuse("several arrays are live at the same time") : needed;
  }

  /**
   * Returns the live blocks before a statement that computes an array in the memory of its
   * operands; refuses if it may not do so.
   */
  private Set<Name> over(Stm s, Name block) {
    Predicate<Access> mine = a -> isIn(a, block);
    Predicate<Access> other = a -> !isIn(a, block) && mayBeThere(a);
    Set<Name> needed = new HashSet<>();
    for (Access a : table.accesses().of(s)) {
      if (isIn(a, block)) {
        continue;
      }
      if (web.blocks().contains(a.block())) {
        needed.add(a.block());
      }
      // The next iteration would read what this iteration has stored in the destination.
      else if (loops > 0 && overlaps(a)) {
        return Set.of();
      }
    }
    InPlaceOverwriteAnalysis overwrite =
        new InPlaceOverwriteAnalysis(
            table, moved, null, mine, other, new InPlaceOverwriteAnalysis.Tried());
    if (!overwrite.isOrdered(s, known)) {
      return Set.of();
    }
    refusal = null;
    return needed;
  }

  private boolean isIn(Access a, Name block) {
    ArrayMem m = table.place(a.array());
    return m != null && m.block().equals(block);
  }

  private boolean mayBeThere(Access a) {
    return aliases.maySameAtOnce(a.block(), to.block());
  }

  private boolean overlaps(Access a) {
    if (!mayBeThere(a) || apart.contains(a.array())) {
      return false;
    }
    Lmad region = a.region();
    if (region == null) {
      return true;
    }
    PrimType elem = table.elem(a.array());
    if (table.areDisjointAtOnce(web.elem(), to.lmad(), elem, region)) {
      return false;
    }
    Part part = new Part(elem, region);
    return !proofs.computeIfAbsent(
        part, p -> table.areDisjoint(prover, web.elem(), to.lmad(), p.elem, p.region));
  }

  private Set<Name> match(Stm s, Exp.Match m, Set<Name> live) {
    Set<Name> needed = new HashSet<>();
    List<Body> bodies = new ArrayList<>();
    for (Exp.Case c : m.cases()) {
      bodies.add(c.body());
    }
    bodies.add(m.otherwise());
    for (Body b : bodies) {
      Set<Name> inside = new HashSet<>();
      for (Name n : live) {
        int at = table.result(s, n);
        if (at < 0) {
          inside.add(n);
        } else if (b.results().get(at) instanceof SubExp.Var v) {
          inside.add(v.name());
        }
      }
      needed.addAll(walk(b, inside));
    }
    return alone(needed);
  }

  private Set<Name> loop(Stm s, Exp.Loop l, Set<Name> live) {
    int at = table.result(s, live.iterator().next());
    Name param = l.params().get(at).param().name();
    if (!(l.body().results().get(at) instanceof SubExp.Var next)
        || !(l.params().get(at).init() instanceof SubExp.Var init)) {
      return refuse("a loop's block is no variable");
    }
    loops++;
    Set<Name> top = new HashSet<>(walk(l.body(), Set.of(next.name())));
    loops--;
    top.remove(param);
    if (!top.isEmpty()) {
      return refuse("a loop uses the destination for another array");
    }
    return Set.of(init.name());
  }
}
