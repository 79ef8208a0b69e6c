package futharkc.core.language.check;

import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Type;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A replacement of sizes that leave their scope by unknown sizes. Sizes of the value itself are
 * replaced first: {@code ([n]a, [n + 1]b)} without {@code n} becomes {@code ([d]a, [d + 1]b)}. A
 * new size in the result of a function is bound there unless it is also a size of the enclosing
 * type.
 */
final class Unscope {
  private record Replacement(Type.Size from, Type.Size to) {}

  private final Predicate<Type.Size> unwanted;
  private final Function<Type.Size, Name> fresh;
  private final List<Replacement> known = new ArrayList<>();
  private final List<Name> made = new ArrayList<>();

  private Unscope(Predicate<Type.Size> unwanted, Function<Type.Size, Name> fresh) {
    this.unwanted = unwanted;
    this.fresh = fresh;
  }

  /** A type and the sizes that were created for it and are not bound in it. */
  record Result(Type type, List<Name> sizes) {}

  static Result apply(Type t, Predicate<Type.Size> unwanted, Function<Type.Size, Name> fresh) {
    Unscope u = new Unscope(unwanted, fresh);
    Type result = u.within(t);
    return new Result(result, u.made);
  }

  private Type within(Type t) {
    int mark = known.size();
    List<Type.Size> immediate = new ArrayList<>();
    Positions.visit(
        t,
        (pos, size, bound) -> {
          if (pos == Positions.Position.IMMEDIATE && !immediate.contains(size)) {
            immediate.add(size);
          }
        });
    immediate.sort(Comparator.comparingDouble(Unscope::weight));
    for (Type.Size s : immediate) {
      known.add(new Replacement(s, replace(s)));
    }
    Type result = mapper.type(t);
    while (known.size() > mark) {
      known.remove(known.size() - 1);
    }
    return result;
  }

  private static double weight(Type.Size s) {
    return s instanceof Type.Size.Of o ? 1 + weight(o.exp(), new IdentityHashMap<>()) : 0;
  }

  /**
   * Returns the number of nodes of an expression as a tree. Sizes share subexpressions, so the map
   * {@code known} avoids exponential work.
   */
  private static double weight(Exp e, Map<Exp, Double> known) {
    Double before = known.get(e);
    if (before != null) {
      return before;
    }
    double[] n = {1};
    SizeExps.children(e, c -> n[0] += weight(c, known));
    known.put(e, n[0]);
    return n[0];
  }

  private Type.Size replace(Type.Size s) {
    for (Replacement r : known) {
      if (SizeExps.same(r.from, s)) {
        return r.to;
      }
    }
    Type.Size inner = s instanceof Type.Size.Of o ? SizeExps.size(parts.exp(o.exp())) : s;
    if (!unwanted.test(inner)) {
      return inner;
    }
    Name n = fresh.apply(inner);
    made.add(n);
    return new Type.Size.Var(n);
  }

  private final Mapper parts =
      new Mapper() {
        @Override
        Exp exp(Exp e) {
          Type.Size s = SizeExps.size(e);
          for (Replacement r : known) {
            if (SizeExps.same(r.from, s)) {
              return SizeExps.exp(r.to, e.loc());
            }
          }
          return super.exp(e);
        }

        @Override
        Type annotation(Type t) {
          return t;
        }
      };

  private final Mapper mapper =
      new Mapper() {
        @Override
        Type.Size size(Type.Size s) {
          return s instanceof Type.Size.Const ? s : replace(s);
        }

        @Override
        Type.Result result(Type.Result r) {
          int mark = made.size();
          Type t = within(r.type());
          List<Name> sizes = new ArrayList<>(r.sizes());
          while (made.size() > mark) {
            sizes.add(r.sizes().size(), made.remove(made.size() - 1));
          }
          return t == r.type() && sizes.size() == r.sizes().size() ? r : new Type.Result(sizes, t);
        }
      };
}
