package futharkc.cli;

import futharkc.core.driver.plan.Wording;
import futharkc.core.runtime.CacheFolder;
import futharkc.tools.packages.Network;
import futharkc.tools.packages.PackageException;
import futharkc.tools.packages.PackageManager;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The command {@code futharkc pkg}, which manages the packages of the current folder. */
final class PkgCommand implements Command {
  /** The operations with their operands and descriptions. */
  private enum Operation {
    ADD(
        "PATH [X.Y.Z]",
        1,
        2,
        "requires a package: this version or a later one (default: the newest)"),
    REMOVE("PATH", 1, 1, "removes a required package"),
    SYNC("", 0, 0, "fills lib/ with the required packages, and deletes other files there"),
    UPGRADE("", 0, 0, "requires the newest version of each package"),
    CHECK("", 0, 0, "checks that all required versions exist"),
    VERSIONS("PATH", 1, 1, "lists the versions of a package"),
    INIT("PATH", 1, 1, "creates a manifest and the folder of a package"),
    CREATE("PATH", 1, 1, "is another name of init"),
    FMT("", 0, 0, "formats the manifest");

    private final String operands;
    private final int least;
    private final int most;
    private final String description;

    Operation(String operands, int least, int most, String description) {
      this.operands = operands;
      this.least = least;
      this.most = most;
      this.description = description;
    }

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    String synopsis() {
      return operands.isEmpty() ? word() : word() + " " + operands;
    }
  }

  @Override
  public void describe(CommandSpec spec) {
    StringBuilder text =
        new StringBuilder(
            "Manages the packages that the manifest futhark.pkg in this folder requires. Packages"
                + " are repositories, which the program git fetches. Only sync and init change the"
                + " folder lib/; a sync that fails leaves lib/ as it was. Copies of repositories"
                + " stay in the user's cache folder. Operations:");
    for (Operation o : Operation.values()) {
      text.append(o.ordinal() == 0 ? " '" : "; '");
      text.append(o.synopsis()).append("' ").append(o.description);
    }
    spec.usageMessage().description(text.append('.').toString());
    spec.addOption(Args.flag("Print the commands of git and their messages.", "-v", "--verbose"));
    spec.addOption(Args.flag("Use repositories in the cache only.", "--offline"));
    spec.addOption(Args.flag("sync: print the changes only.", "--dry-run"));
    spec.addPositional(Args.files("OPERATION", "1..3", "The operation and its operands."));
  }

  @Override
  public int run(ParseResult parsed, @Nullable List<String> inputs, Console console)
      throws IOException {
    List<String> words = Args.words(parsed);
    Operation operation = operation(words);
    List<String> operands = words.subList(1, words.size());
    Path cached = CacheFolder.find("packages");
    Path cache = cached == null ? Files.createTempDirectory("futharkc-packages") : cached;
    boolean verbose = Args.has(parsed, "-v");
    Consumer<String> log =
        line -> {
          if (verbose) {
            console.err().println(line);
          }
        };
    PackageManager manager =
        new PackageManager(
            new PackageManager.Settings(Path.of(""), cache, console.out()::println, log, Map.of()));
    try {
      run(operation, operands, parsed, manager);
      return Status.OK;
    } catch (PackageException e) {
      console.out().flush();
      console.err().println(Main.NAME + " pkg: " + e.getMessage());
      return Status.FAILED;
    } finally {
      if (cached == null) {
        delete(cache);
      }
    }
  }

  private static void delete(Path folder) throws IOException {
    List<Path> all;
    try (Stream<Path> found = Files.walk(folder)) {
      all = found.toList().reversed();
    }
    for (Path p : all) {
      Files.delete(p);
    }
  }

  private static Operation operation(List<String> words) {
    for (Operation o : Operation.values()) {
      if (o.word().equals(words.getFirst())) {
        int operands = words.size() - 1;
        if (operands < o.least || operands > o.most) {
          throw new UsageException("the form is '" + Main.NAME + " pkg " + o.synopsis() + "'.");
        }
        return o;
      }
    }
    List<String> names = List.of(Operation.values()).stream().map(Operation::word).toList();
    throw new UsageException(Wording.unknown("operation", words.getFirst(), names));
  }

  private static void run(
      Operation operation, List<String> operands, ParseResult parsed, PackageManager manager)
      throws PackageException, IOException {
    boolean offline = Args.has(parsed, "--offline");
    Network fresh = offline ? Network.NEVER : Network.ALWAYS;
    Network lazy = offline ? Network.NEVER : Network.IF_MISSING;
    switch (operation) {
      case ADD -> {
        String version = operands.size() > 1 ? operands.get(1) : null;
        manager.add(operands.getFirst(), version, lazy);
      }
      case REMOVE -> manager.remove(operands.getFirst());
      case SYNC -> manager.sync(lazy, Args.has(parsed, "--dry-run"));
      case UPGRADE -> manager.upgrade(fresh);
      case CHECK -> manager.check(fresh);
      case VERSIONS -> manager.versions(operands.getFirst(), fresh);
      case INIT, CREATE -> manager.init(operands.getFirst());
      case FMT -> manager.format();
    }
  }
}
