package futharkc.tests.oracle;

import futharkc.core.driver.Compiled;
import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.runtime.device.Device;
import futharkc.core.runtime.device.DeviceOptions;
import futharkc.tests.kit.source.ModularPrograms;
import futharkc.tests.kit.source.RandomProgram;
import futharkc.tests.oracle.OracleTrial.Configuration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A command that compares the entry points of random programs on several targets with the oracle:
 * {@code OracleCampaign KIND FIRST COUNT TOGETHER TARGETS FOLDER}. Arguments contain numbers at the
 * edges of their types.
 *
 * <p>{@code KIND} is {@code plain} or {@code modular}. {@code TOGETHER} plain programs are entry
 * points of one program. {@code TARGETS} is a list with commas, as in {@code multicore,c,opencl}.
 * The command writes each program with the calls and the oracle's results as test blocks to the
 * folder, for {@code futharkc test} with other targets, and each difference to a file that ends in
 * {@code .wrong}.
 */
public final class OracleCampaign {
  /** The probability of an argument at the edge of its type. */
  static final double EDGES = 0.2;

  private static final int ROUNDS = 3;

  private final List<Configuration> configurations = new ArrayList<>();
  private final Map<String, Device> devices = new HashMap<>();
  private final Path folder;
  private final OracleTrial.Counts counts = new OracleTrial.Counts();
  private int wrong;
  private int entries;

  private OracleCampaign(String targets, Path folder) {
    this.folder = folder;
    configurations.add(OracleTrial.INTERPRETER);
    for (String target : targets.split(",")) {
      configurations.add(
          switch (target) {
            case "multicore" -> OracleTrial.MULTICORE;
            case "c" -> OracleTrial.C;
            // Without contraction, floats equal the oracle's.
            default ->
                new Configuration(
                    target, target, CompilerOptions.DEFAULT.withPasses("-contraction"), 1);
          });
    }
  }

  /** Runs the command that the class comment describes. */
  public static void main(String[] args) throws Exception {
    OracleCampaign campaign = new OracleCampaign(args[4], Path.of(args[5]));
    Files.createDirectories(campaign.folder);
    boolean modular = args[0].equals("modular");
    long end = Long.parseLong(args[1]) + Long.parseLong(args[2]);
    int together = modular ? 1 : Integer.parseInt(args[3]);
    Thread thread =
        new Thread(
            null,
            () -> {
              for (long seed = Long.parseLong(args[1]); seed < end; seed += together) {
                campaign.programs(modular, seed, Math.min(end, seed + together));
              }
            },
            "campaign",
            1L << 28);
    thread.start();
    thread.join();
    System.out.println(campaign.wrong + " differences");
    System.exit(0);
  }

  private void programs(boolean modular, long first, long end) {
    List<Long> seeds = new ArrayList<>(LongStream.range(first, end).boxed().toList());
    while (!seeds.isEmpty()) {
      String text = text(modular, seeds);
      OracleTrial trial = new OracleTrial(first, EDGES, this::device);
      OracleTrial.@Nullable Difference found = trial.run(text, configurations, ROUNDS);
      List<OracleTrial.Difference> all = new ArrayList<>(trial.differences);
      if (found != null && all.isEmpty()) {
        all.add(found);
      }
      long number = seeds.getFirst();
      try {
        for (OracleTrial.Difference d : all) {
          System.out.println(number + ": " + d.kind() + " " + d.details().split("\\[")[0]);
          Path file = folder.resolve(number + "." + wrong++ + ".wrong");
          Files.writeString(file, d.kind() + "\n" + d.details() + "\n" + text);
        }
        if (found == null || !trial.differences.isEmpty()) {
          Files.writeString(folder.resolve(number + ".fut"), text + "\n" + trial.blocks);
          counts.add(trial.counts);
          entries += seeds.size();
          break;
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      seeds = withoutRejected(modular, seeds, found);
    }
    System.out.println(entries + " programs: " + counts);
    System.out.flush();
  }

  private static String text(boolean modular, List<Long> seeds) {
    return modular
        ? ModularPrograms.of(seeds.getFirst(), 4).text()
        : RandomProgram.together(seeds.stream().map(s -> RandomProgram.of(s, 10)).toList());
  }

  /** Returns the seeds without the one whose program has the line that an error message names. */
  private static List<Long> withoutRejected(
      boolean modular, List<Long> seeds, OracleTrial.Difference found) {
    Matcher line = Pattern.compile("random.fut:(\\d+):").matcher(found.details());
    if (!line.find()) {
      // A failure of the compiler: halves find the program.
      return seeds.subList(0, seeds.size() / 2);
    }
    int i = 0;
    long wanted = Long.parseLong(line.group(1));
    while (i < seeds.size() && text(modular, seeds.subList(0, i + 1)).lines().count() < wanted) {
      i++;
    }
    List<Long> rest = new ArrayList<>(seeds);
    rest.remove(Math.min(i, seeds.size() - 1));
    return rest;
  }

  private @Nullable Device device(Configuration c) {
    if (List.of("interpreter", "multicore", "c").contains(c.target())) {
      return null;
    }
    return devices.computeIfAbsent(
        c.target(),
        target -> {
          Compiled any =
              Compiler.create()
                  .compile(
                      Source.ofText("any.fut", "entry main (n: i64) = n"),
                      CompilerOptions.DEFAULT.withTarget(target));
          DeviceOptions.Builder options = new DeviceOptions.Builder();
          // The optimisation of kernels takes longer than their runs.
          if (target.equals("opencl")) {
            options.compilerOption("-cl-opt-disable");
          }
          return any.openDevice(options.build());
        });
  }
}
