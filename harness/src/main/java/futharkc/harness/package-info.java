/**
 * Runs test and benchmark cases in a small pool of long-lived JVMs, so that a hang, a crash or a
 * lack of memory costs one worker and one case.
 */
@NullMarked
package futharkc.harness;

import org.jspecify.annotations.NullMarked;
