package futharkc.tests.oracle;

import futharkc.core.language.ScalarOp;
import futharkc.core.language.syntax.Exp.RangeKind;
import futharkc.core.language.syntax.PrimType;
import futharkc.core.language.typed.EntryPoint;
import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Pat;
import futharkc.core.language.typed.Program;
import futharkc.core.language.typed.Type;
import futharkc.core.language.typed.ValDef;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An evaluator of expressions of a checked program. */
final class TreeInterpreter {
  private final Program program;
  private final OracleEnv global = new OracleEnv(null);
  private final OracleTypes types;
  private final Builtins builtins = new Builtins();
  private final Map<Name, Val> constants = new HashMap<>();
  private long steps;

  /**
   * Creates an evaluator for a program.
   *
   * @param steps the maximal number of expressions to evaluate
   */
  TreeInterpreter(Program program, long steps) {
    this.program = program;
    this.steps = steps;
    this.types = new OracleTypes(program, global, this::eval);
  }

  /**
   * Calls an entry point.
   *
   * @throws ProgramFailureException if the program fails
   * @throws TypeViolationException if a value does not have the checker's type
   * @throws UnsupportedException if this interpreter cannot evaluate the program
   */
  Val call(EntryPoint entry, List<Val> args) {
    ValDef def = entry.def();
    OracleEnv env = new OracleEnv(global);
    env.await(def.sizeParams());
    for (int i = 0; i < def.params().size(); i++) {
      try {
        types.match(def.params().get(i).type(), args.get(i), env);
      } catch (TypeViolationException e) {
        throw new ProgramFailureException(e.getMessage());
      }
    }
    Val result = instance(def, global, List.of(), List.of(), global);
    for (Val arg : args) {
      result = apply(result, arg);
    }
    return result;
  }

  static Val apply(Val fun, Val... args) {
    Val result = fun;
    for (Val arg : args) {
      result = ((Val.Fn) result).apply(arg);
    }
    return result;
  }

  private Val curried(int arity, Function<List<Val>, Val> body, List<Val> given) {
    return (Val.Fn)
        arg -> {
          List<Val> args = new ArrayList<>(given);
          args.add(arg);
          return args.size() == arity ? body.apply(args) : curried(arity, body, args);
        };
  }

  private Val eval(Exp exp, OracleEnv env) {
    if (--steps < 0) {
      throw new UnsupportedException("too many steps");
    }
    return switch (exp) {
      case Exp.Lit e ->
          e.prim().isFloat()
              ? new Val.Prim(e.prim(), e.bits())
              : e.prim() == PrimType.BOOL
                  ? Val.bool(e.bits() != 0)
                  : OracleScalars.integer(e.prim(), BigInteger.valueOf(e.bits()));
      case Exp.StringLit e -> {
        List<Val> bytes = new ArrayList<>();
        for (byte b : e.bytes()) {
          bytes.add(new Val.Prim(PrimType.U8, b));
        }
        yield new Val.Arr(bytes, Type.prim(PrimType.U8));
      }
      case Exp.Var e -> variable(e, env);
      case Exp.Hole _ -> throw new ProgramFailureException("hole");
      case Exp.Record e -> {
        SortedMap<String, Val> fields = new TreeMap<>(Type.FIELD_ORDER);
        for (String field : e.order()) {
          fields.put(field, eval(e.fields().get(field), env));
        }
        yield new Val.Rec(fields);
      }
      case Exp.ArrayLit e -> {
        List<Val> elems = new ArrayList<>();
        for (Exp elem : e.elems()) {
          elems.add(eval(elem, env));
        }
        yield array(elems, ((Type.Array) types.close(e.type(), env)).elem());
      }
      case Exp.Project e -> ((Val.Rec) eval(e.exp(), env)).fields().get(e.field());
      case Exp.Apply e -> {
        List<Val> args = new ArrayList<>();
        for (Exp arg : e.args()) {
          args.add(eval(arg, env));
        }
        Val result = eval(e.fun(), env);
        for (Val arg : args) {
          result = apply(result, arg);
        }
        yield told(e.sizes(), e.type(), result, env);
      }
      case Exp.Constr e -> {
        List<Val> payload = new ArrayList<>();
        for (Exp arg : e.args()) {
          payload.add(eval(arg, env));
        }
        yield new Val.Sum(e.name(), payload);
      }
      case Exp.BinOp e -> binary(e.op(), eval(e.left(), env), eval(e.right(), env));
      case Exp.UnOp e -> unary(e.op(), (Val.Prim) eval(e.exp(), env));
      case Exp.And e ->
          Val.bool(
              OracleScalars.truth(eval(e.left(), env))
                  && OracleScalars.truth(eval(e.right(), env)));
      case Exp.Or e ->
          Val.bool(
              OracleScalars.truth(eval(e.left(), env))
                  || OracleScalars.truth(eval(e.right(), env)));
      case Exp.Coerce e -> {
        Val value = eval(e.exp(), env);
        try {
          types.match(e.type(), value, env);
        } catch (TypeViolationException v) {
          throw new ProgramFailureException(v.getMessage());
        }
        yield value;
      }
      case Exp.Range e -> told(e.sizes(), e.type(), range(e, env), env);
      case Exp.Index e -> {
        List<Slices.At> at = dims(e.dims(), env);
        yield told(e.sizes(), e.type(), Slices.read(eval(e.array(), env), at), env);
      }
      case Exp.With e -> {
        List<Object> path = new ArrayList<>();
        for (Exp.Access access : e.path()) {
          path.add(
              switch (access) {
                case Exp.Access.Field f -> f.name();
                case Exp.Access.Elem el -> dims(el.dims(), env);
              });
        }
        Val value = eval(e.value(), env);
        yield Slices.with(eval(e.src(), env), path, value);
      }
      case Exp.Let e -> {
        for (Exp.Binding b : e.bindings()) {
          switch (b) {
            case Exp.Binding.OfPat p -> {
              Val value = eval(p.value(), env);
              env.await(p.sizes());
              bind(p.pat(), value, env);
            }
            case Exp.Binding.OfFun f -> env.put(f.def().name(), new Val.Def(f.def(), env));
          }
        }
        yield told(e.sizes(), e.type(), eval(e.body(), env), env);
      }
      case Exp.If e -> {
        boolean taken = OracleScalars.truth(eval(e.cond(), env));
        Val value = eval(taken ? e.then() : e.otherwise(), new OracleEnv(env));
        yield told(e.sizes(), e.type(), value, env);
      }
      case Exp.Match e -> {
        Val value = eval(e.exp(), env);
        for (Exp.Case c : e.cases()) {
          OracleEnv inner = new OracleEnv(env);
          if (matches(c.pat(), value)) {
            bind(c.pat(), value, inner);
            yield told(e.sizes(), e.type(), eval(c.body(), inner), env);
          }
        }
        throw new TypeViolationException("no case for " + value);
      }
      case Exp.Loop e -> told(e.sizes(), e.type(), loop(e, env), env);
      case Exp.Lambda e ->
          curried(
              e.params().size(),
              args -> {
                OracleEnv inner = new OracleEnv(env);
                for (int i = 0; i < args.size(); i++) {
                  bind(e.params().get(i), args.get(i), inner);
                }
                Val result = eval(e.body(), inner);
                return told(e.result().sizes(), e.result().type(), result, new OracleEnv(inner));
              },
              List.of());
      case Exp.Assert e -> {
        if (!OracleScalars.truth(eval(e.cond(), env))) {
          throw new ProgramFailureException("assertion " + e.text());
        }
        yield eval(e.exp(), env);
      }
      case Exp.Attributed e -> eval(e.exp(), env);
    };
  }

  /** Binds the sizes that a value determines, and checks the value's type. */
  private Val told(List<Name> sizes, Type type, Val value, OracleEnv env) {
    env.await(sizes);
    types.match(type, value, env);
    return value;
  }

  static Val.Arr array(List<Val> elems, Type elem) {
    if (!elems.isEmpty() && elems.getFirst() instanceof Val.Arr) {
      Type first = OracleTypes.of(elems.getFirst());
      for (Val other : elems) {
        if (!OracleTypes.of(other).equals(first)) {
          throw new TypeViolationException("an irregular array");
        }
      }
    }
    return new Val.Arr(elems, elem);
  }

  // Names.

  private Val variable(Exp.Var e, OracleEnv env) {
    if (e.name().isIntrinsic()) {
      List<Type> closed = e.typeArgs().stream().map(t -> types.close(t, env)).toList();
      List<@Nullable Long> sizes = new ArrayList<>();
      for (Type.Size size : e.sizeArgs()) {
        sizes.add(types.size(size, env));
      }
      return builtins.named(e.name().base(), closed, sizes);
    }
    Val value = env.value(e.name());
    if (value instanceof Val.Def(ValDef def, OracleEnv inner)) {
      return instance(def, inner, e.sizeArgs(), e.typeArgs(), env);
    }
    if (value != null) {
      return value;
    }
    ValDef def = program.defs().get(e.name());
    if (def == null) {
      throw new UnboundNameException(e.name());
    }
    if (!def.params().isEmpty() || !def.sizeParams().isEmpty() || !def.typeParams().isEmpty()) {
      return instance(def, global, e.sizeArgs(), e.typeArgs(), env);
    }
    Val constant = constants.get(e.name());
    if (constant == null) {
      constant = instance(def, global, List.of(), List.of(), global);
      constants.put(e.name(), constant);
    }
    return constant;
  }

  /**
   * Returns a definition with its type and size parameters bound to the arguments of a use, as far
   * as they are known.
   */
  private Val instance(
      ValDef def, OracleEnv outer, List<Type.Size> sizeArgs, List<Type> typeArgs, OracleEnv user) {
    OracleEnv inst = new OracleEnv(outer);
    for (int i = 0; i < Math.min(typeArgs.size(), def.typeParams().size()); i++) {
      Type closed = types.close(typeArgs.get(i), user);
      inst.putType(def.typeParams().get(i), new OracleEnv.TypeIn(closed, new OracleEnv(null)));
    }
    List<@Nullable Long> sizes = new ArrayList<>();
    boolean fit = sizeArgs.size() == def.sizeParams().size();
    for (int i = 0; i < def.sizeParams().size(); i++) {
      sizes.add(fit ? types.size(sizeArgs.get(i), user) : null);
    }
    if (def.params().isEmpty()) {
      return body(def, inst, sizes, List.of());
    }
    return curried(def.params().size(), args -> body(def, inst, sizes, args), List.of());
  }

  private Val body(ValDef def, OracleEnv inst, List<@Nullable Long> sizes, List<Val> args) {
    OracleEnv env = new OracleEnv(inst);
    env.await(def.sizeParams());
    for (int i = 0; i < args.size(); i++) {
      bind(def.params().get(i), args.get(i), env);
    }
    for (int i = 0; i < sizes.size(); i++) {
      Long told = sizes.get(i);
      Name name = def.sizeParams().get(i);
      if (told == null) {
        continue;
      }
      if (env.awaits(name)) {
        env.put(name, Val.i64(told));
      } else if (env.value(name) instanceof Val.Prim p && p.bits() != told) {
        throw new TypeViolationException(
            def.name() + ": " + name + " is " + p.bits() + " by value and " + told + " by type");
      }
    }
    Val result = eval(def.body(), env);
    return told(def.result().sizes(), def.result().type(), result, new OracleEnv(env));
  }

  // Patterns.

  private static boolean matches(Pat pat, Val value) {
    return switch (pat) {
      case Pat.Var _, Pat.Wildcard _ -> true;
      case Pat.Record p ->
          p.fields().entrySet().stream()
              .allMatch(f -> matches(f.getValue(), ((Val.Rec) value).fields().get(f.getKey())));
      case Pat.Literal p -> {
        Exp.Lit lit = p.literal();
        Val.Prim x = (Val.Prim) value;
        yield lit.prim().isFloat()
            ? Double.longBitsToDouble(lit.bits()) == OracleScalars.real(x)
            : OracleScalars.integer(x.type(), BigInteger.valueOf(lit.bits())).bits() == x.bits();
      }
      case Pat.Constr p -> {
        Val.Sum sum = (Val.Sum) value;
        boolean same = sum.name().equals(p.name());
        for (int i = 0; same && i < p.payload().size(); i++) {
          same = matches(p.payload().get(i), sum.payload().get(i));
        }
        yield same;
      }
    };
  }

  private void bind(Pat pat, Val value, OracleEnv env) {
    types.match(pat.type(), value, env);
    bindNames(pat, value, env);
  }

  private static void bindNames(Pat pat, Val value, OracleEnv env) {
    switch (pat) {
      case Pat.Var p -> env.put(p.name(), value);
      case Pat.Wildcard _, Pat.Literal _ -> {}
      case Pat.Record p ->
          p.fields().forEach((name, f) -> bindNames(f, ((Val.Rec) value).fields().get(name), env));
      case Pat.Constr p -> {
        for (int i = 0; i < p.payload().size(); i++) {
          bindNames(p.payload().get(i), ((Val.Sum) value).payload().get(i), env);
        }
      }
    }
  }

  // Operators.

  private static Val binary(Exp.Op op, Val left, Val right) {
    return switch (op) {
      case EQ -> Val.bool(equal(left, right));
      case NEQ -> Val.bool(!equal(left, right));
      default -> {
        PrimType t = ((Val.Prim) left).type();
        yield OracleScalars.apply(ScalarOp.of(op), t, List.of(left, right));
      }
    };
  }

  static boolean equal(Val a, Val b) {
    return switch (a) {
      case Val.Prim x ->
          OracleScalars.truth(OracleScalars.apply(ScalarOp.EQ, x.type(), List.of(x, b)));
      case Val.Arr x -> all(x.elems(), ((Val.Arr) b).elems());
      case Val.Rec x ->
          all(List.copyOf(x.fields().values()), List.copyOf(((Val.Rec) b).fields().values()));
      case Val.Sum x ->
          b instanceof Val.Sum y && x.name().equals(y.name()) && all(x.payload(), y.payload());
      case Val.Fn _, Val.Def _, Val.Acc _ -> throw new TypeViolationException("functions compared");
    };
  }

  private static boolean all(List<Val> a, List<Val> b) {
    if (a.size() != b.size()) {
      return false;
    }
    for (int i = 0; i < a.size(); i++) {
      if (!equal(a.get(i), b.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static Val unary(Exp.Un op, Val.Prim x) {
    if (op == Exp.Un.NEGATE) {
      return OracleScalars.apply(ScalarOp.NEG, x.type(), List.of(x));
    }
    return x.type() == PrimType.BOOL
        ? Val.bool(x.bits() == 0)
        : OracleScalars.apply(ScalarOp.NOT, x.type(), List.of(x));
  }

  // Ranges and indices.

  private Val range(Exp.Range e, OracleEnv env) {
    Val.Prim first = (Val.Prim) eval(e.start(), env);
    BigInteger start = OracleScalars.big(first);
    Exp next = e.second();
    BigInteger second = next == null ? null : OracleScalars.big((Val.Prim) eval(next, env));
    BigInteger end = OracleScalars.big((Val.Prim) eval(e.end(), env));
    boolean down = e.kind() == RangeKind.DOWN_TO;
    BigInteger one = down ? BigInteger.ONE.negate() : BigInteger.ONE;
    BigInteger step = second == null ? one : second.subtract(start);
    boolean wrongWay =
        switch (e.kind()) {
          case UP_TO -> step.signum() < 0;
          case DOWN_TO -> step.signum() > 0;
          case INCLUSIVE -> false;
        };
    // The sign of the distance to the end, in the direction of the steps.
    int left = end.subtract(start).signum() * step.signum();
    if (step.signum() == 0 || wrongWay || left < 0) {
      throw new ProgramFailureException("invalid range");
    }
    List<Val> elems = new ArrayList<>();
    for (BigInteger x = start; ; x = x.add(step)) {
      int order = end.subtract(x).signum() * step.signum();
      if (order < 0 || order == 0 && e.kind() != RangeKind.INCLUSIVE) {
        break;
      }
      elems.add(OracleScalars.integer(first.type(), x));
      if (elems.size() > 1_000_000) {
        throw new UnsupportedException("a long range");
      }
    }
    return new Val.Arr(elems, Type.prim(first.type()));
  }

  private List<Slices.At> dims(List<Exp.Dim> dims, OracleEnv env) {
    List<Slices.At> at = new ArrayList<>();
    for (Exp.Dim dim : dims) {
      at.add(
          switch (dim) {
            case Exp.Dim.Fix f -> new Slices.Fix(OracleScalars.number(eval(f.index(), env)));
            case Exp.Dim.Slice s ->
                new Slices.Part(bound(s.start(), env), bound(s.end(), env), bound(s.stride(), env));
          });
    }
    return at;
  }

  private @Nullable Long bound(@Nullable Exp e, OracleEnv env) {
    return e == null ? null : (Long) OracleScalars.number(eval(e, env));
  }

  // Loops.

  private Val loop(Exp.Loop e, OracleEnv env) {
    Val value = eval(e.init(), env);
    switch (e.form()) {
      case Exp.Form.For f -> {
        BigInteger bound = OracleScalars.big((Val.Prim) eval(f.bound(), env));
        for (BigInteger i = BigInteger.ZERO; i.compareTo(bound) < 0; i = i.add(BigInteger.ONE)) {
          OracleEnv inner = iteration(e, value, env);
          inner.put(f.index(), OracleScalars.integer(f.prim(), i));
          value = eval(e.body(), inner);
        }
      }
      case Exp.Form.ForIn f -> {
        for (Val elem : ((Val.Arr) eval(f.array(), env)).elems()) {
          OracleEnv inner = iteration(e, value, env);
          bind(f.pat(), elem, inner);
          value = eval(e.body(), inner);
        }
      }
      case Exp.Form.While w -> {
        while (OracleScalars.truth(eval(w.cond(), iteration(e, value, env)))) {
          value = eval(e.body(), iteration(e, value, env));
        }
      }
    }
    return value;
  }

  private OracleEnv iteration(Exp.Loop e, Val value, OracleEnv env) {
    OracleEnv inner = new OracleEnv(env);
    inner.await(e.loopSizes());
    bind(e.pat(), value, inner);
    return inner;
  }

  static List<Val> mutable(List<Val> elems) {
    return new ArrayList<>(elems);
  }

  static List<Val> times(long n, Val x) {
    if (n < 0) {
      throw new ProgramFailureException("a negative size");
    }
    if (n > 1_000_000) {
      throw new UnsupportedException("a long array");
    }
    return Collections.nCopies((int) n, x);
  }
}
