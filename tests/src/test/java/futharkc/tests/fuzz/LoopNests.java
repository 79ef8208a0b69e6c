package futharkc.tests.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A generator of random programs with the parameters of {@link
 * futharkc.tests.kit.source.RandomProgram}, whose results are arrays from nests of simple loops.
 * Passes on loops apply to such programs.
 */
final class LoopNests {
  /**
   * The number of kinds of results, the first kind that is for threads of a GPU, and the first kind
   * like a matrix product.
   */
  private static final int KINDS = 47, FIRST_OF_GPU = 30, FIRST_OF_PRODUCTS = 42;

  private final Random random;
  private final boolean isForGpu;

  private LoopNests(Random random, boolean isForGpu) {
    this.random = random;
    this.isForGpu = isForGpu;
  }

  /**
   * Returns the source of a program.
   *
   * @param isForGpu true to prefer the kinds that are for threads of a GPU
   */
  static String of(long seed, boolean isForGpu) {
    LoopNests g = new LoopNests(new Random(seed * 0x9E3779B97F4A7C15L + 11), isForGpu);
    List<String> results = new ArrayList<>();
    for (int i = Math.max(1, g.random.nextInt(4)); i > 0; i--) {
      results.add(g.result());
    }
    return "def main (n: i64) (m: i64) (x: i64) (y: f64) (p: [n]bool) (f: [m]f64) (c: [n]i32) (u:"
        + " [n]u8) (h: [m]f32) (d: *[m]i64) (e: *[n][m]i64) (_: [n]i8) (_: [m]u64) (_: *[n]u32)"
        + " (_: i16) (a: [n]i64) (b: *[n]i64) =\n"
        + "  let z = f32.f64 y\n"
        + "  let s = map f64.i64 a\n"
        + "  let us = map u32.i64 a\n"
        + "  let ts = map u16.i64 a\n"
        + "  in ("
        + String.join(",\n    ", results)
        + ")\n";
  }

  private String result() {
    String k = "k" + random.nextInt(1000);
    int kind =
        isForGpu && random.nextBoolean()
            ? FIRST_OF_GPU + random.nextInt(KINDS - FIRST_OF_GPU)
            : random.nextInt(4) == 0
                ? FIRST_OF_PRODUCTS + random.nextInt(KINDS - FIRST_OF_PRODUCTS)
                : random.nextInt(FIRST_OF_GPU);
    return switch (kind) {
      case 0, 1, 10, 11 ->
          "map (\\u -> loop w = "
              + real(1, "u")
              + " for v in f do "
              + carried("w", "u", "v")
              + ") s";
      case 2, 3, 13 ->
          "map (\\u -> let r = (loop (w, k) = ("
              + real(2, "u")
              + ", 0i32) while k < "
              + (1 + random.nextInt(6))
              + " && w < 50 do ("
              + real(1, "w", "u", "y")
              + ", k + 1)) in "
              + real(3, "(r.0)", "u", "(f64.i32 r.1)")
              + ") s";
      case 4 ->
          "(let t = length (filter (!= "
              + random.nextInt(99)
              + ") a) in map2 (\\u v -> u * t + v) (tabulate t (\\i -> i * t + x) :> [n]i64) a)";
      case 14, 15 -> "map (\\r -> loop w = x for v in r do w * 3 + " + integer(1, "v", "x") + ") e";
      case 16, 24, 25 ->
          "map2 (\\u q -> loop w = u for i < m do if "
              + List.of("q || i > 1", "i > 1 && !q", "(i > 1) != q || q").get(random.nextInt(3))
              + " then w * 3 + d[i] else w - i) a p";
      case 12 -> "map (\\u -> loop w = 0 for v in d do w + " + integer(2, "u", "v") + ") a";
      case 5 -> "reduce (+) 0 (map2 (\\u v -> " + integer(2, "u", "v") + ") a (map i64.i32 c))";
      case 6 -> "map (\\u -> loop w = u for v in f do (w * 3 + u32.f64 (f64.abs v)) % 65537) us";
      case 7 ->
          "map (\\u -> loop w = u for v < m do (w * 31 + u) ^ (w << 1) ^ "
              + random.nextInt(9)
              + ") ts";
      case 8 ->
          "tabulate_2d n m (\\i j -> loop w = a[i] for "
              + k
              + " < i do w + a[i] * d[j] + "
              + k
              + ")";
      case 9, 18, 19 ->
          "map (\\u -> loop w = u for v in d do " + divided("(w + v)", "(1 + (u & 7))") + ") a";
      case 17, 20, 21, 22, 23 ->
          "map (\\u -> loop w = u for v in f do w + u * f64.exp (v * " + real(2, "v", "y") + ")) s";
      // For threads of a GPU.
      case 30, 31 ->
          "map (\\u -> loop w = u for v in d[0:2] do w + a[v % i64.max 1 n] * "
              + random.nextInt(9)
              + ") a";
      case 32, 33 ->
          "map (\\u -> let w = " + real(2, "u", "y") + " in f64.sin w - 2 * f64.cos w) f";
      case 34, 35 -> "map (\\u -> (replicate 3 u with [u & 1] = " + integer(1, "u", "x") + ")) a";
      case 36, 37 -> "map (\\v -> v * 3 + " + random.nextInt(9) + ") u";
      case 38, 39 -> "map (\\r -> loop w = x for v in r do w * 5 + " + integer(2, "v", "w") + ") e";
      case 40, 41 ->
          "map (\\u -> loop w = u for k < 3 do let t = "
              + real(1, "w", "u")
              + " + f64.i64 k in w * f64.cos t - f64.sin t) s";
      // The size differs from the others, so that the operation has its own loops.
      case 26, 27 -> "map (\\u -> let w = " + real(2, "u", "y") + " in " + chosen() + ") f";
      case 42, 43, 44, 45, 46 -> {
        String values = "(map2 (\\v w -> " + integer(2, "v", "w", "x") + ") r q)";
        yield "map (\\r -> map (\\q -> "
            + switch (random.nextInt(3)) {
              case 0 -> "reduce (+) 0 " + values;
              case 1 -> "reduce i64.max (-9) " + values;
              default -> "loop w = x for v in " + values + " do w * 3 ^ v";
            }
            + ") "
            + List.of("e", "(reverse e)", "(map (map (+ 1)) e)").get(random.nextInt(3))
            + ") e";
      }
      case 29 ->
          "map (\\u -> let v = "
              + real(1, "u").replace("f64", "f32")
              + " in loop w = u for t in h do "
              + List.of(
                      "w + f32.cos (t * v)", "f32.sin (v + t) * w", "w - f32.sin (f32.cos (w * t))")
                  .get(random.nextInt(3))
              + ") (map f32.f64 s)";
      case 28 ->
          ("map (\\u -> let w = " + real(2, "u", "z") + " in " + chosen() + ") h")
              .replace("f64", "f32");
      default ->
          "loop w = 0 for i < n + m do w + (if i >= m then a[i - m] else d[i]) + a[i % i64.max 1"
              + " n]";
    };
  }

  /** Returns a choice among some values by comparisons. */
  private String chosen() {
    String low = "(" + (random.nextInt(5) - 2) + "f64)";
    String high = random.nextInt(9) + ".25f64";
    return switch (random.nextInt(6)) {
      case 0 -> "if w < " + low + " then " + low + " else if " + high + " < w then u * u else w";
      case 1 -> "f64.max " + low + " (f64.min w " + high + ")";
      case 2 -> "f64.min (f64.max w " + low + ") u";
      case 3 -> "let (a, b) = if w <= u && !(u < w) then (w * 2, u) else (u, w + 1) in a - b * b";
      case 4 -> "let (a, k) = if w < u then (w, n) else (u, m - 1) in a * f64.i64 k";
      default -> "if f64.isnan w || w > " + high + " then 0 / u else if w == -0.0 then w else u";
    };
  }

  /** Returns a number's quotient and remainders; one remainder may be conditional. */
  private String divided(String number, String by) {
    boolean truncated = random.nextBoolean();
    String quotient = "w / " + (truncated ? "/ " : "") + "t";
    String remainder = "w %" + (truncated && random.nextInt(4) > 0 ? "% t" : " t");
    String bound =
        "let w = " + number + " let t = " + by + " let q = " + quotient.replace("/ /", "//");
    return "("
        + bound
        + " in "
        + switch (random.nextInt(3)) {
          case 0 -> "q * 31 + " + remainder;
          case 1 -> "if q > " + random.nextInt(9) + " then q else " + remainder;
          default -> "(loop z = q for j < 2 do z * j + " + remainder + ")";
        }
        + ")";
  }

  /** Returns the next value of a loop-carried number. */
  private String carried(String w, String... vars) {
    String by = real(1, vars);
    String square = vars[1] + " * " + vars[1];
    return switch (random.nextInt(6)) {
      case 0, 1 -> w + " + f64.sqrt (" + vars[0] + " * " + vars[0] + " + " + square + ")";
      case 2, 3 -> w + " * 0.5 + " + vars[0] + " / (" + square + " + 1.5)";
      case 4 ->
          w + " + (if " + vars[0] + " < " + vars[1] + " then " + vars[0] + " else " + by + ")";
      default -> w + " - " + by;
    };
  }

  private String real(int depth, String... vars) {
    if (depth == 0 || random.nextInt(5) == 0) {
      return random.nextInt(4) == 0
          ? random.nextInt(9) + ".5f64"
          : vars[random.nextInt(vars.length)];
    }
    String a = real(depth - 1, vars);
    String b = real(depth - 1, vars);
    return switch (random.nextInt(5)) {
      case 0 -> "(" + a + " + " + b + ")";
      case 1 -> "(" + a + " - " + b + ")";
      case 2 -> "(" + a + " * " + b + ")";
      case 3 -> "(" + a + " / (1 + f64.abs (" + b + ")))";
      default -> "(f64.sqrt (f64.abs " + a + "))";
    };
  }

  private String integer(int depth, String... vars) {
    if (depth == 0 || random.nextInt(5) == 0) {
      return random.nextInt(4) == 0
          ? String.valueOf(random.nextInt(9))
          : vars[random.nextInt(vars.length)];
    }
    String op = List.of("+", "-", "*", "&", "^").get(random.nextInt(5));
    return "(" + integer(depth - 1, vars) + " " + op + " " + integer(depth - 1, vars) + ")";
  }
}
