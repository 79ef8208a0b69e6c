package futharkc.core.driver.failure;

import org.jspecify.annotations.Nullable;

/**
 * An exception for a plugin that cannot be loaded or violates the plugin interface. The message
 * names the plugin.
 */
public final class PluginException extends CompilerException {
  private static final long serialVersionUID = 1;

  public PluginException(String message) {
    super(message, null);
  }

  public PluginException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
