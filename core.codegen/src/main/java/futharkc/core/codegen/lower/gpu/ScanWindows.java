package futharkc.core.codegen.lower.gpu;

import futharkc.core.codegen.lower.common.FunctionSymbols;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.UnOp;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeCopies;
import futharkc.core.ir.imperative.CodeSearch;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.Failures;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The loop of a thread block over the elements of a scan, window by window. In a window, each
 * thread has several consecutive elements in shared memory.
 */
final class ScanWindows {
  private final GpuScan scan;
  private final FunctionSymbols scope;
  private final Kernels kernels;
  private final boolean segmented;
  private final Poly size;
  private final int operands;
  private final List<PrimType> types;
  private final KernelFrame k;
  private final int items;
  private final ThreadAccumulators accs;
  private final List<Name> carry = new ArrayList<>();
  private final List<Name> prefix = new ArrayList<>();
  private final List<Name> shared = new ArrayList<>();

  /**
   * The distance from a thread's first element to the next segment boundary, if the scan is
   * segmented.
   */
  private final Name begins;

  ScanWindows(GpuScan scan, KernelFrame k, int items, List<Code> out) {
    this(scan, k, items, Poly.of(k.threads), out);
  }

  /**
   * Declares the variables and shared memory of the windows of one kernel.
   *
   * @param items the number of elements of a thread in a window
   * @param slots the number of threads that publish accumulated values
   */
  ScanWindows(GpuScan scan, KernelFrame k, int items, Poly slots, List<Code> out) {
    this.scan = scan;
    this.scope = scan.scope;
    this.kernels = scan.kernels;
    this.segmented = scan.segmented;
    this.size = scan.size;
    this.operands = scan.operands;
    this.types = scan.types;
    this.k = k;
    this.items = items;
    this.begins = scope.names.fresh("begins");
    this.accs =
        new ThreadAccumulators(scope, kernels, scan.operators, k, scan.scan.ops(), slots, out);
    List<Expr> neutral = accs.each(accs::neutral);
    for (int j = 0; j < operands; j++) {
      carry.add(scope.names.fresh("carry"));
      prefix.add(scope.names.fresh("prefix"));
      scope.declare(carry.get(j), Type.prim(types.get(j)), neutral.get(j), out);
      scope.declare(prefix.get(j), Type.prim(types.get(j)), neutral.get(j), out);
    }
  }

  ThreadAccumulators accs() {
    return accs;
  }

  /** Sets the carry, which is the result of all elements before the window. */
  void begin(List<Expr> values, List<Code> out) {
    keep(carry, values, out);
  }

  Expr carry(int j) {
    return new Expr.Var(carry.get(j), types.get(j));
  }

  Expr prefix(int j) {
    return new Expr.Var(prefix.get(j), types.get(j));
  }

  private List<Expr> all(List<Name> names) {
    List<Expr> all = new ArrayList<>();
    for (int j = 0; j < operands; j++) {
      all.add(new Expr.Var(names.get(j), types.get(j)));
    }
    return all;
  }

  private static void keep(List<Name> in, List<Expr> values, List<Code> out) {
    for (int j = 0; j < in.size(); j++) {
      out.add(new Code.Assign(in.get(j), values.get(j)));
    }
  }

  /**
   * Scans the threads' accumulated values after the carry. Afterwards, the prefix of a thread is
   * the result before its elements, and the carry is the result before the next window.
   *
   * @param place returns the position of the last element of a thread
   */
  void advance(Function<Poly, Poly> place, List<Code> out) {
    accs.scan(scan.crosses(place), scan.reach(k, place, out), out);
    out.add(new Code.Barrier());
    resume(place, out);
    hand(out);
  }

  /** Updates the carry like {@link #advance}, without computing prefixes. */
  private void skip(Function<Poly, Poly> place, List<Code> out) {
    Poly last = Poly.of(k.threads).minus(Poly.ONE);
    accs.scan(scan.crosses(place), scan.reach(k, place, out), out);
    out.add(new Code.Barrier());
    accs.publish(out);
    out.add(new Code.Barrier());
    accs.set(accs.published(last), out);
    afterCarry(place, last, out);
    keep(carry, accs.values(), out);
    out.add(new Code.Barrier());
  }

  /** Combines the carry with each thread's scanned value, and publishes the result. */
  private void resume(Function<Poly, Poly> place, List<Code> out) {
    afterCarry(place, Poly.of(k.thread), out);
    accs.publish(out);
    out.add(new Code.Barrier());
  }

  /**
   * Combines the carry with the accumulated value of a thread, unless a segment boundary separates
   * them.
   */
  private void afterCarry(Function<Poly, Poly> place, Poly thread, List<Code> out) {
    List<Code> take = new ArrayList<>();
    kernels.attempt(c -> accs.prepend(all(carry), c), take);
    if (!segmented) {
      out.addAll(take);
    } else {
      Expr apart = scan.crosses(place.apply(Poly.of(-1)), place.apply(thread));
      out.add(new Code.If(apart, List.of(), take));
    }
  }

  /** Sets prefix and carry from the published values. */
  private void hand(List<Code> out) {
    precede(out);
    keep(carry, accs.published(Poly.of(k.threads).minus(Poly.ONE)), out);
    out.add(new Code.Barrier());
  }

  /**
   * Sets the prefix to the published value of the previous thread, or to the carry for the first
   * thread.
   */
  private void precede(List<Code> out) {
    List<Code> first = new ArrayList<>();
    keep(prefix, all(carry), first);
    List<Code> later = new ArrayList<>();
    keep(prefix, accs.published(Poly.of(k.thread).minus(Poly.ONE)), later);
    out.add(new Code.If(k.isFirst(), first, later));
  }

  /**
   * Sets the prefix to the accumulated value of the previous thread, or to the carry for the first
   * thread, by shuffles if the device has them.
   */
  private void pass(List<Code> out) {
    int width = scope.number(KernelOptions.SHUFFLED);
    if (width == 1) {
      accs.publish(out);
      out.add(new Code.Barrier());
      precede(out);
      return;
    }
    keep(prefix, accs.shuffled(Expr.i64(-1), width, out), out);
    Expr inWarp = Expr.binary(BinOp.Kind.AND, Expr.i64(k.thread), Expr.i64(width - 1));
    Expr number = Expr.binary(BinOp.Kind.SQUOT, Expr.i64(k.thread), Expr.i64(width));
    Poly group = Poly.of(kernels.let("group", number, out));
    List<Code> show = new ArrayList<>();
    accs.publish(group, show);
    out.add(new Code.If(Expr.atMost(Expr.i64(width - 1), inWarp), show, List.of()));
    out.add(new Code.Barrier());
    List<Code> first = new ArrayList<>();
    keep(prefix, all(carry), first);
    List<Code> later = new ArrayList<>();
    keep(prefix, accs.published(group.minus(Poly.ONE)), later);
    List<Code> edge = List.of(new Code.If(k.isFirst(), first, later));
    out.add(new Code.If(Expr.atMost(inWarp, Expr.i64(0)), edge, List.of()));
  }

  /** Scans a range, beginning with the carry. */
  void run(Poly from, Poly to, boolean store, List<Code> out) {
    share();
    kernels.inSteps(
        KernelFrame.Stride.of(from, window()),
        to,
        (first, code) -> {
          Poly base = Poly.of(first);
          read(base, to, code);
          own(base, code);
          if (store) {
            advance(places(base), code);
            apply(code);
            write(base, to, code);
          } else {
            skip(places(base), code);
          }
          code.add(new Code.Barrier());
        },
        out);
  }

  /**
   * Scans one tile. The tile publishes its result and obtains its carry by looking back, unless
   * tiles consist of whole segments.
   *
   * @param step the number of elements of a tile, at most those of a window
   */
  void tile(LookBack others, Poly step, List<Code> out) {
    share();
    Name tile = others.ticket(k, out);
    Poly base = Poly.of(kernels.let("base", new Expr.Index(Poly.of(tile).times(step)), out));
    Poly end =
        segmented
            ? Poly.of(kernels.let("end", Reduction.smaller(base.plus(step), scan.total), out))
            : scan.total;
    read(base, end, out);
    own(base, out);
    BiFunction<Poly, Poly, Expr> crosses = segmented ? ownCrosses(out) : null;
    accs.scan(crosses, scan.reach(k, places(base), out), out);
    Expr isFirst = Expr.atMost(Expr.i64(tile), Expr.i64(0));
    Expr isPrefix = isFirst;
    Expr isAlone = isFirst;
    if (segmented) {
      isFirst = Expr.or(others.areApart(), isFirst);
      Name at = kernels.let("at", Expr.i64(0), out);
      Code find = new Code.Assign(at, scan.inSegment(base));
      out.add(new Code.If(others.areApart(), List.of(), List.of(find)));
      isAlone = Expr.or(isFirst, Expr.atMost(Expr.i64(at), Expr.i64(0)));
      Expr next = Expr.binary(BinOp.Kind.SUB, new Expr.Index(size), Expr.i64(at));
      isPrefix = Expr.or(isAlone, Expr.less(next, new Expr.Index(window())));
    }
    Expr closed = let("closed", isPrefix, out);
    Expr alone = let("alone", isAlone, out);
    List<Code> tell = new ArrayList<>();
    Poly last = Poly.of(k.threads).minus(Poly.ONE);
    Expr isLast = let("last", Expr.atMost(new Expr.Index(last), Expr.i64(k.thread)), out);
    others.publish(tile, closed, accs.values(), tell);
    out.add(new Code.If(Expr.and(isLast, not(others.areApart())), tell, List.of()));
    List<Code> learn = new ArrayList<>();
    boolean shuffles = scope.number(KernelOptions.SHUFFLED) > 1;
    Poly slots = shuffles ? Poly.ONE : Poly.of(k.threads);
    ThreadAccumulators theirs =
        new ThreadAccumulators(scope, kernels, scan.operators, k, scan.scan.ops(), slots, out);
    others.collect(k, theirs, tile, carry, learn);
    out.add(new Code.If(not(alone), learn, List.of()));
    // PoCL loses thread-private values after a branch with barriers, unless another barrier
    // follows.
    out.add(new Code.Barrier());
    List<Code> take = new ArrayList<>();
    kernels.attempt(c -> accs.prepend(all(carry), c), take);
    if (crosses == null) {
      out.addAll(take);
    } else {
      Expr apart = crosses.apply(Poly.of(-1), Poly.of(k.thread));
      out.add(new Code.If(apart, List.of(), take));
    }
    List<Code> prefix = new ArrayList<>();
    others.publish(tile, Expr.bool(true), accs.values(), prefix);
    out.add(new Code.If(Expr.and(isLast, not(closed)), prefix, List.of()));
    if (items > 1) {
      pass(out);
    }
    apply(out);
    write(base, end, out);
  }

  /**
   * Returns a test for whether a segment boundary lies between the last elements of two threads.
   * The test has 32 bits, because distances beyond a window do not matter.
   */
  private BiFunction<Poly, Poly, Expr> ownCrosses(List<Code> out) {
    Poly same = size.minus(Poly.of(begins)).plus(Poly.of(items - 1L));
    Name last = kernels.let("last", new Expr.Index(same), out);
    Expr isBehind = Expr.atMost(new Expr.Index(size), Expr.i64(last));
    Code inItsOwn = new Code.Assign(last, scan.inSegment(Poly.of(last)));
    out.add(new Code.If(isBehind, List.of(inItsOwn), List.of()));
    Expr some = Expr.binary(BinOp.Kind.SMIN, Expr.i64(last), new Expr.Index(window()));
    Name inside = scope.names.fresh("inside");
    scope.declare(inside, Type.prim(PrimType.I32), narrow(some), out);
    return (from, to) -> {
      Expr apart = new Expr.Index(to.minus(from).times(items));
      CmpOp less = new CmpOp(CmpOp.Kind.SLT, PrimType.I32);
      return new Expr.Compare(less, new Expr.Var(inside, PrimType.I32), narrow(apart));
    };
  }

  private Expr let(String base, Expr value, List<Code> out) {
    Name n = scope.names.fresh(base);
    scope.declare(n, Type.prim(value.type()), value, out);
    return new Expr.Var(n, value.type());
  }

  private static Expr not(Expr e) {
    return new Expr.Unary(new UnOp(UnOp.Kind.NOT, PrimType.BOOL), e);
  }

  private Poly window() {
    return Poly.of(k.threads).times(items);
  }

  /** Returns the positions of the threads' last elements in a window. */
  private Function<Poly, Poly> places(Poly base) {
    return t -> base.plus(t.plus(Poly.ONE).times(items)).minus(Poly.ONE);
  }

  private void share() {
    for (PrimType t : types) {
      shared.add(k.shared("items", window().times(t.bytes())));
    }
  }

  private Expr item(int j, Poly idx) {
    return new Expr.Load(shared.get(j), types.get(j), idx);
  }

  private List<Expr> item(Poly idx) {
    List<Expr> all = new ArrayList<>();
    for (int j = 0; j < operands; j++) {
      all.add(item(j, idx));
    }
    return all;
  }

  private void put(Poly idx, List<Expr> values, List<Code> out) {
    for (int j = 0; j < operands; j++) {
      out.add(new Code.Store(shared.get(j), types.get(j), idx, values.get(j)));
    }
  }

  /** Adds code for the positions of a window; adjacent threads have adjacent positions. */
  private void each(BiConsumer<Poly, List<Code>> body, List<Code> out) {
    kernels.attempt(
        c ->
            kernels.strided(k.acrossBlock(), window(), (i, one) -> body.accept(Poly.of(i), one), c),
        out);
  }

  /**
   * Adds code for the positions of a window in a loop of constant trip count, which kernel
   * compilers unroll.
   */
  private void eachInTurn(BiConsumer<Poly, List<Code>> body, List<Code> out) {
    Name n = scope.names.fresh("turn");
    scope.add(n, Type.I64);
    Poly idx = Poly.of(k.thread).plus(Poly.of(n).times(Poly.of(k.threads)));
    kernels.attempt(
        c -> {
          List<Code> one = new ArrayList<>();
          body.accept(idx, one);
          c.add(new Code.For(n, PrimType.I64, Expr.i64(0), Expr.i64(items), one));
        },
        out);
  }

  /** Evaluates the body at the positions of a window; the last window may be shorter. */
  private void read(Poly base, Poly to, List<Code> out) {
    List<Code> some = new ArrayList<>();
    int[] statements = {0};
    boolean[] isPure = {false};
    each(
        (idx, code) -> {
          List<Code> inside = new ArrayList<>();
          element(base.plus(idx), idx, inside);
          statements[0] = CodeSearch.countStatements(inside);
          isPure[0] = CodeCopies.isPure(inside.subList(0, inside.size() - operands));
          List<Code> outside = new ArrayList<>();
          put(idx, accs.each(accs::neutral), outside);
          code.add(new Code.If(isBefore(base.plus(idx), to), inside, outside));
        },
        some);
    // A thread that fails has defined elements nevertheless.
    if (Failures.arePossible(some)) {
      each((idx, code) -> put(idx, accs.each(accs::neutral), code), out);
    }
    if (items == 1 || statements[0] > scan.windows().repeated()) {
      out.addAll(some);
    } else {
      List<Code> whole = new ArrayList<>();
      each((idx, code) -> element(base.plus(idx), idx, code), whole);
      // A tile of whole segments is rarely a whole window, so code for partial windows matters.
      if (segmented && isPure[0]) {
        some.clear();
        each((idx, code) -> elementBefore(base.plus(idx), to, idx, code), some);
      }
      Expr isWhole = Expr.atMost(new Expr.Index(base.plus(window())), new Expr.Index(to));
      out.add(new Code.If(isWhole, whole, some));
    }
    out.add(new Code.Barrier());
  }

  private static Expr isBefore(Poly place, Poly to) {
    return Expr.less(new Expr.Index(place), new Expr.Index(to));
  }

  /**
   * Evaluates an element. Behind the end, evaluates the last element and stores a neutral one, so
   * that all loads of a thread overlap.
   */
  private void elementBefore(Poly place, Poly to, Poly idx, List<Code> out) {
    Name nearest = kernels.let("nearest", Reduction.smaller(place, to.minus(Poly.ONE)), out);
    element(Poly.of(nearest), idx, out);
    List<Code> behind = new ArrayList<>();
    put(idx, accs.each(accs::neutral), behind);
    out.add(new Code.If(isBefore(place, to), List.of(), behind));
  }

  private void element(Poly place, Poly idx, List<Code> out) {
    Name at = kernels.let("at", new Expr.Index(place), out);
    List<SubExp> results = scan.scan.body().values();
    scan.nest.decompose(scan.dims, at, out);
    scan.statements.lower(scan.scan.body().stms(), results, List.of(), out);
    put(idx, results.subList(0, operands).stream().map(scope::expr).toList(), out);
  }

  /** Combines a thread's elements since the last segment boundary. */
  private void own(Poly base, List<Code> out) {
    Poly mine = Poly.of(k.thread).times(items);
    accs.set(item(mine), out);
    if (segmented) {
      Expr rest =
          Expr.binary(BinOp.Kind.SUB, new Expr.Index(size), scan.inSegment(base.plus(mine)));
      scope.declare(begins, Type.I64, rest, out);
    }
    if (items == 1) {
      return;
    }
    further(idx -> List.of(), out);
  }

  /** Scans a thread's elements, beginning with its prefix; a single element is already scanned. */
  private void apply(List<Code> out) {
    if (items == 1) {
      put(Poly.of(k.thread), accs.values(), out);
      out.add(new Code.Barrier());
      return;
    }
    Poly first = Poly.of(k.thread).times(items);
    accs.set(all(prefix), out);
    if (!segmented) {
      take(first, out);
    } else {
      out.addAll(takeOrBegin(Expr.atMost(new Expr.Index(size), Expr.i64(begins)), first));
    }
    put(first, accs.values(), out);
    further(
        idx -> {
          List<Code> code = new ArrayList<>();
          put(idx, accs.values(), code);
          return code;
        },
        out);
    out.add(new Code.Barrier());
  }

  /**
   * Combines the accumulated value with a thread's elements after the first. Most threads have no
   * segment boundary among their elements, and run a loop without tests.
   *
   * @param then returns the code after each element
   */
  private void further(Function<Poly, List<Code>> then, List<Code> out) {
    List<Code> plain = new ArrayList<>();
    further(null, then, plain);
    if (!segmented) {
      out.addAll(plain);
      return;
    }
    List<Code> looking = new ArrayList<>();
    Name next = int32("next", Expr.i64(begins), looking);
    Name length = int32("length", new Expr.Index(size), looking);
    further(new Boundaries(next, length), then, looking);
    Expr hasNone = Expr.atMost(Expr.i64(items), Expr.i64(begins));
    out.add(new Code.If(hasNone, plain, looking));
  }

  /**
   * The segment boundaries among a thread's elements, in 32 bits.
   *
   * @param next the index of the next boundary
   * @param length the distance between boundaries
   */
  private record Boundaries(Name next, Name length) {}

  /** Declares a number of elements in 32 bits, limited to the number of a thread's elements. */
  private Name int32(String base, Expr value, List<Code> out) {
    Name n = scope.names.fresh(base);
    Expr some = Expr.binary(BinOp.Kind.SMIN, value, Expr.i64(items));
    scope.declare(n, Type.prim(PrimType.I32), narrow(some), out);
    return n;
  }

  private static Expr narrow(Expr number) {
    return new Expr.Convert(new ConvOp(ConvOp.Kind.SEXT, PrimType.I64, PrimType.I32), number);
  }

  private void further(
      @Nullable Boundaries boundaries, Function<Poly, List<Code>> then, List<Code> out) {
    Name n = scope.names.fresh("item");
    scope.add(n, Type.I64);
    Poly idx = Poly.of(k.thread).times(items).plus(Poly.of(n));
    List<Code> code = new ArrayList<>();
    if (boundaries == null) {
      take(idx, code);
    } else {
      Expr next = new Expr.Var(boundaries.next, PrimType.I32);
      Expr length = new Expr.Var(boundaries.length, PrimType.I32);
      CmpOp same = new CmpOp(CmpOp.Kind.EQ, PrimType.I32);
      List<Code> begin = new ArrayList<>();
      accs.set(item(idx), begin);
      Expr behind = new Expr.Binary(new BinOp(BinOp.Kind.ADD, PrimType.I32), next, length);
      begin.add(new Code.Assign(boundaries.next, behind));
      List<Code> take = new ArrayList<>();
      take(idx, take);
      code.add(new Code.If(new Expr.Compare(same, narrow(Expr.i64(n)), next), begin, take));
    }
    code.addAll(then.apply(idx));
    out.add(new Code.For(n, PrimType.I64, Expr.i64(1), Expr.i64(items), code));
  }

  private void take(Poly idx, List<Code> out) {
    kernels.attempt(c -> accs.append(item(idx), c), out);
  }

  private List<Code> takeOrBegin(Expr begins, Poly idx) {
    List<Code> take = new ArrayList<>();
    take(idx, take);
    List<Code> begin = new ArrayList<>();
    accs.set(item(idx), begin);
    return List.of(new Code.If(begins, begin, take));
  }

  /** Applies the code that follows the scan to the scanned elements of a window. */
  private void write(Poly base, Poly to, List<Code> out) {
    List<Code> some = new ArrayList<>();
    int[] statements = {0};
    BiConsumer<Poly, List<Code>> tested =
        (idx, code) -> {
          List<Code> inside = new ArrayList<>();
          posted(base, idx, inside);
          statements[0] = CodeSearch.countStatements(inside);
          code.add(new Code.If(isBefore(base.plus(idx), to), inside, List.of()));
        };
    if (segmented) {
      eachInTurn(tested, some);
    } else {
      each(tested, some);
    }
    if (items == 1 || statements[0] > scan.windows().repeated()) {
      out.addAll(some);
      return;
    }
    List<Code> whole = new ArrayList<>();
    each((idx, code) -> posted(base, idx, code), whole);
    Expr isWhole = Expr.atMost(new Expr.Index(base.plus(window())), new Expr.Index(to));
    out.add(new Code.If(isWhole, whole, some));
  }

  private void posted(Poly base, Poly idx, List<Code> out) {
    Name at = kernels.let("at", new Expr.Index(base.plus(idx)), out);
    scan.nest.decompose(scan.dims, at, out);
    List<Param> params = scan.scan.post().params();
    accs.bind(params.subList(0, operands), item(idx), out);
    List<SubExp> results = scan.scan.body().values();
    if (params.size() > operands) {
      scan.statements.lower(scan.scan.body().stms(), results, List.of(), out);
      for (int j = operands; j < params.size(); j++) {
        Param p = params.get(j);
        if (p.type() instanceof Type.Prim) {
          scope.declare(p.name(), p.type(), scope.expr(results.get(j)), out);
        } else {
          scan.arrays.bind(p, results.get(j), scan.scan.post().body(), out);
        }
      }
    }
    List<SubExp> posted = scan.scan.post().body().results();
    scan.statements.lower(scan.scan.post().body().stms(), posted, List.of(), out);
    scan.arrays.storeAt(scan.stm.pat(), scan.dims, posted, out);
  }
}
