package futharkc.harness.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.Value;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class DatasetCommandTest {
  private static byte[] run(byte[] input, String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int status =
        DatasetCommand.run(
            List.of(args), new ByteArrayInputStream(input), out, new PrintStream(err));
    return status == 0 ? out.toByteArray() : err.toByteArray();
  }

  private static String text(String input, String... args) {
    return new String(
        run(input.getBytes(StandardCharsets.UTF_8), args), StandardCharsets.ISO_8859_1);
  }

  @Test
  void converts() {
    assertEquals("1i32\n[2.0f64]\n", text("1 [2.0] -- x\n"));
    assertEquals("i32\n[2][1]f64\n[0]u8\n", text("1 [[2.0],[1]] empty([0]u8)", "-t"));
    byte[] binary = run("1 [2.0]".getBytes(StandardCharsets.UTF_8), "-b");
    assertEquals("1i32\n[2.0f64]\n", new String(run(binary), StandardCharsets.UTF_8));
  }

  @Test
  void generatesTheSameForTheSameSeedOnly() throws IOException {
    byte[] once = run(new byte[0], "-b", "-g", "[100]f32", "--generate=[3][4]i64", "-g", "bool");
    byte[] again = run(new byte[0], "-b", "-g", "[100]f32", "-g[3][4]i64", "-g", "bool");
    assertEquals(text(once), text(again));
    List<Value> values = DataFiles.readAll(new ByteArrayInputStream(once));
    ArrayValue floats = (ArrayValue) values.get(0);
    for (float x : (float[]) floats.data()) {
      assertTrue(x >= 0 && x <= 1);
    }
    assertEquals(12, ((ArrayValue) values.get(1)).size());
    assertNotEquals(text("", "-g", "i64"), text("", "-s", "2", "-g", "i64"));
    assertEquals(text("", "-s2", "-g", "i64"), text("", "-g1", "-gi64").substring(5));
  }

  private static String text(byte[] data) {
    return new String(data, StandardCharsets.ISO_8859_1);
  }

  @Test
  void boundsAreKept() throws IOException {
    byte[] data =
        run(
            new byte[0],
            "--u8-bounds=250:255",
            "--i64-bounds=-2:2",
            "--f64-bounds",
            "-1.5:1e3",
            "--u64-bounds=1:18446744073709551615",
            "-b",
            "-g[1000]u8",
            "-g[1000]i64",
            "-g[1000]f64",
            "-g[1000]u64");
    List<Value> values = DataFiles.readAll(new ByteArrayInputStream(data));
    boolean[] seen = new boolean[6];
    for (byte x : (byte[]) ((ArrayValue) values.get(0)).data()) {
      seen[(x & 0xff) - 250] = true;
    }
    for (long x : (long[]) ((ArrayValue) values.get(1)).data()) {
      assertTrue(x >= -2 && x <= 2);
    }
    double largest = 0;
    for (double x : (double[]) ((ArrayValue) values.get(2)).data()) {
      assertTrue(x >= -1.5 && x <= 1000);
      largest = Math.max(largest, x);
    }
    assertTrue(largest > 900);
    for (long x : (long[]) ((ArrayValue) values.get(3)).data()) {
      assertNotEquals(0, x);
    }
    for (boolean s : seen) {
      assertTrue(s);
    }
  }

  @Test
  void mistakes() {
    assertEquals(
        "futharkc dataset: '[n]i32' is not a type with constant sizes\n", text("", "-g", "[n]i32"));
    assertEquals("futharkc dataset: unknown option -x\n", text("", "-x"));
    assertEquals("futharkc dataset: unknown option --i7-bounds\n", text("", "--i7-bounds=1:2"));
    assertTrue(text("", "--i8-bounds=1:300").contains("are not bounds MIN:MAX of type i8"));
    assertTrue(text("", "--i8-bounds=2:1").contains("in the wrong order"));
    assertTrue(text("", "-g").contains("needs an argument"));
    assertTrue(text("[1").contains("line 1, column 3"));
    assertTrue(text("", "-g", "[100000][100000]i8").contains("too large"));
  }
}
