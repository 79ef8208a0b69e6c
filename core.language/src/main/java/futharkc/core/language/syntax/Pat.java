package futharkc.core.language.syntax;

import futharkc.core.ir.Loc;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A pattern as written. */
public sealed interface Pat {
  Loc loc();

  /** A variable. */
  record Var(String name, Loc loc) implements Pat {}

  /** A wildcard: {@code _}. */
  record Wildcard(Loc loc) implements Pat {}

  /** A tuple {@code (p, q)}, or the unit pattern {@code ()}. */
  record Tuple(List<Pat> elems, Loc loc) implements Pat {}

  /** A record: {@code {x = p, y}}. */
  record Record(List<Field> fields, Loc loc) implements Pat {}

  /** A literal expression: a number with its sign, a character or a boolean. */
  record Literal(Exp literal, boolean negated, Loc loc) implements Pat {}

  /** A constructor with its payload: {@code #c p q}. */
  record Constr(String name, List<Pat> payload, Loc loc) implements Pat {}

  /** A pattern with a type: {@code p : t}. */
  record Ascript(Pat pat, TypeExp type, Loc loc) implements Pat {}

  /** A pattern with an attribute: {@code #[a] p}. */
  record Attributed(Attr attr, Pat pat, Loc loc) implements Pat {}

  /**
   * A field of a record pattern. Without a pattern, the field binds a variable of the same name.
   */
  record Field(String name, @Nullable Pat pat, Loc loc) {}
}
