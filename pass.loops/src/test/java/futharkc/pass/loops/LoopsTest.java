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

/** What passes on loops have in common. */
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

  /** Of a function that no pass changes, it is found out once which blocks may be the same. */
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
