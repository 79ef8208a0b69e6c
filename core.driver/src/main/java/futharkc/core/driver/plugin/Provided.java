package futharkc.core.driver.plugin;

/**
 * A pass or backend and where it comes from.
 *
 * @param origin the module's name, with the folder for one from a plugin folder
 * @param builtIn whether it is not from a plugin folder
 */
public record Provided<T>(T value, String origin, boolean builtIn) {}
