package futharkc.core.ir.build;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Scope;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.soac.Scremas;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Emits statements in order and knows the types of all names in sight. */
public final class Emitter {
  private final NameSource names;
  private final Scope scope;
  private final List<Stm> stms = new ArrayList<>();
  private Aux aux;

  private Emitter(NameSource names, Scope scope, Aux aux) {
    this.names = names;
    this.scope = scope;
    this.aux = aux;
  }

  /** With the names of one function; what is bound is added to the scope. */
  public Emitter(NameSource names, Scope scope) {
    this(names, scope, Aux.NONE);
  }

  /** For a body inside, or statements that will stand elsewhere: of the same function. */
  public Emitter inner() {
    return new Emitter(names, scope, new Aux(List.of(), aux.attrs(), aux.loc()));
  }

  /** What the following statements get besides their expression. */
  public Emitter at(Aux now) {
    aux = now;
    return this;
  }

  public Aux aux() {
    return aux;
  }

  public NameSource names() {
    return names;
  }

  public Scope scope() {
    return scope;
  }

  public Type type(SubExp e) {
    return scope.type(e);
  }

  public Type type(Name n) {
    return scope.type(n);
  }

  // Statements

  /** Adds a statement as it is. */
  public void add(Stm s) {
    scope.add(s);
    stms.add(s);
  }

  public void addAll(List<Stm> more) {
    more.forEach(this::add);
  }

  /** Adds a statement that binds these, at the current place. */
  public void add(List<PatElem> pat, Exp e) {
    add(new Stm(pat, aux, e));
  }

  public List<Stm> stms() {
    return List.copyOf(stms);
  }

  /** The statements so far and these results. */
  public Body body(List<SubExp> results) {
    return new Body(stms, results);
  }

  public SubExp let(String base, Type type, Exp e) {
    return SubExp.of(name(base, type, e));
  }

  public Name name(String base, Type type, Exp e) {
    Name n = names.fresh(base);
    add(List.of(new PatElem(n, type)), e);
    return n;
  }

  /** Binds several results, whose types mention none of them. */
  public List<SubExp> letAll(String base, List<Type> types, Exp e) {
    List<PatElem> pat = new ArrayList<>();
    for (Type t : types) pat.add(new PatElem(names.fresh(base), t));
    add(pat, e);
    return pat.stream().map(p -> SubExp.of(p.name())).toList();
  }

  /** Another name for a value. */
  public void alias(Name name, Type type, SubExp value) {
    add(List.of(new PatElem(name, type)), new BasicOp.SubExpOp(value));
  }

  // Arrays

  /** The name of an array: constants are scalars. */
  public static Name array(SubExp e) {
    if (e instanceof SubExp.Var v) return v.name();
    throw new IllegalArgumentException(e + " is no array");
  }

  public static List<SubExp> operands(List<Name> names) {
    return names.stream().map(SubExp::of).toList();
  }

  /** A fresh array of the same elements; a scalar as it is. */
  public SubExp copy(SubExp e) {
    return type(e) instanceof Type.Array t
        ? let("copy", t, new BasicOp.Replicate(List.of(), e))
        : e;
  }

  /** The part of an array below these indices, which are in range. */
  public SubExp index(SubExp array, List<SubExp> indices) {
    if (indices.isEmpty()) return array;
    Type t = type(array);
    return let(
        "part",
        t.withoutMem().peel(indices.size()),
        new BasicOp.Index(array(array), Slice.fix(indices, t.dims())));
  }

  /** The part of an array that a slice selects, which is in range. */
  public SubExp slice(SubExp array, Slice s) {
    Type t = Type.array(Type.prim(type(array).elemPrim()), s.shape());
    return let("part", t, new BasicOp.Index(array(array), s));
  }

  /** A value whose type names its sizes otherwise, under the type it should have. */
  public SubExp coerce(SubExp e, Type type) {
    Type t = type(e);
    if (!(t instanceof Type.Array) || t.equals(type)) return e;
    return let("same", type, new BasicOp.Reshape(true, array(e), type.dims()));
  }

  public SubExp iota(SubExp count) {
    return let(
        "iota",
        Type.array(Type.I64, count),
        new BasicOp.Iota(count, SubExp.i64(0), SubExp.i64(1), futharkc.core.ir.PrimType.I64));
  }

  // Functions

  public Param param(String base, Type type) {
    return param(base, type, false);
  }

  public Param param(String base, Type type, boolean unique) {
    Param p = new Param(names.fresh(base), type, unique);
    scope.add(p.name(), type);
    return p;
  }

  /** A lambda with parameters of these types. */
  public Lambda lambda(
      String base, List<Type> types, BiFunction<Emitter, List<SubExp>, List<SubExp>> results) {
    List<Param> params = types.stream().map(t -> param(base, t)).toList();
    return lambda(
        params, e -> results.apply(e, params.stream().map(p -> SubExp.of(p.name())).toList()));
  }

  public Lambda lambda(List<Param> params, Function<Emitter, List<SubExp>> results) {
    Emitter inside = inner();
    List<SubExp> values = results.apply(inside);
    return new Lambda(params, inside.body(values), values.stream().map(this::type).toList());
  }

  public Lambda identity(List<Type> types) {
    return Scremas.identity(types, names);
  }

  /** A map without anything else. */
  public Soac.Screma mapping(SubExp width, List<Name> inputs, Lambda f) {
    return new Soac.Screma(width, inputs, f, List.of(), List.of(), identity(f.results()));
  }

  /** Maps a function over arrays. */
  public List<SubExp> map(
      String base,
      SubExp width,
      List<SubExp> arrays,
      BiFunction<Emitter, List<SubExp>, List<SubExp>> f) {
    Lambda l = lambda("x", arrays.stream().map(a -> type(a).row()).toList(), f);
    return map(base, width, arrays.stream().map(Emitter::array).toList(), l);
  }

  public List<SubExp> map(String base, SubExp width, List<Name> inputs, Lambda f) {
    List<Type> types = f.results().stream().map(t -> Type.array(t, width)).toList();
    return letAll(base, types, mapping(width, inputs, f));
  }

  /** Reductions of arrays, as they are, over their outer dimension. */
  public List<SubExp> reduce(
      String base, SubExp width, List<Name> inputs, List<Soac.Reduce> reduces) {
    List<Type> rows = inputs.stream().map(n -> type(n).row()).toList();
    return letAll(
        base,
        rows,
        new Soac.Screma(width, inputs, identity(rows), List.of(), reduces, identity(List.of())));
  }

  /** A scan of arrays, as they are, over their outer dimension. */
  public List<SubExp> scan(String base, SubExp width, List<Name> inputs, Soac.Scan scan) {
    List<Type> rows = inputs.stream().map(n -> type(n).row()).toList();
    return letAll(
        base,
        rows.stream().map(t -> Type.array(t, width)).toList(),
        new Soac.Screma(width, inputs, identity(rows), List.of(scan), List.of(), identity(rows)));
  }

  /** {@code if cond then .. else ..} with results of these types. */
  public List<SubExp> conditional(
      String base,
      List<Type> types,
      SubExp cond,
      Function<Emitter, List<SubExp>> then,
      Function<Emitter, List<SubExp>> otherwise) {
    Emitter a = inner();
    Body first = a.body(then.apply(a));
    Emitter b = inner();
    Body second = b.body(otherwise.apply(b));
    // The statements of an emitter are known only after the results.
    return letAll(
        base,
        types,
        Exp.Match.conditional(
            cond, new Body(a.stms, first.results()), new Body(b.stms, second.results())));
  }

  /** One of two scalars. */
  public SubExp select(SubExp cond, SubExp yes, SubExp no) {
    if (yes.equals(no) || cond.equals(SubExp.TRUE)) return yes;
    if (cond.equals(SubExp.FALSE)) return no;
    return conditional("chosen", List.of(type(yes)), cond, e -> List.of(yes), e -> List.of(no))
        .get(0);
  }
}
