package futharkc.tests.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Random programs of which the host of a device does much: single elements of arrays are read, used
 * as conditions, indices, sizes and operands, and written again, in branches and loops.
 */
final class HostPrograms {
  private static final List<String> OPERATORS =
      List.of("%s + %s", "%s - %s", "%s * %s", "i64.min %s %s", "i64.max %s %s", "%s ^ %s");

  private static final List<String> FOLDS = List.of("sum", "maximum", "product");

  private final Random random;
  private final StringBuilder out = new StringBuilder();
  private int names;

  /** The variables in scope of a statement. */
  private record Env(List<String> scalars, List<String> bools, List<String> arrays) {
    Env copy() {
      return new Env(new ArrayList<>(scalars), new ArrayList<>(bools), new ArrayList<>(arrays));
    }
  }

  private HostPrograms(Random random) {
    this.random = random;
  }

  /** The program of a seed; its entry point {@code main} takes two arrays of 8 and a scalar. */
  static String of(long seed, int size) {
    HostPrograms g = new HostPrograms(new Random(seed));
    g.program(size);
    return g.out.toString();
  }

  private int below(int n) {
    return random.nextInt(n);
  }

  private <T> T any(List<T> xs) {
    return xs.get(below(xs.size()));
  }

  private String fresh(String base) {
    return base + names++;
  }

  private void program(int size) {
    out.append("def table = opaque [3i64, 1, 4, 1, 5, 9, 2, 6]\n");
    out.append("def start = table[2] + table[5]\n");
    out.append("#[noinline] def onhost (x: i64) : i64 = (opaque [x, x + 1])[x & 1]\n");
    out.append("#[noinline] def anywhere (x: i64) (y: i64) : i64 = x * 3 - y\n");
    out.append("entry main (xs: [8]i64) (ys: [8]i64) (k: i64) : (i64, i64, [8]i64) =\n");
    Env env =
        new Env(
            new ArrayList<>(List.of("k", "start", "2")),
            new ArrayList<>(List.of("k > 3")),
            new ArrayList<>(List.of("xs", "ys", "table")));
    stms(size, "  ", env, 3);
    out.append("  in (%s, %s, map (+ 1) %s)\n".formatted(last(env), scalar(env), lastArray(env)));
  }

  private static String last(Env env) {
    return env.scalars.getLast();
  }

  private static String lastArray(Env env) {
    return env.arrays.getLast();
  }

  /** An operand, more often one of those bound last. */
  private String scalar(Env env) {
    int n = env.scalars.size();
    return env.scalars.get(Math.max(below(n), below(n)));
  }

  private String array(Env env) {
    int n = env.arrays.size();
    return env.arrays.get(Math.max(below(n), below(n)));
  }

  private String bool(Env env) {
    return below(3) > 0
        ? scalar(env) + any(List.of(" < ", " == ", " > ")) + scalar(env)
        : any(env.bools);
  }

  private String index(Env env) {
    return switch (below(8)) {
      case 0, 1, 2 -> String.valueOf(below(8));
      case 3 -> "(" + scalar(env) + " & 15)";
      default -> "(" + scalar(env) + " & 7)";
    };
  }

  private String combined(Env env) {
    return any(OPERATORS).formatted("(" + scalar(env) + ")", "(" + scalar(env) + ")");
  }

  private void stms(int count, String indent, Env env, int depth) {
    for (int i = 0; i < count; i++) {
      stm(indent, env, depth);
    }
  }

  private void let(String indent, String name, String value) {
    out.append(indent).append("let ").append(name).append(" = ").append(value).append("\n");
  }

  private void scalar(String indent, Env env, String value) {
    String n = fresh("s");
    let(indent, n, value);
    env.scalars.add(n);
  }

  private void array(String indent, Env env, String value) {
    String n = fresh("a");
    let(indent, n, value);
    env.arrays.add(n);
  }

  private void stm(String indent, Env env, int depth) {
    switch (below(depth > 0 ? 27 : 17)) {
      case 0, 1, 2, 3 -> scalar(indent, env, array(env) + "[" + index(env) + "]");
      case 4, 5, 6 -> scalar(indent, env, combined(env));
      case 7 -> {
        String n = fresh("b");
        let(indent, n, bool(env));
        env.bools.add(n);
      }
      case 8, 9 ->
          scalar(indent, env, "reduce (+) 0 (map (* (%s)) %s)".formatted(scalar(env), array(env)));
      case 10 ->
          array(
              indent,
              env,
              "map (\\x -> x %s (%s)) %s"
                  .formatted(any(List.of("+", "*", "^")), scalar(env), array(env)));
      case 11 ->
          array(
              indent, env, "copy %s with [%s] = %s".formatted(array(env), index(env), scalar(env)));
      case 12 -> array(indent, env, "replicate 8 (%s)".formatted(scalar(env)));
      case 13 ->
          scalar(
              indent,
              env,
              below(2) == 0
                  ? "onhost (%s)".formatted(scalar(env))
                  : "anywhere (%s) (%s)".formatted(scalar(env), scalar(env)));
      case 14 ->
          scalar(
              indent,
              env,
              below(3) == 0
                  ? "assert (%s) (%s)".formatted(bool(env), scalar(env))
                  : "(%s) / ((%s) %% 4 + %d)".formatted(scalar(env), scalar(env), 3 + below(3)));
      case 15 ->
          scalar(indent, env, "reduce (+) 0 %s[0:(%s) & 7]".formatted(array(env), scalar(env)));
      case 16 ->
          array(
              indent,
              env,
              below(2) == 0
                  ? "[%s, %s, 3, %s, %s, 1, 2, %s]"
                      .formatted(scalar(env), scalar(env), scalar(env), scalar(env), scalar(env))
                  : "hist (+) 0 8 (map (& 7) %s) (map (* (%s)) %s)"
                      .formatted(array(env), scalar(env), array(env)));
      case 17, 18, 19 -> branch(indent, env, depth - 1);
      case 20 -> counted(indent, env, depth - 1);
      case 24, 25 -> inPlace(indent, env);
      case 21, 22, 23 -> repeated(indent, env, depth - 1);
      default -> loop(indent, env, depth - 1);
    }
  }

  private String pair(Env env, boolean withArray) {
    String s = below(5) == 0 ? String.valueOf(below(9)) : scalar(env);
    return withArray ? "(%s, %s)".formatted(s, array(env)) : "(%s, %s)".formatted(s, scalar(env));
  }

  private void bind(Env env, String a, String b, boolean withArray) {
    env.scalars.add(a);
    (withArray ? env.arrays : env.scalars).add(b);
  }

  private void branch(String indent, Env env, int depth) {
    boolean withArray = below(3) == 0;
    String a = fresh("s");
    String b = fresh(withArray ? "a" : "s");
    out.append("%slet (%s, %s) =\n".formatted(indent, a, b));
    out.append("%s  if %s then\n".formatted(indent, bool(env)));
    block(indent + "    ", env.copy(), depth, withArray, 2);
    out.append(indent).append("  else\n");
    block(indent + "    ", env.copy(), depth, withArray, 2);
    bind(env, a, b, withArray);
  }

  private void block(String indent, Env env, int depth, boolean withArray, int most) {
    int count = below(most + 1);
    stms(count, indent, env, depth);
    out.append(indent).append(count > 0 ? "in " : "").append(pair(env, withArray)).append("\n");
  }

  private void counted(String indent, Env env, int depth) {
    boolean withArray = below(2) == 0;
    String a = fresh("s");
    String b = fresh(withArray ? "a" : "s");
    String p = fresh("p");
    String q = fresh(withArray ? "a" : "p");
    String i = fresh("j");
    String first = withArray ? "copy " + array(env) : scalar(env);
    out.append(
        "%slet (%s, %s) = loop (%s, %s) = (%s, %s) for %s < (%s) & 3 do\n"
            .formatted(
                indent,
                a,
                b,
                p,
                q + (withArray ? ": [8]i64" : ""),
                scalar(env),
                first,
                i,
                scalar(env)));
    Env inside = env.copy();
    bind(inside, p, q, withArray);
    inside.scalars.add(i);
    int count = 1 + below(3);
    stms(count, indent + "  ", inside, depth);
    out.append(
        "%s  in (%s, %s)\n"
            .formatted(
                indent, scalar(inside), withArray ? "copy " + array(inside) : scalar(inside)));
    bind(env, a, b, withArray);
  }

  private void loop(String indent, Env env, int depth) {
    String a = fresh("s");
    String n = fresh("s");
    String p = fresh("p");
    String i = fresh("j");
    String limit = below(2) == 0 ? "&& %s != %d".formatted(p, below(9)) : "";
    String first = below(2) == 0 ? "0" : "(%s) & 3".formatted(scalar(env));
    out.append(
        "%slet (%s, %s) = loop (%s, %s) = (%s, %s) while %s < 4 %s do\n"
            .formatted(indent, a, n, p, i, scalar(env), first, i, limit));
    Env inside = env.copy();
    inside.scalars.add(i);
    inside.scalars.add(p);
    stms(1 + below(3), indent + "  ", inside, depth);
    out.append("%s  in (%s, %s + 1)\n".formatted(indent, scalar(inside), i));
    env.scalars.add(a);
    env.scalars.add(n);
  }

  /** A loop until a reduction of an array, which only the device has, meets a condition. */
  private void repeated(String indent, Env env, int depth) {
    String a = fresh("s");
    String b = fresh("a");
    String n = fresh("s");
    String p = fresh("p");
    String q = fresh("a");
    String i = fresh("j");
    out.append(
        "%slet (%s, %s, %s) = loop (%s, %s: [8]i64, %s) = (%s, copy %s, 0) while %s < 5 && %s do\n"
            .formatted(
                indent,
                a,
                b,
                n,
                p,
                q,
                i,
                scalar(env),
                array(env),
                i,
                "%s %% %d != %d".formatted(p, 2 + below(4), below(2))));
    Env inside = env.copy();
    inside.scalars.add(i);
    inside.arrays.add(q);
    if (below(4) == 0) {
      inside.scalars.add(p);
    }
    stms(below(3), indent + "  ", inside, depth);
    String next = fresh("a");
    let(
        indent + "  ",
        next,
        "map (\\x -> (x * %d + %s) %% 50) %s".formatted(1 + below(5), scalar(inside), q));
    String sum = below(4) == 0 ? scalar(inside) : "i64.%s %s".formatted(any(FOLDS), next);
    out.append("%s  in (%s, %s, %s + 1)\n".formatted(indent, sum, next, i));
    env.scalars.add(a);
    env.scalars.add(n);
    env.arrays.add(b);
  }

  /** A loop that updates elements of an array in place. */
  private void inPlace(String indent, Env env) {
    String a = fresh("a");
    String q = fresh("a");
    String i = fresh("j");
    out.append(
        "%slet %s = loop %s: *[8]i64 = copy %s for %s < (%s) & 7 do\n"
            .formatted(indent, a, q, array(env), i, scalar(env)));
    Env inside = env.copy();
    inside.scalars.add(i);
    for (int k = below(3); k >= 0; k--) {
      scalar(indent + "  ", inside, q + "[" + index(inside) + "]");
      scalar(indent + "  ", inside, combined(inside));
    }
    String first = fresh("a");
    if (below(2) == 0) {
      let(indent + "  ", first, "%s with [%s] = %s".formatted(q, index(inside), scalar(inside)));
    } else {
      first = q;
    }
    out.append(
        "%s  in %s with [%s] = %s\n".formatted(indent, first, index(inside), scalar(inside)));
    env.arrays.add(a);
  }
}
