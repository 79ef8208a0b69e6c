package futharkc.core.ir.memory;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegLevel;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegResult;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.memory.ElementAccess.Iteration;
import futharkc.core.ir.memory.ElementAccess.Kind;
import futharkc.core.ir.memory.ElementAccess.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The accesses to elements of arrays in a function, with offsets as linear forms over the indices
 * of iterations. The forms serve to estimate costs and not to prove anything: integers do not wrap,
 * a clamped index counts as the index, a quotient by a size as constant, and a remainder as its
 * dividend. A loop parameter that grows by the same amount in each iteration is a linear form, too.
 *
 * <p>A scalar without a form, such as a loaded one, is an atom. The analysis records the iterations
 * on whose indices an atom depends.
 */
public final class ElementAccesses {
  /** The maximum number of terms of a form. */
  private static final int LARGEST = 32;

  private final FunctionMemory memory;
  private final List<ElementAccess> accesses = new ArrayList<>();
  private final Map<Stm, List<ElementAccess>> ofOperation = new IdentityHashMap<>();

  /** The forms of scalars; a scalar that is absent is an atom. */
  private final Map<Name, Poly> forms = new HashMap<>();

  /** The offsets of accesses at the places of their arrays. */
  private final Map<ElementAccess, Poly> offsets = new IdentityHashMap<>();

  /** The indices of iterations on which atoms depend. */
  private final Map<Name, Set<Name>> dependences = new HashMap<>();

  private final Map<Name, List<Name>> accumulated = new HashMap<>();
  private final List<Iteration> nest = new ArrayList<>();
  private final Set<Name> iterations = new HashSet<>();
  private double frequency = 1;
  private @Nullable Stm operation;
  private int virtual;

  private ElementAccesses(FunctionMemory memory) {
    this.memory = memory;
  }

  /** Returns the accesses of a function in a memory representation. */
  public static ElementAccesses of(FunDef function, FunctionMemory memory) {
    ElementAccesses all = new ElementAccesses(memory);
    all.stms(function.body().stms());
    return all;
  }

  /** Returns the accesses, in the order of the program. */
  public List<ElementAccess> all() {
    return accesses;
  }

  /** Returns the accesses of a parallel operation of the host, in the order of the program. */
  public List<ElementAccess> of(Stm operation) {
    return ofOperation.getOrDefault(operation, List.of());
  }

  /**
   * Returns the distance between the elements of consecutive iterations, or null if it varies.
   *
   * @param lmad the index function of the array
   * @param iteration the index of the iteration
   */
  public @Nullable Poly stride(ElementAccess a, Lmad lmad, Name iteration) {
    if (a.irregular().contains(iteration)) {
      return null;
    }
    if (dependsOtherwise(lmad, iteration)) {
      return null;
    }
    Poly stride = offset(a, lmad).divide(iteration).quotient();
    return stride.variables().contains(iteration) ? null : stride;
  }

  /** Returns the offset of an access in elements, with the given index function of the array. */
  public Poly offset(ElementAccess a, Lmad lmad) {
    if (!lmad.equals(a.place().lmad())) {
      return newOffset(a, lmad);
    }
    Poly known = offsets.get(a);
    if (known == null) {
      known = newOffset(a, lmad);
      offsets.put(a, known);
    }
    return known;
  }

  private Poly newOffset(ElementAccess a, Lmad lmad) {
    Poly offset = form(lmad.offset());
    for (int d = 0; d < a.index().size(); d++) {
      offset = offset.plus(a.index().get(d).times(form(lmad.dims().get(d).stride())));
    }
    return offset;
  }

  /** Tests whether atoms in an index function depend on an iteration. */
  private boolean dependsOtherwise(Lmad lmad, Name iteration) {
    for (Name n : form(lmad.offset()).variables()) {
      if (dependences.getOrDefault(n, Set.of()).contains(iteration)) {
        return true;
      }
    }
    return false;
  }

  // Forms of scalars

  private Poly form(Poly p) {
    Poly f = p.substitute(n -> forms.getOrDefault(n, Poly.of(n)));
    return f.terms().size() <= LARGEST ? f : p;
  }

  private Poly form(SubExp e) {
    return e instanceof SubExp.Var v
        ? forms.getOrDefault(v.name(), Poly.of(v.name()))
        : constant(e);
  }

  private static Poly constant(SubExp e) {
    return e instanceof SubExp.Const c && c.value().type().isInt()
        ? Poly.of(c.value().asLong())
        : Poly.ZERO;
  }

  /** Returns the indices of iterations on which a form depends. */
  private Set<Name> variant(Poly form) {
    Set<Name> all = new HashSet<>();
    for (Name n : form.variables()) {
      if (iterations.contains(n)) {
        all.add(n);
      }
      all.addAll(dependences.getOrDefault(n, Set.of()));
    }
    return all;
  }

  private Set<Name> variant(Iterable<SubExp> operands) {
    Set<Name> all = new HashSet<>();
    for (SubExp e : operands) {
      all.addAll(variant(form(e)));
    }
    return all;
  }

  /** Makes results atoms that depend on some operands. */
  private void atoms(Stm s, Set<Name> variant) {
    if (variant.isEmpty()) {
      return;
    }
    for (PatElem p : s.pat()) {
      if (p.type() instanceof Type.Prim) {
        dependences.put(p.name(), variant);
      }
    }
  }

  private void bind(Name n, Poly form) {
    if (form.terms().size() <= LARGEST) {
      forms.put(n, form);
    } else {
      dependences.put(n, variant(form));
    }
  }

  private void binOp(Stm s, BasicOp.BinOpExp x) {
    Name n = s.pat().get(0).name();
    Poly a = form(x.left());
    Poly b = form(x.right());
    switch (x.op().kind()) {
      case ADD -> bind(n, a.plus(b));
      case SUB -> bind(n, a.minus(b));
      case MUL -> {
        if (a.terms().size() * b.terms().size() <= LARGEST) {
          bind(n, a.times(b));
        } else {
          atoms(s, variant(List.of(x.left(), x.right())));
        }
      }
      case SHL -> {
        Long by = b.constant();
        if (by != null && by >= 0 && by < 62) {
          bind(n, a.times(1L << by));
        } else {
          atoms(s, variant(List.of(x.left(), x.right())));
        }
      }
      case SMIN, UMIN, SMAX, UMAX -> {
        if (variant(b).isEmpty()) {
          bind(n, a);
        } else if (variant(a).isEmpty()) {
          bind(n, b);
        } else {
          atoms(s, variant(List.of(x.left(), x.right())));
        }
      }
      case UDIV, UDIV_UP, SDIV, SDIV_UP, SQUOT, LSHR, ASHR -> {
        // Neighbouring dividends have the same quotient nearly always.
        if (!variant(b).isEmpty()) {
          atoms(s, variant(List.of(x.left(), x.right())));
        }
      }
      case UMOD, SMOD, SREM -> {
        if (variant(b).isEmpty()) {
          bind(n, a);
        } else {
          atoms(s, variant(List.of(x.left(), x.right())));
        }
      }
      case FADD, FSUB, FMUL, FDIV, FMOD, FMIN, FMAX, AND, OR, XOR, POW, FPOW, LOG_AND, LOG_OR ->
          atoms(s, variant(List.of(x.left(), x.right())));
    }
  }

  // Statements

  private void stms(List<Stm> stms) {
    for (Stm s : stms) {
      stm(s);
    }
  }

  private void stm(Stm s) {
    switch (s.exp()) {
      case BasicOp op -> basicOp(s, op);
      case Exp.Apply a -> atoms(s, variant(a.args()));
      case Exp.Match m -> match(s, m);
      case Exp.Loop l -> loop(s, l);
      case Exp.WithAcc w -> {
        for (int k = 0; k < w.inputs().size(); k++) {
          accumulated.put(w.lambda().params().get(k).name(), w.inputs().get(k).arrays());
          accumulated.put(
              w.lambda().params().get(w.inputs().size() + k).name(), w.inputs().get(k).arrays());
        }
        stms(w.lambda().body().stms());
      }
      case SegExp.Seg x -> operation(s, x.op());
      case SegExp.ParOp p -> {
        double before = frequency;
        if (p.nested() != null) {
          frequency /= 2;
          stms(p.nested().stms());
        }
        operation(s, p.op());
        frequency = before;
      }
      case HostOp op -> {}
      case MemOp op -> {}
      case Soac op -> throw new IllegalStateException("not in a memory representation: " + op);
    }
  }

  private void basicOp(Stm s, BasicOp op) {
    switch (op) {
      case BasicOp.SubExpOp x when !(s.pat().get(0).type() instanceof Type.Array) ->
          bind(s.pat().get(0).name(), form(x.value()));
      case BasicOp.BinOpExp x -> binOp(s, x);
      case BasicOp.ConvOpExp x -> {
        if (x.op().kind() == ConvOp.Kind.SEXT || x.op().kind() == ConvOp.Kind.ZEXT) {
          bind(s.pat().get(0).name(), form(x.operand()));
        } else {
          atoms(s, variant(form(x.operand())));
        }
      }
      case BasicOp.UnOpExp x -> atoms(s, variant(form(x.operand())));
      case BasicOp.CmpOpExp x -> atoms(s, variant(List.of(x.left(), x.right())));
      case BasicOp.PrimFunExp x -> atoms(s, variant(x.args()));
      case BasicOp.Index x -> {
        if (x.slice().isElement()) {
          List<Poly> index = indices(x.slice());
          add(Kind.READ, x.array(), index, s);
          Set<Name> variant = new HashSet<>();
          index.forEach(i -> variant.addAll(variant(i)));
          atoms(s, variant);
        }
      }
      case BasicOp.Update x -> {
        if (x.slice().isElement()) {
          add(Kind.WRITE, x.array(), indices(x.slice()), s);
        } else if (x.value() instanceof SubExp.Var v) {
          ArrayMem whole = memory.place(x.array());
          ArrayMem part = memory.place(v.name());
          if (whole != null && part != null && isElsewhere(part, whole, x.slice())) {
            copy(v.name(), x.array(), x.slice(), s);
          }
        }
      }
      case BasicOp.UpdateAcc x -> {
        for (Name a : accumulated.getOrDefault(x.acc(), List.of())) {
          List<Poly> index = new ArrayList<>();
          x.index().forEach(i -> index.add(form(i)));
          if (memory.place(a) instanceof ArrayMem m && m.lmad().dims().size() == index.size()) {
            add(Kind.UPDATE, a, index, s);
          }
        }
        accumulated.put(s.pat().get(0).name(), accumulated.getOrDefault(x.acc(), List.of()));
      }
      case BasicOp.Manifest x -> fresh(s, List.of(x.array()));
      case BasicOp.Concat x -> fresh(s, x.arrays());
      case BasicOp.Replicate x ->
          fresh(
              s,
              x.value() instanceof SubExp.Var v && memory.place(v.name()) != null
                  ? List.of(v.name())
                  : List.of());
      case BasicOp.Iota x -> fresh(s, List.of());
      case BasicOp.SubExpOp _,
          BasicOp.Opaque _,
          BasicOp.ArrayVal _,
          BasicOp.ArrayLit _,
          BasicOp.Assert _,
          BasicOp.FlatIndex _,
          BasicOp.FlatUpdate _,
          BasicOp.Scratch _,
          BasicOp.Reshape _,
          BasicOp.Rearrange _,
          BasicOp.UserParam _ -> {}
    }
  }

  private static boolean isElsewhere(ArrayMem part, ArrayMem whole, Slice slice) {
    return !part.block().equals(whole.block()) || !part.lmad().equals(whole.lmad().slice(slice));
  }

  private List<Poly> indices(Slice slice) {
    List<Poly> index = new ArrayList<>();
    for (Slice.Dim d : slice.dims()) {
      index.add(form(((Slice.Fix) d).index()));
    }
    return index;
  }

  private void match(Stm s, Exp.Match m) {
    double before = frequency;
    frequency /= m.cases().size() + 1;
    Set<Name> variant = new HashSet<>(variant(m.scrutinees()));
    for (Exp.Case c : m.cases()) {
      stms(c.body().stms());
      variant.addAll(variant(c.body().results()));
    }
    stms(m.otherwise().stms());
    variant.addAll(variant(m.otherwise().results()));
    frequency = before;
    atoms(s, variant);
  }

  private void loop(Stm s, Exp.Loop l) {
    Level level = operation == null ? Level.HOST : Level.LOOP;
    Iteration iteration =
        switch (l.form()) {
          case Exp.Form.For f -> new Iteration(f.index(), f.bound(), level);
          case Exp.Form.While w -> new Iteration(fresh(), null, level);
        };
    iterations.add(iteration.index());
    Map<Name, Stm> bodys = new HashMap<>();
    for (Stm t : l.body().stms()) {
      t.pat().forEach(p -> bodys.put(p.name(), t));
    }
    Set<Name> variant = new HashSet<>();
    for (int k = 0; k < l.params().size(); k++) {
      Exp.LoopParam p = l.params().get(k);
      if (!(p.param().type() instanceof Type.Prim)) {
        continue;
      }
      Name n = p.param().name();
      Poly step = step(n, l.body().results().get(k), bodys);
      if (step != null) {
        bind(n, form(p.init()).plus(step.times(Poly.of(iteration.index()))));
      } else {
        Set<Name> ofParam = variant(form(p.init()));
        ofParam.add(iteration.index());
        dependences.put(n, ofParam);
      }
      variant.addAll(variant(form(p.init())));
    }
    nest.add(iteration);
    stms(l.body().stms());
    nest.removeLast();
    atoms(s, variant);
  }

  /** Returns the constant by which a parameter grows in each iteration; null if there is none. */
  private @Nullable Poly step(Name param, SubExp result, Map<Name, Stm> body) {
    if (!(result instanceof SubExp.Var v)
        || !(body.get(v.name()) instanceof Stm s)
        || !(s.exp() instanceof BasicOp.BinOpExp x)) {
      return null;
    }
    SubExp by = null;
    if (x.left().equals(SubExp.of(param))) {
      by = x.right();
    } else if (x.right().equals(SubExp.of(param)) && x.op().kind() == BinOp.Kind.ADD) {
      by = x.left();
    }
    if (by == null || (by instanceof SubExp.Var b && body.containsKey(b.name()))) {
      return null;
    }
    Poly step = form(by);
    return switch (x.op().kind()) {
      case ADD -> step;
      case SUB -> step.times(-1);
      default -> null;
    };
  }

  // Parallel operations

  private void operation(Stm s, SegOp op) {
    Stm outer = operation;
    if (outer == null) {
      operation = s;
    }
    boolean isBlock = op.level() instanceof SegLevel.Block;
    List<SegSpace.Dim> dims = op.space().dims();
    for (int d = 0; d < dims.size(); d++) {
      Level level = d == dims.size() - 1 && !isBlock ? Level.INNER : Level.OUTER;
      nest.add(new Iteration(dims.get(d).index(), dims.get(d).size(), level));
      iterations.add(dims.get(d).index());
    }
    dependences.put(
        op.space().flat(), new HashSet<>(dims.stream().map(SegSpace.Dim::index).toList()));
    stms(op.body().stms());
    results(s, op);
    for (int d = 0; d < dims.size(); d++) {
      nest.removeLast();
    }
    operation = outer;
  }

  /** Adds the writes of an operation's results. */
  private void results(Stm s, SegOp op) {
    if (op instanceof SegOp.SegHist || op.body().results().size() != s.pat().size()) {
      return;
    }
    int first = op instanceof SegOp.SegRed r ? r.operands() : 0;
    List<SubExp> index = op.space().dims().stream().map(d -> SubExp.of(d.index())).toList();
    for (int k = first; k < s.pat().size(); k++) {
      PatElem p = s.pat().get(k);
      if (!(op.body().results().get(k) instanceof SegResult.Returns r)
          || !(memory.place(p.name()) instanceof ArrayMem whole)) {
        continue;
      }
      Slice at = Slice.fix(index, whole.lmad().shape());
      if (at.isElement()) {
        add(Kind.WRITE, p.name(), indices(at), s);
      } else if (r.value() instanceof SubExp.Var v
          && memory.place(v.name()) instanceof ArrayMem row
          && isElsewhere(row, whole, at)) {
        copy(v.name(), p.name(), at, s);
      }
    }
  }

  // Accesses

  /** Adds the accesses of a thread that makes a new array, from all elements of others. */
  private void fresh(Stm s, List<Name> operands) {
    if (operation == null) {
      return;
    }
    for (Name a : operands) {
      if (memory.place(a) instanceof ArrayMem m) {
        Slice all = Slice.fix(List.of(), m.lmad().shape());
        each(all, index -> add(Kind.READ, a, index, s));
      }
    }
    Name result = s.pat().get(0).name();
    if (memory.place(result) instanceof ArrayMem m) {
      each(Slice.fix(List.of(), m.lmad().shape()), index -> add(Kind.WRITE, result, index, s));
    }
  }

  /** Adds the accesses of a thread that copies an array to a slice of another. */
  private void copy(Name from, Name to, Slice slice, Stm s) {
    if (operation == null || !(memory.place(from) instanceof ArrayMem m)) {
      return;
    }
    each(Slice.fix(List.of(), m.lmad().shape()), index -> add(Kind.READ, from, index, s));
    each(slice, index -> add(Kind.WRITE, to, index, s));
  }

  private interface AtIndex {
    void add(List<Poly> index);
  }

  /** Calls an action inside a nest of loops over a slice. */
  private void each(Slice slice, AtIndex action) {
    List<Poly> index = new ArrayList<>();
    int before = nest.size();
    for (Slice.Dim d : slice.dims()) {
      switch (d) {
        case Slice.Fix f -> index.add(form(f.index()));
        case Slice.Range r -> {
          Iteration i = new Iteration(fresh(), r.count(), Level.LOOP);
          iterations.add(i.index());
          nest.add(i);
          index.add(form(r.start()).plus(Poly.of(i.index()).times(form(r.stride()))));
        }
      }
    }
    action.add(index);
    while (nest.size() > before) {
      nest.removeLast();
    }
  }

  private Name fresh() {
    return new Name("iteration", --virtual);
  }

  private void add(Kind kind, Name array, List<Poly> index, Stm s) {
    ArrayMem place = memory.place(array);
    if (place == null) {
      return;
    }
    Set<Name> irregular = new HashSet<>();
    for (Poly i : index) {
      for (Name n : i.variables()) {
        irregular.addAll(dependences.getOrDefault(n, Set.of()));
      }
    }
    PrimType elem = memory.elem(array);
    ElementAccess access =
        new ElementAccess(
            kind, array, place, elem, index, nest, irregular, frequency, operation, s.aux().loc());
    accesses.add(access);
    if (operation != null) {
      ofOperation.computeIfAbsent(operation, o -> new ArrayList<>()).add(access);
    }
  }
}
