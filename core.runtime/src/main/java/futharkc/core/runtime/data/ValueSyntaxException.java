package futharkc.core.runtime.data;

import java.io.IOException;

/**
 * An error in data that is not a value of the requested type. The message gives position and
 * reason.
 */
public final class ValueSyntaxException extends IOException {
  private static final long serialVersionUID = 1;

  ValueSyntaxException(String message) {
    super(message);
  }
}
