package futharkc.tests.kit.source;

import futharkc.tests.kit.source.SourceType.Prim;
import java.util.Random;

/**
 * Operators of reductions with loops that carry arrays and with branches that make fresh arrays.
 * The loops change nothing of the operator's result, which the compiler cannot know.
 */
final class LoopingOperators {
  /** A number that no element of the arrays has. */
  private static final String NEVER = "8131985321975314159i64";

  private final Random random;
  private final String x;
  private final String y;

  private LoopingOperators(Random random, Prim t) {
    this.random = random;
    this.x = t == Prim.I64 ? "x" : "(i64." + t.text() + " x)";
    this.y = t == Prim.I64 ? "y" : "(i64." + t.text() + " y)";
  }

  /**
   * Returns an operator with the results of another.
   *
   * @param operator an operator of numbers, an atom
   * @param t the type of the numbers
   */
  static String like(String operator, Prim t, Random random) {
    LoopingOperators made = new LoopingOperators(random, t);
    String plain = operator + " x y";
    boolean fixed = random.nextInt(3) > 0;
    String loop = fixed ? made.fixed() : made.growing();
    String never =
        fixed
            ? "t[" + random.nextInt(3) + "] == " + NEVER
            : made.one("length t > 1000", "length t < 0", "i64.sum t == " + NEVER);
    return "(\\x y -> let t = " + loop + " in if " + never + " then x else " + plain + ")";
  }

  private String one(String... of) {
    return of[random.nextInt(of.length)];
  }

  private String number() {
    return one(x, y, "k", "1", x);
  }

  private String start() {
    return one(
        "[1, 2, 3]",
        "replicate 3 " + x,
        "[" + y + ", 1, " + x + "]",
        "map (\\l -> l + " + y + ") (iota 3)");
  }

  private String condition() {
    return one(
        "a[0] == " + x,
        x + " < " + y,
        "k % 2 == 0",
        "a[k % 3] > " + number(),
        "i64.sum a % 2 == 0");
  }

  /** Makes a loop that carries three elements. */
  private String fixed() {
    int trips = 1 + random.nextInt(3);
    String head = "loop a: [3]i64 = " + start();
    String bound = one("" + trips, "(" + x + " % " + (trips + 1) + ")");
    if (random.nextInt(4) > 0) {
      return head + " for k < " + bound + " do " + step(2);
    }
    return "(loop (a: [3]i64, k) = ("
        + start()
        + ", 0) while k < "
        + trips
        + " && "
        + condition()
        + " do ("
        + step(2)
        + ", k + 1)).0";
  }

  /** Makes an array of three elements from {@code a}. */
  private String step(int depth) {
    if (depth > 0 && random.nextInt(3) > 0) {
      return "(if " + condition() + " then " + step(depth - 1) + " else " + step(depth - 1) + ")";
    }
    return "("
        + one(
            "[" + number() + ", 0, 0]",
            "replicate 3 " + number(),
            "map (+ " + number() + ") a",
            "copy a with [k % 3] = " + number(),
            "rotate 1 a",
            "reverse a",
            "scan (+) 0 a",
            "a",
            "map2 (-) a (map (+ " + number() + ") (reverse a))",
            "loop b = copy a for l < 3 do b with [l] = b[(l + k) % 3] + " + number(),
            "loop b = a for l < 2 do if l == k then map (+ 1) b else [l, b[1], " + number() + "]")
        + ")";
  }

  /** Makes a loop that carries an array whose size changes. */
  private String growing() {
    String shorter =
        one("tail a", "init a", "[" + x + "] ++ a[2:]", "a[:length a - 1]", "map (+ 1) (tail a)");
    String stop = one("[]", "take 1 a", "[" + number().replace("k", "2") + "]");
    String condition = one("a[0] == " + x, x + " < " + y, "a[1] > 0");
    String whole = one(start(), "iota (" + x + " % 5)", "[1, 2] ++ [" + y + ", 4]");
    if (random.nextInt(4) == 0) {
      return "loop a: []i64 = "
          + whole
          + " for k < 3 do if "
          + condition.replace("a[1] > 0", "k == 1").replace("a[0]", "length a")
          + " then a ++ ["
          + number()
          + "] else "
          + one("a", "take (length a / 2) a", "filter (> " + number() + ") a");
    }
    return "loop a: []i64 = "
        + whole
        + " while length a > 1 do if "
        + condition
        + " then "
        + stop
        + " else "
        + shorter;
  }
}
