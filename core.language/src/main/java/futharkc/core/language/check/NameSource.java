package futharkc.core.language.check;

import futharkc.core.language.typed.Name;

/** Makes names that are different from all others of one compilation. */
final class NameSource {
  private int next = 1;

  /** A source that goes on from here by itself. */
  NameSource copy() {
    NameSource copy = new NameSource();
    copy.next = next;
    return copy;
  }

  Name fresh(String base) {
    return new Name(base, next++);
  }
}
