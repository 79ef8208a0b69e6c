package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.driver.Compiled;
import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of executables that received options at compile time. */
final class ServingExecutableTest {
  @Test
  void oneCompiledToServeNeedsNoOption(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("server");
    Source source = Source.ofText("server.fut", "entry next (x: i32): i32 = x + 1");
    Compiled compiled = Compiler.create().compile(source, CompilerOptions.DEFAULT);
    compiled.writeExecutable(file, "--server");
    assertEquals(List.of("%%% OK", "next", "%%% OK"), said(file));
    // The executable rejects the option, so the option arrived as one word.
    compiled.writeExecutable(file, "--server", "--param=it's a=1");
    assertEquals(file + ": unknown tuning parameter: it's a", said(file).getFirst());
  }

  @Test
  void typesHaveTheNamesThatEntryPointsGiveThem(@TempDir Path folder) throws Exception {
    String text =
        """
        type point = {x: i32, y: i32}
        type line = {a: point, b: point}
        type~ shape = #dot point | #poly ([]point) | #line line
        #[first] entry point (x: i32) (y: i32): point = {x, y}
        #[second(third)] entry span (l: line): i32 = l.b.x - l.a.x
        entry start (s: shape): i32 =
          match s case #dot p -> p.x case #poly ps -> ps[0].x case #line l -> l.a.x
        entry inner (p: {p: {x: i32, y: i32}, q: i32}): i32 = p.p.y
        """;
    Path file = folder.resolve("shapes");
    Compiler.create()
        .compile(Source.ofText("shapes.fut", text), CompilerOptions.DEFAULT)
        .writeExecutable(file, "--server");
    Path values = Files.writeString(folder.resolve("values"), "3 5");
    String commands =
        """
        fields line
        variants shape
        attributes point
        attributes span
        restore %s i i32 j i32
        call point p i j
        call point q j i
        new l line p q
        call span r l
        construct s shape line l
        call start t s
        new n "{p: {x: i32, y: i32}, q: i32}" p i
        call inner u n
        store %s r t u
        """
            .formatted(values, folder.resolve("results"));
    List<String> said =
        said(file, commands).stream()
            .filter(line -> !line.equals("%%% OK") && !line.startsWith("runtime"))
            .toList();
    assertEquals(
        List.of(
            "a point",
            "b point",
            "dot",
            "- point",
            "line",
            "- line",
            "poly",
            "- []point",
            "first",
            "second(third)"),
        said);
    byte[] results = Files.readAllBytes(folder.resolve("results"));
    assertEquals(List.of(2, 3, 5), List.of((int) results[7], (int) results[18], (int) results[29]));
  }

  /** One variable is the consumed argument of a call and another argument of that call. */
  @Test
  void aConsumedVariableMayBeReadByTheSameCall(@TempDir Path folder) throws Exception {
    String text =
        """
        entry make (n: i64) : *[]i32 = map i32.i64 (iota n)
        entry mixed [n] (a: *[n]i32) (b: [n]i32) : [n]i32 =
          map2 (+) (scan (+) 0 (a with [0] = 100)) b
        """;
    Path file = folder.resolve("mixed");
    Compiler.create()
        .compile(Source.ofText("mixed.fut", text), CompilerOptions.DEFAULT)
        .writeExecutable(file, "--server");
    Path values = Files.writeString(folder.resolve("values"), "4i64");
    String commands =
        """
        restore %s n i64
        call make xs n
        call mixed r xs xs
        store %s r
        """
            .formatted(values, folder.resolve("results"));
    List<String> said = said(file, commands);
    assertTrue(said.stream().noneMatch(line -> line.contains("FAILURE")), said::toString);
    ByteBuffer results =
        ByteBuffer.wrap(Files.readAllBytes(folder.resolve("results")))
            .order(ByteOrder.LITTLE_ENDIAN);
    // The header has 7 bytes, and the size of the only dimension 8.
    List<Integer> elements = new ArrayList<>();
    for (int at = 15; at < results.limit(); at += 4) {
      elements.add(results.getInt(at));
    }
    assertEquals(List.of(100, 102, 105, 109), elements);
  }

  @Test
  void sizesThatDoNotFitAreExplained(@TempDir Path folder) throws Exception {
    String text = "entry main [n] (xs: [n]i32) (ys: [n]i32): [n]i32 = map2 (+) xs ys";
    Path file = folder.resolve("sizes");
    Compiler.create()
        .compile(Source.ofText("sizes.fut", text), CompilerOptions.DEFAULT)
        .writeExecutable(file);
    String said = said(file, "[1, 2, 3] [1, 2]").toString();
    for (String part : List.of("argument 2 (ys)", "type [2]i32", "[3]i32 is needed", "[n]i32")) {
      assertTrue(said.contains(part), said);
    }
  }

  /** Returns an executable's response to {@code entry_points}. */
  private static List<String> said(Path file) throws IOException {
    return said(file, "entry_points\n");
  }

  private static List<String> said(Path file, String input) throws IOException {
    Process process = new ProcessBuilder(file.toString()).redirectErrorStream(true).start();
    try (OutputStream in = process.getOutputStream()) {
      in.write(input.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      // The process ended without reading its input.
    }
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
        .lines()
        .toList();
  }
}
