package futharkc.core.ir;

/**
 * Makes fresh names for one function (or for the constants), counting up from where the function's
 * names end.
 */
public final class NameSource {
  private int next;

  /** Numbers from {@code next} on are free. */
  public NameSource(int next) {
    this.next = next;
  }

  /** A name with this readable part that nothing else has. */
  public Name fresh(String base) {
    return new Name(base, next++);
  }

  /** A new name with the readable part of an old one. */
  public Name fresh(Name like) {
    return fresh(like.base());
  }

  /** The first free number: what the rebuilt function stores. */
  public int next() {
    return next;
  }
}
