import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * A process that runs test classes for {@link Mutation}. Each line of the standard input is a
 * request with fields between tabs: a class path for classes that are loaded once, a class path for
 * classes that are loaded again for this request, and the names of test classes. The process
 * answers with a line: "survived", or "killed by" and the name of the first test that fails. The
 * test classes after the first one with a failure do not run.
 */
public final class TestWorker {
  private static final long STACK_BYTES = 512L << 20;

  private final Map<String, URLClassLoader> shared = new HashMap<>();

  private TestWorker() {}

  /** Answers requests until the end of the standard input. */
  public static void main(String[] args) throws Exception {
    PrintStream out = System.out;
    System.setOut(new PrintStream(OutputStream.nullOutputStream()));
    System.setErr(new PrintStream(OutputStream.nullOutputStream()));
    TestWorker worker = new TestWorker();
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      out.println(worker.answer(line.split("\t")));
      out.flush();
    }
    // Tests may leave threads behind.
    Runtime.getRuntime().halt(0);
  }

  private String answer(String[] request) throws Exception {
    URLClassLoader parent = shared.get(request[0]);
    if (parent == null) {
      parent = new URLClassLoader(urls(request[0]), TestWorker.class.getClassLoader());
      shared.put(request[0], parent);
    }
    String outcome = "survived";
    try (URLClassLoader loader = new URLClassLoader(urls(request[1]), parent)) {
      for (String name : Arrays.asList(request).subList(2, request.length)) {
        Failures failures = new Failures();
        Thread thread =
            new Thread(null, () -> execute(loader, name, failures), "tests", STACK_BYTES);
        thread.setContextClassLoader(loader);
        thread.start();
        thread.join();
        if (!failures.names.isEmpty()) {
          outcome = "killed by " + failures.names.getFirst();
          break;
        }
      }
    }
    return outcome;
  }

  private static void execute(ClassLoader loader, String name, Failures failures) {
    try {
      Class<?> type = Class.forName(name, false, loader);
      LauncherDiscoveryRequest request =
          LauncherDiscoveryRequestBuilder.request()
              .selectors(DiscoverySelectors.selectClass(type))
              .build();
      Launcher launcher = LauncherFactory.create();
      launcher.execute(request, failures);
    } catch (Throwable e) {
      failures.names.add(name + ": " + e.getClass().getSimpleName());
    }
  }

  private static URL[] urls(String classPath) throws IOException {
    List<URL> urls = new ArrayList<>();
    for (String entry : classPath.split(File.pathSeparator)) {
      urls.add(Path.of(entry).toUri().toURL());
    }
    return urls.toArray(new URL[0]);
  }

  /** The names of the tests that failed. */
  private static final class Failures implements TestExecutionListener {
    final List<String> names = new ArrayList<>();

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      if (result.getStatus() == TestExecutionResult.Status.FAILED) {
        String unique = test.getUniqueId();
        String type = unique.replaceAll(".*\\[class:([^\\]]*)\\].*", "$1");
        String label = type.substring(type.lastIndexOf('.') + 1);
        names.add((label + ":" + test.getDisplayName()).replaceAll("\\s+", " "));
      }
    }
  }
}
