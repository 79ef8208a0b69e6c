package futharkc.pass.expandallocations;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Builder;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Renamer;
import futharkc.core.ir.Scope;
import futharkc.core.ir.SegBody;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegLevel;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegResult;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.SegVirt;
import futharkc.core.ir.Space;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.liveness.DeadCode;
import futharkc.core.ir.memory.Access;
import futharkc.core.ir.memory.Accesses;
import futharkc.core.ir.memory.ScalarValues;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The sizes in a kernel as values of the host before the launch. */
final class HostSizes {
  private final NameSource names;
  private final Scope scope;
  private final Builder before;
  private final @Nullable SegSpace space;
  private final UnaryOperator<SegOp> expand;
  private final Function<Poly, SubExp> turns;

  /** The names that the kernel binds. */
  private final Set<Name> inside = new HashSet<>();

  /** The cheap statements on scalars, at any depth, keyed by the names they bind. */
  private final Map<Name, Stm> scalars = new LinkedHashMap<>();

  /** The memory of arrays that the kernel binds. */
  private final Map<Name, ArrayMem> places = new HashMap<>();

  private final Map<Name, SubExp> hoisted = new HashMap<>();
  private final Map<Body, SubExp> greatest = new HashMap<>();

  /** The sizes of the memory blocks that each component of the kernel allocates. */
  private final Map<List<Stm>, Map<Name, SubExp>> allocated = new IdentityHashMap<>();

  /** The maximal sizes of memory blocks; empty for a block without such a size. */
  private final Map<Name, Optional<SubExp>> maxima = new HashMap<>();

  /**
   * Creates the sizes of a kernel.
   *
   * @param names the source of fresh names
   * @param scope the types of names outside the kernel
   * @param before the builder of the code that computes the sizes
   * @param op the kernel
   * @param expand a function that moves the allocations of another kernel before it
   * @param turns a function that returns a sufficient number of threads for a number of indices
   */
  HostSizes(
      NameSource names,
      Scope scope,
      Builder before,
      SegOp op,
      UnaryOperator<SegOp> expand,
      Function<Poly, SubExp> turns) {
    this(names, scope, before, op.space(), expand, turns);
    inspection().segOp(op);
  }

  /** Creates the sizes of a body that one thread executes. */
  HostSizes(
      NameSource names,
      Scope scope,
      Builder before,
      Body body,
      UnaryOperator<SegOp> expand,
      Function<Poly, SubExp> turns) {
    this(names, scope, before, (SegSpace) null, expand, turns);
    inspection().body(body);
  }

  private HostSizes(
      NameSource names,
      Scope scope,
      Builder before,
      @Nullable SegSpace space,
      UnaryOperator<SegOp> expand,
      Function<Poly, SubExp> turns) {
    this.names = names;
    this.scope = scope;
    this.before = before;
    this.space = space;
    this.expand = expand;
    this.turns = turns;
  }

  private Mapper inspection() {
    return new Mapper() {
      @Override
      public Name binder(Name n) {
        inside.add(n);
        return n;
      }

      @Override
      public Stm stm(Stm s) {
        if (isScalar(s)) {
          scalars.put(s.names().get(0), s);
        }
        return super.stm(s);
      }

      @Override
      public PatElem patElem(PatElem p) {
        place(p.name(), p.type());
        return super.patElem(p);
      }

      @Override
      public Param param(Param p) {
        place(p.name(), p.type());
        return super.param(p);
      }

      private void place(Name n, Type t) {
        if (t instanceof Type.Array a && a.mem() != null) {
          places.put(n, a.mem());
        }
      }
    };
  }

  /** Tests whether a statement computes scalars, cannot fail, and is cheap. */
  private static boolean isScalar(Stm s) {
    if (!s.aux().certs().isEmpty()) {
      return false;
    }
    return switch (s.exp()) {
      case BasicOp.SubExpOp x -> s.pat().get(0).type() instanceof Type.Prim;
      case BasicOp.BinOpExp x -> isTotal(x.op());
      case BasicOp.CmpOpExp x -> true;
      case BasicOp.UnOpExp x -> true;
      case BasicOp.ConvOpExp x -> true;
      default -> false;
    };
  }

  private static boolean isTotal(BinOp op) {
    return switch (op.kind()) {
      case UDIV, UDIV_UP, SDIV, SDIV_UP, UMOD, SMOD, SQUOT, SREM, POW -> false;
      default -> true;
    };
  }

  /** Returns the value of an operand on the host if it is invariant in the kernel; else null. */
  @Nullable SubExp invariant(SubExp e) {
    if (!(e instanceof SubExp.Var v) || !inside.contains(v.name())) {
      return e;
    }
    SubExp known = hoisted.get(v.name());
    if (known != null) {
      return known;
    }
    Stm s = scalars.get(v.name());
    if (s == null) {
      return null;
    }
    Map<Name, SubExp> operands = new HashMap<>();
    for (Name n : FreeNames.of(s.exp())) {
      SubExp x = invariant(SubExp.of(n));
      if (x == null) {
        return null;
      }
      operands.put(n, x);
    }
    Exp exp = new Substitution(operands).exp(s.exp());
    SubExp outside = before.letExp(v.name().base(), s.pat().get(0).type(), exp);
    hoisted.put(v.name(), outside);
    return outside;
  }

  /**
   * Returns the value of a product of operands on the host if it is invariant in the kernel; else
   * null.
   */
  @Nullable Poly invariant(List<SubExp> factors) {
    Poly product = Poly.ONE;
    for (SubExp f : factors) {
      SubExp x = invariant(f);
      if (x == null) {
        return null;
      }
      product = product.times(Poly.of(x));
    }
    return product;
  }

  // Maximal sizes

  /**
   * Returns the maximal size of a memory block, which a kernel computes over all indices; null if
   * the size depends on values that cannot be computed separately.
   *
   * @param code the statements with the allocation, at any depth
   * @param block the memory block
   * @param dims the indices over which the allocation repeats
   */
  @Nullable SubExp greatest(List<Stm> code, Name block, List<SegSpace.Dim> dims) {
    Optional<SubExp> cached = maxima.get(block);
    if (cached != null) {
      return cached.orElse(null);
    }
    maxima.put(block, Optional.empty());
    SubExp most = measured(code, block, dims);
    maxima.put(block, Optional.ofNullable(most));
    return most;
  }

  private @Nullable SubExp measured(List<Stm> code, Name block, List<SegSpace.Dim> dims) {
    SizeMeasurement.Code sizes = SizeMeasurement.of(names, code, block);
    if (sizes == null || !isAlone(sizes.body())) {
      return null;
    }
    Body measured = bounded(sizes, code, dims);
    if (measured == null) {
      return null;
    }
    SubExp known = greatest.get(measured);
    if (known != null) {
      return known;
    }
    SubExp most = greatest(measured, dims);
    greatest.put(measured, most);
    return most;
  }

  /**
   * Returns the code with the maximal sizes of other memory blocks in their allocations. The kernel
   * that runs the code then needs no kernel of its own for these sizes: n nested allocations take n
   * kernels instead of 2ⁿ. Returns null if another memory block has no such size.
   *
   * @param sizes the code, a part of {@code code} for the same indices
   */
  private @Nullable Body bounded(
      SizeMeasurement.Code sizes, List<Stm> code, List<SegSpace.Dim> dims) {
    Map<Name, SubExp> original = allocated.computeIfAbsent(code, HostSizes::allocatedIn);
    boolean[] changed = {false};
    boolean[] isUnknown = {false};
    Body bounded =
        new Mapper() {
          @Override
          public Stm stm(Stm s) {
            if (!(s.exp() instanceof MemOp.Alloc a) || a.space() instanceof Space.Scalar) {
              return super.stm(s);
            }
            Name block = sizes.original(s.names().get(0));
            SubExp size = original.get(block);
            if (size == null || invariant(size) != null) {
              return s;
            }
            SubExp most = greatest(code, block, dims);
            isUnknown[0] |= most == null;
            if (most == null) {
              return s;
            }
            changed[0] = true;
            return new Stm(s.pat(), s.aux(), new MemOp.Alloc(most, a.space()));
          }
        }.body(sizes.body());
    if (isUnknown[0]) {
      return null;
    }
    return changed[0] ? new DeadCode().body(bounded) : sizes.body();
  }

  /** Returns the sizes of the memory blocks that code allocates. */
  private static Map<Name, SubExp> allocatedIn(List<Stm> code) {
    Map<Name, SubExp> sizes = new HashMap<>();
    new Mapper() {
      @Override
      public Stm stm(Stm s) {
        if (s.exp() instanceof MemOp.Alloc a) {
          sizes.put(s.names().get(0), a.size());
        }
        return super.stm(s);
      }
    }.body(new Body(code, List.of()));
    return sizes;
  }

  /** Tests whether code of one thread uses and writes only memory of its own. */
  private boolean isAlone(Body b) {
    for (Name n : FreeNames.of(b)) {
      if (inside.contains(n) && !isIndex(n)) {
        return false;
      }
    }
    Map<Name, ArrayMem> own = new HashMap<>();
    boolean[] parallel = {false};
    Accesses accesses =
        new Accesses(
            n -> {
              ArrayMem place = own.get(n);
              return place == null ? places.get(n) : place;
            },
            new ScalarValues());
    new Mapper() {
      @Override
      public PatElem patElem(PatElem p) {
        if (p.type() instanceof Type.Array a && a.mem() != null) {
          own.put(p.name(), a.mem());
        }
        return super.patElem(p);
      }

      @Override
      public Param param(Param p) {
        if (p.type() instanceof Type.Array a && a.mem() != null) {
          own.put(p.name(), a.mem());
        }
        return super.param(p);
      }

      @Override
      public Exp exp(Exp e) {
        parallel[0] |= e instanceof SegExp;
        if (e instanceof Exp.WithAcc w) {
          for (int k = 0; k < w.inputs().size(); k++) {
            accesses.accumulator(w.lambda().params().get(k).name(), w.inputs().get(k).arrays());
          }
        }
        return super.exp(e);
      }
    }.body(b);
    if (parallel[0]) {
      return false;
    }
    BlockFlows flows = BlockFlows.of(b.stms());
    for (Stm s : b.stms()) {
      for (Access a : accesses.of(s)) {
        if (a.write() && !flows.allocs().keySet().containsAll(flows.origins(a.block()))) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean isIndex(Name n) {
    return space != null
        && (space.flat().equals(n) || space.dims().stream().anyMatch(d -> d.index().equals(n)));
  }

  /** Returns the maximal result of code over all indices. */
  private SubExp greatest(Body measured, List<SegSpace.Dim> dims) {
    Poly product = Poly.ONE;
    for (SegSpace.Dim d : dims) {
      product = product.times(Poly.of(d.size()));
    }
    SubExp total = before.poly("total", product);
    boolean allocates =
        BlockFlows.of(measured.stms()).allocs().values().stream()
            .anyMatch(a -> !(a.op().space() instanceof Space.Scalar));
    SubExp threads = allocates ? turns.apply(product) : total;
    Name index = names.fresh("i");
    Builder body = new Builder(names).with(before.aux());
    SubExp value =
        allocates
            ? inTurns(measured, dims, index, total, threads, body)
            : at(measured, dims, SubExp.of(index), body);
    Param a = new Param(names.fresh("a"), Type.I64);
    Param b = new Param(names.fresh("b"), Type.I64);
    Builder op = new Builder(names);
    SubExp max =
        op.binOp("max", BinOp.Kind.SMAX, PrimType.I64, SubExp.of(a.name()), SubExp.of(b.name()));
    Lambda greater = new Lambda(List.of(a, b), op.body(List.of(max)), List.of(Type.I64));
    Name one = names.fresh("one");
    SegOp red =
        new SegOp.SegRed(
            new SegLevel.Thread(SegVirt.NO_VIRT, null),
            new SegSpace(
                names.fresh("flat"),
                List.of(new SegSpace.Dim(one, SubExp.i64(1)), new SegSpace.Dim(index, threads))),
            List.of(new SegOp.SegBinOp(true, greater, List.of(SubExp.i64(0)), List.of())),
            List.of(Type.I64),
            new SegBody(body.stms(), List.of(new SegResult.Returns(value))));
    scope.addAll(new Body(body.stms(), List.of()));
    red = expand.apply(red);
    Type.Array result = (Type.Array) Type.array(Type.I64, SubExp.i64(1));
    Name block = RowMajorCopies.block(before, scope, result, new Space.Device());
    Name all = before.let("greatest", RowMajorCopies.in(block, result), new SegExp.Seg(red));
    HostOp.Element element = new HostOp.Element(all, List.of(SubExp.i64(0)));
    return before.letExp("greatest", Type.I64, new HostOp.Read(List.of(element)));
  }

  /** Returns the result of the code at a flat index. */
  private SubExp at(Body measured, List<SegSpace.Dim> dims, SubExp flat, Builder b) {
    Renamer renamer = new Renamer(names);
    SubExp rest = flat;
    for (int d = dims.size() - 1; d >= 0; d--) {
      SubExp index = rest;
      if (d > 0) {
        SubExp n = dims.get(d).size();
        index = b.binOp("i", BinOp.Kind.SMOD, PrimType.I64, rest, n);
        rest = b.binOp("i", BinOp.Kind.SDIV, PrimType.I64, rest, n);
      }
      renamer = renamer.with(dims.get(d).index(), ((SubExp.Var) index).name());
    }
    if (space != null) {
      renamer = renamer.with(space.flat(), ((SubExp.Var) flat).name());
    }
    Body renamed = renamer.body(measured);
    b.addAll(renamed.stms());
    return renamed.results().get(0);
  }

  /**
   * Returns the maximal result with fewer threads than indices. Each thread has memory for one
   * index and takes several in turn.
   */
  private SubExp inTurns(
      Body measured,
      List<SegSpace.Dim> dims,
      Name thread,
      SubExp total,
      SubExp threads,
      Builder b) {
    SubExp some = before.binOp("some", BinOp.Kind.SMAX, PrimType.I64, threads, SubExp.i64(1));
    SubExp rounds = before.binOp("rounds", BinOp.Kind.SDIV_UP, PrimType.I64, total, some);
    Name round = names.fresh("round");
    Param most = new Param(names.fresh("most"), Type.I64);
    Builder body = new Builder(names).with(b.aux());
    SubExp first = body.binOp("first", BinOp.Kind.MUL, PrimType.I64, SubExp.of(round), threads);
    SubExp flat = body.binOp("flat", BinOp.Kind.ADD, PrimType.I64, first, SubExp.of(thread));
    SubExp any = body.cmp("any", CmpOp.Kind.SLT, PrimType.I64, flat, total);
    Builder then = new Builder(names).with(b.aux());
    SubExp here = at(measured, dims, flat, then);
    Body none = new Body(List.of(), List.of(SubExp.i64(0)));
    Exp choice = Exp.Match.conditional(any, then.body(List.of(here)), none);
    SubExp size = body.letExp("size", Type.I64, choice);
    SubExp next = body.binOp("most", BinOp.Kind.SMAX, PrimType.I64, SubExp.of(most.name()), size);
    Exp loop =
        new Exp.Loop(
            List.of(new Exp.LoopParam(most, SubExp.i64(0))),
            new Exp.Form.For(round, PrimType.I64, rounds),
            body.body(List.of(next)));
    return b.letExp("most", Type.I64, loop);
  }
}
