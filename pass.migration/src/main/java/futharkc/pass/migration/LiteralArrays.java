package futharkc.pass.migration;

import futharkc.core.ir.Body;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Array literals, and arrays that share their elements. A branch or loop that moves may return an
 * array whose literal moves with it; any other array would be copied.
 */
final class LiteralArrays {
  /** Array literals that move whatever the cut is. */
  private final Set<Name> moving = new HashSet<>();

  /** The depth of the outermost body around each array literal, by array. */
  private final Map<Name, Integer> depths = new HashMap<>();

  /** Notes an array literal in a body of the given depth. */
  void literal(Name array, int depth) {
    depths.put(array, depth);
  }

  /** Notes an array literal that moves whatever the cut is. */
  void move(Name array, int depth) {
    moving.add(array);
    depths.put(array, depth);
  }

  Set<Name> moving() {
    return moving;
  }

  /** Notes an array that shares the elements of another array. */
  void view(Stm s, SubExp of) {
    Integer depth = depth(of);
    if (depth != null) {
      depths.put(s.pat().get(0).name(), depth);
    }
  }

  private @Nullable Integer depth(SubExp e) {
    return e instanceof SubExp.Var v ? depths.get(v.name()) : null;
  }

  /** Tests whether an array is made of literals in bodies that are deeper than a depth. */
  boolean isMadeBelow(int depth, SubExp array) {
    Integer at = depth(array);
    return at != null && at > depth;
  }

  /** Notes a result of a branch in a body of the given depth. */
  void result(PatElem p, int k, List<Body> bodies, int depth) {
    int least = depth;
    for (Body b : bodies) {
      Integer at = depth(b.results().get(k));
      if (at == null) {
        return;
      }
      least = Math.min(least, at);
    }
    depths.put(p.name(), least);
  }
}
