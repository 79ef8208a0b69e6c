package futharkc.tests.reference;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.driver.plan.PassCatalogue;
import futharkc.core.driver.plugin.Registry;
import futharkc.core.ir.SizeClass;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.runtime.FutharkProgram.TuningParameter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The page {@code docs/reference/tuning.md}. */
final class TuningPage {
  /** Parameters by the part of their names after the function, without the number. */
  static final Map<String, String> PARAMETERS = parameters();

  private TuningPage() {}

  private static Map<String, String> parameters() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put(
        "suff_outer_par",
        "the parallelism from which on one thread executes each iteration of the outer dimensions");
    all.put(
        "suff_intra_par",
        "the inner parallelism from which on one thread block executes each outer iteration");
    all.put("segmap_tblock_size", "threads per block of a kernel for nested maps");
    all.put("segred_tblock_size", "threads per block of a reduction");
    all.put("segred_num_tblocks", "thread blocks of a reduction");
    all.put("segscan_tblock_size", "threads per block of a scan");
    all.put("segscan_num_tblocks", "thread blocks of a scan");
    all.put("seghist_tblock_size", "threads per block of a histogram");
    all.put("seghist_num_tblocks", "thread blocks of a histogram");
    all.put("replicate_tblock_size", "threads per block of a kernel that fills an array");
    all.put("copy_tblock_size", "threads per block of a kernel that copies an array");
    all.put("reg_tile_size", "rows and columns of a thread's results in a tiled kernel");
    return all;
  }

  static String markdown() {
    StringBuilder text = new StringBuilder("# Tuning parameters and pass options\n\n");
    text.append(GeneratedPages.NOTICE)
        .append(
            """

            A tuning parameter is set when a program starts, and does not change results. An option of a pass is set
            when a program is compiled.

            ## Tuning parameters

            Programs for `cuda` and `opencl` have tuning parameters. `--print-params` lists those of a program.
            `--param NAME=INT` sets one; `--tuning FILE` sets those in the lines `NAME=INT` of a file. The value 0 is
            the default. A value above the limit of the device is reduced to the limit, with a warning.
            `futharkc autotune` finds thresholds and writes them to `PROGRAM.fut.tuning`.

            A parameter is called `FUNCTION.KIND_NUMBER`, for example `main.suff_outer_par_0`.

            | kind | value |
            |---|---|
            """);
    PARAMETERS.forEach((name, meaning) -> row(text, "`" + name + "`", meaning));
    text.append(
        """

        ### Classes

        Each parameter has a class. The option, or a line `default_CLASS=INT` of a tuning file, sets all parameters of
        a class that have no value of their own.

        | class | option | value |
        |---|---|---|
        """);
    for (SizeClass.Plain c : SizeClass.Plain.values()) {
      row(text, "`" + c + "`", option(c), meaning(c));
    }
    row(
        text,
        "`threshold(DEFAULT, PATH)`",
        "`--default-threshold`",
        "a parallelism; `DEFAULT` is `def` if the device has the default, and `PATH` lists the"
            + " thresholds that are compared before, with `!` before those that were not reached");
    text.append(
        """

        ## Pass options

        `--passes=PASS{OPTION=VALUE}` sets an option. [passes.md](passes.md) describes the passes.

        | pass | option | takes | default | meaning |
        |---|---|---|---|---|
        """);
    Registry registry = Compiler.create().registry();
    PassCatalogue catalogue = new PassCatalogue(registry);
    for (Registry.RegisteredPass pass : registry.passes().values()) {
      PassInfo info = pass.info();
      for (Option o : info.options()) {
        row(
            text,
            "[`" + info.name() + "`](passes.md#" + info.name() + ")",
            "`" + o.name() + "`",
            o.values(),
            "`" + catalogue.defaultValue(info, o) + "`",
            o.description());
      }
    }
    return text.toString();
  }

  private static void row(StringBuilder text, String... cells) {
    text.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  private static String option(SizeClass.Plain c) {
    return switch (c) {
      case THREAD_BLOCK_SIZE -> "`--default-thread-block-size`, `--default-group-size`";
      case GRID_SIZE -> "`--default-grid-size`, `--default-num-groups`";
      case TILE_SIZE -> "`--default-tile-size`";
      case REG_TILE_SIZE -> "`--default-reg-tile-size`";
      case SHARED_MEMORY -> "none";
      case CACHE -> "`--default-cache`";
      case REGISTERS -> "`--default-registers`";
    };
  }

  private static String meaning(SizeClass.Plain c) {
    return switch (c) {
      case THREAD_BLOCK_SIZE -> "threads per block";
      case GRID_SIZE -> "thread blocks of a kernel launch, at most";
      case TILE_SIZE -> "rows of a tile in shared memory";
      case REG_TILE_SIZE -> "rows of a tile in registers";
      case SHARED_MEMORY -> "bytes of shared memory of a thread block";
      case CACHE -> "bytes of the cache that all thread blocks share";
      case REGISTERS -> "registers of a thread";
    };
  }

  /** Returns the kinds of the tuning parameters of a program that has all kinds of kernels. */
  static List<String> kindsOf(String program) {
    List<String> kinds = new ArrayList<>();
    TuningParameter[] all =
        Compiler.create()
            .compile(
                Source.ofText("kernels.fut", program), CompilerOptions.DEFAULT.withTarget("opencl"))
            .instance()
            .tuningParameters();
    for (TuningParameter p : all) {
      kinds.add(p.name().replaceFirst("^.*\\.", "").replaceFirst("_\\d+$", ""));
    }
    return kinds;
  }
}
