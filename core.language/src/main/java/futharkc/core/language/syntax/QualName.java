package futharkc.core.language.syntax;

import java.util.List;

/** A name as written, such as {@code M.N.x}: the names of modules, then the name. */
public record QualName(List<String> qualifiers, String name) {
  public QualName {
    qualifiers = List.copyOf(qualifiers);
  }

  /** Returns an unqualified name. */
  public static QualName of(String name) {
    return new QualName(List.of(), name);
  }

  @Override
  public String toString() {
    return qualifiers.isEmpty() ? name : String.join(".", qualifiers) + "." + name;
  }
}
