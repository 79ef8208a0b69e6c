package futharkc.tests.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A generator of random programs with the parameters of {@link
 * futharkc.tests.kit.source.RandomProgram}: maps whose iterations have loops, conditions that
 * depend on the iteration, and numbers of 32 or 64 bits.
 */
final class OuterLoops {
  private final Random random;

  /** The type of the numbers, such as {@code f32}, and a type of integers of the same size. */
  private final String type;

  private final String integer;

  /** Names in scope that have the type, and integers. */
  private final List<String> numbers = new ArrayList<>();

  private final List<String> integers = new ArrayList<>();
  private int fresh;

  private OuterLoops(Random random) {
    this.random = random;
    this.type = List.of("f32", "f64", "i32", "i64").get(random.nextInt(4));
    this.integer = type.endsWith("32") ? "i32" : "i64";
  }

  /** Returns the source of a program. */
  static String of(long seed) {
    Random random = new Random(seed * 0x9E3779B97F4A7C15L + 23);
    List<String> results = new ArrayList<>();
    for (int i = 1 + random.nextInt(2); i > 0; i--) {
      results.add(new OuterLoops(random).result());
    }
    return "def main (n: i64) (m: i64) (x: i64) (y: f64) (p: [n]bool) (f: [m]f64) (c: [n]i32) (_:"
        + " [n]u8) (h: [m]f32) (d: *[m]i64) (_: *[n][m]i64) (_: [n]i8) (_: [m]u64) (_: *[n]u32)"
        + " (_: i16) (a: [n]i64) (_: *[n]i64) =\n  ("
        + String.join(",\n    ", results)
        + ")\n";
  }

  private String result() {
    numbers.addAll(List.of("u", "(" + type + ".i64 x)"));
    integers.addAll(List.of("k", "(" + integer + ".i64 x)"));
    String inner = "(map " + type + ".i64 d)";
    String body =
        "let u = "
            + type
            + ".i32 c[i] let k = "
            + integer
            + ".i32 c[i] + "
            + integer
            + ".i64 i in "
            + loop(2, inner);
    return "tabulate n (\\i -> " + body + ")";
  }

  /** Returns an expression of the type with a loop. */
  private String loop(int depth, String inner) {
    String w = "w" + fresh++;
    String j = "j" + fresh++;
    String initial = number(2);
    String result;
    switch (random.nextInt(4)) {
      case 0 -> {
        numbers.add(w);
        numbers.add(j);
        String next = number(3);
        numbers.remove(j);
        numbers.remove(w);
        result =
            "(loop " + w + " = " + initial + " for " + j + " in " + inner + " do " + next + ")";
      }
      case 1 -> {
        numbers.add(w);
        integers.add(j);
        String next = depth > 0 && random.nextBoolean() ? loop(depth - 1, inner) : number(3);
        integers.remove(j);
        numbers.remove(w);
        result =
            "(loop "
                + w
                + " = "
                + initial
                + " for "
                + j
                + " < "
                + (1 + random.nextInt(4))
                + "i32"
                + " do let "
                + j
                + " = "
                + integer
                + ".i32 "
                + j
                + " in "
                + next
                + ")";
      }
      default -> {
        numbers.add(w);
        integers.add(j);
        String cond = condition(1);
        String next = depth > 0 && random.nextInt(3) == 0 ? loop(depth - 1, inner) : number(3);
        integers.remove(j);
        numbers.remove(w);
        result =
            "(loop ("
                + w
                + ", "
                + j
                + ") = ("
                + initial
                + ", "
                + integer(1)
                + " & 3) while "
                + j
                + " < "
                + (2 + random.nextInt(5))
                + " && "
                + cond
                + " do ("
                + next
                + ", "
                + j
                + " + 1)).0";
      }
    }
    if (random.nextInt(3) == 0) {
      return "(if " + condition(1) + " then " + result + " else " + number(1) + ")";
    }
    return random.nextBoolean() ? result : "(let v = " + result + " in v + " + number(1) + ")";
  }

  private String number(int depth) {
    if (depth == 0 || random.nextInt(6) == 0) {
      return random.nextInt(4) == 0
          ? random.nextInt(9) + type
          : numbers.get(random.nextInt(numbers.size()));
    }
    String a = number(depth - 1);
    if (random.nextInt(5) == 0) {
      return "(if " + condition(1) + " then " + a + " else " + number(depth - 1) + ")";
    }
    if (random.nextInt(6) == 0) {
      String from = type.equals("f64") ? "i64" : integer;
      String k = type.equals("f64") ? "i32.i64 " + integer(depth - 1) : integer(depth - 1);
      return "(" + type + (type.equals("f64") ? ".i32 (" : "." + from + " (") + k + "))";
    }
    String b = number(depth - 1);
    if (type.equals("f32") && random.nextInt(8) == 0) {
      return "(f32." + (random.nextBoolean() ? "sin " : "cos ") + a + ")";
    }
    if (type.startsWith("f")) {
      return switch (random.nextInt(9)) {
        case 0, 1 -> "(" + a + " + " + b + ")";
        case 2, 3 -> "(" + a + " - " + b + ")";
        case 4 -> "(" + a + " * " + b + ")";
        case 5 -> "(" + a + " / " + b + ")";
        case 6 -> "(" + type + ".sqrt " + a + ")";
        case 7 -> "(" + type + (random.nextBoolean() ? ".min " : ".max ") + a + " " + b + ")";
        default -> "(" + type + ".abs " + a + ")";
      };
    }
    return switch (random.nextInt(9)) {
      case 0 -> "(" + a + " + " + b + ")";
      case 1 -> "(" + a + " - " + b + ")";
      case 2 -> "(" + a + " * " + b + ")";
      case 3 -> "(" + a + " & " + b + ")";
      case 4 -> "(" + a + " ^ " + b + ")";
      case 5 -> "(" + a + (random.nextBoolean() ? " >> " : " << ") + random.nextInt(9) + ")";
      case 6 -> "(" + a + (random.nextBoolean() ? " / " : " % ") + (1 << random.nextInt(5)) + ")";
      case 7 -> "(" + type + (random.nextBoolean() ? ".min " : ".max ") + a + " " + b + ")";
      default -> "(" + a + " | " + b + ")";
    };
  }

  private String integer(int depth) {
    if (depth == 0 || random.nextInt(4) == 0) {
      return random.nextInt(4) == 0
          ? random.nextInt(9) + integer
          : integers.get(random.nextInt(integers.size()));
    }
    if (type.equals("f32") && random.nextInt(6) == 0) {
      return "(i32.f32 " + number(depth - 1) + ")";
    }
    String op = List.of("+", "-", "*", "&", "^").get(random.nextInt(5));
    return "(" + integer(depth - 1) + " " + op + " " + integer(depth - 1) + ")";
  }

  private String condition(int depth) {
    String op = List.of("<", "<=", "==", ">").get(random.nextInt(4));
    String compared =
        switch (random.nextInt(4)) {
          case 0 -> "(" + integer(1) + " " + op + " " + integer(1) + ")";
          case 1 -> "(p[i] || " + integer(1) + " > 2)";
          default -> "(" + number(1) + " " + op + " " + number(1) + ")";
        };
    if (depth > 0 && random.nextInt(3) == 0) {
      return "(" + compared + (random.nextBoolean() ? " && " : " || ") + condition(0) + ")";
    }
    return random.nextInt(5) == 0 ? "(!" + compared + ")" : compared;
  }
}
