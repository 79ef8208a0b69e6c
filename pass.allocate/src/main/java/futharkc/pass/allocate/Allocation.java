package futharkc.pass.allocate;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Builder;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Machine;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.analysis.Callers;
import futharkc.core.ir.spi.PassContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Adds a memory block and an index function to every array. An operation that constructs a new
 * array gets a memory block, which is allocated just before. A view of an array (a slice,
 * permutation, reshape, or in-place update) gets the same block with another index function. If a
 * branch or loop returns an array, it also returns the array's block, as a result before the array.
 *
 * <p>Before: {@code let ys: [n]i32 = ... let zs: [m]i32 = ys[o : m]}. After:
 *
 * <pre>
 * let mem: mem i32 = alloc(n)
 * let ys: [n]i32 @ mem -> {n: 1} = ...
 * let zs: [m]i32 @ mem -> o + {m: 1} = ys[o : m]
 * </pre>
 *
 * <p>If a new array is copied into another array soon after, the pass constructs it in the
 * destination where this is easy to prove: see {@link Destinations}. The update then copies an
 * array onto itself, at no cost.
 *
 * <p>Some arrays are always row-major from offset 0 of their block: function parameters and
 * results, loop parameters that are not only updated in place, and reshapes without a single index
 * function. Other arrays are copied to such a block first. For results of functions, and for
 * arguments in host code of a device, the program decides at run time whether a copy is needed
 * ({@code ensure_direct}). On the host, loop parameters and results of branches may have another
 * order of dimensions, if all sides agree on the order: see {@link Layouts}. The result types of
 * lambdas and segmented operations have no memory, because the pattern specifies it.
 *
 * <p>Known gap: arguments and results of functions, and results of loops and branches in kernels,
 * are copied unless they are row-major.
 */
final class Allocation {
  private final Placement memory;
  private final ControlAllocation control;
  private final AccAllocation accumulators;
  private final SegAllocation segs;

  private Allocation(
      NameSource names,
      Spaces spaces,
      AllocationLevel level,
      List<Stm> stms,
      Aliases aliases,
      Machine machine) {
    Roots roots = new Roots(stms);
    this.memory = new Placement(names, spaces, level, new Destinations(roots, aliases));
    this.control = new ControlAllocation(memory, roots, new Reads(stms, memory.isOnDevice()), this);
    this.accumulators = new AccAllocation(memory, this);
    this.segs = new SegAllocation(memory, roots, this, machine);
  }

  static Program run(Program program, Rep rep, PassContext context) {
    NameSource constantNames = program.namesForConstants();
    Spaces spaces = Spaces.of(rep);
    Set<String> ofThreads = rep.hasDevice() ? Callers.of(program).threadsOnly() : Set.of();
    Allocation constants =
        new Allocation(
            constantNames,
            spaces,
            AllocationLevel.HOST,
            program.constants(),
            Aliases.of(program.constants()),
            context.machine());
    List<Stm> stms = constants.stms(program.constants(), List.of());
    Program p = program.withConstants(stms, constantNames.next());
    Map<String, FunDef> functions = new LinkedHashMap<>();
    for (FunDef f : p.functions().values()) {
      context.checkCancelled();
      NameSource names = new NameSource(f.nextTag());
      Aliases aliases = context.analyses().get(f, Aliases.ANALYSIS);
      AllocationLevel level =
          ofThreads.contains(f.name()) ? AllocationLevel.THREAD : AllocationLevel.HOST;
      Allocation a =
          new Allocation(names, spaces, level, f.body().stms(), aliases, context.machine());
      a.memory.addAll(constants.memory);
      functions.put(f.name(), a.function(f));
    }
    return p.withFunctions(functions).withRep(rep);
  }

  private FunDef function(FunDef f) {
    List<Param> params = new ArrayList<>();
    for (Param p : f.params()) {
      if (p.type() instanceof Type.Array a) {
        Param mem = new Param(memory.names.fresh(p.name().base() + "_mem"), memory.blockType(a));
        params.add(mem);
        memory.add(mem.name(), mem.type());
        Param q = new Param(p.name(), Placement.direct(a, mem.name()), p.unique());
        params.add(q);
        memory.add(q.name(), q.type());
      } else {
        params.add(p);
        memory.add(p.name(), p.type());
      }
    }
    Builder b = inside(f.body());
    List<FunDef.Result> results = new ArrayList<>();
    List<SubExp> values = new ArrayList<>();
    for (int k = 0; k < f.results().size(); k++) {
      FunDef.Result r = f.results().get(k);
      SubExp v = f.body().results().get(k);
      if (r.type() instanceof Type.Array a) {
        Name array = memory.ensureDirectAsNeeded(b, ((SubExp.Var) v).name());
        Name mem = memory.names.fresh("result_mem");
        results.add(new FunDef.Result(mem, memory.blockType(a), false));
        results.add(new FunDef.Result(r.name(), Placement.direct(a, mem), r.unique()));
        values.add(SubExp.of(memory.place(array).block()));
        values.add(SubExp.of(array));
      } else {
        results.add(r);
        values.add(v);
      }
    }
    return new FunDef(
        f.name(),
        f.attrs(),
        params,
        results,
        b.body(values),
        f.entry(),
        memory.names.next(),
        f.loc());
  }

  // Statements

  /** Adds memory to the arrays of statements. */
  List<Stm> stms(List<Stm> stms, List<SubExp> results) {
    memory.noteUpdates(stms, results);
    Builder b = new Builder(memory.names);
    for (Stm s : stms) {
      stm(b, memory.checked(s));
    }
    return b.stms();
  }

  /** Returns the body with memory; its results stay in their own blocks. */
  Body body(Body b) {
    return new Body(stms(b.stms(), b.results()), b.results());
  }

  /** Returns a builder with the statements of a body, for additional results. */
  Builder inside(Body body) {
    Builder b = new Builder(memory.names);
    b.addAll(stms(body.stms(), body.results()));
    return b;
  }

  private void stm(Builder b, Stm s) {
    b.with(Aux.at(s.aux().loc()));
    switch (s.exp()) {
      case BasicOp op -> basicOp(b, s, op);
      case Exp.Apply a -> apply(b, s, a);
      case Exp.Match m -> control.match(b, s, m);
      case Exp.Loop l -> control.loop(b, s, l);
      case Exp.WithAcc w -> accumulators.withAcc(b, s, w);
      case SegExp.ParOp p -> segs.parOp(b, s, p);
      case SegExp.Seg p -> segs.seg(b, s, p);
      case Soac soac -> throw illegal(s);
      case HostOp.SizeOp op -> memory.add(b, s.pat(), s.aux(), op);
      case HostOp.Read op -> memory.add(b, s.pat(), s.aux(), op);
      case HostOp.GpuBody op -> segs.gpuBody(b, s, op);
      case MemOp op -> throw illegal(s);
    }
  }

  private static IllegalStateException illegal(Stm s) {
    return new IllegalStateException(
        s.exp().getClass().getSimpleName() + " is illegal in a representation before allocation");
  }

  private void addAt(Builder b, Stm s, Exp e, ArrayMem mem) {
    PatElem p = s.pat().get(0);
    memory.add(b, List.of(new PatElem(p.name(), p.type().withMem(mem))), s.aux(), e);
  }

  /** Adds a new array, in its destination if there is one, else in a new memory block. */
  private void addFresh(Builder b, Stm s, Exp e, @Nullable List<Integer> perm) {
    PatElem p = s.pat().get(0);
    Type.Array a = (Type.Array) p.type();
    ArrayMem there = memory.wantedPlace(p.name());
    if (there != null) {
      addAt(b, s, e, there);
      return;
    }
    Name block = memory.alloc(b, a);
    Lmad lmad = perm == null ? Lmad.rowMajor(a.shape()) : Lmad.ordered(Poly.ZERO, a.shape(), perm);
    addAt(b, s, e, new ArrayMem(block, lmad));
  }

  private void basicOp(Builder b, Stm s, BasicOp op) {
    if (op instanceof BasicOp.UpdateAcc x) {
      accumulators.updateAcc(b, s, x);
      return;
    }
    if (!(s.pat().get(0).type() instanceof Type.Array a)) {
      memory.add(b, s.pat(), s.aux(), isRead(op) ? read((BasicOp.Index) op) : op);
      return;
    }
    ArrayView view = ArrayView.of(op, n -> memory.place(n).lmad());
    if (view == null) {
      addFresh(b, s, op, op instanceof BasicOp.Manifest x ? x.perm() : null);
    } else if (view.lmad() != null) {
      addAt(b, s, op, memory.at(view.array(), view.lmad()));
    } else {
      Name copy = memory.copy(b, view.array());
      BasicOp.Reshape x = (BasicOp.Reshape) op;
      Exp reshaped = new BasicOp.Reshape(x.coerce(), copy, x.shape());
      addAt(b, s, reshaped, memory.at(copy, Lmad.rowMajor(a.shape())));
    }
  }

  /** Tests whether host code reads an element of an array in device memory. */
  private boolean isRead(BasicOp op) {
    return op instanceof BasicOp.Index
        && memory.isOnDevice()
        && memory.level() == AllocationLevel.HOST;
  }

  private static Exp read(BasicOp.Index x) {
    List<SubExp> index = new ArrayList<>();
    for (Slice.Dim d : x.slice().dims()) {
      index.add(((Slice.Fix) d).index());
    }
    return new HostOp.Read(List.of(new HostOp.Element(x.array(), index)));
  }

  private void apply(Builder b, Stm s, Exp.Apply a) {
    // The arguments of functions that threads call are in the memory of threads.
    AllocationLevel before =
        memory.enter(
            memory.level() == AllocationLevel.BLOCK ? AllocationLevel.THREAD : memory.level());
    List<SubExp> args = new ArrayList<>();
    List<Boolean> consumed = new ArrayList<>();
    for (int k = 0; k < a.args().size(); k++) {
      SubExp arg = a.args().get(k);
      if (arg instanceof SubExp.Var v && memory.isArray(v)) {
        // On a CPU, copies in a loop share one block, which is allocated once.
        Name array =
            memory.isOnDevice()
                ? memory.ensureDirectAsNeeded(b, v.name())
                : memory.ensureDirect(b, v.name());
        args.add(SubExp.of(memory.place(array).block()));
        consumed.add(false);
        args.add(SubExp.of(array));
      } else {
        args.add(arg);
      }
      consumed.add(a.consumed().get(k));
    }
    List<PatElem> pat = new ArrayList<>();
    for (PatElem p : s.pat()) {
      if (p.type() instanceof Type.Array t) {
        PatElem mem = new PatElem(memory.names.fresh("mem"), memory.blockType(t));
        pat.add(mem);
        pat.add(new PatElem(p.name(), Placement.direct(t, mem.name())));
      } else {
        pat.add(p);
      }
    }
    memory.add(b, pat, s.aux(), new Exp.Apply(a.function(), args, consumed));
    memory.enter(before);
  }
}
