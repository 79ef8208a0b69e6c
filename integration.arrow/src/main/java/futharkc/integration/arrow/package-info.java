/** Arrow vectors as arguments and results of Futhark programs. */
@NullMarked
package futharkc.integration.arrow;

import org.jspecify.annotations.NullMarked;
