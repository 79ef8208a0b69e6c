package futharkc.core.ir;

/** A counter of fresh names for one function or for the constants. */
public final class NameSource {
  private int next;

  /** Makes a source whose first fresh number is {@code next}. */
  public NameSource(int next) {
    this.next = next;
  }

  /** Returns a name with the given base and an unused number. */
  public Name fresh(String base) {
    return new Name(base, next++);
  }

  /** Returns a new name with the base of an existing one. */
  public Name fresh(Name like) {
    return fresh(like.base());
  }

  /**
   * Returns the first unused number, which the rebuilt function stores as {@link FunDef#nextTag()}.
   */
  public int next() {
    return next;
  }
}
