package futharkc.harness.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.Scalar;
import futharkc.harness.testing.TestSpec.Case;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TestSpecParserTest {
  private static TestSpec.Runs runs(String source) throws TestSpecException {
    return assertInstanceOf(TestSpec.Runs.class, TestSpecParser.parse(source).action());
  }

  @Test
  void programsWithoutBlocks() throws TestSpecException {
    assertSame(TestSpec.NONE, TestSpecParser.parse("-- a comment\nentry main x = x + 1\n"));
  }

  @Test
  void rejections() throws TestSpecException {
    TestSpec spec =
        TestSpecParser.parse("-- about\n-- ==\n-- tags { one no_cuda } error: bad.*thing\n\ndef");
    assertEquals(List.of("one", "no_cuda"), spec.tags());
    TestSpec.Rejection rejection = assertInstanceOf(TestSpec.Rejection.class, spec.action());
    assertTrue(rejection.error().accepts("a bad\nsort of thing"));
    assertFalse(rejection.error().accepts("thing bad"));
    TestSpec any = TestSpecParser.parse("-- ==\n-- error:\n");
    assertTrue(((TestSpec.Rejection) any.action()).error().accepts("anything"));
  }

  @Test
  void casesOfSeveralBlocksAndEntryPoints() throws TestSpecException {
    TestSpec.Runs runs =
        runs(
            """
            -- ==
            -- input { 1 [2.5, 3] }
            -- output { true }
            -- "a name" compiled nobench input @ data/x.in.gz auto output
            -- structure gpu-mem { Alloc 3 /Loop/Screma 0 }
            -- structure { Screma 1
            -- }
            -- warning: unused.*

            entry main = 1

            -- More.
            -- ==
            -- entry: f g
            -- random input { [10][2_000]u8 5i16 } output @ out.dat
            -- script input { f {a=1}  "}" } error: division
            -- input {} error:
            -- input { 7 }
            entry f = 2
            """);
    assertEquals(3, runs.entryPoints().size());
    assertEquals("main", runs.entryPoints().get(0).entryPoint());
    assertEquals("g", runs.entryPoints().get(2).entryPoint());
    List<Case> main = runs.entryPoints().get(0).cases();
    assertEquals("#0 (\"1i32 [2.5f64, 3.0f64]\")", main.get(0).name());
    TestSpec.Success success = assertInstanceOf(TestSpec.Success.class, main.get(0).expected());
    assertEquals(List.of(Scalar.bool(true)), ((TestSpec.Literals) success.result()).values());
    assertEquals(
        new Case(
            "a name",
            List.of("compiled", "nobench"),
            new TestSpec.DataFile("data/x.in.gz"),
            new TestSpec.Success(new TestSpec.ReferenceResult())),
        main.get(1));
    assertEquals(
        List.of(
            new TestSpec.Structure(
                TestSpec.Pipeline.GPU_MEM, Map.of("Alloc", 3, "/Loop/Screma", 0)),
            new TestSpec.Structure(TestSpec.Pipeline.SOACS, Map.of("Screma", 1))),
        runs.structures());
    assertEquals("unused.*", runs.warnings().get(0).toString());

    List<Case> f = runs.entryPoints().get(1).cases();
    assertEquals("[10][2000]u8 5i16", f.get(0).name());
    assertEquals(
        new TestSpec.RandomInput(
            List.of(
                new RandomValue.OfType(ElemType.U8, 10, 2000),
                new RandomValue.Fixed(Scalar.i16((short) 5)))),
        f.get(0).input());
    assertEquals("f {a=1i32} \"}\"", f.get(1).name());
    TestSpec.RunTimeError error =
        assertInstanceOf(TestSpec.RunTimeError.class, f.get(1).expected());
    assertTrue(error.error().accepts("Error: division by zero"));
    assertEquals("#2 (\"\")", f.get(2).name());
    assertEquals(new TestSpec.Success(null), f.get(3).expected());
  }

  @Test
  void properties() throws TestSpecException {
    TestSpec.Runs runs = runs("-- ==\n-- property: p q\n-- property: r\n\n-- ==\n-- property: s\n");
    assertEquals(List.of("p", "q", "r", "s"), runs.properties());
  }

  @Test
  void longNamesAreCut() throws TestSpecException {
    TestSpec.Runs runs =
        runs("-- ==\n-- input { [[1i8,2i8],[3,4]] 0.05 0.002f32 123456789 \"x\" }");
    assertEquals(
        "#0 (\"[[1i8, 2i8], [3i8, 4i8]] 5.0e-2f64 2.0e-3f32 12345...\")",
        runs.entryPoints().get(0).cases().get(0).name());
  }

  @Test
  void mistakesAreNamedWithTheirLine() {
    assertMistake(
        3, "in these values, line 1, column 4: expected", "-- x\n-- ==\n-- input {[1 2]}\n");
    assertMistake(2, "expected 'input', got '{1}'", "-- ==\n-- inpt {1}\n");
    assertMistake(2, "no matching '}'", "-- ==\n-- input {1\n");
    assertMistake(3, "expected 'input', got the end", "-- ==\n-- input {1}\n-- bla");
    assertMistake(5, "no more test blocks", "-- ==\n-- error: x\n\nf\n-- ==\n-- input {1}\n");
    assertMistake(
        3, "several data sets", "-- ==\n-- input {1}\n-- \"#0 (\\\"1i32\\\")\" input {2}\n");
    assertMistake(2, "unknown pipeline 'cpu'", "-- ==\n-- structure cpu {}\n");
    assertMistake(2, "not a regular expression", "-- ==\n-- error: (\n");
    assertMistake(2, "neither a type nor a scalar", "-- ==\n-- random input { [1]foo }\n");
  }

  private static void assertMistake(int line, String message, String source) {
    TestSpecException e = assertThrows(TestSpecException.class, () -> TestSpecParser.parse(source));
    assertTrue(String.valueOf(e.getMessage()).contains(message), e.getMessage());
    assertEquals(line, e.line(), e.getMessage());
  }

  @Test
  void posixPatterns() {
    assertTrue(
        new TextPattern("Index \\[5\\] out of [a-z]+ \\{x\\}").occursIn("Index [5] out of b {x}"));
    assertTrue(new TextPattern("{x}[[:digit:]]{2}$").occursIn("{x}12"));
    assertTrue(new TextPattern("[^]a]b").occursIn("cb"));
    assertTrue(new TextPattern("^$").occursIn(""));
    assertFalse(new TextPattern("^$").occursIn("a\n"));
    assertTrue(new TextPattern("f[(]x[)]").occursIn("f(x)"));
  }
}
