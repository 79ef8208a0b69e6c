package futharkc.core.runtime.executable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test of whole sessions; with {@code -D} the run time checks that no block is released twice.
 */
class ServerTest {
  @TempDir private Path folder = Path.of("");
  private Path data = Path.of("");

  @BeforeEach
  void writeData() throws IOException {
    data = folder.resolve("in data");
    Files.writeString(data, "1i32 2i32 [1i32, 2, 3] [true, false, true]");
  }

  private String restore() {
    return "restore \"" + data + "\" one i32 two i32 ints []i32 bools []bool\n";
  }

  /** Returns the output of a session after its start, with run times replaced by blanks. */
  private String session(String commands) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int status =
        ExecutableMain.run(
            new SampleProgram(),
            new String[] {"--server", "-D", "--num-threads", "2"},
            new ByteArrayInputStream(commands.getBytes(StandardCharsets.UTF_8)),
            out,
            new PrintStream(err));
    assertEquals(0, status, err.toString(StandardCharsets.UTF_8));
    String text = out.toString(StandardCharsets.UTF_8);
    assertTrue(text.startsWith("%%% OK\n"), text);
    return text.substring("%%% OK\n".length()).replaceAll("runtime: \\d+", "runtime: N");
  }

  private String stored(String name) throws IOException {
    return Files.readString(folder.resolve(name), StandardCharsets.ISO_8859_1);
  }

  @Test
  void descriptions() {
    assertEquals(
        """
        []i32
        i32
        (i32, []i32)
        [](i32, bool)
        (i32, bool)
        bool
        []bool
        point
        shape
        [][]bool
        secret
        %%% OK
        *[]i32
        %%% OK
        *[]i32
        %%% OK
        primitive
        %%% OK
        array
        %%% OK
        array
        %%% OK
        record
        %%% OK
        sum
        %%% OK
        opaque
        %%% OK
        sample.grain
        %%% OK
        threshold(def, )
        %%% OK
        noinline
        %%% OK
        1
        %%% OK
        (i32, bool)
        %%% OK
        0 i32
        1 bool
        %%% OK
        ints
        - []i32
        - point
        bools
        - [][]bool
        %%% OK
        """,
        session(
            """
            types
            inputs increment
            output increment
            kind i32
            kind []i32
            kind "[](i32, bool)"
            kind point
            kind shape
            kind secret
            tuning_params main
            tuning_param_class sample.grain
            attributes main
            rank "[](i32, bool)"
            elemtype "[](i32, bool)"
            fields "(i32, bool)"
            variants shape
            """));
    assertTrue(session("entry_points\n").startsWith("main\nincrement\n"));
  }

  @Test
  void callsShareAndConsumeAndFree() throws IOException {
    assertEquals(
        "%%% OK\n".repeat(1)
            + "runtime: N\n%%% OK\n".repeat(2)
            + "3\n%%% OK\n"
            + "[]i32\n%%% OK\n"
            + "%%% OK\n".repeat(4),
        session(
            restore()
                + "call main s ints\ncall increment r ints\nshape r\ntype r\nfree ints\n"
                + "store \""
                + folder.resolve("out")
                + "\" s r\nrename r q\nfree q s one two bools\n"));
    assertEquals(
        "b\2\0 i32\6\0\0\0" + "b\2\1 i32\3\0\0\0\0\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0", stored("out"));
  }

  private static final String CONSUMED =
      "%%% FAILURE\nVariable has been consumed by a call, and can only be freed: ";

  @Test
  void failingCallsLeaveNothingBehind() throws IOException {
    assertEquals(
        "%%% OK\n"
            + "runtime: N\n%%% FAILURE\nError: Too late.\n%%% OK\n"
            + (CONSUMED + "ints\n%%% OK\n")
            + "%%% OK\n".repeat(2)
            + "{\"memory\":{\"default\":8000},\"events\":[]}\n%%% OK\n",
        session(
            restore()
                + "call fail_late r ints\ncall fail_late r ints\nfree ints\nclear\nreport\n"));
  }

  @Test
  void consumingCallsLeaveTheNamesOfVariables() throws IOException {
    assertEquals(
        "%%% OK\n".repeat(2)
            + "runtime: N\n%%% OK\n"
            + (CONSUMED + "twice\n%%% OK\n")
            + "%%% FAILURE\nVariable already exists: twice\n%%% OK\n"
            + "%%% OK\n".repeat(4)
            + "{\"memory\":{\"default\":8000},\"events\":[]}\n%%% OK\n",
        session(
            restore()
                + "new_array twice []i32 2 one two\ncall increment r twice\ntype twice\n"
                + "rename r twice\nfree twice\nrename r twice\nstore \""
                + folder.resolve("out")
                + "\" twice\nclear\nreport\n"));
    assertEquals("b\2\1 i32\2\0\0\0\0\0\0\0\2\0\0\0\3\0\0\0", stored("out"));
  }

  /** Tests consumption of a block that is large enough to be counted. */
  @Test
  void callsConsumeTheBlockItself() throws IOException {
    int n = 2000;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes("b\2\1 i32\320\7\0\0\0\0\0\0".getBytes(StandardCharsets.ISO_8859_1));
    bytes.writeBytes(new byte[4 * n]);
    Path large = folder.resolve("large");
    Files.write(large, bytes.toByteArray());
    String load = "restore \"" + large + "\" xs []i32\n";
    String called = "%%% OK\nruntime: N\n%%% OK\n";
    assertEquals(
        called + "{\"memory\":{\"default\":16000},\"events\":[]}\n%%% OK\n",
        session(load + "call increment r xs\nreport\n"));
    String twice =
        session(load + "rename xs ys\nnew_array zs []i32 0\ncall increment r ys\nreport\n");
    assertTrue(twice.endsWith("{\"memory\":{\"default\":16000},\"events\":[]}\n%%% OK\n"), twice);
  }

  @Test
  void constantsAreNotConsumed() throws IOException {
    String call = "runtime: N\n%%% OK\n";
    assertEquals(
        call.repeat(3) + "%%% OK\n".repeat(2),
        session(
            "call constant c\ncall increment r c\ncall constant d\nindex e d 1999\nstore \""
                + folder.resolve("out")
                + "\" e\n"));
    assertEquals("b\2\0 i32\7\0\0\0", stored("out"));
  }

  @Test
  void freeingAConstantLeavesItAlone() {
    String call = "call constant c\nindex e c 1999\nfree c e\n";
    String reply = "runtime: N\n%%% OK\n%%% OK\n%%% OK\n";
    assertEquals(reply + reply, session(call + call));
    assertEquals(reply + "runtime: N\n%%% OK\n", session(call + "call constant c\n"));
  }

  @Test
  void recordsAndArraysOfThem() throws IOException {
    assertEquals(
        "%%% OK\n".repeat(2)
            + "runtime: N\n%%% OK\n"
            + "%%% OK\n".repeat(5)
            + "3\n%%% OK\n"
            + "%%% OK\n".repeat(4),
        session(
            restore()
                + "new p point one two\ncall point q p\nproject x q x\n"
                + "zip z \"[](i32, bool)\" ints bools\nindex e z 2\nset z e 0\n"
                + "free ints bools\nshape z\nunzip z is bs\nproject a e 0\n"
                + "new_array n \"[](i32, bool)\" 2 e e\n"
                + "store \""
                + folder.resolve("out")
                + "\" x is bs a n\n"));
    String i32 = "b\2\1 i32\3\0\0\0\0\0\0\0\3\0\0\0\2\0\0\0\3\0\0\0";
    assertEquals(
        "b\2\0 i32\2\0\0\0"
            + i32
            + "b\2\1bool\3\0\0\0\0\0\0\0\1\0\1"
            + "b\2\0 i32\3\0\0\0"
            + "b\2\1 i32\2\0\0\0\0\0\0\0\3\0\0\0\3\0\0\0"
            + "b\2\1bool\2\0\0\0\0\0\0\0\1\1",
        stored("out"));
  }

  @Test
  void sums() throws IOException {
    assertEquals(
        "%%% OK\n".repeat(3) + "runtime: N\n%%% OK\n" + "ints\n%%% OK\n" + "%%% OK\n".repeat(3),
        session(
            restore()
                + "new p point one two\nconstruct s shape ints ints p\ncall shape t s\n"
                + "variant t\ndestruct t a b\nfree s ints p\n"
                + "store \""
                + folder.resolve("out")
                + "\" t a\n"));
    assertEquals(
        "b\2\0  i8\0"
            + "b\2\1 i32\3\0\0\0\0\0\0\0\1\0\0\0\2\0\0\0\3\0\0\0"
            + "b\2\2bool\3\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\0\0\0\0\0\0"
            + "b\2\0 i32\1\0\0\0"
            + "b\2\0 i32\2\0\0\0"
            + "b\2\1 i32\3\0\0\0\0\0\0\0\1\0\0\0\2\0\0\0\3\0\0\0",
        stored("out"));
    String again = "restore \"" + folder.resolve("out") + "\" t shape a []i32\nvariant t\n";
    assertEquals("%%% OK\nints\n%%% OK\n", session(again));
  }

  @Test
  void failuresChangeNothing() {
    String failed = "%%% FAILURE\n";
    String reply =
        session(
            restore()
                + "call fail r\n"
                + "type r\n"
                + "call main r one\n"
                + "call nothing r\n"
                + "call main r\n"
                + "free one nope\n"
                + "type one\n"
                + "set ints two 3\n"
                + "index x ints -1\n"
                + "zip z \"[](i32, bool)\" ints ints\n"
                + "construct s shape nope\n"
                + "new_array a []i32 2 one\n"
                + "restore /nowhere x i32\n"
                + "restore \""
                + data
                + "\" x i32\n"
                + "type x\n"
                + "frobnicate\n\n"
                + "new one point one two\n"
                + "kind nope\n"
                + "type \"a\n"
                + "set_tuning_param nope 1\n"
                + "call memory r\n"
                + "new_array a [][]i32 4294967296 4294967296\n"
                + "unzip ints a\n"
                + "project x one y\n"
                + "variants point\n"
                + "fields shape\n"
                + "store\n"
                + "type ints\n");
    assertTrue(
        reply.startsWith(
            "%%% OK\nruntime: N\n%%% FAILURE\nError: Index [1] out of bounds.\n\nBacktrace:\n"
                + "-> #0  a.fut:1:2-3\n%%% OK\n%%% FAILURE\nUnknown variable: r\n%%% OK\n"),
        reply);
    assertEquals(27, reply.split(failed, -1).length - 1, reply);
    assertTrue(reply.endsWith("%%% OK\n[]i32\n%%% OK\n"), reply);
    assertTrue(reply.contains("Expected EOF after reading 1 values from"), reply);
    assertTrue(reply.contains("Error: Cannot allocate an array of 1099511627776 elements"), reply);
  }

  @Test
  void tuningProfilingAndClearing() {
    String reply =
        session(
            restore()
                + "set_tuning_param sample.grain 3\npause_profiling\ncall main a ints\n"
                + "unpause_profiling\ncall main b ints\nreport\nclear\ntype ints\nreport\n");
    assertTrue(reply.contains("\"events\":[{\"name\":\"sum\",\"duration\":"), reply);
    assertEquals(2, reply.split("\"sum\"", -1).length, reply);
    assertTrue(
        reply.endsWith(
            "Unknown variable: ints\n"
                + "%%% OK\n"
                + "{\"memory\":{\"default\":8000},\"events\":[]}\n"
                + "%%% OK\n"),
        reply);
  }
}
