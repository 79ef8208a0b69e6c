package futharkc.core.driver.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.codegen.java.HotSpot;
import futharkc.core.driver.failure.CompilerBugException;
import futharkc.core.driver.plan.Goal;
import futharkc.core.driver.plan.Plan;
import futharkc.core.driver.plan.Solver;
import futharkc.core.driver.plan.State;
import futharkc.core.driver.plugin.Registry;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Ir;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Remark;
import futharkc.core.ir.text.Parser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PipelineTest {
  private static final Program PROGRAM =
      Parser.parse(
          "test",
          """
          #futhark-ir soacs v1
          fun f(x_0: i32) -> (r_1: i32) = { in {x_0} }
          fun g(x_0: i32) -> (r_1: i32) = { in {x_0} }
          fun h(x_0: i32) -> (r_1: i32) = { in {x_0} }
          """);

  private record OnFunction(String name, UnaryOperator<FunDef> body) implements Pass.OnFunction {
    @Override
    public PassInfo info() {
      return PassInfo.named(name, "a test", Rep.SOACS);
    }

    @Override
    public int apiLevel() {
      return 1;
    }

    @Override
    public FunDef run(FunDef function, Program program, PassContext context) {
      context.remark(Remark.Kind.APPLIED, function.name(), Loc.NONE, "seen");
      return body.apply(function);
    }
  }

  private static Program run(
      Pass pass, int threads, @Nullable Consumer<Ir> verifier, @Nullable Path crashes) {
    return (Program)
        pipeline(pass, threads, verifier, crashes, () -> false).run(PROGRAM, plan(pass), 1);
  }

  private static Plan plan(Pass pass) {
    return new Solver(List.of(pass.info()))
        .exactly(pass.info().name(), State.LOWERED, new Goal("a test", Rep.SOACS));
  }

  private static Pipeline pipeline(
      Pass pass,
      int threads,
      @Nullable Consumer<Ir> verifier,
      @Nullable Path crashes,
      java.util.function.BooleanSupplier cancelled) {
    CrashReport report =
        crashes == null ? null : new CrashReport(crashes, "prog", "multicore", List.of());
    return new Pipeline(
        Registry.of(List.of(pass), List.of()),
        new Pipeline.Settings(
            HotSpot.machine(), threads, verifier, report, new Timings(), List.of(), cancelled));
  }

  @Test
  void functionsKeepTheirOrderWhateverTheThreads() {
    Pass pass = new OnFunction("tag", f -> f.withBody(f.body(), f.nextTag() + 1));
    for (int threads : new int[] {1, 2, 8}) {
      Pipeline p = pipeline(pass, threads, null, null, () -> false);
      Program result = (Program) p.run(PROGRAM, plan(pass), 1);
      assertEquals(List.of("f", "g", "h"), List.copyOf(result.functions().keySet()));
      assertEquals(
          List.of("f", "g", "h"), p.remarks().stream().map(r -> r.remark().function()).toList());
    }
  }

  @Test
  void onlySoManyChangesAreMade() {
    Pass pass = new OnFunction("tag", f -> f.withBody(f.body(), f.nextTag() + 1));
    for (int allowed = 0; allowed < 5; allowed++) {
      Pipeline p =
          new Pipeline(
              Registry.of(List.of(pass), List.of()),
              new Pipeline.Settings(
                      HotSpot.machine(), 8, null, null, new Timings(), List.of(), () -> false)
                  .withChanges(allowed));
      Program result = (Program) p.run(PROGRAM, plan(pass), 1);
      List<String> changed =
          PROGRAM.functions().keySet().stream()
              .filter(f -> result.functions().get(f) != PROGRAM.functions().get(f))
              .toList();
      assertEquals(List.of("f", "g", "h").subList(0, Math.min(3, allowed)), changed);
    }
  }

  @Test
  void anUnchangedProgramIsTheVeryProgram() {
    assertSame(PROGRAM, run(new OnFunction("nothing", f -> f), 2, null, null));
  }

  @Test
  void aFailingPassIsNamedAndLeavesAReproducer(@TempDir Path folder) throws Exception {
    Pass pass =
        new OnFunction(
            "broken",
            f -> {
              throw new IllegalStateException("on purpose in " + f.name());
            });
    CompilerBugException e =
        assertThrows(CompilerBugException.class, () -> run(pass, 2, null, folder));
    assertTrue(e.getMessage().contains("The pass broken failed"), e.getMessage());
    assertTrue(e.getMessage().contains("on purpose in f"), e.getMessage());
    Path file = e.reproducer();
    assertNotNull(file);
    String text = Files.readString(file);
    assertTrue(text.contains("--plan=broken"), text);
    IrText read = IrText.parse("crash", text);
    assertEquals(PROGRAM, read.program());
    assertEquals(State.LOWERED, read.state());
  }

  @Test
  void anythingThatAPassThrowsNamesThePass(@TempDir Path folder) {
    List<Throwable> thrown =
        List.of(
            new Error("on purpose"),
            new NoSuchMethodError("on purpose"),
            new InternalError("on purpose"),
            new IOException("on purpose"));
    for (Throwable t : thrown) {
      for (int threads : new int[] {1, 3}) {
        Pass pass = new OnFunction("broken", f -> PipelineTest.<FunDef, Error>fail(t));
        CompilerBugException e =
            assertThrows(CompilerBugException.class, () -> run(pass, threads, null, folder));
        assertTrue(e.getMessage().contains("The pass broken failed"), e.getMessage());
        assertTrue(e.getMessage().contains("on purpose"), e.getMessage());
        assertNotNull(e.reproducer());
      }
    }
  }

  /** Throws any exception, as code in other languages of the JVM can. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T, X extends Throwable> T fail(Throwable t) throws X {
    throw (X) t;
  }

  @Test
  void anIllFormedResultIsThePassesFault() {
    List<Ir> verified = new ArrayList<>();
    Consumer<Ir> verifier =
        p -> {
          verified.add(p);
          if (verified.size() == 2) {
            throw new IllegalArgumentException("ill-typed");
          }
        };
    Pass pass = new OnFunction("bad", f -> f.withBody(f.body(), f.nextTag() + 1));
    CompilerBugException e =
        assertThrows(CompilerBugException.class, () -> run(pass, 1, verifier, null));
    assertTrue(e.getMessage().contains("The pass bad produced an ill-formed program: ill-typed"));
  }

  /**
   * The error blames the pass that produced the ill-formed program, even if a later pass fails or
   * loops during the verification.
   */
  @Test
  void anIllFormedResultIsBlamedOnItsPass() {
    CountDownLatch begun = new CountDownLatch(1);
    Pass bad = new OnFunction("bad", f -> f.withBody(f.body(), f.nextTag() + 1));
    Pass fails =
        new OnFunction(
            "next",
            f -> {
              begun.countDown();
              throw new IllegalStateException("what is this?");
            });
    Pass turns =
        new Pass.OnFunction() {
          @Override
          public PassInfo info() {
            return PassInfo.named("next", "a test", Rep.SOACS);
          }

          @Override
          public int apiLevel() {
            return 1;
          }

          @Override
          public FunDef run(FunDef function, Program program, PassContext context) {
            begun.countDown();
            while (true) {
              context.checkCancelled();
            }
          }
        };
    for (Pass next : List.of(fails, turns, new OnFunction("next", f -> f))) {
      Consumer<Ir> verifier =
          p -> {
            if (p == PROGRAM) {
              return;
            }
            if (next == fails || next == turns) {
              await(begun);
            }
            throw new IllegalArgumentException("ill-typed");
          };
      Plan plan =
          new Solver(List.of(bad.info(), next.info()))
              .exactly("bad,next", State.LOWERED, new Goal("a test", Rep.SOACS));
      Pipeline pipeline =
          new Pipeline(
              Registry.of(List.of(bad, next), List.of()),
              new Pipeline.Settings(
                  HotSpot.machine(), 2, verifier, null, new Timings(), List.of(), () -> false));
      CompilerBugException e =
          assertThrows(CompilerBugException.class, () -> pipeline.run(PROGRAM, plan, 2));
      assertEquals("The pass bad produced an ill-formed program: ill-typed", e.getMessage());
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aCancelledCompilationStops() {
    Pass pass = new OnFunction("any", f -> f);
    assertThrows(
        CancellationException.class,
        () -> pipeline(pass, 1, null, null, () -> true).run(PROGRAM, plan(pass), 1));
  }

  @Test
  void deepRecursionInAPassIsFine() {
    Pass pass = new OnFunction("deep", f -> depth(50_000) == 50_000 ? f : f.withBody(f.body(), 99));
    assertSame(PROGRAM, DeepStack.call(() -> run(pass, 2, null, null)));
  }

  private static int depth(int n) {
    return n == 0 ? 0 : 1 + depth(n - 1);
  }
}
