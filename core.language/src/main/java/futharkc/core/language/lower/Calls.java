package futharkc.core.language.lower;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.SubExp;
import futharkc.core.language.Intrinsics;
import futharkc.core.language.Intrinsics.Intrinsic;
import futharkc.core.language.lower.Frame.TypeThunk;
import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Pat;
import futharkc.core.language.typed.Type;
import futharkc.core.language.typed.ValDef;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The lowering of names and applications. Every function value is known at compile time. An
 * application becomes the inlined body or a call of a generated function.
 */
final class Calls {
  private final Elaborator el;
  private final IntrinsicCalls intrinsics;

  Calls(Elaborator el) {
    this.el = el;
    this.intrinsics = new IntrinsicCalls(el);
  }

  /** Returns the value of a name. */
  LoweredValue variable(Exp.Var v, Frame f) {
    Name name = v.name();
    if (name.isIntrinsic()) {
      return intrinsic(v, f);
    }
    LoweredValue known = f.get(name);
    if (known != null) {
      return known;
    }
    Frame.LocalDef local = f.getDef(name);
    if (local != null) {
      return instance(
          new Callee.OfDef(
              local.def(), local.frame(), local.safe(), f, v.sizeArgs(), v.typeArgs()));
    }
    LoweredValue constant = el.functions.constant(name);
    if (constant != null) {
      return constant;
    }
    ValDef def = el.functions.definition(name);
    return instance(new Callee.OfDef(def, new Frame(null), true, f, v.sizeArgs(), v.typeArgs()));
  }

  private LoweredValue intrinsic(Exp.Var v, Frame f) {
    Intrinsic i = Intrinsics.named(v.name().base());
    if (i == null) {
      throw new IllegalStateException("unknown intrinsic " + v.name().base());
    }
    if (i instanceof Intrinsics.Scalar s && s.op().params(s.on()).isEmpty()) {
      return LoweredValue.scalar(
          s.op().result(s.on()), el.scalars.apply(s.op(), s.on(), List.of()));
    }
    int arity =
        switch (i) {
          case Intrinsics.Scalar s -> s.op().params(s.on()).size();
          case Intrinsics.Conversion c -> 1;
          case Intrinsics.Structured s -> IntrinsicCalls.arity(s.name());
        };
    return new LoweredValue.Closure(new Callee.OfIntrinsic(i, arity, f, v.typeArgs()), List.of());
  }

  /**
   * Returns a closure of a function, or the value of a definition that has only size and type
   * parameters.
   */
  private LoweredValue instance(Callee.OfDef d) {
    if (d.arity() > 0) {
      return new LoweredValue.Closure(d, List.of());
    }
    Emit.State outer = el.emit.state();
    el.emit.setSafe(d.safe());
    LoweredValue v = el.eval(d.def().body(), frame(d, List.of()));
    el.emit.restore(outer);
    return v;
  }

  /** Applies a function to arguments, which may be fewer or more than its parameters. */
  LoweredValue apply(LoweredValue fun, List<LoweredValue> args) {
    LoweredValue cur = fun;
    List<LoweredValue> rest = args;
    while (!rest.isEmpty()) {
      if (!(cur instanceof LoweredValue.Closure c)) {
        throw new IllegalStateException("application of what is not a function: " + cur);
      }
      int missing = c.callee().arity() - c.args().size();
      int now = Math.min(missing, rest.size());
      List<LoweredValue> all = new ArrayList<>(now < missing ? c.args() : held(c));
      all.addAll(rest.subList(0, now));
      rest = rest.subList(now, rest.size());
      cur = now < missing ? new LoweredValue.Closure(c.callee(), all) : call(c.callee(), all);
    }
    return cur;
  }

  /**
   * Returns the arguments that a function already has, before a call. A function that consumes one
   * may be called several times in a body, so an array from outside the body is copied.
   */
  private List<LoweredValue> held(LoweredValue.Closure c) {
    List<Pat> params =
        switch (c.callee()) {
          case Callee.OfLambda l -> l.lambda().params();
          case Callee.OfDef d -> d.def().params();
          case Callee.OfIntrinsic _, Callee.OfHole _, Callee.Guarded _, Callee.FieldOf _ ->
              List.of();
        };
    List<LoweredValue> args = new ArrayList<>();
    for (int i = 0; i < c.args().size(); i++) {
      LoweredValue arg = c.args().get(i);
      args.add(
          i < params.size() && arg instanceof LoweredValue.Data d
              ? copied(d, Uniqueness.leaves(params.get(i), d.type()))
              : arg);
    }
    return args;
  }

  private LoweredValue copied(LoweredValue.Data d, List<Boolean> consumed) {
    List<futharkc.core.ir.Type> types = d.type().leaves();
    List<SubExp> leaves = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      SubExp leaf = d.leaves().get(i);
      boolean copied =
          consumed.get(i)
              && types.get(i) instanceof futharkc.core.ir.Type.Array
              && el.emit.isOutside(leaf);
      leaves.add(
          copied
              ? el.emit.let("copy", types.get(i), new BasicOp.Replicate(List.of(), leaf))
              : leaf);
    }
    return new LoweredValue.Data(d.type(), leaves);
  }

  private LoweredValue call(Callee callee, List<LoweredValue> args) {
    return switch (callee) {
      case Callee.OfLambda l -> lambda(l, args);
      case Callee.OfDef d -> definition(d, args);
      case Callee.OfIntrinsic i -> intrinsics.call(i, args);
      case Callee.OfHole h -> el.hole(h.type().result().type(), h.frame(), h.certs());
      case Callee.Guarded g -> guarded(g.certs(), () -> apply(g.fun(), args));
      case Callee.FieldOf x -> apply(x.fun(), args).field(x.field());
    };
  }

  /**
   * Returns a value that depends on certificates. The certificates are added to all statements that
   * compute the value, to copies of older operands, and to later calls of functions in the value.
   */
  LoweredValue guarded(List<futharkc.core.ir.Name> certs, Supplier<LoweredValue> make) {
    if (certs.isEmpty()) {
      return make.get();
    }
    Emit.State outer = el.emit.state();
    int mark = el.emit.mark();
    el.emit.addCerts(certs);
    LoweredValue v = make.get();
    el.emit.restore(outer);
    return guard(v, certs, mark);
  }

  private LoweredValue guard(LoweredValue v, List<futharkc.core.ir.Name> certs, int mark) {
    return switch (v) {
      case LoweredValue.Closure c ->
          new LoweredValue.Closure(new Callee.Guarded(c, certs), List.of());
      case LoweredValue.Rec r -> {
        TreeMap<String, LoweredValue> fields = new TreeMap<>(Type.FIELD_ORDER);
        r.fields().forEach((k, x) -> fields.put(k, guard(x, certs, mark)));
        yield new LoweredValue.Rec(fields);
      }
      case LoweredValue.Variant x ->
          new LoweredValue.Variant(
              x.type(),
              x.constructor(),
              x.payload().stream().map(p -> guard(p, certs, mark)).toList());
      case LoweredValue.Data d -> {
        List<futharkc.core.ir.Type> types = d.type().leaves();
        List<SubExp> leaves = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
          SubExp leaf = d.leaves().get(i);
          boolean unguarded =
              Emit.isOlder(leaf, mark) && !(types.get(i) instanceof futharkc.core.ir.Type.Acc);
          leaves.add(
              unguarded
                  ? SubExp.of(
                      el.emit.let("checked", types.get(i), new BasicOp.SubExpOp(leaf), certs))
                  : leaf);
        }
        yield new LoweredValue.Data(d.type(), leaves);
      }
    };
  }

  private LoweredValue lambda(Callee.OfLambda l, List<LoweredValue> args) {
    Frame f = new Frame(l.frame());
    for (int i = 0; i < args.size(); i++) {
      el.patterns.bind(l.lambda().params().get(i), args.get(i), f);
    }
    boolean safe = el.emit.safe();
    el.emit.setSafe(l.safe());
    LoweredValue v = el.eval(l.lambda().body(), f);
    el.emit.setSafe(safe);
    return v;
  }

  private LoweredValue definition(Callee.OfDef d, List<LoweredValue> args) {
    Frame f = frame(d, args);
    List<LoweredValue> conformed = new ArrayList<>();
    for (int i = 0; i < args.size(); i++) {
      Pat p = d.def().params().get(i);
      LoweredValue v = el.types.conform(p.type(), f, args.get(i));
      el.patterns.bind(p, v, f);
      conformed.add(v);
    }
    if (!el.functions.inlines(d.def(), conformed, f)) {
      return el.functions.call(d, f, conformed);
    }
    return inline(d, f);
  }

  /** Evaluates the body of a definition in a frame. */
  LoweredValue inline(Callee.OfDef d, Frame f) {
    Emit.State outer = el.emit.state();
    el.emit.enterCall(outer.loc(), d.use());
    el.emit.setSafe(d.safe());
    LoweredValue v = el.eval(d.def().body(), f);
    el.emit.restore(outer);
    return v;
  }

  /**
   * Returns a frame for the body with the type and size parameters bound, but not the value
   * parameters.
   */
  Frame frame(Callee.OfDef d, List<LoweredValue> args) {
    ValDef def = d.def();
    Frame f = new Frame(d.frame());
    for (int i = 0; i < def.typeParams().size(); i++) {
      Name p = def.typeParams().get(i);
      if (i < d.typeArgs().size()) {
        f.putType(p, TypeThunk.of(d.typeArgs().get(i), d.use()));
      } else {
        TypeThunk same = d.use().getType(p);
        if (same != null) {
          f.putType(p, same);
        }
      }
    }
    Set<Name> wanted = new LinkedHashSet<>(def.sizeParams());
    for (int i = 0; i < args.size(); i++) {
      el.types.bind(def.params().get(i).type(), f, args.get(i).type(), wanted);
    }
    for (int i = 0; i < def.sizeParams().size(); i++) {
      Name p = def.sizeParams().get(i);
      if (!wanted.contains(p)) {
        continue;
      }
      var size =
          i < d.sizeArgs().size()
              ? el.types.size(d.sizeArgs().get(i), d.use())
              : el.types.size(new Type.Size.Var(p), d.use());
      if (!size.equals(Ty.UNKNOWN)) {
        f.put(p, LoweredValue.i64(size));
      }
    }
    return f;
  }
}
