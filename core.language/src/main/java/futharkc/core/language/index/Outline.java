package futharkc.core.language.index;

import java.util.List;

/** A definition with the definitions within it, which a module or module type has. */
public record Outline(Symbol symbol, List<Outline> members) {
  public Outline {
    members = List.copyOf(members);
  }
}
