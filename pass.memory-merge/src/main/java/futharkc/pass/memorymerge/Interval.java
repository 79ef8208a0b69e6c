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
 * Whether the destination of a copy is free from the moment that the array is made: goes backwards
 * from the copy, knowing which of the blocks that move holds what will be copied. While one does,
 * nobody else may touch the place, and no other of the blocks either, since they would be in it
 * together.
 */
final class Interval {
  private final FunctionTable table;
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

  /** Whether it is a statement that touches the blocks that refuses: in any order. */
  private boolean isRefusedAnyway;

  /** What is accessed: the same elements of arrays of several names need one proof. */
  private record Part(PrimType elem, Lmad region) {}

  /**
   * How many loops around the statement being looked at make the array anew: what comes before that
   * in the body comes after it, in the next iteration.
   */
  private int loops;

  /**
   * Of a place.
   *
   * @param moved where the arrays of the blocks would be
   * @param apart arrays that have no element in the place
   * @param touched what statements of the body access, as far as it is of the blocks or may be of
   *     the place
   */
  Interval(
      FunctionTable table,
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

  /** Why the place is not free. */
  @Nullable String refusal() {
    return refusal;
  }

  /** Whether the place would not be free after other statements have moved up, either. */
  boolean isRefusedAnyway() {
    return isRefusedAnyway;
  }

  /**
   * Whether the place is free from where the block's contents are made up to a position.
   *
   * @param first before this one, nothing touches the blocks
   * @param allocated those of the blocks that these statements allocate
   */
  boolean isFree(List<Stm> stms, int first, int end, Name block, Set<Name> allocated) {
    refusal = null;
    isRefusedAnyway = false;
    loops = 0;
    Map<Stm, Set<Name>> made = made(touched.in(stms, first, end), allocated, touched::by);
    List<Stm> all = touched.in(stms, 0, end);
    Set<Name> live = walk(all, made, Set.of(block), touched::by, false);
    if (refusal != null) return false;
    if (!live.isEmpty()) refuse(live.iterator().next() + " is made outside");
    return refusal == null;
  }

  private Set<Name> refuse(String why) {
    if (refusal == null) refusal = why;
    return Set.of();
  }

  /**
   * The blocks that hold what is needed before some statements.
   *
   * @param made the blocks that each statement is the first to touch
   * @param touching what they access, as far as it matters
   * @param whole whether to look at all of them, not only back to where nothing is needed any more:
   *     in a loop, what is read before that is needed by the next iteration
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
      if (accesses == null) continue;
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
    if (Collections.disjoint(blocks, some)) return blocks;
    Set<Name> rest = new HashSet<>(blocks);
    rest.removeAll(some);
    return rest;
  }

  /** The first statement that touches each of some blocks. */
  private Map<Stm, Set<Name>> made(
      List<Stm> stms, Set<Name> blocks, Function<Stm, @Nullable List<Access>> touching) {
    Map<Stm, Set<Name>> made = new IdentityHashMap<>();
    Set<Name> waiting = new HashSet<>(blocks);
    for (Stm s : stms) {
      if (waiting.isEmpty()) break;
      List<Access> accesses = touching.apply(s);
      if (accesses == null) continue;
      for (Access a : accesses) {
        if (waiting.remove(a.block())) {
          made.computeIfAbsent(s, k -> new HashSet<>()).add(a.block());
        }
      }
    }
    return made;
  }

  /** The blocks needed before a body inside of a statement. */
  private Set<Name> walk(Body b, Set<Name> after) {
    Set<Name> allocated = new HashSet<>();
    for (Stm s : b.stms()) {
      if (s.exp() instanceof MemOp.Alloc) allocated.addAll(s.names());
    }
    allocated.retainAll(web.blocks());
    Map<Stm, Set<Name>> made = made(b.stms(), allocated, table.accesses::of);
    return walk(b.stms(), made, after, table.accesses::of, true);
  }

  /** The blocks that hold what is needed before a statement. */
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
        if (needed.contains(a.block())) continue;
        needed = new HashSet<>(needed);
        needed.add(a.block());
      } else if ((!live.isEmpty() || loops > 0) && overlaps(a)) {
        return refuse(a.array() + (a.write() ? " is written" : " is read") + " meanwhile");
      }
    }
    return alone(needed);
  }

  /** Two blocks that hold what is needed would be in the place together. */
  private Set<Name> alone(Set<Name> needed) {
    return needed.size() > 1 ? refuse("several arrays are needed at the same time") : needed;
  }

  /** The blocks needed before a statement that makes an array over what it reads; if it may. */
  private Set<Name> over(Stm s, Name block) {
    Predicate<Access> mine = a -> isIn(a, block);
    Predicate<Access> other = a -> !isIn(a, block) && mayBeThere(a);
    Set<Name> needed = new HashSet<>();
    for (Access a : table.accesses.of(s)) {
      if (isIn(a, block)) continue;
      if (web.blocks().contains(a.block())) needed.add(a.block());
      // The next iteration would read what this one has put there.
      else if (loops > 0 && overlaps(a)) return Set.of();
    }
    InPlaceOverwriteTest lockstep =
        new InPlaceOverwriteTest(table, moved, null, mine, other, new InPlaceOverwriteTest.Tried());
    if (!lockstep.isOrdered(s, known)) return Set.of();
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
    if (!mayBeThere(a) || apart.contains(a.array())) return false;
    Lmad region = a.region();
    if (region == null) return true;
    PrimType elem = table.elem(a.array());
    if (table.areDisjointAtOnce(web.elem(), to.lmad(), elem, region)) return false;
    Part part = new Part(elem, region);
    return !proofs.computeIfAbsent(
        part, p -> table.areDisjoint(prover, web.elem(), to.lmad(), p.elem, p.region));
  }

  private Set<Name> match(Stm s, Exp.Match m, Set<Name> live) {
    Set<Name> needed = new HashSet<>();
    List<Body> bodies = new ArrayList<>();
    for (Exp.Case c : m.cases()) bodies.add(c.body());
    bodies.add(m.otherwise());
    for (Body b : bodies) {
      Set<Name> inside = new HashSet<>();
      for (Name n : live) {
        int at = table.result(s, n);
        if (at < 0) inside.add(n);
        else if (b.results().get(at) instanceof SubExp.Var v) inside.add(v.name());
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
    if (!top.isEmpty()) return refuse("a loop needs the place for another array");
    return Set.of(init.name());
  }
}
