package futharkc.core.language.typed;

import futharkc.core.ir.Loc;
import java.util.List;
import java.util.SortedMap;

/** A checked pattern; ascriptions are gone into the types. */
public sealed interface Pat {
  Loc loc();

  /** The type of what is matched; unique marks mean that the parameter is consumed. */
  Type type();

  /** A name. */
  record Var(Name name, Type type, Loc loc) implements Pat {}

  /** {@code _}. */
  record Wildcard(Type type, Loc loc) implements Pat {}

  /** A tuple or record, all fields present. */
  record Record(SortedMap<String, Pat> fields, Type type, Loc loc) implements Pat {
    public Record {
      fields = Type.sorted(fields);
    }
  }

  /** A literal. */
  record Literal(Exp.Lit literal, Loc loc) implements Pat {
    @Override
    public Type type() {
      return literal.type();
    }
  }

  /** A constructor with its payload. */
  record Constr(String name, List<Pat> payload, Type type, Loc loc) implements Pat {}
}
