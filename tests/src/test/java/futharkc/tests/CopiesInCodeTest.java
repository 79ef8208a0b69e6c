package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.ir.Rep;
import futharkc.core.ir.text.Printer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A test that generated code does not copy an array to the memory that already holds it. */
final class CopiesInCodeTest {
  private static final String CONCATENATED =
      "entry main (a: []i32) (b: []i32) : []i32 = scan (+) 0 a ++ scan (i32.max) 0 b";
  private static final String UPDATED =
      "entry main [n] [k] (x: *[n]i32) (a: [k]i32) : (*[n]i32, i32) =\n"
          + "  let y = scan (+) 0 a\n"
          + "  let s = #[opaque] (i32.sum y)\n"
          + "  in (x with [0:k] = y, s)";

  @ParameterizedTest
  @CsvSource({"false, c", "false, multicore", "true, c", "true, multicore"})
  void whatIsMadeInItsPlaceIsNotCopied(boolean updated, String target) {
    String text = updated ? UPDATED : CONCATENATED;
    assertFalse(code(text, target, "default").contains("copy("));
    assertTrue(code(text, target, "-coalesce").contains("copy("));
  }

  private static String code(String text, String target, String passes) {
    CompilerOptions options = CompilerOptions.DEFAULT.withTarget(target).withPasses(passes);
    Source source = Source.ofText("copies.fut", text);
    Rep rep = target.equals("c") ? Rep.SEQ_IMP : Rep.MC_IMP;
    return Printer.print(Compiler.create().optimise(source, options, rep).ir().program());
  }
}
