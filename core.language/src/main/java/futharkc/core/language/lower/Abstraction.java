package futharkc.core.language.lower;

import futharkc.core.ir.Param;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SubExp;
import futharkc.core.language.lower.Frame.TypeThunk;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Type;
import futharkc.core.language.typed.ValDef;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * An abstraction of a call over its data. Every scalar, array and size of the arguments becomes a
 * parameter of the called function, including values captured by functional arguments. Calls with
 * equal {@link #key()} can share a function.
 */
final class Abstraction {
  private final Elaborator el;
  private final Emit emit;
  private final ExpressionStatistics statistics;
  private final List<Param> sizes = new ArrayList<>();
  private final List<SubExp> sizeActuals = new ArrayList<>();
  private final List<Param> data = new ArrayList<>();
  private final List<SubExp> dataActuals = new ArrayList<>();
  private final Map<SubExp, SubExp> known = new HashMap<>();
  private final StringBuilder key = new StringBuilder();
  private final List<LoweredValue> values = new ArrayList<>();

  /** The leaf of the arguments for each parameter in {@link #data}, or -1 for a captured value. */
  private final List<Integer> argumentLeaf = new ArrayList<>();

  /** The certificates that functional arguments require. */
  private final Set<futharkc.core.ir.Name> certs = new LinkedHashSet<>();

  private boolean inArgument;
  private int argumentLeaves;

  /**
   * The captured values, by identity. Several functions can capture the same value, which then
   * becomes one parameter.
   */
  private final Map<LoweredValue, Shared<LoweredValue>> sharedValues = new IdentityHashMap<>();

  private final Map<Frame, Map<ExpressionStatistics, Shared<Frame>>> sharedFrames =
      new IdentityHashMap<>();
  private int captures;

  /**
   * A captured value or frame in terms of the formal parameters.
   *
   * @param number the number that represents the capture in the key
   */
  private record Shared<T>(int number, T formal) {}

  Abstraction(Elaborator el, ExpressionStatistics statistics) {
    this.el = el;
    this.emit = el.emit;
    this.statistics = statistics;
  }

  String key() {
    return key.toString();
  }

  /** Returns the arguments in terms of the formal parameters. */
  List<LoweredValue> values() {
    return values;
  }

  /** Returns the formal parameters: sizes, then captured values, then arguments. */
  List<Param> formals() {
    List<Param> all = new ArrayList<>(sizes);
    all.addAll(data);
    return all;
  }

  List<SubExp> actuals() {
    List<SubExp> all = new ArrayList<>(sizeActuals);
    all.addAll(dataActuals);
    return all;
  }

  /** Returns the certificates that the call requires. */
  List<futharkc.core.ir.Name> certs() {
    return List.copyOf(certs);
  }

  /** Returns for each formal parameter whether the definition consumes it. */
  List<Boolean> consumed(ValDef def) {
    List<Boolean> out = new ArrayList<>(Collections.nCopies(sizes.size(), false));
    List<Boolean> args = new ArrayList<>();
    for (int i = 0; i < def.params().size(); i++) {
      List<Boolean> unique = Uniqueness.leaves(def.params().get(i), values.get(i).type());
      args.addAll(unique);
    }
    for (int i = 0; i < data.size(); i++) {
      boolean unique = argumentLeaf.get(i) >= 0 && args.get(argumentLeaf.get(i));
      out.add(unique && data.get(i).type().rank() > 0);
    }
    return out;
  }

  /** Returns the frame of the body in terms of the formal parameters. */
  Frame definition(Callee.OfDef d, Frame f, List<LoweredValue> args) {
    key.append("def ").append(el.functions.number(d.def()));
    Frame inner = new Frame(captured(d.frame(), statistics.take(d.def())));
    parameters(d.def(), f, inner);
    for (LoweredValue v : args) {
      Ty t = v.type();
      t.zipSizes(t, (a, b) -> emit.assumeNonNegative(size(a)));
    }
    for (LoweredValue v : args) {
      key.append(';');
      inArgument = true;
      values.add(value(v));
      inArgument = false;
    }
    return inner;
  }

  private void parameters(ValDef def, Frame f, Frame inner) {
    for (Name p : def.typeParams()) {
      TypeThunk t = f.getType(p);
      key.append('\'');
      if (t != null) {
        inner.putType(p, TypeThunk.of(type(el.types.force(t))));
      }
    }
    for (Name p : def.sizeParams()) {
      LoweredValue v = f.get(p);
      key.append('[');
      if (v != null) {
        inner.put(p, LoweredValue.i64(size(v.scalar())));
      }
    }
  }

  /** Returns the meanings of the mentioned names in a frame, in terms of the formal parameters. */
  private Frame captured(Frame f, ExpressionStatistics mentioned) {
    Map<ExpressionStatistics, Shared<Frame>> known =
        sharedFrames.computeIfAbsent(f, k -> new IdentityHashMap<>());
    Shared<Frame> before = known.get(mentioned);
    if (before != null) {
      key.append('^').append(before.number());
      return before.formal();
    }
    int number = captures++;
    Frame out = new Frame(null);
    for (Name n : mentioned.names()) {
      TypeThunk t = f.getType(n);
      if (t != null) {
        key.append('\'').append(n.tag());
        out.putType(n, TypeThunk.of(type(el.types.force(t))));
      }
      LoweredValue v = f.get(n);
      if (v != null) {
        key.append(',').append(n.tag()).append('=');
        out.put(n, value(v));
      }
      Frame.LocalDef local = f.getDef(n);
      if (local != null) {
        key.append(',').append(n.tag()).append(':');
        Frame g = captured(local.frame(), statistics.take(local.def()));
        out.putDef(n, new Frame.LocalDef(local.def(), g, local.safe()));
      }
    }
    known.put(mentioned, new Shared<>(number, out));
    return out;
  }

  private Ty type(Ty t) {
    structure(t);
    return t.mapSizes(s -> s.equals(Ty.UNKNOWN) ? s : size(s));
  }

  private void structure(Ty t) {
    switch (t) {
      case Ty.Prim p -> key.append(p.type());
      case Ty.Array a -> {
        key.append("[]");
        structure(a.elem());
      }
      case Ty.Record r ->
          r.fields()
              .forEach(
                  (k, x) -> {
                    key.append('{').append(k).append(':');
                    structure(x);
                    key.append('}');
                  });
      case Ty.Sum s ->
          s.variants()
              .forEach(
                  (k, xs) -> {
                    key.append('#').append(k);
                    for (Ty x : xs) {
                      key.append(' ');
                      structure(x);
                    }
                  });
      case Ty.Acc a -> key.append("acc");
      case Ty.Fun f -> key.append("->");
    }
  }

  private SubExp size(SubExp actual) {
    SubExp formal = known.get(actual);
    if (formal == null) {
      var n = emit.fresh("n");
      formal = SubExp.of(n);
      known.put(actual, formal);
      sizes.add(new Param(n, futharkc.core.ir.Type.I64));
      sizeActuals.add(actual);
    }
    key.append('s').append(index(formal)).append(' ');
    return formal;
  }

  private int index(SubExp formal) {
    for (int i = 0; i < sizes.size(); i++) {
      if (SubExp.of(sizes.get(i).name()).equals(formal)) {
        return i;
      }
    }
    return -1;
  }

  private LoweredValue value(LoweredValue v) {
    if (inArgument) {
      return formal(v);
    }
    Shared<LoweredValue> before = sharedValues.get(v);
    if (before != null) {
      key.append('^').append(before.number());
      return before.formal();
    }
    int number = captures++;
    LoweredValue formal = formal(v);
    sharedValues.put(v, new Shared<>(number, formal));
    return formal;
  }

  private LoweredValue formal(LoweredValue v) {
    return switch (v) {
      case LoweredValue.Rec r -> {
        TreeMap<String, LoweredValue> fields = new TreeMap<>(Type.FIELD_ORDER);
        r.fields()
            .forEach(
                (k, x) -> {
                  key.append('{').append(k).append(':');
                  fields.put(k, value(x));
                  key.append('}');
                });
        yield new LoweredValue.Rec(fields);
      }
      case LoweredValue.Variant x -> {
        key.append('#').append(x.constructor());
        yield new LoweredValue.Variant(
            x.type(), x.constructor(), x.payload().stream().map(this::value).toList());
      }
      case LoweredValue.Data d -> {
        Ty t = type(d.type());
        List<futharkc.core.ir.Type> types = t.leaves();
        List<SubExp> leaves = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
          leaves.add(leaf(types.get(i), d.leaves().get(i)));
        }
        yield new LoweredValue.Data(t, leaves);
      }
      case LoweredValue.Closure c -> {
        boolean outer = inArgument;
        inArgument = false;
        List<LoweredValue> args = new ArrayList<>();
        Callee callee = callee(c.callee());
        for (LoweredValue a : c.args()) {
          key.append(" @");
          args.add(value(a));
        }
        inArgument = outer;
        yield new LoweredValue.Closure(callee, args);
      }
    };
  }

  private SubExp leaf(futharkc.core.ir.Type type, SubExp actual) {
    boolean size = type.isPrim(PrimType.I64) && known.containsKey(actual);
    if (inArgument) {
      argumentLeaves++;
    }
    if (size) {
      return size(actual);
    }
    var n = emit.fresh("p");
    data.add(new Param(n, type));
    dataActuals.add(actual);
    argumentLeaf.add(inArgument ? argumentLeaves - 1 : -1);
    return SubExp.of(n);
  }

  private Callee callee(Callee c) {
    return switch (c) {
      case Callee.OfLambda l -> {
        key.append("\\").append(el.functions.number(l.lambda())).append(l.safe() ? '(' : '<');
        Frame f = captured(l.frame(), statistics.take(l.lambda()));
        key.append(')');
        yield new Callee.OfLambda(l.lambda(), f, l.safe());
      }
      case Callee.OfDef d -> {
        key.append("def ").append(el.functions.number(d.def()));
        Frame f = captured(d.frame(), statistics.take(d.def()));
        Frame use = new Frame(null);
        List<Type> typeArgs = new ArrayList<>();
        for (int i = 0; i < d.typeArgs().size(); i++) {
          Name stand = new Name("arg", -1 - i);
          key.append('\'');
          use.putType(stand, TypeThunk.of(type(el.types.eval(d.typeArgs().get(i), d.use()))));
          typeArgs.add(new Type.Named(false, stand, List.of()));
        }
        List<Type.Size> sizeArgs = new ArrayList<>();
        for (int i = 0; i < d.sizeArgs().size(); i++) {
          Name stand = new Name("arg", -1 - i);
          SubExp s = el.types.size(d.sizeArgs().get(i), d.use());
          key.append('[');
          if (s.equals(Ty.UNKNOWN)) {
            sizeArgs.add(new Type.Size.Any());
          } else {
            use.put(stand, LoweredValue.i64(size(s)));
            sizeArgs.add(new Type.Size.Var(stand));
          }
        }
        yield new Callee.OfDef(d.def(), f, d.safe(), use, sizeArgs, typeArgs);
      }
      case Callee.OfHole h -> {
        key.append("hole ").append(el.functions.number(h.type()));
        certs.addAll(h.certs());
        Frame f = captured(h.frame(), statistics.take(h.type()));
        yield new Callee.OfHole(h.type(), f, List.of());
      }
      case Callee.Guarded g -> {
        certs.addAll(g.certs());
        yield new Callee.Guarded((LoweredValue.Closure) value(g.fun()), List.of());
      }
      case Callee.FieldOf x -> {
        key.append('.').append(x.field());
        yield new Callee.FieldOf(value(x.fun()), x.field());
      }
      case Callee.OfIntrinsic i -> {
        key.append("intrinsic ").append(i.intrinsic().name());
        Frame use = new Frame(null);
        List<Type> typeArgs = new ArrayList<>();
        for (int k = 0; k < i.typeArgs().size(); k++) {
          Name stand = new Name("arg", -1 - k);
          key.append('\'');
          use.putType(stand, TypeThunk.of(type(el.types.eval(i.typeArgs().get(k), i.use()))));
          typeArgs.add(new Type.Named(false, stand, List.of()));
        }
        yield new Callee.OfIntrinsic(i.intrinsic(), i.arity(), use, typeArgs);
      }
    };
  }
}
