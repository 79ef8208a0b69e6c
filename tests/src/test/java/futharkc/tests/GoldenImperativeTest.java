package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.backend.interpreter.Fault;
import futharkc.backend.interpreter.Interpreter;
import futharkc.backend.interpreter.Options;
import futharkc.core.ir.EntryPoint;
import futharkc.core.ir.ExtType;
import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.imperative.ImperativeProgram.Entry;
import futharkc.core.ir.imperative.ImperativeProgram.Input;
import futharkc.core.ir.imperative.ImperativeProgram.Place;
import futharkc.core.ir.imperative.ImperativeProgram.SizeCheck;
import futharkc.core.ir.text.Parser;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Tests that both programs of every golden file of a loop pass have equal results for random
 * inputs. Some inputs are long enough for the code that the pass generates for long loops.
 */
final class GoldenImperativeTest {
  private static final int[] SIZES = {5, 1, 40, 0, 70, 3, 300, 17, 8, 130, 210};

  /** The largest size of matrices, in rows and columns: larger ones take too long to interpret. */
  private static final int MATRICES = 40;

  /** The minimal fraction of inputs on which the original program must succeed. */
  private static final double COMPARED = 0.6;

  /**
   * Files without entry points: kernels, functions that the pass does not change, and functions
   * that the interpreter cannot finish.
   */
  private static final Set<String> WITHOUT_ENTRIES =
      Set.of(
          "blocks.imp",
          "branches.imp",
          "constants.imp",
          "cosine.imp",
          "dependent.imp",
          "joined.imp",
          "kernel.imp",
          "last-round.imp",
          "late-wait.imp",
          "launching-loop.imp",
          "limits.imp",
          "loops.imp",
          "near-rows.imp",
          "nested.imp",
          "reads.imp",
          "refused.imp",
          "row_choice.imp",
          "row_stays.imp",
          "several-threads.imp",
          "short.imp",
          "sines.imp",
          "straight.imp",
          "trace.imp",
          "unassigned.imp",
          "untiled.imp",
          "written.imp");

  /** Files whose programs write out of range for nearly all random numbers of threads. */
  private static final Set<String> RARELY_COMPARED =
      Set.of("count.imp", "flag.imp", "overlapped.imp", "size.imp");

  private int tried;
  private int compared;

  @Test
  void passesKeepWhatGoldenProgramsDo() throws IOException {
    List<Path> files = GoldenValues.files(".imp");
    assertTrue(files.size() >= 15, files.size() + " golden files");
    Set<String> withoutEntries = new HashSet<>();
    for (Path file : files) {
      int before = compared;
      if (compare(file)) {
        assertTrue(
            compared - before >= 2 || RARELY_COMPARED.contains(file.getFileName().toString()),
            file + " fails on nearly all inputs tried");
      } else {
        withoutEntries.add(file.getFileName().toString());
      }
    }
    assertEquals(WITHOUT_ENTRIES, withoutEntries);
    assertTrue(compared >= COMPARED * tried, compared + " of " + tried + " calls compared");
  }

  /** Compares both programs of a file; returns false if the file has no entry point. */
  private boolean compare(Path file) throws IOException {
    String text = Files.readString(file);
    int at = text.indexOf(GoldenValues.SEPARATOR);
    ImperativeProgram before = Parser.parseImperative(file.toString(), text.substring(0, at));
    ImperativeProgram after =
        Parser.parseImperative(
            file.toString(), text.substring(at + GoldenValues.SEPARATOR.length()));
    Random random = new Random(file.getFileName().toString().hashCode());
    for (Entry entry : before.entries()) {
      String name = entry.entry().name();
      for (int i = 0; i < SIZES.length; i++) {
        if (SIZES[i] > MATRICES && hasMatrices(entry, before)) {
          continue;
        }
        List<Value> input = input(entry, before, SIZES[i], random);
        List<Value> expected = result(before, name, input, Options.DEFAULT);
        tried++;
        if (expected == null) {
          continue;
        }
        for (int chunks = 1; chunks <= 3; chunks++) {
          Options options = Options.DEFAULT.withChunks(chunks).withBackwards(chunks == 2);
          List<Value> actual = result(after, name, input, options);
          assertEquals(
              GoldenValues.text(expected),
              actual == null ? "an error" : GoldenValues.text(actual),
              () -> file + ", " + name + ", " + options);
        }
        compared++;
      }
    }
    return !before.entries().isEmpty();
  }

  private static boolean hasMatrices(Entry entry, ImperativeProgram program) {
    return entry.entry().params().stream()
        .flatMap(p -> p.type().parts(program.opaques()).stream())
        .anyMatch(t -> t.rank() > 1);
  }

  private static @Nullable List<Value> result(
      ImperativeProgram program, String entry, List<Value> input, Options options) {
    try {
      return Interpreter.run(program, entry, GoldenValues.copies(input), options);
    } catch (FutharkError | Fault | IllegalArgumentException e) {
      return null;
    }
  }

  /** Returns random arguments that satisfy an entry point's constraints on sizes. */
  private static List<Value> input(
      Entry entry, ImperativeProgram program, int size, Random random) {
    Map<Place, Long> places = new HashMap<>();
    Map<Name, Long> known = new HashMap<>();
    for (Input i : entry.params()) {
      if (!(i instanceof Input.Size s)) {
        continue;
      }
      long n = known.computeIfAbsent(s.name(), _ -> (long) size);
      for (Place p : s.places()) {
        places.put(p, n);
      }
    }
    Map<Integer, Long> scalars = new HashMap<>();
    for (SizeCheck c : entry.checks()) {
      switch (c) {
        case SizeCheck.Constant k -> places.put(k.place(), k.size());
        case SizeCheck.Argument a -> {
          places.put(a.place(), (long) size);
          scalars.put(a.arg(), (long) size);
        }
      }
    }
    List<ExtType.Transparent> types = new ArrayList<>();
    for (EntryPoint.Param p : entry.entry().params()) {
      types.addAll(p.type().parts(program.opaques()));
    }
    List<Value> values = new ArrayList<>();
    for (int arg = 0; arg < types.size(); arg++) {
      ExtType.Transparent t = types.get(arg);
      if (t.rank() == 0) {
        // An integer is a size in most cases, or an index.
        long likely = Math.max(0, size - random.nextInt(3));
        Long given = scalars.get(arg);
        Long made = t.prim() == PrimType.I64 ? Long.valueOf(likely) : null;
        values.add(GoldenValues.scalar(t.prim(), given != null ? given : made, random));
      } else {
        long[] shape = new long[t.rank()];
        Arrays.fill(shape, size);
        for (int d = 0; d < shape.length; d++) {
          shape[d] = places.getOrDefault(new Place(arg, d), shape[d]);
        }
        values.add(GoldenValues.array(t.prim(), shape, random));
      }
    }
    return values;
  }
}
