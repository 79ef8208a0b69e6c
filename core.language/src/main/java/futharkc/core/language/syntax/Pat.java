package futharkc.core.language.syntax;

import futharkc.core.ir.Loc;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A pattern as written. */
public sealed interface Pat {
  Loc loc();

  /** A name. */
  record Var(String name, Loc loc) implements Pat {}

  /** {@code _}. */
  record Wildcard(Loc loc) implements Pat {}

  /** {@code (p, q)}; {@code ()} when empty. */
  record Tuple(List<Pat> elems, Loc loc) implements Pat {}

  /** {@code {x = p, y}}. */
  record Record(List<Field> fields, Loc loc) implements Pat {}

  /** A number (with its sign), character or boolean: one of the literal expressions. */
  record Literal(Exp literal, boolean negated, Loc loc) implements Pat {}

  /** {@code #c p q}. */
  record Constr(String name, List<Pat> payload, Loc loc) implements Pat {}

  /** {@code p : t}. */
  record Ascript(Pat pat, TypeExp type, Loc loc) implements Pat {}

  /** {@code #[a] p}. */
  record Attributed(Attr attr, Pat pat, Loc loc) implements Pat {}

  /** A field of a record pattern; without a pattern, the field's name is bound. */
  record Field(String name, @Nullable Pat pat, Loc loc) {}
}
