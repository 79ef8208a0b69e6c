package futharkc.core.language.lower;

import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Type;
import futharkc.core.language.typed.ValDef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The functions and constants of the lowered program. */
final class Functions {
  /** The number of expressions up to which a definition is inlined at every use. */
  private static final int SMALL = 60;

  /** The number of expressions up to which a definition with functional parameters is inlined. */
  private static final int MEDIUM = 400;

  private final Elaborator el;
  private final Map<Name, ValDef> defs;

  /** The constant whose evaluation computes a size, keyed by the size. */
  private final Map<Name, Name> resultSizes = new HashMap<>();

  private final Set<String> taken;
  private final Map<String, FunDef> functions = new LinkedHashMap<>();
  private final Map<String, Signature> made = new HashMap<>();
  private final Map<String, List<Boolean>> uniqueResults = new HashMap<>();
  private final Map<Name, LoweredValue> constants = new HashMap<>();
  private final Set<Name> inProgress = new HashSet<>();
  private final Emit.State constantState;
  private final ExpressionStatistics statistics = ExpressionStatistics.empty();
  private final Map<Name, Integer> weights = new HashMap<>();
  private final Map<Object, Integer> numbers = new IdentityHashMap<>();
  private boolean honoursUnsafe = true;

  Functions(Elaborator el, Map<Name, ValDef> defs, Set<String> reserved) {
    this.el = el;
    this.defs = defs;
    this.taken = new HashSet<>(reserved);
    for (ValDef d : defs.values()) {
      if (!d.params().isEmpty()) {
        continue;
      }
      for (Name n : d.result().sizes()) {
        resultSizes.put(n, d.name());
      }
    }
    this.constantState = el.emit.outermost(Loc.NONE);
  }

  /**
   * The interface of a generated function. Sizes and types are in terms of its parameters.
   *
   * @param sizes the results that are sizes of later results
   */
  private record Signature(
      String name,
      List<SubExp> params,
      List<Boolean> consumed,
      List<futharkc.core.ir.Name> sizes,
      Ty result) {}

  boolean honoursUnsafe() {
    return honoursUnsafe;
  }

  void setHonoursUnsafe(boolean honours) {
    honoursUnsafe = honours;
  }

  Map<String, FunDef> functions() {
    return functions;
  }

  /** Returns a unique number for a definition or function expression. */
  int number(Object node) {
    return numbers.computeIfAbsent(node, n -> numbers.size());
  }

  /** Returns the uniqueness of each result of a function. */
  List<Boolean> uniqueResults(String function) {
    return java.util.Objects.requireNonNull(uniqueResults.get(function));
  }

  /** Returns the statements of the constants. */
  List<Stm> constantStms() {
    return constantState.block().stms();
  }

  ValDef definition(Name name) {
    ValDef d = defs.get(name);
    if (d == null) {
      throw new IllegalStateException("undefined name " + name);
    }
    return d;
  }

  /**
   * Returns the value of a definition without parameters of any kind, evaluated once for the
   * program. Returns null for other definitions.
   */
  @Nullable LoweredValue constant(Name name) {
    LoweredValue known = constants.get(name);
    if (known != null) {
      return known;
    }
    ValDef def = defs.get(resultSizes.getOrDefault(name, name));
    if (def == null
        || !def.params().isEmpty()
        || !def.sizeParams().isEmpty()
        || !def.typeParams().isEmpty()) {
      return null;
    }
    LoweredValue value = evaluate(def);
    return def.name().equals(name) ? value : constants.get(name);
  }

  private LoweredValue evaluate(ValDef def) {
    if (!inProgress.add(def.name())) {
      throw new IllegalStateException("cyclic definition " + def.name());
    }
    Emit.State outer = el.emit.state();
    el.emit.restore(constantState);
    Frame f = new Frame(null);
    LoweredValue v = el.eval(def.body(), f);
    el.bindResult(def.result().type(), def.result().sizes(), v, f);
    el.emit.restore(outer);
    for (Name n : def.result().sizes()) {
      LoweredValue size = f.get(n);
      if (size != null) {
        constants.put(n, size);
      }
    }
    constants.put(def.name(), v);
    return v;
  }

  // --- Inlining ---

  /** Tests whether an application is replaced by the function's body. */
  boolean inlines(ValDef def, List<LoweredValue> args, Frame f) {
    if (def.recursive()) {
      return false;
    }
    if (el.debugging != null && el.debugging.inlines(def)) {
      return true;
    }
    Ty result = el.types.eval(def.result().type(), f, el.types::simpleSize);
    if (result.hasFunctions() || hasAccumulators(result)) {
      return true;
    }
    if (args.stream().anyMatch(v -> hasAccumulators(v.type()))) {
      return true;
    }
    if (hasAttr(def, "noinline") || el.emit.attrs().contains("noinline")) {
      return false;
    }
    if (hasAttr(def, "inline")) {
      return true;
    }
    if (weight(def) <= SMALL) {
      return true;
    }
    boolean capturing =
        !defs.containsKey(def.name()) || args.stream().anyMatch(LoweredValue::hasFunctions);
    return capturing && statistics.take(def).size() <= MEDIUM;
  }

  /**
   * Returns the number of expressions of a definition, including the definitions that would be
   * inlined into it.
   */
  private int weight(ValDef def) {
    Integer known = weights.get(def.name());
    if (known != null) {
      return known;
    }
    ExpressionStatistics c = statistics.take(def);
    long weight = c.size();
    for (Name n : c.names()) {
      ValDef callee = n.equals(def.name()) ? null : defs.get(n);
      if (callee == null || callee.params().isEmpty() || callee.recursive()) {
        continue;
      }
      int inner = weight(callee);
      if (inner <= SMALL || hasAttr(callee, "inline")) {
        weight += (long) c.count(n) * inner;
      }
    }
    int result = (int) Math.min(weight, Integer.MAX_VALUE);
    weights.put(def.name(), result);
    return result;
  }

  private static boolean hasAttr(ValDef def, String attr) {
    return def.attrs().stream().anyMatch(a -> a.is(attr));
  }

  private static boolean hasAccumulators(Ty t) {
    return switch (t) {
      case Ty.Acc a -> true;
      case Ty.Record r -> r.fields().values().stream().anyMatch(Functions::hasAccumulators);
      case Ty.Prim p -> false;
      case Ty.Array a -> false;
      case Ty.Sum s -> false;
      case Ty.Fun x -> false;
    };
  }

  // --- Calls ---

  /**
   * Calls the function generated for a definition and the shape of the arguments. Generates the
   * function at its first call.
   *
   * @param f the frame of the call, with the definition's parameters bound
   */
  LoweredValue call(Callee.OfDef d, Frame f, List<LoweredValue> args) {
    Abstraction a = new Abstraction(el, statistics);
    Frame inner = a.definition(d, f, args);
    Signature s = made.get(a.key());
    if (s == null) {
      s = make(a, d, inner, a.values(), a.key());
    }

    Map<SubExp, SubExp> known = new HashMap<>();
    List<SubExp> actuals = a.actuals();
    for (int i = 0; i < actuals.size(); i++) {
      known.put(s.params.get(i), actuals.get(i));
    }
    List<PatElem> pat = new ArrayList<>();
    for (var size : s.sizes) {
      var n = el.emit.fresh("size");
      pat.add(new PatElem(n, futharkc.core.ir.Type.I64));
      el.emit.assumeNonNegative(SubExp.of(n));
      known.put(SubExp.of(size), SubExp.of(n));
    }
    Ty type = s.result.mapSizes(x -> known.getOrDefault(x, x));
    List<SubExp> leaves = new ArrayList<>();
    for (var t : type.leaves()) {
      var n = el.emit.fresh("res");
      pat.add(new PatElem(n, t));
      leaves.add(SubExp.of(n));
    }
    el.emit.add(pat, new Exp.Apply(s.name, actuals, s.consumed), a.certs());
    LoweredValue v = LoweredValue.of(type, leaves);
    if (s.sizes.isEmpty()) {
      return v;
    }
    el.bindResult(d.def().result().type(), d.def().result().sizes(), v, f);
    // The caller uses sizes that the function has computed with loops and does not compute them
    // again.
    Ty declared = el.types.eval(d.def().result().type(), f, el.types::scalarSize);
    return el.types.coerce(v, Types.fill(declared, type));
  }

  private Signature make(
      Abstraction a, Callee.OfDef d, Frame f, List<LoweredValue> params, String key) {
    ValDef def = d.def();
    Emit.State outer = el.emit.state();
    el.emit.restore(el.emit.outermost(def.loc()));
    el.emit.setSafe(d.safe());

    for (int i = 0; i < params.size(); i++) {
      el.patterns.bind(def.params().get(i), params.get(i), f);
    }
    List<futharkc.core.ir.Name> sizes = new ArrayList<>();
    Map<Name, SubExp> existential = new HashMap<>();
    Ty declared =
        el.types.eval(
            def.result().type(),
            f,
            (s, g) -> {
              if (s instanceof Type.Size.Var v && def.result().sizes().contains(v.name())) {
                return existential.computeIfAbsent(v.name(), n -> fresh(sizes));
              }
              return el.types.simpleSize(s, g);
            });
    Ty result = declared.mapSizes(s -> s.equals(Ty.UNKNOWN) ? fresh(sizes) : s);
    String name = unusedName(def.name().base());
    List<Boolean> consumed = a.consumed(def);
    Signature signature =
        new Signature(
            name,
            a.formals().stream().map(p -> SubExp.of(p.name())).toList(),
            consumed,
            sizes,
            result);
    made.put(key, signature);
    functions.put(name, placeholder(name));
    List<FunDef.Result> irResults =
        results(sizes, result.leaves(), Uniqueness.leaves(def.result().type(), result));
    uniqueResults.put(name, irResults.stream().map(FunDef.Result::unique).toList());

    LoweredValue v = el.eval(def.body(), f);
    List<Param> irParams = new ArrayList<>();
    List<Param> formals = a.formals();
    for (int i = 0; i < formals.size(); i++) {
      Param p = formals.get(i);
      irParams.add(new Param(p.name(), p.type(), consumed.get(i)));
    }
    List<SubExp> results = new ArrayList<>();
    LoweredValue coerced = atType(v, result, sizes, results);
    results.addAll(coerced.leaves());
    irResults = withOwnership(irParams, irResults, results);
    uniqueResults.put(name, irResults.stream().map(FunDef.Result::unique).toList());
    functions.put(
        name,
        new FunDef(
            name,
            def.attrs().stream().map(Elaborator::text).toList(),
            irParams,
            irResults,
            new futharkc.core.ir.Body(el.emit.state().block().stms(), results),
            null,
            0,
            def.loc()));
    el.emit.restore(outer);
    return signature;
  }

  /**
   * Converts a value to a type in which some sizes are results. Adds the values of these sizes to
   * the results.
   *
   * @param sizes the names that represent these sizes in the type
   */
  LoweredValue atType(
      LoweredValue v, Ty type, List<futharkc.core.ir.Name> sizes, List<SubExp> results) {
    Map<SubExp, SubExp> found = new HashMap<>();
    Ty actual = v.type();
    type.zipSizes(actual, found::putIfAbsent);
    for (var n : sizes) {
      results.add(found.getOrDefault(SubExp.of(n), SubExp.i64(0)));
    }
    Map<SubExp, SubExp> known = new HashMap<>();
    for (var n : sizes) {
      known.put(SubExp.of(n), found.getOrDefault(SubExp.of(n), SubExp.i64(0)));
    }
    return el.types.coerce(v, type.mapSizes(s -> known.getOrDefault(s, s)));
  }

  /** Returns the declarations of results: sizes, then leaves. */
  List<FunDef.Result> results(
      List<futharkc.core.ir.Name> sizes, List<futharkc.core.ir.Type> leaves, List<Boolean> unique) {
    List<FunDef.Result> out = new ArrayList<>();
    for (var n : sizes) {
      out.add(new FunDef.Result(n, futharkc.core.ir.Type.I64, false));
    }
    for (int i = 0; i < leaves.size(); i++) {
      out.add(
          new FunDef.Result(
              el.emit.fresh("res"), leaves.get(i), unique.get(i) && leaves.get(i).rank() > 0));
    }
    return out;
  }

  /**
   * Returns the results with inferred uniqueness. A result without aliases becomes unique. A result
   * is copied if it may share elements with a constant, or if it is declared unique and may have
   * aliases.
   */
  List<FunDef.Result> withOwnership(
      List<Param> params, List<FunDef.Result> declared, List<SubExp> results) {
    List<Stm> stms = el.emit.state().block().stms();
    List<Aliasing.Sharing> sharing =
        Aliasing.results(params, new futharkc.core.ir.Body(stms, results), this::uniqueResults);
    List<FunDef.Result> out = new ArrayList<>();
    for (int i = 0; i < declared.size(); i++) {
      FunDef.Result r = declared.get(i);
      boolean array = r.type() instanceof futharkc.core.ir.Type.Array;
      Aliasing.Sharing shared = sharing.get(i);
      boolean constant = shared == Aliasing.Sharing.CONSTANTS;
      if (array && (constant || r.unique() && shared != Aliasing.Sharing.NOTHING)) {
        SubExp result = results.get(i);
        Map<SubExp, SubExp> known = new HashMap<>();
        for (int k = 0; k < i; k++) {
          known.put(SubExp.of(declared.get(k).name()), results.get(k));
        }
        futharkc.core.ir.Type t =
            r.type()
                .withShape(r.type().dims().stream().map(d -> known.getOrDefault(d, d)).toList());
        results.set(
            i, el.emit.let("copy", t, new futharkc.core.ir.BasicOp.Replicate(List.of(), result)));
      }
      out.add(
          new FunDef.Result(
              r.name(), r.type(), array && (r.unique() || shared != Aliasing.Sharing.OTHERS)));
    }
    return out;
  }

  private SubExp fresh(List<futharkc.core.ir.Name> sizes) {
    var n = el.emit.fresh("size");
    sizes.add(n);
    el.emit.assumeNonNegative(SubExp.of(n));
    return SubExp.of(n);
  }

  private static FunDef placeholder(String name) {
    return new FunDef(
        name,
        List.of(),
        List.of(),
        List.of(),
        new futharkc.core.ir.Body(List.of(), List.of()),
        null,
        0,
        Loc.NONE);
  }

  private String unusedName(String base) {
    StringBuilder plain = new StringBuilder();
    for (int i = 0; i < base.length(); i++) {
      char c = base.charAt(i);
      plain.append(Character.isLetterOrDigit(c) || c == '_' ? c : '_');
    }
    String name = plain.toString();
    for (int i = 1; !taken.add(name); i++) {
      name = plain + "_" + i;
    }
    return name;
  }
}
