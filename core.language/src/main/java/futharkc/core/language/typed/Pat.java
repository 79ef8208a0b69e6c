package futharkc.core.language.typed;

import futharkc.core.ir.Loc;
import java.util.List;
import java.util.SortedMap;

/** A checked pattern. Ascriptions are merged into the types. */
public sealed interface Pat {
  Loc loc();

  /** Returns the type of the matched value. A unique mark means that the parameter is consumed. */
  Type type();

  /** A variable. */
  record Var(Name name, Type type, Loc loc) implements Pat {}

  /** A wildcard: {@code _}. */
  record Wildcard(Type type, Loc loc) implements Pat {}

  /** A tuple or record with all its fields. */
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
