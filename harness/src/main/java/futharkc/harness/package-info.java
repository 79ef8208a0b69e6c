/**
 * Execution of test and benchmark cases in a small pool of long-lived JVMs, so that a hang, a crash
 * or a lack of memory affects one worker and one case. Begin reading at {@link
 * futharkc.harness.TestSuite}.
 *
 * <ul>
 *   <li>What to run: {@code TestSuite} (programs), {@code TestUnits} (the units of a program),
 *       {@code TestSettings}.
 *   <li>Parent side: {@code WorkerPool}, {@code WorkerProcess}, {@code Job}, {@code Outcome},
 *       {@code Message} (the protocol).
 *   <li>Worker side: {@code WorkerMain}, {@code WorkerLoop}, {@code JobRunner}, {@code ProgramJob}
 *       (one program), {@code RunningProgram} (execution of cases).
 *   <li>Timing: {@code Benchmark}, {@code Sampling}, {@code Measurement}, {@code Autotuning},
 *       {@code ThresholdSearch}.
 * </ul>
 *
 * <p>Parent and worker are always the same build, so the protocol may change freely. Both sides
 * compute the units from the program's text: a unit's key must not depend on anything else.
 */
@NullMarked
package futharkc.harness;

import org.jspecify.annotations.NullMarked;
