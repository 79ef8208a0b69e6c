package futharkc.harness;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.pipeline.DeepStack;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The entry point of a worker process, which compiles and runs programs for its parent. */
public final class WorkerMain {
  /** The kind of jobs on programs. */
  static final String PROGRAM = "program";

  private final Map<List<String>, Compiler> compilers = new HashMap<>();

  private WorkerMain() {}

  /**
   * Serves jobs until the end of the input.
   *
   * @param in the stream from the parent
   * @param out the stream to the parent; no other code may write to it
   */
  public static void serve(InputStream in, OutputStream out) throws IOException {
    WorkerMain worker = new WorkerMain();
    new WorkerLoop(in, out, worker::run).run();
  }

  private void run(Job job, JobRunner.Report report) {
    // The interpreter and single-threaded programs recurse on this thread's stack, which must be
    // large.
    DeepStack.call(
        () -> {
          List<String> plugins = TestSettings.ofFields(job.settings()).pluginPath();
          Compiler compiler =
              compilers.computeIfAbsent(
                  plugins, p -> Compiler.withPlugins(p.stream().map(Path::of).toList()));
          try (ProgramJob program = new ProgramJob(compiler, job)) {
            program.run(job.units(), report);
          }
          return job;
        });
  }
}
