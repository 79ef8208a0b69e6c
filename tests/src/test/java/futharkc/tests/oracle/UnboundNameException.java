package futharkc.tests.oracle;

import futharkc.core.language.typed.Name;

/** An exception for a name without a value: a size that no value has determined. */
final class UnboundNameException extends RuntimeException {
  UnboundNameException(Name name) {
    super("no value for " + name);
  }
}
