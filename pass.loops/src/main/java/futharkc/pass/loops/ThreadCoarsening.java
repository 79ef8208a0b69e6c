package futharkc.pass.loops;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeCopies;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.imperative.Variables;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.PassContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The rewriting of one function for {@link ThreadCoarseningPass}. */
final class ThreadCoarsening {
  /** The bytes that a thread loads at a time. */
  static final Option BYTES =
      Option.integer(
          "bytes",
          16,
          "bytes that a thread loads at a time; all threads of a multiprocessor together must"
              + " have enough loads in flight to hide memory latency");

  /** The maximum number of interleaved iterations, each of which needs registers. */
  static final Option MOST =
      Option.integer(
          "most", 8, "maximum number of interleaved iterations, each of which needs registers");

  /** The maximum number of statements of all interleaved iterations. */
  static final Option STATEMENTS =
      Option.integer(
              "statements", 160, "maximum number of statements of all interleaved iterations")
          .within(1, 1 << 20);

  /** The maximum constant trip count of a loop whose iterations are all interleaved. */
  static final Option UNROLLED =
      Option.integer(
              "unrolled",
              16,
              "maximum constant trip count of a loop whose iterations are all interleaved")
          .within(0, 1 << 20);

  /** The minimum number of thread blocks that remain after giving threads more work. */
  static final Option BLOCKS =
      Option.integer(
          "blocks",
          1024,
          "minimum number of thread blocks that remain after giving threads more work: enough"
              + " for all multiprocessors");

  /** The options of the pass. */
  static final List<Option> OPTIONS = List.of(BYTES, MOST, STATEMENTS, UNROLLED, BLOCKS);

  private final PassContext context;
  private final long wanted;
  private final BiConsumer<String, Loc> remarks;
  private final NameSource names;

  /** The thread-private and shared blocks of the kernel. */
  private final Set<Name> own = new HashSet<>();

  private final Set<Name> shared = new HashSet<>();
  private Loc loc = Loc.NONE;

  /** The number of threads per thread block; null outside of kernels. */
  private @Nullable Poly threads;

  /** The distribution of the kernel's only loop; null if the kernel has other statements. */
  private @Nullable Tiles tiles;

  /** True if the kernel's threads may use many registers. */
  private boolean hasRegisters;

  private boolean changed;

  private ThreadCoarsening(
      NameSource names, PassContext context, long wanted, BiConsumer<String, Loc> remarks) {
    this.names = names;
    this.context = context;
    this.wanted = wanted;
    this.remarks = remarks;
  }

  /**
   * Returns the rewritten function; the function itself if nothing is changed.
   *
   * @param wanted the number of iterations to run concurrently; 0 for a number chosen by the size
   *     of elements
   */
  static ImperativeProgram.Function rewrite(
      ImperativeProgram.Function function,
      PassContext context,
      long wanted,
      BiConsumer<String, Loc> remarks) {
    NameSource names = new NameSource(function.nextTag());
    ThreadCoarsening t = new ThreadCoarsening(names, context, wanted, remarks);
    List<Code> body = t.way.statements(function.body());
    return t.changed ? function.withBody(body, names.next()) : function;
  }

  private final CodeMapper way =
      new CodeMapper() {
        @Override
        public List<Code> statements(List<Code> code) {
          List<Code> out = new ArrayList<>(code.size());
          boolean same = true;
          for (Code c : code) {
            List<Code> now =
                switch (c) {
                  case Code.Launch l -> launch(l);
                  case Code.Strided s -> loop(s);
                  default -> List.of(statement(c));
                };
            same &= now.size() == 1 && now.get(0) == c;
            out.addAll(now);
          }
          return same ? code : out;
        }
      };

  // Kernels

  private List<Code> launch(Code.Launch l) {
    loc = l.loc();
    threads = l.threads().poly();
    hasRegisters = l.grid().resident() == 0;
    own.clear();
    shared.clear();
    for (Code.Shared s : l.shared()) {
      shared.add(s.block());
    }
    new CodeMapper() {
      @Override
      public Code statement(Code c) {
        if (c instanceof Code.Private || c instanceof Code.DeclarePointer) {
          own.addAll(Variables.declaredBy(c).stream().map(Code.Variable::name).toList());
        }
        return super.statement(c);
      }
    }.statements(l.body());
    Code.Strided all = only(l.body());
    tiles = all == null ? null : tiles(l, all);
    List<Code> body = way.statements(l.body());
    Code.Launch now = body == l.body() ? l : l.redistributed(body);
    if (tiles != null) {
      return fewerBlocks(l, now, tiles);
    }
    boolean single = all != null && now == l && l.covers(all);
    return List.of(single ? l.withBody(once(l.body())) : now);
  }

  /** Returns code in which a test replaces its only loop. */
  private List<Code> once(List<Code> code) {
    changed = true;
    return new CodeMapper() {
      @Override
      public List<Code> statements(List<Code> code) {
        if (code.size() != 1 || !(code.get(0) instanceof Code.Strided s)) {
          return super.statements(code);
        }
        remarks.accept(
            "removed the loop over " + s.index() + ", whose iterations have a thread each", loc);
        return List.of(
            new Code.Declare(s.index(), PrimType.I64, s.from()),
            new Code.If(Expr.less(Expr.i64(s.index()), s.to()), s.body(), List.of()));
      }
    }.statements(code);
  }

  /**
   * Returns the only loop of a kernel, which may also declare thread-private arrays; null if the
   * kernel has other statements.
   */
  static Code.@Nullable Strided only(List<Code> code) {
    List<Code> rest = code.stream().filter(c -> !(c instanceof Code.Private)).toList();
    if (rest.size() != 1) {
      return null;
    }
    return switch (rest.get(0)) {
      case Code.Strided s -> s;
      case Code.Scope s -> only(s.body());
      case Code.Attempt a -> only(a.body());
      default -> null;
    };
  }

  /**
   * The distribution of a grid-stride loop. The iterations of a thread block are consecutive if the
   * loop accesses memory in order. In other loops, or if there are too few iterations for all
   * thread blocks, the iterations of a thread are a grid apart.
   *
   * @param loop the loop
   * @param blocks the number of thread blocks for one iteration per thread
   * @param size the number of threads per thread block
   * @param block the index of the thread block
   * @param width the number of iterations that a thread runs concurrently
   * @param apart the variable for the distance between these iterations
   * @param scale the variable for the number of a thread's iterations that precede the next thread
   *     block
   */
  private record Tiles(
      Code.Strided loop, Name blocks, Poly size, Name block, int width, Name apart, Name scale) {}

  private @Nullable Tiles tiles(Code.Launch l, Code.Strided loop) {
    if (!l.sharesOut(loop)
        || !(l.blocks() instanceof Expr.Var blocks)
        || !(l.threads() instanceof Expr.Var threads)) {
      return null;
    }
    Poly size = Poly.of(threads.name());
    int width = loop.isIndependent() ? width(loop) : 0;
    if (width < 2) {
      return null;
    }
    Name apart = names.fresh("apart");
    return new Tiles(loop, blocks.name(), size, l.block(), width, apart, names.fresh("scale"));
  }

  /** Launches the kernel with fewer thread blocks if there was a thread for each iteration. */
  private List<Code> fewerBlocks(Code.Launch old, Code.Launch now, Tiles t) {
    Expr blocks = old.blocks();
    Name fewer = names.fresh(t.blocks);
    Name needed = names.fresh("needed");
    Expr tile = new Expr.Index(t.size.times(t.width));
    long least = wanted > 0 ? 1 : context.number(BLOCKS);
    Expr enough = Expr.binary(BinOp.Kind.SMAX, Expr.i64(needed), Expr.i64(least));
    CodeMapper rename =
        new CodeMapper() {
          @Override
          public Name name(Name use) {
            return use.equals(t.blocks) ? fewer : use;
          }
        };
    Expr all = new Expr.Index(Poly.of(fewer).times(t.size));
    List<Code> near =
        List.of(
            new Code.Assign(t.apart, new Expr.Index(t.size)),
            new Code.Assign(t.scale, Expr.i64(t.width)));
    List<Code> out = new ArrayList<>();
    out.add(
        new Code.Declare(needed, PrimType.I64, Expr.binary(BinOp.Kind.SDIV_UP, t.loop.to(), tile)));
    out.add(new Code.Declare(fewer, PrimType.I64, Expr.binary(BinOp.Kind.SMIN, blocks, enough)));
    out.add(new Code.Declare(t.apart, PrimType.I64, all));
    out.add(new Code.Declare(t.scale, PrimType.I64, Expr.i64(1)));
    if (isInOrder(t.loop)) {
      Expr areEnough = Expr.atMost(Expr.i64(fewer), Expr.i64(needed));
      out.add(new Code.If(areEnough, near, List.of()));
    }
    out.add(rename.statement(now));
    return out;
  }

  /**
   * Tests whether adjacent iterations access adjacent elements or the same one. If they access
   * columns of a matrix, each column reads the same cache lines again, so their accesses should be
   * close in time.
   */
  private boolean isInOrder(Code.Strided loop) {
    Set<Name> inside = CodeCopies.declared(loop.body());
    Set<Name> assigned = Variables.assignedBy(loop.body());
    Map<Name, Poly> known = new HashMap<>();
    boolean[] inOrder = {true};
    new CodeMapper() {
      @Override
      public Code statement(Code c) {
        Code same = super.statement(c);
        switch (c) {
          case Code.Declare d when d.value() != null && !assigned.contains(d.name()) -> {
            Poly p = d.value().sum();
            if (p != null) {
              known.put(d.name(), resolved(p));
            }
          }
          case Code.Store s -> access(s.block(), s.index());
          case Code.Declare _, Code.Assign _, Code.If _, Code.Scope _, Code.Assert _ -> {}
          case Code.Simple _, Code.Compound _ -> inOrder[0] = false;
        }
        return same;
      }

      @Override
      public Expr expr(Expr e) {
        if (e instanceof Expr.Load l) {
          access(l.block(), l.index());
        }
        return super.expr(e);
      }

      private Poly resolved(Poly p) {
        return p.substitute(n -> known.getOrDefault(n, Poly.of(n)));
      }

      private void access(Name block, Poly index) {
        Poly.Division d = resolved(index).divide(loop.index());
        Long step = d.quotient().constant();
        boolean isNext = step != null && Math.abs(step) <= 1;
        boolean isOutside = d.remainder().names().stream().noneMatch(inside::contains);
        inOrder[0] &= shared.contains(block) || isNext && isOutside;
      }
    }.statements(loop.body());
    return inOrder[0];
  }

  // Loops

  private List<Code> loop(Code.Strided s) {
    int width = width(s);
    if (width < 2) {
      return List.of(way.statement(s));
    }
    int trips = trips(s);
    boolean isUnrolled = width == trips;
    changed = true;
    remarks.accept("interleaved " + width + " iterations of the loop over " + s.index(), loc);
    boolean isShort = trips * statements(s.body()) <= 2 * context.number(STATEMENTS);
    if (trips > width && s.isIndependent() && isShort) {
      return List.of(inRounds(s, width, trips));
    }
    Tiles t = tiles != null && tiles.loop == s ? tiles : null;
    Poly step = t == null ? s.step().polynomial() : Poly.of(t.apart);
    Poly by = s.step().polynomial().times(width);
    Expr from = s.from();
    if (t != null) {
      // The first iteration of the thread block, and the thread's offset from it.
      Poly before = Poly.of(t.block).times(t.size);
      Poly own = s.from().polynomial().minus(before);
      from = new Expr.Index(before.times(Poly.of(t.scale)).plus(own));
    }
    Set<Name> declared = CodeCopies.declared(s.body());
    List<Code> together = loadsFirst(s.parts().get(0), declared);
    List<Code> inOrder = s.parts().get(1);
    List<Map<Name, Poly>> copies = new ArrayList<>();
    Name index = names.fresh(s.index());
    Poly first = isUnrolled ? s.from().polynomial() : Poly.of(index);
    for (int k = 0; k < width; k++) {
      Map<Name, Poly> copy = new HashMap<>(CodeCopies.fresh(declared, names));
      copy.put(s.index(), first.plus(step.times(k)));
      copies.add(copy);
    }
    List<Code> body = CodeCopies.sideBySide(together, copies);
    int independent = body.size();
    for (Map<Name, Poly> copy : copies) {
      body.addAll(CodeCopies.sideBySide(inOrder, List.of(copy)));
    }
    if (isUnrolled) {
      return List.of(new Code.Scope(body));
    }
    Name rest = names.fresh("rest");
    body.add(new Code.Assign(rest, new Expr.Index(Poly.of(index).plus(by))));
    Expr end = new Expr.Index(s.to().polynomial().minus(step.times(width - 1)));
    Expr one = t == null ? s.step() : new Expr.Index(step);
    List<Code> before = s.parts().get(0);
    boolean isRound = width > 2 && hasRegisters && CodeCopies.isPure(before);
    return List.of(
        new Code.Declare(rest, PrimType.I64, from),
        new Code.Strided(
            index, from, end, new Expr.Index(by), Code.Distribution.NONE, independent, body),
        isRound
            ? lastRound(s, rest, width - 1)
            : new Code.Strided(
                s.index(),
                Expr.i64(rest),
                s.to(),
                one,
                Code.Distribution.NONE,
                s.independent(),
                s.body()));
  }

  /** Unrolls a loop of known trip count completely, in rounds of several concurrent iterations. */
  private Code inRounds(Code.Strided s, int width, int trips) {
    Set<Name> declared = CodeCopies.declared(s.body());
    List<Code> together = loadsFirst(s.body(), declared);
    List<Code> all = new ArrayList<>();
    for (int first = 0; first < trips; first += width) {
      List<Map<Name, Poly>> copies = new ArrayList<>();
      for (int k = first; k < Math.min(trips, first + width); k++) {
        Map<Name, Poly> copy = new HashMap<>(CodeCopies.fresh(declared, names));
        copy.put(s.index(), s.from().polynomial().plus(s.step().polynomial().times(k)));
        copies.add(copy);
      }
      all.addAll(CodeCopies.sideBySide(together, copies));
    }
    return new Code.Scope(all);
  }

  /**
   * Returns the remaining iterations from one on, run concurrently under conditions, so that a
   * thread waits for memory once.
   *
   * @param most the maximum number of remaining iterations
   */
  private Code lastRound(Code.Strided s, Name first, int most) {
    Set<Name> declared = CodeCopies.declared(s.body());
    List<Map<Name, Poly>> copies = new ArrayList<>();
    List<Expr> areThere = new ArrayList<>();
    List<Code> code = new ArrayList<>();
    for (int k = 0; k < most; k++) {
      Poly index = Poly.of(first).plus(s.step().polynomial().times(k));
      Map<Name, Poly> copy = new HashMap<>(CodeCopies.fresh(declared, names));
      copy.put(s.index(), index);
      copies.add(copy);
      areThere.add(Expr.less(new Expr.Index(index), s.to()));
    }
    sideBySide(s.parts().get(0), copies, areThere, code);
    for (int k = 0; k < most; k++) {
      List<Code> inOrder = CodeCopies.sideBySide(s.parts().get(1), List.of(copies.get(k)));
      code.add(new Code.If(areThere.get(k), inOrder, List.of()));
    }
    return new Code.If(Expr.less(Expr.i64(first), s.to()), code, List.of());
  }

  /**
   * Adds each statement in the copies whose iteration exists. Variables that a statement declares
   * stay visible after it.
   */
  private static void sideBySide(
      List<Code> statements, List<Map<Name, Poly>> copies, List<Expr> areThere, List<Code> out) {
    for (Code c : statements) {
      if (c instanceof Code.Scope s) {
        sideBySide(s.body(), copies, areThere, out);
        continue;
      }
      for (int k = 0; k < copies.size(); k++) {
        Code copy = CodeCopies.sideBySide(List.of(c), List.of(copies.get(k))).get(0);
        if (copy instanceof Code.Declare d) {
          if (d.value() instanceof Expr.Index || d.value() instanceof Expr.Var) {
            out.add(d);
            continue;
          }
          out.add(new Code.Declare(d.name(), d.type(), Expr.zero(d.type())));
          if (d.value() == null) {
            continue;
          }
          copy = new Code.Assign(d.name(), d.value());
        }
        out.add(new Code.If(areThere.get(k), List.of(copy), List.of()));
      }
    }
  }

  /** Returns the statements with loads before the stores of the loaded values. */
  private List<Code> loadsFirst(List<Code> code, Set<Name> declared) {
    return new CodeMapper() {
      @Override
      public List<Code> statements(List<Code> code) {
        List<Code> out = new ArrayList<>();
        for (Code c : code) {
          if (c instanceof Code.Store s && !(s.value() instanceof Expr.Var)) {
            Name n = names.fresh("stored");
            declared.add(n);
            PrimType type = s.value().type();
            out.add(new Code.Declare(n, type, s.value()));
            out.add(new Code.Store(s.block(), s.elem(), s.index(), new Expr.Var(n, type)));
          } else {
            out.add(c instanceof Code.Scope ? statement(c) : c);
          }
        }
        return out;
      }
    }.statements(code);
  }

  // Applicability

  /** Returns the number of iterations to run concurrently; less than two for a loop that stays. */
  private int width(Code.Strided s) {
    List<Code> together = s.parts().get(0);
    List<Code> inOrder = s.parts().get(1);
    if (s.step().poly() == null || s.to().poly() == null) {
      return 0;
    }
    if (!fits(together, CodeCopies.declared(together)) || !inOrder(inOrder)) {
      return 0;
    }
    int bytes = leastAccessed(together);
    // A thread executes the branches of several iterations one after the other, so their loads do
    // not overlap.
    if (bytes == 0 || wanted == 0 && loads(together, true) > loads(together, false)) {
      return 0;
    }
    int most = context.number(STATEMENTS) / Math.max(1, statements(together) + statements(inOrder));
    int trips = trips(s);
    if (trips > 1 && trips <= Math.min(context.number(UNROLLED), most)) {
      return trips;
    }
    // The first combination of a reduction in order waits for its element before the next loads.
    // Kernels whose threads cooperate have few resident thread blocks. Both need more loads per
    // thread.
    boolean few = !s.isIndependent() || isOfBlock(s);
    int underWay = few ? 2 * context.number(BYTES) : context.number(BYTES);
    long width = wanted > 0 ? wanted : Math.min(context.number(MOST), underWay / bytes);
    return Integer.highestOneBit((int) Math.max(1, Math.min(width, most)));
  }

  /**
   * Tests whether the threads of a thread block share out a loop that may have many iterations for
   * each of them. A thread block of constant size whose loops step by a variable has about as many
   * threads as its loops have iterations.
   */
  private boolean isOfBlock(Code.Strided s) {
    return s.distribution() == Code.Distribution.BLOCK
        && threads != null
        && threads.equals(s.step().poly());
  }

  /**
   * Returns the constant trip count of a loop that a thread block divides among its threads; 0 if
   * it is not constant.
   */
  private int trips(Code.Strided s) {
    Poly step = s.step().poly();
    Poly to = s.to().poly();
    if (step == null || to == null || !isOfBlock(s)) {
      return 0;
    }
    for (int n = 2; n <= 2 * context.number(UNROLLED); n++) {
      if (to.equals(step.times(n))) {
        return n;
      }
    }
    return 0;
  }

  /** Tests whether independent code can be copied. */
  private boolean fits(List<Code> code, Set<Name> declared) {
    for (Code c : code) {
      boolean ok =
          switch (c) {
            case Code.Declare d -> true;
            case Code.Assign a -> declared.contains(a.name());
            case Code.Store s -> true;
            case Code.Scope s -> fits(s.body(), declared);
            case Code.If i -> fits(i.then(), declared) && fits(i.otherwise(), declared);
            case Code.Assert a -> true;
            case Code.Atomic a -> true;
            case Code.CompareAndSet a -> true;
            case Code.VolatileLoad l -> true;
            case Code.VolatileStore l -> true;
            case Code.Fence f -> true;
            // A compare-and-set loop, or a loop that waits for a lock.
            case Code.While w -> fits(w.body(), declared);
            default -> false;
          };
      if (!ok) {
        return false;
      }
    }
    return Collections.disjoint(Variables.readBy(code), own);
  }

  /** Tests whether code in iteration order can be copied. */
  private static boolean inOrder(List<Code> code) {
    for (Code c : code) {
      boolean ok =
          switch (c) {
            case Code.Declare d -> true;
            case Code.Assign a -> true;
            case Code.Store s -> true;
            case Code.Scope s -> inOrder(s.body());
            case Code.If i -> inOrder(i.then()) && inOrder(i.otherwise());
            case Code.Assert a -> true;
            default -> false;
          };
      if (!ok) {
        return false;
      }
    }
    return true;
  }

  private static int statements(List<Code> code) {
    int count = 0;
    for (Code c : code) {
      count +=
          switch (c) {
            case Code.Scope s -> statements(s.body());
            case Code.If i -> 1 + statements(i.then()) + statements(i.otherwise());
            case Code.While w -> 1 + statements(w.body());
            default -> 1;
          };
    }
    return count;
  }

  /** Returns the number of loads from device memory in branches, or outside of branches. */
  private int loads(List<Code> code, boolean inBranches) {
    int[] found = {0, 0};
    new CodeMapper() {
      private int depth;

      @Override
      public Code statement(Code c) {
        int inside = c instanceof Code.If || c instanceof Code.While ? 1 : 0;
        depth += inside;
        Code same = super.statement(c);
        depth -= inside;
        return same;
      }

      @Override
      public Expr expr(Expr e) {
        if (e instanceof Expr.Load l && !shared.contains(l.block())) {
          found[depth > 0 ? 1 : 0]++;
        }
        return super.expr(e);
      }
    }.statements(code);
    return found[inBranches ? 1 : 0];
  }

  /**
   * Returns the size in bytes of the smallest elements of device memory that statements access
   * unconditionally; 0 if there are none.
   */
  private int leastAccessed(List<Code> code) {
    int[] least = {0};
    new CodeMapper() {
      @Override
      public Code statement(Code c) {
        if (c instanceof Code.Store s) {
          accessed(s.block(), s.elem());
        }
        return c instanceof Code.If || c instanceof Code.While ? c : super.statement(c);
      }

      @Override
      public Expr expr(Expr e) {
        if (e instanceof Expr.Load l) {
          accessed(l.block(), l.type());
        }
        return super.expr(e);
      }

      private void accessed(Name block, PrimType elem) {
        if (shared.contains(block)) {
          return;
        }
        least[0] = least[0] == 0 ? elem.bytes() : Math.min(least[0], elem.bytes());
      }
    }.statements(code);
    return least[0];
  }
}
