package futharkc.core.language.check;

import futharkc.core.ir.Loc;
import futharkc.core.language.typed.Name;

/** The meaning of a name in the name space of values and modules. */
sealed interface Entity
    permits Entity.Value, Entity.Module, Entity.Operator, Entity.Broken, LocalVar {
  /** A definition at module level, or an intrinsic. */
  record Value(Name name, Scheme scheme, Loc loc) implements Entity {}

  /** A module. */
  record Module(Mod mod) implements Entity {}

  /** An overloaded operator. */
  record Operator(String text) implements Entity {}

  /** A definition with errors. The checker reports no further errors about its uses. */
  record Broken() implements Entity {}
}
