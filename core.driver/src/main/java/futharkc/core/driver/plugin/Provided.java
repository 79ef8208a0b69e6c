package futharkc.core.driver.plugin;

/**
 * A pass or backend and its origin.
 *
 * @param origin the module's name, followed by the folder for a module in a plugin folder
 * @param builtIn whether the module is not in a plugin folder
 */
public record Provided<T>(T value, String origin, boolean builtIn) {}
