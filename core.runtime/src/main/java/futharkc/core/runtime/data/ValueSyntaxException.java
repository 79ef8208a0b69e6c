package futharkc.core.runtime.data;

import java.io.IOException;

/** Data that is not a value, or not one of the type asked for. The message says where and why. */
public final class ValueSyntaxException extends IOException {
  private static final long serialVersionUID = 1;

  ValueSyntaxException(String message) {
    super(message);
  }
}
