package futharkc.pass.expandallocations;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Builder;
import futharkc.core.ir.Exp;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Scope;
import futharkc.core.ir.SegBody;
import futharkc.core.ir.SegLevel;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.SegVirt;
import futharkc.core.ir.SizeClass;
import futharkc.core.ir.Space;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.TuningParameter;
import futharkc.core.ir.Type;
import futharkc.core.ir.liveness.DeadCode;
import futharkc.core.ir.spi.PassException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Moves the allocations of one kernel before the launch. */
final class KernelExpansion {
  private final NameSource names;
  private final Scope scope;
  private final Builder before;
  private final Loc loc;

  /** The prefix of the names of this kernel's tuning parameters. */
  private final String parameter;

  /** The tokens of accumulators with an operator on arrays. */
  private final Set<Name> ofArrays;

  /** The maximal size of a thread's private memory, in bytes. */
  private final int privateBytes;

  private @Nullable Turns turns;

  /** The statements, if the kernel is code of one thread. */
  private List<Stm> single = List.of();

  KernelExpansion(
      NameSource names,
      Scope scope,
      Builder before,
      Loc loc,
      String parameter,
      Set<Name> ofArrays,
      int privateBytes) {
    this.parameter = parameter;
    this.names = names;
    this.scope = scope;
    this.before = before;
    this.loc = loc;
    this.ofArrays = ofArrays;
    this.privateBytes = privateBytes;
  }

  /** Returns an operation that host code launches, after expansion. */
  SegOp segOp(SegOp given) {
    if (BlockFlows.of(given).allocs().isEmpty()) {
      return given;
    }
    SegOp op = new Operators().segOp(given);
    LoopBuffers buffers = new LoopBuffers(names, scope);
    op = buffers.segOp(op);
    op = new OuterArrayCopies(names, scope, BlockFlows.of(op)).segOp(op);
    op = PrivateMemory.ofThreads(op, privateBytes);
    BlockFlows flows = BlockFlows.of(op);
    HostSizes sizes = new HostSizes(names, scope, before, op, this::another, n -> turns(n).users);
    Placement placement = new Placement(ofArrays);
    for (Set<Name> names : flows.classes().values()) {
      place(op, flows, sizes, names, placement);
    }
    SegOp placed = placement.segOp(op);
    if (buffers.measures()) {
      placed = new DeadCode().segOp(placed);
    }
    if (turns != null && placed instanceof SegOp.SegMap m) {
      return turns.taken(m);
    }
    if (placement.shared.isEmpty()) {
      return placed;
    }
    List<Stm> stms = new ArrayList<>(placement.shared);
    stms.addAll(placed.body().stms());
    SegOp.SegMap m = (SegOp.SegMap) placed;
    return new SegOp.SegMap(m.level(), m.space(), m.types(), new SegBody(stms, m.body().results()));
  }

  /** Returns the body of one thread that host code launches, after expansion. */
  Body body(Body given) {
    if (BlockFlows.of(given.stms()).allocs().isEmpty()) {
      return given;
    }
    Body b = new Operators().body(given);
    LoopBuffers buffers = new LoopBuffers(names, scope);
    b = buffers.body(b);
    single = b.stms();
    BlockFlows flows = BlockFlows.of(b.stms());
    HostSizes sizes = new HostSizes(names, scope, before, b, this::another, n -> turns(n).users);
    Placement placement = new Placement(ofArrays);
    for (Set<Name> names : flows.classes().values()) {
      place(null, flows, sizes, names, placement);
    }
    Body placed = placement.body(b);
    return buffers.measures() ? new DeadCode().body(placed) : placed;
  }

  /** Returns a kernel that computes sizes for this one, after expansion. */
  private SegOp another(SegOp op) {
    return new KernelExpansion(
            names, scope, before, loc, parameter + "_size", ofArrays, privateBytes)
        .segOp(op);
  }

  /** A traversal of operators, which allocate private memory only. */
  private final class Operators extends Mapper {
    @Override
    public SegOp segOp(SegOp op) {
      SegOp mapped = super.segOp(op);
      return switch (mapped) {
        case SegOp.SegMap m -> m;
        case SegOp.SegRed r ->
            new SegOp.SegRed(
                r.level(), r.space(), list(r.ops(), this::own), r.types(), r.body(), r.post());
        case SegOp.SegScan c ->
            new SegOp.SegScan(
                c.level(), c.space(), list(c.ops(), this::own), c.types(), c.body(), c.post());
        case SegOp.SegHist h ->
            new SegOp.SegHist(
                h.level(), h.space(), list(h.ops(), this::own), h.types(), h.body(), h.strategy());
      };
    }

    private Lambda own(Lambda l) {
      return PrivateMemory.operator(l, names);
    }

    private SegOp.SegBinOp own(SegOp.SegBinOp o) {
      return new SegOp.SegBinOp(o.commutative(), own(o.op()), o.neutral(), o.shape());
    }

    private SegOp.SegHistOp own(SegOp.SegHistOp o) {
      return new SegOp.SegHistOp(
          o.shape(), o.raceFactor(), o.dests(), o.neutral(), o.opShape(), own(o.op()));
    }
  }

  /**
   * The users of a memory block.
   *
   * @param count the number of users
   * @param number the number of the current user
   */
  private record Users(Poly count, Poly number) {}

  /** Moves the memory blocks of one class. */
  private void place(
      @Nullable SegOp op, BlockFlows flows, HostSizes sizes, Set<Name> names, Placement placement) {
    List<BlockFlows.Alloc> allocs =
        flows.allocs().values().stream()
            .filter(a -> names.contains(a.block()) && !(a.op().space() instanceof Space.Scalar))
            .toList();
    if (allocs.isEmpty()) {
      return;
    }
    if (allocs.get(0).op().space() instanceof Space.Shared) {
      for (BlockFlows.Alloc a : allocs) {
        // Shared memory is scarce, so no maximal size is computed: another version may work.
        SubExp size = sizes.invariant(a.op().size());
        if (size == null) {
          throw unsuitable(
              a,
              "In the shared memory of a thread block, the size of an array varies among thread"
                  + " blocks.");
        }
        placement.shared.add(
            new Stm(a.stm().pat(), a.stm().aux().withCerts(List.of()), alloc(size, a)));
        placement.gone.add(a.block());
      }
      return;
    }
    if (op != null && names.stream().anyMatch(flows::isPassed)) {
      throw new PassException(
          allocs.get(0).stm().aux().loc(),
          "An array of a thread is an argument of a function, which cannot know the thread's part"
              + " of the memory block. Let the compiler inline the function: remove its attribute"
              + " #[noinline].");
    }
    Users users = users(op, sizes, allocs);
    Set<PrimType> elems = new TreeSet<>();
    for (Name n : names) {
      elems.addAll(flows.elems(n));
    }
    Set<Integer> bytes = new HashSet<>();
    for (PrimType t : elems) {
      bytes.add(t.bytes());
    }
    List<SubExp> each = new ArrayList<>();
    for (BlockFlows.Alloc a : allocs) {
      each.add(size(op, sizes, a));
    }
    boolean interleaved = bytes.size() <= 1;
    if (!interleaved) {
      SubExp most = padded(each);
      each.replaceAll(e -> most);
      for (PrimType t : elems) {
        SubExp stride =
            before.binOp("stride", BinOp.Kind.SDIV, PrimType.I64, most, SubExp.i64(t.bytes()));
        Part part = new Part(users.number().times(Poly.of(stride)), Poly.ONE);
        for (Name n : names) {
          placement.parts.computeIfAbsent(n, k -> new HashMap<>()).put(t, part);
        }
      }
    } else {
      Part part = new Part(users.number(), users.count());
      for (PrimType t : elems) {
        for (Name n : names) {
          placement.parts.computeIfAbsent(n, k -> new HashMap<>()).put(t, part);
        }
      }
    }
    for (int i = 0; i < allocs.size(); i++) {
      BlockFlows.Alloc a = allocs.get(i);
      SubExp all = before.poly("size", Poly.of(each.get(i)).times(users.count()));
      before.add(new Stm(a.stm().pat(), a.stm().aux().withCerts(List.of()), alloc(all, a)));
      placement.gone.add(a.block());
    }
  }

  private static MemOp.Alloc alloc(SubExp size, BlockFlows.Alloc a) {
    return new MemOp.Alloc(size, a.op().space());
  }

  /** Returns the maximum of sizes, rounded up to the alignment of any element. */
  private SubExp padded(List<SubExp> sizes) {
    SubExp most = SubExp.i64(0);
    for (SubExp s : sizes) {
      most = before.binOp("most", BinOp.Kind.SMAX, PrimType.I64, most, s);
    }
    SubExp up = before.binOp("most", BinOp.Kind.ADD, PrimType.I64, most, SubExp.i64(7));
    return before.binOp("most", BinOp.Kind.AND, PrimType.I64, up, SubExp.i64(-8));
  }

  private Users users(@Nullable SegOp op, HostSizes sizes, List<BlockFlows.Alloc> allocs) {
    if (op == null) {
      return new Users(Poly.ONE, Poly.ZERO);
    }
    SegSpace space = op.space();
    BlockFlows.Alloc first = allocs.get(0);
    List<SegSpace.Dim> dims = indices(op, first);
    Poly count = product(dims.stream().map(SegSpace.Dim::size).toList());
    if (dims.size() < space.dims().size()) {
      return new Users(count, number(dims));
    }
    Poly number = Poly.of(space.flat());
    if (op instanceof SegOp.SegMap m
        && m.level() instanceof SegLevel.Thread t
        && t.grid() == null) {
      if (turns == null) {
        turns = turns(count);
      }
      return new Users(Poly.of(turns.users), Poly.of(turns.number));
    }
    if (first.threads() == null) {
      return new Users(count, number);
    }
    Poly inner = sizes.invariant(first.threads().shape());
    if (inner == null) {
      throw unsuitable(
          first,
          "In a thread block, threads allocate arrays, and the number of threads varies among"
              + " thread blocks.");
    }
    return new Users(count.times(inner), number.times(inner).plus(Poly.of(first.threads().flat())));
  }

  /**
   * Returns the indices over which an allocation repeats; the function after a reduction repeats
   * over segments only.
   */
  private static List<SegSpace.Dim> indices(SegOp op, BlockFlows.Alloc a) {
    List<SegSpace.Dim> dims = op.space().dims();
    boolean once = a.region() == BlockFlows.Region.POST && op instanceof SegOp.SegRed;
    return once ? dims.subList(0, dims.size() - 1) : dims;
  }

  /**
   * The distribution of a map's indices among threads, in turns. At most as many threads have a
   * part as the device runs at a time.
   *
   * @param grid the grid
   * @param all the maximal number of threads
   * @param users the number of threads
   * @param number the number of the current thread
   */
  private record Turns(SegLevel.Grid grid, SubExp all, SubExp users, Name number) {
    SegOp taken(SegOp.SegMap m) {
      BinOp mod = new BinOp(BinOp.Kind.UMOD, PrimType.I64);
      List<Stm> stms = new ArrayList<>();
      stms.add(
          new Stm(
              List.of(new PatElem(number, Type.I64)),
              Aux.NONE,
              new BasicOp.BinOpExp(mod, SubExp.of(m.space().flat()), all)));
      stms.addAll(m.body().stms());
      SegBody body = new SegBody(stms, m.body().results());
      return new SegOp.SegMap(new SegLevel.Thread(SegVirt.VIRT, grid), m.space(), m.types(), body);
    }
  }

  private Turns turns(Poly indices) {
    SubExp blocks = size("blocks", "num_tblocks", SizeClass.Plain.GRID_SIZE);
    SubExp threads = size("threads", "tblock_size", SizeClass.Plain.THREAD_BLOCK_SIZE);
    SubExp all = before.binOp("all", BinOp.Kind.MUL, PrimType.I64, blocks, threads);
    SubExp count = before.poly("count", indices);
    SubExp users = before.binOp("users", BinOp.Kind.SMIN, PrimType.I64, count, all);
    return new Turns(new SegLevel.Grid(blocks, threads), all, users, names.fresh("turn"));
  }

  private SubExp size(String base, String kind, SizeClass sizeClass) {
    TuningParameter p = new TuningParameter(parameter + "_" + kind, sizeClass);
    return SubExp.of(before.let(base, Type.I64, new HostOp.GetSize(p)));
  }

  private static Poly product(List<SubExp> factors) {
    Poly p = Poly.ONE;
    for (SubExp f : factors) {
      p = p.times(Poly.of(f));
    }
    return p;
  }

  /** Returns the row-major number of an index. */
  private static Poly number(List<SegSpace.Dim> dims) {
    Poly n = Poly.ZERO;
    for (SegSpace.Dim d : dims) {
      n = n.times(Poly.of(d.size())).plus(Poly.of(d.index()));
    }
    return n;
  }

  /** Returns the size of a memory block, or the maximal size if it varies. */
  private SubExp size(@Nullable SegOp op, HostSizes sizes, BlockFlows.Alloc a) {
    SubExp size = sizes.invariant(a.op().size());
    if (size != null) {
      return size;
    }
    List<SegSpace.Dim> dims = op == null ? List.of() : indices(op, a);
    SubExp most = sizes.greatest(code(op, a.region()), a.block(), dims);
    if (most == null) {
      throw unsuitable(
          a,
          "In a kernel, the size of an array varies among threads and depends on the contents of"
              + " such arrays.");
    }
    return most;
  }

  /** Returns the statements of a component of the operation. */
  private List<Stm> code(@Nullable SegOp op, BlockFlows.Region region) {
    if (op == null) {
      return single;
    }
    Lambda post =
        switch (op) {
          case SegOp.SegRed r -> r.post();
          case SegOp.SegScan c -> c.post();
          case SegOp.SegMap m -> null;
          case SegOp.SegHist h -> null;
        };
    return region == BlockFlows.Region.POST && post != null ? post.body().stms() : op.body().stms();
  }

  private PassException unsuitable(BlockFlows.Alloc a, String what) {
    Loc at = a.stm().aux().loc();
    return new PassException(
        at == null ? loc : at,
        what
            + " A GPU thread cannot allocate. Give the array a size that is known outside, or write"
            + " the code with parallel operations.");
  }

  /** Returns the tokens of accumulators with an operator on arrays. */
  static Set<Name> tokensOfArrays(Exp.WithAcc w) {
    Set<Name> tokens = new HashSet<>();
    for (int i = 0; i < w.inputs().size(); i++) {
      Exp.AccOp op = w.inputs().get(i).op();
      if (op != null && op.lambda().results().stream().anyMatch(t -> t.rank() > 0)) {
        tokens.add(w.lambda().params().get(i).name());
      }
    }
    return tokens;
  }

  /**
   * The part of a memory block that belongs to a user, with the arguments of {@code Lmad.expand}.
   */
  private record Part(Poly start, Poly factor) {}

  /** The new locations of memory blocks. */
  private static final class Placement extends Mapper {
    private final List<Stm> shared = new ArrayList<>();
    private final Set<Name> gone = new HashSet<>();
    private final Map<Name, Map<PrimType, Part>> parts = new HashMap<>();
    private final Set<Name> ofArrays;
    private final Map<Name, Type> types = new HashMap<>();
    private final Set<Name> own = new HashSet<>();

    Placement(Set<Name> ofArrays) {
      this.ofArrays = ofArrays;
    }

    @Override
    public List<Stm> stms(List<Stm> stms) {
      List<Stm> out = new ArrayList<>();
      boolean changed = false;
      for (Stm s : stms) {
        if (s.exp() instanceof MemOp.Alloc && gone.contains(s.names().get(0))) {
          changed = true;
          continue;
        }
        if (s.exp() instanceof MemOp.Alloc a && a.space() instanceof Space.Scalar) {
          own.add(s.names().get(0));
        }
        if (s.exp() instanceof BasicOp.UpdateAcc x) {
          check(s, x);
        }
        for (PatElem p : s.pat()) {
          types.put(p.name(), p.type());
        }
        Stm t = stm(s);
        out.add(t);
        changed |= t != s;
      }
      return changed ? out : stms;
    }

    /**
     * Reports an error if an update's operator would get a part of a memory block: its parameters
     * are row-major arrays.
     */
    private void check(Stm s, BasicOp.UpdateAcc x) {
      if (!(s.pat().get(0).type() instanceof Type.Acc acc) || !ofArrays.contains(acc.token())) {
        return;
      }
      for (SubExp v : x.values()) {
        boolean part =
            v instanceof SubExp.Var a
                && types.get(a.name()) instanceof Type.Array t
                && t.mem() != null
                && (parts.containsKey(t.mem().block()) || own.contains(t.mem().block()));
        if (part) {
          throw new PassException(
              s.aux().loc(),
              "An operator on arrays that is not elementwise combines an array of a thread with"
                  + " others, which is impossible on a GPU. Write the operator on tuples, or as a"
                  + " map.");
        }
      }
    }

    @Override
    public Exp exp(Exp e) {
      if (e instanceof Exp.WithAcc w) {
        ofArrays.addAll(tokensOfArrays(w));
      }
      return super.exp(e);
    }

    @Override
    public Type type(Type t) {
      Type mapped = super.type(t);
      if (!(mapped instanceof Type.Array a) || a.mem() == null) {
        return mapped;
      }
      Map<PrimType, Part> of = parts.get(a.mem().block());
      if (of == null) {
        return mapped;
      }
      Part p = of.get(a.elem());
      if (p == null) {
        throw new IllegalStateException("no part of " + a.mem().block());
      }
      return a.withMem(new ArrayMem(a.mem().block(), a.mem().lmad().expand(p.start(), p.factor())));
    }
  }
}
