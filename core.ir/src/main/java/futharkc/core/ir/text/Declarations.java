package futharkc.core.ir.text;

import futharkc.core.ir.Name;
import futharkc.core.ir.imperative.Code;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The variables in scope at a point of imperative code. The text form omits the type of a use if it
 * equals the declared type.
 */
final class Declarations {
  private final Map<Name, Code.Variable> inScope = new HashMap<>();
  private final List<Change> changes = new ArrayList<>();

  /** A declaration, with the previous meaning of the name. */
  private record Change(Name name, Code.@Nullable Variable before) {}

  void declare(Code.Variable v) {
    changes.add(new Change(v.name(), inScope.put(v.name(), v)));
  }

  Code.@Nullable Variable find(Name n) {
    return inScope.get(n);
  }

  /** Begins a list of statements and returns a mark for {@link #leave}. */
  int enter() {
    return changes.size();
  }

  /** Ends a list of statements and the scope of its declarations. */
  void leave(int entered) {
    while (changes.size() > entered) {
      Change c = changes.removeLast();
      if (c.before == null) {
        inScope.remove(c.name);
      } else {
        inScope.put(c.name, c.before);
      }
    }
  }
}
