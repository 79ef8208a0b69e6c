package futharkc.benchmarks;

/**
 * A generator of programs of any size that resemble hand-written ones: chains of array operations
 * that share results.
 */
final class SyntheticProgram {
  private SyntheticProgram() {}

  /**
   * Returns a program whose entry point is a chain of bindings. The bindings are maps, in-place
   * updates, scatters, reductions and scans; each reads one or two earlier ones.
   *
   * @param statements the number of bindings
   */
  static String ofStatements(int statements) {
    StringBuilder text =
        new StringBuilder("def main [n] (x0: [n]i64) (k: i64) : ([n]i64, i64) =\n");
    text.append("  let s0 = k\n");
    int array = 0;
    int scalar = 0;
    for (int i = 0; i < statements; i++) {
      int before = Math.max(0, array - 3);
      String line =
          switch (i % 8) {
            case 0 -> "map (\\x -> x * s%d + %d) x%d".formatted(scalar, i, array);
            case 1, 6 -> "map2 (\\x y -> x + y * %d) x%d x%d".formatted(i, array, before);
            case 2 -> "i64.sum x%d".formatted(array);
            case 3 -> "map (\\x -> if x > s%d then x - %d else x) x%d".formatted(scalar, i, array);
            case 4 -> "scan (+) 0 x%d".formatted(array);
            case 5 -> "scatter (copy x%d) (map (%% n) x%d) x%d".formatted(before, before, array);
            default -> "x%d[0] + s%d".formatted(array, scalar);
          };
      boolean isScalar = i % 8 == 2 || i % 8 == 7;
      String name = isScalar ? "s" + ++scalar : "x" + ++array;
      text.append("  let ").append(name).append(" = ").append(line).append('\n');
    }
    return text.append("  in (x%d, s%d)%n".formatted(array, scalar)).toString();
  }
}
