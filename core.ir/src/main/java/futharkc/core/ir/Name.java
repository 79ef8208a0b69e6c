package futharkc.core.ir;

/**
 * A variable's name: a readable base and a number. All names that a function binds differ from each
 * other and from the names of the program's constants. The number alone identifies a name.
 */
public record Name(String base, int tag) implements Comparable<Name> {
  /** Compares by number, then by base. */
  @Override
  public int compareTo(Name other) {
    int byTag = Integer.compare(tag, other.tag);
    return byTag != 0 ? byTag : base.compareTo(other.base);
  }

  // Explicit methods, since those of a record are slow until the JVM has compiled them.
  @Override
  public boolean equals(Object o) {
    return this == o || o instanceof Name n && tag == n.tag && base.equals(n.base);
  }

  @Override
  public int hashCode() {
    return tag * 31 + base.hashCode();
  }

  @Override
  public String toString() {
    return base + "_" + tag;
  }
}
