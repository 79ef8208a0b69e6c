package futharkc.cli;

import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/** A progress bar on standard error. The bar appears only on a terminal. */
final class Progress implements AutoCloseable {
  private final @Nullable ProgressBar bar;
  private int failed;

  private Progress(@Nullable ProgressBar bar) {
    this.bar = bar;
  }

  static Progress of(int steps, String task, ParseResult parsed, Console console) {
    if (!console.terminal() || Args.has(parsed, "--no-progress")) {
      return new Progress(null);
    }
    return new Progress(
        new ProgressBarBuilder()
            .setTaskName(task)
            .setInitialMax(steps)
            .setStyle(ProgressBarStyle.ASCII)
            .setUpdateIntervalMillis(200)
            .setConsumer(new ConsoleProgressBarConsumer(console.err(), 100))
            .build());
  }

  /** Advances the bar by one step. */
  void step(boolean hasFailed) {
    failed += hasFailed ? 1 : 0;
    if (bar != null) {
      bar.setExtraMessage(failed == 0 ? "" : failed + " failed");
      bar.step();
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
