package futharkc.tests.oracle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Compares programs in files with the oracle, by hand: {@code OracleFiles ROUNDS FILE...}. Each is
 * interpreted, and compiled for multicore; all entry points are called with random arguments. With
 * {@code -Doracle.blocks=FOLDER} the programs are left there with the calls as test blocks, for
 * other compilers.
 */
public final class OracleFiles {
  private OracleFiles() {}

  /** See the class. */
  public static void main(String[] args) throws IOException {
    OracleTrial.Counts counts = new OracleTrial.Counts();
    int wrong = 0;
    for (int i = 1; i < args.length; i++) {
      OracleTrial trial = new OracleTrial(i);
      OracleTrial.Difference found =
          trial.run(Files.readString(Path.of(args[i])), true, Integer.parseInt(args[0]));
      counts.add(trial.counts);
      String folder = System.getProperty("oracle.blocks");
      if (folder != null) {
        Path file = Path.of(args[i]);
        Files.createDirectories(Path.of(folder));
        Files.writeString(
            Path.of(folder).resolve(file.getFileName()),
            Files.readString(file) + "\n" + trial.blocks);
      }
      if (found == null && trial.counts.compared > 0) continue;
      wrong++;
      System.out.println(args[i] + ": " + (found == null ? "nothing compared" : found.kind()));
      if (found != null) System.out.println(found.details().indent(2));
    }
    System.out.println(counts + "; " + wrong + " files differ");
  }
}
