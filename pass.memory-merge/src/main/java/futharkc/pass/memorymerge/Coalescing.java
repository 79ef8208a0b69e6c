package futharkc.pass.memorymerge;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Program;
import futharkc.core.ir.SegBody;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegLevel;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegResult;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.memory.Access;
import futharkc.core.ir.memory.BlockAliases;
import futharkc.core.ir.memory.FunctionMemory;
import futharkc.core.ir.memory.PlacementRewriter;
import futharkc.core.ir.memory.Web;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.Remark;
import futharkc.core.ir.symbolic.Bounds;
import futharkc.core.ir.symbolic.Facts;
import futharkc.core.ir.symbolic.NonOverlap;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The coalescing of one function: outer bodies first, and in each body the last copy first. */
final class Coalescing extends BodyTraversal {
  private static final String HELD = "peak memory would increase";
  private static final String FAR = "adjacent threads would read elements that are not adjacent";

  private final FunDef function;
  private final PassContext context;
  private final FunctionMemory table;
  private final BlockAliases aliases;
  private final boolean hasDevice;
  private final boolean advancing;
  private final boolean ofUpdates;
  private final PeakMemoryHeuristic early;

  /**
   * The number of enclosing parallel operations. Inside of one, no block is released before the
   * operation's end.
   */
  private int nesting;

  private final Set<Name> concerned = new HashSet<>();
  private final Set<Name> gone = new HashSet<>();
  private final Set<Name> dropped = new HashSet<>();

  Coalescing(FunDef function, Program program, PassContext context) {
    this.function = function;
    this.context = context;
    this.table = new FunctionMemory(function, program);
    this.hasDevice = program.rep().hasDevice();
    this.advancing = context.flag(CoalescePass.ADVANCE);
    this.ofUpdates = context.flag(CoalescePass.UPDATES);
    this.aliases = context.analyses().get(function, BlockAliases.ANALYSIS);
    this.early = new PeakMemoryHeuristic(table, aliases);
  }

  FunDef run() {
    new Concerned().fun(function);
    Facts facts = Facts.of(function);
    table.indices().forEach((i, bound) -> facts.bounds().addIndex(i, Poly.of(bound)));
    Body b = body(function.body(), facts);
    if (gone.isEmpty()) {
      return function;
    }
    Body moved = new PlacementRewriter(table, gone, dropped).body(b);
    return function.withBody(moved, function.nextTag());
  }

  /** A search for the statements that contain copies. */
  private final class Concerned extends Mapper {
    private boolean any;

    @Override
    public Stm stm(Stm s) {
      boolean before = any;
      any = false;
      super.stm(s);
      // A statement without names cannot be looked up later, and counts as one with copies.
      if (any && !s.names().isEmpty()) {
        concerned.add(s.names().get(0));
      }
      any |= before || !Copy.in(s, table).isEmpty();
      return s;
    }

    @Override
    public SegBody segBody(SegBody b) {
      for (SegResult r : b.results()) {
        any |= row(r) != null;
      }
      return super.segBody(b);
    }
  }

  @Override
  boolean concerns(Stm s) {
    return s.names().isEmpty() || concerned.contains(s.names().get(0));
  }

  // Bodies

  @Override
  Body body(Body b, Facts facts) {
    List<Stm> stms = copies(b.stms(), mentioned(b.results()), facts);
    return new Body(inner(stms, facts), b.results());
  }

  private static Set<Name> mentioned(List<SubExp> results) {
    Set<Name> names = new HashSet<>();
    for (SubExp r : results) {
      if (r instanceof SubExp.Var v) {
        names.add(v.name());
      }
    }
    return names;
  }

  private List<Stm> copies(List<Stm> stms, Set<Name> results, Facts facts) {
    if (stms.stream().allMatch(s -> Copy.in(s, table).stream().noneMatch(this::isElsewhere))) {
      return stms;
    }
    StatementOrder order = new StatementOrder(stms, results, facts, table);
    Set<Name> held = new HashSet<>();
    copies(order, c -> true, held);
    // Removal of other copies may have made memory available.
    if (!held.isEmpty()) {
      copies(order, c -> held.contains(c.array()), null);
    }
    return order.checked();
  }

  /**
   * Coalesces arrays at the copies of a body, the last copy first.
   *
   * @param held receives the arrays whose coalescing would increase peak memory, in place of a
   *     remark; null to report them
   */
  private void copies(StatementOrder order, Predicate<Copy> looked, @Nullable Set<Name> held) {
    AccessIndex parts = new AccessIndex(order, table, aliases);
    for (int i = order.stms().size() - 1; i >= 0; i--) {
      context.checkCancelled();
      Stm s = order.stms().get(i);
      List<Copy> copies =
          Copy.in(order.checked(s), table).stream()
              .filter(this::isElsewhere)
              .filter(looked)
              .toList();
      if (copies.isEmpty()) {
        continue;
      }
      Site site =
          site(i, table.free(s), order.before(i), null, s.aux().loc(), parts, copies.get(0));
      if (copies.size() > 1 && !site.sizes.areSettled()) {
        settle(order, site, copies);
      }
      coalesce(order, site, copies, held);
    }
  }

  private boolean isElsewhere(Copy c) {
    if (c.updated() != null && !ofUpdates) {
      return false;
    }
    ArrayMem from = table.place(c.array());
    return from != null && !from.equals(c.to());
  }

  @Override
  List<Stm> segBody(Stm s, SegOp op, Facts facts) {
    nesting++;
    List<Stm> stms = op instanceof SegOp.SegMap ? rows(s, op, facts) : op.body().stms();
    List<Stm> made = inner(copies(stms, mentioned(op.body().values()), facts), facts);
    nesting--;
    return made;
  }

  /** Coalesces arrays that a map returns at each index with the map's result. */
  private List<Stm> rows(Stm s, SegOp op, Facts facts) {
    if (op.body().results().stream().allMatch(r -> row(r) == null)) {
      return op.body().stms();
    }
    List<SubExp> index = op.space().dims().stream().map(d -> SubExp.of(d.index())).toList();
    StatementOrder order = new StatementOrder(op.body().stms(), Set.of(), facts, table);
    AccessIndex parts = new AccessIndex(order, table, aliases);
    Bounds known = order.before(order.stms().size());
    Set<Name> used = mentioned(op.body().values());
    for (int k = op.body().results().size() - 1; k >= 0; k--) {
      Name array = row(op.body().results().get(k));
      PatElem p = s.pat().get(k);
      ArrayMem whole = table.place(p.name());
      if (array == null || whole == null) {
        continue;
      }
      Lmad row = whole.lmad().slice(Slice.fix(index, whole.lmad().shape()));
      Copy c = new Copy(array, new ArrayMem(whole.block(), row), List.of(), null, p.name());
      int end = order.stms().size();
      coalesce(order, site(end, used, known, op, s.aux().loc(), parts, c), List.of(c), null);
    }
    return order.checked();
  }

  /** Returns the array that an operation returns at each index; null if the result is no array. */
  private @Nullable Name row(SegResult r) {
    return r instanceof SegResult.Returns
            && r.value() instanceof SubExp.Var v
            && table.type(v.name()) instanceof Type.Array
        ? v.name()
        : null;
  }

  /**
   * Moves the scalars that determine the offsets of concatenated arrays, and the checks of their
   * sizes, before the first array that may be computed in place. Without this step, each array in
   * turn would move most of them.
   */
  private void settle(StatementOrder order, Site site, List<Copy> copies) {
    Set<Name> needed = new LinkedHashSet<>();
    Set<Name> made = new HashSet<>();
    int first = site.at;
    for (Copy c : copies) {
      Web web = Web.of(c.array(), c.to(), table, site.known);
      if (web.refusal() != null) {
        continue;
      }
      Set<Name> arrays = arraysIn(web);
      int start = firstOf(order, arrays);
      if (start < 0 || arrays.stream().anyMatch(n -> order.isNeededAfter(site.at, n))) {
        continue;
      }
      first = Math.min(first, start);
      needed.addAll(c.certs());
      needed.addAll(c.to().lmad().offset().variables());
      made.addAll(web.blocks());
    }
    if (first == site.at) {
      return;
    }
    site.sizes.settle(order.before(first));
    if (!advancing) {
      return;
    }
    if (!site.sizes.areSettled()) {
      for (Name n : copies.get(0).concatenated()) {
        needed.addAll(checks(n));
      }
    }
    Stm before = order.stms().get(first);
    StatementHoister advance = new StatementHoister(table, aliases, new NonOverlap(site.known));
    List<Stm> moved = advance.before(order, first, needed, made, Coalescing::isScalar);
    if (moved == null) {
      return;
    }
    order.reorder(moved, first, site.at);
    site.sizes.settle(order.before(order.position(before)));
  }

  private static boolean isScalar(Stm s) {
    return s.pat().stream().allMatch(p -> p.type() instanceof Type.Prim);
  }

  /** Returns the checks on which an array depends. */
  private List<Name> checks(Name array) {
    Stm s = table.statement(array);
    if (s == null) {
      return List.of();
    }
    return table.free(s).stream().filter(this::isCheck).toList();
  }

  private boolean isCheck(Name n) {
    Type t = table.type(n);
    return t != null && t.isPrim(PrimType.UNIT);
  }

  private Set<Name> arraysIn(Web web) {
    Set<Name> arrays = new LinkedHashSet<>();
    for (Name b : web.blocks()) {
      arrays.addAll(table.arraysIn(b));
    }
    return arrays;
  }

  // Coalescing of one copy

  /**
   * The site of a copy.
   *
   * @param at the position of the copying statement; the number of statements for a result of the
   *     body
   * @param used the names that the copying statement uses
   * @param known the facts at the site
   * @param op the operation at each index of which the body runs, in any order; null if the body
   *     runs once
   * @param loc the source location
   * @param apart the arrays that have been coalesced into other regions of the same result
   * @param parts the accesses of the body's statements
   * @param sizes the sizes of concatenated arrays
   */
  private record Site(
      int at,
      Set<Name> used,
      Bounds known,
      @Nullable SegOp op,
      Loc loc,
      Set<Name> apart,
      AccessIndex parts,
      ConcatSizeGuards sizes) {
    /** Returns the operation if threads of a GPU run the body, else null. */
    @Nullable SegOp threads() {
      return op != null && op.level() instanceof SegLevel.Thread ? op : null;
    }
  }

  private Site site(
      int at,
      Set<Name> used,
      Bounds known,
      @Nullable SegOp op,
      Loc loc,
      AccessIndex parts,
      Copy first) {
    ConcatSizeGuards sizes = new ConcatSizeGuards(first, table);
    return new Site(at, used, known, op, loc, new HashSet<>(), parts, sizes);
  }

  /** Coalesces the arrays that one statement copies, the last first. */
  private void coalesce(
      StatementOrder order, Site site, List<Copy> copies, @Nullable Set<Name> held) {
    for (Copy c : copies.reversed()) {
      coalesce(order, site, c, held);
    }
    site.parts.move(site.apart, copies.get(0).to().block(), site.at);
  }

  /** Coalesces an array with the destination of a copy. */
  private void coalesce(StatementOrder order, Site site, Copy copy, @Nullable Set<Name> held) {
    String refusal = refusal(order, site, copy);
    if (held != null && HELD.equals(refusal)) {
      held.add(copy.array());
      return;
    }
    if (refusal == null) {
      String what = copy.array() + " is computed in the memory of " + copy.name();
      context.remark(Remark.Kind.APPLIED, function.name(), site.loc, what);
    } else if (!refusal.isEmpty()) {
      String what = copy.array() + " is copied to " + copy.name() + ": " + refusal;
      context.remark(Remark.Kind.MISSED, function.name(), site.loc, what);
    }
  }

  /**
   * Coalesces an array with the destination of a copy.
   *
   * @return the reason for a refusal; an empty string if there is nothing to do; null after success
   */
  private @Nullable String refusal(StatementOrder order, Site site, Copy copy) {
    int at = site.at;
    Bounds known = site.known;
    ArrayMem from = table.place(copy.array());
    if (from == null || from.equals(copy.to())) {
      return "";
    }
    Web web = Web.of(copy.array(), copy.to(), table, known);
    if (web.refusal() != null) {
      return web.refusal();
    }
    Set<Name> arrays = arraysIn(web);
    int first = firstOf(order, arrays);
    if (first < 0) {
      return "it is created outside of the body";
    }
    for (Name n : arrays) {
      if (order.isNeededAfter(at, n)) {
        return "it is used later";
      }
      boolean beside = !from.block().equals(Objects.requireNonNull(table.place(n)).block());
      if (beside && site.used.contains(n)) {
        return n + " is live at the same time";
      }
    }
    if (!web.isSized(() -> order.before(first))) {
      return "its sizes are not known before it is computed";
    }
    List<Stm> mine = order.mentioning(arrays, first, at);
    SegOp threads = site.threads();
    if (threads != null && isApart(threads, copy.to()) && isRead(mine, web)) {
      return FAR;
    }
    Map<Name, ArrayMem> places = web.moved(copy.to());
    if (places == null) {
      return String.valueOf(web.refusal());
    }
    if (isScattered(places, order.stms().subList(first, at))) {
      return FAR;
    }
    if (threads == null && isSpread(places) && isRead(mine, web)) {
      return "elements that are read consecutively would not be adjacent";
    }
    if (!hasDevice && readsBeside(mine, web, copy.to().block())) {
      return "a loop would read and write the same block";
    }
    if (nesting == 0 && early.costsMemory(order, first, at, web, copy.to())) {
      return HELD;
    }
    Set<Name> needed = new LinkedHashSet<>(copy.certs());
    if (copy.updated() != null) {
      needed.addAll(table.shapes().of(copy.updated()).chosen());
    }
    places.forEach((array, m) -> needed.addAll(added(array, m)));
    String why = null;
    List<Stm> tried = List.of();
    RelevantAccesses touched = touched(order, site, copy, web, arrays);
    DestinationInterference interval =
        new DestinationInterference(
            table, aliases, known, web, copy.to(), places, site.apart, touched);
    Set<Name> allocated = new HashSet<>(web.allocated());
    allocated.removeIf(b -> !order.isBoundIn(b));
    // Further names that may have to be bound earlier, the fewest first.
    List<Supplier<List<Name>>> earlier =
        List.of(List::of, () -> beside(copy), () -> between(copy, order, first, at));
    for (Supplier<List<Name>> names : earlier) {
      List<Name> more = names.get();
      if (why != null && more.isEmpty()) {
        continue;
      }
      needed.addAll(more);
      StatementHoister advance = new StatementHoister(table, aliases, new NonOverlap(known));
      List<Stm> moved = advance.before(order, first, needed, web.blocks());
      if (moved == null || !(advancing || moved == order.stms())) {
        why = "the destination is not available before the array";
        if (advance.isHopeless()) {
          break;
        }
        continue;
      }
      if (!isInside(site, copy, order, moved, first)) {
        why = "it may be outside of the bounds of the destination";
        continue;
      }
      if (moved.equals(tried)) {
        continue;
      }
      tried = moved;
      if (!interval.isFree(moved, first, at, from.block(), allocated)) {
        why = interval.refusal();
        if (interval.isRefusedAnyway()) {
          break;
        }
        continue;
      }
      order.reorder(moved, first, at);
      // An array in the destination requires the checks that guarantee the destination's bounds.
      for (Name n : arrays) {
        if (order.isBoundIn(n)) {
          order.require(n, copy.certs());
        }
      }
      table.move(places, web.blocks(), copy.to().block());
      order.merged(web.blocks(), copy.to().block());
      site.apart.addAll(places.keySet());
      early.made(copy.to(), web.elem());
      gone.addAll(web.allocated());
      dropped.addAll(web.dropped());
      return null;
    }
    return why == null ? "the destination is not free" : why;
  }

  /**
   * Returns the names that may have to precede a copied array: the array that is updated, or the
   * checks of the sizes of concatenated arrays.
   */
  private List<Name> beside(Copy copy) {
    List<Name> names = new ArrayList<>();
    copy.beside().forEach(n -> names.addAll(checks(n)));
    if (copy.updated() != null) {
      names.add(copy.updated());
    }
    return names;
  }

  /**
   * Returns the arrays that are created in the destination's block between the computation of the
   * array and the copy.
   */
  private List<Name> between(Copy copy, StatementOrder order, int first, int at) {
    List<Name> names = new ArrayList<>();
    for (Name n : table.arraysIn(copy.to().block())) {
      if (order.bound(n) >= first && order.bound(n) < at) {
        names.add(n);
      }
    }
    return names;
  }

  /**
   * Tests whether the array's region is within the destination, without the help of later checks.
   */
  private boolean isInside(Site site, Copy copy, StatementOrder order, List<Stm> moved, int first) {
    if (site.sizes.areSettled()) {
      return true;
    }
    if (site.sizes.areSizes(copy.array(), order.before(first))) {
      return true;
    }
    int at = first;
    while (moved.get(at) != order.stms().get(first)) {
      at++;
    }
    return site.sizes.areSizes(copy.array(), order.before(moved, first, at));
  }

  /**
   * Returns the accesses of the body's statements, up to the copy, to the moving blocks and the
   * destination region. The result excludes accesses to arrays that were coalesced into other
   * regions of the same result. It also excludes accesses through accumulators: their arrays are
   * live in the whole body, so no destination is in their memory.
   */
  private RelevantAccesses touched(
      StatementOrder order, Site site, Copy copy, Web web, Set<Name> arrays) {
    Map<Stm, List<Access>> moving = new IdentityHashMap<>();
    for (Name n : arrays) {
      for (Stm s : order.mentioning(n)) {
        if (order.position(s) >= site.at) {
          continue;
        }
        List<Access> accesses = table.accesses().of(s, n);
        if (!accesses.isEmpty()) {
          moving.computeIfAbsent(s, k -> new ArrayList<>(2)).addAll(accesses);
        }
      }
    }
    ArrayMem to = copy.to();
    return new RelevantAccesses(
        order, moving, site.parts.near(to.block(), web.elem(), to.lmad(), site.at));
  }

  /** Returns the variables in an array's new memory that its old memory does not mention. */
  private Set<Name> added(Name array, ArrayMem place) {
    Set<Name> names = FunctionMemory.names(place);
    names.removeAll(table.names(array));
    return names;
  }

  /**
   * Returns the position of the first statement that binds one of these arrays; -1 if none does.
   */
  private static int firstOf(StatementOrder order, Set<Name> arrays) {
    int first = -1;
    for (Name n : arrays) {
      int at = order.bound(n);
      if (at >= 0 && (first < 0 || at < first)) {
        first = at;
      }
    }
    return first;
  }

  /**
   * Tests whether adjacent threads of a GPU would access non-adjacent elements in the destination.
   */
  private boolean isApart(SegOp op, ArrayMem place) {
    Name innermost = op.space().dims().getLast().index();
    Poly offset = table.values().expand(place.lmad().offset());
    return !offset.divide(innermost).quotient().magnitude().equals(Poly.ONE);
  }

  /**
   * Tests whether statements read what they store in the moving blocks. In memory of their own, the
   * reads of adjacent threads are adjacent.
   */
  private boolean isRead(List<Stm> mine, Web web) {
    for (Stm s : mine) {
      for (Access a : table.accesses().of(s)) {
        if (!a.write() && web.blocks().contains(a.block())) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Tests whether coalescing would make a parallel operation with inner loops read and write
   * different arrays in one block. A CPU then no longer interleaves its iterations, which costs
   * more than the copy.
   */
  private boolean readsBeside(List<Stm> mine, Web web, Name to) {
    for (Stm s : mine) {
      if (!(s.exp() instanceof SegExp) || !table.hasLoop(s)) {
        continue;
      }
      boolean readsHere = false;
      boolean writesHere = false;
      boolean readsThere = false;
      boolean writesThere = false;
      for (Access a : table.accesses().of(s)) {
        boolean here = web.blocks().contains(a.block());
        boolean there = !here && aliases.maySame(a.block(), to);
        readsHere |= here && !a.write();
        writesHere |= here && a.write();
        readsThere |= there && !a.write();
        writesThere |= there && a.write();
      }
      if (readsHere && writesThere || readsThere && writesHere) {
        return true;
      }
    }
    return false;
  }

  /**
   * Tests whether statements read thread-specific arrays whose elements would no longer be adjacent
   * for adjacent threads.
   */
  private boolean isScattered(Map<Name, ArrayMem> places, List<Stm> stms) {
    Set<Name> scattered = new HashSet<>();
    for (Map.Entry<Name, ArrayMem> e : places.entrySet()) {
      ArrayMem now = table.place(e.getKey());
      if (now == null) {
        continue;
      }
      Poly offset = now.lmad().offset();
      for (Name n : offset.variables()) {
        if (!table.threads().contains(n) || !offset.divide(n).quotient().equals(Poly.ONE)) {
          continue;
        }
        Poly then = table.values().expand(e.getValue().lmad().offset()).divide(n).quotient();
        if (!then.magnitude().equals(Poly.ONE)) {
          scattered.add(e.getKey());
        }
      }
    }
    if (scattered.isEmpty()) {
      return false;
    }
    boolean[] read = {false};
    new Mapper() {
      @Override
      public Exp exp(Exp e) {
        read[0] |=
            e instanceof BasicOp.Index x && x.slice().isElement() && scattered.contains(x.array());
        return super.exp(e);
      }
    }.stms(stms);
    return read[0];
  }

  /**
   * Tests whether the innermost dimension of an array is contiguous now, but would not be after the
   * move.
   */
  private boolean isSpread(Map<Name, ArrayMem> places) {
    for (Map.Entry<Name, ArrayMem> e : places.entrySet()) {
      ArrayMem now = table.place(e.getKey());
      if (now == null || now.lmad().dims().isEmpty()) {
        continue;
      }
      Poly stride = now.lmad().dims().getLast().stride();
      Poly then = e.getValue().lmad().dims().getLast().stride();
      if (stride.equals(Poly.ONE) && !then.magnitude().equals(Poly.ONE)) {
        return true;
      }
    }
    return false;
  }
}
