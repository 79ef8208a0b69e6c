package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the ahead-of-time cache that calls of programs for CPUs train. */
final class AotCacheOfCallsTest {
  /** A number of steps that takes more than 0.3 s, the shortest call that trains. */
  private static final String MANY = "1500000000";

  @TempDir Path folder;
  private Path first = Path.of("");
  private Path second = Path.of("");

  @BeforeEach
  void compile() throws IOException {
    first = compiled("first", "1");
    second = compiled("second", "2");
  }

  private Path compiled(String name, String factor) throws IOException {
    String text =
        """
        entry main (n: i64): i64 =
          loop x = 7 for i < n do (x ^ i) * 25214903917 + %s
        entry other (n: i64): i64 =
          loop x = 9 for i < n do (x ^ (i + %s)) * 25214903917 + 3
        """
            .formatted(factor, factor);
    Path file = folder.resolve(name);
    Compiler.create()
        .compile(Source.ofText(name + ".fut", text), CompilerOptions.DEFAULT)
        .writeExecutable(file);
    return file;
  }

  /** Returns a builder of a process that has the cache folder of the test. */
  private ProcessBuilder process(List<String> command, String... arguments) {
    List<String> all = new ArrayList<>(command);
    all.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(all).redirectErrorStream(true);
    builder.environment().put("FUTHARKC_CACHE", folder.resolve("cache").toString());
    builder.environment().put("FUTHARKC_JAVA", System.getProperty("java.home"));
    return builder;
  }

  private static String said(ProcessBuilder builder) throws IOException, InterruptedException {
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return said;
  }

  private String run(Path program, Redirect input, String... arguments)
      throws IOException, InterruptedException {
    return said(process(List.of(program.toString()), arguments).redirectInput(input));
  }

  private Redirect input(String text) throws IOException {
    return Redirect.from(Files.writeString(folder.resolve("input"), text).toFile());
  }

  /** Runs the program with input from a pipe. */
  private String piped(Path program, String text, String... arguments)
      throws IOException, InterruptedException {
    Path script = folder.resolve("pipe.sh");
    Files.writeString(script, "printf %s \"$1\" | { shift; \"$@\"; }");
    return said(process(List.of("sh", script.toString(), text, program.toString()), arguments));
  }

  private List<Path> files(String ending) throws IOException {
    Path classes = folder.resolve("cache").resolve("classes");
    if (!Files.isDirectory(classes)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(classes)) {
      return all.filter(f -> f.toString().endsWith(ending)).sorted().toList();
    }
  }

  /** Waits for this number of caches and returns them. */
  private List<Path> caches(int count) throws IOException, InterruptedException {
    Instant late = Instant.now().plus(Duration.ofMinutes(2));
    while (files(".aot").size() < count || !files(".tmp").isEmpty()) {
      assertTrue(Instant.now().isBefore(late), "no cache was written: " + files(""));
      Thread.sleep(100);
    }
    return files(".aot");
  }

  private long fromCache(Path program, String... arguments)
      throws IOException, InterruptedException {
    Path log = folder.resolve("classes.log");
    ProcessBuilder builder = process(List.of(program.toString()), arguments);
    builder.environment().put("FUTHARKC_PROGRAM_OPTS", "-Xlog:class+load:file=" + log);
    var unused = said(builder.redirectInput(input("5")));
    try (Stream<String> lines = Files.lines(log)) {
      return lines
          .filter(l -> l.contains("futharkc.core.runtime") && l.contains("shared objects file"))
          .count();
    }
  }

  @Test
  void aCallTrainsTheCacheOfItsEntryPoint() throws Exception {
    String result = run(first, input(MANY));
    List<Path> one = caches(1);
    assertTrue(Files.size(one.getFirst()) > 0);
    assertTrue(fromCache(first) > 5);
    assertEquals(0, fromCache(first, "-e", "other"));
    assertEquals(0, fromCache(second));
    assertEquals(result, run(first, input(MANY)));
    assertEquals(one, files(".aot"));
    String other = piped(first, MANY, "--entry-point=other");
    assertNotEquals(result, other);
    List<Path> two = caches(2);
    assertTrue(two.containsAll(one));
    assertTrue(fromCache(first, "-eother") > 5);
    assertTrue(fromCache(first, "-e", "main") > 5);
    assertEquals(other, piped(first, MANY, "-e", "other"));
  }

  @Test
  void aCacheServesNoOtherProgram() throws Exception {
    String plain = run(first, input("5"));
    String unlike = run(second, input("5"));
    assertNotEquals(plain, unlike);
    var unused = run(first, input(MANY));
    Path ofFirst = caches(1).getFirst();
    var unusedToo = run(second, input(MANY));
    Path ofSecond = caches(2).stream().filter(f -> !f.equals(ofFirst)).findFirst().orElseThrow();
    byte[] contents = Files.readAllBytes(ofFirst);
    Files.write(ofFirst, Files.readAllBytes(ofSecond));
    Files.write(ofSecond, contents);
    String sum = ofFirst.getFileName().toString().replaceAll(".*-", "");
    Path renamed =
        ofSecond.resolveSibling(
            ofSecond.getFileName().toString().replaceAll("-[0-9]*\\.aot$", "-" + sum));
    Files.move(ofSecond, renamed);
    assertEquals(plain, run(first, input("5")));
    assertEquals(unlike, run(second, input("5")));
    assertEquals(0, fromCache(first));
    assertEquals(0, fromCache(second));
  }

  @Test
  void shortAndFailingCallsTrainNothing() throws Exception {
    var unused = run(first, input("5"));
    var unusedToo = run(first, input("no number"));
    assertEquals(List.of(), files(""));
  }

  @Test
  void trainingWritesNoFilesOfTheUser() throws Exception {
    Path times = folder.resolve("times");
    var unused = run(first, input(MANY), "-t", times.toString(), "-r", "2");
    List<String> lines = Files.readAllLines(times);
    assertEquals(2, lines.size());
    var unusedCaches = caches(1);
    assertEquals(lines, Files.readAllLines(times));
  }
}
