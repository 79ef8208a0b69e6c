package futharkc.integration.spark;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.LibraryCompilation;
import futharkc.core.driver.Source;
import futharkc.core.runtime.Opaques;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import futharkc.integration.partitions.DevicePolicy;
import futharkc.integration.partitions.Operation;
import futharkc.integration.partitions.ProgramHandle;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** The program of the tests, and results computed without it. */
final class Programs {
  static final Operation.Fold PRODUCT = new Operation.Fold("product", "join", "one");
  static final Operation.Fold TOTAL = new Operation.Fold("total", "join_total", null);

  private Programs() {}

  /** Compiles the program for a target. */
  static ProgramHandle table(Path folder, String target) throws Exception {
    Path jar =
        library(Path.of("src/test/futhark/table.fut"), target, folder.resolve(target + ".jar"));
    return ProgramHandle.ofFile(jar, target, DevicePolicy.ALL);
  }

  /** Compiles a program for a target to a library. */
  static Path library(Path program, String target, Path jar) throws Exception {
    new LibraryCompilation(
            Compiler.create(),
            Source.ofFile(program),
            CompilerOptions.DEFAULT,
            List.of(target),
            "com.acme.library",
            "1")
        .jar()
        .write(jar);
    return jar;
  }

  /** Returns the product of the matrices of the numbers from 0 on. */
  static List<Integer> product(long n) {
    int[] x = {1, 0, 0, 1};
    for (int i = 0; i < n; i++) {
      int[] y = {i, 1, 1, (int) ((long) i * i)};
      x =
          new int[] {
            x[0] * y[0] + x[1] * y[2],
            x[0] * y[1] + x[1] * y[3],
            x[2] * y[0] + x[3] * y[2],
            x[2] * y[1] + x[3] * y[3]
          };
    }
    return Arrays.stream(x).boxed().toList();
  }

  /** Returns the fields of a matrix. */
  static List<Integer> ints(Value matrix) {
    return Arrays.stream(Opaques.parts(matrix)).map(p -> ((Scalar) p).asInt()).toList();
  }

  /** Returns the fields of a total. */
  static List<Long> longs(Value total) {
    return Arrays.stream(Opaques.parts(total)).map(p -> ((Scalar) p).asLong()).toList();
  }
}
