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

/** A builder that emits statements in order and records the types of all names in scope. */
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

  /** Makes an emitter for one function. Bound names are added to the scope. */
  public Emitter(NameSource names, Scope scope) {
    this(names, scope, Aux.NONE);
  }

  /**
   * Returns an emitter for a nested body, or for statements with another position in the same
   * function.
   */
  public Emitter inner() {
    return new Emitter(names, scope, new Aux(List.of(), aux.attrs(), aux.loc()));
  }

  /** Sets the metadata of the following statements. */
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

  /** Adds a statement unchanged. */
  public void add(Stm s) {
    scope.add(s);
    stms.add(s);
  }

  public void addAll(List<Stm> more) {
    more.forEach(this::add);
  }

  /** Adds a statement with the given pattern and the current metadata. */
  public void add(List<PatElem> pat, Exp e) {
    add(new Stm(pat, aux, e));
  }

  public List<Stm> stms() {
    return List.copyOf(stms);
  }

  /** Returns a body of the emitted statements and the given results. */
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

  /** Binds several results, whose types do not mention each other. */
  public List<SubExp> letAll(String base, List<Type> types, Exp e) {
    List<PatElem> pat = new ArrayList<>();
    for (Type t : types) {
      pat.add(new PatElem(names.fresh(base), t));
    }
    add(pat, e);
    return pat.stream().map(p -> SubExp.of(p.name())).toList();
  }

  /** Binds a given name to a value. */
  public void alias(Name name, Type type, SubExp value) {
    add(List.of(new PatElem(name, type)), new BasicOp.SubExpOp(value));
  }

  // Arrays

  /** Returns the name of an array operand. Constants are scalars. */
  public static Name array(SubExp e) {
    if (e instanceof SubExp.Var v) {
      return v.name();
    }
    throw new IllegalArgumentException(e + " is not an array");
  }

  public static List<SubExp> operands(List<Name> names) {
    return names.stream().map(SubExp::of).toList();
  }

  /** Returns a fresh copy of an array, or the scalar itself. */
  public SubExp copy(SubExp e) {
    return type(e) instanceof Type.Array t
        ? let("copy", t, new BasicOp.Replicate(List.of(), e))
        : e;
  }

  /** Returns the element or subarray at the given outer indices, which are in range. */
  public SubExp index(SubExp array, List<SubExp> indices) {
    if (indices.isEmpty()) {
      return array;
    }
    Type t = type(array);
    return let(
        "part",
        t.withoutMem().peel(indices.size()),
        new BasicOp.Index(array(array), Slice.fix(indices, t.dims())));
  }

  /** Returns a slice of an array, which is in range. */
  public SubExp slice(SubExp array, Slice s) {
    Type t = Type.array(Type.prim(type(array).elemPrim()), s.shape());
    return let("part", t, new BasicOp.Index(array(array), s));
  }

  /** Returns a value with the required type, which may name equal sizes differently. */
  public SubExp coerce(SubExp e, Type type) {
    Type t = type(e);
    if (!(t instanceof Type.Array) || t.equals(type)) {
      return e;
    }
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

  /** Returns a lambda with parameters of the given types. */
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

  /** Returns a map without scans or reductions. */
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

  /** Reduces arrays over their outer dimension, without a map before. */
  public List<SubExp> reduce(
      String base, SubExp width, List<Name> inputs, List<Soac.Reduce> reduces) {
    List<Type> rows = inputs.stream().map(n -> type(n).row()).toList();
    return letAll(
        base,
        rows,
        new Soac.Screma(width, inputs, identity(rows), List.of(), reduces, identity(List.of())));
  }

  /** Scans arrays over their outer dimension, without a map before. */
  public List<SubExp> scan(String base, SubExp width, List<Name> inputs, Soac.Scan scan) {
    List<Type> rows = inputs.stream().map(n -> type(n).row()).toList();
    return letAll(
        base,
        rows.stream().map(t -> Type.array(t, width)).toList(),
        new Soac.Screma(width, inputs, identity(rows), List.of(scan), List.of(), identity(rows)));
  }

  /** Emits {@code if cond then .. else ..} with results of the given types. */
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
    // An emitter's statements are complete only after its results have been computed.
    return letAll(
        base,
        types,
        Exp.Match.conditional(
            cond, new Body(a.stms, first.results()), new Body(b.stms, second.results())));
  }

  /** Selects one of two scalars. */
  public SubExp select(SubExp cond, SubExp yes, SubExp no) {
    if (yes.equals(no) || cond.equals(SubExp.TRUE)) {
      return yes;
    }
    if (cond.equals(SubExp.FALSE)) {
      return no;
    }
    return conditional("chosen", List.of(type(yes)), cond, e -> List.of(yes), e -> List.of(no))
        .get(0);
  }
}
