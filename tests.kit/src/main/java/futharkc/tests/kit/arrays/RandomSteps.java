package futharkc.tests.kit.arrays;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FlatSlice;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Rep;
import futharkc.core.ir.Slice;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A generator of the random statements of a body: views, updates, loops, branches and new arrays.
 */
final class RandomSteps {
  private final Random random;
  private final List<PrimType> elems;
  private final RandomElements elements;
  private final ArrayGenerator generator;

  /** A function of the program for {@link #call}, or null if the program has no such function. */
  private final @Nullable FunDef callee;

  private int left;

  /**
   * Creates a generator for one program.
   *
   * @param elems the element types of the program's arrays
   * @param positive true if all sizes are at least one
   * @param callee a function of a size and two arrays of this size that consumes the first array,
   *     or null
   * @param steps the maximal number of steps, with the steps in inner bodies
   */
  RandomSteps(
      Random random,
      Rep rep,
      List<PrimType> elems,
      boolean positive,
      @Nullable FunDef callee,
      int steps) {
    this.random = random;
    this.elems = elems;
    this.elements = new RandomElements(random, positive);
    this.generator = new ArrayGenerator(random, rep, elements, this);
    this.callee = callee;
    this.left = steps;
  }

  private boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  /** Takes one step from the limit; returns false if no step was left. */
  boolean mayGoOn() {
    return left-- > 0;
  }

  /** Adds one to {@code most} random steps. */
  void some(ArrayScope s, int most) {
    for (int k = random.nextInt(most); k >= 0; k--) {
      step(s);
    }
  }

  /** Adds steps until the limit is reached. */
  void all(ArrayScope s) {
    while (mayGoOn()) {
      step(s);
    }
  }

  PrimType elem() {
    return elements.pick(elems);
  }

  /** Returns a random array type with sizes in scope. */
  private Type.Array type(ArrayScope s) {
    PrimType t = elem();
    SubExp outer = elements.pick(s.sizes.all());
    if (oneIn(2)) {
      return new Type.Array(t, List.of(outer));
    }
    return new Type.Array(t, List.of(outer, elements.pick(s.sizes.all())));
  }

  private void step(ArrayScope s) {
    boolean deep = s.depth >= 3;
    switch (random.nextInt(16)) {
      case 0, 1 -> view(s);
      case 2, 3, 4 -> update(s);
      case 5, 6 -> {
        if (deep) {
          update(s);
        } else {
          loop(s);
        }
      }
      case 7 -> {
        if (deep) {
          view(s);
        } else {
          branches(s);
        }
      }
      case 8 -> generator.fold(s, elements.pick(s.sizes.all()), elem());
      case 9 -> concat(s);
      case 10 -> {
        List<ArrayVariable> to = s.live().stream().filter(s::mayConsume).toList();
        if (to.isEmpty() || generator.scattered(s, elements.pick(to)) == null) {
          update(s);
        }
      }
      case 11 -> {
        Type.Array t = type(s);
        List<SubExp> other = new ArrayList<>(t.shape());
        if (other.size() == 2 && oneIn(2)) {
          other.remove(1);
        }
        generator.map(s, List.of(t, new Type.Array(elem(), other)));
      }
      case 12 -> call(s);
      case 13 -> flat(s);
      default -> generator.fresh(s, type(s));
    }
  }

  // Calls

  private void call(ArrayScope s) {
    if (callee == null || s.where != ArrayScope.Where.HOST) {
      view(s);
      return;
    }
    SubExp size = elements.pick(s.sizes.all());
    Type.Array type = new Type.Array(PrimType.I32, List.of(size));
    ArrayVariable consumed = generator.any(s, type);
    ArrayVariable read = generator.any(s, type);
    if (!s.mayConsume(consumed) || !Collections.disjoint(consumed.roots(), read.roots())) {
      consumed = s.fresh(s.code.let("copy", type, ArrayGenerator.copy(consumed.name())), type);
    }
    s.consume(consumed);
    List<SubExp> args = List.of(size, SubExp.of(consumed.name()), SubExp.of(read.name()));
    Exp e = new Exp.Apply(callee.name(), args, List.of(false, true, false));
    Name n = s.code.let("call", type, e);
    Set<Name> roots = new HashSet<>(Set.of(n));
    if (!callee.results().get(0).unique()) {
      roots.addAll(read.roots());
    }
    s.add(new ArrayVariable(n, type, roots));
  }

  /**
   * Returns a function that {@link #call} can call; its result is one of its arrays or a fresh
   * array.
   */
  static FunDef callee(Random random, Rep rep, boolean positive, int steps) {
    ArrayScope s = new ArrayScope(new NameSource(0));
    Name size = s.fresh("p");
    Type.Array type = new Type.Array(PrimType.I32, List.of(SubExp.of(size)));
    s.sizes.add(SubExp.of(size));
    ArrayVariable consumed = s.fresh(s.fresh("us"), type);
    ArrayVariable read = s.fresh(s.fresh("vs"), type);
    s.fix(read);
    RandomSteps body = new RandomSteps(random, rep, List.of(PrimType.I32), positive, null, steps);
    body.all(s);
    boolean unique = random.nextBoolean();
    ArrayVariable result = body.next(s, type, unique, Set.of());
    List<Param> params =
        List.of(
            new Param(size, Type.I64),
            new Param(consumed.name(), type, true),
            new Param(read.name(), type));
    List<FunDef.Result> results = List.of(new FunDef.Result(s.fresh("res"), type, unique));
    return new FunDef(
        "f",
        List.of(),
        params,
        results,
        s.code.body(List.of(SubExp.of(result.name()))),
        null,
        s.code.names().next(),
        Loc.NONE);
  }

  // Slices by LMADs

  /**
   * Adds a read or an update of an LMAD slice with one or two dimensions of a one-dimensional
   * array.
   */
  private void flat(ArrayScope s) {
    List<ArrayVariable> from =
        s.live().stream().filter(a -> s.sizes.factors(a.type().shape().get(0)) != null).toList();
    from = from.stream().filter(a -> a.type().shape().size() == 1).toList();
    if (from.isEmpty()) {
      view(s);
      return;
    }
    ArrayVariable a = elements.pick(from);
    RandomSizes.Two factors = Objects.requireNonNull(s.sizes.factors(a.type().shape().get(0)));
    SubExp rows = factors.a();
    SubExp columns = factors.b();
    SubExp one = SubExp.i64(1);
    List<FlatSlice.Dim> whole =
        List.of(new FlatSlice.Dim(rows, columns), new FlatSlice.Dim(columns, one));
    SubExp column = elements.index(s, columns);
    FlatSlice slice =
        column != null && oneIn(2)
            ? new FlatSlice(column, List.of(new FlatSlice.Dim(rows, columns)))
            : new FlatSlice(SubExp.i64(0), oneIn(2) ? whole : whole.reversed());
    Type.Array part = new Type.Array(a.type().elem(), slice.shape());
    if (!s.mayConsume(a) || oneIn(2)) {
      // A view with repeated elements must not be consumed, so only a copy gets into scope.
      Name view = s.code.let("part", part, new BasicOp.FlatIndex(a.name(), slice));
      s.fresh(s.code.let("copy", part, ArrayGenerator.copy(view)), part);
      return;
    }
    ArrayVariable v = generator.any(s, part);
    if (!Collections.disjoint(v.roots(), a.roots())) {
      v = s.fresh(s.code.let("copy", part, ArrayGenerator.copy(v.name())), part);
    }
    if (!s.mayConsume(a)) {
      return;
    }
    s.consume(a);
    Exp e = new BasicOp.FlatUpdate(a.name(), slice, v.name());
    s.fresh(s.code.let("with", a.type(), e), a.type());
  }

  // Views

  private void view(ArrayScope s) {
    List<ArrayVariable> from = s.live();
    if (from.isEmpty()) {
      return;
    }
    ArrayVariable a = elements.pick(from);
    List<SubExp> dims = a.type().shape();
    PrimType t = a.type().elem();
    if (dims.size() == 2 && oneIn(3)) {
      Type.Array turned = new Type.Array(t, List.of(dims.get(1), dims.get(0)));
      Exp e = new BasicOp.Rearrange(a.name(), List.of(1, 0));
      s.add(new ArrayVariable(s.code.let("turned", turned, e), turned, a.roots()));
    } else if (dims.size() == 2 && oneIn(3)) {
      SubExp size = s.sizes.product(dims.get(0), dims.get(1), s.code);
      Type.Array flat = new Type.Array(t, List.of(size));
      Exp e = new BasicOp.Reshape(false, a.name(), flat.shape());
      s.add(new ArrayVariable(s.code.let("flat", flat, e), flat, a.roots()));
    } else if (dims.size() == 1 && s.sizes.factors(dims.get(0)) != null && oneIn(2)) {
      RandomSizes.Two factors = s.sizes.factors(dims.get(0));
      Type.Array rows = new Type.Array(t, List.of(factors.a(), factors.b()));
      Exp e = new BasicOp.Reshape(false, a.name(), rows.shape());
      s.add(new ArrayVariable(s.code.let("rows", rows, e), rows, a.roots()));
    } else {
      Slice slice = elements.slice(s, dims);
      if (slice.isElement()) {
        return;
      }
      Type.Array part = new Type.Array(t, slice.shape());
      Exp e = new BasicOp.Index(a.name(), slice);
      s.add(new ArrayVariable(s.code.let("part", part, e), part, a.roots()));
    }
  }

  private void concat(ArrayScope s) {
    Type.Array first = type(s);
    List<SubExp> shape = new ArrayList<>(first.shape());
    SubExp more = oneIn(2) ? shape.get(0) : elements.pick(s.sizes.all());
    SubExp size = s.sizes.sum(shape.get(0), more, s.code);
    shape.set(0, more);
    Name a = generator.any(s, first).name();
    Name b = generator.any(s, new Type.Array(first.elem(), shape)).name();
    shape.set(0, size);
    Type.Array t = new Type.Array(first.elem(), shape);
    s.fresh(s.code.let("concat", t, new BasicOp.Concat(0, List.of(a, b), size)), t);
  }

  // Updates

  private void update(ArrayScope s) {
    List<ArrayVariable> to = s.live().stream().filter(s::mayConsume).toList();
    if (to.isEmpty()) {
      generator.fresh(s, type(s));
      return;
    }
    ArrayVariable a = elements.pick(to);
    List<SubExp> dims = a.type().shape();
    Slice at = oneIn(3) ? elements.element(s, dims) : elements.slice(s, dims);
    if (at == null) {
      at = elements.slice(s, dims);
    }
    SubExp value;
    if (at.isElement()) {
      value = elements.scalar(s, a.type().elem());
    } else {
      ArrayVariable v = generator.any(s, new Type.Array(a.type().elem(), at.shape()));
      if (!Collections.disjoint(v.roots(), a.roots())) {
        v = s.fresh(s.code.let("copy", v.type(), ArrayGenerator.copy(v.name())), v.type());
      }
      if (oneIn(3)) {
        some(s, 1);
      }
      if (s.dead.containsAll(v.roots()) || !s.mayConsume(a) || !s.live().contains(v)) {
        return;
      }
      value = SubExp.of(v.name());
    }
    s.consume(a);
    Name n = s.code.let("with", a.type(), new BasicOp.Update(false, a.name(), at, value));
    s.fresh(n, a.type());
  }

  // Loops

  private void loop(ArrayScope s) {
    List<ArrayVariable> inits = new ArrayList<>();
    List<Boolean> unique = new ArrayList<>();
    Set<Name> taken = new HashSet<>();
    for (int k = random.nextInt(2); k >= 0; k--) {
      Type.Array t = inits.isEmpty() || oneIn(2) ? type(s) : inits.get(0).type();
      ArrayVariable a = generator.any(s, t);
      if (!Collections.disjoint(taken, a.roots())) {
        continue;
      }
      taken.addAll(a.roots());
      inits.add(a);
      unique.add(s.mayConsume(a) && oneIn(2));
    }
    for (int k = 0; k < inits.size(); k++) {
      if (unique.get(k)) {
        s.consume(inits.get(k));
      }
    }
    SubExp bound = oneIn(2) ? SubExp.i64(1 + random.nextInt(3)) : elements.pick(s.sizes.all());
    ArrayScope in = s.repeated(s.where);
    Name i = in.fresh("i");
    in.indices.add(new ArrayScope.Index(SubExp.of(i), bound));
    List<Exp.LoopParam> params = new ArrayList<>();
    List<ArrayVariable> carried = new ArrayList<>();
    for (int k = 0; k < inits.size(); k++) {
      Name p = in.fresh("param");
      ArrayVariable a = in.fresh(p, inits.get(k).type());
      if (!unique.get(k)) {
        in.fix(a);
      }
      carried.add(a);
      Param param = new Param(p, a.type(), unique.get(k));
      params.add(new Exp.LoopParam(param, SubExp.of(inits.get(k).name())));
    }
    some(in, 3);
    Set<Name> given = new HashSet<>();
    List<SubExp> results = new ArrayList<>();
    Set<Name> shared = new HashSet<>();
    for (int k = 0; k < inits.size(); k++) {
      ArrayVariable r = next(in, carried.get(k).type(), unique.get(k), given);
      given.addAll(r.roots());
      results.add(SubExp.of(r.name()));
      if (!unique.get(k)) {
        shared.addAll(r.roots());
      }
    }
    List<Type.Array> types = carried.stream().map(ArrayVariable::type).toList();
    List<PatElem> pat = ArrayGenerator.pattern(s, "loop", types);
    Exp.Form form = new Exp.Form.For(i, PrimType.I64, bound);
    Set<Name> roots = new HashSet<>(s.visible(shared));
    for (int k = 0; k < inits.size(); k++) {
      if (!unique.get(k)) {
        roots.addAll(inits.get(k).roots());
      }
    }
    roots.removeAll(s.dead);
    s.code.let(pat, new Exp.Loop(params, form, in.code.body(results)));
    results(s, pat, types, unique, roots);
  }

  /**
   * Adds results to the scope. Results that do not own their elements may share elements with
   * {@code roots} and with each other.
   */
  private static void results(
      ArrayScope s, List<PatElem> pat, List<Type.Array> types, List<Boolean> own, Set<Name> roots) {
    Set<Name> shared = new HashSet<>(roots);
    for (int k = 0; k < pat.size(); k++) {
      if (!own.get(k)) {
        shared.add(pat.get(k).name());
      }
    }
    for (int k = 0; k < pat.size(); k++) {
      Name n = pat.get(k).name();
      if (own.get(k)) {
        s.fresh(n, types.get(k));
      } else {
        s.add(new ArrayVariable(n, types.get(k), shared));
      }
    }
  }

  /** Returns an array for a loop parameter's value in the next iteration. */
  private ArrayVariable next(ArrayScope in, Type.Array type, boolean unique, Set<Name> given) {
    List<ArrayVariable> there = new ArrayList<>(in.live(type));
    there.removeIf(a -> !Collections.disjoint(a.roots(), given));
    if (unique) {
      there.removeIf(a -> !in.mayConsume(a));
    }
    return there.isEmpty() || oneIn(3) ? generator.fresh(in, type) : elements.pick(there);
  }

  // Branches

  private void branches(ArrayScope s) {
    SubExp cond = elements.condition(s, elem());
    List<Type.Array> types = new ArrayList<>();
    for (int k = random.nextInt(2); k >= 0; k--) {
      List<ArrayVariable> there = s.live();
      boolean like = !there.isEmpty() && oneIn(2);
      types.add(like ? elements.pick(there).type() : type(s));
    }
    Set<Name> roots = new HashSet<>();
    Set<Name> dead = new HashSet<>();
    List<Body> bodies = new ArrayList<>();
    for (int k = 0; k < 2; k++) {
      ArrayScope in = s.branch();
      if (mayGoOn()) {
        some(in, 2);
      }
      List<SubExp> results = new ArrayList<>();
      for (Type.Array t : types) {
        ArrayVariable r = generator.any(in, t);
        roots.addAll(r.roots());
        results.add(SubExp.of(r.name()));
      }
      bodies.add(in.code.body(results));
      dead.addAll(in.dead);
    }
    s.dead.addAll(s.visible(dead));
    List<PatElem> pat = ArrayGenerator.pattern(s, "branch", types);
    s.code.let(pat, Exp.Match.conditional(cond, bodies.get(0), bodies.get(1)));
    Set<Name> visible = s.visible(roots);
    visible.removeAll(s.dead);
    results(s, pat, types, Collections.nCopies(types.size(), false), visible);
  }
}
