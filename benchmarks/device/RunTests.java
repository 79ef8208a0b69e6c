import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.util.List;
import java.util.stream.Stream;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/**
 * A runner of JUnit tests without Maven: {@code RunTests CLASS[#METHOD]...}. It exits with 1 if a
 * test fails.
 */
final class RunTests {
  private RunTests() {}

  public static void main(String[] args) {
    List<? extends DiscoverySelector> wanted =
        Stream.of(args).map(a -> a.contains("#") ? selectMethod(a) : selectClass(a)).toList();
    SummaryGeneratingListener summary = new SummaryGeneratingListener();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request().selectors(wanted).build(),
            summary,
            new Failures());
    var s = summary.getSummary();
    System.out.printf(
        "%d passed, %d failed, %d skipped%n",
        s.getTestsSucceededCount(),
        s.getTestsFailedCount(),
        s.getTestsSkippedCount() + s.getTestsAbortedCount());
    // JUnit does not report a missing class as a failure.
    System.exit(s.getTotalFailureCount() > 0 || s.getTestsStartedCount() == 0 ? 1 : 0);
  }

  private static final class Failures implements TestExecutionListener {
    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      if (result.getStatus() == TestExecutionResult.Status.FAILED) {
        System.out.println("FAILED " + test.getDisplayName());
        result.getThrowable().ifPresent(t -> t.printStackTrace(System.out));
      }
    }
  }
}
