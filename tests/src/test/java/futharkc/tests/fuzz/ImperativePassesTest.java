package futharkc.tests.fuzz;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import futharkc.backend.interpreter.Interpreter;
import futharkc.backend.interpreter.Options;
import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.driver.plugin.Registry.RegisteredPass;
import futharkc.core.ir.Name;
import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.Remark;
import futharkc.core.ir.text.Parser;
import futharkc.core.ir.text.Printer;
import futharkc.core.ir.verify.Verifier;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.Value;
import futharkc.tests.kit.RecordingContext;
import futharkc.tests.kit.source.RandomProgram;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Tests of random subsets and orders of the passes on imperative programs, on random programs. The
 * output satisfies the verifier, parses back, and has the results of the input for several numbers
 * of chunks. Options are small, so that passes apply to small loops. The properties {@code
 * -Dfuzz.first=SEED} and {@code -Dfuzz.programs=N} select programs.
 */
final class ImperativePassesTest {
  private static final long FIRST = Long.getLong("fuzz.first", 0);
  private static final long PROGRAMS = Long.getLong("fuzz.programs", 300);

  /**
   * The maximal number of programs per application of a pass: each pass must apply to one of this
   * many.
   */
  private static final int RARELY = 150;

  private static final List<Rep> REPS =
      List.of(
          Rep.SEQ_IMP, Rep.MC_IMP, Rep.MC_IMP, Rep.MC_IMP, Rep.GPU_IMP, Rep.GPU_IMP, Rep.GPU_IMP);

  private static final List<Integer> CHUNKS = List.of(1, 2, 3, 7);

  /** Options with which short loops are profitable and methods are small, by pass. */
  private static final Map<String, Map<String, String>> SMALL =
      Map.of(
          "reassociate-reductions",
          options("short-range=2 parts=2 column-parts=2"),
          "strip-mine",
          options("longest=4 fewest=1 fewest-of-functions=1 bytes=24"),
          "loop-distribution",
          options("longest=4 fewest=1 bytes=24 operations-before=0 operations-behind=0"),
          "invariant-expansion",
          options("bytes=24"),
          "cache-tiling",
          options(
              "columns=16 rows=3 lowest=1 depth=4 tiles=2 run-rows=2 run-columns=2 run-steps=1"
                  + " run-work=1 stride-rows=2 stride-columns=2 stride-steps=1 stride-work=1"),
          "loop-outlining",
          options("large=60 loop=20 few-trips=0 rest=10 call=8"),
          "region-sharing",
          options("loop=20"),
          "cancellation-checks",
          options("alone=24 innermost=12 around=40 outer=80 outermost=160 call=20 run=10 large=60"),
          "row-staging",
          options("least=8"),
          "block-tiling",
          options(
              "large-threads=16 large-side=2 large-elements=30 small-threads=4 small-side=2"
                  + " small-elements=1 least=1 steps=0 resident=0 depth=4 row=4 row-elements=1"
                  + " row-least=1 row-steps=0 unrolled=2"));

  private static Map<String, String> options(String text) {
    Map<String, String> options = new TreeMap<>();
    for (String option : text.split(" ")) {
      String[] parts = option.split("=");
      options.put(parts[0], parts[1]);
    }
    return options;
  }

  private final Compiler compiler = Compiler.create();
  private final List<Pass.OnImperative> passes = new ArrayList<>();
  private final Map<Rep, List<String>> planned = new EnumMap<>(Rep.class);
  private final Map<String, Integer> applied = new TreeMap<>();

  ImperativePassesTest() {
    planned.put(Rep.SEQ_IMP, planned("c", "+vectorise"));
    planned.put(Rep.MC_IMP, planned("multicore", "+vectorise"));
    planned.put(Rep.GPU_IMP, planned("opencl", "default"));
    for (RegisteredPass p : compiler.registry().passes().values()) {
      if (p.pass() instanceof Pass.OnImperative i) {
        passes.add(i);
        applied.put(i.info().name(), 0);
      }
    }
  }

  private List<String> planned(String target, String passes) {
    CompilerOptions options = CompilerOptions.DEFAULT.withTarget(target).withPasses(passes);
    return compiler.plan(options).steps().stream().map(step -> step.pass().name()).toList();
  }

  @Test
  void anyOrderKeepsResults() {
    for (long i = 0; i < PROGRAMS; i++) {
      long seed = FIRST + i;
      Random random = new Random(seed * 0x9E3779B97F4A7C15L + 5);
      Rep rep = REPS.get(random.nextInt(REPS.size()));
      String text =
          seed % 3 == 0
              ? RandomProgram.of(seed, 10).text()
              : LoopNests.of(seed, rep == Rep.GPU_IMP);
      ImperativeProgram start = lowered(text, rep);
      List<Pass.OnImperative> order = order(rep, random);
      List<Value> input = RandomInputs.of(2 + random.nextInt(9), 2 + random.nextInt(5), random);
      check(seed, text, start, order, input);
    }
    System.err.println("programs that each pass changed: " + applied);
    // HostReadTimingTest has programs with loops whose conditions are scalars of the device.
    applied.remove("speculative-launch");
    // HostCopiesTest has programs with sequential loops over arrays.
    applied.remove("host-copies");
    applied.forEach(
        (pass, n) ->
            assertTrue(n >= PROGRAMS / RARELY, pass + " applied to " + n + " programs only"));
  }

  /**
   * Returns some passes with repetitions, or most passes once, in most cases in the order of the
   * plan. Late passes leave little work for earlier ones.
   */
  private List<Pass.OnImperative> order(Rep rep, Random random) {
    List<Pass.OnImperative> all =
        passes.stream().filter(p -> p.info().accepts().contains(rep)).toList();
    List<Pass.OnImperative> order = new ArrayList<>();
    boolean most = random.nextBoolean();
    if (most) {
      for (Pass.OnImperative p : all) {
        if (random.nextInt(5) > 0) {
          order.add(p);
        }
      }
      Collections.shuffle(order, random);
    } else {
      for (int n = 3 + random.nextInt(15); n > 0; n--) {
        order.add(all.get(random.nextInt(all.size())));
      }
    }
    if (random.nextInt(3) > 0) {
      order.sort(Comparator.comparing(p -> planned.get(rep).indexOf(p.info().name())));
    }
    return order;
  }

  private ImperativeProgram lowered(String text, Rep rep) {
    StringBuilder without = new StringBuilder();
    for (Pass.OnImperative p : passes) {
      without.append(without.isEmpty() ? "-" : ",-").append(p.info().name());
    }
    CompilerOptions options = CompilerOptions.DEFAULT.withThreads(1).withPasses(without.toString());
    Source source = Source.ofText("random.fut", text);
    return (ImperativeProgram) compiler.optimise(source, options, rep).ir().program();
  }

  private void check(
      long seed,
      String text,
      ImperativeProgram start,
      List<Pass.OnImperative> order,
      List<Value> input) {
    Object expected = run(start, input, Options.DEFAULT);
    List<String> done = new ArrayList<>();
    java.util.Set<String> changing = new java.util.TreeSet<>();
    ImperativeProgram now = start;
    try {
      for (Pass.OnImperative p : order) {
        done.add(p.info().name());
        List<Remark> remarks = new ArrayList<>();
        ImperativeProgram next = applied(p, now, remarks);
        if (!next.equals(now)) {
          changing.add(p.info().name());
          if (remarks.stream().noneMatch(r -> r.kind() == Remark.Kind.APPLIED)) {
            throw new IllegalStateException("the pass changed the program without a remark");
          }
        }
        if (!Chunking.of(next).includes(Chunking.of(now))) {
          throw new IllegalStateException("the pass changed the division of regions into chunks");
        }
        now = next;
        Verifier.verify(now);
        if (!Parser.parseAny("printed", Printer.print(now)).equals(now)) {
          throw new IllegalStateException("the text form does not parse back to the same program");
        }
      }
      for (int chunks : CHUNKS) {
        Options options =
            Options.DEFAULT
                .withChunks(chunks)
                .withBackwards(chunks % 2 == 0)
                .withThreshold(chunks == 1 ? Long.MAX_VALUE : 16 / chunks);
        Object actual = run(now, input, options);
        if (!same(expected, actual)) {
          throw new IllegalStateException(
              "in " + chunks + " chunks: " + shown(actual) + ", not " + shown(expected));
        }
      }
    } catch (RuntimeException | StackOverflowError e) {
      fail("seed " + seed + ", after " + done + ": " + e + "\n" + text + Printer.print(now), e);
    }
    for (String name : changing) {
      applied.merge(name, 1, Integer::sum);
    }
  }

  private static ImperativeProgram applied(
      Pass.OnImperative p, ImperativeProgram program, List<Remark> remarks) {
    Map<String, String> options = SMALL.getOrDefault(p.info().name(), Map.of());
    RecordingContext context = new RecordingContext(p, options);
    ImperativeProgram result =
        program.with(
            p.run(program.initialise(), program, context),
            program.functions().stream().map(f -> p.run(f, program, context)).toList());
    remarks.addAll(context.remarks());
    return result;
  }

  /**
   * The division of parallel regions into chunks.
   *
   * @param regions the total and the chunks of each region, by its label
   * @param counts the statement that computes the number of chunks, by its variable
   */
  private record Chunking(Map<String, String> regions, Map<Name, Code> counts) {
    /** Tests whether all regions of another program are divided alike. */
    boolean includes(Chunking other) {
      return regions.entrySet().containsAll(other.regions.entrySet())
          && counts.entrySet().containsAll(other.counts.entrySet());
    }

    static Chunking of(ImperativeProgram program) {
      Chunking all = new Chunking(new TreeMap<>(), new TreeMap<>());
      CodeMapper collect =
          new CodeMapper() {
            @Override
            public Code statement(Code c) {
              switch (c) {
                case Code.Parallel r -> all.regions.put(r.label(), r.total() + " " + r.chunks());
                case Code.ChainedScan r -> all.regions.put(r.label(), r.total() + " " + r.chunks());
                case Code.ChunkCount n -> all.counts.put(n.chunks(), n);
                default -> {}
              }
              return super.statement(c);
            }
          };
      program.functions().forEach(f -> collect.statements(f.body()));
      return all;
    }
  }

  /** Returns the result, or the message of an error. */
  private static Object run(ImperativeProgram program, List<Value> input, Options options) {
    try {
      return Interpreter.run(program, "main", RandomInputs.copy(input), options);
    } catch (FutharkError e) {
      return String.valueOf(e.getMessage());
    }
  }

  @SuppressWarnings("unchecked")
  private static boolean same(Object a, Object b) {
    if (a instanceof String || b instanceof String) {
      return a instanceof String && b instanceof String;
    }
    return RandomInputs.same((List<Value>) a, (List<Value>) b);
  }

  @SuppressWarnings("unchecked")
  private static String shown(Object result) {
    return result instanceof String s ? s : RandomInputs.text((List<Value>) result);
  }
}
