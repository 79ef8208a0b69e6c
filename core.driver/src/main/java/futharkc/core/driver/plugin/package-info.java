/**
 * The discovery of passes and backends: on the module path and in plugin folders. Begin reading at
 * {@link futharkc.core.driver.plugin.Registry}.
 */
@NullMarked
package futharkc.core.driver.plugin;

import org.jspecify.annotations.NullMarked;
