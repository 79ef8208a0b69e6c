package futharkc.core.language.lower;

import futharkc.core.language.typed.MetaType;
import futharkc.core.language.typed.Pat;
import futharkc.core.language.typed.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The unique marks of source types, per leaf. */
final class Uniqueness {
  private Uniqueness() {}

  /** Returns for each leaf of a value of the type whether it is marked unique. */
  static List<Boolean> leaves(Type t, Ty actual) {
    return switch (t) {
      case Type.Array a -> same(a.unique(), actual);
      case Type.Named n -> same(n.unique(), actual);
      case Type.Prim p -> same(false, actual);
      case Type.Fun f -> same(false, actual);
      case Type.Sum s -> {
        if (!(actual instanceof Ty.Sum b)) {
          yield same(false, actual);
        }
        List<Boolean> out = new ArrayList<>(same(false, actual));
        SumLayout layout = b.layout();
        s.variants()
            .forEach(
                (name, payload) -> {
                  for (int i = 0; i < payload.size(); i++) {
                    List<Boolean> inner = leaves(payload.get(i), b.payload(name).get(i));
                    List<Integer> places = layout.of(name).get(i);
                    for (int j = 0; j < places.size(); j++) {
                      if (inner.get(j)) {
                        out.set(1 + places.get(j), true);
                      }
                    }
                  }
                });
        yield out;
      }
      case Type.Record r -> {
        if (!(actual instanceof Ty.Record b)) {
          yield same(false, actual);
        }
        List<Boolean> out = new ArrayList<>();
        r.fields().forEach((k, x) -> out.addAll(leaves(x, b.field(k))));
        yield out;
      }
      case MetaType m -> m.solution == null ? same(false, actual) : leaves(m.solution, actual);
    };
  }

  /**
   * Returns for each leaf of a pattern whether it is marked unique. The types of nested patterns
   * carry the marks of a record's fields.
   */
  static List<Boolean> leaves(Pat p, Ty actual) {
    if (p instanceof Pat.Record r && actual instanceof Ty.Record b) {
      List<Boolean> out = new ArrayList<>();
      r.fields().forEach((k, q) -> out.addAll(leaves(q, b.field(k))));
      return out;
    }
    return leaves(p.type(), actual);
  }

  private static List<Boolean> same(boolean unique, Ty actual) {
    return Collections.nCopies(actual.leafCount(), unique);
  }
}
