package futharkc.core.codegen.lower;

import futharkc.core.codegen.Code;
import futharkc.core.codegen.Expr;
import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Space;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lowers the statements of one function.
 *
 * <p>A block is released after the last use of the last variable that stands for it. Each list of
 * statements owns the block variables that it declares, except those that it returns. When one is
 * used for the last time, its block is released unless another variable that is still in use stands
 * for the same, which is compared when the program runs: so ownership passes through branches,
 * loops and calls without being counted.
 *
 * <p>In sequential code (kernels, and functions called from there) a block that does not survive an
 * iteration is made once, before the loops, and grown when needed.
 */
final class FunctionLowering {
  final Map<Name, Type> types;
  final NameSource names;
  private final Aliases aliases;
  private final Map<Name, Exp.AccInput> accs = new HashMap<>();
  private final Map<Name, Poly> indices = new HashMap<>();
  private final Set<Name> loopBlocks = new HashSet<>();
  private final Set<Name> escaping = new HashSet<>();
  private final Set<Name> scratchNames = new HashSet<>();
  private final List<Name> held = new ArrayList<>();
  private final Copies copies;
  private final SegLowering segs;
  private final String functionName;
  private @Nullable Kernel kernel;
  private int loopDepth;
  private int labels;

  /** What sequential code declares before its loops. */
  static final class Kernel {
    final List<Code> scratch = new ArrayList<>();
    final List<Code.Free> frees = new ArrayList<>();
    final List<Release> releases = new ArrayList<>();
    final List<Name> rotating = new ArrayList<>();
    final boolean parallel;

    Kernel(boolean parallel) {
      this.parallel = parallel;
    }
  }

  /**
   * A release in a kernel, whose exceptions are complete only when all scratch blocks are known.
   */
  private record Release(Name block, List<Name> unless) {}

  /** Scratch blocks are released at the end of the kernel only. */
  private void exceptScratch(Kernel k) {
    for (Release r : k.releases) {
      List<Name> same = aliases.of(r.block);
      for (Name n : k.rotating) if (same.contains(n) && !r.unless.contains(n)) r.unless.add(n);
    }
  }

  FunctionLowering(
      String functionName,
      Map<Name, Type> types,
      NameSource names,
      Aliases aliases,
      @Nullable Kernel kernel) {
    this.functionName = functionName;
    this.types = types;
    this.names = names;
    this.aliases = aliases;
    this.kernel = kernel;
    this.copies = new Copies(this);
    this.segs = new SegLowering(this);
  }

  /** Says that a block variable is used outside: a parameter. */
  void hold(Name block) {
    held.add(block);
  }

  /** Says that a block variable is returned. */
  void escapes(Name block) {
    escaping.add(block);
    escaping.addAll(aliases.of(block));
  }

  /**
   * Whether code is for one thread only, inside a parallel region or a function called from there.
   */
  boolean isSequential() {
    return kernel != null;
  }

  /** A label for a parallel region. */
  String label(String kind) {
    return functionName + "_" + kind + "_" + labels++;
  }

  /**
   * Lowers what runs on one thread, in a parallel region: with its own blocks, and outside all
   * loops.
   */
  List<Code> kernel(java.util.function.Consumer<List<Code>> body) {
    Kernel saved = kernel;
    int savedDepth = loopDepth;
    int savedHeld = held.size();
    Kernel k = new Kernel(true);
    kernel = k;
    loopDepth = 0;
    List<Code> inner = new ArrayList<>();
    body.accept(inner);
    exceptScratch(k);
    kernel = saved;
    loopDepth = savedDepth;
    while (held.size() > savedHeld) held.remove(held.size() - 1);
    List<Code> out = new ArrayList<>(k.scratch);
    out.addAll(inner);
    out.addAll(k.frees);
    return out;
  }

  /** A function's code with the declarations of its scratch blocks. */
  List<Code> complete(List<Code> code) {
    Kernel k = kernel;
    if (k == null) return code;
    exceptScratch(k);
    List<Code> out = new ArrayList<>(k.scratch);
    out.addAll(code);
    out.addAll(k.frees);
    return out;
  }

  /** A scratch block of a kernel, for uses that end before the next iteration. */
  Name scratch(String base, PrimType elem, Expr size, List<Code> out) {
    Name block = names.fresh(base);
    types.put(block, new Type.Mem(new Space.Elements(elem)));
    scratchBlock(block, elem);
    out.add(new Code.Reserve(block, elem, size));
    return block;
  }

  private void scratchBlock(Name block, PrimType elem) {
    Kernel k = kernel;
    if (k == null) throw new IllegalStateException("scratch block outside sequential code");
    Code declaration = new Code.DeclareScratch(block, elem);
    if (k.scratch.contains(declaration)) return;
    k.scratch.add(declaration);
    k.frees.add(new Code.Free(block, elem, List.of()));
    held.add(block);
    scratchNames.add(block);
  }

  /** Whether a block is for one iteration of a kernel at a time. */
  boolean isScratch(Name block) {
    return scratchNames.contains(block);
  }

  // Scalars and places

  Type type(Name n) {
    Type t = types.get(n);
    if (t == null) throw new IllegalStateException(n + " is not in scope");
    return t;
  }

  Type type(SubExp e) {
    return switch (e) {
      case SubExp.Const c -> Type.prim(c.value().type());
      case SubExp.Var v -> type(v.name());
    };
  }

  Expr expr(SubExp e) {
    return switch (e) {
      case SubExp.Const c -> new Expr.Const(c.value());
      case SubExp.Var v -> {
        Poly index = indices.get(v.name());
        yield index != null
            ? new Expr.Index(index)
            : new Expr.Var(v.name(), type(v.name()).elemPrim());
      }
    };
  }

  Poly poly(SubExp e) {
    return place(Poly.of(e));
  }

  /** The polynomial with indices replaced by what they stand for. */
  Poly place(Poly p) {
    return indices.isEmpty() ? p : p.substitute(n -> indices.getOrDefault(n, Poly.of(n)));
  }

  Lmad place(Lmad l) {
    if (indices.isEmpty()) return l;
    List<Lmad.Dim> dims = new ArrayList<>();
    for (Lmad.Dim d : l.dims()) dims.add(new Lmad.Dim(place(d.stride()), d.size()));
    return new Lmad(place(l.offset()), dims);
  }

  /** Makes an i64 variable stand for a polynomial, until {@link #unbind}. */
  void bind(Name index, Poly p) {
    types.put(index, Type.I64);
    indices.put(index, p);
  }

  void unbind(Name index) {
    indices.remove(index);
  }

  ArrayMem mem(Name array) {
    return mem(type(array));
  }

  static ArrayMem mem(Type t) {
    if (t instanceof Type.Array a && a.mem() != null) return a.mem();
    throw new IllegalStateException("array without memory: " + t);
  }

  static PrimType elem(Type.Mem m) {
    return switch (m.space()) {
      case Space.Elements e -> e.elem();
      case Space.Scalar s -> s.elem();
      case Space.Device d -> throw new IllegalStateException("device memory");
      case Space.Shared d -> throw new IllegalStateException("device memory");
      case Space.Named d -> throw new IllegalStateException("memory of space " + d.name());
    };
  }

  static boolean isUnit(Type t) {
    return t.isPrim(PrimType.UNIT);
  }

  void declare(Name n, Type t, Expr value, List<Code> out) {
    types.put(n, t);
    if (!isUnit(t)) out.add(new Code.Declare(n, t.elemPrim(), value));
  }

  Expr load(ArrayMem m, PrimType elem, List<Poly> index) {
    return new Expr.Load(m.block(), elem, place(m.lmad().index(index)));
  }

  // Statements

  /**
   * Lowers statements in order.
   *
   * @param results what is used after them
   * @param params block variables that these statements own besides those they declare
   */
  void statements(List<Stm> stms, List<SubExp> results, List<Name> params, List<Code> out) {
    for (Stm s : stms) for (PatElem p : s.pat()) types.put(p.name(), p.type());
    for (Stm s : stms) for (PatElem p : s.pat()) types.put(p.name(), p.type());
    Set<Name> kept = new HashSet<>();
    for (SubExp r : results) if (r instanceof SubExp.Var v) addBlocks(v.name(), kept);
    Map<Name, Integer> last = new HashMap<>();
    for (int i = stms.size() - 1; i >= 0; i--) {
      for (Name b : blocks(FreeNames.of(stms.get(i)))) last.putIfAbsent(b, i);
    }
    List<Name> live = new ArrayList<>(params);
    release(live, kept, last, -1, out);
    for (int i = 0; i < stms.size(); i++) {
      Stm s = stms.get(i);
      Set<Name> moved = moved(s, live, kept, last, i);
      int mark = held.size();
      for (Name n : live) if (!moved.contains(n)) held.add(n);
      List<Name> outside = new ArrayList<>(held.subList(0, mark));
      boolean owned = statement(s, out);
      List<Name> added =
          new ArrayList<>(held.subList(mark + live.size() - moved.size(), held.size()));
      held.clear();
      held.addAll(outside);
      held.addAll(added);
      live.removeAll(moved);
      if (owned) for (PatElem p : s.pat()) if (p.type() instanceof Type.Mem) live.add(p.name());
      release(live, kept, last, i, out);
    }
  }

  /** The blocks that only a loop's parameters still stand for once it runs. */
  private Set<Name> moved(Stm s, List<Name> live, Set<Name> kept, Map<Name, Integer> last, int at) {
    Set<Name> moved = new LinkedHashSet<>();
    if (!(s.exp() instanceof Exp.Loop l)) return moved;
    for (Exp.LoopParam p : l.params()) {
      if (!(p.param().type() instanceof Type.Mem) || !(p.init() instanceof SubExp.Var v)) continue;
      if (live.contains(v.name())
          && !kept.contains(v.name())
          && last.getOrDefault(v.name(), at) <= at) {
        moved.add(v.name());
      }
    }
    if (!moved.isEmpty()) moved.removeAll(blocks(FreeNames.of(l.body())));
    return moved;
  }

  private void release(
      List<Name> live, Set<Name> kept, Map<Name, Integer> last, int at, List<Code> out) {
    for (int i = 0; i < live.size(); ) {
      Name n = live.get(i);
      if (kept.contains(n) || last.getOrDefault(n, -1) > at) {
        i++;
        continue;
      }
      live.remove(i);
      List<Name> unless = new ArrayList<>();
      for (Name a : aliases.of(n)) if (held.contains(a) || live.contains(a)) unless.add(a);
      Kernel k = kernel;
      if (k != null) k.releases.add(new Release(n, unless));
      out.add(new Code.Free(n, elem((Type.Mem) type(n)), unless));
    }
  }

  private Set<Name> blocks(Set<Name> free) {
    Set<Name> blocks = new LinkedHashSet<>();
    for (Name n : free) addBlocks(n, blocks);
    return blocks;
  }

  private void addBlocks(Name n, Set<Name> blocks) {
    switch (types.get(n)) {
      case null -> {}
      case Type.Mem m -> blocks.add(n);
      case Type.Array a -> {
        if (a.mem() != null) blocks.add(a.mem().block());
      }
      case Type.Acc a -> {
        Exp.AccInput in = accs.get(a.token());
        if (in != null) for (Name array : in.arrays()) blocks.add(mem(array).block());
      }
      case Type.Prim p -> {}
    }
  }

  /** Lowers one statement; returns whether blocks it declares are to be released. */
  private boolean statement(Stm s, List<Code> out) {
    switch (s.exp()) {
      case BasicOp op -> basic(s, op, out);
      case Exp.Apply a -> apply(s, a, out);
      case Exp.Match m -> match(s.pat(), m, out);
      case Exp.Loop l -> loop(s.pat(), l, out);
      case Exp.WithAcc w -> withAcc(s.pat(), w, out);
      case SegExp.ParOp p -> segs.parallel(s, p, out);
      case MemOp.Alloc a -> {
        return alloc(s.pat().get(0).name(), a, out);
      }
      case MemOp.EnsureDirect e -> ensureDirect(s.pat(), e, out);
      case SegExp.Seg g -> throw new IllegalStateException("GPU operation in multicore code");
      case HostOp h -> throw new IllegalStateException("GPU operation in multicore code");
      case Soac o -> throw new IllegalStateException("SOAC in memory representation");
    }
    return true;
  }

  private boolean alloc(Name block, MemOp.Alloc a, List<Code> out) {
    PrimType elem = elem(new Type.Mem(a.space()));
    Expr size = expr(a.size());
    boolean inLoop = loopDepth > 0;
    if (kernel != null && !escaping.contains(block)) {
      boolean survives = loopBlocks.contains(block);
      for (Name n : aliases.of(block)) survives |= loopBlocks.contains(n);
      if (!inLoop || !survives) {
        scratchBlock(block, elem);
        out.add(new Code.Reserve(block, elem, size));
        return false;
      }
      rotating(block, elem, size, out);
      return false;
    }
    out.add(new Code.Alloc(block, elem, size));
    return true;
  }

  /**
   * A block that may survive an iteration, as a loop's parameter: one of several scratch blocks,
   * one more than there are variables in use that may stand for one of them.
   */
  private void rotating(Name block, PrimType elem, Expr size, List<Code> out) {
    List<Name> inUse = new ArrayList<>();
    for (Name n : aliases.of(block))
      if (held.contains(n) && !scratchNames.contains(n)) inUse.add(n);
    out.add(new Code.DeclareBlock(block, elem, null));
    List<Name> candidates = new ArrayList<>();
    for (int i = 0; i <= inUse.size(); i++) {
      Name scratch = names.fresh(block);
      types.put(scratch, new Type.Mem(new Space.Elements(elem)));
      aliases.join(block, scratch);
      scratchBlock(scratch, elem);
      candidates.add(scratch);
      if (kernel != null) kernel.rotating.add(scratch);
    }
    List<Code> choice = List.of();
    for (int i = candidates.size() - 1; i >= 0; i--) {
      Name c = candidates.get(i);
      List<Code> take = List.of(new Code.Reserve(c, elem, size), new Code.SetBlock(block, elem, c));
      choice = choice.isEmpty() ? take : List.of(new Code.IfUnused(c, elem, inUse, take, choice));
    }
    out.addAll(choice);
  }

  private void ensureDirect(List<PatElem> pat, MemOp.EnsureDirect e, List<Code> out) {
    ArrayMem src = mem(e.array());
    PatElem array = pat.get(pat.size() - 1);
    Type.Array t = (Type.Array) array.type();
    ArrayMem dst = mem(t);
    boolean newBlock = pat.size() > 1 && pat.get(0).type() instanceof Type.Mem;
    if (src.lmad().isDirect()) {
      if (newBlock) out.add(new Code.DeclareBlock(pat.get(0).name(), t.elem(), src.block()));
      else place(e.array(), array.type(), out);
      return;
    }
    if (newBlock) {
      Poly size = Poly.ONE;
      for (SubExp d : t.shape()) size = size.times(poly(d));
      out.add(new Code.Alloc(dst.block(), t.elem(), new Expr.Index(size)));
    }
    copies.copy(t.elem(), dst, src, t.shape(), out);
  }

  /** Makes sure that an array is where a type says: copies it unless it is. */
  void place(Name array, Type at, List<Code> out) {
    ArrayMem dst = mem(at);
    ArrayMem src = mem(array);
    if (dst.block().equals(src.block()) && place(dst.lmad()).equals(place(src.lmad()))) return;
    copies.copy(at.elemPrim(), dst, src, at.dims(), out);
  }

  Copies copies() {
    return copies;
  }

  private void basic(Stm s, BasicOp op, List<Code> out) {
    PatElem p = s.pat().get(0);
    Type t = p.type();
    switch (op) {
      case BasicOp.SubExpOp x -> alias(p, x.value(), out);
      case BasicOp.Opaque x -> {
        if (!(x.tag() instanceof BasicOp.Tag.Barrier) && t instanceof Type.Prim && !isUnit(t)) {
          out.add(new Code.Trace(x.tag(), expr(x.value())));
        }
        alias(p, x.value(), out);
      }
      case BasicOp.BinOpExp x ->
          declare(p.name(), t, new Expr.Binary(x.op(), expr(x.left()), expr(x.right())), out);
      case BasicOp.UnOpExp x ->
          declare(p.name(), t, new Expr.Unary(x.op(), expr(x.operand())), out);
      case BasicOp.CmpOpExp x ->
          declare(p.name(), t, new Expr.Compare(x.op(), expr(x.left()), expr(x.right())), out);
      case BasicOp.ConvOpExp x ->
          declare(p.name(), t, new Expr.Convert(x.op(), expr(x.operand())), out);
      case BasicOp.PrimFunExp x ->
          declare(
              p.name(),
              t,
              new Expr.Apply(x.fun(), x.args().stream().map(this::expr).toList()),
              out);
      case BasicOp.UserParam x ->
          declare(p.name(), t, new Expr.Tuning(x.name(), expr(x.defaultValue())), out);
      case BasicOp.Assert x -> check(x, out);
      case BasicOp.Index x -> {
        if (t instanceof Type.Prim) {
          declare(p.name(), t, load(mem(x.array()), t.elemPrim(), fixed(x.slice())), out);
        }
      }
      case BasicOp.FlatIndex x -> {}
      case BasicOp.Rearrange x -> {}
      case BasicOp.Scratch x -> {}
      case BasicOp.Reshape x -> reshape(p, x.array(), out);
      case BasicOp.Update x -> update(x, t, out);
      case BasicOp.FlatUpdate x -> {
        ArrayMem m = mem(t);
        ArrayMem part = new ArrayMem(m.block(), m.lmad().flatSlice(x.slice()));
        place(x.value(), new Type.Array(t.elemPrim(), x.slice().shape(), part), out);
      }
      case BasicOp.ArrayLit x -> {
        for (int i = 0; i < x.elems().size(); i++) {
          ArrayMem m = mem(t);
          SubExp at = SubExp.i64(i);
          if (x.row().rank() == 0) {
            out.add(
                new Code.Store(
                    m.block(),
                    t.elemPrim(),
                    place(m.lmad().index(List.of(Poly.of(i)))),
                    expr(x.elems().get(i))));
          } else {
            ArrayMem row =
                new ArrayMem(m.block(), m.lmad().slice(Slice.fix(List.of(at), t.dims())));
            place(
                ((SubExp.Var) x.elems().get(i)).name(),
                new Type.Array(t.elemPrim(), t.row().dims(), row),
                out);
          }
        }
      }
      case BasicOp.ArrayVal x -> {
        Name constant = names.fresh("constant");
        out.add(new Code.ConstantBlock(constant, x.elem(), x.values()));
        ArrayMem src = new ArrayMem(constant, Lmad.rowMajor(t.dims()));
        copies.copy(x.elem(), mem(t), src, t.dims(), out);
      }
      case BasicOp.Concat x -> concat(x, t, out);
      case BasicOp.Manifest x -> place(x.array(), t, out);
      case BasicOp.Iota x -> copies.iota(mem(t), x, out);
      case BasicOp.Replicate x -> replicate(p, x, out);
      case BasicOp.UpdateAcc x -> updateAcc(x, out);
    }
  }

  private void alias(PatElem p, SubExp value, List<Code> out) {
    switch (p.type()) {
      case Type.Prim prim -> declare(p.name(), prim, expr(value), out);
      case Type.Mem m ->
          out.add(new Code.DeclareBlock(p.name(), elem(m), ((SubExp.Var) value).name()));
      case Type.Array a -> place(((SubExp.Var) value).name(), a, out);
      case Type.Acc a -> {}
    }
  }

  private void reshape(PatElem p, Name array, List<Code> out) {
    ArrayMem dst = mem(p.type());
    ArrayMem src = mem(array);
    if (dst.block().equals(src.block())) return;
    if (!src.lmad().isContiguous() || !dst.lmad().isContiguous()) {
      throw new IllegalStateException(
          "reshape to another block of an array that is not contiguous: " + array);
    }
    SubExp n = element(p.type().dims(), out);
    PrimType elem = p.type().elemPrim();
    copies.copy(
        elem,
        new ArrayMem(dst.block(), Lmad.rowMajor(dst.lmad().offset(), List.of(n))),
        new ArrayMem(src.block(), Lmad.rowMajor(src.lmad().offset(), List.of(n))),
        List.of(n),
        out);
  }

  /** The number of elements of a shape, as an operand. */
  SubExp element(List<SubExp> shape, List<Code> out) {
    Poly size = Poly.ONE;
    for (SubExp d : shape) size = size.times(Poly.of(d));
    SubExp e = size.asSubExp();
    if (e != null) return e;
    Name n = names.fresh("size");
    declare(n, Type.I64, new Expr.Index(place(size)), out);
    return SubExp.of(n);
  }

  List<Poly> fixed(Slice slice) {
    List<Poly> index = new ArrayList<>();
    for (Slice.Dim d : slice.dims()) index.add(Poly.of(((Slice.Fix) d).index()));
    return index;
  }

  private void check(BasicOp.Assert x, List<Code> out) {
    List<Code.MessagePart> parts = new ArrayList<>();
    for (BasicOp.MsgPart m : x.message()) {
      switch (m) {
        case BasicOp.MsgPart.Text text -> parts.add(new Code.MessagePart(text.text(), null, false));
        case BasicOp.MsgPart.Value v ->
            parts.add(new Code.MessagePart("", expr(v.value()), v.unsigned()));
      }
    }
    if (x.cond().equals(SubExp.TRUE)) return;
    out.add(new Code.Assert(expr(x.cond()), parts, x.trace()));
  }

  private void update(BasicOp.Update x, Type t, List<Code> out) {
    ArrayMem m = mem(t);
    List<Code> body = new ArrayList<>();
    if (x.slice().isElement()) {
      body.add(
          new Code.Store(
              m.block(), t.elemPrim(), place(m.lmad().index(fixed(x.slice()))), expr(x.value())));
    } else {
      ArrayMem part = new ArrayMem(m.block(), m.lmad().slice(x.slice()));
      Type at = new Type.Array(t.elemPrim(), x.slice().shape(), part);
      if (x.value() instanceof SubExp.Var v && type(v.name()) instanceof Type.Array)
        place(v.name(), at, body);
      else copies.fill(t.elemPrim(), part, x.slice().shape(), expr(x.value()), body);
    }
    if (!x.safe()) {
      out.addAll(body);
      return;
    }
    Expr inside = null;
    for (int i = 0; i < x.slice().dims().size(); i++) {
      Expr size = expr(t.dims().get(i));
      switch (x.slice().dims().get(i)) {
        case Slice.Fix f -> inside = both(inside, inRange(expr(f.index()), size));
        case Slice.Range r -> {
          Poly last = poly(r.start()).plus(poly(r.count()).minus(Poly.ONE).times(poly(r.stride())));
          Expr ends = Expr.and(inRange(expr(r.start()), size), inRange(new Expr.Index(last), size));
          Expr empty = Expr.atMost(expr(r.count()), Expr.i64(0));
          inside =
              both(
                  inside,
                  new Expr.Binary(
                      new futharkc.core.ir.BinOp(futharkc.core.ir.BinOp.Kind.LOG_OR, PrimType.BOOL),
                      empty,
                      ends));
        }
      }
    }
    out.add(new Code.If(inside == null ? Expr.bool(true) : inside, body, List.of()));
  }

  static Expr inRange(Expr index, Expr size) {
    return Expr.and(Expr.atMost(Expr.i64(0), index), Expr.less(index, size));
  }

  static Expr both(@Nullable Expr a, Expr b) {
    return a == null ? b : Expr.and(a, b);
  }

  private void concat(BasicOp.Concat x, Type t, List<Code> out) {
    ArrayMem m = mem(t);
    Poly at = Poly.ZERO;
    for (Name array : x.arrays()) {
      Type from = type(array);
      List<Lmad.Dim> dims = new ArrayList<>(m.lmad().dims());
      Lmad.Dim along = dims.get(x.dim());
      Poly offset = m.lmad().offset().plus(at.times(along.stride()));
      dims.set(x.dim(), new Lmad.Dim(along.stride(), from.dims().get(x.dim())));
      place(
          array,
          new Type.Array(
              t.elemPrim(), from.dims(), new ArrayMem(m.block(), new Lmad(offset, dims))),
          out);
      at = at.plus(Poly.of(from.dims().get(x.dim())));
    }
  }

  private void replicate(PatElem p, BasicOp.Replicate x, List<Code> out) {
    Type t = p.type();
    if (t instanceof Type.Prim) {
      declare(p.name(), t, expr(x.value()), out);
      return;
    }
    ArrayMem m = mem(t);
    if (!(x.value() instanceof SubExp.Var v) || !(type(v.name()) instanceof Type.Array a)) {
      copies.fill(t.elemPrim(), m, t.dims(), expr(x.value()), out);
      return;
    }
    ArrayMem src = mem(a);
    List<Lmad.Dim> dims = new ArrayList<>();
    for (SubExp d : x.shape()) dims.add(new Lmad.Dim(Poly.ZERO, d));
    dims.addAll(src.lmad().dims());
    ArrayMem repeated = new ArrayMem(src.block(), new Lmad(src.lmad().offset(), dims));
    if (!m.equals(repeated)) copies.copy(t.elemPrim(), m, repeated, t.dims(), out);
  }

  // Control

  private void apply(Stm s, Exp.Apply a, List<Code> out) {
    List<Code.Variable> targets = new ArrayList<>();
    for (PatElem p : s.pat()) {
      switch (p.type()) {
        case Type.Prim t -> {
          if (!isUnit(t)) targets.add(new Code.Variable(p.name(), t.prim(), false));
        }
        case Type.Mem m -> targets.add(new Code.Variable(p.name(), elem(m), true));
        case Type.Array t -> {}
        case Type.Acc t -> {}
      }
    }
    List<Code.Operand> args = new ArrayList<>();
    for (SubExp e : a.args()) {
      Code.Operand o = operand(e);
      if (o != null) args.add(o);
    }
    out.add(new Code.Call(targets, a.function(), args));
  }

  /**
   * What is passed for a value; null for what is not: arrays, whose block is passed, accumulators
   * and unit.
   */
  Code.@Nullable Operand operand(SubExp e) {
    return switch (type(e)) {
      case Type.Prim t -> isUnit(t) ? null : new Code.Operand.Scalar(expr(e));
      case Type.Mem m -> new Code.Operand.Block(((SubExp.Var) e).name(), elem(m));
      case Type.Array t -> null;
      case Type.Acc t -> null;
    };
  }

  private void declareResults(List<PatElem> pat, List<Code> out) {
    for (PatElem p : pat) {
      switch (p.type()) {
        case Type.Prim t -> {
          if (!isUnit(t)) out.add(new Code.Declare(p.name(), t.prim(), null));
        }
        case Type.Mem m -> out.add(new Code.DeclareBlock(p.name(), elem(m), null));
        case Type.Array t -> {}
        case Type.Acc t -> {}
      }
    }
  }

  /**
   * Assigns results to what a pattern declares; arrays that are elsewhere are copied to where the
   * pattern says.
   */
  private void assignResults(List<PatElem> pat, List<SubExp> results, List<Code> out) {
    Map<Name, Poly> known = new HashMap<>();
    Map<Name, Name> blocks = new HashMap<>();
    for (int i = 0; i < pat.size(); i++) {
      PatElem p = pat.get(i);
      SubExp r = results.get(i);
      switch (p.type()) {
        case Type.Prim t -> {
          if (!isUnit(t)) out.add(new Code.Assign(p.name(), expr(r)));
          if (t.prim() == PrimType.I64) known.put(p.name(), Poly.of(r));
        }
        case Type.Mem m -> {
          Name b = ((SubExp.Var) r).name();
          out.add(new Code.SetBlock(p.name(), elem(m), b));
          blocks.put(p.name(), b);
        }
        case Type.Array t -> placeResult(((SubExp.Var) r).name(), t, known, blocks, out);
        case Type.Acc t -> {}
      }
    }
  }

  private void placeResult(
      Name array,
      Type.Array expected,
      Map<Name, Poly> known,
      Map<Name, Name> blocks,
      List<Code> out) {
    ArrayMem m = mem(expected);
    if (blocks.containsKey(m.block())) return;
    List<Lmad.Dim> dims = new ArrayList<>();
    List<SubExp> shape = type(array).dims();
    for (int i = 0; i < shape.size(); i++) {
      dims.add(new Lmad.Dim(subst(m.lmad().dims().get(i).stride(), known), shape.get(i)));
    }
    Lmad at = new Lmad(subst(m.lmad().offset(), known), dims);
    ArrayMem src = mem(array);
    if (src.block().equals(m.block()) && sameFunction(src.lmad(), at)) return;
    copies.copy(expected.elem(), new ArrayMem(m.block(), at), src, shape, out);
  }

  private static Poly subst(Poly p, Map<Name, Poly> known) {
    return p.substitute(n -> known.getOrDefault(n, Poly.of(n)));
  }

  private static boolean sameFunction(Lmad a, Lmad b) {
    if (!a.offset().equals(b.offset())) return false;
    for (int i = 0; i < a.dims().size(); i++) {
      if (!a.dims().get(i).stride().equals(b.dims().get(i).stride())) return false;
    }
    return true;
  }

  private void match(List<PatElem> pat, Exp.Match m, List<Code> out) {
    declareResults(pat, out);
    List<Code> rest = branch(pat, m.otherwise());
    for (int i = m.cases().size() - 1; i >= 0; i--) {
      Exp.Case c = m.cases().get(i);
      Expr cond = null;
      for (int k = 0; k < c.pattern().size(); k++) {
        PrimValue v = c.pattern().get(k);
        if (v == null) continue;
        Expr e = expr(m.scrutinees().get(k));
        Expr test =
            v.equals(PrimValue.TRUE)
                ? e
                : new Expr.Compare(new CmpOp(CmpOp.Kind.EQ, v.type()), e, new Expr.Const(v));
        cond = both(cond, test);
      }
      List<Code> then = branch(pat, c.body());
      rest = cond == null ? then : List.of(new Code.If(cond, then, rest));
    }
    out.addAll(
        rest.size() == 1 && rest.get(0) instanceof Code.If ? rest : List.of(new Code.Scope(rest)));
  }

  private List<Code> branch(List<PatElem> pat, Body b) {
    List<Code> out = new ArrayList<>();
    int mark = held.size();
    statements(b.stms(), b.results(), List.of(), out);
    assignResults(pat, b.results(), out);
    keepScratch(mark);
    return out;
  }

  /** Drops what was held inside; scratch blocks, declared outside, stay. */
  private void keepScratch(int mark) {
    List<Name> inner = new ArrayList<>(held.subList(mark, held.size()));
    while (held.size() > mark) held.remove(held.size() - 1);
    for (Name n : inner) if (scratchNames.contains(n)) held.add(n);
  }

  /** Lowers a body whose results a pattern, declared before, takes. */
  List<Code> nested(List<PatElem> pat, Body b) {
    return branch(pat, b);
  }

  /** Declares what a pattern binds, for {@link #nested}. */
  void declarePattern(List<PatElem> pat, List<Code> out) {
    declareResults(pat, out);
  }

  private void loop(List<PatElem> pat, Exp.Loop l, List<Code> out) {
    List<Name> blocks = new ArrayList<>();
    for (Exp.LoopParam p : l.params()) {
      Param q = p.param();
      types.put(q.name(), q.type());
      switch (q.type()) {
        case Type.Prim t -> {
          if (!isUnit(t)) out.add(new Code.Declare(q.name(), t.prim(), expr(p.init())));
        }
        case Type.Mem m -> {
          out.add(new Code.DeclareBlock(q.name(), elem(m), ((SubExp.Var) p.init()).name()));
          blocks.add(q.name());
          loopBlocks.add(q.name());
        }
        case Type.Array t -> {}
        case Type.Acc t -> {}
      }
    }
    Expr trips = null;
    if (l.form() instanceof Exp.Form.For f) {
      types.put(f.index(), Type.prim(f.type()));
      trips = expr(f.bound());
    }
    int mark = held.size();
    loopDepth++;
    List<Code> body = new ArrayList<>();
    statements(l.body().stms(), l.body().results(), blocks, body);
    next(l, body);
    loopDepth--;
    keepScratch(mark);
    switch (l.form()) {
      case Exp.Form.For f ->
          out.add(
              new Code.For(
                  f.index(),
                  f.type(),
                  new Expr.Const(PrimValue.zero(f.type())),
                  trips == null ? Expr.i64(0) : trips,
                  body));
      case Exp.Form.While w -> out.add(new Code.While(w.cond(), body));
    }
    for (int i = 0; i < pat.size(); i++) {
      PatElem p = pat.get(i);
      Name q = l.params().get(i).param().name();
      switch (p.type()) {
        case Type.Prim t -> {
          if (!isUnit(t)) out.add(new Code.Declare(p.name(), t.prim(), new Expr.Var(q, t.prim())));
        }
        case Type.Mem m -> out.add(new Code.DeclareBlock(p.name(), elem(m), q));
        case Type.Array t -> {}
        case Type.Acc t -> {}
      }
    }
  }

  /** Gives a loop's parameters their next values, all at once. */
  private void next(Exp.Loop l, List<Code> out) {
    Set<Name> params = new HashSet<>();
    Map<Name, Poly> known = new HashMap<>();
    Map<Name, Name> blocks = new HashMap<>();
    for (Exp.LoopParam p : l.params()) params.add(p.param().name());
    List<Code> assigns = new ArrayList<>();
    for (int i = 0; i < l.params().size(); i++) {
      Param p = l.params().get(i).param();
      SubExp r = l.body().results().get(i);
      if (r.equals(SubExp.of(p.name()))) continue;
      Name other = r instanceof SubExp.Var v && params.contains(v.name()) ? v.name() : null;
      switch (p.type()) {
        case Type.Prim t -> {
          if (t.prim() == PrimType.I64) known.put(p.name(), Poly.of(r));
          if (isUnit(t)) break;
          Expr value = expr(r);
          if (other != null) {
            Name copy = names.fresh(other);
            out.add(new Code.Declare(copy, t.prim(), value));
            value = new Expr.Var(copy, t.prim());
          }
          assigns.add(new Code.Assign(p.name(), value));
        }
        case Type.Mem m -> {
          Name b = ((SubExp.Var) r).name();
          blocks.put(p.name(), b);
          if (other != null) {
            Name copy = names.fresh(other);
            out.add(new Code.DeclareBlock(copy, elem(m), b));
            b = copy;
          }
          assigns.add(new Code.SetBlock(p.name(), elem(m), b));
        }
        case Type.Array t -> placeResult(((SubExp.Var) r).name(), t, known, blocks, out);
        case Type.Acc t -> {}
      }
    }
    out.addAll(assigns);
  }

  // Accumulators

  private void withAcc(List<PatElem> pat, Exp.WithAcc w, List<Code> out) {
    List<Param> params = w.lambda().params();
    int n = w.inputs().size();
    for (int i = 0; i < n; i++) {
      accs.put(params.get(i).name(), w.inputs().get(i));
      types.put(params.get(i).name(), params.get(i).type());
      types.put(params.get(n + i).name(), params.get(n + i).type());
    }
    List<SubExp> results = w.lambda().body().results();
    int arrays = pat.size() - (results.size() - n);
    statements(w.lambda().body().stms(), results, List.of(), out);
    List<PatElem> others = pat.subList(arrays, pat.size());
    declareResults(others, out);
    assignResults(others, results.subList(n, results.size()), out);
  }

  private void updateAcc(BasicOp.UpdateAcc x, List<Code> out) {
    Type.Acc t = (Type.Acc) type(x.acc());
    Exp.AccInput in = accs.get(t.token());
    if (in == null) throw new IllegalStateException("accumulator " + x.acc() + " of no WithAcc");
    Expr inside = null;
    for (int i = 0; i < in.space().size(); i++) {
      inside = both(inside, inRange(expr(x.index().get(i)), expr(in.space().get(i))));
    }
    List<Code> body = new ArrayList<>();
    if (in.op() == null) {
      for (int k = 0; k < in.arrays().size(); k++) {
        Type array = type(in.arrays().get(k));
        ArrayMem m = mem(array);
        if (array.rank() == in.space().size()) {
          List<Poly> index = x.index().stream().map(Poly::of).toList();
          body.add(
              new Code.Store(
                  m.block(),
                  array.elemPrim(),
                  place(m.lmad().index(index)),
                  expr(x.values().get(k))));
        } else {
          ArrayMem row =
              new ArrayMem(m.block(), m.lmad().slice(Slice.fix(x.index(), array.dims())));
          Type at = new Type.Array(array.elemPrim(), array.peel(in.space().size()).dims(), row);
          place(((SubExp.Var) x.values().get(k)).name(), at, body);
        }
      }
    } else {
      combine(x, in, in.op(), body);
    }
    out.add(new Code.If(inside == null ? Expr.bool(true) : inside, body, List.of()));
  }

  private void combine(BasicOp.UpdateAcc x, Exp.AccInput in, Exp.AccOp op, List<Code> out) {
    Lambda l = op.lambda();
    int rank = in.space().size();
    List<Code> body = new ArrayList<>();
    for (int i = 0; i < rank; i++) {
      declare(l.params().get(i).name(), Type.I64, expr(x.index().get(i)), body);
    }
    int n = in.arrays().size();
    int next = rank + n;
    for (int k = 0; k < n; k++) {
      Type array = type(in.arrays().get(k));
      ArrayMem m = mem(array);
      Param old = l.params().get(rank + k);
      types.put(old.name(), old.type());
      if (array.rank() > rank) {
        Param block = l.params().get(next++);
        types.put(block.name(), block.type());
        Name from = mem(((SubExp.Var) x.values().get(k)).name()).block();
        body.add(new Code.DeclareBlock(block.name(), array.elemPrim(), from));
      }
      Param value = l.params().get(next++);
      types.put(value.name(), value.type());
      if (array.rank() == rank) {
        List<Poly> index = x.index().stream().map(Poly::of).toList();
        declare(old.name(), old.type(), load(m, array.elemPrim(), index), body);
        declare(value.name(), value.type(), expr(x.values().get(k)), body);
      }
    }
    statements(l.body().stms(), l.body().results(), List.of(), body);
    for (int k = 0; k < n; k++) {
      Type array = type(in.arrays().get(k));
      ArrayMem m = mem(array);
      if (array.rank() == rank) {
        List<Poly> index = x.index().stream().map(Poly::of).toList();
        body.add(
            new Code.Store(
                m.block(),
                array.elemPrim(),
                place(m.lmad().index(index)),
                expr(l.body().results().get(k))));
      } else {
        ArrayMem row = new ArrayMem(m.block(), m.lmad().slice(Slice.fix(x.index(), array.dims())));
        Type at = new Type.Array(array.elemPrim(), array.peel(rank).dims(), row);
        place(((SubExp.Var) l.body().results().get(k)).name(), at, body);
      }
    }
    Kernel kern = kernel;
    if (kern == null || !kern.parallel) {
      out.add(new Code.Scope(body));
      return;
    }
    Poly key = Poly.ZERO;
    for (SubExp i : x.index()) key = key.times(31).plus(poly(i));
    out.add(new Code.Locked(new Expr.Index(key), body));
  }
}
