package futharkc.core.language.check;

import futharkc.core.language.typed.Name;

/** A source of fresh names of one compilation. */
final class NameSource {
  private int next;

  NameSource() {
    this(1);
  }

  /** Creates a source whose first tag is {@code next}. */
  NameSource(int next) {
    this.next = next;
  }

  /** Returns the next free tag. */
  int next() {
    return next;
  }

  /** Continues with an earlier tag. The caller drops all names with this or a later tag. */
  void reset(int next) {
    this.next = next;
  }

  /** Returns an independent source with the same next tag. */
  NameSource copy() {
    return new NameSource(next);
  }

  Name fresh(String base) {
    return new Name(base, next++);
  }
}
