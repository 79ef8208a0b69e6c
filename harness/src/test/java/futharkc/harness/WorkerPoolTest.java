package futharkc.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.harness.Outcome.Status;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class WorkerPoolTest {
  /** A worker whose units' names select its misbehaviour. It runs in a JVM of its own. */
  static final class Misbehaving {
    private Misbehaving() {}

    public static void main(String[] args) throws IOException {
      new WorkerLoop(System.in, System.out, Misbehaving::run).run();
    }

    @SuppressWarnings(
        "ModifiedButNotUsed") // The value of the allocation is unused: it only takes memory.
    private static void run(Job job, JobRunner.Report report) throws Exception {
      for (String unit : job.units()) {
        report.started(unit);
        switch (unit.substring(0, unit.indexOf(' '))) {
          case "pass" -> report.finished(Outcome.passed(unit));
          case "throw" -> throw new IllegalArgumentException("thrown on purpose");
          case "hang" -> Thread.sleep(Duration.ofHours(1));
          case "spoil" -> {
            report.finished(Outcome.passed(unit));
            System.setProperty("spoilt", "true");
            report.spent();
            return;
          }
          case "fresh" ->
              report.finished(
                  Boolean.getBoolean("spoilt")
                      ? Outcome.failed(unit, "in a spoilt process")
                      : Outcome.passed(unit));
          case "large" ->
              report.finished(
                  new Outcome(unit, Status.PASSED, "", Collections.nCopies(1 << 21, "1")));
          case "garbage" -> {
            System.out.write(new byte[] {0x7f, 0, 0, 0});
            System.out.flush();
          }
          case "exit" -> Runtime.getRuntime().halt(3);
          case "memory" -> {
            List<long[]> all = new ArrayList<>();
            while (true) {
              all.add(new long[1 << 22]);
            }
          }
          default -> throw new IllegalArgumentException(unit);
        }
      }
    }
  }

  private static List<String> command() throws URISyntaxException {
    List<String> classes = new ArrayList<>();
    for (Class<?> c : List.of(WorkerLoop.class, Misbehaving.class)) {
      classes.add(
          Path.of(c.getProtectionDomain().getCodeSource().getLocation().toURI()).toString());
    }
    // The patched module of this test merges both source trees, so the command needs the path of
    // the test classes too.
    Path main = Path.of(classes.getFirst());
    classes.add(main.resolveSibling("test-classes").toString());
    classes.add(main.resolveSibling("classes").toString());
    return List.of(
        ProcessHandle.current().info().command().orElseThrow(),
        "-Xmx64m",
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-cp",
        String.join(java.io.File.pathSeparator, classes),
        Misbehaving.class.getName());
  }

  private static Map<String, Outcome> outcomes(Duration limit, Job... jobs) throws Exception {
    Map<String, Outcome> outcomes = new TreeMap<>();
    new WorkerPool(command(), 2, limit)
        .run(
            List.of(jobs),
            (job, o) -> assertEquals(null, outcomes.put(o.key(), o), () -> "twice: " + o));
    return outcomes;
  }

  private static Job job(String... units) {
    return new Job("test", "a program", List.of("x"), List.of(units));
  }

  @Test
  void aDeadWorkerCostsOneUnit() throws Exception {
    Map<String, Outcome> outcomes =
        outcomes(
            Duration.ofSeconds(20),
            job("pass 1", "exit 2", "pass 3"),
            job("pass 4", "memory 5", "pass 6"),
            job("pass 7"));
    assertEquals(7, outcomes.size());
    assertEquals(5, outcomes.values().stream().filter(o -> o.status() == Status.PASSED).count());
    assertTrue(outcomes.get("exit 2").detail().contains("exit code 3"), outcomes::toString);
    assertTrue(outcomes.get("memory 5").detail().startsWith("out of memory"), outcomes::toString);
  }

  @Test
  void theReasonOfAFailedTransferIsReported() throws Exception {
    Map<String, Outcome> outcomes =
        outcomes(Duration.ofSeconds(20), job("large 1"), job("garbage 2", "pass 3"));
    assertTrue(outcomes.get("large 1").detail().contains("2097155 fields"), outcomes::toString);
    assertTrue(
        outcomes.get("garbage 2").detail().contains("malformed message"), outcomes::toString);
    assertEquals(Status.PASSED, outcomes.get("pass 3").status());
  }

  @Test
  void aWorkerThatIsSpentIsReplaced() throws Exception {
    Map<String, Outcome> outcomes =
        outcomes(
            Duration.ofSeconds(20),
            job("spoil 1", "fresh 2", "spoil 3"),
            job("spoil 4"),
            job("fresh 5"),
            job("fresh 6"));
    assertEquals(6, outcomes.size());
    assertTrue(
        outcomes.values().stream().allMatch(o -> o.status() == Status.PASSED), outcomes::toString);
  }

  @Test
  void aHangingUnitIsTimedOut() throws Exception {
    Map<String, Outcome> outcomes =
        outcomes(Duration.ofSeconds(2), job("pass 1", "hang 2", "pass 3"));
    assertEquals(Status.FAILED, outcomes.get("hang 2").status());
    assertEquals("timed out after 2 s", outcomes.get("hang 2").detail());
    assertEquals(Status.PASSED, outcomes.get("pass 3").status());
  }

  @Test
  void whatTheRunnerDoesNotReachFailsToo() throws Exception {
    Map<String, Outcome> outcomes = outcomes(Duration.ofSeconds(20), job("throw 1", "pass 2"));
    assertTrue(outcomes.get("throw 1").detail().contains("thrown on purpose"));
    assertEquals(Status.FAILED, outcomes.get("pass 2").status());
  }
}
