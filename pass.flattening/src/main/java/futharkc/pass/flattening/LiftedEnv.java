package futharkc.pass.flattening;

import futharkc.core.ir.Name;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An environment of the names that vary over a nest. All other names are names of the host, with
 * the same value in all segments.
 */
final class LiftedEnv {
  private final Map<Name, LiftedName> variants = new HashMap<>();

  /** Returns a copy for an inner nest. */
  LiftedEnv copy() {
    LiftedEnv e = new LiftedEnv();
    e.variants.putAll(variants);
    return e;
  }

  void put(Name n, LiftedName v) {
    variants.put(n, v);
  }

  /** Replaces the current value of all names of an accumulator. */
  void replaceAccumulator(Name token, ValueRep now) {
    variants.replaceAll(
        (n, v) ->
            v.type() instanceof Type.Acc acc && acc.token().equals(token)
                ? new LiftedName(v.type(), now, v.nest())
                : v);
  }

  @Nullable LiftedName get(Name n) {
    return variants.get(n);
  }

  /** Returns the lifted form of a varying name. */
  LiftedName of(Name n) {
    LiftedName v = variants.get(n);
    if (v == null) {
      throw new IllegalStateException(n + " does not vary");
    }
    return v;
  }

  boolean varies(Name n) {
    return variants.containsKey(n);
  }

  boolean varies(SubExp e) {
    return e instanceof SubExp.Var v && varies(v.name());
  }

  boolean anyVaries(Iterable<Name> names) {
    for (Name n : names) {
      if (varies(n)) {
        return true;
      }
    }
    return false;
  }

  boolean anyVaries(List<SubExp> es) {
    return es.stream().anyMatch(this::varies);
  }

  /** Tests whether arrays of the type have the same sizes in all segments. */
  boolean isRegular(Type t) {
    return !anyVaries(t.dims());
  }
}
