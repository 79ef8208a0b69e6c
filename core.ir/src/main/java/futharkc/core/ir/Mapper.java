package futharkc.core.ir;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A traversal that rebuilds IR nodes from mapped children. Subclasses override the methods for
 * leaves ({@link #name}, {@link #binder}, {@link #subExp}), or {@link #exp} and {@link #body} to
 * rewrite whole nodes. Each method returns its argument itself if nothing in it changed, so that
 * unchanged functions keep their identity.
 */
public class Mapper {
  /** Makes an identity mapping. */
  public Mapper() {}

  /**
   * Maps a use of a variable in a position that allows no constant: an array, an accumulator, a
   * certificate.
   */
  public Name name(Name use) {
    return use;
  }

  /** Maps the binding occurrence of a name. */
  public Name binder(Name bound) {
    return bound;
  }

  /** Maps an operand. */
  public SubExp subExp(SubExp e) {
    if (!(e instanceof SubExp.Var v)) {
      return e;
    }
    Name n = name(v.name());
    return n == v.name() ? e : SubExp.of(n);
  }

  /** Maps a variable in an offset or stride of a memory annotation. */
  public Poly polyVar(Name use) {
    return Poly.of(subExp(SubExp.of(use)));
  }

  public final List<Name> names(List<Name> names) {
    return list(names, this::name);
  }

  public final List<SubExp> subExps(List<SubExp> es) {
    return list(es, this::subExp);
  }

  public final List<Type> types(List<Type> ts) {
    return list(ts, this::type);
  }

  public Type type(Type t) {
    return switch (t) {
      case Type.Prim p -> p;
      case Type.Array a -> {
        List<SubExp> shape = subExps(a.shape());
        ArrayMem mem = a.mem() == null ? null : arrayMem(a.mem());
        yield shape == a.shape() && mem == a.mem() ? a : new Type.Array(a.elem(), shape, mem);
      }
      case Type.Acc acc -> {
        Name token = name(acc.token());
        List<SubExp> space = subExps(acc.space());
        List<Type> elems = types(acc.elems());
        yield token == acc.token() && space == acc.space() && elems == acc.elems()
            ? acc
            : new Type.Acc(token, space, elems);
      }
      case Type.Mem m -> {
        Space s = space(m.space());
        yield s == m.space() ? m : new Type.Mem(s);
      }
    };
  }

  /** Maps a memory space. */
  public Space space(Space s) {
    if (!(s instanceof Space.Scalar sc)) {
      return s;
    }
    List<SubExp> shape = subExps(sc.shape());
    return shape == sc.shape() ? s : new Space.Scalar(shape, sc.elem());
  }

  public ArrayMem arrayMem(ArrayMem m) {
    Name block = name(m.block());
    Lmad lmad = lmad(m.lmad());
    return block == m.block() && lmad == m.lmad() ? m : new ArrayMem(block, lmad);
  }

  public Lmad lmad(Lmad l) {
    Poly offset = poly(l.offset());
    List<Lmad.Dim> dims =
        list(
            l.dims(),
            d -> {
              Poly stride = poly(d.stride());
              SubExp size = subExp(d.size());
              return stride == d.stride() && size == d.size() ? d : new Lmad.Dim(stride, size);
            });
    return offset == l.offset() && dims == l.dims() ? l : new Lmad(offset, dims);
  }

  public Poly poly(Poly p) {
    Map<Name, Poly> instead = new HashMap<>();
    boolean same = true;
    for (Poly.Product t : p.terms().keySet()) {
      for (Name n : t.factors()) {
        Poly by = polyVar(n);
        instead.put(n, by);
        same &= by.asSubExp() instanceof SubExp.Var v && v.name().equals(n);
      }
    }
    return same ? p : p.substitute(n -> instead.getOrDefault(n, Poly.of(n)));
  }

  public Slice slice(Slice s) {
    List<Slice.Dim> dims =
        list(
            s.dims(),
            d ->
                switch (d) {
                  case Slice.Fix f -> {
                    SubExp i = subExp(f.index());
                    yield i == f.index() ? f : new Slice.Fix(i);
                  }
                  case Slice.Range r -> {
                    SubExp start = subExp(r.start());
                    SubExp count = subExp(r.count());
                    SubExp stride = subExp(r.stride());
                    yield start == r.start() && count == r.count() && stride == r.stride()
                        ? r
                        : new Slice.Range(start, count, stride);
                  }
                });
    return dims == s.dims() ? s : new Slice(dims);
  }

  public FlatSlice flatSlice(FlatSlice s) {
    SubExp offset = subExp(s.offset());
    List<FlatSlice.Dim> dims =
        list(
            s.dims(),
            d -> {
              SubExp count = subExp(d.count());
              SubExp stride = subExp(d.stride());
              return count == d.count() && stride == d.stride()
                  ? d
                  : new FlatSlice.Dim(count, stride);
            });
    return offset == s.offset() && dims == s.dims() ? s : new FlatSlice(offset, dims);
  }

  public PatElem patElem(PatElem p) {
    Name n = binder(p.name());
    Type t = type(p.type());
    return n == p.name() && t == p.type() ? p : new PatElem(n, t);
  }

  public Param param(Param p) {
    Name n = binder(p.name());
    Type t = type(p.type());
    return n == p.name() && t == p.type() ? p : new Param(n, t, p.unique());
  }

  public final List<PatElem> pat(List<PatElem> pat) {
    return list(pat, this::patElem);
  }

  public final List<Param> params(List<Param> params) {
    return list(params, this::param);
  }

  public Aux aux(Aux aux) {
    List<Name> certs = names(aux.certs());
    return certs == aux.certs() ? aux : aux.withCerts(certs);
  }

  /**
   * Maps a statement: first the expression, which is outside the pattern's scope, then the pattern.
   */
  public Stm stm(Stm s) {
    Exp e = exp(s.exp());
    Aux aux = aux(s.aux());
    List<PatElem> pat = pat(s.pat());
    return e == s.exp() && aux == s.aux() && pat == s.pat() ? s : new Stm(pat, aux, e);
  }

  public List<Stm> stms(List<Stm> stms) {
    return list(stms, this::stm);
  }

  public Body body(Body b) {
    List<Stm> stms = stms(b.stms());
    List<SubExp> results = subExps(b.results());
    return stms == b.stms() && results == b.results() ? b : new Body(stms, results);
  }

  public Lambda lambda(Lambda l) {
    List<Param> params = params(l.params());
    List<Type> results = types(l.results());
    Body body = body(l.body());
    return params == l.params() && body == l.body() && results == l.results()
        ? l
        : new Lambda(params, body, results);
  }

  /** Maps a function: parameters, results, body. */
  public FunDef fun(FunDef f) {
    List<Param> params = params(f.params());
    List<FunDef.Result> results =
        list(
            f.results(),
            r -> {
              Name n = binder(r.name());
              Type t = type(r.type());
              return n == r.name() && t == r.type() ? r : new FunDef.Result(n, t, r.unique());
            });
    Body body = body(f.body());
    return params == f.params() && results == f.results() && body == f.body()
        ? f
        : new FunDef(f.name(), f.attrs(), params, results, body, f.entry(), f.nextTag(), f.loc());
  }

  public SegSpace segSpace(SegSpace s) {
    List<SegSpace.Dim> dims =
        list(
            s.dims(),
            d -> {
              SubExp size = subExp(d.size());
              Name i = binder(d.index());
              return i == d.index() && size == d.size() ? d : new SegSpace.Dim(i, size);
            });
    Name flat = binder(s.flat());
    return flat == s.flat() && dims == s.dims() ? s : new SegSpace(flat, dims);
  }

  public SegLevel segLevel(SegLevel l) {
    return switch (l) {
      case SegLevel.Cores c -> c;
      case SegLevel.ThreadInBlock t -> t;
      case SegLevel.Thread t -> {
        SegLevel.Grid g = grid(t.grid());
        yield g == t.grid() ? t : new SegLevel.Thread(t.virt(), g);
      }
      case SegLevel.Block b -> {
        SegLevel.Grid g = grid(b.grid());
        yield g == b.grid() ? b : new SegLevel.Block(b.virt(), g);
      }
    };
  }

  private SegLevel.@Nullable Grid grid(SegLevel.@Nullable Grid g) {
    if (g == null) {
      return null;
    }
    SubExp blocks = subExp(g.blocks());
    SubExp size = subExp(g.blockSize());
    return blocks == g.blocks() && size == g.blockSize() ? g : new SegLevel.Grid(blocks, size);
  }

  public SegBody segBody(SegBody b) {
    List<Stm> stms = stms(b.stms());
    List<SegResult> results = list(b.results(), this::segResult);
    return stms == b.stms() && results == b.results() ? b : new SegBody(stms, results);
  }

  public SegResult segResult(SegResult r) {
    SubExp v = subExp(r.value());
    return switch (r) {
      case SegResult.Returns x -> v == x.value() ? x : new SegResult.Returns(v);
      case SegResult.Checked x -> v == x.value() ? x : new SegResult.Checked(v);
      case SegResult.TileReturns x ->
          new SegResult.TileReturns(
              list(x.dims(), d -> new SegResult.TileDim(subExp(d.size()), subExp(d.tile()))), v);
      case SegResult.RegTileReturns x ->
          new SegResult.RegTileReturns(
              list(
                  x.dims(),
                  d ->
                      new SegResult.RegTileDim(
                          subExp(d.size()), subExp(d.block()), subExp(d.reg()))),
              v);
    };
  }

  public SegOp segOp(SegOp op) {
    SegLevel level = segLevel(op.level());
    SegSpace space = segSpace(op.space());
    List<Type> types = types(op.types());
    SegBody body = segBody(op.body());
    boolean same =
        level == op.level() && space == op.space() && types == op.types() && body == op.body();
    return switch (op) {
      case SegOp.SegMap m -> same ? m : new SegOp.SegMap(level, space, types, body);
      case SegOp.SegRed r -> {
        List<SegOp.SegBinOp> ops = list(r.ops(), this::segBinOp);
        Lambda post = r.post() == null ? null : lambda(r.post());
        yield same && ops == r.ops() && post == r.post()
            ? r
            : new SegOp.SegRed(level, space, ops, types, body, post, r.strategy());
      }
      case SegOp.SegScan s -> {
        List<SegOp.SegBinOp> ops = list(s.ops(), this::segBinOp);
        Lambda post = lambda(s.post());
        yield same && ops == s.ops() && post == s.post()
            ? s
            : new SegOp.SegScan(level, space, ops, types, body, post, s.strategy());
      }
      case SegOp.SegHist h -> {
        List<SegOp.SegHistOp> ops = list(h.ops(), this::segHistOp);
        yield same && ops == h.ops()
            ? h
            : new SegOp.SegHist(level, space, ops, types, body, h.strategy());
      }
    };
  }

  private SegOp.SegBinOp segBinOp(SegOp.SegBinOp o) {
    Lambda op = lambda(o.op());
    List<SubExp> neutral = subExps(o.neutral());
    List<SubExp> shape = subExps(o.shape());
    return op == o.op() && neutral == o.neutral() && shape == o.shape()
        ? o
        : new SegOp.SegBinOp(o.commutative(), op, neutral, shape);
  }

  private SegOp.SegHistOp segHistOp(SegOp.SegHistOp o) {
    List<SubExp> shape = subExps(o.shape());
    SubExp race = subExp(o.raceFactor());
    List<Name> dests = names(o.dests());
    List<SubExp> neutral = subExps(o.neutral());
    List<SubExp> opShape = subExps(o.opShape());
    Lambda op = lambda(o.op());
    return shape == o.shape()
            && race == o.raceFactor()
            && dests == o.dests()
            && neutral == o.neutral()
            && opShape == o.opShape()
            && op == o.op()
        ? o
        : new SegOp.SegHistOp(shape, race, dests, neutral, opShape, op);
  }

  /** Maps an expression by mapping its children. */
  public Exp exp(Exp e) {
    return switch (e) {
      case BasicOp op -> basicOp(op);
      case Exp.Apply a -> {
        List<SubExp> args = subExps(a.args());
        yield args == a.args() ? a : new Exp.Apply(a.function(), args, a.consumed());
      }
      case Exp.Match m -> {
        List<SubExp> scrutinees = subExps(m.scrutinees());
        List<Exp.Case> cases =
            list(
                m.cases(),
                c -> {
                  Body b = body(c.body());
                  return b == c.body() ? c : new Exp.Case(c.pattern(), b);
                });
        Body otherwise = body(m.otherwise());
        yield scrutinees == m.scrutinees() && cases == m.cases() && otherwise == m.otherwise()
            ? m
            : new Exp.Match(scrutinees, cases, otherwise);
      }
      case Exp.Loop l -> loop(l);
      case Exp.WithAcc w -> {
        List<Exp.AccInput> inputs = list(w.inputs(), this::accInput);
        Lambda lambda = lambda(w.lambda());
        yield inputs == w.inputs() && lambda == w.lambda() ? w : new Exp.WithAcc(inputs, lambda);
      }
      case Soac s -> soac(s);
      case SegExp.Seg s -> {
        SegOp op = segOp(s.op());
        yield op == s.op() ? s : new SegExp.Seg(op);
      }
      case SegExp.ParOp p -> {
        SegOp op = segOp(p.op());
        Body nested = p.nested() == null ? null : body(p.nested());
        yield op == p.op() && nested == p.nested() ? p : p.with(op, nested);
      }
      case HostOp h -> hostOp(h);
      case MemOp.Alloc a -> {
        SubExp size = subExp(a.size());
        Space space = space(a.space());
        yield size == a.size() && space == a.space() ? a : new MemOp.Alloc(size, space);
      }
      case MemOp.EnsureDirect d -> {
        Name n = name(d.array());
        yield n == d.array() ? d : new MemOp.EnsureDirect(n);
      }
    };
  }

  private Exp loop(Exp.Loop l) {
    List<Exp.LoopParam> params =
        list(
            l.params(),
            p -> {
              SubExp init = subExp(p.init());
              Param q = param(p.param());
              return init == p.init() && q == p.param() ? p : new Exp.LoopParam(q, init, p.attrs());
            });
    Exp.Form form =
        switch (l.form()) {
          case Exp.Form.For f -> {
            SubExp bound = subExp(f.bound());
            Name i = binder(f.index());
            yield bound == f.bound() && i == f.index() ? f : new Exp.Form.For(i, f.type(), bound);
          }
          case Exp.Form.While w -> {
            Name c = name(w.cond());
            yield c == w.cond() ? w : new Exp.Form.While(c);
          }
        };
    Body body = body(l.body());
    return params == l.params() && form == l.form() && body == l.body()
        ? l
        : new Exp.Loop(params, form, body);
  }

  private Exp.AccInput accInput(Exp.AccInput in) {
    List<SubExp> space = subExps(in.space());
    List<Name> arrays = names(in.arrays());
    Exp.AccOp op = in.op();
    if (op != null) {
      Lambda lambda = lambda(op.lambda());
      List<SubExp> neutral = subExps(op.neutral());
      if (lambda != op.lambda() || neutral != op.neutral()) {
        op = new Exp.AccOp(lambda, neutral);
      }
    }
    return space == in.space() && arrays == in.arrays() && op == in.op()
        ? in
        : new Exp.AccInput(space, arrays, op);
  }

  private Exp soac(Soac s) {
    return switch (s) {
      case Soac.Screma x -> {
        SubExp w = subExp(x.width());
        List<Name> inputs = names(x.inputs());
        Lambda map = lambda(x.map());
        List<Soac.Scan> scans =
            list(
                x.scans(),
                o -> {
                  Lambda op = lambda(o.op());
                  List<SubExp> ne = subExps(o.neutral());
                  return op == o.op() && ne == o.neutral() ? o : new Soac.Scan(op, ne);
                });
        List<Soac.Reduce> reduces =
            list(
                x.reduces(),
                o -> {
                  Lambda op = lambda(o.op());
                  List<SubExp> ne = subExps(o.neutral());
                  return op == o.op() && ne == o.neutral()
                      ? o
                      : new Soac.Reduce(o.commutative(), op, ne);
                });
        Lambda post = lambda(x.post());
        yield w == x.width()
                && inputs == x.inputs()
                && map == x.map()
                && scans == x.scans()
                && reduces == x.reduces()
                && post == x.post()
            ? x
            : new Soac.Screma(w, inputs, map, scans, reduces, post);
      }
      case Soac.Hist x -> {
        SubExp w = subExp(x.width());
        List<Name> inputs = names(x.inputs());
        List<Soac.HistOp> ops = list(x.ops(), this::histOp);
        Lambda bucket = lambda(x.bucket());
        yield w == x.width() && inputs == x.inputs() && ops == x.ops() && bucket == x.bucket()
            ? x
            : new Soac.Hist(w, inputs, ops, bucket);
      }
      case Soac.Stream x -> {
        SubExp w = subExp(x.width());
        List<Name> inputs = names(x.inputs());
        List<SubExp> accs = subExps(x.accs());
        Lambda lambda = lambda(x.lambda());
        yield w == x.width() && inputs == x.inputs() && accs == x.accs() && lambda == x.lambda()
            ? x
            : new Soac.Stream(w, inputs, accs, lambda);
      }
      case Soac.FlatMap x -> {
        SubExp w = subExp(x.width());
        List<Name> inputs = names(x.inputs());
        Lambda lambda = lambda(x.lambda());
        yield w == x.width() && inputs == x.inputs() && lambda == x.lambda()
            ? x
            : new Soac.FlatMap(w, inputs, lambda);
      }
      case Soac.Jvp x ->
          new Soac.Jvp(
              subExps(x.vector()), subExps(x.args()), subExps(x.tangents()), lambda(x.lambda()));
      case Soac.Vjp x ->
          new Soac.Vjp(
              subExps(x.vector()), subExps(x.args()), subExps(x.adjoints()), lambda(x.lambda()));
      case Soac.WithVjp x ->
          new Soac.WithVjp(subExps(x.args()), lambda(x.lambda()), lambda(x.adjoint()));
    };
  }

  private Soac.HistOp histOp(Soac.HistOp o) {
    List<SubExp> shape = subExps(o.shape());
    SubExp race = subExp(o.raceFactor());
    List<Name> dests = names(o.dests());
    List<SubExp> neutral = subExps(o.neutral());
    Lambda op = lambda(o.op());
    return shape == o.shape()
            && race == o.raceFactor()
            && dests == o.dests()
            && neutral == o.neutral()
            && op == o.op()
        ? o
        : new Soac.HistOp(shape, race, dests, neutral, op);
  }

  private Exp hostOp(HostOp h) {
    return switch (h) {
      case HostOp.GetSize x -> x;
      case HostOp.GetSizeMax x -> x;
      case HostOp.CmpSizeLe x -> {
        SubExp v = subExp(x.value());
        yield v == x.value() ? x : new HostOp.CmpSizeLe(x.parameter(), v);
      }
      case HostOp.CalcNumBlocks x -> {
        SubExp w = subExp(x.width());
        SubExp size = subExp(x.blockSize());
        yield w == x.width() && size == x.blockSize()
            ? x
            : new HostOp.CalcNumBlocks(w, x.maxBlocks(), size);
      }
      case HostOp.Read x -> {
        List<HostOp.Element> elements = list(x.elements(), this::element);
        yield elements == x.elements() ? x : new HostOp.Read(elements);
      }
      case HostOp.GpuBody x -> {
        List<Type> types = types(x.types());
        Body body = body(x.body());
        yield types == x.types() && body == x.body() ? x : new HostOp.GpuBody(types, body);
      }
    };
  }

  private HostOp.Element element(HostOp.Element e) {
    Name array = name(e.array());
    List<SubExp> index = subExps(e.index());
    return array == e.array() && index == e.index() ? e : new HostOp.Element(array, index);
  }

  private BasicOp basicOp(BasicOp op) {
    return switch (op) {
      case BasicOp.SubExpOp x -> {
        SubExp v = subExp(x.value());
        yield v == x.value() ? x : new BasicOp.SubExpOp(v);
      }
      case BasicOp.Opaque x -> {
        SubExp v = subExp(x.value());
        yield v == x.value() ? x : new BasicOp.Opaque(x.tag(), v);
      }
      case BasicOp.ArrayVal x -> x;
      case BasicOp.ArrayLit x -> {
        List<SubExp> es = subExps(x.elems());
        Type row = type(x.row());
        yield es == x.elems() && row == x.row() ? x : new BasicOp.ArrayLit(es, row);
      }
      case BasicOp.BinOpExp x -> {
        SubExp l = subExp(x.left());
        SubExp r = subExp(x.right());
        yield l == x.left() && r == x.right() ? x : new BasicOp.BinOpExp(x.op(), l, r);
      }
      case BasicOp.UnOpExp x -> {
        SubExp v = subExp(x.operand());
        yield v == x.operand() ? x : new BasicOp.UnOpExp(x.op(), v);
      }
      case BasicOp.CmpOpExp x -> {
        SubExp l = subExp(x.left());
        SubExp r = subExp(x.right());
        yield l == x.left() && r == x.right() ? x : new BasicOp.CmpOpExp(x.op(), l, r);
      }
      case BasicOp.ConvOpExp x -> {
        SubExp v = subExp(x.operand());
        yield v == x.operand() ? x : new BasicOp.ConvOpExp(x.op(), v);
      }
      case BasicOp.PrimFunExp x -> {
        List<SubExp> args = subExps(x.args());
        yield args == x.args() ? x : new BasicOp.PrimFunExp(x.fun(), args);
      }
      case BasicOp.Assert x -> {
        SubExp c = subExp(x.cond());
        List<BasicOp.MsgPart> msg = list(x.message(), this::msgPart);
        yield c == x.cond() && msg == x.message() ? x : new BasicOp.Assert(c, msg, x.trace());
      }
      case BasicOp.Index x -> {
        Name a = name(x.array());
        Slice s = slice(x.slice());
        yield a == x.array() && s == x.slice() ? x : new BasicOp.Index(a, s);
      }
      case BasicOp.Update x -> {
        Name a = name(x.array());
        Slice s = slice(x.slice());
        SubExp v = subExp(x.value());
        yield a == x.array() && s == x.slice() && v == x.value()
            ? x
            : new BasicOp.Update(x.safe(), a, s, v);
      }
      case BasicOp.FlatIndex x -> {
        Name a = name(x.array());
        FlatSlice s = flatSlice(x.slice());
        yield a == x.array() && s == x.slice() ? x : new BasicOp.FlatIndex(a, s);
      }
      case BasicOp.FlatUpdate x -> {
        Name a = name(x.array());
        FlatSlice s = flatSlice(x.slice());
        Name v = name(x.value());
        yield a == x.array() && s == x.slice() && v == x.value()
            ? x
            : new BasicOp.FlatUpdate(a, s, v);
      }
      case BasicOp.Concat x -> {
        List<Name> as = names(x.arrays());
        SubExp size = subExp(x.size());
        yield as == x.arrays() && size == x.size() ? x : new BasicOp.Concat(x.dim(), as, size);
      }
      case BasicOp.Manifest x -> {
        Name a = name(x.array());
        yield a == x.array() ? x : new BasicOp.Manifest(a, x.perm());
      }
      case BasicOp.Iota x -> {
        SubExp n = subExp(x.count());
        SubExp start = subExp(x.start());
        SubExp stride = subExp(x.stride());
        yield n == x.count() && start == x.start() && stride == x.stride()
            ? x
            : new BasicOp.Iota(n, start, stride, x.type());
      }
      case BasicOp.Replicate x -> {
        List<SubExp> shape = subExps(x.shape());
        SubExp v = subExp(x.value());
        yield shape == x.shape() && v == x.value() ? x : new BasicOp.Replicate(shape, v);
      }
      case BasicOp.Scratch x -> {
        List<SubExp> shape = subExps(x.shape());
        yield shape == x.shape() ? x : new BasicOp.Scratch(x.elem(), shape);
      }
      case BasicOp.Reshape x -> {
        Name a = name(x.array());
        List<SubExp> shape = subExps(x.shape());
        yield a == x.array() && shape == x.shape() ? x : new BasicOp.Reshape(x.coerce(), a, shape);
      }
      case BasicOp.Rearrange x -> {
        Name a = name(x.array());
        yield a == x.array() ? x : new BasicOp.Rearrange(a, x.perm());
      }
      case BasicOp.UpdateAcc x -> {
        Name a = name(x.acc());
        List<SubExp> index = subExps(x.index());
        List<SubExp> values = subExps(x.values());
        yield a == x.acc() && index == x.index() && values == x.values()
            ? x
            : new BasicOp.UpdateAcc(x.inRange(), a, index, values);
      }
      case BasicOp.UserParam x -> {
        SubExp d = subExp(x.defaultValue());
        yield d == x.defaultValue() ? x : new BasicOp.UserParam(x.name(), d);
      }
    };
  }

  private BasicOp.MsgPart msgPart(BasicOp.MsgPart p) {
    if (!(p instanceof BasicOp.MsgPart.Value v)) {
      return p;
    }
    SubExp e = subExp(v.value());
    return e == v.value() ? p : new BasicOp.MsgPart.Value(e, v.type(), v.unsigned());
  }

  /** Maps a list. Returns the list itself if no element changed. */
  public static <T> List<T> list(List<T> xs, Function<T, T> f) {
    List<T> out = null;
    for (int i = 0; i < xs.size(); i++) {
      T x = xs.get(i);
      T y = f.apply(x);
      if (out == null && y != x) {
        out = new ArrayList<>(xs.size());
        out.addAll(xs.subList(0, i));
      }
      if (out != null) {
        out.add(y);
      }
    }
    return out == null ? xs : out;
  }
}
