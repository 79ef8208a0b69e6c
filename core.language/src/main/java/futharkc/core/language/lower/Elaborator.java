package futharkc.core.language.lower;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Loc;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.UnOp;
import futharkc.core.language.Diagnostics;
import futharkc.core.language.Intrinsics;
import futharkc.core.language.ScalarOp;
import futharkc.core.language.syntax.Attr;
import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Program;
import futharkc.core.language.typed.Type;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The symbolic evaluator of expressions. It emits statements for computations that remain at run
 * time.
 */
final class Elaborator {
  final Emit emit;
  final Scalars scalars;
  final Types types;
  final PatternLowering patterns;
  final Branches branches;
  final LoopLowering loops;
  final Indexing indexing;
  final Ranges ranges;
  final Equality equality;
  final Calls calls;
  final Functions functions;

  /** The events for a debugger; null if the program runs without one. */
  final @Nullable Debugging debugging;

  /**
   * Creates an elaborator.
   *
   * @param debugger the events to emit for a debugger; null for none
   */
  Elaborator(
      Program program,
      Set<String> entryPoints,
      Diagnostics diagnostics,
      Lowering.@Nullable Debugger debugger) {
    emit = new Emit(diagnostics);
    scalars = new Scalars(emit);
    patterns = new PatternLowering(this);
    branches = new Branches(this);
    loops = new LoopLowering(this);
    indexing = new Indexing(this);
    ranges = new Ranges(this);
    equality = new Equality(this);
    types = new Types(this, program.types());
    functions = new Functions(this, program.defs(), entryPoints);
    calls = new Calls(this);
    debugging =
        debugger == null ? null : new Debugging(this, program.defs().values(), debugger.nans());
  }

  /**
   * Returns the value of a name in a frame, or the value of a constant. Returns null if the name is
   * unbound or denotes a function.
   */
  @Nullable LoweredValue lookup(Name name, Frame f) {
    LoweredValue v = f.get(name);
    return v != null ? v : functions.constant(name);
  }

  /** Returns the value of an expression. */
  LoweredValue eval(Exp e, Frame f) {
    Loc outer = emit.loc();
    List<Exp.Let> lets = List.of();
    Exp cur = e;
    while (cur instanceof Exp.Let l) {
      for (Exp.Binding b : l.bindings()) {
        bind(b, f);
      }
      if (!l.sizes().isEmpty()) {
        if (lets.isEmpty()) {
          lets = new ArrayList<>();
        }
        lets.add(l);
      }
      cur = l.body();
    }
    if (!(cur instanceof Exp.Var || cur instanceof Exp.Lit)) {
      emit.at(cur.loc());
    }
    LoweredValue v = evalOne(cur, f);
    emit.at(outer);
    for (int i = lets.size() - 1; i >= 0; i--) {
      Exp.Let l = lets.get(i);
      bindResult(l.type(), l.sizes(), v, f);
    }
    return v;
  }

  /** Binds the sizes that the evaluation of an expression has computed. */
  void bindResult(Type type, List<Name> sizes, LoweredValue v, Frame f) {
    if (!sizes.isEmpty()) {
      types.bind(type, f, v.type(), new HashSet<>(sizes));
    }
  }

  private void bind(Exp.Binding b, Frame f) {
    switch (b) {
      case Exp.Binding.OfPat p -> {
        LoweredValue v = eval(p.value(), f);
        bindResult(p.pat().type(), p.sizes(), v, f);
        patterns.bind(p.pat(), v, f);
      }
      case Exp.Binding.OfFun x ->
          f.putDef(x.def().name(), new Frame.LocalDef(x.def(), f, emit.safe()));
    }
  }

  private LoweredValue evalOne(Exp e, Frame f) {
    return switch (e) {
      case Exp.Lit l -> LoweredValue.scalar(l.prim(), SubExp.of(PatternLowering.literal(l)));
      case Exp.StringLit s -> string(s);
      case Exp.Var v -> calls.variable(v, f);
      case Exp.Hole h -> hole(h, f);
      case Exp.Record r -> record(r, f);
      case Exp.ArrayLit a -> array(a, f);
      case Exp.Project p -> eval(p.exp(), f).field(p.field());
      case Exp.Apply a -> apply(a, f);
      case Exp.Constr c -> construct(c, f);
      case Exp.BinOp b -> operators(b, f);
      case Exp.UnOp u -> unary(u, f);
      case Exp.And a -> branches.and(a, f);
      case Exp.Or o -> branches.or(o, f);
      case Exp.Coerce c -> coerce(c, f);
      case Exp.Range r -> ranges.range(r, f);
      case Exp.Index i -> indexing.index(i, f);
      case Exp.With w -> indexing.with(w, f);
      case Exp.Let l -> eval(l, f);
      case Exp.If i -> branches.conditional(i, f);
      case Exp.Match m -> branches.match(m, f);
      case Exp.Loop l -> loops.loop(l, f);
      case Exp.Lambda l ->
          new LoweredValue.Closure(new Callee.OfLambda(l, f, emit.safe()), List.of());
      case Exp.Assert a -> assertion(a, f);
      case Exp.Attributed a -> attributed(a, f);
    };
  }

  private LoweredValue apply(Exp.Apply a, Frame f) {
    List<LoweredValue> args = new ArrayList<>();
    for (Exp arg : a.args()) {
      args.add(eval(arg, f));
    }
    LoweredValue fun = eval(a.fun(), f);
    emit.at(a.loc());
    LoweredValue v = calls.apply(fun, args);
    bindResult(a.type(), a.sizes(), v, f);
    if (debugging != null
        && fun instanceof LoweredValue.Closure c
        && c.callee() instanceof Callee.OfIntrinsic i
        && i.intrinsic() instanceof Intrinsics.Scalar) {
      List<LoweredValue> operands = new ArrayList<>(c.args());
      operands.addAll(args);
      debugging.newNan(a.loc(), f, v, operands);
    }
    return v;
  }

  private LoweredValue string(Exp.StringLit s) {
    List<PrimValue> bytes = new ArrayList<>();
    for (byte b : s.bytes()) {
      bytes.add(PrimValue.ofInt(PrimType.I8, b));
    }
    SubExp size = SubExp.i64(bytes.size());
    Ty elem = new Ty.Prim(futharkc.core.language.syntax.PrimType.U8);
    SubExp array =
        emit.let(
            "string",
            futharkc.core.ir.Type.array(futharkc.core.ir.Type.prim(PrimType.I8), size),
            new BasicOp.ArrayVal(bytes, PrimType.I8));
    return LoweredValue.array(size, elem, List.of(array));
  }

  private LoweredValue hole(Exp.Hole h, Frame f) {
    var certs =
        emit.checkAlways(
            SubExp.FALSE,
            () -> List.of(Emit.text("Reached hole of type: " + SourceTypeText.of(h.type()))));
    return hole(h.type(), f, certs);
  }

  /** Returns an arbitrary value of a type under certificates that do not hold. */
  LoweredValue hole(Type t, Frame f, List<futharkc.core.ir.Name> certs) {
    switch (t) {
      case Type.Fun x -> {
        return new LoweredValue.Closure(new Callee.OfHole(x, f, certs), List.of());
      }
      case Type.Record r -> {
        TreeMap<String, LoweredValue> fields = new TreeMap<>(Type.FIELD_ORDER);
        r.fields().forEach((k, x) -> fields.put(k, hole(x, f, certs)));
        return new LoweredValue.Rec(fields);
      }
      case Type.Named n
          when f.getType(n.name()) instanceof Frame.TypeThunk thunk
              && thunk.type() != null
              && thunk.frame() != null -> {
        return hole(thunk.type(), thunk.frame(), certs);
      }
      default -> {
        Ty known = types.eval(t, f).mapSizes(s -> s.equals(Ty.UNKNOWN) ? SubExp.i64(0) : s);
        return LoweredValue.of(
            known, known.leaves().stream().map(x -> types.blank(x, true, certs)).toList());
      }
    }
  }

  private LoweredValue record(Exp.Record r, Frame f) {
    TreeMap<String, LoweredValue> fields = new TreeMap<>(Type.FIELD_ORDER);
    for (String name : r.order()) {
      fields.put(name, eval(Objects.requireNonNull(r.fields().get(name)), f));
    }
    return new LoweredValue.Rec(fields);
  }

  private LoweredValue array(Exp.ArrayLit a, Frame f) {
    Ty.Array type;
    List<LoweredValue> elems = new ArrayList<>();
    SubExp size = SubExp.i64(a.elems().size());
    if (a.elems().isEmpty()) {
      Ty elem = ((Ty.Array) types.eval(a.type(), f)).elem();
      type = new Ty.Array(size, elem.mapSizes(s -> s.equals(Ty.UNKNOWN) ? SubExp.i64(0) : s));
      List<SubExp> leaves = new ArrayList<>();
      for (var t : type.leaves()) {
        leaves.add(
            t.rank() == 1
                ? emit.let("empty", t, new BasicOp.ArrayVal(List.of(), t.elemPrim()))
                : types.blank(t, true, List.of()));
      }
      return new LoweredValue.Data(type, leaves);
    }
    List<Integer> shape = new ArrayList<>();
    List<PrimValue> constants = ConstantArrayLiterals.constants(a, shape);
    if (constants != null) {
      return constantArray(a, constants, shape);
    }
    for (Exp x : a.elems()) {
      elems.add(eval(x, f));
    }
    Ty row = elems.get(0).type();
    List<List<SubExp>> rows = elems.stream().map(v -> types.coerce(v, row).leaves()).toList();
    List<SubExp> leaves = new ArrayList<>();
    List<futharkc.core.ir.Type> rowTypes = row.leaves();
    for (int i = 0; i < rowTypes.size(); i++) {
      int at = i;
      leaves.add(literal(rows.stream().map(l -> l.get(at)).toList(), rowTypes.get(i)));
    }
    return LoweredValue.array(size, row, leaves);
  }

  private SubExp literal(List<SubExp> elems, futharkc.core.ir.Type row) {
    futharkc.core.ir.Type type = futharkc.core.ir.Type.array(row, SubExp.i64(elems.size()));
    if (elems.stream().allMatch(SubExp.Const.class::isInstance)) {
      List<PrimValue> values = elems.stream().map(x -> ((SubExp.Const) x).value()).toList();
      return emit.let("array", type, new BasicOp.ArrayVal(values, row.elemPrim()));
    }
    return emit.let("array", type, new BasicOp.ArrayLit(elems, row));
  }

  private LoweredValue constantArray(Exp.ArrayLit a, List<PrimValue> values, List<Integer> shape) {
    Type elem = a.type();
    while (elem instanceof Type.Array x) {
      elem = x.elem();
    }
    Ty.Prim prim = new Ty.Prim(((Type.Prim) elem).type());
    PrimType ir = Ty.ir(prim.type());
    List<SubExp> dims = shape.stream().map(n -> SubExp.i64(n)).toList();
    SubExp flat =
        emit.let(
            "array",
            futharkc.core.ir.Type.array(futharkc.core.ir.Type.prim(ir), SubExp.i64(values.size())),
            new BasicOp.ArrayVal(values, ir));
    if (dims.size() > 1) {
      flat =
          emit.let(
              "array",
              futharkc.core.ir.Type.array(futharkc.core.ir.Type.prim(ir), dims),
              new BasicOp.Reshape(false, Types.name(flat), dims));
    }
    return new LoweredValue.Data(Ty.array(dims, prim), List.of(flat));
  }

  private LoweredValue construct(Exp.Constr c, Frame f) {
    List<LoweredValue> args = new ArrayList<>();
    for (Exp x : c.args()) {
      args.add(eval(x, f));
    }
    Ty.Sum declared = (Ty.Sum) types.eval(c.type(), f);
    TreeMap<String, List<Ty>> variants = new TreeMap<>(declared.variants());
    List<Ty> own = variants.get(c.name());
    List<Ty> known = new ArrayList<>();
    for (int i = 0; i < args.size(); i++) {
      known.add(own == null ? args.get(i).type() : Types.fill(own.get(i), args.get(i).type()));
    }
    variants.put(c.name(), known);
    if (args.stream().anyMatch(LoweredValue::hasFunctions) || new Ty.Sum(variants).hasFunctions()) {
      return new LoweredValue.Variant(new Ty.Sum(variants), c.name(), args);
    }
    Ty.Sum type =
        (Ty.Sum) new Ty.Sum(variants).mapSizes(s -> s.equals(Ty.UNKNOWN) ? SubExp.i64(0) : s);
    SumLayout layout = type.layout();
    @Nullable SubExp[] slots = new @Nullable SubExp[layout.slots().size()];
    for (int i = 0; i < args.size(); i++) {
      List<SubExp> leaves = types.coerce(args.get(i), known.get(i)).leaves();
      List<Integer> places = layout.of(c.name()).get(i);
      for (int j = 0; j < leaves.size(); j++) {
        slots[places.get(j)] = leaves.get(j);
      }
    }
    List<SubExp> leaves = new ArrayList<>();
    leaves.add(emit.prim(PrimType.I8, type.tag(c.name())));
    for (int i = 0; i < slots.length; i++) {
      SubExp slot = slots[i];
      leaves.add(slot != null ? slot : types.blank(layout.slots().get(i), false, List.of()));
    }
    return new LoweredValue.Data(type, leaves);
  }

  private LoweredValue operators(Exp.BinOp b, Frame f) {
    Deque<Exp.BinOp> spine = new ArrayDeque<>();
    Exp cur = b;
    while (cur instanceof Exp.BinOp x) {
      spine.push(x);
      cur = x.left();
    }
    LoweredValue left = eval(cur, f);
    for (Exp.BinOp x : spine) {
      LoweredValue right = eval(x.right(), f);
      emit.at(x.loc());
      LoweredValue result = operator(x, left, right);
      if (debugging != null) {
        debugging.newNan(x.loc(), f, result, List.of(left, right));
      }
      left = result;
    }
    return left;
  }

  private LoweredValue operator(Exp.BinOp b, LoweredValue left, LoweredValue right) {
    if (b.op() == Exp.Op.EQ || b.op() == Exp.Op.NEQ) {
      SubExp same = equality.equal(left, right);
      return LoweredValue.bool(b.op() == Exp.Op.EQ ? same : emit.not(same));
    }
    Ty.Prim on = (Ty.Prim) ((LoweredValue.Data) left).type();
    ScalarOp op = ScalarOp.of(b.op());
    SubExp result = scalars.apply(op, on.type(), List.of(left.scalar(), right.scalar()));
    return switch (b.op()) {
      case LT, LE, GT, GE -> LoweredValue.bool(result);
      default -> new LoweredValue.Data(on, List.of(result));
    };
  }

  private LoweredValue unary(Exp.UnOp u, Frame f) {
    LoweredValue v = eval(u.exp(), f);
    Ty.Prim on = (Ty.Prim) ((LoweredValue.Data) v).type();
    UnOp.Kind kind =
        switch (u.op()) {
          case NEGATE -> UnOp.Kind.NEG;
          case NOT -> UnOp.Kind.NOT;
        };
    if (on.type() == futharkc.core.language.syntax.PrimType.BOOL) {
      kind = UnOp.Kind.NOT;
    }
    return new LoweredValue.Data(on, List.of(emit.unOp(kind, Ty.ir(on.type()), v.scalar())));
  }

  /** Checks that the value has the sizes of the type. */
  private LoweredValue coerce(Exp.Coerce c, Frame f) {
    LoweredValue v = eval(c.exp(), f);
    emit.at(c.loc());
    Ty actual = v.type();
    Ty wanted = Types.fill(types.eval(c.type(), f), actual);
    Types.Sized sized =
        types.claimed(
            v,
            wanted,
            () -> {
              List<BasicOp.MsgPart> parts = new ArrayList<>();
              parts.add(Emit.text("Value of (desugared) shape "));
              for (SubExp s : outerSizes(actual)) {
                parts.add(Emit.text("["));
                parts.add(Emit.value(s));
                parts.add(Emit.text("]"));
              }
              parts.add(Emit.text(" cannot match shape of type \""));
              SourceTypeText.ofSizes(wanted, parts);
              parts.add(Emit.text("\"."));
              return parts;
            });
    return types.coerce(v, sized);
  }

  private static List<SubExp> outerSizes(Ty t) {
    List<SubExp> sizes = new ArrayList<>();
    Ty cur = t;
    while (cur instanceof Ty.Array a) {
      sizes.add(a.size());
      cur = a.elem();
    }
    if (sizes.isEmpty()) {
      t.zipSizes(t, (a, b) -> sizes.add(a));
    }
    return sizes;
  }

  private LoweredValue assertion(Exp.Assert a, Frame f) {
    SubExp cond = eval(a.cond(), f).scalar();
    emit.at(a.loc());
    var certs =
        emit.check(
            cond,
            () ->
                List.of(
                    Emit.text(
                        a.text().isEmpty()
                            ? "Assertion is false"
                            : "Assertion is false: " + a.text())));
    return calls.guarded(
        certs,
        () -> {
          LoweredValue v = eval(a.exp(), f);
          emit.at(a.loc());
          return v;
        });
  }

  private LoweredValue attributed(Exp.Attributed a, Frame f) {
    Emit.State outer = emit.state();
    try {
      if (a.attr().is("unsafe")) {
        emit.setSafe(functions.honoursUnsafe() ? false : emit.safe());
        return eval(a.exp(), f);
      }
      String text = text(a.attr());
      if (text.equals("warn(safety_checks)")) {
        emit.warnOfChecks();
      }
      if (a.attr() instanceof Attr.Compound c && c.name().equals("param")) {
        return userParam(c, eval(a.exp(), f));
      }
      if (text.equals("opaque") || text.equals("trace") || text.startsWith("trace(")) {
        LoweredValue v = eval(a.exp(), f);
        emit.at(a.loc());
        return tagged(tag(a.attr()), v);
      }
      if (text.equals("break")) {
        if (debugging != null) {
          emit.at(a.loc());
          debugging.breakpoint(a.loc(), f);
        }
        return eval(a.exp(), f);
      }
      if (text.equals("blank") || text.equals("scratch")) {
        LoweredValue v = eval(a.exp(), f);
        if (v.hasFunctions()) {
          return v;
        }
        return blank(v, text.equals("scratch"));
      }
      emit.addAttr(text);
      return eval(a.exp(), f);
    } finally {
      emit.restore(outer);
    }
  }

  /**
   * Returns a value with the shape of another value, filled with zeros.
   *
   * @param scratch whether the elements may be unspecified instead of zero
   */
  LoweredValue blank(LoweredValue like, boolean scratch) {
    Ty type = like.type();
    return LoweredValue.of(
        type, type.leaves().stream().map(t -> types.blank(t, scratch, List.of())).toList());
  }

  private static BasicOp.Tag tag(Attr a) {
    if (a.is("opaque")) {
      return new BasicOp.Tag.Barrier();
    }
    return new BasicOp.Tag.Trace(
        a instanceof Attr.Compound c
            ? c.args().stream().map(Elaborator::text).collect(Collectors.joining(","))
            : "",
        false);
  }

  private LoweredValue tagged(BasicOp.Tag tag, LoweredValue v) {
    if (debugging != null
        && tag instanceof BasicOp.Tag.Trace x
        && !v.hasFunctions()
        && !isPrimitive(v.type())) {
      debugging.trace(x.text().isEmpty() ? emit.userLoc().toString() : x.text(), v);
      return v;
    }
    return opaque(tag, v);
  }

  private static boolean isPrimitive(Ty type) {
    return switch (type) {
      case Ty.Array a -> isPrimitive(a.elem());
      case Ty.Prim _ -> true;
      case Ty.Record _, Ty.Sum _, Ty.Acc _, Ty.Fun _ -> false;
    };
  }

  private LoweredValue opaque(BasicOp.Tag tag, LoweredValue v) {
    return switch (v) {
      case LoweredValue.Closure c -> c;
      case LoweredValue.Variant x -> x;
      case LoweredValue.Rec r -> {
        TreeMap<String, LoweredValue> fields = new TreeMap<>(Type.FIELD_ORDER);
        r.fields().forEach((k, x) -> fields.put(k, opaque(tag, x)));
        yield new LoweredValue.Rec(fields);
      }
      case LoweredValue.Data d -> {
        BasicOp.Tag t = tag;
        if (tag instanceof BasicOp.Tag.Trace x) {
          String text = x.text().isEmpty() ? emit.userLoc().toString() : x.text();
          t = new BasicOp.Tag.Trace(text, isUnsigned(d.type()));
        }
        List<futharkc.core.ir.Type> leafTypes = d.type().leaves();
        List<SubExp> leaves = new ArrayList<>();
        for (int i = 0; i < leafTypes.size(); i++) {
          leaves.add(
              emit.let("opaque", leafTypes.get(i), new BasicOp.Opaque(t, d.leaves().get(i))));
        }
        yield new LoweredValue.Data(d.type(), leaves);
      }
    };
  }

  /** Tests whether a type is an unsigned primitive type or an array of one. */
  private static boolean isUnsigned(Ty type) {
    return switch (type) {
      case Ty.Array a -> isUnsigned(a.elem());
      case Ty.Prim p -> p.type().toString().startsWith("u");
      case Ty.Record _, Ty.Sum _, Ty.Acc _, Ty.Fun _ -> false;
    };
  }

  private LoweredValue userParam(Attr.Compound c, LoweredValue v) {
    if (!(v instanceof LoweredValue.Data d && d.type().equals(Ty.Prim.I64))
        || c.args().size() != 1) {
      return v;
    }
    String name = text(c.args().get(0));
    return LoweredValue.i64(
        emit.let("param", futharkc.core.ir.Type.I64, new BasicOp.UserParam(name, v.scalar())));
  }

  /** Returns the text of an attribute as written. */
  static String text(Attr a) {
    return switch (a) {
      case Attr.Atom x -> x.name();
      case Attr.Int x -> Long.toString(x.value());
      case Attr.Compound c ->
          c.name()
              + c.args().stream().map(Elaborator::text).collect(Collectors.joining(",", "(", ")"));
    };
  }
}
