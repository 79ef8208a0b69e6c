package futharkc.core.language.uniqueness;

import futharkc.core.ir.Loc;
import futharkc.core.language.DiagnosticException;
import futharkc.core.language.Diagnostics;
import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.Exp.Access;
import futharkc.core.language.typed.Exp.Binding;
import futharkc.core.language.typed.Exp.Dim;
import futharkc.core.language.typed.MetaType;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Pat;
import futharkc.core.language.typed.Type;
import futharkc.core.language.typed.ValDef;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The uniqueness check of one definition. It checks that no array is used after the consumption of
 * the array or of an alias. It checks that the function consumes only arrays that it owns, and that
 * unique results have no aliases. The check follows the order of evaluation and computes the
 * aliases of every value.
 */
public final class UniquenessCheck {
  private final ConsumptionState uses = new ConsumptionState();
  private final Map<Name, AliasedValue> variables = new HashMap<>();
  private final Map<Name, Ref> globals = new HashMap<>();
  private final LoopUniqueness loops = new LoopUniqueness(this, uses);

  /** True if functions may return top-level values. */
  private final boolean instance;

  private final SharedResults sharedResults;

  private UniquenessCheck(boolean instance, SharedResults sharedResults) {
    this.instance = instance;
    this.sharedResults = sharedResults;
  }

  /**
   * Checks a top-level definition and reports its first error. All definitions that it uses must
   * already be checked, and their uses must have the returned types.
   *
   * @param instance whether the definition belongs to an applied parametric module; then the types
   *     of the module's parameter do not restrict the values that functions return
   * @param sharedResults the checked functions whose results share memory with themselves; the
   *     check adds the definition if it is such a function
   * @return the definition; without a written result type, its result has the inferred unique marks
   */
  public static ValDef check(
      ValDef def, boolean instance, SharedResults sharedResults, Diagnostics diagnostics) {
    try {
      var check = new UniquenessCheck(instance, sharedResults);
      if (!def.params().isEmpty()) {
        Function checked = check.function(def);
        sharedResults.add(def.name(), checked.body.selfAliased, checked.body.pairing);
        return checked.def;
      }
      if (def.resultTyped() && isUnique(def.result().type())) {
        throw UniquenessErrors.uniqueConstant(def.name().base(), def.loc());
      }
      AliasedValue body = check.eval(def.body());
      if (def.resultTyped()) {
        check.conform(body, def.result().type(), def.loc(), true);
      }
      return def;
    } catch (DiagnosticException e) {
      diagnostics.report(e);
      return def;
    }
  }

  /**
   * Tests whether the type of a constant permits its consumption. Marks in the type of a
   * constructor have no meaning.
   */
  private static boolean isUnique(Type t) {
    return switch (t) {
      case Type.Record r -> r.fields().values().stream().anyMatch(UniquenessCheck::isUnique);
      case Type.Array a -> a.unique();
      case Type.Named n -> n.unique();
      case Type.Prim _, Type.Sum _, Type.Fun _, MetaType _ -> false;
    };
  }

  /**
   * A checked function.
   *
   * @param captured the references that the function captures
   */
  private record Function(ValDef def, Set<Ref> captured, Checked body) {}

  /**
   * The result of a function's body.
   *
   * @param selfAliased whether the result shares memory with itself
   * @param pairing whether two arrays of the result come from different parameters
   */
  private record Checked(Type type, boolean selfAliased, boolean pairing) {}

  private Function function(ValDef def) {
    uses.enterFunction();
    Checked body = body(def.params(), def.body(), def.result().type(), def.resultTyped());
    Type result = body.type;
    Set<Ref> captured = uses.leaveFunction();
    ValDef checked =
        new ValDef(
            def.name(),
            def.sizeParams(),
            def.typeParams(),
            def.params(),
            new Type.Result(def.result().sizes(), result),
            def.resultTyped(),
            UniqueMarks.withResult(def.type(), def.params().size(), result),
            def.body(),
            def.recursive(),
            def.attrs(),
            def.doc(),
            def.loc());
    return new Function(checked, captured, body);
  }

  private AliasedValue lambda(Exp.Lambda e) {
    uses.enterFunction();
    Type result = body(e.params(), e.body(), e.result().type(), e.resultTyped()).type;
    Set<Ref> captured = uses.leaveFunction();
    return new AliasedValue.Closure(
        captured, UniqueMarks.withResult(e.type(), e.params().size(), result));
  }

  /** Checks the body of a function and returns its result type with final marks. */
  private Checked body(List<Pat> params, Exp body, Type result, boolean typed) {
    for (Pat p : params) {
      bindParam(p, UniqueMarks.anyUnique(p.type()));
    }
    for (Pat p : params) {
      sizes(p.type());
    }
    AliasedValue value = eval(body);
    if (!instance) {
      globals(value, body.loc());
    }
    if (!typed) {
      return new Checked(deserved(result, value), isSelfAliased(value), isPairing(params, value));
    }
    conform(value, result, body.loc(), true);
    SharedArrays sharing = new SharedArrays(value);
    uniqueParts(
        result,
        value,
        refs -> {
          for (Ref ref : refs) {
            if (!uses.consumable(ref)) {
              throw UniquenessErrors.returnAliased(ref, body.loc());
            }
          }
          if (sharing.isShared(refs) || refs.stream().anyMatch(Ref::isSharing)) {
            throw UniquenessErrors.returnSelfAliased(body.loc());
          }
        });
    return new Checked(result, isSelfAliased(value), isPairing(params, value));
  }

  /** Tests whether two arrays of a value come from different parameters. */
  private boolean isPairing(List<Pat> params, AliasedValue v) {
    List<Set<Ref>> leaves = v.leaves();
    if (params.size() < 2 || leaves.size() < 2) {
      return false;
    }
    Set<Integer> before = new HashSet<>();
    for (Set<Ref> refs : leaves) {
      Set<Integer> here = new HashSet<>();
      for (int i = 0; i < params.size(); i++) {
        if (!Collections.disjoint(refs, refs(params.get(i)))) {
          here.add(i);
        }
      }
      if (!here.isEmpty() && !before.isEmpty() && !(here.equals(before) && here.size() == 1)) {
        return true;
      }
      before.addAll(here);
    }
    return false;
  }

  /** Returns the references of the variables in a pattern. */
  private Set<Ref> refs(Pat p) {
    Set<Ref> refs = new HashSet<>();
    switch (p) {
      case Pat.Var v -> {
        AliasedValue value = variables.get(v.name());
        if (value != null) {
          refs.addAll(value.refs());
        }
      }
      case Pat.Record r -> r.fields().values().forEach(f -> refs.addAll(refs(f)));
      case Pat.Constr c -> c.payload().forEach(f -> refs.addAll(refs(f)));
      case Pat.Wildcard _, Pat.Literal _ -> {}
    }
    return refs;
  }

  /**
   * Tests whether arrays of a value certainly share memory: two of them are the same variable, or
   * one comes from a function whose result shares memory with itself.
   */
  private static boolean isSelfAliased(AliasedValue v) {
    Set<Ref> seen = new HashSet<>();
    for (Set<Ref> refs : v.leaves()) {
      for (Ref ref : refs) {
        if (ref.isSharing()) {
          return true;
        }
        boolean same = refs.size() == 1 && ref.arrays == Ref.Arrays.ONE;
        if (same && !seen.add(ref) && v.sharing(refs) > 1) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Returns an unwritten result type with inferred marks: each component without aliases is unique.
   */
  private Type deserved(Type t, AliasedValue v) {
    return deserved(t, v, new SharedArrays(v));
  }

  private Type deserved(Type t, AliasedValue part, SharedArrays whole) {
    if (t instanceof Type.Record r) {
      SortedMap<String, Type> fields = new TreeMap<>(Type.FIELD_ORDER);
      r.fields().forEach((f, ft) -> fields.put(f, deserved(ft, part.part(f, ft), whole)));
      return new Type.Record(fields);
    }
    boolean alone = part.refs().stream().allMatch(r -> uses.consumable(r) && !r.isSharing());
    alone = alone && part.leaves().stream().noneMatch(whole::isShared);
    return alone ? UniqueMarks.unique(t) : t;
  }

  private interface PartCheck {
    void check(Set<Ref> refs);
  }

  private static void uniqueParts(Type t, AliasedValue v, PartCheck check) {
    switch (t) {
      case Type.Record r -> r.fields().forEach((f, ft) -> uniqueParts(ft, v.part(f, ft), check));
      case Type.Sum s ->
          s.variants()
              .forEach(
                  (c, ts) -> {
                    for (int i = 0; i < ts.size(); i++) {
                      uniqueParts(ts.get(i), v.part(AliasedValue.payload(c, i), ts.get(i)), check);
                    }
                  });
      case Type.Array a -> {
        if (a.unique()) {
          check.check(v.refs());
        }
      }
      case Type.Named n -> {
        if (n.unique()) {
          check.check(v.refs());
        }
      }
      case Type.Prim _ -> {}
      case Type.Fun _ -> {}
      case MetaType _ -> {}
    }
  }

  private static void globals(AliasedValue v, Loc loc) {
    switch (v) {
      case AliasedValue.Leaf l -> {
        for (Ref ref : l.refs()) {
          if (ref.isGlobal()) {
            throw UniquenessErrors.aliasesGlobal(ref, loc);
          }
        }
      }
      case AliasedValue.Node n -> n.parts().values().forEach(p -> globals(p, loc));
      case AliasedValue.Closure _ -> {}
    }
  }

  /**
   * Checks that functions in a value consume no more than the expected type permits, and that their
   * results are at least as unique.
   */
  private void conform(AliasedValue v, Type expected, Loc loc, boolean ascribed) {
    if (v instanceof AliasedValue.Closure c) {
      conform(c.type(), expected, loc, ascribed);
    }
    if (expected instanceof Type.Record r) {
      r.fields().forEach((f, ft) -> conform(v.part(f, ft), ft, loc, ascribed));
    }
  }

  private void conform(Type actual, Type expected, Loc loc, boolean ascribed) {
    if (!(actual instanceof Type.Fun a) || !(expected instanceof Type.Fun e)) {
      return;
    }
    if (UniqueMarks.anyUnique(a.from()) && !UniqueMarks.anyUnique(e.from())) {
      throw ascribed
          ? UniquenessErrors.unexpectedFunction(loc)
          : UniquenessErrors.incompatibleParameters(loc);
    }
    Type to = e.result().type();
    if (to instanceof Type.Fun) {
      conform(a.result().type(), to, loc, ascribed);
    } else if (UniqueMarks.anyUnique(to) && UniqueMarks.anyShared(a.result().type())) {
      throw ascribed
          ? UniquenessErrors.unexpectedFunction(loc)
          : UniquenessErrors.incompatibleResults(loc);
    }
  }

  // Patterns

  private void bindParam(Pat p, boolean consumable) {
    switch (p) {
      case Pat.Var v -> variables.put(v.name(), parameter(v.name(), v.type(), consumable));
      case Pat.Record r -> r.fields().values().forEach(f -> bindParam(f, consumable));
      case Pat.Constr c -> c.payload().forEach(f -> bindParam(f, consumable));
      case Pat.Wildcard _ -> {}
      case Pat.Literal _ -> {}
    }
  }

  /**
   * Returns a parameter in which each array has its own memory. A type that consumes only some
   * components makes them share one reference.
   */
  AliasedValue parameter(Name name, Type t, boolean consumable) {
    boolean mixed = UniqueMarks.anyUnique(t) && UniqueMarks.anyShared(t);
    Set<Ref> whole = Set.of(Ref.whole(name.base(), uses.level, consumable));
    AliasedValue v =
        AliasedValue.of(t, Set.of())
            .map(refs -> mixed ? whole : Set.of(Ref.variable(name.base(), uses.level, consumable)));
    return functionsNotConsumable(v, name);
  }

  private AliasedValue functionsNotConsumable(AliasedValue v, Name name) {
    return switch (v) {
      case AliasedValue.Leaf l -> l;
      case AliasedValue.Closure c ->
          new AliasedValue.Closure(Set.of(Ref.variable(name.base(), uses.level, false)), c.type());
      case AliasedValue.Node n ->
          n.parts().isEmpty()
              ? n
              : new AliasedValue.Node(
                  UniqueMarks.mapped(n.parts(), p -> functionsNotConsumable(p, name)));
    };
  }

  /**
   * Binds a pattern's names. Arrays without other aliases can be consumed under their new names.
   */
  void bind(Pat p, AliasedValue v) {
    switch (p) {
      case Pat.Var x -> variables.put(x.name(), ownedBy(v, x.name()));
      case Pat.Record r -> r.fields().forEach((f, fp) -> bind(fp, v.part(f, fp.type())));
      case Pat.Constr c -> {
        for (int i = 0; i < c.payload().size(); i++) {
          Pat part = c.payload().get(i);
          bind(part, v.part(AliasedValue.payload(c.name(), i), part.type()));
        }
      }
      case Pat.Wildcard _ -> {}
      case Pat.Literal _ -> {}
    }
  }

  private AliasedValue ownedBy(AliasedValue v, Name name) {
    return switch (v) {
      case AliasedValue.Leaf l ->
          l.refs().isEmpty()
              ? new AliasedValue.Leaf(Set.of(Ref.variable(name.base(), uses.level, true)))
              : l;
      case AliasedValue.Closure c -> c;
      case AliasedValue.Node n ->
          n.parts().isEmpty()
              ? n
              : new AliasedValue.Node(UniqueMarks.mapped(n.parts(), p -> ownedBy(p, name)));
    };
  }

  void put(Name name, AliasedValue v) {
    variables.put(name, v);
  }

  /** Checks that size expressions in a parameter's type consume nothing. */
  private void sizes(Type t) {
    switch (t) {
      case Type.Array a -> {
        if (a.size() instanceof Type.Size.Of s) {
          uses.level++;
          eval(s.exp());
          uses.level--;
        }
        sizes(a.elem());
      }
      case Type.Record r -> r.fields().values().forEach(this::sizes);
      case Type.Sum s -> s.variants().values().forEach(ts -> ts.forEach(this::sizes));
      case Type.Prim _ -> {}
      case Type.Fun _ -> {}
      case Type.Named _ -> {}
      case MetaType _ -> {}
    }
  }

  // Expressions

  /** Evaluates an expression. Chains of operands need no recursion. */
  AliasedValue eval(Exp e) {
    int before = uses.consumptions();
    Deque<Pending> pending = new ArrayDeque<>();
    Exp at = e;
    for (Exp first = chained(at); first != null; first = chained(at)) {
      pending.push(
          new Pending(
              at, at instanceof Exp.With w ? written(w) : AliasedValue.Node.SCALAR, before));
      at = first;
    }
    AliasedValue v = evalNode(at);
    while (!pending.isEmpty()) {
      v = evalRest(pending.pop(), v);
    }
    return v;
  }

  /**
   * An expression in a chain whose operand is being evaluated.
   *
   * @param written the value that an update writes, evaluated before the operand
   * @param before the number of consumptions before the operand
   */
  private record Pending(Exp exp, AliasedValue written, int before) {}

  /**
   * Returns the operand by which an expression forms a chain, or null. All other operands are
   * evaluated after it, except the value that an update writes.
   */
  private static @Nullable Exp chained(Exp e) {
    return switch (e) {
      case Exp.BinOp b -> b.left();
      case Exp.And a -> a.left();
      case Exp.Or o -> o.left();
      case Exp.UnOp u -> u.exp();
      case Exp.Apply a -> a.args().get(0);
      case Exp.Coerce c -> c.exp();
      case Exp.Attributed a -> a.exp();
      case Exp.Index i -> i.array() instanceof Exp.Var ? null : i.array();
      case Exp.Project p -> p.exp() instanceof Exp.Var ? null : p.exp();
      case Exp.With w -> w.src();
      case Exp.Lit _, Exp.StringLit _, Exp.Var _, Exp.Hole _, Exp.Record _, Exp.ArrayLit _ -> null;
      case Exp.Constr _, Exp.Range _, Exp.Let _, Exp.If _, Exp.Match _, Exp.Loop _ -> null;
      case Exp.Lambda _, Exp.Assert _ -> null;
    };
  }

  private AliasedValue evalRest(Pending pending, AliasedValue first) {
    Exp e = pending.exp;
    return switch (e) {
      case Exp.BinOp b -> {
        eval(b.right());
        uses.use(first, UniquenessErrors.describe(b.left()), b.left().loc());
        yield AliasedValue.Node.SCALAR;
      }
      case Exp.And a -> {
        eval(a.right());
        yield AliasedValue.Node.SCALAR;
      }
      case Exp.Or o -> {
        eval(o.right());
        yield AliasedValue.Node.SCALAR;
      }
      case Exp.UnOp _ -> AliasedValue.Node.SCALAR;
      case Exp.Apply a -> {
        mayNotConsume(a.args().get(0), pending.before);
        yield apply(a, first);
      }
      case Exp.Coerce _ -> first;
      case Exp.Attributed _ -> first;
      case Exp.Index i -> {
        dims(i.dims());
        uses.use(first, UniquenessErrors.describe(i.array()), i.loc());
        yield AliasedValue.of(i.type(), first.refs());
      }
      case Exp.Project p -> first.part(p.field(), p.type());
      case Exp.With w -> with(w, first, pending.written);
      case Exp.Lit _, Exp.StringLit _, Exp.Var _, Exp.Hole _, Exp.Record _, Exp.ArrayLit _ ->
          throw misplaced(e);
      case Exp.Constr _, Exp.Range _, Exp.Let _, Exp.If _, Exp.Match _, Exp.Loop _ ->
          throw misplaced(e);
      case Exp.Lambda _, Exp.Assert _ -> throw misplaced(e);
    };
  }

  private AliasedValue evalNode(Exp e) {
    return switch (e) {
      case Exp.Lit _ -> AliasedValue.Node.SCALAR;
      case Exp.StringLit s -> AliasedValue.of(s.type(), Set.of());
      case Exp.Hole h -> AliasedValue.of(h.type(), Set.of());
      case Exp.Var v -> {
        AliasedValue value = variable(v);
        uses.use(value, UniquenessErrors.describe(v), v.loc());
        yield value;
      }
      case Exp.Record r -> record(r);
      case Exp.ArrayLit a -> {
        List<AliasedValue> elems = new ArrayList<>();
        for (Exp elem : a.elems()) {
          elems.add(eval(elem));
        }
        recheck(a.elems(), elems);
        yield AliasedValue.of(a.type(), Set.of());
      }
      case Exp.Index i -> {
        // The array is a variable. Its use counts after the evaluation of the indices.
        dims(i.dims());
        AliasedValue array = variable((Exp.Var) i.array());
        uses.use(array, UniquenessErrors.describe(i.array()), i.loc());
        yield AliasedValue.of(i.type(), array.refs());
      }
      case Exp.Project p -> {
        AliasedValue part = variable((Exp.Var) p.exp()).part(p.field(), p.type());
        uses.use(part, UniquenessErrors.describe(p.exp()), p.loc());
        yield part;
      }
      case Exp.Constr c -> {
        List<AliasedValue> args = new ArrayList<>();
        for (Exp arg : c.args()) {
          args.add(eval(arg));
        }
        recheck(c.args(), args);
        AliasedValue v = AliasedValue.of(c.type(), Set.of());
        for (int i = 0; i < args.size(); i++) {
          v = v.with(AliasedValue.payload(c.name(), i), args.get(i));
        }
        yield v;
      }
      case Exp.Range r -> {
        eval(r.start());
        if (r.second() != null) {
          eval(r.second());
        }
        eval(r.end());
        yield AliasedValue.of(r.type(), Set.of());
      }
      case Exp.Let l -> {
        for (Binding b : l.bindings()) {
          binding(b);
        }
        yield eval(l.body());
      }
      case Exp.If i -> {
        eval(i.cond());
        int mark = uses.mark();
        AliasedValue then = eval(i.then());
        List<ConsumptionState.Consumption> consumed = uses.undo(mark);
        AliasedValue otherwise = eval(i.otherwise());
        uses.redo(consumed);
        yield survivors(then.or(otherwise));
      }
      case Exp.Match m -> match(m);
      case Exp.Loop l -> loops.loop(l);
      case Exp.Lambda l -> lambda(l);
      case Exp.Assert a -> {
        eval(a.cond());
        yield eval(a.exp());
      }
      case Exp.BinOp _, Exp.And _, Exp.Or _, Exp.UnOp _, Exp.Apply _ -> throw misplaced(e);
      case Exp.Coerce _, Exp.Attributed _, Exp.With _ -> throw misplaced(e);
    };
  }

  private static IllegalStateException misplaced(Exp e) {
    return new IllegalStateException("not the kind of expression: " + e.getClass());
  }

  private AliasedValue variable(Exp.Var v) {
    AliasedValue local = variables.get(v.name());
    if (local instanceof AliasedValue.Closure c && v.type() instanceof Type.Fun) {
      return new AliasedValue.Closure(c.refs(), UniqueMarks.withResultsOf(v.type(), c.type()));
    }
    if (local != null) {
      return local;
    }
    if (v.type() instanceof Type.Fun) {
      return new AliasedValue.Closure(Set.of(), v.type());
    }
    if (!v.sizeArgs().isEmpty()) {
      return AliasedValue.of(v.type(), Set.of());
    }
    return global(v.type(), globals.computeIfAbsent(v.name(), n -> Ref.global(n.base())));
  }

  /**
   * Returns a top-level value. The captures of its functions do not matter, because it cannot be
   * consumed.
   */
  private static AliasedValue global(Type t, Ref ref) {
    return switch (t) {
      case Type.Fun f -> new AliasedValue.Closure(Set.of(), f);
      case Type.Record r ->
          new AliasedValue.Node(UniqueMarks.mapped(r.fields(), f -> global(f, ref)));
      case Type.Named _ -> AliasedValue.of(t, Set.of(Ref.hidden(ref)));
      case Type.Prim _, Type.Array _, Type.Sum _, MetaType _ -> AliasedValue.of(t, Set.of(ref));
    };
  }

  private AliasedValue record(Exp.Record r) {
    List<Exp> exps = new ArrayList<>();
    List<AliasedValue> values = new ArrayList<>();
    var parts = new TreeMap<String, AliasedValue>(Type.FIELD_ORDER);
    for (String f : r.order()) {
      Exp exp = r.fields().get(f);
      if (exp == null) {
        throw new IllegalStateException("no such field: " + f);
      }
      AliasedValue v = eval(exp);
      exps.add(exp);
      values.add(v);
      parts.put(f, v);
    }
    recheck(exps, values);
    return new AliasedValue.Node(parts);
  }

  /** Checks that later operands have not consumed values of earlier operands. */
  private void recheck(List<Exp> exps, List<AliasedValue> values) {
    for (int i = 0; i < values.size(); i++) {
      uses.use(values.get(i), UniquenessErrors.describe(exps.get(i)), exps.get(i).loc());
    }
  }

  private void dims(List<Dim> dims) {
    for (Dim d : dims) {
      switch (d) {
        case Dim.Fix f -> eval(f.index());
        case Dim.Slice s -> {
          if (s.start() != null) {
            eval(s.start());
          }
          if (s.end() != null) {
            eval(s.end());
          }
          if (s.stride() != null) {
            eval(s.stride());
          }
        }
      }
    }
  }

  private AliasedValue apply(Exp.Apply a, AliasedValue firstArg) {
    List<AliasedValue> args = new ArrayList<>();
    args.add(firstArg);
    for (int i = 1; i < a.args().size(); i++) {
      int before = uses.consumptions();
      args.add(eval(a.args().get(i)));
      mayNotConsume(a.args().get(i), before);
    }
    AliasedValue fun = eval(a.fun());
    recheck(a.args(), args);

    Type type = fun instanceof AliasedValue.Closure c ? c.type() : a.fun().type();
    Set<Ref> reachable = fun.refs();
    boolean equalArgs = false;
    for (int i = 0; i < args.size(); i++) {
      if (!(type instanceof Type.Fun f)) {
        throw new IllegalStateException("not a function: " + type);
      }
      AliasedValue arg = args.get(i);
      Exp exp = a.args().get(i);
      conform(arg, f.from(), exp.loc(), false);
      if (UniqueMarks.anyUnique(f.from())) {
        consumeArg(a, args, i);
      } else {
        equalArgs |= !Collections.disjoint(reachable, arg.refs());
        reachable = AliasedValue.union(reachable, arg.refs());
      }
      type = f.result().type();
    }
    return type instanceof Type.Fun
        ? new AliasedValue.Closure(reachable, type)
        : called(a, type, reachable, equalArgs);
  }

  /**
   * Returns the result of a call. Its components may alias each other unless they are marked
   * unique.
   *
   * @param equalArgs whether two arguments that are not consumed share memory
   */
  private AliasedValue called(Exp.Apply a, Type type, Set<Ref> reachable, boolean equalArgs) {
    AliasedValue v = AliasedValue.result(type, reachable);
    boolean sharing =
        a.fun() instanceof Exp.Var f
            && (sharedResults.isAlways(f.name())
                || equalArgs
                    && type instanceof Type.Named
                    && sharedResults.isOfEqualArguments(f.name()));
    if (v.leaves().size() < 2 && !sharing) {
      return v;
    }
    String label = "the result of applying " + UniquenessErrors.describe(a.fun());
    Ref.Arrays arrays = sharing ? Ref.Arrays.SHARING : Ref.Arrays.ANY;
    Set<Ref> self = Set.of(new Ref(label, uses.level, true, arrays));
    return AliasedValue.result(type, AliasedValue.union(reachable, self));
  }

  private void consumeArg(Exp.Apply a, List<AliasedValue> args, int i) {
    AliasedValue arg = args.get(i);
    Exp exp = a.args().get(i);
    SharedArrays sharing = new SharedArrays(arg);
    if (arg.leaves().stream().anyMatch(sharing::isShared)
        || arg.refs().stream().anyMatch(Ref::isSharing)) {
      throw UniquenessErrors.selfAliasedArgument(exp.loc());
    }
    Set<Ref> consumed = arg.refs();
    for (int j = 0; j < args.size(); j++) {
      if (j == i) {
        continue;
      }
      for (Ref ref : args.get(j).refs()) {
        if (consumed.contains(ref)) {
          throw UniquenessErrors.sharedArgument(ref, exp.loc(), a.args().get(j).loc());
        }
      }
    }
    uses.consume(arg, UniquenessErrors.describe(exp), exp.loc());
  }

  private void mayNotConsume(Exp arg, int before) {
    if (uses.consumptions() > before && UniqueMarks.anyFunction(arg.type())) {
      throw UniquenessErrors.argumentConsumes(arg.loc());
    }
  }

  /** Evaluates the indices and the value of an update, which precede the source. */
  private AliasedValue written(Exp.With w) {
    for (Access a : w.path()) {
      if (a instanceof Access.Elem elem) {
        dims(elem.dims());
      }
    }
    return eval(w.value());
  }

  private AliasedValue with(Exp.With w, AliasedValue src, AliasedValue value) {
    uses.use(value, UniquenessErrors.describe(w.value()), w.value().loc());
    AliasedValue part = src;
    List<String> fields = new ArrayList<>();
    for (Access a : w.path()) {
      if (a instanceof Access.Field f && part instanceof AliasedValue.Node) {
        fields.add(f.name());
        part = part.part(f.name(), w.value().type());
      }
    }
    if (w.path().stream().noneMatch(Access.Elem.class::isInstance)) {
      return replaced(src, fields, 0, value);
    }
    for (Ref ref : value.refs()) {
      if (part.refs().contains(ref)) {
        throw UniquenessErrors.updateAliases(ref, w.value().loc());
      }
    }
    uses.consume(part, UniquenessErrors.describe(w.src()), w.src().loc());
    return replaced(src, fields, 0, part.map(refs -> Set.of()));
  }

  private static AliasedValue replaced(
      AliasedValue v, List<String> fields, int from, AliasedValue part) {
    if (from == fields.size()) {
      return part;
    }
    if (!(v instanceof AliasedValue.Node n)) {
      return v.or(part);
    }
    String field = fields.get(from);
    AliasedValue inner = n.parts().get(field);
    return inner == null ? v.or(part) : v.with(field, replaced(inner, fields, from + 1, part));
  }

  private void binding(Binding b) {
    switch (b) {
      case Binding.OfPat p -> {
        int before = uses.consumptions();
        AliasedValue v = eval(p.value());
        if (uses.consumptions() > before && UniqueMarks.anyFunction(p.value().type())) {
          throw UniquenessErrors.letConsumes(p.value().loc());
        }
        bind(p.pat(), v);
      }
      case Binding.OfFun f -> {
        ValDef def = f.def();
        if (def.params().isEmpty()) {
          variables.put(def.name(), ownedBy(eval(def.body()), def.name()));
        } else {
          Function fun = function(def);
          variables.put(def.name(), new AliasedValue.Closure(fun.captured, fun.def.type()));
        }
      }
    }
  }

  private AliasedValue match(Exp.Match m) {
    AliasedValue scrutinee = eval(m.exp());
    int mark = uses.mark();
    List<ConsumptionState.Consumption> consumed = new ArrayList<>();
    AliasedValue result = null;
    for (Exp.Case c : m.cases()) {
      bind(c.pat(), scrutinee);
      AliasedValue v = eval(c.body());
      result = result == null ? v : result.or(v);
      consumed.addAll(uses.undo(mark));
    }
    uses.redo(consumed);
    return result == null ? AliasedValue.of(m.type(), Set.of()) : survivors(result);
  }

  /**
   * Returns the result of a branch without the aliases that another branch has consumed. No code
   * can use these arrays afterwards, so the result owns them.
   */
  private AliasedValue survivors(AliasedValue v) {
    Map<Ref, Ref> heirs = new HashMap<>();
    for (Ref ref : v.refs()) {
      if (uses.isConsumed(ref)) {
        heirs.put(ref, new Ref(ref.label, uses.level, true));
      }
    }
    if (heirs.isEmpty()) {
      return v;
    }
    return v.map(
        refs -> {
          Set<Ref> now = Set.of();
          for (Ref ref : refs) {
            now = AliasedValue.union(now, Set.of(heirs.getOrDefault(ref, ref)));
          }
          return now;
        });
  }
}
