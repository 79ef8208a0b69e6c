package futharkc.pass.flattening;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.BoundNames;
import futharkc.core.ir.Builder;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegBody;
import futharkc.core.ir.SegResult;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.analysis.Consumption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * A builder for the body of an operation over the segments of a nest and additional inner
 * dimensions. The builder reads varying values, each at the indices of the nest that binds the
 * value, and copies statements into the body.
 */
final class SegBodyBuilder {
  private final HostBuilder host;
  private final Nest nest;
  private final LiftedEnv env;
  private final SegSpace space;
  private final Builder b;
  private final KernelBodyCopier copies;
  private final Map<Name, SubExp> values = new HashMap<>();
  private final Map<Nest, List<SubExp>> indices = new HashMap<>();
  private final Map<Nest, SubExp> numbers = new HashMap<>();
  private final Set<Name> checks;

  SegBodyBuilder(HostBuilder host, Nest nest, LiftedEnv env, List<SubExp> inside) {
    this(host, nest, env, space(host, nest, inside), new LinkedHashSet<>());
    space.dims().forEach(d -> host.cx.scope.add(d.index(), Type.I64));
    host.cx.scope.add(space.flat(), Type.I64);
  }

  /** Creates a builder for a body whose segment indices are parameters. */
  SegBodyBuilder(HostBuilder host, LiftedEnv env, Nest nest, List<Param> indices) {
    this(host, nest, env, spaceOf(host, nest, indices), new LinkedHashSet<>());
    // A lambda has no variable for the segment's number.
    if (indices.size() > 1) {
      numbers.put(nest, rowMajor(at(nest), nest.dims()));
    }
  }

  private static SegSpace spaceOf(HostBuilder host, Nest nest, List<Param> indices) {
    List<SegSpace.Dim> dims = new ArrayList<>();
    for (int d = 0; d < indices.size(); d++) {
      dims.add(new SegSpace.Dim(indices.get(d).name(), nest.dims().get(d)));
    }
    return new SegSpace(host.cx.names.fresh("flat"), dims);
  }

  private SegBodyBuilder(
      HostBuilder host, Nest nest, LiftedEnv env, SegSpace space, Set<Name> checks) {
    this.host = host;
    this.nest = nest;
    this.env = env;
    this.space = space;
    this.checks = checks;
    this.b = new Builder(host.cx.names);
    this.b.with(Aux.at(host.aux().loc()));
    this.copies = new KernelBodyCopier(this);
  }

  private static SegSpace space(HostBuilder host, Nest nest, List<SubExp> inside) {
    List<SegSpace.Dim> dims = new ArrayList<>();
    for (SubExp d : nest.dims()) {
      dims.add(new SegSpace.Dim(host.cx.names.fresh("gtid"), d));
    }
    for (SubExp d : inside) {
      dims.add(new SegSpace.Dim(host.cx.names.fresh("i"), d));
    }
    return new SegSpace(host.cx.names.fresh("flat"), dims);
  }

  /**
   * Returns a builder for another body at the same indices. The other body reads its values again.
   */
  SegBodyBuilder again() {
    return new SegBodyBuilder(host, nest, env, space, checks);
  }

  HostBuilder host() {
    return host;
  }

  LiftedEnv env() {
    return env;
  }

  SegSpace space() {
    return space;
  }

  /** Returns the host certificates that the copied statements need. */
  List<Name> checks() {
    return List.copyOf(checks);
  }

  void check(Name certificate) {
    checks.add(certificate);
  }

  SegBody body(List<SegResult> results) {
    return new SegBody(b.stms(), results);
  }

  List<Stm> stms() {
    return b.stms();
  }

  // Statements

  void add(Stm s) {
    b.add(s);
    host.cx.scope.add(s);
  }

  SubExp letExp(String base, Type type, Exp e) {
    SubExp v = b.letExp(base, type, e);
    host.cx.scope.add(((SubExp.Var) v).name(), type);
    return v;
  }

  SubExp plus(SubExp x, SubExp y) {
    if (x.isInt(0)) {
      return y;
    }
    if (y.isInt(0)) {
      return x;
    }
    return arithmetic(BinOp.Kind.ADD, x, y);
  }

  SubExp minus(SubExp x, SubExp y) {
    return y.isInt(0) ? x : arithmetic(BinOp.Kind.SUB, x, y);
  }

  SubExp times(SubExp x, SubExp y) {
    if (x.isInt(1) || y.isInt(0)) {
      return y;
    }
    if (y.isInt(1) || x.isInt(0)) {
      return x;
    }
    if (x instanceof SubExp.Const a && y instanceof SubExp.Const c) {
      return SubExp.i64(a.value().asLong() * c.value().asLong());
    }
    return arithmetic(BinOp.Kind.MUL, x, y);
  }

  SubExp arithmetic(BinOp.Kind kind, SubExp x, SubExp y) {
    return letExp("i", Type.I64, new BasicOp.BinOpExp(SegmentOperand.i64(kind), x, y));
  }

  BasicOp.BinOpExp binOp(BinOp.Kind kind, PrimType t, SubExp x, SubExp y) {
    return new BasicOp.BinOpExp(new BinOp(kind, t), x, y);
  }

  SubExp conv(PrimType from, PrimType to, SubExp x) {
    if (from == to) {
      return x;
    }
    return letExp(
        "i", Type.prim(to), new BasicOp.ConvOpExp(new ConvOp(ConvOp.Kind.SEXT, from, to), x));
  }

  SubExp compare(CmpOp.Kind kind, SubExp x, SubExp y) {
    return letExp("c", Type.BOOL, new BasicOp.CmpOpExp(new CmpOp(kind, PrimType.I64), x, y));
  }

  SubExp and(SubExp x, SubExp y) {
    if (x.equals(SubExp.TRUE)) {
      return y;
    }
    if (y.equals(SubExp.TRUE)) {
      return x;
    }
    BinOp and = new BinOp(BinOp.Kind.LOG_AND, PrimType.BOOL);
    return letExp("c", Type.BOOL, new BasicOp.BinOpExp(and, x, y));
  }

  SubExp product(List<SubExp> factors) {
    SubExp p = SubExp.i64(1);
    for (SubExp f : factors) {
      p = times(p, f);
    }
    return p;
  }

  /** Returns the row-major number of an index. */
  SubExp rowMajor(List<SubExp> index, List<SubExp> dims) {
    SubExp flat = SubExp.i64(0);
    for (int d = 0; d < dims.size(); d++) {
      flat = plus(times(flat, dims.get(d)), index.get(d));
    }
    return flat;
  }

  /** Returns the index of a row-major number. */
  List<SubExp> unflatten(SubExp number, List<SubExp> dims) {
    List<SubExp> index = new ArrayList<>();
    SubExp rest = number;
    for (int d = dims.size() - 1; d > 0; d--) {
      index.addFirst(arithmetic(BinOp.Kind.SREM, rest, dims.get(d)));
      rest = arithmetic(BinOp.Kind.SQUOT, rest, dims.get(d));
    }
    if (!dims.isEmpty()) {
      index.addFirst(rest);
    }
    return index;
  }

  /** Emits a choice between two values. Each branch has its own builder. */
  SubExp either(
      SubExp cond,
      Type type,
      Function<SegBodyBuilder, SubExp> then,
      Function<SegBodyBuilder, SubExp> otherwise) {
    SegBodyBuilder a = branch();
    Body yes = a.b.body(List.of(then.apply(a)));
    SegBodyBuilder c = branch();
    Body no = c.b.body(List.of(otherwise.apply(c)));
    return letExp("v", type, Exp.Match.conditional(cond, yes, no));
  }

  /**
   * Emits a match. The value of case {@code k}, counted from 1, is {@code value(k)}; the value of
   * the default is {@code value(0)}.
   */
  SubExp match(
      List<SubExp> scrutinees, List<Exp.Case> cases, Type type, IntFunction<SubExp> value) {
    List<Exp.Case> numbered = new ArrayList<>();
    for (int c = 0; c < cases.size(); c++) {
      Body number = new Body(List.of(), List.of(value.apply(c + 1)));
      numbered.add(new Exp.Case(cases.get(c).pattern(), number));
    }
    Body none = new Body(List.of(), List.of(value.apply(0)));
    return letExp("class", type, new Exp.Match(scrutinees, numbered, none));
  }

  /** Returns a builder for a branch, which reuses the values that this builder has read so far. */
  private SegBodyBuilder branch() {
    SegBodyBuilder k = again();
    k.values.putAll(values);
    k.indices.putAll(indices);
    k.numbers.putAll(numbers);
    return k;
  }

  SubExp element(Name array, SubExp... index) {
    Type t = host.type(array);
    Slice slice = Slice.fix(List.of(index), t.dims());
    return letExp(array.base(), t.peel(index.length), new BasicOp.Index(array, slice));
  }

  /** Returns the array with other names for its sizes. */
  SubExp coerced(SubExp array, List<SubExp> dims) {
    Type t = host.type(array);
    if (t.dims().equals(dims)) {
      return array;
    }
    return letExp(
        "coerced", t.withShape(dims), new BasicOp.Reshape(true, ((SubExp.Var) array).name(), dims));
  }

  // Indices

  /** Returns the index of an inner dimension. */
  SubExp inside(int d) {
    return SubExp.of(space.dims().get(nest.dims().size() + d).index());
  }

  /** Returns the indices of all inner dimensions. */
  List<SubExp> inside() {
    List<SubExp> all = new ArrayList<>();
    for (int d = 0; d < space.dims().size() - nest.dims().size(); d++) {
      all.add(inside(d));
    }
    return all;
  }

  /** Returns the indices of the current segment of a nest, which is this nest or an outer one. */
  List<SubExp> at(Nest n) {
    List<SubExp> known = indices.get(n);
    if (known != null) {
      return known;
    }
    List<SubExp> found;
    if (n.equals(nest)) {
      found = new ArrayList<>();
      for (int d = 0; d < n.dims().size(); d++) {
        found.add(SubExp.of(space.dims().get(d).index()));
      }
    } else {
      Nest inner = justInside(n);
      found =
          switch (inner) {
            case Nest.Uniform u -> at(u).subList(0, n.dims().size());
            case Nest.Flat f -> unflatten(number(n), n.dims());
            case Nest.Top t ->
                throw new IllegalStateException("the outermost nest has no outer nest");
          };
    }
    indices.put(n, found);
    return found;
  }

  /** Returns the nest directly inside another one, on the path from this nest outwards. */
  private Nest justInside(Nest n) {
    for (Nest inner = nest; ; ) {
      Nest outer = inner.outer();
      if (outer == null) {
        throw new IllegalStateException("the nest does not enclose this one");
      }
      if (outer.equals(n)) {
        return inner;
      }
      inner = outer;
    }
  }

  /** Returns the row-major number of the current segment of a nest. */
  SubExp number(Nest n) {
    SubExp known = numbers.get(n);
    if (known != null) {
      return known;
    }
    SubExp found;
    if (n.dims().isEmpty()) {
      found = SubExp.i64(0);
    } else if (!n.equals(nest) && justInside(n) instanceof Nest.Flat f) {
      found = element(host.ids(f), at(f).get(0));
    } else if (n.equals(nest) && n.dims().size() == space.dims().size() && n.dims().size() > 1) {
      found = SubExp.of(space.flat());
    } else {
      found = rowMajor(at(n), n.dims());
    }
    numbers.put(n, found);
    return found;
  }

  /** Returns the position within the innermost map of a nest. */
  SubExp position(Nest n) {
    return switch (n) {
      case Nest.Uniform u -> at(u).getLast();
      case Nest.Flat f -> {
        Name offsets = f.offsets();
        if (offsets == null) {
          throw new IllegalStateException("a branch has no positions");
        }
        yield minus(at(f).get(0), element(offsets, number(f.outer())));
      }
      case Nest.Top t -> throw new IllegalStateException("the outermost nest has no positions");
    };
  }

  // Values

  /** Returns the value of an operand in this segment. */
  SubExp operand(SubExp e) {
    if (!(e instanceof SubExp.Var v)) {
      return e;
    }
    Name local = copies.copy(v.name());
    if (local != null) {
      return SubExp.of(local);
    }
    LiftedName variant = env.get(v.name());
    if (variant == null) {
      return e;
    }
    if (variant.rep() instanceof ValueRep.Accumulator acc) {
      return SubExp.of(acc.current());
    }
    SubExp known = values.get(v.name());
    if (known != null) {
      return known;
    }
    SegmentOperand place = locate(variant);
    SubExp value = place.whole(this);
    values.put(v.name(), value);
    return value;
  }

  List<SubExp> operands(List<SubExp> es) {
    List<SubExp> all = new ArrayList<>();
    for (SubExp e : es) {
      all.add(operand(e));
    }
    return all;
  }

  /** Returns a slice with the values of its operands in this segment. */
  private List<Slice.Dim> operands(Slice slice) {
    List<Slice.Dim> dims = new ArrayList<>();
    for (Slice.Dim d : slice.dims()) {
      dims.add(
          switch (d) {
            case Slice.Fix f -> new Slice.Fix(operand(f.index()));
            case Slice.Range r ->
                new Slice.Range(operand(r.start()), operand(r.count()), operand(r.stride()));
          });
    }
    return dims;
  }

  /** Returns the location of a name's value in this segment. */
  SegmentOperand locate(Name n) {
    Name local = copies.copy(n);
    LiftedName v = local == null ? env.get(n) : null;
    if (v != null) {
      return locate(v);
    }
    Name known = local == null ? n : local;
    Type t = host.type(known);
    return SegmentOperand.InArray.at(known, t, List.of(), t.dims());
  }

  SegmentOperand locate(LiftedName v) {
    PrimType elem = v.type().elemPrim();
    return switch (v.rep()) {
      case ValueRep.Regular r ->
          SegmentOperand.InArray.at(
              r.array(), host.type(r.array()), at(v.nest()), operands(v.type().dims()));
      case ValueRep.Irregular r -> {
        SubExp offset = element(r.offsets(), number(v.nest()));
        yield new SegmentOperand.InData(r.data(), offset, operands(v.type().dims()), elem);
      }
      case ValueRep.HostRow r ->
          SegmentOperand.InArray.at(
              r.array(),
              host.type(r.array()),
              List.of(position(v.nest())),
              operands(v.type().dims()));
      case ValueRep.Part r -> {
        r.checks().forEach(this::check);
        SegmentOperand all = r.of() == null ? locate(r.array()) : locate(r.of());
        if (!(all instanceof SegmentOperand.InArray a)) {
          throw new IllegalStateException("slice of a varying array: " + r.array());
        }
        yield a.part(this, operands(r.slice()));
      }
      case ValueRep.Row r -> locate(r.of()).row(this, position(v.nest()));
      case ValueRep.Accumulator a ->
          throw new IllegalStateException("an accumulator has no location");
      case ValueRep.Certificate c ->
          throw new IllegalStateException("a certificate has no location");
    };
  }

  // Copying statements

  /** Copies statements into the body with fresh names. Later statements may use their results. */
  void run(List<Stm> stms) {
    read(stms, false);
    for (Stm s : copies.stms(stms)) {
      add(s);
    }
  }

  /**
   * Returns statements with fresh names for another body of the kernel. This body reads their
   * operands, and copies those that are arrays.
   */
  List<Stm> copied(List<Stm> stms) {
    read(stms, true);
    return copies.stms(stms);
  }

  /** Tests whether this body is in a nest, directly or at any depth. */
  boolean isWithin(Nest n) {
    for (Nest at = nest; at != null; at = at.outer()) {
      if (at.equals(n)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the value of an operand or a result of the copied statements. */
  SubExp result(SubExp e) {
    return operand(e);
  }

  List<SubExp> results(List<SubExp> es) {
    return operands(es);
  }

  /**
   * Reads the free names of statements. Arrays that the statements overwrite are copied, and all
   * arrays if {@code copyAll}.
   */
  private void read(List<Stm> stms, boolean copyAll) {
    Set<Name> bound = new HashSet<>();
    Set<Name> used = new LinkedHashSet<>();
    for (Stm s : stms) {
      used.addAll(FreeNames.of(s));
      bound.addAll(BoundNames.of(s));
    }
    used.removeAll(bound);
    Body all = new Body(stms, List.of());
    Set<Name> consumed = Consumption.of(all, Aliases.of(stms));
    for (Name n : used) {
      LiftedName v = env.get(n);
      if (v == null || copies.copy(n) != null || v.rep() instanceof ValueRep.Certificate) {
        continue;
      }
      SubExp value = operand(SubExp.of(n));
      if (v.type() instanceof Type.Array t && (copyAll || consumed.contains(n))) {
        Type copied = t.withShape(operands(t.shape()));
        value = letExp(n.base(), copied, new BasicOp.Replicate(List.of(), value));
        values.put(n, value);
      }
      copies.with(n, ((SubExp.Var) value).name());
    }
  }

  /** Binds a parameter of statements to be copied to a value. */
  void let(Param p, SubExp value) {
    SubExp named = letExp(p.name().base(), p.type(), new BasicOp.SubExpOp(value));
    copies.with(p.name(), ((SubExp.Var) named).name());
  }

  /** Returns the parameter of a lambda whose statements are to be copied. */
  Param param(Param p) {
    Param copy = copies.param(p);
    host.cx.scope.add(copy.name(), copy.type());
    return copy;
  }

  /** Returns a lambda of the copied statements and the given results. */
  Lambda lambda(List<Param> params, List<SubExp> results) {
    List<SubExp> values = results(results);
    return new Lambda(params, b.body(values), values.stream().map(v -> host.type(v)).toList());
  }

  /** Returns a copy of an operator without free varying names. */
  Lambda operator(Lambda l) {
    Lambda copy = new KernelBodyCopier(again()).lambda(l);
    host.cx.learn(copy);
    return copy;
  }
}
