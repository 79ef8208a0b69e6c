/**
 * Finds passes and backends: those on the module path, and those in folders that the user names.
 */
@NullMarked
package futharkc.core.driver.plugin;

import org.jspecify.annotations.NullMarked;
