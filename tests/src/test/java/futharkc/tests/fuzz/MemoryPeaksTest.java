package futharkc.tests.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.backend.interpreter.BlockUsage;
import futharkc.backend.interpreter.Interpreter;
import futharkc.backend.interpreter.Options;
import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.ir.Ir;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.text.Parser;
import futharkc.core.runtime.Scalar;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests of the peak memory after merging. The peak is never higher than before. The peak exceeds
 * the lower bound only where a statement cannot write over its operand. No statement has a choice
 * among blocks, so graph colouring would not find a better assignment. The property {@code
 * -Dpeaks.programs=FOLDERS} selects other programs and prints the peaks.
 */
final class MemoryPeaksTest {
  private static final String FOLDERS =
      System.getProperty("peaks.programs", "src/test/resources/futharkc/tests/memory");
  private static final boolean TELLS = System.getProperty("peaks.programs") != null;
  private static final Map<String, Rep> TARGETS =
      Map.of("c", Rep.SEQ_MEM, "multicore", Rep.MC_MEM, "cuda", Rep.GPU_MEM);

  private final Compiler compiler = Compiler.create();
  private final List<String> failures = new ArrayList<>();
  private int functions;
  private int atLeast;
  private int choices;
  private double less;

  /** Checks that a run counts a block from its first to its last access. */
  @Test
  void aRunUsesBlocksWhileTheyAreAccessed() {
    String program =
        """
        #futhark-ir seq-mem v1
        entry "main" ("n": i64) -> i64
        fun main(n_0: i64) -> (r_1: i64) next 20 = {
          let {mem_2: mem i64} = alloc(n_0, i64)
          let {a_3: [n_0]i64 @ mem_2 -> 0 + {n_0: 1}} = iota_i64(n_0, 5i64, 1i64)
          let {mem_4: mem i64} = alloc(n_0, i64)
          let {x_5: i64} = a_3[0i64]
          let {b_6: [n_0]i64 @ mem_4 -> 0 + {n_0: 1}} = replicate([n_0], x_5)
          let {y_7: i64} = LAST[1i64]
          in {y_7}
        }
        """;
    for (String last : List.of("a_3", "b_6")) {
      BlockUsage uses = new BlockUsage();
      Interpreter.run(
          Parser.parse("t", program.replace("LAST", last)),
          "main",
          List.of(Scalar.i64(10)),
          Options.DEFAULT.withTagged(true).withUses(uses));
      assertEquals(last.equals("a_3") ? 160 : 80, uses.peak(), last);
    }
  }

  @Test
  void reuseTakesNoMoreThanIsNeeded() throws IOException {
    for (String folder : FOLDERS.split(File.pathSeparator, -1)) {
      try (Stream<Path> files = Files.walk(Path.of(folder))) {
        for (Path f : files.filter(f -> f.toString().endsWith(".fut")).sorted().toList()) {
          for (Map.Entry<String, Rep> target : TARGETS.entrySet()) {
            look(f, target);
          }
        }
      }
    }
    String counts =
        "%d functions, %d at the lower bound, %d where it matters who takes which room; %.1f %% less"
            .formatted(functions, atLeast, choices, 100 * less / functions);
    if (TELLS) {
      System.out.println(counts);
    }
    assertEquals(List.of(), failures);
    assertEquals(0, choices, counts);
    assertTrue(functions > 0);
    assertTrue(2 * atLeast > functions, counts);
  }

  private void look(Path file, Map.Entry<String, Rep> target) {
    List<MemoryPeaks> all = new ArrayList<>();
    List<MemoryPeaks> merged = new ArrayList<>();
    Ir[] last = {null};
    CompilerOptions options =
        CompilerOptions.DEFAULT
            .withTarget(target.getKey())
            .withThreads(1)
            .withStopAfter("reuse")
            .withObserver(
                (index, step, program) -> {
                  String pass = step.pass().name();
                  if (pass.equals("coalesce")) {
                    merged.addAll(MemoryPeaks.of((Program) last[0], (Program) program));
                  }
                  if (pass.equals("reuse")) {
                    all.addAll(MemoryPeaks.of((Program) last[0], (Program) program));
                  }
                  last[0] = program;
                });
    try {
      compiler.optimise(Source.ofFile(file), options, target.getValue());
    } catch (RuntimeException | IOException e) {
      if (!TELLS) {
        throw new IllegalStateException(file.toString(), e);
      }
      System.out.println(file + " " + target.getKey() + ": " + e);
    }
    for (MemoryPeaks p : merged) {
      if (p.after() > p.before()) {
        failures.add(file + " " + target.getKey() + ": coalesce " + p);
      }
    }
    for (MemoryPeaks p : all) {
      String what = file + " " + target.getKey() + ": " + p;
      functions++;
      less += 1 - (double) p.after() / p.before();
      if (p.after() <= p.least()) {
        atLeast++;
      } else if (TELLS) {
        System.out.println(what);
      }
      if (p.choices()) {
        choices++;
      }
      if (p.after() > p.before()) {
        failures.add(what);
      }
    }
  }
}
