package futharkc.pass.simplify;

import futharkc.core.ir.Body;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Stm;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** What each name that a statement list binds is computed from. */
final class Dependencies {
  private final Map<Name, Set<Name>> direct = new HashMap<>();

  Dependencies(Body body) {
    for (Stm s : body.stms()) {
      Set<Name> free = FreeNames.of(s);
      for (PatElem p : s.pat()) direct.put(p.name(), free);
    }
  }

  /** The operands of the statement that binds the name; none if it is bound elsewhere. */
  Set<Name> of(Name name) {
    return direct.getOrDefault(name, Set.of());
  }
}
