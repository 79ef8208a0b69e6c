package futharkc.core.codegen.lower.common;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Space;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.symbolic.ValueRange;
import java.util.ArrayList;
import java.util.List;

/**
 * A lowering of operations that create or update arrays. An operation copies its operand unless the
 * result is in the same memory.
 */
public final class ArrayOps {
  private final FunctionSymbols scope;
  private final Copies copies;

  ArrayOps(FunctionSymbols scope, Copies copies) {
    this.scope = scope;
    this.copies = copies;
  }

  /** Returns the lowering of copies of whole arrays. */
  public Copies copies() {
    return copies;
  }

  // Elements and slices

  /** Copies an array to the memory of a type, unless the array is already there. */
  void place(Name array, Type at, List<Code> out) {
    ArrayMem dst = FunctionSymbols.mem(at);
    ArrayMem src = scope.mem(array);
    if (scope.areSame(dst, src)) {
      return;
    }
    copies.copy(at.elemPrim(), dst, src, at.dims(), out);
  }

  /** Binds a parameter of code to an array, as {@link Copies#bind} does, or to an accumulator. */
  public void bind(Param p, SubExp value, Body code, List<Code> out) {
    Type t = scope.type(value);
    if (t instanceof Type.Array) {
      copies.bind(p, FunctionSymbols.mem(t), code, out);
    } else {
      scope.add(p.name(), t);
    }
  }

  /** Stores a scalar or an array at an index of an array. */
  public void store(Type array, List<SubExp> index, SubExp value, List<Code> out) {
    ArrayMem m = FunctionSymbols.mem(array);
    if (array.rank() == index.size()) {
      element(m.block(), array.elemPrim(), at(m.lmad(), index), scope.expr(value), out);
      return;
    }
    ArrayMem part = new ArrayMem(m.block(), m.lmad().slice(Slice.fix(index, array.dims())));
    List<SubExp> shape = array.peel(index.size()).dims();
    place(((SubExp.Var) value).name(), new Type.Array(array.elemPrim(), shape, part), out);
  }

  /** Stores an element. In code that all threads of a thread block run, the first thread stores. */
  private void element(Name block, PrimType elem, Poly at, Expr value, List<Code> out) {
    switch (scope.place()) {
      case CORES, THREAD -> out.add(new Code.Store(block, elem, at, value));
      case HOST -> out.add(new Code.WriteElement(block, elem, at, value));
      case BLOCK -> {
        out.add(new Code.Barrier());
        Code store = new Code.Store(block, elem, at, value);
        out.add(new Code.If(scope.kernel().isFirst(), List.of(store), List.of()));
        out.add(new Code.Barrier());
      }
    }
  }

  /** Stores a scalar at the current index of a space. */
  public void storeScalar(
      Type array, List<SegSpace.Dim> dims, PrimType elem, Expr value, List<Code> out) {
    ArrayMem m = FunctionSymbols.mem(array);
    List<SubExp> index = dims.stream().map(d -> SubExp.of(d.index())).toList();
    out.add(new Code.Store(m.block(), elem, at(m.lmad(), index), value));
  }

  /**
   * Stores values at the current index of a space; pattern elements that are no arrays are skipped.
   */
  public void storeAt(
      List<PatElem> pat, List<SegSpace.Dim> dims, List<SubExp> values, List<Code> out) {
    List<SubExp> index = dims.stream().map(d -> SubExp.of(d.index())).toList();
    for (int i = 0; i < pat.size(); i++) {
      if (pat.get(i).type() instanceof Type.Array a) {
        store(a, index, values.get(i), out);
      }
    }
  }

  /** Returns an element of an array. */
  public Expr element(Name array, List<SubExp> index) {
    ArrayMem m = scope.mem(array);
    return new Expr.Load(m.block(), scope.type(array).elemPrim(), at(m.lmad(), index));
  }

  private Poly at(Lmad lmad, List<SubExp> index) {
    return scope.place(lmad.index(index.stream().map(Poly::of).toList()));
  }

  /** Returns the index of a slice that selects one element. */
  static List<SubExp> fixed(Slice slice) {
    List<SubExp> index = new ArrayList<>();
    for (Slice.Dim d : slice.dims()) {
      index.add(((Slice.Fix) d).index());
    }
    return index;
  }

  /** Returns code that runs the body only if an index is within a shape. */
  public Code whereInside(List<SubExp> index, List<SubExp> shape, List<Code> body) {
    List<Expr> inside = new ArrayList<>();
    for (int i = 0; i < index.size(); i++) {
      inRange(scope.expr(index.get(i)), scope.expr(shape.get(i)), inside);
    }
    return inside.isEmpty() ? new Code.Scope(body) : new Code.If(Expr.all(inside), body, List.of());
  }

  /** Returns code that runs the body only if an index is below a block's capacity. */
  public Code whereRoom(SubExp index, Name block, PrimType elem, List<Code> body) {
    Expr at = scope.expr(index);
    Expr narrow = scope.unextended(at);
    Expr room = new Expr.Capacity(block, elem);
    Expr inside =
        narrow == null
            ? new Expr.Compare(new CmpOp(CmpOp.Kind.ULT, PrimType.I64), at, room)
            : new Expr.Compare(new CmpOp(CmpOp.Kind.ULT, PrimType.I32), narrow, truncated(room));
    return new Code.If(inside, body, List.of());
  }

  private static Expr truncated(Expr e) {
    return new Expr.Convert(new ConvOp(ConvOp.Kind.SEXT, PrimType.I64, PrimType.I32), e);
  }

  /**
   * Adds the condition that an index is within a dimension, unless the condition is known to hold.
   * Sizes are not negative, so that one unsigned comparison suffices. On a CPU the comparison has
   * 32 bits if the index was extended from 32 bits.
   */
  private void inRange(Expr index, Expr size, List<Expr> out) {
    ValueRange at = scope.range(index);
    if (at.isNonNegative() && at.isBelow(scope.range(size))) {
      return;
    }
    Expr narrow = scope.place() == ExecutionUnit.CORES ? scope.unextended(index) : null;
    if (narrow == null) {
      out.add(new Expr.Compare(new CmpOp(CmpOp.Kind.ULT, PrimType.I64), index, size));
      return;
    }
    Expr most = new Expr.Binary(new BinOp(BinOp.Kind.SMIN, PrimType.I64), size, Expr.i64(1L << 31));
    Expr bound =
        size instanceof Expr.Const c
            ? new Expr.Const(
                PrimValue.ofInt(
                    PrimType.I32,
                    c.value().asLong() >> 31 != 0 ? Integer.MIN_VALUE : c.value().asLong()))
            : truncated(most);
    out.add(new Expr.Compare(new CmpOp(CmpOp.Kind.ULT, PrimType.I32), narrow, bound));
  }

  // Updates

  void update(BasicOp.Update x, Type t, List<Code> out) {
    List<Code> body = new ArrayList<>();
    if (x.slice().isElement()) {
      store(t, fixed(x.slice()), x.value(), body);
    } else {
      ArrayMem m = FunctionSymbols.mem(t);
      ArrayMem part = new ArrayMem(m.block(), m.lmad().slice(x.slice()));
      List<SubExp> shape = x.slice().shape();
      if (scope.type(x.value()) instanceof Type.Array) {
        Type at = new Type.Array(t.elemPrim(), shape, part);
        place(((SubExp.Var) x.value()).name(), at, body);
      } else {
        copies.fill(t.elemPrim(), part, shape, scope.expr(x.value()), body);
      }
    }
    if (x.safe()) {
      out.add(new Code.If(isInside(x.slice(), t.dims()), body, List.of()));
    } else {
      out.addAll(body);
    }
  }

  /** Returns an expression for whether a slice is within a shape. */
  private Expr isInside(Slice slice, List<SubExp> shape) {
    List<Expr> inside = new ArrayList<>();
    for (int i = 0; i < slice.dims().size(); i++) {
      Expr size = scope.expr(shape.get(i));
      switch (slice.dims().get(i)) {
        case Slice.Fix f -> inRange(scope.expr(f.index()), size, inside);
        case Slice.Range r -> {
          Poly steps = scope.poly(r.count()).minus(Poly.ONE);
          Poly last = scope.poly(r.start()).plus(steps.times(scope.poly(r.stride())));
          List<Expr> ends = new ArrayList<>();
          inRange(scope.expr(r.start()), size, ends);
          inRange(new Expr.Index(last), size, ends);
          inside.add(Expr.or(Expr.atMost(scope.expr(r.count()), Expr.i64(0)), Expr.all(ends)));
        }
      }
    }
    return Expr.all(inside);
  }

  void flatUpdate(BasicOp.FlatUpdate x, Type t, List<Code> out) {
    ArrayMem m = FunctionSymbols.mem(t);
    ArrayMem part = new ArrayMem(m.block(), m.lmad().flatSlice(x.slice()));
    place(x.value(), new Type.Array(t.elemPrim(), x.slice().shape(), part), out);
  }

  // New arrays

  void literal(BasicOp.ArrayLit x, Type t, List<Code> out) {
    if (scope.place() == ExecutionUnit.HOST
        && x.elems().size() > 1
        && x.elems().stream().allMatch(SubExp.Const.class::isInstance)) {
      List<PrimValue> values = x.elems().stream().map(e -> ((SubExp.Const) e).value()).toList();
      constant(new BasicOp.ArrayVal(values, t.elemPrim()), t, out);
      return;
    }
    for (int i = 0; i < x.elems().size(); i++) {
      store(t, List.of(SubExp.i64(i)), x.elems().get(i), out);
    }
  }

  void constant(BasicOp.ArrayVal x, Type t, List<Code> out) {
    Name constant = scope.names.fresh("constant");
    out.add(new Code.ConstantBlock(constant, x.elem(), x.values()));
    ArrayMem src = new ArrayMem(constant, Lmad.rowMajor(t.dims()));
    if (scope.place() != ExecutionUnit.HOST || FunctionSymbols.mem(t).lmad().isContiguous()) {
      copies.copy(x.elem(), FunctionSymbols.mem(t), src, t.dims(), out);
      return;
    }
    // The host can copy constants only as a contiguous run.
    Name block = scope.names.fresh("constant");
    long n = x.values().size();
    out.add(new Code.Alloc(block, PrimType.I8, Expr.i64(n * x.elem().bytes()), scope.loc()));
    out.add(new Code.CopyRun(block, Poly.ZERO, constant, Poly.ZERO, x.elem(), Expr.i64(n)));
    copies.copy(x.elem(), FunctionSymbols.mem(t), new ArrayMem(block, src.lmad()), t.dims(), out);
    out.add(new Code.Free(block, PrimType.I8, List.of()));
  }

  void concat(BasicOp.Concat x, Type t, List<Code> out) {
    ArrayMem m = FunctionSymbols.mem(t);
    Poly at = Poly.ZERO;
    for (Name array : x.arrays()) {
      List<SubExp> shape = scope.type(array).dims();
      List<Lmad.Dim> dims = new ArrayList<>(m.lmad().dims());
      Poly stride = dims.get(x.dim()).stride();
      dims.set(x.dim(), new Lmad.Dim(stride, shape.get(x.dim())));
      Lmad part = new Lmad(m.lmad().offset().plus(at.times(stride)), dims);
      place(array, new Type.Array(t.elemPrim(), shape, new ArrayMem(m.block(), part)), out);
      at = at.plus(Poly.of(shape.get(x.dim())));
    }
  }

  void replicate(BasicOp.Replicate x, Type t, List<Code> out) {
    ArrayMem m = FunctionSymbols.mem(t);
    if (!(scope.type(x.value()) instanceof Type.Array a)) {
      copies.fill(t.elemPrim(), m, t.dims(), scope.expr(x.value()), out);
      return;
    }
    ArrayMem src = FunctionSymbols.mem(a);
    List<Lmad.Dim> dims = new ArrayList<>();
    for (SubExp d : x.shape()) {
      dims.add(new Lmad.Dim(Poly.ZERO, d));
    }
    dims.addAll(src.lmad().dims());
    ArrayMem repeated = new ArrayMem(src.block(), new Lmad(src.lmad().offset(), dims));
    if (!scope.areSame(m, repeated)) {
      copies.copy(t.elemPrim(), m, repeated, t.dims(), out);
    }
  }

  void reshape(Type t, Name array, List<Code> out) {
    ArrayMem dst = FunctionSymbols.mem(t);
    ArrayMem src = scope.mem(array);
    if (dst.block().equals(src.block())) {
      return;
    }
    if (!src.lmad().isContiguous() || !dst.lmad().isContiguous()) {
      throw new IllegalStateException(
          "reshape to another block of an array that is not contiguous: " + array);
    }
    List<SubExp> flat = List.of(count(t.dims(), out));
    copies.copy(t.elemPrim(), flattened(dst, flat), flattened(src, flat), flat, out);
  }

  private static ArrayMem flattened(ArrayMem m, List<SubExp> shape) {
    return new ArrayMem(m.block(), Lmad.rowMajor(m.lmad().offset(), shape));
  }

  /** Returns the number of elements of a shape, as an operand. */
  private SubExp count(List<SubExp> shape, List<Code> out) {
    Poly size = Poly.ONE;
    for (SubExp d : shape) {
      size = size.times(Poly.of(d));
    }
    SubExp e = size.asSubExp();
    if (e != null) {
      return e;
    }
    Name n = scope.names.fresh("size");
    scope.declare(n, Type.I64, new Expr.Index(scope.place(size)), out);
    return SubExp.of(n);
  }

  /** Binds the array itself if it is row-major from the start of its block, else a copy. */
  void ensureDirect(List<PatElem> pat, MemOp.EnsureDirect e, List<Code> out) {
    ArrayMem src = scope.mem(e.array());
    Type.Array t = (Type.Array) pat.get(pat.size() - 1).type();
    if (pat.size() == 1 || !(pat.get(0).type() instanceof Type.Mem mem)) {
      place(e.array(), t, out);
      return;
    }
    Name block = pat.get(0).name();
    if (src.lmad().isDirect()) {
      out.add(scope.declareBlock(block, mem, src.block()));
      return;
    }
    PrimType unit = FunctionSymbols.elem(mem);
    Name copy = scope.names.fresh(block);
    scope.add(copy, mem);
    Poly size = Poly.ONE;
    for (SubExp d : t.shape()) {
      size = size.times(scope.poly(d));
    }
    if (!(mem.space() instanceof Space.Elements)) {
      size = size.times(t.elem().bytes());
    }
    List<Code> copied = new ArrayList<>();
    copied.add(new Code.Alloc(copy, unit, new Expr.Index(size), scope.loc()));
    copies.copy(
        t.elem(), new ArrayMem(copy, FunctionSymbols.mem(t).lmad()), src, t.shape(), copied);
    copied.add(new Code.SetBlock(block, unit, copy));
    out.add(scope.declareBlock(block, mem, null));
    List<Code> same = List.of(new Code.SetBlock(block, unit, src.block()));
    out.add(new Code.If(isDirect(src.lmad()), same, copied));
  }

  /**
   * Returns an expression for whether an array is row-major from the start of its block, or is
   * empty.
   */
  private Expr isDirect(Lmad l) {
    List<Expr> all = new ArrayList<>();
    Expr empty = Expr.bool(false);
    all.add(equal(scope.place(l.offset()), Poly.ZERO));
    Poly stride = Poly.ONE;
    for (Lmad.Dim d : l.dims().reversed()) {
      Expr size = new Expr.Index(scope.poly(d.size()));
      empty = Expr.or(empty, Expr.atMost(size, Expr.i64(0)));
      all.add(Expr.or(equal(scope.place(d.stride()), stride), Expr.atMost(size, Expr.i64(1))));
      stride = stride.times(scope.poly(d.size()));
    }
    return Expr.or(empty, Expr.all(all));
  }

  private static Expr equal(Poly a, Poly b) {
    CmpOp op = new CmpOp(CmpOp.Kind.EQ, PrimType.I64);
    return new Expr.Compare(op, new Expr.Index(a), new Expr.Index(b));
  }
}
