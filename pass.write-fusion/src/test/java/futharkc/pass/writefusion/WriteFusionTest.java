package futharkc.pass.writefusion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Program;
import futharkc.core.ir.Soac;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.Remark;
import futharkc.core.ir.text.Parser;
import futharkc.tests.kit.GoldenFiles;
import futharkc.tests.kit.RecordingContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WriteFusionTest {
  @TestFactory
  Stream<DynamicTest> golden() {
    return GoldenFiles.in("futharkc/pass/writefusion", new WriteFusionPass());
  }

  @TestFactory
  Stream<DynamicTest> proofs() {
    return GoldenFiles.in("futharkc/pass/writefusion/proofs", new WriteFusionPass());
  }

  /** Tests the remarks about checks and initialisations: the removal, or the reason against it. */
  @ParameterizedTest
  @CsvSource({
    "reversed, APPLIED, they are in range",
    "reversed, APPLIED, is not filled",
    "compacted, APPLIED, is not filled",
    "compacted, MISSED, it is -1 for one outcome",
    "radix-step, APPLIED, they are in range",
    "radix-step, APPLIED, is not filled",
    "two-flags, APPLIED, they are in range",
    "remainder, APPLIED, they are in range",
    "narrow, APPLIED, they are in range",
    "rows-overwritten, APPLIED, is not filled",
    "twice-the-size, APPLIED, they are in range",
    "same-indices, APPLIED, removed the first",
    "odd-and-even, APPLIED, fused the writes",
    "one-behind-the-other, APPLIED, fused the writes",
    "ignored-at-first, MISSED, is filled: it may be out of range",
    "rotated, MISSED, not known to be distinct",
    "more-than-written, MISSED, is filled: not known to be as many",
    "not-if-empty, MISSED, elements where nothing is written",
    "narrow-sum, MISSED, it depends on a result of sext",
    "any-sum, MISSED, are checked: it depends on",
    "not-a-sum, MISSED, are checked: it depends on",
    "not-always, MISSED, not every iteration of one operation writes",
    "other-iterations, MISSED, are checked: it depends on",
    "may-meet, MISSED, they may meet",
    "read-between-both, MISSED, has other uses",
    "three-times-the-size, MISSED, are checked: no bound is known",
    "size-may-wrap, MISSED, are checked: no bound is known",
  })
  void proves(String name, Remark.Kind kind, String message) {
    Program before = program("proofs/" + name);
    var context = context(-1);
    Program after = fuse(before, context);
    assertTrue(
        context.remarks().stream().anyMatch(r -> r.kind() == kind && r.message().contains(message)),
        context.remarks().toString());
    assertSame(after.functions().get("main"), fuse(after, context(-1)).functions().get("main"));
  }

  @ParameterizedTest
  @CsvSource({
    "affine, APPLIED, their indices are distinct",
    "ranks, APPLIED, their indices are distinct",
    "stride-may-wrap, NOTE, it may be the same",
    "twice-in-an-iteration, NOTE, every iteration makes several",
    "loop-in-an-iteration, NOTE, no single map makes all of them",
    "half, NOTE, it depends on a result of sdiv",
    "unflagged, NOTE, it may be the same",
    "one-place, NOTE, no term distinguishes them",
    "overwritten, NOTE, overwrites an array that it reads",
  })
  void checksOnlyWhatMayConflict(String name, Remark.Kind kind, String message) {
    Program before = program("checks/" + name);
    var context = new RecordingContext(new CheckWritesPass(), Map.of());
    new CheckWritesPass().run(before.functions().get("main"), before, context);
    assertTrue(
        context.remarks().stream().anyMatch(r -> r.kind() == kind && r.message().contains(message)),
        context.remarks().toString());
  }

  @TestFactory
  Stream<DynamicTest> checks() {
    return GoldenFiles.in("futharkc/pass/writefusion/checks", new CheckWritesPass());
  }

  /**
   * Tests the counts of accumulations and of parallel operations at any depth, before and after the
   * pass.
   */
  @ParameterizedTest
  @CsvSource({
    "map-index-and-value, 1, 3, 1, 1",
    "shared-indices, 3, 5, 1, 1",
    "four-maps, 2, 6, 1, 1",
    "needed-elsewhere, 1, 2, 1, 1",
    "reduction, 1, 3, 1, 2",
    "rows, 1, 3, 1, 2",
    "nested, 1, 3, 1, 2",
    "scatter-2d, 1, 2, 1, 1",
    "flattened, 1, 4, 1, 2",
    "transposed, 1, 3, 1, 2",
    "flattened-with-positions, 1, 3, 1, 2",
    "concatenated, 1, 2, 1, 1",
    "concatenated-apart, 1, 3, 1, 2",
    "filter, 1, 5, 1, 1",
    "partition, 1, 5, 1, 1",
  })
  void mapsDisappear(String name, int writes, int operations, int writesAfter, int after) {
    Program before = program(name);
    assertEquals(new Count(writes, operations), Count.of(before));
    Program fused = fuse(before, context(-1));
    assertEquals(new Count(writesAfter, after), Count.of(fused));
    assertSame(fused.functions().get("main"), fuse(fused, context(-1)).functions().get("main"));
  }

  @ParameterizedTest
  @CsvSource({
    "reads-target, 'it reads a_1, which is written'",
    "reads-target-through-alias, ', which is written'",
    "maps-over-target, ', which is written'",
    "result-is-index, the second uses written_",
    "flattened-reads-target, it reads dest_",
    "widths-differ, 'their widths, n_4 and m_6, differ'",
    "something-between, uses the producer",
    "producer-with-something-between, uses the producer",
    "whole-needed, is needed as a whole",
    "makes-target, is needed as a whole",
    "read-between, uses the producer",
    "attributes, their attributes differ",
    "reduced-rows, is the result of a reduction",
    "other-reads-target, can only be fused with one of them",
    "values-from-later-target, which the second writes",
    "flattened-something-between, uses the producer",
    "flattened-whole-needed, 'is also used in flat form'",
    "flattened-reduction, it is not over the outer dimension",
  })
  void refuses(String name, String reason) {
    Program before = program(name);
    var context = context(-1);
    fuse(before, context);
    assertTrue(
        context.remarks().stream()
            .anyMatch(r -> r.kind() == Remark.Kind.MISSED && r.message().contains(reason)),
        context.remarks().toString());
  }

  @Test
  void limitBoundsTheNumberOfFusions() {
    Program before = program("shared-indices");
    assertEquals(new Count(3, 5), Count.of(fuse(before, context(0))));
    assertEquals(new Count(2, 4), Count.of(fuse(before, context(1))));
    assertEquals(new Count(1, 3), Count.of(fuse(before, context(2))));
  }

  private record Count(int writes, int operations) {
    static Count of(Program p) {
      int[] count = {0, 0};
      new Mapper() {
        @Override
        public Exp exp(Exp e) {
          if (e instanceof Exp.WithAcc) {
            count[0]++;
          }
          if (e instanceof Soac.Screma) {
            count[1]++;
          }
          return super.exp(e);
        }
      }.fun(p.functions().get("main"));
      return new Count(count[0], count[1]);
    }
  }

  private static Program program(String name) {
    return Parser.parse(name, resource(name + ".fir").split("=====", -1)[0]);
  }

  private static Program fuse(Program p, PassContext context) {
    FunDef main = new WriteFusionPass().run(p.functions().get("main"), p, context);
    return p.withFunctions(Map.of("main", main));
  }

  private static String resource(String name) {
    try (var in = WriteFusionTest.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static RecordingContext context(long limit) {
    return new RecordingContext(new WriteFusionPass(), Map.of()).limitedTo(limit);
  }
}
