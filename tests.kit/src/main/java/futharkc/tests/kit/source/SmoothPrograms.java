package futharkc.tests.kit.source;

import futharkc.tests.kit.source.SourceType.Array;
import futharkc.tests.kit.source.SourceType.Prim;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A generator of random programs for tests of derivatives. A function {@code f} of a number,
 * vectors and a matrix returns a number and a vector. The entry points are {@code f} and its
 * derivatives:
 *
 * <pre>
 * entry primal   x v w e                  = (r, rs)
 * entry forward  x v w e dx dv dw de      = (r, rs, dr, drs)
 * entry reverse  x v w e dr drs           = (r, rs, dx, dv, dw, de)
 * entry forwards x v w e dxs dvs dws des  = (r, rs, drs, drss), k directions at a time
 * entry reverses x v w e drs drss         = (r, rs, dxs, dvs, dws, des), k adjoints at a time
 * </pre>
 *
 * Some programs also have second derivatives, forward or reverse of forward or reverse:
 *
 * <pre>
 * entry forward_forward x v w e dx dv dw de ex ev ew ee = (fr, frs)
 * entry reverse_forward x v w e dx dv dw de er ers      = (fx, fv, fw, fe)
 * entry forward_reverse x v w e dr drs ex ev ew ee      = (fx, fv, fw, fe)
 * entry reverse_reverse x v w e dr drs ex ev ew ee      = (fx, fv, fw, fe)
 * </pre>
 *
 * Numbers are {@code f64} or {@code i32}. A function of {@code f64} is differentiable almost
 * everywhere and does not grow fast. A function of {@code i32} consists of sums, products and
 * choices. No derivative depends on a size.
 */
public final class SmoothPrograms {
  private final Random random;
  private final Prim number;
  private final List<Tree> functions = new ArrayList<>();
  private int names;

  private SmoothPrograms(Random random, Prim number) {
    this.random = random;
    this.number = number;
  }

  /** Returns the type of the numbers in the program of a seed. */
  public static Prim number(long seed) {
    return seed % 4 == 3 ? Prim.I32 : Prim.F64;
  }

  /** Tests whether the program of a seed has second derivatives. */
  public static boolean isNested(long seed) {
    return seed % 8 == 1 || seed % 8 == 3;
  }

  /**
   * Returns the program of a seed.
   *
   * @param size the approximate number of statements of the function
   */
  public static RandomProgram of(long seed, int size) {
    Random random = new Random(seed * 0x9E3779B97F4A7C15L + 7);
    random.nextInt();
    return new RandomProgram(
        new SmoothPrograms(random, number(seed)).program(size, isNested(seed)));
  }

  /** The variables that an expression may use. */
  private record Names(List<String> scalars, List<Vector> vectors, List<String> matrices) {
    Names() {
      this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }

    Names copy() {
      return new Names(
          new ArrayList<>(scalars), new ArrayList<>(vectors), new ArrayList<>(matrices));
    }

    Names with(String scalar) {
      Names more = copy();
      more.scalars.add(scalar);
      return more;
    }

    Names with(Vector vector) {
      Names more = copy();
      more.vectors.add(vector);
      return more;
    }
  }

  /** A vector variable. */
  private record Vector(String name, String size) {}

  private Tree program(int size, boolean nested) {
    String t = number.text();
    List<Object> parts = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      functions.add(helper(functions.size()));
    }
    for (Tree f : functions) {
      parts.add(f);
    }
    Names names = new Names();
    names.scalars.add("x");
    names.vectors.add(new Vector("v", "n"));
    names.vectors.add(new Vector("w", "m"));
    names.matrices.add("e");
    String params = "(x: T) (v: [n]T) (w: [m]T) (e: [n][m]T)";
    parts.add("def f [n] [m] " + params.replace("T", t) + " : (" + t + ", [n]" + t + ") =\n  ");
    parts.add(body(names, 1 + random.nextInt(size)));
    String entries = nested ? entries() + nestedEntries() : entries();
    parts.add(entries.replace("PARAMS", params).replace("T", t));
    return Tree.piece(parts.toArray());
  }

  private static String entries() {
    return """


    entry primal [n] [m] PARAMS = f x v w e

    entry forward [n] [m] PARAMS (dx: T) (dv: [n]T) (dw: [m]T) (de: [n][m]T) =
      let (r, d) = jvp2 (\\(x, v, w, e) -> f x v w e) (x, v, w, e) (dx, dv, dw, de)
      in (r.0, r.1, d.0, d.1)

    entry reverse [n] [m] PARAMS (dr: T) (drs: [n]T) =
      let (r, (dx, dv, dw, de)) = vjp2 (\\(x, v, w, e) -> f x v w e) (x, v, w, e) (dr, drs)
      in (r.0, r.1, dx, dv, dw, de)

    entry forwards [n] [m] [k] PARAMS (dx: [k]T) (dv: [k][n]T) (dw: [k][m]T) (de: [k][n][m]T) =
      let (r, d) = jmp2 (\\(x, v, w, e) -> f x v w e) (x, v, w, e) (zip4 dx dv dw de)
      let (dr, drs) = unzip d
      in (r.0, r.1, dr, drs)

    entry reverses [n] [m] [k] PARAMS (dr: [k]T) (drs: [k][n]T) =
      let (r, d) = mjp2 (\\(x, v, w, e) -> f x v w e) (x, v, w, e) (zip dr drs)
      let (dx, dv, dw, de) = unzip4 d
      in (r.0, r.1, dx, dv, dw, de)
    """;
  }

  private static String nestedEntries() {
    return """

    entry forward_forward [n] [m] PARAMS (dx: T) (dv: [n]T) (dw: [m]T) (de: [n][m]T) (ex: T) (ev: [n]T) (ew: [m]T) (ee: [n][m]T) =
      jvp (\\(x, v, w, e) -> jvp (\\(x, v, w, e) -> f x v w e) (x, v, w, e) (dx, dv, dw, de)) (x, v, w, e) (ex, ev, ew, ee)

    entry reverse_forward [n] [m] PARAMS (dx: T) (dv: [n]T) (dw: [m]T) (de: [n][m]T) (er: T) (ers: [n]T) =
      vjp (\\(x, v, w, e) -> jvp (\\(x, v, w, e) -> f x v w e) (x, v, w, e) (dx, dv, dw, de)) (x, v, w, e) (er, ers)

    entry forward_reverse [n] [m] PARAMS (dr: T) (drs: [n]T) (ex: T) (ev: [n]T) (ew: [m]T) (ee: [n][m]T) =
      jvp (\\(x, v, w, e) -> vjp (\\(x, v, w, e) -> f x v w e) (x, v, w, e) (dr, drs)) (x, v, w, e) (ex, ev, ew, ee)

    entry reverse_reverse [n] [m] PARAMS (dr: T) (drs: [n]T) (ex: T) (ev: [n]T) (ew: [m]T) (ee: [n][m]T) =
      vjp (\\(x, v, w, e) -> vjp (\\(x, v, w, e) -> f x v w e) (x, v, w, e) (dr, drs)) (x, v, w, e) (ex, ev, ew, ee)
    """;
  }

  private Tree helper(int index) {
    Names names = new Names();
    names.scalars.add("x");
    names.vectors.add(new Vector("v", "n"));
    Tree body = scalar(names, 3);
    return Tree.piece(
        random.nextInt(3) == 0 ? "#[noinline]\n" : "",
        "def g" + index + " [n] (x: T) (v: [n]T) : T =\n  ".replace("T", number.text()),
        body,
        "\n\n");
  }

  private Tree body(Names names, int statements) {
    if (statements == 0) {
      SourceType result = new SourceType.Tuple(List.of(number, new Array(number, "n")));
      return Tree.of(result, scalar(names, 1), ", ", vector(names, "n", 1));
    }
    Names more = names.copy();
    String name = name();
    Tree value;
    switch (random.nextInt(5)) {
      case 0, 1 -> {
        value = scalar(names, 3);
        more.scalars.add(name);
      }
      case 2 -> {
        value = matrix(names, 2);
        more.matrices.add(name);
      }
      default -> {
        String size = random.nextInt(4) == 0 ? "m" : "n";
        value = vector(names, size, 3);
        more.vectors.add(new Vector(name, size));
      }
    }
    return Tree.let(name, value, body(more, statements - 1));
  }

  private String name() {
    return "y" + names++;
  }

  private <T> T one(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  private Tree constant() {
    boolean isInt = number == Prim.I32;
    String text =
        isInt ? (random.nextInt(7) - 3) + "i32" : (random.nextInt(31) - 15) / 10.0 + "f64";
    return Tree.atom(number, "(" + text + ")");
  }

  private Tree scalarOf(Object... parts) {
    return Tree.of(number, parts);
  }

  private Tree scalar(Names names, int depth) {
    if (depth <= 0 || random.nextInt(8) == 0) {
      return random.nextInt(5) == 0 ? constant() : Tree.atom(number, one(names.scalars));
    }
    int d = depth - 1;
    return switch (random.nextInt(20)) {
      case 0, 1, 2, 3 -> operation(scalar(names, d), scalar(names, d));
      case 4, 5 -> function(scalar(names, d));
      case 6 ->
          scalarOf("if ", condition(names), " then ", scalar(names, d), " else ", scalar(names, d));
      case 7, 8 -> element(names);
      case 9, 10, 11 -> reduction(names, d);
      case 12 -> {
        String a = name();
        int trips = random.nextInt(5);
        String attr = random.nextInt(3) == 0 ? "#[stripmine(2)] " : "";
        yield scalarOf(
            attr + "loop " + a + " = ",
            scalar(names, d),
            " for _i < " + trips + "i64 do ",
            tame(scalar(names.with(a), d)));
      }
      case 13 -> {
        String a = name();
        String i = name();
        String attr = random.nextInt(2) == 0 ? "#[bound(5)] " : "";
        yield scalarOf(
            "(" + attr + "loop (" + a + ", " + i + ") = (",
            scalar(names, d),
            ", 0i64) while " + i + " < " + (1 + random.nextInt(4)) + " && " + a + " < ",
            constant(),
            " do (",
            tame(scalar(names.with(a), d)),
            ", " + i + " + 1)).0");
      }
      case 14 -> sum(names, d);
      case 15 -> call(names, d);
      case 16 -> derivative(names, d);
      case 17 -> custom(scalar(names, d));
      case 18 -> {
        Tree a = scalar(names, d);
        Tree b = scalar(names, d);
        String field = random.nextBoolean() ? "a" : "b";
        yield scalarOf("{a = ", a, ", b = ", b, "}." + field);
      }
      default -> {
        String a = name();
        yield Tree.let(a, scalar(names, d), scalar(names.with(a), d));
      }
    };
  }

  private Tree operation(Tree a, Tree b) {
    String t = number.text();
    return switch (random.nextInt(number == Prim.I32 ? 5 : 8)) {
      case 0 -> scalarOf(a, " + ", b);
      case 1 -> scalarOf(a, " - ", b);
      case 2 -> scalarOf(a, " * ", b);
      case 3 -> scalarOf(t + ".max ", a, " ", b);
      case 4 -> scalarOf(t + ".min ", a, " ", b);
      case 5 -> scalarOf(a, " / (1.5 + f64.cos ", b, ")");
      case 6 -> scalarOf("f64.atan2 (2.5 + f64.sin ", a, ") ", b);
      default -> scalarOf("(1.5 + f64.sin ", a, ") ** f64.cos ", b);
    };
  }

  private Tree function(Tree a) {
    if (number == Prim.I32) {
      return random.nextBoolean() ? scalarOf("-", a) : scalarOf("i32.i64 (i64.i32 ", a, ")");
    }
    String name =
        one(List.of("sin", "cos", "tanh", "atan", "abs", "erf", "asinh", "neg", "exp", "sqrt"));
    return switch (name) {
      case "exp" -> scalarOf("f64.exp (f64.sin ", a, ")");
      case "sqrt" -> scalarOf("f64.sqrt (1 + f64.abs ", a, ")");
      default -> scalarOf("f64." + name + " ", a);
    };
  }

  /** Returns a bounded function of an {@code f64} operand, or an {@code i32} operand itself. */
  private Tree tame(Tree a) {
    return number == Prim.I32 ? a : scalarOf(one(List.of("f64.sin ", "f64.tanh ")), a);
  }

  private Tree condition(Names names) {
    return switch (random.nextInt(4)) {
      case 0 ->
          Tree.of(
              Prim.BOOL, one(List.of("length ", "2 * length ")) + vectorName(names) + " % 3 == 0");
      case 1 -> Tree.of(Prim.BOOL, one(names.scalars) + " < ", constant());
      default -> Tree.of(Prim.BOOL, scalar(names, 1), " < ", scalar(names, 1));
    };
  }

  private String vectorName(Names names) {
    return one(names.vectors).name;
  }

  private Tree element(Names names) {
    Vector v = one(names.vectors);
    int k = random.nextInt(5);
    return scalarOf(
        "if length " + v.name + " > 0 then " + v.name + "[" + k + " % length " + v.name + "] else ",
        constant());
  }

  private Tree reduction(Names names, int depth) {
    String size = one(names.vectors).size;
    Tree v = vector(names, size, depth);
    String t = number.text();
    return switch (random.nextInt(7)) {
      case 0, 1 -> scalarOf(t + ".sum ", v);
      case 2 -> scalarOf("reduce (*) 1 (map (\\a -> ", damped("a"), ") ", v, ")");
      case 3 -> {
        // The maximum of an empty array must not overflow in a product.
        String least = number == Prim.I32 ? "i32.lowest" : "(-9)";
        yield scalarOf("reduce " + t + ".max " + least + " (map (" + t + ".max 0) ", v, ")");
      }
      case 4 -> scalarOf("reduce_comm " + t + ".min 2 (map (" + t + ".min 2) ", v, ")");
      case 5 ->
          scalarOf(
              "(reduce (\\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip (map (\\a -> ",
              damped("a"),
              ") ",
              v,
              ") ",
              vector(names, size, depth - 1),
              ")).1");
      default -> {
        if (names.matrices.isEmpty()) {
          yield scalarOf(t + ".sum ", v);
        }
        yield scalarOf(t + ".sum (flatten ", matrix(names, depth), ")");
      }
    };
  }

  /**
   * Returns a bounded factor for {@code f64}, so that products stay small, or an {@code i32}
   * operand itself.
   */
  private String damped(String a) {
    return number == Prim.I32 ? a : "1.2 * f64.sin " + a;
  }

  /** Returns a match on a value of a sum type. */
  private Tree sum(Names names, int depth) {
    String t = number.text();
    String a = name();
    String b = name();
    Names two = names.with(a).with(b);
    return scalarOf(
        "match ((if ",
        condition(names),
        " then #one ",
        scalar(names, depth),
        " else #two ",
        scalar(names, depth),
        " ",
        scalar(names, depth),
        ") : (#one " + t + " | #two " + t + " " + t + ")) case #one " + a + " -> ",
        scalar(names.with(a), depth),
        " case #two " + a + " " + b + " -> ",
        scalar(two, depth));
  }

  private Tree call(Names names, int depth) {
    if (functions.isEmpty()) {
      return scalar(names, depth);
    }
    int index = random.nextInt(functions.size());
    Vector v = one(names.vectors);
    return scalarOf("g" + index + " ", scalar(names, depth), " " + v.name);
  }

  private Tree derivative(Names names, int depth) {
    String u = name();
    Names inside = names.with(u);
    String mode = random.nextBoolean() ? "jvp" : "vjp";
    Tree one = scalar(names, 0);
    return tame(
        scalarOf(
            mode + " (\\" + u + " -> ", scalar(inside, depth), ") ", scalar(names, 0), " ", one));
  }

  /** Returns a call of a function with a custom derivative that equals its true derivative. */
  private Tree custom(Tree a) {
    if (number == Prim.I32) {
      return scalarOf("with_vjp_tape (\\y -> (y, y * y)) (\\(y, d) -> 2 * y * d) ", a);
    }
    return random.nextBoolean()
        ? scalarOf("with_vjp f64.tanh (\\y d -> d * (1 - y * y)) ", a)
        : scalarOf("with_vjp_tape (\\y -> (f64.cos y, f64.sin y)) (\\(c, d) -> c * d) ", a);
  }

  private Tree vector(Names names, String size, int depth) {
    List<Vector> fitting = names.vectors.stream().filter(v -> v.size.equals(size)).toList();
    SourceType type = new Array(number, size);
    if (depth <= 0 || random.nextInt(8) == 0) {
      if (fitting.isEmpty()) {
        return Tree.of(type, "replicate " + size + " ", scalar(names, 0));
      }
      return Tree.atom(type, one(fitting).name);
    }
    int d = depth - 1;
    String a = name();
    String b = name();
    String t = number.text();
    return switch (random.nextInt(16)) {
      case 0, 1, 2 ->
          Tree.of(
              type, "map (\\" + a + " -> ", scalar(names.with(a), d), ") ", vector(names, size, d));
      case 3 ->
          Tree.of(
              type,
              "map2 (\\" + a + " " + b + " -> ",
              scalar(names.with(a).with(b), d),
              ") ",
              vector(names, size, d),
              " ",
              vector(names, size, d));
      case 4, 5 -> scan(names, size, d);
      case 6 -> Tree.of(type, one(List.of("reverse ", "rotate 1 ")), vector(names, size, d));
      case 7 ->
          Tree.of(
              type,
              "let " + a + " = ",
              vector(names, size, d),
              " in if "
                  + size
                  + " > 0 then copy "
                  + a
                  + " with ["
                  + random.nextInt(5)
                  + " % "
                  + size
                  + "] = ",
              scalar(names, d),
              " else copy " + a);
      case 8, 9 -> histogram(names, size, d);
      case 10 ->
          Tree.of(
              type,
              "scatter (copy ",
              vector(names, size, d),
              ") (map (\\i -> if i % 3 == "
                  + random.nextInt(3)
                  + " then -1 else "
                  + size
                  + " - 1 - i) (iota "
                  + size
                  + ")) ",
              vector(names, size, d));
      case 11 -> {
        Names inside = names.with(a).with(b);
        String attr = random.nextInt(4) == 0 ? "#[stripmine(2)] " : "";
        String u = name();
        yield Tree.of(
            type,
            attr + "loop " + u + " = copy ",
            vector(names, size, d),
            " for i < "
                + size
                + " do "
                + u
                + " with [i] = (let "
                + a
                + " = "
                + u
                + "[i] let "
                + b
                + " = "
                + u
                + "[(2 * i + 1) % "
                + size
                + "] in ",
            tame(scalar(inside, d)),
            ")");
      }
      case 12 ->
          Tree.of(
              type,
              "if ",
              condition(names),
              " then ",
              vector(names, size, d),
              " else ",
              vector(names, size, d));
      case 13 ->
          Tree.of(
              type,
              "take " + size + " (concat ",
              vector(names, one(List.of("n", size)), d),
              " ",
              vector(names, size, d),
              ")");
      case 14 -> {
        Tree element = scalar(names.with(a), d);
        yield Tree.of(
            type,
            "tabulate " + size + " (\\i -> let " + a + " = " + t + ".i64 i in ",
            element,
            ")");
      }
      default -> rows(names, size, d);
    };
  }

  private Tree scan(Names names, String size, int depth) {
    SourceType type = new Array(number, size);
    String t = number.text();
    Tree v = vector(names, size, depth);
    return switch (random.nextInt(4)) {
      case 0 -> Tree.of(type, "scan (+) 0 ", v);
      case 1 -> Tree.of(type, "scan (*) 1 (map (\\a -> " + damped("a") + ") ", v, ")");
      case 2 -> Tree.of(type, "scan " + t + ".max (-2) (map (" + t + ".max (-2)) ", v, ")");
      default ->
          Tree.of(
              type,
              "map (.1) (scan (\\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip (map (\\a -> "
                  + damped("a")
                  + ") ",
              v,
              ") ",
              vector(names, size, depth - 1),
              "))");
    };
  }

  private Tree histogram(Names names, String size, int depth) {
    SourceType type = new Array(number, size);
    String t = number.text();
    String indices = "(map (\\i -> (3 * i + 1) % (" + size + " + 2) - 1) (iota " + size + "))";
    Tree into = vector(names, size, depth);
    Tree values = vector(names, size, depth);
    return switch (random.nextInt(5)) {
      case 0, 1 ->
          Tree.of(type, "reduce_by_index (copy ", into, ") (+) 0 " + indices + " ", values);
      case 2 ->
          Tree.of(
              type,
              "reduce_by_index (copy ",
              into,
              ") (*) 1 " + indices + " (map (\\a -> " + damped("a") + ") ",
              values,
              ")");
      case 3 ->
          Tree.of(
              type,
              "reduce_by_index (copy ",
              into,
              ") " + t + ".max " + t + ".lowest " + indices + " ",
              values);
      default ->
          Tree.of(
              type,
              "map (\\(a, b) -> a + b) (reduce_by_index (map (\\a -> (a, a)) ",
              into,
              ") (\\(a, b) (c, d) -> (a + c, "
                  + t
                  + ".min b d)) (0, "
                  + t
                  + ".highest) "
                  + indices
                  + " (map (\\a -> (a, a)) ",
              values,
              "))");
    };
  }

  /** Returns a vector computed from the rows or columns of a matrix. */
  private Tree rows(Names names, String size, int depth) {
    if (names.matrices.isEmpty()) {
      return vector(names, size, depth);
    }
    SourceType type = new Array(number, size);
    String r = name();
    Tree m = matrix(names, depth);
    Names inside = names.with(new Vector(r, size.equals("n") ? "m" : "n"));
    return Tree.of(
        type,
        "map (\\" + r + " -> ",
        scalar(inside, depth + 1),
        size.equals("n") ? ") " : ") (transpose ",
        m,
        size.equals("n") ? "" : ")");
  }

  private Tree matrix(Names names, int depth) {
    SourceType type = new Array(new Array(number, "m"), "n");
    if (names.matrices.isEmpty()) {
      return Tree.of(type, "replicate n (replicate m ", scalar(names, 0), ")");
    }
    if (depth <= 0) {
      return Tree.atom(type, one(names.matrices));
    }
    int d = depth - 1;
    String a = name();
    return switch (random.nextInt(6)) {
      case 0 -> Tree.atom(type, one(names.matrices));
      case 1 ->
          Tree.of(
              type,
              "map (\\" + a + " -> ",
              vector(names.with(new Vector(a, "m")), "m", d),
              ") ",
              matrix(names, d));
      case 2 ->
          Tree.of(
              type,
              "map (\\" + a + " -> ",
              vector(names.with(a), "m", d),
              ") ",
              vector(names, "n", d));
      case 3 -> Tree.of(type, "scan (map2 (+)) (replicate m 0) ", matrix(names, d));
      case 4 ->
          Tree.of(
              type,
              "map2 (map2 (\\a b -> " + damped("a") + " * b)) ",
              matrix(names, d),
              " ",
              matrix(names, d));
      default ->
          Tree.of(
              type,
              "reduce_by_index (copy ",
              matrix(names, d),
              ") (map2 (+)) (replicate m 0) (map (\\i -> (2 * i) % (n + 1)) (iota n)) ",
              matrix(names, d));
    };
  }
}
