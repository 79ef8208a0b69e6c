package futharkc.pass.doublebuffer;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.SegBody;
import futharkc.core.ir.SegResult;
import futharkc.core.ir.Space;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.memory.BlockUses;
import futharkc.core.ir.memory.ScalarValues;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the loops that start with a block which nobody else needs any more, and which is as large
 * as the one that an iteration makes for the next. It has been allocated before, or a parameter
 * that the function consumes is in it, or it is what a loop before has come out with, or what the
 * iteration of the loop around was given and hands on through such loops alone.
 */
final class FirstBlocks extends Mapper {
  private final ScalarValues values = new ScalarValues();
  private final Set<Name> own = new HashSet<>();

  /** The blocks that the body being visited may have for itself, with what is in them. */
  private Map<Name, Room> rooms = new HashMap<>();

  /** What the results of the body being visited need. */
  private Set<Name> wanted = Set.of();

  private final BlockUses uses;
  private final Map<List<Stm>, PassedOn> passedOn = new IdentityHashMap<>();
  private final Map<Exp.Loop, Set<Name>> mentioned = new IdentityHashMap<>();

  /** Which of the statements being visited uses a block last. */
  private Map<Name, Integer> last = Map.of();

  /**
   * A block.
   *
   * @param from the statement that binds it; -1 if the body is given it
   * @param arrays what is in it there
   */
  private record Room(Poly size, int from, Set<Name> arrays) {}

  private FirstBlocks(BlockUses uses) {
    this.uses = uses;
  }

  /** The parameters of a function's loops that stand for such blocks. */
  static Set<Name> of(FunDef f, BlockUses uses) {
    FirstBlocks all = new FirstBlocks(uses);
    for (Param p : f.params()) all.consumed(p, f);
    new Mapper() {
      @Override
      public Stm stm(Stm s) {
        all.values.add(s);
        return super.stm(s);
      }
    }.fun(f);
    all.body(f.body());
    return all.own;
  }

  private void consumed(Param p, FunDef f) {
    if (!p.unique() || !(p.type() instanceof Type.Array a)) return;
    ArrayMem m = a.mem();
    if (m == null || !m.lmad().isDirect()) return;
    for (Param block : f.params()) {
      if (!block.name().equals(m.block()) || !(block.type() instanceof Type.Mem mem)) continue;
      Poly size = Poly.ONE;
      for (SubExp d : a.shape()) size = size.times(Poly.of(d));
      if (!(mem.space() instanceof Space.Elements)) size = size.times(a.elem().bytes());
      rooms.put(m.block(), new Room(size, -1, Set.of(p.name())));
    }
  }

  @Override
  public Body body(Body b) {
    return inside(b, rooms);
  }

  private Body inside(Body b, Map<Name, Room> given) {
    Map<Name, Room> outerRooms = rooms;
    Set<Name> outer = wanted;
    rooms = new HashMap<>(given);
    wanted = FreeNames.of(new Body(List.of(), b.results()));
    stms(b.stms());
    rooms = outerRooms;
    wanted = outer;
    return b;
  }

  @Override
  public SegBody segBody(SegBody b) {
    Set<Name> outer = wanted;
    wanted = new HashSet<>();
    for (SegResult r : b.results()) if (r.value() instanceof SubExp.Var v) wanted.add(v.name());
    super.segBody(b);
    wanted = outer;
    return b;
  }

  @Override
  public List<Stm> stms(List<Stm> stms) {
    Map<Name, Integer> outer = last;
    last = stms.stream().anyMatch(s -> s.exp() instanceof Exp.Loop) ? uses.last(stms) : Map.of();
    for (int i = 0; i < stms.size(); i++) {
      Stm s = stms.get(i);
      switch (s.exp()) {
        case MemOp.Alloc a -> {
          Poly size = Poly.of(a.size());
          rooms.put(s.pat().get(0).name(), new Room(size, i, Set.of()));
        }
        case Exp.Loop l -> loop(stms, i, l);
        default -> {
          // What is needed after a branch, or at other indices, is not known in it.
          Map<Name, Room> mine = rooms;
          rooms = new HashMap<>();
          stm(s);
          rooms = mine;
        }
      }
    }
    last = outer;
    return stms;
  }

  private void loop(List<Stm> stms, int at, Exp.Loop l) {
    Stm s = stms.get(at);
    Map<Name, Room> given = new HashMap<>();
    Map<Name, Room> after = new HashMap<>();
    for (int k = 0; k < l.params().size(); k++) {
      Exp.LoopParam p = l.params().get(k);
      if (!(p.param().type() instanceof Type.Mem) || !(p.init() instanceof SubExp.Var init))
        continue;
      Room first = rooms.get(init.name());
      MemOp.Alloc next = next(l, k);
      if (first == null || next == null) continue;
      boolean alike = values.expand(Poly.of(next.size())).equals(values.expand(first.size));
      if (!alike || !isOnlyHere(stms, at, l, k, init.name(), first)) continue;
      Name block = p.param().name();
      own.add(block);
      Set<Name> inside = new HashSet<>();
      for (Exp.LoopParam q : l.params()) if (isIn(q.param(), block)) inside.add(q.param().name());
      given.put(block, new Room(first.size, -1, inside));
      Name last = s.pat().get(k).name();
      Set<Name> arrays = new HashSet<>();
      for (PatElem e : s.pat()) if (DoubleBuffering.isIn(e.type(), last)) arrays.add(e.name());
      after.put(last, new Room(first.size, at, arrays));
    }
    inside(l.body(), given);
    rooms.putAll(after);
  }

  private static boolean isIn(Param p, Name block) {
    return DoubleBuffering.isIn(p.type(), block);
  }

  /**
   * What allocates the block that an iteration makes for the next; null if there is no such one.
   */
  private MemOp.@Nullable Alloc next(Exp.Loop l, int k) {
    if (!(l.body().results().get(k) instanceof SubExp.Var v)) return null;
    Name param = l.params().get(k).param().name();
    PassedOn inside = passedOn(l.body().stms());
    Stm made = inside.binding(v.name());
    if (made != null && made.exp() instanceof MemOp.Alloc a) {
      boolean one =
          !DoubleBuffering.outlives(v.name(), l, inside)
              && !DoubleBuffering.outlives(param, l, inside);
      return one ? a : null;
    }
    // Loops inside, of which the first starts with the block, and the last gives the next.
    long kept = l.body().results().stream().filter(r -> r.equals(v)).count();
    if (kept > 1 || l.body().results().contains(SubExp.of(param))) return null;
    Name block = v.name();
    MemOp.Alloc alloc = null;
    int end = l.body().stms().size();
    Set<Integer> chain = new HashSet<>();
    while (!block.equals(param)) {
      Stm s = inside.binding(block);
      if (s == null || !(s.exp() instanceof Exp.Loop inner)) return null;
      int j = s.names().indexOf(block);
      MemOp.Alloc a = next(inner, j);
      if (a == null || alloc != null && !alloc.equals(a)) return null;
      if (!(inner.params().get(j).init() instanceof SubExp.Var init)) return null;
      int at = inside.binder(block);
      Set<Name> inBlock = new HashSet<>(Set.of(block));
      for (PatElem e : s.pat()) if (DoubleBuffering.isIn(e.type(), block)) inBlock.add(e.name());
      if (inside.isPassedOn(block, inBlock, at + 1, end, i -> !chain.contains(i))) return null;
      chain.add(at);
      alloc = a;
      block = init.name();
    }
    Set<Name> inBlock = new HashSet<>(Set.of(param));
    for (Exp.LoopParam q : l.params()) if (isIn(q.param(), param)) inBlock.add(q.param().name());
    boolean isPassedOn = inside.isPassedOn(param, inBlock, 0, end, i -> !chain.contains(i));
    return isPassedOn ? null : alloc;
  }

  private PassedOn passedOn(List<Stm> stms) {
    return passedOn.computeIfAbsent(stms, PassedOn::new);
  }

  /**
   * Whether nothing uses a block that a loop starts with in the loop, but as its own, or after it.
   */
  private boolean isOnlyHere(List<Stm> stms, int at, Exp.Loop l, int k, Name first, Room room) {
    if (last.getOrDefault(first, -1) > at) return false;
    SubExp init = l.params().get(k).init();
    if (l.params().stream().filter(p -> p.init().equals(init)).count() > 1) return false;
    Set<Name> inBlock = new HashSet<>(room.arrays);
    inBlock.add(first);
    if (passedOn(stms).isPassedOn(first, inBlock, room.from + 1, at, i -> true)) return false;
    Set<Name> inside = mentioned.computeIfAbsent(l, FirstBlocks::mentioned);
    for (Name n : inBlock) if (wanted.contains(n) || inside.contains(n)) return false;
    return true;
  }

  private static Set<Name> mentioned(Exp.Loop l) {
    Set<Name> names = new HashSet<>(FreeNames.of(l.body()));
    for (Exp.LoopParam p : l.params()) names.addAll(FreeNames.of(p.param().type()));
    return names;
  }
}
