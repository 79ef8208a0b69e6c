package futharkc.tests.kit.source;

import futharkc.tests.kit.source.SourceType.Prim;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Random programs with derivatives under maps. The function {@code f} is that of {@link
 * SmoothPrograms}; each entry point {@code d0}, {@code d1}, ... has its parameters and returns an
 * array of derivatives:
 *
 * <pre>
 * entry d0 [n] [m] (x: T) (v: [n]T) (w: [m]T) (e: [n][m]T) = ...
 * </pre>
 *
 * <p>An entry point takes Jacobians, Hessians, gradients, or products of Hessians with vectors, by
 * forward over reverse, reverse over reverse, reverse over forward or forward over forward. It
 * takes them once, or in a map over the elements of {@code v} or over the rows or columns of {@code
 * e}. Square programs have {@code m = n}.
 */
public final class MappedDerivatives {
  /** The number of entry points of a program. */
  public static final int ENTRIES = 3;

  private final Random random;
  private final Prim number;
  private final boolean square;

  private MappedDerivatives(Random random, Prim number, boolean square) {
    this.random = random;
    this.number = number;
    this.square = square;
  }

  /** Returns the type of the numbers of a program. */
  public static Prim number(long seed) {
    return seed % 8 == 3 ? Prim.I32 : Prim.F64;
  }

  /** Returns true if all dimensions of a program are {@code m}. */
  public static boolean isSquare(long seed) {
    return seed % 2 == 0;
  }

  /**
   * Makes a program.
   *
   * @param seed the number of the program
   * @param size about how many statements the function {@code f} has
   */
  public static RandomProgram of(long seed, int size) {
    Random random = new Random(seed * 0x9E3779B97F4A7C15L + 11);
    random.nextInt();
    return new MappedDerivatives(random, number(seed), isSquare(seed)).program(size);
  }

  private RandomProgram program(int size) {
    List<Object> parts = new ArrayList<>(SmoothPrograms.functions(random, number, size));
    parts.add("\n\ndef unit (k: i64) (i: i64) : [k]T = tabulate k (\\j -> T.bool (i == j))\n");
    for (int i = 0; i < ENTRIES; i++) {
      parts.add(
          "\nentry d" + i + (square ? " [m] " : " [n] [m] ") + SmoothPrograms.PARAMS + " =\n  ");
      parts.add(mapped());
      parts.add("\n");
    }
    return new RandomProgram(Tree.piece(parts.stream().map(this::written).toArray()));
  }

  /** Writes the type of numbers for {@code T}, and {@code m} for {@code n} in square programs. */
  private Object written(Object part) {
    if (!(part instanceof String text) || text.startsWith("def f ")) {
      return part;
    }
    String typed = text.replaceAll("\\bT\\b", number.text());
    return square ? typed.replaceAll("\\bn\\b", "m") : typed;
  }

  /** Makes derivatives, perhaps in a map. */
  private String mapped() {
    return switch (random.nextInt(7)) {
      case 0 -> derivatives("v", "n", "f x u w e");
      case 1 -> derivatives("w", "m", "f x v u e");
      case 2, 3 -> "map (\\r -> " + derivatives("r", "m", "f x v u e") + ") e";
      case 4 -> "map (\\c -> " + derivatives("c", "n", "f x u w e") + ") (transpose e)";
      case 5 -> "map (\\y -> " + derivatives("w", "m", "f y v u e") + ") v";
      default -> "map2 (\\y r -> " + derivatives("r", "m", "f y v u e") + ") v e";
    };
  }

  /**
   * Makes derivatives of a function of a vector {@code u}.
   *
   * @param at the point, an atom
   * @param k the size of the point
   * @param call the call of {@code f} with {@code u}
   */
  private String derivatives(String at, String k, String call) {
    String g = random.nextBoolean() ? "(" + call + ").0" : "T.sum (" + call + ").1";
    String h = "(" + call + ").1";
    String forward = "jvp (\\u -> " + g + ") u (unit " + k + " i)";
    String reverse = "vjp (\\u -> " + g + ") u 1";
    String unit = " " + at + " (unit " + k + " i)";
    String units = "(tabulate " + k + " (unit " + k + "))";
    String rows = "tabulate " + k + " (\\i -> ";
    return switch (random.nextInt(13)) {
      case 0, 1 -> rows + "jvp (\\u -> " + reverse + ")" + unit + ")";
      case 2 -> rows + "vjp (\\u -> " + reverse + ")" + unit + ")";
      case 3 -> rows + "vjp (\\u -> " + forward + ") " + at + " 1)";
      case 4 -> {
        String inner = "(\\j -> jvp (\\u -> " + forward + ") " + at + " (unit " + k + " j))";
        yield rows + "tabulate " + k + " " + inner + ")";
      }
      case 5 -> rows + "jvp (\\u -> " + h + ")" + unit + ")";
      case 6 -> "tabulate n (\\i -> vjp (\\u -> " + h + ") " + at + " (unit n i))";
      case 7 -> "vjp (\\u -> " + g + ") " + at + " 1";
      case 8 -> "jvp (\\u -> " + reverse + ") " + at + " " + at;
      case 9 -> "jmp (\\u -> " + reverse + ") " + at + " " + units;
      case 10 -> "mjp (\\u -> " + reverse + ") " + at + " " + units;
      case 11 -> "vjp (\\u -> T.sum (" + rows + forward + "))) " + at + " 1";
      default -> "jvp (\\u -> map (\\z -> z * z) (" + reverse + ")) " + at + " " + at;
    };
  }
}
