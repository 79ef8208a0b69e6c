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
 * An analysis of loops that may reuse their initial memory block: no other code needs the block,
 * and its size equals that of an iteration's block. The initial block may be an allocation, the
 * block of a consumed parameter, or the result of an earlier loop. It may also be a parameter of
 * the enclosing loop that the iteration passes through such loops only.
 */
final class FirstBlocks extends Mapper {
  private final ScalarValues values = new ScalarValues();
  private final Set<Name> own = new HashSet<>();

  /** The blocks that the current body may reuse, with the arrays in them. */
  private Map<Name, ReusableBlock> reusable = new HashMap<>();

  /** The blocks that the results of the current body need. */
  private Set<Name> wanted = Set.of();

  private final BlockUses uses;
  private final Map<List<Stm>, BlockAliasing> passedOn = new IdentityHashMap<>();
  private final Map<Exp.Loop, Set<Name>> mentioned = new IdentityHashMap<>();

  /** The position of each block's last use in the current statements. */
  private Map<Name, Integer> last = Map.of();

  /**
   * A block that code may reuse.
   *
   * @param size the size of the block
   * @param from the position of the statement that binds it; -1 if it is a parameter of the body
   * @param arrays the arrays in the block at its definition
   */
  private record ReusableBlock(Poly size, int from, Set<Name> arrays) {}

  private FirstBlocks(BlockUses uses) {
    this.uses = uses;
  }

  /** Returns the loop parameters of a function for blocks that their loops may reuse. */
  static Set<Name> of(FunDef f, BlockUses uses) {
    FirstBlocks all = new FirstBlocks(uses);
    for (Param p : f.params()) {
      all.consumed(p, f);
    }
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
    if (!p.unique() || !(p.type() instanceof Type.Array a)) {
      return;
    }
    ArrayMem m = a.mem();
    if (m == null || !m.lmad().isDirect()) {
      return;
    }
    for (Param block : f.params()) {
      if (!block.name().equals(m.block()) || !(block.type() instanceof Type.Mem mem)) {
        continue;
      }
      Poly size = Poly.ONE;
      for (SubExp d : a.shape()) {
        size = size.times(Poly.of(d));
      }
      if (!(mem.space() instanceof Space.Elements)) {
        size = size.times(a.elem().bytes());
      }
      reusable.put(m.block(), new ReusableBlock(size, -1, Set.of(p.name())));
    }
  }

  @Override
  public Body body(Body b) {
    return inside(b, reusable);
  }

  private Body inside(Body b, Map<Name, ReusableBlock> given) {
    Map<Name, ReusableBlock> outerRooms = reusable;
    Set<Name> outer = wanted;
    reusable = new HashMap<>(given);
    wanted = FreeNames.of(new Body(List.of(), b.results()));
    stms(b.stms());
    reusable = outerRooms;
    wanted = outer;
    return b;
  }

  @Override
  public SegBody segBody(SegBody b) {
    Set<Name> outer = wanted;
    wanted = new HashSet<>();
    for (SegResult r : b.results()) {
      if (r.value() instanceof SubExp.Var v) {
        wanted.add(v.name());
      }
    }
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
          reusable.put(s.pat().get(0).name(), new ReusableBlock(size, i, Set.of()));
        }
        case Exp.Loop l -> loop(stms, i, l);
        default -> {
          // A branch, or an operation over other indices, has no information on later uses.
          Map<Name, ReusableBlock> mine = reusable;
          reusable = new HashMap<>();
          stm(s);
          reusable = mine;
        }
      }
    }
    last = outer;
    return stms;
  }

  private void loop(List<Stm> stms, int at, Exp.Loop l) {
    Stm s = stms.get(at);
    Map<Name, ReusableBlock> given = new HashMap<>();
    Map<Name, ReusableBlock> after = new HashMap<>();
    for (int k = 0; k < l.params().size(); k++) {
      Exp.LoopParam p = l.params().get(k);
      if (!(p.param().type() instanceof Type.Mem) || !(p.init() instanceof SubExp.Var init)) {
        continue;
      }
      ReusableBlock first = reusable.get(init.name());
      MemOp.Alloc next = next(l, k);
      if (first == null || next == null) {
        continue;
      }
      boolean alike = values.expand(Poly.of(next.size())).equals(values.expand(first.size));
      if (!alike || !isOnlyHere(stms, at, l, k, init.name(), first)) {
        continue;
      }
      Name block = p.param().name();
      own.add(block);
      Set<Name> inside = new HashSet<>();
      for (Exp.LoopParam q : l.params()) {
        if (isIn(q.param(), block)) {
          inside.add(q.param().name());
        }
      }
      given.put(block, new ReusableBlock(first.size, -1, inside));
      Name last = s.pat().get(k).name();
      Set<Name> arrays = new HashSet<>();
      for (PatElem e : s.pat()) {
        if (DoubleBuffering.isIn(e.type(), last)) {
          arrays.add(e.name());
        }
      }
      after.put(last, new ReusableBlock(first.size, at, arrays));
    }
    inside(l.body(), given);
    reusable.putAll(after);
  }

  private static boolean isIn(Param p, Name block) {
    return DoubleBuffering.isIn(p.type(), block);
  }

  /**
   * Returns the allocation of the block that an iteration constructs for the next one; null if
   * there is none.
   */
  private MemOp.@Nullable Alloc next(Exp.Loop l, int k) {
    if (!(l.body().results().get(k) instanceof SubExp.Var v)) {
      return null;
    }
    Name param = l.params().get(k).param().name();
    BlockAliasing inside = passedOn(l.body().stms());
    Stm made = inside.binding(v.name());
    if (made != null && made.exp() instanceof MemOp.Alloc a) {
      boolean one =
          !DoubleBuffering.outlives(v.name(), l, inside)
              && !DoubleBuffering.outlives(param, l, inside);
      return one ? a : null;
    }
    // A chain of inner loops: the first begins with the block, the last returns the next block.
    long kept = l.body().results().stream().filter(r -> r.equals(v)).count();
    if (kept > 1 || l.body().results().contains(SubExp.of(param))) {
      return null;
    }
    Name block = v.name();
    MemOp.Alloc alloc = null;
    int end = l.body().stms().size();
    Set<Integer> chain = new HashSet<>();
    while (!block.equals(param)) {
      Stm s = inside.binding(block);
      if (s == null || !(s.exp() instanceof Exp.Loop inner)) {
        return null;
      }
      int j = s.names().indexOf(block);
      MemOp.Alloc a = next(inner, j);
      if (a == null || alloc != null && !alloc.equals(a)) {
        return null;
      }
      if (!(inner.params().get(j).init() instanceof SubExp.Var init)) {
        return null;
      }
      int at = inside.binder(block);
      Set<Name> inBlock = new HashSet<>(Set.of(block));
      for (PatElem e : s.pat()) {
        if (DoubleBuffering.isIn(e.type(), block)) {
          inBlock.add(e.name());
        }
      }
      if (inside.isPassedOn(block, inBlock, at + 1, end, i -> !chain.contains(i))) {
        return null;
      }
      chain.add(at);
      alloc = a;
      block = init.name();
    }
    Set<Name> inBlock = new HashSet<>(Set.of(param));
    for (Exp.LoopParam q : l.params()) {
      if (isIn(q.param(), param)) {
        inBlock.add(q.param().name());
      }
    }
    boolean isPassedOn = inside.isPassedOn(param, inBlock, 0, end, i -> !chain.contains(i));
    return isPassedOn ? null : alloc;
  }

  private BlockAliasing passedOn(List<Stm> stms) {
    return passedOn.computeIfAbsent(stms, BlockAliasing::new);
  }

  /**
   * Tests whether the initial block of a loop has no uses within the loop, except as the loop's
   * parameter, and none after it.
   */
  private boolean isOnlyHere(
      List<Stm> stms, int at, Exp.Loop l, int k, Name first, ReusableBlock initial) {
    if (last.getOrDefault(first, -1) > at) {
      return false;
    }
    SubExp init = l.params().get(k).init();
    if (l.params().stream().filter(p -> p.init().equals(init)).count() > 1) {
      return false;
    }
    Set<Name> inBlock = new HashSet<>(initial.arrays);
    inBlock.add(first);
    if (passedOn(stms).isPassedOn(first, inBlock, initial.from + 1, at, i -> true)) {
      return false;
    }
    Set<Name> inside = mentioned.computeIfAbsent(l, FirstBlocks::mentioned);
    for (Name n : inBlock) {
      if (wanted.contains(n) || inside.contains(n)) {
        return false;
      }
    }
    return true;
  }

  private static Set<Name> mentioned(Exp.Loop l) {
    Set<Name> names = new HashSet<>(FreeNames.of(l.body()));
    for (Exp.LoopParam p : l.params()) {
      names.addAll(FreeNames.of(p.param().type()));
    }
    return names;
  }
}
