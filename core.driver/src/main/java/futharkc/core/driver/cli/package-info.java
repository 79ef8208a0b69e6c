/** The command line. */
@NullMarked
package futharkc.core.driver.cli;

import org.jspecify.annotations.NullMarked;
