package futharkc.harness;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
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

/** A worker JVM, seen from its owner. */
final class WorkerProcess implements AutoCloseable {
  /** How much of a worker's standard error is kept for the report of a crash, in bytes. */
  private static final int KEPT = 4000;

  private static final Message GONE = new Message("gone");

  private final Process process;
  private final DataOutputStream out;
  private final BlockingQueue<Message> messages = new LinkedBlockingQueue<>();
  private final Tail errors = new Tail();
  private final Thread errorReader;
  private boolean usable = true;

  /** Starts a worker; its standard output must carry nothing but messages. */
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
    } catch (IOException e) {
      messages.add(GONE);
    }
  }

  /** Whether it can take another job. */
  boolean isUsable() {
    return usable && process.isAlive();
  }

  /**
   * Runs a job to its end, or to the end of the worker.
   *
   * @param limit how long a unit may take
   * @param outcomes gets each unit's outcome at once; also that of the unit which cost the worker
   *     its life
   * @return the units that are over; if these are not all, the worker has ended, or should
   */
  Set<String> run(Job job, Duration limit, Consumer<Outcome> outcomes) throws InterruptedException {
    Set<String> finished = new HashSet<>();
    String current = job.units().getFirst();
    try {
      job.toMessage().writeTo(out);
    } catch (IOException e) {
      // It is gone, which the reader has noticed or will notice at once.
      usable = false;
    }
    while (true) {
      Message m = messages.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
      if (m == null || m == GONE) {
        String why = m == null ? "timed out after " + limit.toSeconds() + " s" : crash();
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

  private String crash() throws InterruptedException {
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
        // The process is gone, and with it what it had to say.
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
