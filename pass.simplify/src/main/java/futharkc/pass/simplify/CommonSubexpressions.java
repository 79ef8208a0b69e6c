package futharkc.pass.simplify;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Stm;
import futharkc.core.ir.Type;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Expressions evaluated so far in a statement list and those around it. Only scalars, checks, and
 * other views of the same array: a fresh array may be consumed, so that two equal ones are not one.
 */
final class CommonSubexpressions {
  private final @Nullable CommonSubexpressions outer;
  private final Map<Object, Stm> seen = new HashMap<>();

  CommonSubexpressions(@Nullable CommonSubexpressions outer) {
    this.outer = outer;
  }

  /** An earlier statement that computes the same under no fewer checks; else remembers this one. */
  @Nullable Stm find(Stm s) {
    Object key = key(s);
    if (key == null) return null;
    for (CommonSubexpressions c = this; c != null; c = c.outer) {
      Stm earlier = c.seen.get(key);
      if (earlier != null
          && earlier.aux().certs().containsAll(s.aux().certs())
          && earlier.pat().get(0).type().equals(s.pat().get(0).type())) {
        return earlier;
      }
    }
    seen.put(key, s);
    return null;
  }

  private static @Nullable Object key(Stm s) {
    if (s.pat().size() != 1 || s.pat().get(0).type() instanceof Type.Acc) return null;
    boolean scalar = s.pat().get(0).type() instanceof Type.Prim;
    return switch (s.exp()) {
      case BasicOp.Assert a -> a.cond();
      case BasicOp.Index x -> x;
      case BasicOp.FlatIndex x -> x;
      case BasicOp.Reshape x -> x;
      case BasicOp.Rearrange x -> x;
      case BasicOp.Opaque x -> null;
      case BasicOp op -> scalar ? op : null;
      default -> null;
    };
  }
}
