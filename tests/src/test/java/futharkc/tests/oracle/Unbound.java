package futharkc.tests.oracle;

import futharkc.core.language.typed.Name;

/** A name that has no value here: a size that no value has told. */
final class Unbound extends RuntimeException {
  Unbound(Name name) {
    super("no value for " + name);
  }
}
