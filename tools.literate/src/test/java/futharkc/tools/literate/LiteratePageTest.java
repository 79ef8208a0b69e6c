package futharkc.tools.literate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.runtime.ArrayValue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LiteratePageTest {
  private static final Compiler COMPILER = Compiler.create();

  @TempDir private Path folder;
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();

  private LiteratePage page(boolean safe, boolean stops) {
    ScriptRunner.Options options =
        new ScriptRunner.Options(
            CompilerOptions.DEFAULT.withTarget("interpreter"), null, List.of(), safe, false);
    return new LiteratePage(
        COMPILER,
        new LiteratePage.Settings(
            folder.resolve("p.fut"),
            folder.resolve("p.md"),
            options,
            stops,
            new PrintStream(log, true, StandardCharsets.UTF_8),
            false));
  }

  private String written(String program, boolean succeeds) throws Exception {
    Files.writeString(folder.resolve("p.fut"), program);
    assertEquals(succeeds, page(true, false).write(), () -> log.toString(StandardCharsets.UTF_8));
    return Files.readString(folder.resolve("p.md"));
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("p-img"))) {
      return files.filter(f -> !f.endsWith("CACHEDIR.TAG")).sorted().toList();
    }
  }

  @Test
  void valuesFollowTheirDirectives() throws Exception {
    String page =
        written(
            "-- Adds.\n\ndef add (x: i32) (y: i32) = x + y\n\n-- > add 1 2\n\n"
                + "-- > let p = add 1 in (p 2, {a=p 3})\n\n-- > :covert add (1, 4)\n",
            true);
    assertEquals(
        "Adds.\n\n```futhark\ndef add (x: i32) (y: i32) = x + y\n```\n\n"
            + "```\n> add 1 2\n```\n\n```\n3i32\n```\n\n\n"
            + "```\n> let p = add 1 in (p 2, {a=p 3})\n```\n\n```\n(3i32, {a=4i32})\n```\n\n\n"
            + "\n```\n5i32\n```\n",
        page);
  }

  @Test
  void failuresAreShown() throws Exception {
    String program = "def f (x: i32) = 1 / x\n\n-- > f 0\n\n-- > f true\n\n-- > nothing\n";
    String page = written(program, false);
    assertTrue(page.contains("**FAILED**\n```\nError: division by zero"), page);
    assertTrue(page.contains("Function \"f\" expects 1 argument(s) of types:\ni32\n"), page);
    assertTrue(page.contains("unknown entry point: nothing"), page);
    Files.delete(folder.resolve("p.md"));
    assertThrows(LiterateException.class, () -> page(true, true).write());
    assertFalse(Files.exists(folder.resolve("p.md")));
  }

  @Test
  void unchangedFilesAreKeptAndUnusedFilesDeleted() throws Exception {
    written("def f (x: i32) = x\n\n-- > f 1\n\n-- > f 2\n", true);
    List<Path> before = files();
    assertEquals(2, before.size());
    FileTime old = FileTime.fromMillis(1_000_000);
    for (Path file : before) {
      Files.setLastModifiedTime(file, old);
    }
    written("def f (x: i32) = x -- comment\n\n-- > f 2\n", true);
    assertEquals(1, files().size());
    assertTrue(before.containsAll(files()));
    assertEquals(old, Files.getLastModifiedTime(files().getFirst()));
    written("def f (x: i32) = x + 1\n\n-- > f 2\n", true);
    assertNotEquals(before, files());
  }

  @Test
  void imagesAndVideosAreWritten() throws Exception {
    String page =
        written(
            "def img (n: i64) = tabulate_2d n 3 (\\i j -> f32.i64 i * 0.5 + f32.i64 j * 0)\n"
                + "def step (x: i64) : ([][]bool, i64) = (replicate 4 (replicate 5 (x % 2 == 0)),"
                + " x+1)\n\n"
                + "-- > :img img 2;\n"
                + "-- file: some.png\n\n"
                + "-- > :video (step, 1i64, 6i64);\n"
                + "-- format: gif\n"
                + "-- fps: 10\n\n"
                + "-- > :img $loadimg \"p-img/some.png\"\n\n"
                + "-- > :video step\n",
            false);
    assertTrue(page.contains("![](p-img/some.png)"), page);
    assertTrue(page.contains("Cannot create a video") || page.contains("forbids"), page);
    var image = ImageIO.read(folder.resolve("p-img/some.png").toFile());
    assertEquals(3, image.getWidth());
    assertEquals(0xff808080, image.getRGB(0, 1));
    Path video =
        files().stream().filter(f -> f.toString().endsWith(".gif")).findFirst().orElseThrow();
    ImageReader reader = ImageIO.getImageReadersByFormatName("gif").next();
    try (var in = ImageIO.createImageInputStream(video.toFile())) {
      reader.setInput(in);
      assertEquals(6, reader.getNumImages(true));
      assertEquals(5, reader.getWidth(0));
    }
  }

  @Test
  void plotsAndSoundsAreWritten() throws Exception {
    String page =
        written(
            "def xs = map f64.i64 (iota 5)\n"
                + "def sq = map (\\x -> x * x) xs\n"
                + "def two = [[0f32, 1, -1], [0.5, 0, 0]]\n\n"
                + "-- > :plot2d {square=(xs, sq)};\n"
                + "-- size: (300,200)\n\n"
                + "-- > :audio two;\n"
                + "-- sampling_frequency: 8000\n\n"
                + "-- > :audio two;\n"
                + "-- codec: ogg\n",
            false);
    assertTrue(page.contains("--safe-directives forbids"), page);
    Path plot =
        files().stream().filter(f -> f.toString().endsWith(".svg")).findFirst().orElseThrow();
    String svg = Files.readString(plot);
    assertTrue(svg.contains("width=\"300\" height=\"200\"") && svg.contains(">square</text>"), svg);
    Path sound =
        files().stream().filter(f -> f.toString().endsWith(".wav")).findFirst().orElseThrow();
    ArrayValue samples = Sound.read(sound);
    assertEquals(2, samples.shape()[0]);
    assertEquals(3, samples.shape()[1]);
    assertEquals(0.5, samples.element(3).asDouble(), 0.001);
    assertEquals(-1, samples.element(2).asDouble(), 0.001);
  }

  @Test
  void theServerShowsThePageAndItsFiles() throws Exception {
    Files.writeString(folder.resolve("p.fut"), "-- <b>Prose</b>\n\n-- > (1, 2)\n");
    try (PageServer server =
        new PageServer(
            page(true, false),
            folder.resolve("p.md"),
            0,
            new PrintStream(log, true, StandardCharsets.UTF_8))) {
      server.write();
      assertEquals("1", body(server, "version"));
      String html = body(server, "");
      assertTrue(html.contains("&lt;b&gt;Prose") && html.contains("(1i32, 2i32)"), html);
      assertEquals(404, connection(server, "p.fut").getResponseCode());
      assertEquals(404, connection(server, "p-img/../p.fut").getResponseCode());
      String file = "p-img/" + files().getFirst().getFileName();
      assertEquals("(1i32, 2i32)", body(server, file));
      Files.writeString(folder.resolve("p.fut"), "def x = nothing\n\n-- > x\n");
      server.write();
      assertTrue(body(server, "").contains("E0301"));
    }
  }

  private static HttpURLConnection connection(PageServer server, String path) throws IOException {
    return (HttpURLConnection) URI.create(server.address() + path).toURL().openConnection();
  }

  private static String body(PageServer server, String path) throws IOException {
    try (InputStream in = connection(server, path).getInputStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void markdownBecomesHtml() {
    assertEquals("<p><audio controls src=\"a.wav\"></audio></p>\n", PageServer.html("![](a.wav)"));
  }
}
