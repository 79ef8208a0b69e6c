package futharkc.core.ir.text;

import futharkc.core.ir.Name;
import futharkc.core.ir.imperative.Code;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The variables in scope at a place in imperative code. Where a use agrees with what is declared,
 * its type goes without saying; elsewhere it is written.
 */
final class Declarations {
  private final Map<Name, Code.Variable> inScope = new HashMap<>();
  private final List<Change> changes = new ArrayList<>();

  /** A declaration, and what the name stood for before. */
  private record Change(Name name, Code.@Nullable Variable before) {}

  void declare(Code.Variable v) {
    changes.add(new Change(v.name(), inScope.put(v.name(), v)));
  }

  Code.@Nullable Variable find(Name n) {
    return inScope.get(n);
  }

  /** Begins a list of statements. */
  int enter() {
    return changes.size();
  }

  /** Ends a list of statements, and the scope of what it declares. */
  void leave(int entered) {
    while (changes.size() > entered) {
      Change c = changes.removeLast();
      if (c.before == null) inScope.remove(c.name);
      else inScope.put(c.name, c.before);
    }
  }
}
