package futharkc.pass.memorymerge;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.Aux;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.BoundNames;
import futharkc.core.ir.Builder;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Program;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.Space;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.memory.Access;
import futharkc.core.ir.memory.Accesses;
import futharkc.core.ir.memory.BlockAliases;
import futharkc.core.ir.memory.BlockUses;
import futharkc.core.ir.memory.LoopBlockSizes;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.Remark;
import futharkc.core.ir.symbolic.Facts;
import futharkc.pass.memorymerge.FreeBlockPool.Room;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Puts blocks of one function into others, in the order in which they come to be used. */
final class Reusing extends Bodies {
  /** Over how many arrays that a statement reads it is tried to put one that it makes. */
  private static final int TRIED = 6;

  private final FunDef function;
  private final PassContext context;
  private final FunctionTable table;
  private final BlockUses blockUses;
  private final Accesses accesses;
  private final BlockAliases aliases;
  private final LoopCarriedBlocks carried;
  private final Map<Name, Name> joined = new HashMap<>();
  private final Map<Name, SubExp> replaced = new HashMap<>();

  /** Blocks that are allocated once before a loop, by what the loop binds first. */
  private final Map<Name, Name> hoisted = new HashMap<>();

  /**
   * Parameters of loops that stand for blocks which nobody else knows, and which are dead at the
   * end of each iteration.
   */
  private final Map<Name, Room> free = new HashMap<>();

  /** Likewise, which only an inner loop starts with: its results are in them, too. */
  private final Map<Name, Room> started = new HashMap<>();

  /**
   * What the free ones are called while the body is looked at: they may be another iteration's, but
   * not the same as what this one makes.
   */
  private final Map<Name, Name> apart = new HashMap<>();

  private int fresh;

  /** What blocks have to have room for, besides what they are allocated for. */
  private final Map<Name, List<Poly>> larger = new HashMap<>();

  private final Map<Stm, InPlaceOverwriteTest.Tried> tried = new IdentityHashMap<>();

  /** In how many parallel operations: there, no block is released before the end. */
  private int nesting;

  /** The body that is looked at. */
  private @Nullable Place place;

  Reusing(FunDef function, Program program, PassContext context) {
    this.function = function;
    this.context = context;
    this.table = new FunctionTable(function, program);
    this.accesses = table.accesses;
    this.blockUses = context.analyses().get(function, BlockUses.ANALYSIS);
    this.aliases = context.analyses().get(function, BlockAliases.ANALYSIS);
    this.carried = new LoopCarriedBlocks(blockUses, aliases);
  }

  FunDef run() {
    Facts facts = Facts.of(function);
    table.indices().forEach((i, bound) -> facts.bounds().addIndex(i, Poly.of(bound)));
    Body b = body(function.body(), facts, consumed());
    if (replaced.isEmpty() && hoisted.isEmpty()) return function;
    NameSource names = new NameSource(function.nextTag());
    Body without = new Allocations(names).body(b);
    Body after = new Substitution(replaced).body(without);
    return function.withBody(after, names.next());
  }

  /** Removes allocations that are replaced, and moves others before their loops. */
  private final class Allocations extends Mapper {
    private final NameSource names;

    Allocations(NameSource names) {
      this.names = names;
    }

    @Override
    public List<Stm> stms(List<Stm> stms) {
      List<Stm> out = new ArrayList<>();
      for (Stm s : stms) {
        Name first = s.pat().isEmpty() ? null : s.names().get(0);
        if (s.exp() instanceof MemOp.Alloc
            && (replaced.containsKey(first) || hoisted.containsKey(first))) {
          continue;
        }
        if (s.exp() instanceof Exp.Loop l && hoisted.containsValue(first)) before(s, l, out);
        out.add(s.exp() instanceof MemOp.Alloc a ? enlarged(s, a, out) : stm(s));
      }
      return out;
    }

    private Stm enlarged(Stm s, MemOp.Alloc a, List<Stm> out) {
      Builder before = new Builder(names).with(Aux.at(s.aux().loc()));
      SubExp size = a.size();
      for (Poly other : larger.getOrDefault(s.names().get(0), List.of())) {
        SubExp o = before.poly("size", other);
        size = before.binOp("size", BinOp.Kind.SMAX, PrimType.I64, size, o);
      }
      out.addAll(before.stms());
      return s.withExp(new MemOp.Alloc(size, a.space()));
    }

    private void before(Stm s, Exp.Loop l, List<Stm> out) {
      for (Stm t : l.body().stms()) {
        if (!(t.exp() instanceof MemOp.Alloc a)) continue;
        if (!s.names().get(0).equals(hoisted.get(t.names().get(0)))) continue;
        Builder before = new Builder(names).with(Aux.at(t.aux().loc()));
        SubExp size = LoopBlockSizes.ifRun(l, a.size(), before);
        before.add(new Stm(t.pat(), before.aux(), new MemOp.Alloc(size, a.space())));
        out.addAll(before.stms());
      }
    }
  }

  /** The blocks of parameters that the function consumes and that nothing else is in. */
  private List<Room> consumed() {
    List<Room> rooms = new ArrayList<>();
    for (Param p : function.params()) {
      if (!p.unique() || !(p.type() instanceof Type.Array a)) continue;
      ArrayMem m = a.mem();
      if (m == null || !m.lmad().isDirect()) continue;
      Poly size = Poly.ONE;
      for (SubExp d : a.shape()) size = size.times(Poly.of(d));
      Space space = table.space(m.block());
      if (space == null) continue;
      if (!(space instanceof Space.Elements)) size = size.times(a.elem().bytes());
      rooms.add(new Room(m.block(), space, size, -1));
    }
    return rooms;
  }

  // Bodies

  @Override
  boolean concerns(Stm s) {
    return blockUses.of(s).allocates();
  }

  @Override
  Body body(Body b, Facts facts) {
    return body(b, facts, List.of());
  }

  private Body body(Body b, Facts facts, List<Room> given) {
    Place outer = place;
    loops(b, facts, given);
    place = new Place(uses(b.stms(), b.results()), given);
    blocks(b.stms(), facts.inside(), place);
    Body inside = new Body(inner(b.stms(), facts), b.results());
    place = outer;
    return inside;
  }

  /** Has the loops among statements make what they pass on in the block of the last iteration. */
  private void loops(Body b, Facts facts, List<Room> given) {
    if (b.stms().stream().noneMatch(s -> s.exp() instanceof Exp.Loop)) return;
    Map<Name, Room> rooms = new HashMap<>();
    for (Room r : given) rooms.put(r.block(), r);
    LoopCarriedBlocks.Around around = carried.new Around(b);
    Facts known = facts.inside();
    int passed = 0;
    for (int i = 0; i < b.stms().size(); i++) {
      Stm s = b.stms().get(i);
      if (s.exp() instanceof MemOp.Alloc a) {
        Name block = s.names().get(0);
        rooms.put(block, new Room(block, a.space(), Poly.of(a.size()), i));
      }
      if (!(s.exp() instanceof Exp.Loop l)) continue;
      for (int k = 0; k < l.params().size(); k++) {
        LoopCarriedBlocks.Next n = LoopCarriedBlocks.next(s, l, k);
        boolean inner = n == null;
        if (n == null) n = LoopCarriedBlocks.through(s, l, k);
        if (n == null) continue;
        while (passed < i) known.passed(b.stms().get(passed++));
        Room first = rooms.get(n.init());
        Facts inside = known.inLoop(l);
        Room last =
            first != null
                    && isAsLarge(n, first, inside)
                    && around.isOwn(n, i)
                    && (inner ? carried.isSimpleThrough(n) : carried.isSimple(n))
                ? new Room(n.param(), first.space(), first.size(), -1)
                : null;
        boolean own = last != null;
        if (inner) {
          if (last != null) started.put(n.param(), last);
          continue;
        }
        if (!own && !(isKnownBefore(n, s) && carried.isSimpleInside(n, s))) continue;
        if (!isInPlace(n, own, inside)) {
          if (last != null) free.put(n.param(), last);
          continue;
        }
        if (own) replaced.put(n.block(), SubExp.of(n.param()));
        else hoisted.put(n.block(), s.names().get(0));
        context.remark(
            Remark.Kind.APPLIED,
            function.name(),
            n.alloc().aux().loc(),
            n.block() + " takes the room of " + n.param() + ", of the iteration before");
      }
    }
  }

  /**
   * A loop that knows alone what it starts with may use the block of the iteration before for
   * something else, once that is dead: what it makes for the next iteration is in another block. Or
   * an inner loop starts with that block.
   */
  @Override
  Exp.Loop loop(Exp.Loop l, Facts facts) {
    List<Room> given = new ArrayList<>();
    for (Exp.LoopParam p : l.params()) {
      Room r = free.get(p.param().name());
      if (r != null) apart.put(r.block(), new Name("own", --fresh));
      else r = started.get(p.param().name());
      if (r != null) given.add(r);
    }
    Body b = body(l.body(), facts.inLoop(l), given);
    for (Room r : given) apart.remove(r.block());
    return new Exp.Loop(l.params(), l.form(), b);
  }

  /**
   * Whether what an iteration makes for the next may be where its own was.
   *
   * @param own whether the loop starts with that block; else it is another one, which the first
   *     iteration does not need before
   * @param facts what is known at the beginning of the iteration
   */
  private boolean isInPlace(LoopCarriedBlocks.Next n, boolean own, Facts facts) {
    Room y = new Room(n.block(), n.size().space(), Poly.of(n.size().size()), -1);
    if (isSmall(y)) return false;
    Uses uses = uses(n.loop().body().stms(), List.of());
    int made = uses.made(y.block());
    int last = uses.lastNamed(n.param());
    if (last > made) return false;
    int free = own ? last + 1 : 0;
    boolean held = nesting == 0 && free < made && uses.isAllocated(free, made, y.block());
    if (held && !carried.isPlain(n)) return false;
    if (last < made) return !own || !isWantedBefore(n, uses, facts);
    for (int i = 0; i < made; i++) facts.passed(n.loop().body().stms().get(i));
    Room x = new Room(n.param(), y.space(), y.size(), -1);
    Stm s = n.loop().body().stms().get(made);
    return isOver(s, x, y, facts, b -> b.equals(y.block()), b -> b.equals(x.block()));
  }

  /** Whether something else that an iteration makes could be in the block of the last one. */
  private boolean isWantedBefore(LoopCarriedBlocks.Next n, Uses uses, Facts facts) {
    Poly size = value(Poly.of(n.size().size()), facts);
    for (Stm t : n.loop().body().stms()) {
      if (!(t.exp() instanceof MemOp.Alloc a) || t == n.alloc()) continue;
      int made = uses.made(t.names().get(0));
      if (made <= uses.lastNamed(n.param()) || made >= uses.made(n.block())) continue;
      if (!a.space().equals(n.size().space())) continue;
      if (value(Poly.of(a.size()), facts).equals(size)) return true;
    }
    return false;
  }

  /** Whether the block that a loop starts with may be the one of each iteration. */
  private boolean isAsLarge(LoopCarriedBlocks.Next n, Room first, Facts facts) {
    return value(Poly.of(n.size().size()), facts).equals(value(first.size(), facts));
  }

  /** Whether the block may be allocated before the loop. */
  private static boolean isKnownBefore(LoopCarriedBlocks.Next n, Stm loop) {
    return !(n.size().size() instanceof SubExp.Var v) || !BoundNames.of(loop).contains(v.name());
  }

  private Uses uses(List<Stm> stms, List<SubExp> results) {
    return new Uses(stms, results, blockUses, accesses, this::classOf, replaced::containsKey);
  }

  /** Which blocks a body has, and where it uses them. */
  private static final class Place {
    final Uses uses;
    final List<Room> rooms;

    /**
     * A body.
     *
     * @param given blocks of outer bodies that it may use from where it does not need them any more
     */
    Place(Uses uses, List<Room> given) {
      this.uses = uses;
      this.rooms = new ArrayList<>(given);
    }
  }

  /**
   * Branches, of which each may make its result in what it uses for the last time, whatever the
   * others do with it.
   */
  @Override
  Exp.Match match(Stm s, Exp.Match m, Facts facts) {
    List<Room> dead = new ArrayList<>();
    if (place != null) {
      int at = place.uses.position(s);
      for (Room r : place.rooms) {
        if (place.uses.last(r.block()) == at)
          dead.add(new Room(r.block(), r.space(), r.size(), -1));
      }
    }
    Map<Name, Name> before = new HashMap<>(joined);
    List<Map.Entry<Name, Name>> joins = new ArrayList<>();
    List<Body> bodies = new ArrayList<>();
    for (int k = 0; k <= m.cases().size(); k++) {
      Body b = k < m.cases().size() ? m.cases().get(k).body() : m.otherwise();
      bodies.add(body(b, facts.inBranch(m, k), dead));
      joined.forEach(
          (from, into) -> {
            if (!into.equals(before.get(from))) joins.add(Map.entry(from, into));
          });
      joined.clear();
      joined.putAll(before);
    }
    for (Map.Entry<Name, Name> j : joins) join(classOf(j.getKey()), classOf(j.getValue()));
    List<Exp.Case> cases = new ArrayList<>();
    for (int k = 0; k < m.cases().size(); k++) {
      cases.add(new Exp.Case(m.cases().get(k).pattern(), bodies.get(k)));
    }
    return new Exp.Match(m.scrutinees(), cases, bodies.getLast());
  }

  /**
   * The blocks of one class are put into those of another. For the body around a branch they are
   * when its branches have been looked at.
   */
  private void join(Name from, Name into) {
    if (from.equals(into)) return;
    if (place != null) place.uses.join(from, into);
    joined.put(from, into);
  }

  @Override
  List<Stm> segBody(Stm s, SegOp op, Facts facts) {
    nesting++;
    List<Stm> stms = body(new Body(op.body().stms(), op.body().values()), facts).stms();
    nesting--;
    return stms;
  }

  // Blocks

  private Name classOf(Name block) {
    Name r = apart.getOrDefault(block, aliases.representative(block));
    while (joined.containsKey(r)) r = joined.getOrDefault(r, r);
    return r;
  }

  /**
   * Puts the blocks that statements allocate into others.
   *
   * @param facts what is known before them; they are added as far as they are needed
   * @param place where they are
   */
  private void blocks(List<Stm> stms, Facts facts, Place place) {
    Uses uses = place.uses;
    FreeBlockPool rooms =
        new FreeBlockPool(uses::last, p -> value(p, facts), facts.bounds().valued());
    place.rooms.forEach(rooms::add);
    List<Room> waiting = new ArrayList<>();
    for (int i = 0; i < stms.size(); i++) {
      if (stms.get(i).exp() instanceof MemOp.Alloc a) {
        Name block = stms.get(i).pat().get(0).name();
        if (replaced.containsKey(block) || hoisted.containsKey(block)) continue;
        waiting.add(new Room(block, a.space(), Poly.of(a.size()), i));
      }
    }
    waiting.sort((a, b) -> Integer.compare(uses.made(a.block()), uses.made(b.block())));
    int passed = 0;
    for (Room y : waiting) {
      context.checkCancelled();
      int end = Math.min(uses.made(y.block()), stms.size());
      for (; passed < end; passed++) {
        renamed(stms.get(passed), passed, rooms, facts);
        facts.passed(stms.get(passed));
      }
      boolean wanted = uses.made(y.block()) < stms.size() && !isSmall(y);
      Room x = wanted ? room(y, rooms, stms, uses, facts) : null;
      if (x == null && wanted && nesting > 0 && context.flag(ReusePass.ENLARGE)) {
        x = enlarged(y, rooms, stms, uses);
      }
      if (x == null) {
        rooms.add(y);
        place.rooms.add(y);
        continue;
      }
      replaced.put(y.block(), replaced.getOrDefault(x.block(), SubExp.of(x.block())));
      join(classOf(y.block()), classOf(x.block()));
      Stm s = stms.get(uses.made(y.block()));
      context.remark(
          Remark.Kind.APPLIED,
          function.name(),
          s.aux().loc(),
          y.block() + " takes the room of " + x.block());
    }
  }

  /**
   * What a loop starts with is the room that it returns from then on: if each iteration makes an
   * array of the same size, nobody needs the first block any more.
   */
  private void renamed(Stm s, int at, FreeBlockPool rooms, Facts facts) {
    if (!(s.exp() instanceof Exp.Loop l)) return;
    for (int k = 0; k < l.params().size(); k++) {
      LoopCarriedBlocks.Next n = LoopCarriedBlocks.next(s, l, k);
      if (n == null) continue;
      Poly size = value(Poly.of(n.size().size()), facts);
      rooms.replace(
          n.init(),
          r -> size.equals(value(r.size(), facts)),
          r -> new Room(n.result(), r.space(), r.size(), at));
    }
  }

  private Poly value(Poly p, Facts facts) {
    return facts.bounds().normal(table.values.expand(p));
  }

  /**
   * Whether a block is not worth it: what reads and writes one block is optimised less, and blocks
   * of a program for a CPU that the run time does not keep cost nothing.
   */
  private boolean isSmall(Room y) {
    Long size = y.size().constant();
    return y.space() instanceof Space.Elements e
        && size != null
        && size * e.elem().bytes() < context.target().host().smallestKept();
  }

  private @Nullable Room room(Room y, FreeBlockPool rooms, List<Stm> stms, Uses uses, Facts facts) {
    int made = uses.made(y.block());
    Stm s = stms.get(made);
    int named = uses.named(y.block());
    int[] tried = {0};
    return rooms.latest(
        value(y.size(), facts),
        made,
        x -> x.from() < named && x.space().equals(y.space()),
        x -> {
          int last = uses.last(x.block());
          return last < made && nesting == 0 && uses.isAllocated(last + 1, made, y.block());
        },
        x -> {
          if (uses.last(x.block()) < made) return true;
          return tried[0]++ < TRIED && isOver(s, x, y, facts, in(y), in(x));
        });
  }

  /**
   * In a parallel operation, a block of another size that is dead by then, and is allocated here
   * with as much room as both need: each thread then has one block for both.
   *
   * @param rooms takes the block in its new size, too
   */
  private @Nullable Room enlarged(Room y, FreeBlockPool rooms, List<Stm> stms, Uses uses) {
    int known = knownFrom(y.size(), uses);
    for (Room x : rooms.all()) {
      if (x.from() < known) continue;
      boolean isDead = uses.last(x.block()) < uses.made(y.block());
      if (!isDead || x.from() >= uses.named(y.block()) || !x.space().equals(y.space())) continue;
      if (y.space() instanceof Space.Elements && isConstant(x) && isConstant(y)) continue;
      Predicate<Name> later = n -> uses.binder(n) >= x.from();
      Poly size = table.values.without(later, y.size());
      if (!(stms.get(x.from()).exp() instanceof MemOp.Alloc)) continue;
      if (size.variables().stream().anyMatch(later)) continue;
      larger.computeIfAbsent(x.block(), k -> new ArrayList<>()).add(size);
      rooms.add(new Room(x.block(), x.space(), y.size(), x.from()));
      return x;
    }
    return null;
  }

  /** No block is allocated before this position with room for a size that is computed in a body. */
  private int knownFrom(Poly size, Uses uses) {
    Poly all = table.values.without(n -> uses.binder(n) >= 0, size);
    int from = 0;
    for (Name n : all.variables()) {
      if (table.values.value(n) == null) from = Math.max(from, uses.binder(n) + 1);
    }
    return from;
  }

  private static boolean isConstant(Room r) {
    return r.size().constant() != null;
  }

  private Predicate<Name> in(Room room) {
    Name all = classOf(room.block());
    Map<Name, Boolean> known = new HashMap<>();
    return b -> known.computeIfAbsent(b, k -> classOf(k).equals(all));
  }

  /**
   * Whether a statement may make what is in one block over what it reads in another.
   *
   * @param inY whether a block is the one
   * @param inX whether it is the other
   */
  private boolean isOver(
      Stm s, Room x, Room y, Facts facts, Predicate<Name> inY, Predicate<Name> inX) {
    if (!context.flag(ReusePass.IN_PLACE)) return false;
    Map<Name, ArrayMem> moved = new LinkedHashMap<>();
    for (Name n : table.arraysIn(y.block())) {
      ArrayMem m = table.place(n);
      if (m != null) moved.put(n, new ArrayMem(x.block(), m.lmad()));
    }
    InPlaceOverwriteTest lockstep =
        new InPlaceOverwriteTest(
            table,
            moved,
            accesses::of,
            a -> inY.test(original(a)),
            a -> inX.test(original(a)),
            tried.computeIfAbsent(s, k -> new InPlaceOverwriteTest.Tried()));
    return lockstep.isOrdered(s, facts.bounds());
  }

  /** The block that what is accessed was in before. */
  private Name original(Access a) {
    ArrayMem m = table.place(a.array());
    return m == null ? a.block() : m.block();
  }
}
