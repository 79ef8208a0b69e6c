package futharkc.core.language.index;

import futharkc.core.ir.Loc;

/**
 * An occurrence of a name in a file.
 *
 * @param loc the range of the name alone
 * @param role the role of the occurrence
 */
public record Occurrence(Symbol symbol, Loc loc, Role role) {
  /** The roles of occurrences. */
  public enum Role {
    /** The definition. */
    DEFINITION,
    /** A reference. */
    REFERENCE,
    /** A definition that is also the name of a record field: {@code let {x} = r}. */
    FIELD_DEFINITION,
    /** A reference that is also the name of a record field: {@code {x}}. */
    FIELD_REFERENCE;

    /** Tests whether the occurrence is also the name of a record field. */
    public boolean isField() {
      return this == FIELD_DEFINITION || this == FIELD_REFERENCE;
    }

    /** Tests whether the occurrence is a definition. */
    public boolean isDefinition() {
      return this == DEFINITION || this == FIELD_DEFINITION;
    }
  }
}
