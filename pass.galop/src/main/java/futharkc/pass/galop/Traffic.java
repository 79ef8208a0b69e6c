package futharkc.pass.galop;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.memory.ElementAccess;
import futharkc.core.ir.memory.ElementAccess.Iteration;
import futharkc.core.ir.memory.ElementAccess.Level;
import futharkc.core.ir.memory.ElementAccesses;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.PassContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Estimates of the bytes that accesses transfer between memory and processor. A size that is not
 * constant counts as the option {@code size}, so that estimates of one program are comparable with
 * each other, and with nothing else.
 */
abstract sealed class Traffic {
  /** The assumed number of iterations of a dimension or loop of unknown size. */
  static final Option SIZE =
      Option.integer(
              "size", 64, "assumed number of iterations of a dimension or loop of unknown size")
          .within(1, Integer.MAX_VALUE);

  /** The assumed number of iterations of a while-loop. */
  static final Option TRIPS =
      Option.integer("trips", 16, "assumed number of iterations of a while-loop")
          .within(1, Integer.MAX_VALUE);

  /**
   * The traffic of reads of threads that each walk along adjacent elements, in percent of the
   * traffic of neighbouring threads that access adjacent elements.
   */
  static final Option WALK_READS =
      Option.integer(
          "walk-reads",
          200,
          "traffic of reads of threads that each walk along adjacent elements, in percent of"
              + " the traffic of neighbouring threads that access adjacent elements");

  /**
   * The traffic of writes of threads that each walk along adjacent elements, in percent of the
   * traffic of neighbouring threads that access adjacent elements.
   */
  static final Option WALK_WRITES =
      Option.integer(
          "walk-writes",
          400,
          "traffic of writes of threads that each walk along adjacent elements, in percent of"
              + " the traffic of neighbouring threads that access adjacent elements");

  /** The number of walks at a time, threads times arrays, that caches can serve. */
  static final Option WALKS =
      Option.integer(
          "walks",
          264_000,
          "number of walks at a time, threads times arrays, that caches can serve; beyond it,"
              + " each access transfers a sector");

  /**
   * The traffic of accesses along an outer dimension of a map, in percent of the traffic of
   * neighbouring threads that access adjacent elements.
   */
  static final Option TILED =
      Option.integer(
          "tiled",
          125,
          "traffic of accesses along an outer dimension of a map, in percent of the traffic"
              + " of neighbouring threads that access adjacent elements");

  /**
   * The traffic of a CPU's inner loop if the next outer loop goes through adjacent elements, in
   * percent of the traffic of adjacent elements.
   */
  static final Option INTERLEAVED =
      Option.integer(
          "interleaved",
          110,
          "traffic of a CPU's inner loop if the next outer loop goes through adjacent"
              + " elements, in percent of the traffic of adjacent elements");

  /** The traffic of a copy in another layout, in percent of the array's size. */
  static final Option COPIED =
      Option.integer(
          "copied", 250, "traffic of a copy in another layout, in percent of the array's size");

  /** The minimum gain of a choice, in percent of the traffic. */
  static final Option GAIN =
      Option.integer("gain", 15, "minimum gain of a choice, in percent of the traffic")
          .within(0, 100);

  /** The options for estimates. */
  static final List<Option> OPTIONS =
      List.of(SIZE, TRIPS, WALK_READS, WALK_WRITES, WALKS, TILED, INTERLEAVED, COPIED, GAIN);

  /** A stride that is not constant, and presumably large. */
  private static final long FAR = Integer.MAX_VALUE;

  final PassContext context;
  private final ElementAccesses accesses;

  private Traffic(PassContext context, ElementAccesses accesses) {
    this.context = context;
    this.accesses = accesses;
  }

  /** Returns the estimates for a machine. */
  static Traffic of(PassContext context, boolean device, ElementAccesses accesses) {
    return device ? new OfDevice(context, accesses) : new OfCpu(context, accesses);
  }

  /**
   * An access with an assumed index function of its array, and in an assumed nest.
   *
   * @param lmad the index function
   */
  record Placed(ElementAccess access, Lmad lmad) {}

  /** Accesses whose offsets in the same iteration differ by constants. */
  record Group(Name block, List<Iteration> nest, Poly offset) {}

  /**
   * Returns the bytes of all executions of some accesses. Memory transfers neighbouring elements
   * once if the same iteration accesses them.
   *
   * @param crowded whether more threads walk along elements than caches can serve
   */
  double of(List<Placed> accesses, boolean crowded) {
    double sum = 0;
    for (Placed p : distinct(accesses)) {
      ElementAccess a = p.access;
      sum += bytes(a, p.lmad, crowded) * executions(executed(a, p.lmad)) * a.frequency();
    }
    return sum;
  }

  /**
   * Returns the same as a polynomial in sizes, in hundredths of a byte.
   *
   * @param known tests whether a size is known to the host; other sizes are assumed
   * @param outside the number of loops of the host around the polynomial's place
   */
  Poly polynomial(List<Placed> accesses, boolean crowded, Predicate<Name> known, int outside) {
    Poly sum = Poly.ZERO;
    for (Placed p : distinct(accesses)) {
      ElementAccess a = p.access;
      Poly each = Poly.of(Math.round(100 * bytes(a, p.lmad, crowded) * a.frequency()));
      List<Iteration> nest = executed(a, p.lmad);
      for (Iteration i : nest.subList(Math.min(outside, nest.size()), nest.size())) {
        each = each.times(size(i.size(), known));
      }
      sum = sum.plus(each);
    }
    return sum;
  }

  /** Returns the bytes of a copy in another layout as a polynomial in sizes, in hundredths. */
  Poly copy(ArrayMem array, int elementBytes, Predicate<Name> known) {
    Poly bytes = Poly.of((long) elementBytes * context.number(COPIED));
    for (Lmad.Dim d : array.lmad().dims()) {
      bytes = bytes.times(size(d.size(), known));
    }
    return bytes;
  }

  /** Returns the number of threads of an operation. */
  Poly threads(Stm operation, Predicate<Name> known) {
    Poly threads = Poly.ONE;
    for (Iteration i : accesses(operation).getFirst().nest()) {
      if (i.level() == Level.OUTER || i.level() == Level.INNER) {
        threads = threads.times(size(i.size(), known));
      }
    }
    return threads;
  }

  /** Returns a polynomial that is positive if a change of traffic is worth it. */
  Poly margin(Poly before, Poly after) {
    return before.times(100L - context.number(GAIN)).minus(after.times(100));
  }

  private Poly size(@Nullable SubExp size, Predicate<Name> known) {
    return size instanceof SubExp.Var v && known.test(v.name())
        ? Poly.of(v.name())
        : Poly.of((long) trips(size));
  }

  private List<Placed> distinct(List<Placed> accesses) {
    Map<Group, Set<Long>> units = new HashMap<>();
    List<Placed> all = new ArrayList<>();
    for (Placed p : accesses) {
      ElementAccess a = p.access;
      long start = this.accesses.offset(a, p.lmad).constantTerm();
      long unit = Math.floorDiv(start * a.elem().bytes(), unit());
      if (isNeutral(a, p.lmad)
          || units.computeIfAbsent(group(a, p.lmad), g -> new HashSet<>()).add(unit)) {
        all.add(p);
      }
    }
    return all;
  }

  final Group group(ElementAccess a, Lmad lmad) {
    Poly offset = accesses.offset(a, lmad);
    return new Group(a.place().block(), a.nest(), offset.minus(Poly.of(offset.constantTerm())));
  }

  /** Returns the accesses of an operation. */
  final List<ElementAccess> accesses(Stm operation) {
    return accesses.of(operation);
  }

  /**
   * Returns the iterations that execute an access: a register or the nearest cache holds an element
   * that innermost loops access again and again.
   */
  private List<Iteration> executed(ElementAccess a, Lmad lmad) {
    int end = a.nest().size();
    while (!isNeutral(a, lmad)
        && end > 0
        && isRepeating(a.nest().get(end - 1))
        && stride(a, lmad, a.nest().get(end - 1).index()) == 0) {
      end--;
    }
    return a.nest().subList(0, end);
  }

  /** Tests whether one thread runs all iterations. */
  abstract boolean isRepeating(Iteration i);

  /**
   * Tests whether an access counts the same in every layout: because the element depends on data,
   * or because caches or shared memory hold the array.
   */
  abstract boolean isNeutral(ElementAccess a, Lmad lmad);

  /**
   * Tests whether another pass may hold the accessed rows in shared memory. A copy gains nothing
   * then, unless it serves several kernels.
   */
  abstract boolean isStaged(ElementAccess a, Lmad lmad);

  /**
   * Tests whether an access transfers more than its elements, or would if no other pass or cache
   * served it.
   */
  abstract boolean isApart(ElementAccess a, Lmad lmad);

  /** Returns the number of bytes that memory transfers at once. */
  abstract int unit();

  /** Returns the bytes of a copy in another layout, without the loops around it. */
  double copy(ArrayMem array, int elementBytes) {
    double bytes = elementBytes;
    for (Lmad.Dim d : array.lmad().dims()) {
      bytes *= trips(d.size());
    }
    return bytes * context.number(COPIED) / 100;
  }

  /** Tests whether a change of traffic is worth it. */
  boolean isGain(double before, double after) {
    return after < before * (100 - context.number(GAIN)) / 100;
  }

  double executions(List<Iteration> nest) {
    double n = 1;
    for (Iteration i : nest) {
      n *= trips(i.size());
    }
    return n;
  }

  double trips(@Nullable SubExp size) {
    if (size == null) {
      return context.number(TRIPS);
    }
    return size instanceof SubExp.Const c ? Math.max(1, c.value().asLong()) : context.number(SIZE);
  }

  /**
   * Returns the bytes of one execution of an access by one thread.
   *
   * @param crowded whether more threads walk along elements than caches can serve
   */
  abstract double bytes(ElementAccess a, Lmad lmad, boolean crowded);

  /**
   * Tests whether each thread reads adjacent elements one after the other, served by nothing but
   * caches.
   */
  abstract boolean isWalk(ElementAccess a, Lmad lmad);

  /** Returns the number of arrays along which a thread of an operation walks at a time. */
  abstract int walks(Stm operation);

  /** Tests whether the elements of consecutive iterations have no fixed distance. */
  final boolean isIrregular(ElementAccess a, Lmad lmad, Name iteration) {
    return accesses.stride(a, lmad, iteration) == null;
  }

  /** Returns the distance in bytes between the elements of consecutive iterations. */
  final long stride(ElementAccess a, Lmad lmad, Name iteration) {
    Poly stride = accesses.stride(a, lmad, iteration);
    Long constant = stride == null ? null : stride.constant();
    return constant == null ? FAR : Math.min(FAR, Math.abs(constant) * a.elem().bytes());
  }

  /**
   * The threads of a warp access elements at the same time. Memory transfers each sector with at
   * least one of the elements. If the accesses of a thread in a loop are adjacent, a cache keeps
   * the sectors for the next iterations.
   */
  private static final class OfDevice extends Traffic {
    private final int sector;
    private final Map<Stm, OperationFacts> facts = new IdentityHashMap<>();

    OfDevice(PassContext context, ElementAccesses accesses) {
      super(context, accesses);
      this.sector = context.machine().device().memory().sector();
    }

    @Override
    int unit() {
      return sector;
    }

    /**
     * Threads that access the same element at once use one transfer. Elements that many threads
     * read in a loop are held by shared memory, see {@code block-tiling}.
     */
    @Override
    boolean isNeutral(ElementAccess a, Lmad lmad) {
      int lane = lane(a.nest());
      if (lane < 0) {
        return true;
      }
      Name inner = a.nest().get(lane).index();
      if (isIrregular(a, lmad, inner) || stride(a, lmad, inner) == 0) {
        return true;
      }
      boolean inLoop = a.nest().size() > lane + 1;
      for (int k = 0; k < lane; k++) {
        Iteration i = a.nest().get(k);
        boolean isOuter = i.level() == Level.OUTER && trips(i.size()) > 1;
        if (isOuter && inLoop && stride(a, lmad, i.index()) == 0) {
          return true;
        }
      }
      return false;
    }

    @Override
    double bytes(ElementAccess a, Lmad lmad, boolean crowded) {
      int size = a.elem().bytes();
      if (isNeutral(a, lmad)) {
        return size;
      }
      int lane = lane(a.nest());
      Iteration inner = a.nest().get(lane);
      double bytes = Math.clamp(stride(a, lmad, inner.index()), size, sector);
      for (int k = a.nest().size() - 1; k > lane; k--) {
        long step = stride(a, lmad, a.nest().get(k).index());
        if (step != 0) {
          return crowded && isWalk(a, lmad)
              ? bytes
              : Math.min(bytes, Math.max(size, step) * walked(a, lmad, step) / 100.0);
        }
      }
      return isTiled(a, lmad, lane) ? Math.min(bytes, size * context.number(TILED) / 100.0) : bytes;
    }

    /**
     * Returns the traffic of a thread that walks along elements, in percent of the traffic of
     * neighbouring threads. Rows that the kernels of a loop read stay in no shared memory.
     */
    private int walked(ElementAccess a, Lmad lmad, long step) {
      if (a.kind() != ElementAccess.Kind.READ) {
        return context.number(WALK_WRITES);
      }
      boolean inLoop = a.nest().stream().anyMatch(i -> i.level() == Level.HOST);
      return inLoop || step != a.elem().bytes() || !isStaged(a, lmad)
          ? context.number(WALK_READS)
          : 100;
    }

    /** Tests whether a map reads the element at a permutation of its own index. */
    private boolean isTiled(ElementAccess a, Lmad lmad, int lane) {
      for (Poly i : a.index()) {
        if (!(i.asSubExp() instanceof SubExp.Var)) {
          return false;
        }
      }
      for (int k = 0; k < lane; k++) {
        Iteration i = a.nest().get(k);
        if (i.level() == Level.OUTER && stride(a, lmad, i.index()) == a.elem().bytes()) {
          return true;
        }
      }
      return false;
    }

    @Override
    boolean isRepeating(Iteration i) {
      return i.level() == Level.LOOP;
    }

    /**
     * Tests whether the pass {@code row-staging} can serve the access: a loop over whole rows,
     * which no condition guards, in an operation that cannot fail.
     */
    @Override
    boolean isStaged(ElementAccess a, Lmad lmad) {
      Iteration row = row(a, lmad);
      if (row == null || a.operation() == null) {
        return false;
      }
      OperationFacts facts = facts(a.operation());
      Lmad.Dim last = lmad.dims().getLast();
      return !facts.canFail()
          && a.frequency() >= facts.frequency()
          && last.size().equals(row.size())
          && a.index().getLast().equals(Poly.of(row.index()));
    }

    @Override
    boolean isWalk(ElementAccess a, Lmad lmad) {
      return a.kind() == ElementAccess.Kind.READ
          && row(a, lmad) != null
          && isApart(a, lmad)
          && !isStaged(a, lmad);
    }

    @Override
    int walks(Stm operation) {
      Map<Name, Set<Group>> walks = new HashMap<>();
      for (ElementAccess a : accesses(operation)) {
        Lmad lmad = a.place().lmad();
        Iteration row = isWalk(a, lmad) ? row(a, lmad) : null;
        if (row != null) {
          walks.computeIfAbsent(row.index(), i -> new HashSet<>()).add(group(a, lmad));
        }
      }
      return walks.values().stream().mapToInt(Set::size).max().orElse(0);
    }

    /** Returns the loop in which a thread reads adjacent elements; null if there is none. */
    private @Nullable Iteration row(ElementAccess a, Lmad lmad) {
      for (int k = a.nest().size() - 1; k > lane(a.nest()); k--) {
        Iteration i = a.nest().get(k);
        if (isIrregular(a, lmad, i.index())) {
          return null;
        }
        long step = stride(a, lmad, i.index());
        if (step != 0) {
          return step == a.elem().bytes() ? i : null;
        }
      }
      return null;
    }

    private OperationFacts facts(Stm operation) {
      return facts.computeIfAbsent(operation, s -> OperationFacts.of(s, accesses(s)));
    }

    @Override
    boolean isApart(ElementAccess a, Lmad lmad) {
      int lane = lane(a.nest());
      return !isNeutral(a, lmad)
          && stride(a, lmad, a.nest().get(lane).index()) > a.elem().bytes()
          && !isTiled(a, lmad, lane);
    }

    private static int lane(List<Iteration> nest) {
      for (int k = nest.size() - 1; k >= 0; k--) {
        if (nest.get(k).level() == Level.INNER) {
          return k;
        }
      }
      return -1;
    }
  }

  /**
   * A thread accesses elements one after the other. Memory transfers a cache line for each access
   * that is not in the line of the access before, unless the next outer loop goes through adjacent
   * elements: a cache holds the lines of an inner loop, or a later pass interleaves iterations.
   */
  private static final class OfCpu extends Traffic {
    OfCpu(PassContext context, ElementAccesses accesses) {
      super(context, accesses);
    }

    @Override
    int unit() {
      return context.machine().processor().line();
    }

    @Override
    boolean isRepeating(Iteration i) {
      return i.level() != Level.HOST;
    }

    @Override
    boolean isStaged(ElementAccess a, Lmad lmad) {
      return false;
    }

    @Override
    boolean isWalk(ElementAccess a, Lmad lmad) {
      return false;
    }

    @Override
    int walks(Stm operation) {
      return 0;
    }

    @Override
    boolean isApart(ElementAccess a, Lmad lmad) {
      return bytes(a, lmad, false) > a.elem().bytes();
    }

    @Override
    boolean isNeutral(ElementAccess a, Lmad lmad) {
      for (Iteration i : a.nest()) {
        if (i.level() != Level.HOST && isIrregular(a, lmad, i.index())) {
          return true;
        }
      }
      return false;
    }

    @Override
    double bytes(ElementAccess a, Lmad lmad, boolean crowded) {
      if (isNeutral(a, lmad)) {
        return a.elem().bytes();
      }
      for (int k = a.nest().size() - 1; k >= 0; k--) {
        Iteration i = a.nest().get(k);
        if (i.level() == Level.HOST) {
          break;
        }
        long step = stride(a, lmad, i.index());
        if (step == 0) {
          continue;
        }
        double bytes = Math.min(step, context.machine().processor().line());
        for (int outer = k - 1; outer >= 0; outer--) {
          long next = stride(a, lmad, a.nest().get(outer).index());
          if (next != 0) {
            bytes = Math.min(bytes, next * context.number(INTERLEAVED) / 100.0);
            break;
          }
        }
        return bytes;
      }
      return a.elem().bytes();
    }
  }
}
