package futharkc.tools.literate;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import futharkc.core.driver.failure.CompilerException;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/**
 * A web server for one page on this machine. It writes the page again when a file of the program
 * changes, and browsers that show the page load it again.
 */
public final class PageServer implements AutoCloseable {
  private static final int POLL_MILLIS = 300;

  private static final Pattern SOUND =
      Pattern.compile("<img src=\"([^\"]+\\.(?:wav|mp3|ogg|flac|opus))\" alt=\"\" />");

  private static final Pattern VIDEO = Pattern.compile("<img src=\"([^\"]+\\.webm)\" alt=\"\" />");

  private static final String TEMPLATE =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>TITLE</title>
      <style>
      body { font: 16px/1.5 sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
      pre { background: #f5f5f2; padding: 0.7rem; overflow-x: auto; font-size: 14px; }
      img, video { max-width: 100%; image-rendering: pixelated; }
      </style>
      </head>
      <body>
      BODY
      <script>
      const version = VERSION;
      setInterval(async () => {
        try {
          const now = await (await fetch("/version")).text();
          if (now !== String(version)) location.reload();
        } catch (e) {}
      }, 500);
      </script>
      </body>
      </html>
      """;

  private final LiteratePage page;
  private final Path output;
  private final PrintStream log;
  private final HttpServer server;
  private volatile int version;
  private volatile String failure = "";

  /**
   * Opens a server, which is reachable from this machine only.
   *
   * @param port the port; 0: any free port
   */
  public PageServer(LiteratePage page, Path output, int port, PrintStream log) throws IOException {
    this.page = page;
    this.output = output;
    this.log = log;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  /** Returns the address of the page. */
  public String address() {
    return "http://localhost:" + server.getAddress().getPort() + "/";
  }

  /**
   * Writes the page whenever a file of the program has changed, until the thread is interrupted.
   */
  public void watch() throws IOException, InterruptedException {
    Map<Path, FileTime> seen = Map.of();
    while (true) {
      Map<Path, FileTime> now = times();
      if (!now.equals(seen)) {
        seen = now;
        write();
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  private Map<Path, FileTime> times() throws IOException {
    Map<Path, FileTime> times = new HashMap<>();
    for (Path source : page.sources()) {
      if (Files.exists(source)) {
        times.put(source, Files.getLastModifiedTime(source));
      }
    }
    return times;
  }

  /** Writes the page once. A failure is shown instead of the page. */
  void write() throws IOException {
    String problem = "";
    try {
      boolean succeeded = page.write();
      log.println("Written to " + output + (succeeded ? "." : "; a directive failed."));
    } catch (LiterateException | CompilerException e) {
      problem = String.valueOf(e.getMessage());
      log.println(problem);
    }
    log.flush();
    failure = problem;
    version++;
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      if (path.equals("/")) {
        send(exchange, "text/html; charset=utf-8", html().getBytes(StandardCharsets.UTF_8));
      } else if (path.equals("/version")) {
        send(exchange, "text/plain", Integer.toString(version).getBytes(StandardCharsets.UTF_8));
      } else {
        Path folder = page.filesFolder().toAbsolutePath().normalize();
        Path file = folder.resolveSibling(path.substring(1)).normalize();
        if (file.startsWith(folder) && Files.isRegularFile(file)) {
          send(exchange, type(file), Files.readAllBytes(file));
        } else {
          exchange.sendResponseHeaders(404, -1);
        }
      }
    }
  }

  private static void send(HttpExchange exchange, String type, byte[] body) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
  }

  private static String type(Path file) {
    String name = file.getFileName().toString();
    Map<String, String> types =
        Map.of(
            "svg", "image/svg+xml",
            "png", "image/png",
            "gif", "image/gif",
            "jpg", "image/jpeg",
            "wav", "audio/wav",
            "ogg", "audio/ogg",
            "mp3", "audio/mpeg",
            "webm", "video/webm");
    return types.getOrDefault(
        name.substring(name.lastIndexOf('.') + 1), "application/octet-stream");
  }

  private String html() throws IOException {
    String problem = failure;
    String body;
    if (!problem.isEmpty()) {
      body = "<pre>" + escaped(problem) + "</pre>";
    } else if (Files.exists(output)) {
      body = html(Files.readString(output));
    } else {
      body = "<p>The page is being written.</p>";
    }
    return TEMPLATE
        .replace("TITLE", escaped(output.getFileName().toString()))
        .replace("VERSION", Integer.toString(version))
        .replace("BODY", body);
  }

  /** Returns Markdown as HTML. HTML in the Markdown is shown as text. */
  static String html(String markdown) {
    String html =
        HtmlRenderer.builder()
            .escapeHtml(true)
            .sanitizeUrls(true)
            .build()
            .render(Parser.builder().build().parse(markdown));
    html = SOUND.matcher(html).replaceAll("<audio controls src=\"$1\"></audio>");
    return VIDEO.matcher(html).replaceAll("<video controls src=\"$1\"></video>");
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
