package futharkc.pass.flattening;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.SegBody;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegLevel;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegResult;
import futharkc.core.ir.SegVirt;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A builder for the statements of host code, or of a thread block. */
final class HostBuilder {
  final FlatteningContext cx;
  final FlatteningLevel place;
  private final @Nullable HostBuilder outer;
  private final List<Stm> stms = new ArrayList<>();
  private final Map<Name, SegmentDescriptor> numberings = new HashMap<>();
  private final Map<Name, SegmentDescriptor> places = new HashMap<>();
  private final Map<Name, Name> begins = new HashMap<>();
  private final Map<Nest, SubExp> counts = new HashMap<>();
  private final Map<Arrays, Name> sizes = new HashMap<>();
  private List<Name> certs = List.of();
  private Loc loc = Loc.NONE;

  private HostBuilder(FlatteningContext cx, FlatteningLevel place, @Nullable HostBuilder outer) {
    this.cx = cx;
    this.place = place;
    this.outer = outer;
  }

  HostBuilder(FlatteningContext cx, FlatteningLevel place) {
    this(cx, place, null);
  }

  /** Returns a builder for a body within this body. */
  HostBuilder inner() {
    HostBuilder h = new HostBuilder(cx, place, this);
    h.loc = loc;
    return h;
  }

  /** Returns a builder for the body of a thread block. */
  HostBuilder block() {
    return new HostBuilder(cx, FlatteningLevel.BLOCK, null);
  }

  /** Runs an action, whose statements get the given certificates and source location. */
  <T> T under(Aux aux, List<Name> checks, Supplier<T> action) {
    List<Name> outerCerts = certs;
    Loc outerLoc = loc;
    LinkedHashSet<Name> all = new LinkedHashSet<>(certs);
    all.addAll(checks);
    certs = new ArrayList<>(all);
    if (!aux.loc().equals(Loc.NONE)) {
      loc = aux.loc();
    }
    T result = action.get();
    certs = outerCerts;
    loc = outerLoc;
    return result;
  }

  // Statements

  Aux aux() {
    return new Aux(certs, List.of(), loc);
  }

  void add(Stm s) {
    stms.add(s);
    cx.define(s);
  }

  /** Adds an existing statement, with the certificates of the current context. */
  void adopt(Stm s) {
    add(new Stm(s.pat(), s.aux().plusCerts(certs), s.exp()));
  }

  Name let(String base, Type type, Exp e) {
    Name n = cx.names.fresh(base);
    add(new Stm(List.of(new PatElem(n, type)), aux(), e));
    return n;
  }

  SubExp letExp(String base, Type type, Exp e) {
    return SubExp.of(let(base, type, e));
  }

  /** Binds an expression with several results of the given types, and returns their names. */
  List<Name> let(String base, List<Type> types, Exp e) {
    List<PatElem> pat = new ArrayList<>();
    for (Type t : types) {
      pat.add(new PatElem(cx.names.fresh(base), t));
    }
    let(pat, e);
    return pat.stream().map(PatElem::name).toList();
  }

  void let(List<PatElem> pat, Exp e) {
    add(new Stm(pat, aux(), e));
  }

  List<Stm> stms() {
    return List.copyOf(stms);
  }

  Body body(List<SubExp> results) {
    return new Body(stms, results);
  }

  Type type(Name n) {
    return cx.scope.type(n);
  }

  Type type(SubExp e) {
    return cx.scope.type(e);
  }

  // Sizes and shapes

  SubExp binOp(String base, BinOp.Kind kind, SubExp a, SubExp b) {
    return letExp(base, Type.I64, new BasicOp.BinOpExp(new BinOp(kind, PrimType.I64), a, b));
  }

  SubExp cmp(String base, CmpOp.Kind kind, SubExp a, SubExp b) {
    return letExp(base, Type.BOOL, new BasicOp.CmpOpExp(new CmpOp(kind, PrimType.I64), a, b));
  }

  SubExp times(String base, SubExp a, SubExp b) {
    if (a.isInt(1) || b.isInt(0)) {
      return b;
    }
    if (b.isInt(1) || a.isInt(0)) {
      return a;
    }
    if (a instanceof SubExp.Const x && b instanceof SubExp.Const y) {
      return SubExp.i64(x.value().asLong() * y.value().asLong());
    }
    return binOp(base, BinOp.Kind.MUL, a, b);
  }

  SubExp product(String base, List<SubExp> factors) {
    SubExp p = SubExp.i64(1);
    for (SubExp f : factors) {
      p = times(base, p, f);
    }
    return p;
  }

  /** Returns the number of segments of a nest. */
  SubExp count(Nest nest) {
    if (nest.dims().size() == 1) {
      return nest.dims().get(0);
    }
    SubExp known = known(h -> h.counts.get(nest));
    if (known != null) {
      return known;
    }
    SubExp n = product("segments", nest.dims());
    counts.put(nest, n);
    return n;
  }

  /**
   * Returns the array with another shape of the same element count; the array itself if it has that
   * shape.
   */
  Name reshaped(Name array, List<SubExp> shape) {
    Type t = type(array);
    if (t.dims().equals(shape)) {
      return array;
    }
    // The rank is equal, and the sizes have other names for the same values.
    boolean coerce = t.rank() == shape.size() && t.rank() == 1;
    return let(array.base(), t.withShape(shape), new BasicOp.Reshape(coerce, array, shape));
  }

  /** Returns the array as one dimension. */
  Name flat(Name array) {
    Type t = type(array);
    return t.rank() == 1 ? array : reshaped(array, List.of(product("elements", t.dims())));
  }

  Name replicate(String base, List<SubExp> shape, SubExp value) {
    Type t = type(value);
    return shape.isEmpty() && t.rank() == 0
        ? let(base, t, new BasicOp.SubExpOp(value))
        : let(base, Type.array(t, shape), new BasicOp.Replicate(shape, value));
  }

  Name iota(String base, SubExp count, SubExp start, SubExp stride) {
    return let(
        base, Type.array(Type.I64, count), new BasicOp.Iota(count, start, stride, PrimType.I64));
  }

  /** Returns an array of unspecified contents. */
  Name blank(String base, Type t) {
    return let(base, t, new BasicOp.Scratch(t.elemPrim(), t.dims()));
  }

  /** Returns an element of an array as a value of the host. */
  SubExp element(String base, Name array, SubExp... index) {
    Type t = type(array);
    return letExp(
        base, t.peel(index.length), new BasicOp.Index(array, Slice.fix(List.of(index), t.dims())));
  }

  /** Binds {@code if cond then ... else ...} with results of the given types. */
  List<Name> either(
      String base,
      List<Type> types,
      SubExp cond,
      Function<HostBuilder, List<SubExp>> then,
      Function<HostBuilder, List<SubExp>> otherwise) {
    HostBuilder a = inner();
    Body yes = a.body(then.apply(a));
    HostBuilder b = inner();
    Body no = b.body(otherwise.apply(b));
    return let(base, types, Exp.Match.conditional(cond, yes, no));
  }

  /** Returns zero, false or unit, or an array of unspecified contents. */
  SubExp nothing(Type t) {
    return t instanceof Type.Prim p
        ? SubExp.of(PrimValue.zero(p.prim()))
        : SubExp.of(blank("blank", t));
  }

  // Numbering of the elements of flat arrays

  /** A key for arrays of an element count in all segments of a nest. */
  private record Arrays(Nest nest, Poly elements) {}

  /**
   * Returns the element counts, in all segments, of arrays of the given shape, computed once per
   * shape.
   */
  Name sizes(Nest nest, List<SubExp> dims, Supplier<Name> computed) {
    Poly elements = Poly.ONE;
    for (SubExp d : dims) {
      elements = elements.times(Poly.of(d));
    }
    Arrays key = new Arrays(nest, elements);
    Name known = known(h -> h.sizes.get(key));
    if (known != null) {
      return known;
    }
    Name made = computed.get();
    sizes.put(key, made);
    return made;
  }

  /** Returns the numbering of segments of the given sizes, computed once. */
  SegmentDescriptor numbering(Name sizes) {
    SegmentDescriptor known = known(sizes);
    if (known != null) {
      return known;
    }
    SegmentDescriptor n = Builtin.REPIOTA.call(this, sizes);
    numberings.put(sizes, n);
    return n;
  }

  /** Returns the existing numbering of segments of the given sizes, or null. */
  @Nullable SegmentDescriptor known(Name sizes) {
    return known(h -> h.numberings.get(sizes));
  }

  /**
   * Returns the positions of elements within their segments, for segments of the given sizes,
   * computed once.
   */
  SegmentDescriptor places(Name sizes) {
    SegmentDescriptor known = known(h -> h.places.get(sizes));
    if (known != null) {
      return known;
    }
    SegmentDescriptor n = Builtin.SEGIOTA.call(this, sizes);
    places.put(sizes, n);
    return n;
  }

  /**
   * Returns, for an element of consecutive segments, whether the element is the first of its
   * segment.
   *
   * @param count the total element count
   * @param sizes the element counts of the segments
   * @param offsets the offsets of the segments
   */
  SubExp begins(SegBodyBuilder k, SubExp element, SubExp count, Name sizes, Name offsets) {
    SegmentDescriptor known = known(h -> h.places.get(sizes));
    if (known != null) {
      return k.compare(CmpOp.Kind.EQ, k.element(known.ids(), element), SubExp.i64(0));
    }
    Name flags = known(h -> h.begins.get(sizes));
    if (flags == null) {
      flags = flags(count, sizes, offsets);
      begins.put(sizes, flags);
    }
    return k.element(flags, element);
  }

  private Name flags(SubExp count, Name sizes, Name offsets) {
    Nest segments = new Nest.Uniform(new Nest.Top(place), type(sizes).outerSize());
    Name none = replicate("begins", List.of(count), SubExp.FALSE);
    return scatter(
        "begins",
        none,
        segments,
        new LiftedEnv(),
        List.of(),
        s -> {
          SubExp i = s.at(segments).get(0);
          SubExp some = s.compare(CmpOp.Kind.SLT, SubExp.i64(0), s.element(sizes, i));
          SubExp at = s.either(some, Type.I64, x -> x.element(offsets, i), x -> SubExp.i64(-1));
          return new Written(List.of(at), SubExp.TRUE);
        });
  }

  private <T> @Nullable T known(Function<HostBuilder, @Nullable T> found) {
    for (HostBuilder h = this; h != null; h = h.outer) {
      T known = found.apply(h);
      if (known != null) {
        return known;
      }
    }
    return null;
  }

  /** Returns, for each segment of a flat nest, the number of the outer segment that contains it. */
  Name ids(Nest.Flat f) {
    Name sizes = cx.sizes(f.ids());
    return sizes == null ? f.ids() : numbering(sizes).ids();
  }

  // Operations

  /**
   * Returns a builder for the body of an operation over the segments of a nest and additional inner
   * dimensions.
   */
  SegBodyBuilder kernel(Nest nest, LiftedEnv env, SubExp... inside) {
    return new SegBodyBuilder(this, nest, env, List.of(inside));
  }

  /** Returns a builder for the body of a lambda whose parameters are the segment's indices. */
  SegBodyBuilder atIndices(Nest nest, LiftedEnv env, List<Param> indices) {
    return new SegBodyBuilder(this, env, nest, indices);
  }

  /** Binds the array of a kernel's result at each index. */
  Name segMap(String base, SegBodyBuilder k, SubExp result) {
    return segMap(List.of(base), k, List.of(result)).get(0);
  }

  /**
   * Binds the arrays of a kernel's results at each index; accumulators and certificates have no
   * dimensions.
   */
  List<Name> segMap(List<String> bases, SegBodyBuilder k, List<SubExp> results) {
    List<Type> types = new ArrayList<>();
    List<SegResult> returned = new ArrayList<>();
    List<PatElem> pat = new ArrayList<>();
    boolean scalars = place == FlatteningLevel.HOST;
    for (int i = 0; i < results.size(); i++) {
      SubExp r = results.get(i);
      Type t = type(r);
      boolean check = t.isPrim(PrimType.UNIT);
      types.add(t);
      scalars &= t instanceof Type.Prim;
      returned.add(check ? new SegResult.Checked(r) : new SegResult.Returns(r));
      Type whole = check ? t : Type.array(t, k.space().shape());
      pat.add(new PatElem(cx.names.fresh(bases.get(i)), whole));
    }
    SegLevel level = level(scalars ? SegVirt.NO_VIRT : SegVirt.VIRT);
    operation(k, pat, new SegOp.SegMap(level, k.space(), types, k.body(returned)));
    return pat.stream().map(PatElem::name).toList();
  }

  /**
   * Binds scans along the innermost dimension, followed by a function of the scanned values.
   *
   * @param values the operands of the scans, then other values
   * @param post a function of the scanned values and the other values
   */
  List<Name> segScan(
      String base, SegBodyBuilder k, List<SegOp.SegBinOp> ops, List<SubExp> values, Lambda post) {
    List<PatElem> pat = new ArrayList<>();
    for (Type t : post.results()) {
      pat.add(new PatElem(cx.names.fresh(base), Type.array(t, k.space().shape())));
    }
    List<Type> types = values.stream().map(this::type).toList();
    SegLevel level = level(SegVirt.NO_VIRT);
    operation(
        k, pat, new SegOp.SegScan(level, k.space(), ops, types, k.body(returned(values)), post));
    return pat.stream().map(PatElem::name).toList();
  }

  /**
   * Binds reductions along the innermost dimension, and the arrays of other values.
   *
   * @param values the operands of the reductions, then the other values
   */
  List<Name> segRed(String base, SegBodyBuilder k, List<SegOp.SegBinOp> ops, List<SubExp> values) {
    List<SubExp> all = k.space().shape();
    List<SubExp> segments = all.subList(0, all.size() - 1);
    List<Type> types = values.stream().map(this::type).toList();
    SegOp.SegRed red =
        new SegOp.SegRed(
            level(SegVirt.NO_VIRT), k.space(), ops, types, k.body(returned(values)), null);
    List<PatElem> pat = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      List<SubExp> shape = i < red.operands() ? segments : all;
      pat.add(new PatElem(cx.names.fresh(base), Type.array(types.get(i), shape)));
    }
    operation(k, pat, red);
    return pat.stream().map(PatElem::name).toList();
  }

  /** A value to write at an index of an array. A write out of range has no effect. */
  record Written(List<SubExp> index, SubExp value) {}

  /**
   * Returns the array after every segment has written an element. This method consumes {@code
   * dest}.
   */
  Name scatter(
      String base,
      Name dest,
      Nest nest,
      LiftedEnv env,
      List<SubExp> inside,
      Function<SegBodyBuilder, Written> written) {
    Type t = type(dest);
    Param token = new Param(cx.names.fresh("token"), Type.UNIT);
    Type elem = t.peel(t.rank());
    Type accType = new Type.Acc(token.name(), t.dims(), List.of(elem));
    Param acc = new Param(cx.names.fresh("acc"), accType);
    cx.scope.addParams(List.of(token, acc));
    HostBuilder h = inner();
    SegBodyBuilder k = new SegBodyBuilder(h, nest, env, inside);
    Written w = written.apply(k);
    SubExp updated =
        k.letExp(
            "acc",
            accType,
            new BasicOp.UpdateAcc(false, acc.name(), w.index(), List.of(w.value())));
    Name filled = h.segMap("acc", k, updated);
    Exp.AccInput input = new Exp.AccInput(t.dims(), List.of(dest), null);
    Lambda lambda =
        new Lambda(List.of(token, acc), h.body(List.of(SubExp.of(filled))), List.of(accType));
    return let(base, t, new Exp.WithAcc(List.of(input), lambda));
  }

  /** Returns the level of operations that this builder launches. */
  SegLevel level(SegVirt virt) {
    return switch (place) {
      case HOST -> new SegLevel.Thread(virt, null);
      case BLOCK -> new SegLevel.ThreadInBlock(SegVirt.NO_VIRT);
    };
  }

  /** Adds an operation, with the certificates that its kernel needs. */
  void operation(SegBodyBuilder k, List<PatElem> pat, SegOp op) {
    add(new Stm(pat, aux().plusCerts(k.checks()), new SegExp.Seg(op)));
  }

  /** Returns the results of a kernel body that returns one value at each index. */
  static List<SegResult> returned(List<SubExp> values) {
    List<SegResult> all = new ArrayList<>();
    for (SubExp v : values) {
      all.add(new SegResult.Returns(v));
    }
    return all;
  }

  /** Returns the body of an operation from statements and results. */
  static SegBody segBody(List<Stm> stms, List<SubExp> results) {
    return new SegBody(stms, returned(results));
  }
}
