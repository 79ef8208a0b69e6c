package futharkc.tests.oracle;

import futharkc.core.language.Intrinsics;
import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Program;
import futharkc.core.language.typed.Type;
import futharkc.core.language.typed.Type.Size;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Evaluation of types in an environment: their sizes, and checks of values. A <em>closed</em> type
 * has no names. Its sizes are numbers, or {@link Size.Any} for unknown sizes.
 */
final class OracleTypes {
  private final Program program;
  private final OracleEnv global;
  private final BiFunction<Exp, OracleEnv, Val> eval;

  OracleTypes(Program program, OracleEnv global, BiFunction<Exp, OracleEnv, Val> eval) {
    this.program = program;
    this.global = global;
    this.eval = eval;
  }

  /** Returns the size as a number, or null if the environment does not determine it. */
  @Nullable Long size(Size size, OracleEnv env) {
    return switch (size) {
      case Size.Const c -> c.value();
      case Size.Any _ -> null;
      case Size.Var v -> {
        try {
          yield OracleScalars.number(
              eval.apply(new Exp.Var(v.name(), List.of(), List.of(), I64, null), env));
        } catch (UnboundNameException e) {
          yield null;
        }
      }
      case Size.Of of -> {
        try {
          yield OracleScalars.number(eval.apply(of.exp(), env));
        } catch (UnboundNameException | ProgramFailureException e) {
          yield null;
        }
      }
    };
  }

  private static final Type I64 = Type.prim(futharkc.core.language.syntax.PrimType.I64);

  /** Returns the type with its names resolved. */
  Type close(Type type, OracleEnv env) {
    return switch (type) {
      case Type.Prim p -> p;
      case Type.Array a -> new Type.Array(false, closed(a.size(), env), close(a.elem(), env));
      case Type.Record r -> {
        SortedMap<String, Type> fields = new TreeMap<>(Type.FIELD_ORDER);
        r.fields().forEach((name, t) -> fields.put(name, close(t, env)));
        yield new Type.Record(fields);
      }
      case Type.Sum s -> {
        SortedMap<String, List<Type>> variants = new TreeMap<>();
        s.variants()
            .forEach(
                (name, ts) -> variants.put(name, ts.stream().map(t -> close(t, env)).toList()));
        yield new Type.Sum(variants);
      }
      case Type.Fun f -> f;
      case Type.Named n -> {
        OracleEnv.TypeIn meaning = meaning(n, env);
        yield meaning == null ? n : close(meaning.type(), meaning.env());
      }
      case futharkc.core.language.typed.MetaType m ->
          throw new TypeViolationException("a type that inference left open: " + m);
    };
  }

  private Size closed(Size size, OracleEnv env) {
    Long n = size(size, env);
    return n == null ? new Size.Any() : new Size.Const(n);
  }

  /**
   * Returns a named type's definition with its parameters bound, or null if it is unknown or built
   * in.
   */
  private OracleEnv.@Nullable TypeIn meaning(Type.Named n, OracleEnv env) {
    OracleEnv.TypeIn bound = env.type(n.name());
    if (bound != null) {
      return bound;
    }
    Program.TypeDef def = program.types().get(n.name());
    if (def == null) {
      return null;
    }
    OracleEnv inner = new OracleEnv(global);
    for (int i = 0; i < def.params().size(); i++) {
      Name param = def.params().get(i).name();
      switch (n.args().get(i)) {
        case Type.Arg.OfSize s -> {
          Long size = size(s.size(), env);
          if (size == null) {
            inner.await(List.of(param));
          } else {
            inner.put(param, Val.i64(size));
          }
        }
        case Type.Arg.OfType t -> inner.putType(param, new OracleEnv.TypeIn(t.type(), env));
      }
    }
    inner.await(def.type().sizes());
    return new OracleEnv.TypeIn(def.type().type(), inner);
  }

  /**
   * Assigns the pending sizes of the environment, and checks the other sizes.
   *
   * @throws TypeViolationException if the value does not have the type
   */
  void match(Type type, Val value, OracleEnv env) {
    switch (type) {
      case Type.Array a -> {
        Val.Arr array = (Val.Arr) value;
        size(a.size(), array.elems().size(), env, type);
        if (array.elems().isEmpty()) {
          matchEmpty(a.elem(), array.elem(), env);
        } else {
          match(a.elem(), array.elems().getFirst(), env);
        }
      }
      case Type.Record r -> {
        SortedMap<String, Val> fields = ((Val.Rec) value).fields();
        if (!fields.keySet().equals(r.fields().keySet())) {
          throw new TypeViolationException(
              "a record with the fields " + fields.keySet() + " as " + type);
        }
        r.fields().forEach((name, t) -> match(t, fields.get(name), env));
      }
      case Type.Sum s -> {
        Val.Sum sum = (Val.Sum) value;
        List<Type> payload = s.variants().get(sum.name());
        if (payload == null || payload.size() != sum.payload().size()) {
          throw new TypeViolationException("a variant " + sum.name() + " as " + type);
        }
        for (int i = 0; i < payload.size(); i++) {
          match(payload.get(i), sum.payload().get(i), env);
        }
      }
      case Type.Named n -> {
        OracleEnv.TypeIn meaning = meaning(n, env);
        if (meaning == null) {
          return;
        }
        match(meaning.type(), value, meaning.env());
        tellArguments(n, meaning.env(), env);
      }
      case Type.Prim p -> {
        if (!(value instanceof Val.Prim v) || v.type() != p.type()) {
          throw new TypeViolationException("the value " + value + " as " + type);
        }
      }
      case Type.Fun _ -> {
        if (!(value instanceof Val.Fn)) {
          throw new TypeViolationException("no function: " + value);
        }
      }
      case futharkc.core.language.typed.MetaType _ -> {}
    }
  }

  /** Matches the elements of an empty array, by their closed type. */
  private void matchEmpty(Type type, Type closed, OracleEnv env) {
    switch (type) {
      case Type.Array a -> {
        if (closed instanceof Type.Array c) {
          if (c.size() instanceof Size.Const n) {
            size(a.size(), n.value(), env, type);
          }
          matchEmpty(a.elem(), c.elem(), env);
        }
      }
      case Type.Record r -> {
        if (closed instanceof Type.Record c) {
          r.fields().forEach((name, t) -> matchEmpty(t, c.fields().get(name), env));
        }
      }
      case Type.Named n -> {
        OracleEnv.TypeIn meaning = meaning(n, env);
        if (meaning == null) {
          return;
        }
        matchEmpty(meaning.type(), closed, meaning.env());
        tellArguments(n, meaning.env(), env);
      }
      case Type.Sum _, Type.Prim _, Type.Fun _, futharkc.core.language.typed.MetaType _ -> {}
    }
  }

  /** Assigns the sizes found for a named type's parameters to its arguments. */
  private void tellArguments(Type.Named n, OracleEnv inner, OracleEnv env) {
    Program.TypeDef def = program.types().get(n.name());
    if (def == null || env.type(n.name()) != null) {
      return;
    }
    for (int i = 0; i < def.params().size(); i++) {
      if (n.args().get(i) instanceof Type.Arg.OfSize s
          && inner.value(def.params().get(i).name()) instanceof Val.Prim p) {
        size(s.size(), p.bits(), env, n);
      }
    }
  }

  private void size(Size size, long actual, OracleEnv env, Type type) {
    if (size instanceof Size.Var v && env.tell(v.name(), actual)) {
      return;
    }
    Long wanted = size(size, env);
    if (wanted != null && wanted != actual) {
      throw new TypeViolationException(
          "size " + actual + " where the type says " + wanted + ": " + show(type));
    }
  }

  /**
   * Returns the closed type of a value; null components for types that an empty array does not
   * determine.
   */
  static Type of(Val value) {
    return switch (value) {
      case Val.Prim p -> Type.prim(p.type());
      case Val.Arr a ->
          new Type.Array(
              false,
              new Size.Const(a.elems().size()),
              a.elems().isEmpty() ? a.elem() : of(a.elems().getFirst()));
      case Val.Rec r -> {
        SortedMap<String, Type> fields = new TreeMap<>(Type.FIELD_ORDER);
        r.fields().forEach((name, v) -> fields.put(name, of(v)));
        yield new Type.Record(fields);
      }
      case Val.Sum _, Val.Fn _, Val.Def _, Val.Acc _ ->
          new Type.Named(false, Name.intrinsic("unknown"), List.of());
    };
  }

  /** Returns the sizes of an array with a known number of dimensions. */
  static List<Long> shape(Val value, int rank) {
    List<Long> shape = new ArrayList<>();
    Type type = of(value);
    for (int i = 0; i < rank; i++) {
      if (!(type instanceof Type.Array a)) {
        shape.add(null);
        continue;
      }
      shape.add(a.size() instanceof Size.Const c ? (Long) c.value() : null);
      type = a.elem();
    }
    return shape;
  }

  static String show(Type type) {
    return switch (type) {
      case Type.Prim p -> p.type().toString();
      case Type.Array a ->
          "["
              + switch (a.size()) {
                case Size.Const c -> "" + c.value();
                case Size.Var v -> v.name().toString();
                case Size.Of _ -> "expression";
                case Size.Any _ -> "";
              }
              + "]"
              + show(a.elem());
      case Type.Named n when n.name().equals(Name.intrinsic(Intrinsics.ACC)) -> "acc";
      case Type.Named n -> n.name().toString();
      case Type.Record _ -> "record";
      case Type.Sum _ -> "sum";
      case Type.Fun _ -> "function";
      case futharkc.core.language.typed.MetaType _ -> "unknown";
    };
  }
}
