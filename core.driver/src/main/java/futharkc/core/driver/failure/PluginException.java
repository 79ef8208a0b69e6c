package futharkc.core.driver.failure;

import org.jspecify.annotations.Nullable;

/** A plugin cannot be loaded, or does not keep to the interface. The message names it. */
public final class PluginException extends CompilerException {
  private static final long serialVersionUID = 1;

  public PluginException(String message) {
    super(message, null);
  }

  public PluginException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
