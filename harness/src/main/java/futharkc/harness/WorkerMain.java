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

/** A worker's side: compiles and runs programs until its owner is gone. */
public final class WorkerMain {
  /** What jobs that are about programs call themselves. */
  static final String PROGRAM = "program";

  private final Map<List<String>, Compiler> compilers = new HashMap<>();

  private WorkerMain() {}

  /**
   * Serves until the input ends.
   *
   * @param in from the owner
   * @param out to the owner; nobody else may write there
   */
  public static void serve(InputStream in, OutputStream out) throws IOException {
    WorkerMain worker = new WorkerMain();
    new WorkerLoop(in, out, worker::run).run();
  }

  private void run(Job job, JobRunner.Report report) {
    // What a run of the interpreter or of a program with one thread recurses on is this thread's
    // stack.
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
