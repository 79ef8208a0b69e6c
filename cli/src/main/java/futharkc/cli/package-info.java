/** The command line. */
@NullMarked
package futharkc.cli;

import org.jspecify.annotations.NullMarked;
