package futharkc.core.language.check;

import futharkc.core.language.typed.Name;

/** Makes names that are different from all others of one compilation. */
final class NameSource {
  private int next;

  NameSource() {
    this(1);
  }

  /** The numbers from {@code next} on are free. */
  NameSource(int next) {
    this.next = next;
  }

  /** The first free number. */
  int next() {
    return next;
  }

  /** A source that goes on from here by itself. */
  NameSource copy() {
    return new NameSource(next);
  }

  Name fresh(String base) {
    return new Name(base, next++);
  }
}
