package futharkc.harness;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** The main loop of a worker. It runs jobs from its parent until the parent closes the stream. */
public final class WorkerLoop {
  private final DataInputStream in;
  private final DataOutputStream out;
  private final JobRunner runner;

  /** Creates a loop over the streams from and to the parent. */
  public WorkerLoop(InputStream in, OutputStream out, JobRunner runner) {
    this.in = new DataInputStream(new BufferedInputStream(in));
    this.out = new DataOutputStream(new BufferedOutputStream(out));
    this.runner = runner;
  }

  /**
   * Runs jobs until the end of the input.
   *
   * @throws IOException if the stream to the parent fails
   */
  public void run() throws IOException {
    while (true) {
      Job job;
      try {
        job = Job.ofMessage(Message.readFrom(in));
      } catch (EOFException e) {
        return;
      }
      Progress progress = new Progress();
      try {
        runner.run(job, progress);
      } catch (UncheckedIOException e) {
        throw e.getCause();
      } catch (Exception e) {
        progress.failCurrent(e);
      }
      new Message(Message.DONE).writeTo(out);
    }
  }

  private final class Progress implements JobRunner.Report {
    private String current = "";

    @Override
    public void started(String unit) {
      current = unit;
      send(new Message(Message.STARTED, unit));
    }

    @Override
    public void finished(Outcome outcome) {
      send(outcome.toMessage());
    }

    @Override
    public void spent() {
      send(new Message(Message.SPENT));
    }

    void failCurrent(Exception e) {
      finished(Outcome.failed(current, describe(e)));
    }

    private void send(Message message) {
      try {
        message.writeTo(out);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static String describe(Exception e) {
    StackTraceElement[] trace = e.getStackTrace();
    return trace.length == 0 ? e.toString() : e + "\n  at " + trace[0];
  }
}
