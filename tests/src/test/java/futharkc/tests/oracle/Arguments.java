package futharkc.tests.oracle;

import futharkc.core.language.syntax.PrimType;
import futharkc.core.language.typed.EntryPoint;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Pat;
import futharkc.core.language.typed.Type;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A generator of random arguments for an entry point's types; equal size names have equal sizes.
 */
final class Arguments {
  private final Random random;
  private final int most;
  private final double edges;
  private final Map<String, Integer> sizes = new HashMap<>();

  /**
   * Creates a generator for one call.
   *
   * @param most the largest size
   * @param edges the probability of a number at the edge of its type, an infinity, or not a number
   */
  Arguments(Random random, int most, double edges) {
    this.random = random;
    this.most = most;
    this.edges = edges;
  }

  /** Returns one value for each parameter; null for a parameter of an abstract type. */
  List<@Nullable Val> of(EntryPoint entry) {
    List<Pat> params = entry.def().params();
    for (EntryPoint.Param p : entry.params()) {
      collect(p.type());
    }
    List<@Nullable Val> out = new ArrayList<>();
    for (int i = 0; i < entry.params().size(); i++) {
      Type type = entry.params().get(i).type();
      Integer size =
          i < params.size() && params.get(i) instanceof Pat.Var v && type.equals(I64)
              ? sizes.get(v.name().base())
              : null;
      out.add(size != null ? Val.i64(size) : type instanceof Type.Named ? null : value(type));
    }
    return out;
  }

  private static final Type I64 = Type.prim(PrimType.I64);

  private void collect(Type type) {
    switch (type) {
      case Type.Array a -> {
        if (a.size() instanceof Type.Size.Var v) {
          size(v.name());
        }
        collect(a.elem());
      }
      case Type.Record r -> r.fields().values().forEach(this::collect);
      case Type.Sum s -> s.variants().values().forEach(ts -> ts.forEach(this::collect));
      case Type.Named n -> {
        for (Type.Arg arg : n.args()) {
          switch (arg) {
            case Type.Arg.OfSize s -> {
              if (s.size() instanceof Type.Size.Var v) {
                size(v.name());
              }
            }
            case Type.Arg.OfType t -> collect(t.type());
          }
        }
      }
      default -> {}
    }
  }

  private int size(Name name) {
    return sizes.computeIfAbsent(name.base(), n -> most / 3 + random.nextInt(most + 1 - most / 3));
  }

  private Val value(Type type) {
    return switch (type) {
      case Type.Prim p -> prim(p.type());
      case Type.Array a -> {
        int n =
            switch (a.size()) {
              case Type.Size.Const c -> (int) c.value();
              case Type.Size.Var v -> size(v.name());
              default -> throw new UnsupportedException("a size that is an expression");
            };
        List<Val> elems = new ArrayList<>();
        for (int i = 0; i < n; i++) {
          elems.add(value(a.elem()));
        }
        yield new Val.Arr(elems, closed(a.elem()));
      }
      case Type.Record r -> {
        SortedMap<String, Val> fields = Builtins.fields();
        r.fields().forEach((name, t) -> fields.put(name, value(t)));
        yield new Val.Rec(fields);
      }
      case Type.Sum s -> {
        List<String> names = List.copyOf(s.variants().keySet());
        String name = names.get(random.nextInt(names.size()));
        yield new Val.Sum(name, s.variants().get(name).stream().map(this::value).toList());
      }
      default -> throw new UnsupportedException("arguments of type " + OracleTypes.show(type));
    };
  }

  private Type closed(Type type) {
    return switch (type) {
      case Type.Array a ->
          new Type.Array(
              false,
              a.size() instanceof Type.Size.Var v ? new Type.Size.Const(size(v.name())) : a.size(),
              closed(a.elem()));
      case Type.Record r -> {
        SortedMap<String, Type> fields = new TreeMap<>(Type.FIELD_ORDER);
        r.fields().forEach((name, t) -> fields.put(name, closed(t)));
        yield new Type.Record(fields);
      }
      default -> type;
    };
  }

  private Val prim(PrimType t) {
    int x = random.nextInt(-9, 20);
    if (t == PrimType.BOOL) {
      return Val.bool(random.nextBoolean());
    }
    boolean edge = random.nextDouble() < edges;
    if (t.isFloat()) {
      if (edge) {
        double[] all = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -0.0};
        return OracleScalars.real(t, all[random.nextInt(all.length)]);
      }
      return OracleScalars.real(t, x == 0 && random.nextBoolean() ? -0.0 : x);
    }
    return OracleScalars.integer(t, edge ? edge(t) : BigInteger.valueOf(x));
  }

  /** Returns a number that is, cut to the type, near a power of two or near an end of the type. */
  private BigInteger edge(PrimType t) {
    BigInteger power = BigInteger.ONE.shiftLeft(random.nextInt(t.bits()));
    BigInteger half = BigInteger.ONE.shiftLeft(t.bits() - 1);
    return switch (random.nextInt(6)) {
      case 0 -> BigInteger.ONE.negate();
      case 1 -> random.nextBoolean() ? power : power.negate();
      case 2 -> power.subtract(BigInteger.ONE);
      case 3 -> half;
      case 4 -> half.subtract(BigInteger.ONE);
      default -> new BigInteger(t.bits(), random);
    };
  }
}
