package futharkc.pass.loops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import futharkc.core.ir.analysis.AnalysisCache;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.text.Parser;
import futharkc.tests.kit.RecordingContext;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests of the framework for loop passes. */
final class LoopsTest {
  private static final ImperativeProgram PROGRAM =
      (ImperativeProgram)
          Parser.parseAny(
              "t",
              """
              #futhark-ir seq-imp v1

              initialise fun constants() on_one_thread next 3 {
                return ()
              }

              fun main(n_0: i64, xs_1: []i32) on_one_thread next 3 {
                for i_2: i64 < n_0 {
                  xs_1[i_2] = 1i32
                }
                return (xs_1)
              }
              """);

  /**
   * Tests that a remark has the source location of the enclosing parallel operation, because loops
   * have none.
   */
  @Test
  void remarksNameThePlaceOfTheRegion() {
    ImperativeProgram program =
        (ImperativeProgram)
            Parser.parseAny(
                "t",
                """
                #futhark-ir mc-imp v1

                initialise fun constants() next 9 {
                  return ()
                }

                fun main(n_0: i64, xs_1: []i32) next 9 {
                  var chunks_2: i64 = chunk_count((n_0), cost 3, per_thread 8)
                  parallel main_segmap_0(chunk_3, from_4, to_5) over (n_0) in chunks_2 @"p.fut":2:3-40 {
                    for i_6: i64 from from_4 < to_5 fits independent {
                      xs_1[i_6] = 1i32
                    }
                  }
                  return (xs_1)
                }
                """);
    RecordingContext context = new RecordingContext(new InductionVariableNarrowingPass(), Map.of());
    new InductionVariableNarrowingPass().run(program.functions().get(0), program, context);
    assertEquals(
        List.of("p.fut:2:3-40"), context.remarks().stream().map(r -> r.loc().toString()).toList());
  }

  /** Tests that passes which change nothing share the aliases of a function. */
  @Test
  void passesShareWhatIsKnownOfAFunction() {
    AnalysisCache cache = new AnalysisCache();
    ImperativeProgram.Function f = PROGRAM.functions().get(0);
    List<Pass.OnImperative> passes =
        List.of(new LoopInvariantMotionPass(), new StripMinePass(), new UnrollAndJamPass());
    for (Pass.OnImperative p : passes) {
      RecordingContext context =
          new RecordingContext(
              p, Map.of(), cache, new CopyOnWriteArrayList<>(), new AtomicLong(-1));
      assertSame(f, p.run(f, PROGRAM, context));
    }
    assertEquals(
        List.of(new AnalysisCache.Statistics("block aliases of imperative code", 2, 1)),
        cache.statistics());
  }
}
