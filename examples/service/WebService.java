import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.embed.LibraryFile;
import futharkc.core.runtime.embed.LoadedProgram;
import futharkc.core.runtime.embed.ProgramSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

/**
 * An example of a web service without a framework. {@code POST /summary} and {@code POST /smooth?3}
 * take numbers, separated by white space.
 *
 * <pre>
 * futharkc library examples/service/samples.fut --package samples -o samples.jar
 * java -cp MODULES/core.runtime-VERSION.jar examples/service/WebService.java samples.jar 8080
 * curl --data '1 2 6' localhost:8080/summary
 * </pre>
 */
public final class WebService implements AutoCloseable {
  private final LoadedProgram program;
  private final HttpServer server;

  /**
   * Starts the service.
   *
   * @param library the file of the library
   * @param port the port; 0 for any free port
   */
  public WebService(Path library, int port) throws IOException {
    program = LibraryFile.of(library).load(ProgramSettings.DEFAULT);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/summary", exchange -> answer(exchange, this::summary));
    server.createContext("/smooth", exchange -> answer(exchange, this::smooth));
    server.start();
  }

  /** The result of the entry point {@code summary}. */
  public record Summary(double mean, double deviation) {}

  /** The answer to the numbers of a request. */
  private interface Answer {
    String to(double[] numbers, String query);
  }

  private String summary(double[] numbers, String query) {
    Summary result = program.callFor(Summary.class, "summary", (Object) numbers);
    return result.mean() + " " + result.deviation();
  }

  private String smooth(double[] numbers, String query) {
    double[] result = (double[]) program.call("smooth", Long.parseLong(query), numbers);
    return Arrays.stream(result).mapToObj(Double::toString).collect(Collectors.joining(" "));
  }

  private static void answer(HttpExchange exchange, Answer answer) throws IOException {
    int status = 200;
    String text;
    try {
      String body =
          new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8).strip();
      double[] numbers =
          body.isEmpty()
              ? new double[0]
              : Arrays.stream(body.split("\\s+")).mapToDouble(Double::parseDouble).toArray();
      text = answer.to(numbers, Objects.toString(exchange.getRequestURI().getQuery(), ""));
    } catch (FutharkError e) {
      status = 422;
      text = e.getMessage();
    } catch (IllegalArgumentException e) {
      status = 400;
      text = e.getMessage();
    }
    byte[] bytes = (text + "\n").getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    try (exchange) {
      exchange.getResponseBody().write(bytes);
    }
  }

  /** Returns the port. */
  public int port() {
    return server.getAddress().getPort();
  }

  /** Ends the service. */
  @Override
  public void close() {
    server.stop(0);
    program.close();
  }

  /** Starts the service with the library and the port of the command line. */
  public static void main(String[] arguments) throws Exception {
    WebService service = new WebService(Path.of(arguments[0]), Integer.parseInt(arguments[1]));
    System.out.println("The service listens at port " + service.port() + ".");
  }
}
