package futharkc.core.language.lower;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.EntryPoint;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Type;
import futharkc.core.language.typed.ValDef;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The functions for entry points. Their parameters are first the sizes, then the values. They check
 * the sizes.
 */
final class Entries {
  private final Elaborator el;
  private final Emit emit;
  private final ExtTypes extTypes;

  Entries(Elaborator el, ExtTypes extTypes) {
    this.el = el;
    this.emit = el.emit;
    this.extTypes = extTypes;
  }

  FunDef function(futharkc.core.language.typed.EntryPoint e) {
    ValDef def = e.def();
    Emit.State outer = emit.state();
    emit.restore(emit.outermost(def.loc()));
    try {
      Frame f = new Frame(null);
      Set<Name> wanted = new LinkedHashSet<>(def.sizeParams());
      List<Param> sizes = new ArrayList<>();
      List<LoweredValue> values = new ArrayList<>();
      List<Param> params = new ArrayList<>();
      List<EntryPoint.Param> entryParams = new ArrayList<>();
      for (int i = 0; i < e.params().size(); i++) {
        var p = e.params().get(i);
        Ty actual = el.types.eval(p.type(), f, (s, g) -> size(s));
        actual.zipSizes(
            actual, (n, same) -> sizes.add(new Param(Types.name(n), futharkc.core.ir.Type.I64)));
        el.types.bind(p.type(), f, actual, wanted);
        List<Boolean> unique =
            i < def.params().size()
                ? Uniqueness.leaves(def.params().get(i), actual)
                : Uniqueness.leaves(p.type(), actual);
        Iterator<Boolean> uniqueLeaf = unique.iterator();
        List<SubExp> parts = new ArrayList<>();
        for (EntryParts.Part part : EntryParts.of(actual)) {
          var n = emit.fresh(p.name().isEmpty() ? "arg" : p.name());
          boolean consumed = part.leaf() && uniqueLeaf.next() && part.type().rank() > 0;
          params.add(new Param(n, part.type(), consumed));
          parts.add(SubExp.of(n));
        }
        values.add(EntryParts.value(actual, parts));
        entryParams.add(
            new EntryPoint.Param(
                p.name(), extTypes.of(p.type(), p.typeText(), f), unique.contains(true)));
      }
      if (!wanted.isEmpty()) {
        throw new LoweringException(
            def.loc(),
            "The size "
                + wanted.iterator().next().base()
                + " cannot be computed from the arguments of this entry point.");
      }
      List<futharkc.core.ir.Name> checks = new ArrayList<>();
      LoweredValue result = result(e, f, values, checks);
      params.addAll(0, sizes);
      return finish(e, f, params, entryParams, result, checks);
    } finally {
      emit.restore(outer);
    }
  }

  /**
   * Returns a fresh size for a dimension of a parameter. The function compares it with the size in
   * the parameter's type at run time.
   */
  private SubExp size(Type.Size s) {
    SubExp n = SubExp.of(emit.fresh(s instanceof Type.Size.Var v ? v.name().base() : "n"));
    emit.assumeNonNegative(n);
    return n;
  }

  private LoweredValue result(
      futharkc.core.language.typed.EntryPoint e,
      Frame f,
      List<LoweredValue> values,
      List<futharkc.core.ir.Name> checks) {
    ValDef def = e.def();
    List<LoweredValue> args = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      LoweredValue v = values.get(i);
      Ty actual = v.type();
      Ty declared = Types.fill(el.types.eval(e.params().get(i).type(), f), actual);
      int argument = i;
      Types.Sized sized =
          el.types.sized(v, declared, () -> invalidSizes(e, argument, actual, declared));
      checks.addAll(sized.certs());
      LoweredValue checked = el.types.coerce(v, sized);
      if (i < def.params().size()) {
        el.patterns.bind(def.params().get(i), checked, f);
      }
      args.add(checked);
    }
    if (def.recursive()) {
      List<Type.Size> sizeArgs = new ArrayList<>();
      for (var n : def.sizeParams()) {
        sizeArgs.add(new Type.Size.Var(n));
      }
      Callee self = new Callee.OfDef(def, new Frame(null), true, f, sizeArgs, List.of());
      return el.calls.apply(new LoweredValue.Closure(self, List.of()), args);
    }
    LoweredValue v = el.eval(def.body(), f);
    int taken = def.params().size();
    return taken < args.size() ? el.calls.apply(v, args.subList(taken, args.size())) : v;
  }

  /**
   * Returns the error message for an argument whose sizes contradict earlier arguments or its own
   * type.
   */
  private static List<BasicOp.MsgPart> invalidSizes(
      futharkc.core.language.typed.EntryPoint e, int argument, Ty actual, Ty needed) {
    var p = e.params().get(argument);
    List<BasicOp.MsgPart> parts = new ArrayList<>();
    String name = p.name().isEmpty() ? "" : " (" + p.name() + ")";
    parts.add(
        Emit.text(
            "Entry point arguments have invalid sizes: argument "
                + (argument + 1)
                + name
                + " is of type "));
    SourceTypeText.ofSizes(actual, parts);
    parts.add(Emit.text(", but "));
    SourceTypeText.ofSizes(needed, parts);
    String type = p.typeText();
    parts.add(
        Emit.text(
            type == null
                ? " is needed."
                : " is needed, which the program and the other arguments make of " + type + "."));
    return parts;
  }

  private FunDef finish(
      futharkc.core.language.typed.EntryPoint e,
      Frame f,
      List<Param> params,
      List<EntryPoint.Param> entryParams,
      LoweredValue v,
      List<futharkc.core.ir.Name> checks) {
    ValDef def = e.def();
    Type declared = resultType(def, e.params().size());
    Set<futharkc.core.ir.Name> inScope = new HashSet<>();
    for (Param p : params) {
      inScope.add(p.name());
    }
    List<futharkc.core.ir.Name> sizes = new ArrayList<>();
    Map<SubExp, SubExp> resultSizes = new LinkedHashMap<>();
    Ty type =
        v.type()
            .mapSizes(
                s ->
                    !(s instanceof SubExp.Var x) || inScope.contains(x.name())
                        ? s
                        : resultSizes.computeIfAbsent(
                            s,
                            k -> {
                              var n = emit.fresh("size");
                              sizes.add(n);
                              return SubExp.of(n);
                            }));
    List<SubExp> out = new ArrayList<>();
    resultSizes.forEach((actual, n) -> out.add(actual));
    List<Boolean> unique = Uniqueness.leaves(declared, type);
    Iterator<Boolean> uniqueLeaf = unique.iterator();
    List<EntryParts.Part> parts = EntryParts.of(type);
    List<FunDef.Result> results =
        el.functions.results(
            sizes,
            parts.stream().map(EntryParts.Part::type).toList(),
            parts.stream().map(p -> p.leaf() && uniqueLeaf.next()).toList());
    List<EntryParts.Part> actual = EntryParts.of(v.type());
    List<SubExp> values = EntryParts.operands(actual, ownLeaves(v, params), emit);
    keepChecks(checks, values, actual);
    out.addAll(values);
    List<FunDef.Result> irResults = el.functions.withOwnership(params, results, out);
    Body body = new Body(emit.state().block().stms(), out);
    EntryPoint entry =
        new EntryPoint(
            e.name(),
            entryParams,
            extTypes.of(declared, e.resultText(), f),
            unique.contains(true),
            def.doc() == null ? "" : def.doc());
    return new FunDef(
        e.name(),
        def.attrs().stream().map(Elaborator::text).toList(),
        params,
        irResults,
        body,
        entry,
        0,
        def.loc());
  }

  /** Makes the last result depend on the checks on which no result depends yet. */
  private void keepChecks(
      List<futharkc.core.ir.Name> checks, List<SubExp> values, List<EntryParts.Part> parts) {
    if (checks.isEmpty() || values.isEmpty()) {
      return;
    }
    Set<futharkc.core.ir.Name> used = new HashSet<>(FreeNames.of(new Body(List.of(), values)));
    for (Stm s : emit.state().block().stms().reversed()) {
      if (s.pat().stream().anyMatch(p -> used.contains(p.name()))) {
        used.addAll(FreeNames.of(s));
      }
    }
    List<futharkc.core.ir.Name> unused = checks.stream().filter(c -> !used.contains(c)).toList();
    if (unused.isEmpty()) {
      return;
    }
    int last = values.size() - 1;
    var copy = new BasicOp.SubExpOp(values.get(last));
    values.set(last, SubExp.of(emit.let("checked", parts.get(last).type(), copy, unused)));
  }

  /**
   * Returns the leaves of a result. Arrays of the caller, constants and repeated arrays are copied.
   */
  private List<SubExp> ownLeaves(LoweredValue v, List<Param> params) {
    Set<futharkc.core.ir.Name> foreign = new HashSet<>();
    for (Param p : params) {
      if (!p.unique()) {
        foreign.add(p.name());
      }
    }
    for (Stm s : el.functions.constantStms()) {
      for (PatElem p : s.pat()) {
        foreign.add(p.name());
      }
    }
    List<futharkc.core.ir.Type> types = v.type().leaves();
    List<SubExp> old = v.leaves();
    List<SubExp> leaves = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      SubExp leaf = old.get(i);
      boolean copied = types.get(i).rank() > 0 && !foreign.add(Types.name(leaf));
      leaves.add(
          copied ? emit.let("copy", types.get(i), new BasicOp.Replicate(List.of(), leaf)) : leaf);
    }
    return leaves;
  }

  /** Returns the type of an application to some number of arguments. */
  static Type resultType(ValDef def, int args) {
    Type t = def.result().type();
    for (int i = def.params().size(); i < args; i++) {
      if (!(t instanceof Type.Fun x)) {
        throw new IllegalStateException("not a function: " + t);
      }
      t = x.result().type();
    }
    return t;
  }
}
