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
import futharkc.core.ir.memory.FunctionMemory;
import futharkc.core.ir.memory.LoopBlockSizes;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.Remark;
import futharkc.core.ir.symbolic.Facts;
import futharkc.pass.memorymerge.FreeBlockPool.FreeBlock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The reuse of blocks in one function, in the order of their first use. */
final class BlockReuse extends BodyTraversal {
  /** The maximum number of operands per statement whose blocks are tried for a result. */
  private static final int TRIED = 6;

  private final FunDef function;
  private final PassContext context;
  private final FunctionMemory table;
  private final BlockUses blockUses;
  private final Accesses accesses;
  private final BlockAliases aliases;
  private final LoopCarriedBlocks carried;
  private final Map<Name, Name> joined = new HashMap<>();
  private final Map<Name, SubExp> replaced = new HashMap<>();

  /** Blocks that are allocated once before a loop, with the first name that the loop binds. */
  private final Map<Name, Name> hoisted = new HashMap<>();

  /** Loop parameters whose blocks have no other name, and are dead at the end of each iteration. */
  private final Map<Name, FreeBlock> free = new HashMap<>();

  /**
   * Loop parameters whose blocks have no other name except in an inner loop that starts with them.
   */
  private final Map<Name, FreeBlock> started = new HashMap<>();

  /**
   * Temporary classes of the blocks in {@code free}. They may equal a block of another iteration,
   * but not a block of the same iteration.
   */
  private final Map<Name, Name> apart = new HashMap<>();

  private int fresh;

  /** Further sizes that a block must have, in addition to the allocated one. */
  private final Map<Name, List<Poly>> larger = new HashMap<>();

  private final Map<Stm, InPlaceOverwriteAnalysis.Tried> tried = new IdentityHashMap<>();

  /** The accesses of statements, keyed by the original block. */
  private final Map<Stm, Map<Name, List<Access>>> byBlock = new IdentityHashMap<>();

  /**
   * The number of enclosing parallel operations. Inside of one, no block is released before the
   * operation's end.
   */
  private int nesting;

  /** The blocks and uses of the current body. */
  private @Nullable BodyBlocks place;

  BlockReuse(FunDef function, Program program, PassContext context) {
    this.function = function;
    this.context = context;
    this.table = new FunctionMemory(function, program);
    this.accesses = table.accesses();
    this.blockUses = context.analyses().get(function, BlockUses.ANALYSIS);
    this.aliases = context.analyses().get(function, BlockAliases.ANALYSIS);
    this.carried = new LoopCarriedBlocks(blockUses, aliases);
  }

  FunDef run() {
    Facts facts = Facts.of(function);
    table.indices().forEach((i, bound) -> facts.bounds().addIndex(i, Poly.of(bound)));
    Body b = body(function.body(), facts, consumed());
    if (replaced.isEmpty() && hoisted.isEmpty()) {
      return function;
    }
    NameSource names = new NameSource(function.nextTag());
    Body without = new Allocations(names).body(b);
    Body after = new Substitution(replaced).body(without);
    return function.withBody(after, names.next());
  }

  /** A rewriting that removes replaced allocations, and moves others before their loops. */
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
        if (s.exp() instanceof Exp.Loop l && hoisted.containsValue(first)) {
          before(s, l, out);
        }
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
        if (!(t.exp() instanceof MemOp.Alloc a)) {
          continue;
        }
        if (!s.names().get(0).equals(hoisted.get(t.names().get(0)))) {
          continue;
        }
        Builder before = new Builder(names).with(Aux.at(t.aux().loc()));
        SubExp size = LoopBlockSizes.ifRun(l, a.size(), before);
        before.add(new Stm(t.pat(), before.aux(), new MemOp.Alloc(size, a.space())));
        out.addAll(before.stms());
      }
    }
  }

  /**
   * Returns the blocks of parameters that the function consumes and that hold only the parameter.
   */
  private List<FreeBlock> consumed() {
    List<FreeBlock> available = new ArrayList<>();
    for (Param p : function.params()) {
      if (!p.unique() || !(p.type() instanceof Type.Array a)) {
        continue;
      }
      ArrayMem m = a.mem();
      if (m == null || !m.lmad().isDirect()) {
        continue;
      }
      Poly size = Poly.ONE;
      for (SubExp d : a.shape()) {
        size = size.times(Poly.of(d));
      }
      Space space = table.space(m.block());
      if (space == null) {
        continue;
      }
      if (!(space instanceof Space.Elements)) {
        size = size.times(a.elem().bytes());
      }
      available.add(new FreeBlock(m.block(), space, size, -1));
    }
    return available;
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

  private Body body(Body b, Facts facts, List<FreeBlock> given) {
    BodyBlocks outer = place;
    loops(b, facts, given);
    place = new BodyBlocks(uses(b.stms(), b.results()), given);
    blocks(b.stms(), facts.inside(), place);
    Body inside = new Body(inner(b.stms(), facts), b.results());
    place = outer;
    return inside;
  }

  /** Lets loops compute their next array in the block of the previous iteration. */
  private void loops(Body b, Facts facts, List<FreeBlock> given) {
    if (b.stms().stream().noneMatch(s -> s.exp() instanceof Exp.Loop)) {
      return;
    }
    Map<Name, FreeBlock> available = new HashMap<>();
    for (FreeBlock r : given) {
      available.put(r.block(), r);
    }
    LoopCarriedBlocks.Around around = carried.new Around(b);
    Facts known = facts.inside();
    int passed = 0;
    for (int i = 0; i < b.stms().size(); i++) {
      Stm s = b.stms().get(i);
      if (s.exp() instanceof MemOp.Alloc a) {
        Name block = s.names().get(0);
        available.put(block, new FreeBlock(block, a.space(), Poly.of(a.size()), i));
      }
      if (!(s.exp() instanceof Exp.Loop l)) {
        continue;
      }
      for (int k = 0; k < l.params().size(); k++) {
        LoopCarriedBlocks.Next n = LoopCarriedBlocks.next(s, l, k);
        boolean inner = n == null;
        if (n == null) {
          n = LoopCarriedBlocks.through(s, l, k);
        }
        if (n == null) {
          continue;
        }
        while (passed < i) {
          known.passed(b.stms().get(passed++));
        }
        FreeBlock first = available.get(n.init());
        Facts inside = known.inLoop(l);
        FreeBlock last =
            first != null
                    && isAsLarge(n, first, inside)
                    && around.isOwn(n, i)
                    && (inner ? carried.isSimpleThrough(n) : carried.isSimple(n))
                ? new FreeBlock(n.param(), first.space(), first.size(), -1)
                : null;
        boolean own = last != null;
        if (inner) {
          if (last != null) {
            started.put(n.param(), last);
          }
          continue;
        }
        if (!own && !(isKnownBefore(n, s) && carried.isSimpleInside(n, s))) {
          continue;
        }
        if (!isInPlace(n, own, inside)) {
          if (last != null) {
            free.put(n.param(), last);
          }
          continue;
        }
        if (own) {
          replaced.put(n.block(), SubExp.of(n.param()));
        } else {
          hoisted.put(n.block(), s.names().get(0));
        }
        context.remark(
            Remark.Kind.APPLIED,
            function.name(),
            n.alloc().aux().loc(),
            n.block() + " reuses " + n.param() + ", the block of the previous iteration");
      }
    }
  }

  /**
   * Rewrites a loop. If the loop is the only user of its initial block, its body may reuse the
   * previous iteration's block once that block is dead. This requires that the next array is in
   * another block, or that an inner loop starts with the block.
   */
  @Override
  Exp.Loop loop(Exp.Loop l, Facts facts) {
    List<FreeBlock> given = new ArrayList<>();
    for (Exp.LoopParam p : l.params()) {
      FreeBlock r = free.get(p.param().name());
      if (r != null) {
        apart.put(r.block(), new Name("own", --fresh));
      } else {
        r = started.get(p.param().name());
      }
      if (r != null) {
        given.add(r);
      }
    }
    Body b = body(l.body(), facts.inLoop(l), given);
    for (FreeBlock r : given) {
      apart.remove(r.block());
    }
    return new Exp.Loop(l.params(), l.form(), b);
  }

  /**
   * Tests whether the array for the next iteration may be in the block of the previous one.
   *
   * @param own true if the loop starts with that block; else a block is allocated before the loop,
   *     which the first iteration does not read
   * @param facts the facts at the beginning of an iteration
   */
  private boolean isInPlace(LoopCarriedBlocks.Next n, boolean own, Facts facts) {
    FreeBlock y = new FreeBlock(n.block(), n.size().space(), Poly.of(n.size().size()), -1);
    if (isSmall(y)) {
      return false;
    }
    BlockUseTable uses = uses(n.loop().body().stms(), List.of());
    int made = uses.made(y.block());
    int last = uses.lastNamed(n.param());
    if (last > made) {
      return false;
    }
    int free = own ? last + 1 : 0;
    boolean held = nesting == 0 && free < made && uses.isAllocated(free, made, y.block());
    if (held && !carried.isPlain(n)) {
      return false;
    }
    if (last < made) {
      return !own || !isWantedBefore(n, uses, facts);
    }
    for (int i = 0; i < made; i++) {
      facts.passed(n.loop().body().stms().get(i));
    }
    FreeBlock x = new FreeBlock(n.param(), y.space(), y.size(), -1);
    Stm s = n.loop().body().stms().get(made);
    return isOver(s, x, y, facts, b -> b.equals(y.block()), b -> b.equals(x.block()));
  }

  /** Tests whether another array of an iteration could reuse the block of the previous one. */
  private boolean isWantedBefore(LoopCarriedBlocks.Next n, BlockUseTable uses, Facts facts) {
    Poly size = value(Poly.of(n.size().size()), facts);
    for (Stm t : n.loop().body().stms()) {
      if (!(t.exp() instanceof MemOp.Alloc a) || t == n.alloc()) {
        continue;
      }
      int made = uses.made(t.names().get(0));
      if (made <= uses.lastNamed(n.param()) || made >= uses.made(n.block())) {
        continue;
      }
      if (!a.space().equals(n.size().space())) {
        continue;
      }
      if (value(Poly.of(a.size()), facts).equals(size)) {
        return true;
      }
    }
    return false;
  }

  /** Tests whether the loop's initial block has the size of each iteration's block. */
  private boolean isAsLarge(LoopCarriedBlocks.Next n, FreeBlock first, Facts facts) {
    return value(Poly.of(n.size().size()), facts).equals(value(first.size(), facts));
  }

  /** Tests whether the size of the block is available before the loop. */
  private static boolean isKnownBefore(LoopCarriedBlocks.Next n, Stm loop) {
    return !(n.size().size() instanceof SubExp.Var v) || !BoundNames.of(loop).contains(v.name());
  }

  private BlockUseTable uses(List<Stm> stms, List<SubExp> results) {
    return new BlockUseTable(
        stms, results, blockUses, accesses, this::classOf, replaced::containsKey);
  }

  /** The blocks of a body and their uses. */
  private static final class BodyBlocks {
    final BlockUseTable uses;
    final List<FreeBlock> available;

    /**
     * Creates the blocks of a body.
     *
     * @param given blocks of outer bodies that this body may reuse once they are dead in it
     */
    BodyBlocks(BlockUseTable uses, List<FreeBlock> given) {
      this.uses = uses;
      this.available = new ArrayList<>(given);
    }
  }

  /**
   * Rewrites branches. Each branch may reuse the blocks that the match uses for the last time,
   * independently of the other branches.
   */
  @Override
  Exp.Match match(Stm s, Exp.Match m, Facts facts) {
    List<FreeBlock> dead = new ArrayList<>();
    if (place != null) {
      int at = place.uses.position(s);
      for (FreeBlock r : place.available) {
        if (place.uses.last(r.block()) == at) {
          dead.add(new FreeBlock(r.block(), r.space(), r.size(), -1));
        }
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
            if (!into.equals(before.get(from))) {
              joins.add(Map.entry(from, into));
            }
          });
      joined.clear();
      joined.putAll(before);
    }
    for (Map.Entry<Name, Name> j : joins) {
      join(classOf(j.getKey()), classOf(j.getValue()));
    }
    List<Exp.Case> cases = new ArrayList<>();
    for (int k = 0; k < m.cases().size(); k++) {
      cases.add(new Exp.Case(m.cases().get(k).pattern(), bodies.get(k)));
    }
    return new Exp.Match(m.scrutinees(), cases, bodies.getLast());
  }

  /**
   * Merges a class of blocks into another. The enclosing body sees a merge in a branch after all
   * branches are rewritten.
   */
  private void join(Name from, Name into) {
    if (from.equals(into)) {
      return;
    }
    if (place != null) {
      place.uses.join(from, into);
    }
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
    while (joined.containsKey(r)) {
      r = joined.getOrDefault(r, r);
    }
    return r;
  }

  /**
   * Lets allocated blocks reuse others.
   *
   * @param facts the facts before the statements, to which later facts are added as needed
   * @param place the blocks and uses of the body
   */
  private void blocks(List<Stm> stms, Facts facts, BodyBlocks place) {
    BlockUseTable uses = place.uses;
    FreeBlockPool pool =
        new FreeBlockPool(uses::last, p -> value(p, facts), facts.bounds().valued());
    place.available.forEach(pool::add);
    List<FreeBlock> waiting = new ArrayList<>();
    for (int i = 0; i < stms.size(); i++) {
      if (stms.get(i).exp() instanceof MemOp.Alloc a) {
        Name block = stms.get(i).pat().get(0).name();
        if (replaced.containsKey(block) || hoisted.containsKey(block)) {
          continue;
        }
        waiting.add(new FreeBlock(block, a.space(), Poly.of(a.size()), i));
      }
    }
    waiting.sort((a, b) -> Integer.compare(uses.made(a.block()), uses.made(b.block())));
    int passed = 0;
    for (FreeBlock y : waiting) {
      context.checkCancelled();
      int end = Math.min(uses.made(y.block()), stms.size());
      for (; passed < end; passed++) {
        renamed(stms.get(passed), passed, pool, facts);
        facts.passed(stms.get(passed));
      }
      boolean wanted = uses.made(y.block()) < stms.size() && !isSmall(y);
      FreeBlock x = wanted ? reusable(y, pool, stms, uses, facts) : null;
      if (x == null && wanted && nesting > 0 && context.flag(ReusePass.ENLARGE)) {
        x = enlarged(y, pool, stms, uses);
      }
      if (x == null) {
        pool.add(y);
        place.available.add(y);
        continue;
      }
      replaced.put(y.block(), replaced.getOrDefault(x.block(), SubExp.of(x.block())));
      join(classOf(y.block()), classOf(x.block()));
      Stm s = stms.get(uses.made(y.block()));
      context.remark(
          Remark.Kind.APPLIED, function.name(), s.aux().loc(), y.block() + " reuses " + x.block());
    }
  }

  /**
   * Replaces a loop's initial block in the pool by the loop's result, which has the same size. The
   * initial block is dead after the first iteration.
   */
  private void renamed(Stm s, int at, FreeBlockPool pool, Facts facts) {
    if (!(s.exp() instanceof Exp.Loop l)) {
      return;
    }
    for (int k = 0; k < l.params().size(); k++) {
      LoopCarriedBlocks.Next n = LoopCarriedBlocks.next(s, l, k);
      if (n == null) {
        continue;
      }
      Poly size = value(Poly.of(n.size().size()), facts);
      pool.replace(
          n.init(),
          r -> size.equals(value(r.size(), facts)),
          r -> new FreeBlock(n.result(), r.space(), r.size(), at));
    }
  }

  private Poly value(Poly p, Facts facts) {
    return facts.bounds().normal(table.values().expand(p));
  }

  /**
   * Tests whether reuse does not pay off: code that reads and writes one block is optimised less,
   * and a CPU's run time allocates small blocks at no cost.
   */
  private boolean isSmall(FreeBlock y) {
    Long size = y.size().constant();
    return y.space() instanceof Space.Elements e
        && size != null
        && size * e.elem().bytes() < context.machine().runTime().smallestKept();
  }

  private @Nullable FreeBlock reusable(
      FreeBlock y, FreeBlockPool pool, List<Stm> stms, BlockUseTable uses, Facts facts) {
    int made = uses.made(y.block());
    Stm s = stms.get(made);
    int named = uses.named(y.block());
    int[] tried = {0};
    return pool.latest(
        value(y.size(), facts),
        made,
        x -> x.from() < named && x.space().equals(y.space()),
        x -> {
          int last = uses.last(x.block());
          return last < made && nesting == 0 && uses.isAllocated(last + 1, made, y.block());
        },
        x -> {
          if (uses.last(x.block()) < made) {
            return true;
          }
          return tried[0]++ < TRIED && isOver(s, x, y, facts, in(y), in(x));
        });
  }

  /**
   * Returns a dead block of another size that may be enlarged to both sizes, in a parallel
   * operation; null if there is none. Each thread then has one block for both arrays.
   *
   * @param pool receives the block with its new size
   */
  private @Nullable FreeBlock enlarged(
      FreeBlock y, FreeBlockPool pool, List<Stm> stms, BlockUseTable uses) {
    int known = knownFrom(y.size(), uses);
    for (FreeBlock x : pool.all()) {
      if (x.from() < known) {
        continue;
      }
      boolean isDead = uses.last(x.block()) < uses.made(y.block());
      if (!isDead || x.from() >= uses.named(y.block()) || !x.space().equals(y.space())) {
        continue;
      }
      if (y.space() instanceof Space.Elements && isConstant(x) && isConstant(y)) {
        continue;
      }
      Predicate<Name> later = n -> uses.binder(n) >= x.from();
      Poly size = table.values().without(later, y.size());
      if (!(stms.get(x.from()).exp() instanceof MemOp.Alloc)) {
        continue;
      }
      if (size.variables().stream().anyMatch(later)) {
        continue;
      }
      larger.computeIfAbsent(x.block(), k -> new ArrayList<>()).add(size);
      pool.add(new FreeBlock(x.block(), x.space(), y.size(), x.from()));
      return x;
    }
    return null;
  }

  /**
   * Returns a position before which the variables of a size are not available, so that no earlier
   * allocation can be enlarged to it.
   */
  private int knownFrom(Poly size, BlockUseTable uses) {
    Poly all = table.values().without(n -> uses.binder(n) >= 0, size);
    int from = 0;
    for (Name n : all.variables()) {
      if (table.values().value(n) == null) {
        from = Math.max(from, uses.binder(n) + 1);
      }
    }
    return from;
  }

  private static boolean isConstant(FreeBlock r) {
    return r.size().constant() != null;
  }

  private Predicate<Name> in(FreeBlock free) {
    Name all = classOf(free.block());
    return b -> classOf(b).equals(all);
  }

  /**
   * Tests whether a statement may compute an array of one block in the memory of another block that
   * it reads.
   *
   * @param inY tests whether a block is the first one
   * @param inX tests whether a block is the second one
   */
  private boolean isOver(
      Stm s, FreeBlock x, FreeBlock y, Facts facts, Predicate<Name> inY, Predicate<Name> inX) {
    if (!context.flag(ReusePass.IN_PLACE)) {
      return false;
    }
    Map<Name, ArrayMem> moved = new LinkedHashMap<>();
    for (Name n : table.arraysIn(y.block())) {
      ArrayMem m = table.place(n);
      if (m != null) {
        moved.put(n, new ArrayMem(x.block(), m.lmad()));
      }
    }
    List<Name> blocks = new ArrayList<>();
    for (Name b : accessesByBlock(s).keySet()) {
      if (inY.test(b) || inX.test(b)) {
        blocks.add(b);
      }
    }
    InPlaceOverwriteAnalysis overwrite =
        new InPlaceOverwriteAnalysis(
            table,
            moved,
            t -> accesses(t, blocks),
            a -> inY.test(original(a)),
            a -> inX.test(original(a)),
            tried.computeIfAbsent(s, k -> new InPlaceOverwriteAnalysis.Tried()));
    return overwrite.isOrdered(s, facts.bounds());
  }

  /** Returns the accesses of a statement to some of the blocks. */
  private List<Access> accesses(Stm s, List<Name> blocks) {
    Map<Name, List<Access>> all = accessesByBlock(s);
    List<Access> found = new ArrayList<>();
    for (Name b : blocks) {
      found.addAll(all.getOrDefault(b, List.of()));
    }
    return found;
  }

  private Map<Name, List<Access>> accessesByBlock(Stm s) {
    Map<Name, List<Access>> known = byBlock.get(s);
    if (known == null) {
      known = new LinkedHashMap<>();
      for (Access a : accesses.of(s)) {
        known.computeIfAbsent(original(a), k -> new ArrayList<>(1)).add(a);
      }
      byBlock.put(s, known);
    }
    return known;
  }

  /** Returns the original block of an accessed array. */
  private Name original(Access a) {
    ArrayMem m = table.place(a.array());
    return m == null ? a.block() : m.block();
  }
}
