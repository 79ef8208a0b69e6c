package futharkc.tests.kit.arrays;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.Renamer;
import futharkc.core.ir.Rep;
import futharkc.core.ir.SegBody;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegLevel;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegResult;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.SegVirt;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A generator of random statements that make an array of a given type. */
final class ArrayGenerator {
  private final Random random;
  private final Rep rep;
  private final RandomElements elements;
  private final RandomSteps steps;

  ArrayGenerator(Random random, Rep rep, RandomElements elements, RandomSteps steps) {
    this.random = random;
    this.rep = rep;
    this.elements = elements;
    this.steps = steps;
  }

  private boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  /** Returns a live array of the type or makes a fresh array. */
  ArrayVariable any(ArrayScope s, Type.Array type) {
    List<ArrayVariable> there = s.live(type);
    return !there.isEmpty() && oneIn(2) ? elements.pick(there) : fresh(s, type);
  }

  /** Makes a fresh array of the type. */
  ArrayVariable fresh(ArrayScope s, Type.Array type) {
    List<ArrayVariable> there = s.live(type);
    int rank = type.shape().size();
    RandomSizes.Two parts = s.sizes.parts(type.shape().get(0));
    switch (random.nextInt(8)) {
      case 0 -> {
        if (!there.isEmpty()) {
          return let(s, "copy", type, copy(elements.pick(there).name()));
        }
      }
      case 1 -> {
        SubExp value = elements.scalar(s, type.elem());
        return let(s, "repl", type, new BasicOp.Replicate(type.shape(), value));
      }
      case 2 -> {
        if (rank == 1) {
          SubExp from = elements.scalar(s, type.elem());
          SubExp step = SubExp.of(PrimValue.ofInt(type.elem(), random.nextInt(-2, 3)));
          Exp e = new BasicOp.Iota(type.shape().get(0), from, step, type.elem());
          return let(s, "iota", type, e);
        }
        if (!there.isEmpty()) {
          Exp e = new BasicOp.Manifest(elements.pick(there).name(), List.of(1, 0));
          return let(s, "manifest", type, e);
        }
      }
      case 3 -> {
        if (rank == 2 && steps.mayGoOn()) {
          ArrayVariable row = any(s, (Type.Array) type.row());
          List<SubExp> outer = type.shape().subList(0, 1);
          return let(s, "rows", type, new BasicOp.Replicate(outer, SubExp.of(row.name())));
        }
      }
      case 4 -> {
        if (type.shape().get(0) instanceof SubExp.Const c) {
          return literal(s, type, c);
        }
      }
      case 5, 6 -> {
        if (parts != null && steps.mayGoOn()) {
          List<Name> both = new ArrayList<>();
          for (SubExp part : List.of(parts.a(), parts.b())) {
            List<SubExp> shape = new ArrayList<>(type.shape());
            shape.set(0, part);
            both.add(any(s, new Type.Array(type.elem(), shape)).name());
          }
          return let(s, "concat", type, new BasicOp.Concat(0, both, type.shape().get(0)));
        }
      }
      default -> {}
    }
    return map(s, List.of(type)).get(0);
  }

  static Exp copy(Name array) {
    return new BasicOp.Replicate(List.of(), SubExp.of(array));
  }

  private static ArrayVariable let(ArrayScope s, String base, Type.Array type, Exp e) {
    return s.fresh(s.code.let(base, type, e), type);
  }

  private ArrayVariable literal(ArrayScope s, Type.Array type, SubExp.Const size) {
    List<SubExp> parts = new ArrayList<>();
    for (long k = 0; k < size.value().bits(); k++) {
      Type row = type.row();
      parts.add(
          row instanceof Type.Array a
              ? SubExp.of(any(s, a).name())
              : elements.scalar(s, type.elem()));
    }
    return let(s, "lit", type, new BasicOp.ArrayLit(parts, type.row()));
  }

  // Maps

  /** Adds a map, in parallel or as a loop, whose results are arrays of one outer size. */
  List<ArrayVariable> map(ArrayScope s, List<Type.Array> types) {
    List<SubExp> first = types.get(0).shape();
    boolean wide = first.size() == 2 && oneIn(2);
    for (Type.Array t : types) {
      wide &= t.shape().size() == 2 && t.shape().equals(first);
    }
    return isParallel(s)
        ? parallel(s, types, wide ? first : first.subList(0, 1))
        : sequential(s, types);
  }

  private boolean isParallel(ArrayScope s) {
    return switch (s.where) {
      case HOST -> !rep.isSequential() && !oneIn(8);
      case THREAD_BLOCK -> !oneIn(8);
      case THREAD -> false;
    };
  }

  /** Returns the results of a map's body for one index. */
  private List<SubExp> row(ArrayScope s, List<Type.Array> types, int outer) {
    if (s.depth < 3 && steps.mayGoOn() && oneIn(2)) {
      steps.some(s, 2);
    }
    List<SubExp> values = new ArrayList<>();
    for (Type.Array t : types) {
      values.add(
          t.peel(outer) instanceof Type.Array a
              ? SubExp.of(any(s, a).name())
              : elements.scalar(s, t.elem()));
    }
    return values;
  }

  private List<ArrayVariable> parallel(ArrayScope s, List<Type.Array> types, List<SubExp> over) {
    boolean block =
        rep.hasDevice()
            && s.where == ArrayScope.Where.HOST
            && over.size() == 1
            && types.stream().allMatch(t -> t.shape().size() == 2)
            && oneIn(2);
    ArrayScope in = s.repeated(block ? ArrayScope.Where.THREAD_BLOCK : ArrayScope.Where.THREAD);
    List<SegSpace.Dim> dims = new ArrayList<>();
    for (SubExp size : over) {
      dims.add(new SegSpace.Dim(in.fresh("gtid"), size));
    }
    for (SegSpace.Dim d : dims) {
      in.indices.add(new ArrayScope.Index(SubExp.of(d.index()), d.size()));
    }
    List<SubExp> values = row(in, types, dims.size());
    List<SegResult> results = new ArrayList<>();
    for (SubExp v : values) {
      results.add(new SegResult.Returns(v));
    }
    List<Type> rows = new ArrayList<>();
    for (Type.Array t : types) {
      rows.add(t.peel(dims.size()));
    }
    SegSpace space = new SegSpace(in.fresh("flat"), dims);
    SegBody body = new SegBody(in.code.stms(), results);
    SegOp op = new SegOp.SegMap(level(s, block, types), space, rows, body);
    List<PatElem> pat = pattern(s, "map", types);
    Body nested =
        rep.hasCores() && oneIn(3) && dims.size() == 1
            ? nested(s, types, dims.get(0), in, values)
            : null;
    s.code.let(pat, nested == null ? segExp(op) : new SegExp.ParOp(op, nested));
    return made(s, pat, types);
  }

  private SegLevel level(ArrayScope s, boolean block, List<Type.Array> types) {
    if (rep.hasCores()) {
      return new SegLevel.Cores();
    }
    if (s.where == ArrayScope.Where.THREAD_BLOCK) {
      return new SegLevel.ThreadInBlock(SegVirt.VIRT);
    }
    if (!block) {
      return new SegLevel.Thread(SegVirt.VIRT, null);
    }
    List<SubExp> shape = types.get(0).shape();
    return new SegLevel.Block(SegVirt.VIRT, new SegLevel.Grid(shape.get(0), SubExp.i64(4)));
  }

  /** Returns a sequential loop with the same statements as the parallel map. */
  private Body nested(
      ArrayScope s, List<Type.Array> types, SegSpace.Dim dim, ArrayScope in, List<SubExp> values) {
    ArrayScope outer = s.repeated(s.where);
    Name i = outer.fresh("i");
    Renamer renamer = new Renamer(outer.code.names()).with(dim.index(), i);
    List<Stm> stms = renamer.stms(in.code.stms());
    List<SubExp> again = values.stream().map(renamer::subExp).toList();
    List<ArrayVariable> made = loop(outer, types, dim.size(), i, stms, again);
    return outer.code.body(made.stream().map(a -> SubExp.of(a.name())).toList());
  }

  private List<ArrayVariable> sequential(ArrayScope s, List<Type.Array> types) {
    ArrayScope in = s.repeated(s.where);
    SubExp size = types.get(0).shape().get(0);
    Name i = in.fresh("i");
    in.indices.add(new ArrayScope.Index(SubExp.of(i), size));
    List<SubExp> values = row(in, types, 1);
    return loop(s, types, size, i, in.code.stms(), values);
  }

  private List<ArrayVariable> loop(
      ArrayScope s,
      List<Type.Array> types,
      SubExp size,
      Name i,
      List<Stm> stms,
      List<SubExp> values) {
    List<Exp.LoopParam> params = new ArrayList<>();
    List<Stm> body = new ArrayList<>(stms);
    List<SubExp> results = new ArrayList<>();
    for (int k = 0; k < types.size(); k++) {
      Type.Array t = types.get(k);
      Name blank = s.code.let("blank", t, new BasicOp.Scratch(t.elem(), t.shape()));
      Name out = s.fresh("out");
      params.add(new Exp.LoopParam(new Param(out, t, true), SubExp.of(blank)));
      Slice at = Slice.fix(List.of(SubExp.of(i)), t.shape());
      Name next = s.fresh("out");
      body.add(Stm.of(next, t, new BasicOp.Update(false, out, at, values.get(k))));
      results.add(SubExp.of(next));
    }
    List<PatElem> pat = pattern(s, "map", types);
    Exp.Form form = new Exp.Form.For(i, PrimType.I64, size);
    s.code.let(pat, new Exp.Loop(params, form, new Body(body, results)));
    return made(s, pat, types);
  }

  static List<PatElem> pattern(ArrayScope s, String base, List<Type.Array> types) {
    List<PatElem> pat = new ArrayList<>();
    for (Type.Array t : types) {
      pat.add(new PatElem(s.fresh(base), t));
    }
    return pat;
  }

  private static List<ArrayVariable> made(ArrayScope s, List<PatElem> pat, List<Type.Array> types) {
    List<ArrayVariable> all = new ArrayList<>();
    for (int k = 0; k < pat.size(); k++) {
      all.add(s.fresh(pat.get(k).name(), types.get(k)));
    }
    return all;
  }

  // Reductions and scans

  private SegOp.SegBinOp plus(ArrayScope s, PrimType type) {
    Name a = s.fresh("a");
    Name b = s.fresh("b");
    Name sum = s.fresh("sum");
    Exp e = new BasicOp.BinOpExp(new BinOp(BinOp.Kind.ADD, type), SubExp.of(a), SubExp.of(b));
    Body body = new Body(List.of(Stm.of(sum, Type.prim(type), e)), List.of(SubExp.of(sum)));
    List<Param> params = List.of(new Param(a, Type.prim(type)), new Param(b, Type.prim(type)));
    Lambda op = new Lambda(params, body, List.of(Type.prim(type)));
    SubExp neutral = SubExp.of(PrimValue.ofInt(type, 0));
    return new SegOp.SegBinOp(true, op, List.of(neutral), List.of());
  }

  /** Adds a scan whose result is an array, or a reduction whose result is a scalar. */
  void fold(ArrayScope s, SubExp size, PrimType type) {
    Type.Array array = new Type.Array(type, List.of(size));
    if (!isParallel(s)) {
      running(s, array);
      return;
    }
    boolean scan = oneIn(2);
    boolean segmented = !scan && rep.hasDevice() && s.where == ArrayScope.Where.HOST;
    ArrayScope in = s.repeated(ArrayScope.Where.THREAD);
    List<SegSpace.Dim> dims = new ArrayList<>();
    SubExp segments = elements.pick(s.sizes.all());
    if (segmented) {
      dims.add(new SegSpace.Dim(in.fresh("gtid"), segments));
    }
    dims.add(new SegSpace.Dim(in.fresh("gtid"), size));
    for (SegSpace.Dim d : dims) {
      in.indices.add(new ArrayScope.Index(SubExp.of(d.index()), d.size()));
    }
    SubExp value = elements.scalar(in, type);
    SegSpace space = new SegSpace(in.fresh("flat"), dims);
    SegBody body = new SegBody(in.code.stms(), List.of(new SegResult.Returns(value)));
    SegLevel level = level(s, false, List.of());
    List<Type> types = List.of(Type.prim(type));
    List<SegOp.SegBinOp> ops = List.of(plus(s, type));
    if (scan) {
      Name x = s.fresh("x");
      List<Param> params = List.of(new Param(x, Type.prim(type)));
      Lambda post = new Lambda(params, new Body(List.of(), List.of(SubExp.of(x))), types);
      let(s, "scan", array, segExp(new SegOp.SegScan(level, space, ops, types, body, post)));
      return;
    }
    SegExp e = segExp(new SegOp.SegRed(level, space, ops, types, body));
    if (segmented) {
      let(s, "red", new Type.Array(type, List.of(segments)), e);
    } else {
      s.scalars.add(new ArrayScope.Scalar(s.code.letExp("red", Type.prim(type), e), type));
    }
  }

  private SegExp segExp(SegOp op) {
    return rep.hasDevice() ? new SegExp.Seg(op) : new SegExp.ParOp(op, null);
  }

  /** Adds a scan as a sequential loop. */
  private void running(ArrayScope s, Type.Array type) {
    Name blank = s.code.let("blank", type, new BasicOp.Scratch(type.elem(), type.shape()));
    ArrayScope in = s.repeated(s.where);
    Name i = in.fresh("i");
    in.indices.add(new ArrayScope.Index(SubExp.of(i), type.shape().get(0)));
    Name acc = in.fresh("acc");
    in.scalars.add(new ArrayScope.Scalar(SubExp.of(acc), type.elem()));
    Name out = in.fresh("out");
    SubExp value = elements.scalar(in, type.elem());
    SubExp sum = in.code.binOp("sum", BinOp.Kind.ADD, type.elem(), SubExp.of(acc), value);
    Slice at = Slice.fix(List.of(SubExp.of(i)), type.shape());
    Name next = in.code.let("out", type, new BasicOp.Update(false, out, at, sum));
    Type prim = Type.prim(type.elem());
    List<Exp.LoopParam> params =
        List.of(
            new Exp.LoopParam(new Param(acc, prim), SubExp.of(PrimValue.ofInt(type.elem(), 0))),
            new Exp.LoopParam(new Param(out, type, true), SubExp.of(blank)));
    Name total = s.fresh("total");
    Name scan = s.fresh("scan");
    s.code.let(
        List.of(new PatElem(total, prim), new PatElem(scan, type)),
        new Exp.Loop(
            params,
            new Exp.Form.For(i, PrimType.I64, type.shape().get(0)),
            in.code.body(List.of(sum, SubExp.of(next)))));
    s.scalars.add(new ArrayScope.Scalar(SubExp.of(total), type.elem()));
    s.fresh(scan, type);
  }

  /**
   * Replaces some elements of a one-dimensional array through an accumulator; returns null for an
   * array with more dimensions.
   */
  @Nullable ArrayVariable scattered(ArrayScope s, ArrayVariable to) {
    List<SubExp> dims = to.type().shape();
    PrimType elem = to.type().elem();
    if (dims.size() != 1) {
      return null;
    }
    s.consume(to);
    ArrayScope in = s.repeated(s.where);
    Name token = in.fresh("token");
    Type acc = new Type.Acc(token, dims, List.of(Type.prim(elem)));
    Name given = in.fresh("acc");
    ArrayScope body = in.repeated(s.where);
    SubExp bound = elements.pick(s.sizes.all());
    Name i = body.fresh("i");
    body.indices.add(new ArrayScope.Index(SubExp.of(i), bound));
    SubExp index = elements.index(body, dims.get(0));
    Name now = body.fresh("acc");
    SubExp value = elements.scalar(body, elem);
    SubExp at = index == null ? SubExp.of(i) : index;
    Name next = body.code.let("acc", acc, new BasicOp.UpdateAcc(now, List.of(at), List.of(value)));
    Name last =
        in.code.let(
            "acc",
            acc,
            new Exp.Loop(
                List.of(new Exp.LoopParam(new Param(now, acc), SubExp.of(given))),
                new Exp.Form.For(i, PrimType.I64, bound),
                body.code.body(List.of(SubExp.of(next)))));
    Lambda f =
        new Lambda(
            List.of(new Param(token, Type.UNIT), new Param(given, acc)),
            in.code.body(List.of(SubExp.of(last))),
            List.of(acc));
    Exp.AccInput input = new Exp.AccInput(dims, List.of(to.name()), null);
    return let(s, "written", to.type(), new Exp.WithAcc(List.of(input), f));
  }
}
