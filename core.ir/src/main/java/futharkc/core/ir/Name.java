package futharkc.core.ir;

/**
 * A variable's name: a readable part and a number. Within a function, all bound names differ, and
 * they differ from those of the program's constants; the number alone tells two names apart.
 */
public record Name(String base, int tag) implements Comparable<Name> {
  /** By number, then by text. */
  @Override
  public int compareTo(Name other) {
    int byTag = Integer.compare(tag, other.tag);
    return byTag != 0 ? byTag : base.compareTo(other.base);
  }

  // Written out, as the one of a record takes long until it has been compiled.
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
