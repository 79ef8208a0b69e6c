package futharkc.harness.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import futharkc.core.runtime.Value;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ResultComparisonTest {
  private static List<Value> values(String text) throws IOException {
    return DataFiles.readAll(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static @Nullable String difference(String actual, String expected) throws IOException {
    return ResultComparison.difference(values(actual), values(expected));
  }

  @Test
  void toleranceGrowsWithTheLargestExpectedNumber() throws IOException {
    assertNull(difference("1.0019", "1.0"));
    assertEquals("value #0: expected 1.0f64, got 1.003f64", difference("1.003", "1.0"));
    assertNull(difference("[1.1, 100.0]", "[1.0, 100.0]"));
    assertNull(difference("[1.1, 100.0, f64.inf]", "[1.0, 100.0, f64.inf]"));
    assertEquals(
        "value #0: index [0]: expected 1.0f64, got 1.1f64", difference("[1.1, 1.0]", "[1.0, 1.0]"));
    assertEquals("value #0: expected -1000.0f64, got -1001.0f64", difference("-1001.0", "-1000.0"));
  }

  @Test
  void specialNumbers() throws IOException {
    assertNull(difference("f32.nan", "-f32.nan"));
    assertNull(difference("[f16.inf, 0.0]", "[f16.inf, -0.0]"));
    assertEquals("value #0: expected f32.inf, got -f32.inf", difference("-f32.inf", "f32.inf"));
    assertEquals("value #0: expected 1.0f32, got f32.nan", difference("f32.nan", "1f32"));
    assertEquals("value #0: expected f32.inf, got 1.0e30f32", difference("1e30f32", "f32.inf"));
  }

  @Test
  void exactOtherwise() throws IOException {
    assertNull(difference("[[1,2],[3,4]] true", "[[1,2],[3,4]] true"));
    assertEquals(
        "value #1: index [1, 0]: expected 4i32, got 3i32",
        difference("1 [[1,2],[3,4]]", "1 [[1,2],[4,4]]"));
    assertEquals(
        "value #0: expected a value of type [2]i32, got one of type [3]i32",
        difference("[1,2,3]", "[1,2]"));
    assertEquals(
        "value #0: expected a value of type i64, got one of type i32", difference("1", "1i64"));
    assertEquals("expected 1 values, got 2", difference("1 2", "1"));
  }
}
