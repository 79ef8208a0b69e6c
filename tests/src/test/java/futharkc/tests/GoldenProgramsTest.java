package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.backend.interpreter.Fault;
import futharkc.backend.interpreter.Interpreter;
import futharkc.backend.interpreter.Options;
import futharkc.core.ir.EntryPoint;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Program;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.text.Parser;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Tests that both programs of every golden file, before and after a pass, have equal results for
 * random inputs. The program after the pass may have any result if the program before the pass
 * fails, because hand-written programs can have errors that no result depends on.
 */
final class GoldenProgramsTest {
  private static final int INPUTS = 6;

  /** The minimal fraction of files with at least one input that does not fail. */
  private static final double COMPARED = 0.75;

  @Test
  void passesKeepWhatGoldenProgramsDo() throws IOException {
    List<Path> files = GoldenValues.files(".fir");
    TreeSet<String> not = new TreeSet<>();
    int cases = 0;
    for (Path file : files) {
      int compared = compare(file);
      cases += compared;
      if (compared == 0) {
        not.add(file.getParent().getFileName() + "/" + file.getFileName());
      }
    }
    assertTrue(
        files.size() - not.size() >= COMPARED * files.size(),
        "of " + files.size() + " files these fail on every input tried: " + not);
    assertTrue(cases >= 2 * files.size(), cases + " cases of " + files.size() + " files");
  }

  /** Returns the number of inputs on which the programs of a file were compared. */
  private static int compare(Path file) throws IOException {
    String text = Files.readString(file);
    int at = text.indexOf(GoldenValues.SEPARATOR);
    // These loops seldom terminate for random arguments.
    if (text.contains(" while ")) {
      return 0;
    }
    Program before = Parser.parse(file.toString(), text.substring(0, at));
    Program after =
        Parser.parse(file.toString(), text.substring(at + GoldenValues.SEPARATOR.length()));
    Random random = new Random(file.getFileName().toString().hashCode());
    int compared = 0;
    for (FunDef f : before.functions().values()) {
      if (!after.functions().containsKey(f.name())) {
        continue;
      }
      for (int i = 0; i < INPUTS; i++) {
        List<Value> input = input(f, before, i, random);
        if (input == null) {
          break;
        }
        List<Value> expected = result(before, f, input, Options.DEFAULT);
        if (expected == null) {
          continue;
        }
        // The result of conflicting writes is unspecified.
        Options run = options(i);
        List<Value> again = result(before, f, input, run);
        if (again == null || !GoldenValues.text(again).equals(GoldenValues.text(expected))) {
          continue;
        }
        String what = file + ", " + f.name() + ":\n" + GoldenValues.text(input);
        // A view without elements may be outside of the array, because nothing reads it. Checks
        // may fail.
        boolean mayFail = isEmpty(input) || file.getParent().endsWith("checks");
        if (mayFail && result(after, f, input, run) == null) {
          continue;
        }
        List<Value> actual = result(after, f, input, run);
        assertEquals(
            GoldenValues.text(expected),
            actual == null ? "an error" : GoldenValues.text(actual),
            what);
        compared++;
      }
    }
    return compared;
  }

  private static boolean isEmpty(List<Value> values) {
    return values.stream().anyMatch(v -> v instanceof ArrayValue a && a.length() == 0);
  }

  private static Options options(int i) {
    return Options.DEFAULT.withChunk(i % 4).withBackwards(i % 2 == 1);
  }

  private static @Nullable List<Value> result(
      Program program, FunDef f, List<Value> input, Options options) {
    try {
      return Interpreter.run(program, f.name(), GoldenValues.copies(input), options);
    } catch (FutharkError | Fault | IllegalArgumentException e) {
      return null;
    }
  }

  /**
   * Returns arguments for a function, or null if no argument can be generated for some parameter.
   */
  private static @Nullable List<Value> input(FunDef f, Program program, int number, Random random) {
    Map<Name, Long> sizes = new HashMap<>();
    // Half of the inputs have one common size.
    long common = random.nextInt(6);
    for (Param p : f.params()) {
      if (!(p.type() instanceof Type.Array a)) {
        continue;
      }
      for (SubExp d : a.shape()) {
        if (d instanceof SubExp.Var v) {
          sizes.putIfAbsent(v.name(), number % 3 == 0 ? random.nextInt(5) : common);
        }
      }
    }
    int leading = leadingSizes(f, program, sizes.keySet());
    List<Value> values = new ArrayList<>();
    for (Param p : f.params()) {
      if (!(p.type() instanceof Type.Mem) && leading-- > 0) {
        continue;
      }
      switch (p.type()) {
        case Type.Prim t -> {
          Long size = sizes.get(p.name());
          if (size == null && number % 3 != 0 && t.prim() == PrimType.I64) {
            size = common;
          }
          values.add(GoldenValues.scalar(t.prim(), size, random));
        }
        case Type.Array a -> {
          long[] shape = new long[a.rank()];
          for (int d = 0; d < shape.length; d++) {
            shape[d] =
                switch (a.shape().get(d)) {
                  case SubExp.Const c -> c.value().asLong();
                  case SubExp.Var v -> sizes.getOrDefault(v.name(), common);
                };
          }
          values.add(GoldenValues.array(a.elem(), shape, random));
        }
        case Type.Acc _ -> {
          return null;
        }
        case Type.Mem _ -> {}
      }
    }
    return values;
  }

  /** Returns the number of leading size parameters, which callers do not pass. */
  private static int leadingSizes(FunDef f, Program program, Set<Name> sizes) {
    List<Param> values = f.params().stream().filter(p -> !(p.type() instanceof Type.Mem)).toList();
    if (f.entry() != null) {
      int given = 0;
      for (EntryPoint.Param p : f.entry().params()) {
        given += p.type().parts(program.opaques()).size();
      }
      return values.size() - given;
    }
    int n = 0;
    while (n < values.size() && sizes.contains(values.get(n).name())) {
      n++;
    }
    return n;
  }
}
