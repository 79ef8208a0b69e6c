/**
 * The command line. Begin reading at {@link futharkc.cli.Main}, which dispatches on the first
 * argument.
 *
 * <ul>
 *   <li>Dispatch: {@code Main}, {@code Commands} (the table of subcommands), {@code Command} (the
 *       interface of a subcommand), {@code Status} (exit codes), {@code UsageException}.
 *   <li>Subcommands, one class each: {@code CheckCommand}, {@code RunCommand}, {@code
 *       CompileCommand} (all targets), {@code DevCommand}, {@code PassesCommand}, {@code
 *       ExplainCommand}, {@code ReplCommand}, {@code TestCommand}, {@code BenchCommand}, {@code
 *       AutotuneCommand}, {@code DoctorCommand}.
 *   <li>Options that several subcommands share: {@code CompilerArgs} (passes and reports), {@code
 *       RunArgs} (execution), {@code HarnessArgs} (test and bench), {@code Args} (short forms for
 *       picocli).
 *   <li>Output: {@code Console} (streams), {@code Reports} (warnings, JSON), {@code TestReport},
 *       {@code MemoryPage}, {@code Progress}.
 *   <li>{@code PassChecker} implements {@code --check-passes}.
 * </ul>
 *
 * <p>To add a subcommand, write a class and add an entry to {@code Commands}. This module holds no
 * compiler logic: compilation is in {@code core.driver}, test execution in {@code harness}. Option
 * names, exit codes and JSON fields are a public interface: a change needs an entry in the
 * changelog.
 */
@NullMarked
package futharkc.cli;

import org.jspecify.annotations.NullMarked;
