package futharkc.harness;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The parent's handle of a worker JVM. */
final class WorkerProcess implements AutoCloseable {
  /** The number of bytes of a worker's standard error to keep for crash reports. */
  private static final int KEPT = 4000;

  /** The end of the messages. Field 0 is the reason, or empty if the worker closed the stream. */
  private static final String GONE = "gone";

  private final Process process;
  private final DataOutputStream out;
  private final BlockingQueue<Message> messages = new LinkedBlockingQueue<>();
  private final Tail errors = new Tail();
  private final Thread errorReader;
  private boolean usable = true;

  /** Starts a worker. Its standard output must carry only messages. */
  WorkerProcess(List<String> command) throws IOException {
    process = new ProcessBuilder(command).start();
    out = new DataOutputStream(new BufferedOutputStream(process.getOutputStream()));
    Thread.ofVirtual().start(this::readMessages);
    errorReader = Thread.ofVirtual().start(() -> errors.drain(process.getErrorStream()));
  }

  private void readMessages() {
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(process.getInputStream()))) {
      while (true) {
        messages.add(Message.readFrom(in));
      }
    } catch (EOFException e) {
      messages.add(new Message(GONE, ""));
    } catch (IOException | IllegalArgumentException e) {
      messages.add(new Message(GONE, String.valueOf(e.getMessage())));
    }
  }

  /** Tests whether this worker can run another job. */
  boolean isUsable() {
    return usable && process.isAlive();
  }

  /**
   * Runs a job until the end of the job or of the worker.
   *
   * @param limit the time limit of one unit
   * @param outcomes the consumer of each unit's outcome, including the unit during which the worker
   *     died
   * @return the finished units; if some units are missing, the worker has ended or must be replaced
   */
  Set<String> run(Job job, Duration limit, Consumer<Outcome> outcomes) throws InterruptedException {
    Set<String> finished = new HashSet<>();
    String current = job.units().getFirst();
    try {
      job.toMessage().writeTo(out);
    } catch (IOException e) {
      // The process has ended. The reader thread also notices that.
      usable = false;
    }
    while (true) {
      Message m = messages.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
      if (m == null || m.kind().equals(GONE)) {
        String why = m == null ? "timed out after " + limit.toSeconds() + " s" : crash(m.field(0));
        close();
        if (finished.add(current)) {
          outcomes.accept(Outcome.failed(current, why));
        }
        return finished;
      }
      switch (m.kind()) {
        case Message.STARTED -> current = m.field(0);
        case Message.OUTCOME -> {
          Outcome outcome = Outcome.ofMessage(m);
          if (finished.add(outcome.key())) {
            outcomes.accept(outcome);
          }
        }
        case Message.SPENT -> {
          close();
          return finished;
        }
        case Message.DONE -> {
          return finished;
        }
        default -> throw new IllegalStateException("unknown message from a worker: " + m);
      }
    }
  }

  private String crash(String reason) throws InterruptedException {
    if (!reason.isEmpty()) {
      return "the messages of the worker cannot be read: " + reason;
    }
    process.waitFor(5, TimeUnit.SECONDS);
    errorReader.join(Duration.ofSeconds(1));
    String said = errors.text().strip();
    String code = process.isAlive() ? "" : " with exit code " + process.exitValue();
    if (said.contains("OutOfMemoryError")) {
      return "out of memory: the worker ended" + code;
    }
    return "the worker ended" + code + (said.isEmpty() ? "" : ":\n" + said);
  }

  /** Ends the worker. */
  @Override
  public void close() {
    usable = false;
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  /** The last bytes of a stream. */
  private static final class Tail {
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();

    void drain(InputStream in) {
      byte[] buffer = new byte[1024];
      try (in) {
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
          add(buffer, n);
        }
      } catch (IOException e) {
        // The process has ended and its standard error is lost.
      }
    }

    private synchronized void add(byte[] bytes, int n) {
      kept.write(bytes, 0, n);
      if (kept.size() > 2 * KEPT) {
        byte[] all = kept.toByteArray();
        kept.reset();
        kept.write(all, all.length - KEPT, KEPT);
      }
    }

    synchronized String text() {
      return kept.toString(StandardCharsets.UTF_8);
    }
  }
}
