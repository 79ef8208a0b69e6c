package futharkc.tests.kit;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A generator of random statements over arrays of one size, for a function's body or the body of a
 * stream.
 */
final class RandomBlock {
  /**
   * An array of integers, or of pairs of integers.
   *
   * @param root the name of the array that owns the elements; another array's name for a view
   */
  record Arr(String name, boolean pairs, String root) {}

  /** A source of random numbers and fresh names. */
  interface Source {
    int below(int n);

    String fresh(String base);
  }

  final String size;
  final List<Arr> arrays = new ArrayList<>();
  final List<String> scalars = new ArrayList<>();

  /** The roots of consumed arrays. */
  final Set<String> dead = new HashSet<>();

  /** The roots of arrays that this block must not consume. */
  final Set<String> fixed = new HashSet<>();

  final StringBuilder code = new StringBuilder();
  private final Source source;

  RandomBlock(String size, Source source) {
    this.size = size;
    this.source = source;
  }

  static String type(boolean pairs, String size) {
    return "[" + size + "]" + (pairs ? "[2i64]i32" : "i32");
  }

  static String braces(List<String> parts) {
    return "{" + String.join(", ", parts) + "}";
  }

  private String fresh(String base) {
    return source.fresh(base);
  }

  private boolean oneIn(int n) {
    return source.below(n) == 0;
  }

  void line(String text) {
    code.append("  ").append(text).append('\n');
  }

  List<Arr> live() {
    return arrays.stream().filter(a -> !dead.contains(a.root)).toList();
  }

  List<Arr> consumable() {
    return live().stream().filter(a -> !fixed.contains(a.root)).toList();
  }

  List<Arr> live(boolean pairs) {
    return live().stream().filter(a -> a.pairs == pairs).toList();
  }

  /** Returns a random element of a list; half of the time one of the last three. */
  <T> T pick(List<T> from) {
    int last = Math.min(from.size(), oneIn(2) ? 3 : from.size());
    return from.get(from.size() - 1 - source.below(last));
  }

  String scalar() {
    return scalars.isEmpty() || oneIn(2) ? 1 + source.below(5) + "i32" : pick(scalars);
  }

  String op() {
    return oneIn(2) ? "add_i32" : "smax_i32";
  }

  private static String neutral(String op) {
    return op.equals("add_i32") ? "0i32" : "-2147483648i32";
  }

  /** Returns the text of an operator with its neutral element. */
  String operator(String op) {
    String a = fresh("a");
    String b = fresh("b");
    String c = fresh("c");
    return "({%s}) \\{%s: i32, %s: i32} -> {i32} { let {%s: i32} = %s(%s, %s) in {%s} }"
        .formatted(neutral(op), a, b, c, op, a, b, c);
  }

  Arr define(String base, boolean pairs) {
    String name = fresh(base);
    Arr a = new Arr(name, pairs, name);
    arrays.add(a);
    return a;
  }

  /**
   * Adds a screma: a map of scalars with scans and reductions of its results, or a map that
   * overwrites pairs.
   */
  void screma(boolean totals) {
    List<Arr> pairs = live(true);
    if (!pairs.isEmpty() && oneIn(5)) {
      mapOfPairs(pick(pairs));
      return;
    }
    List<Arr> from = live(false);
    if (from.isEmpty()) {
      return;
    }
    List<String> inputs = new ArrayList<>();
    List<String> params = new ArrayList<>();
    String sum = scalar();
    StringBuilder body = new StringBuilder();
    int work = oneIn(4) ? 9 : 1;
    for (int k = 1 + source.below(2); k > 0; k--) {
      inputs.add(pick(from).name);
      String p = fresh("x");
      params.add(p + ": i32");
      for (int w = 0; w < work; w++) {
        String next = fresh("y");
        body.append(
            "let {%s: i32} = %s(%s, %s) ".formatted(next, w == 0 ? "sub_i32" : op(), p, sum));
        sum = next;
      }
    }
    boolean scan = totals && oneIn(4);
    boolean reduce = totals && oneIn(4);
    boolean array = scan || !reduce || oneIn(2);
    List<String> values = new ArrayList<>();
    if (scan) {
      values.add(sum);
    }
    if (reduce) {
      values.add(sum);
    }
    boolean plain = array && !scan || array && oneIn(2);
    if (plain) {
      values.add(sum);
    }
    List<String> post = new ArrayList<>();
    if (scan) {
      post.add(fresh("s"));
    }
    if (plain) {
      post.add(fresh("p"));
    }
    List<String> pat = new ArrayList<>();
    if (reduce) {
      String r = fresh("r");
      pat.add(r + ": i32");
      scalars.add(r);
    }
    for (int k = 0; k < post.size(); k++) {
      pat.add(define("ys", false).name + ": " + type(false, size));
    }
    line(
        "let %s = screma(%s, %s) map \\%s -> {%s} { %s in %s } %s %s post \\%s -> {%s} {in %s}"
            .formatted(
                braces(pat),
                size,
                braces(inputs),
                braces(params),
                String.join(", ", values.stream().map(v -> "i32").toList()),
                body,
                braces(values),
                scan ? "scan" + operator(op()) : "",
                reduce ? "reduce" + operator(op()) : "",
                braces(post.stream().map(p -> p + ": i32").toList()),
                String.join(", ", post.stream().map(p -> "i32").toList()),
                braces(post)));
  }

  private void mapOfPairs(Arr input) {
    String x = fresh("x");
    String y = fresh("y");
    String p = fresh("p");
    boolean consumes = !fixed.contains(input.root) && oneIn(2);
    String type = consumes ? "[2i64]i32" : "i32";
    String body = consumes ? x + " with [0i64] = " + scalar() : x + "[1i64]";
    if (consumes) {
      dead.add(input.root);
    }
    Arr result = define("qs", consumes);
    line(
        ("let {%s: %s} = screma(%s, {%s}) map \\{%s: [2i64]i32} -> {%s} { let {%s: %s} = %s in {%s}"
                + " } post \\{%s: %s} -> {%s} {in {%s}}")
            .formatted(
                result.name,
                type(consumes, size),
                size,
                input.name,
                x,
                type,
                y,
                type,
                body,
                y,
                p,
                type,
                type,
                p));
  }

  /**
   * Adds a view of an array, if {@code backwards} is set perhaps with the elements in reverse
   * order.
   */
  void view(boolean backwards) {
    if (live().isEmpty()) {
      return;
    }
    Arr of = pick(live());
    String first = "0i64";
    String stride = "1i64";
    if (backwards && oneIn(2)) {
      first = fresh("last");
      stride = "-1i64";
      line("let {%s: i64} = sub_i64(%s, 1i64)".formatted(first, size));
    }
    Arr view = new Arr(fresh("vs"), of.pairs, of.root);
    String rest = of.pairs ? ", 0i64 :+ 2i64 * 1i64" : "";
    String slice = "[%s :+ %s * %s%s]".formatted(first, size, stride, rest);
    line("let {%s: %s} = %s%s".formatted(view.name, type(of.pairs, size), of.name, slice));
    arrays.add(view);
  }

  /** Adds an update of a whole array of integers, or of the second component of each pair. */
  void overwrite() {
    if (consumable().isEmpty()) {
      return;
    }
    Arr old = pick(consumable());
    List<Arr> sources = live(false).stream().filter(a -> !a.root.equals(old.root)).toList();
    if (sources.isEmpty()) {
      return;
    }
    String by = pick(sources).name;
    dead.add(old.root);
    Arr updated = define("us", old.pairs);
    line(
        "let {%s: %s} = %s with [0i64 :+ %s * 1i64%s] = %s"
            .formatted(
                updated.name,
                type(old.pairs, size),
                old.name,
                size,
                old.pairs ? ", 1i64" : "",
                by));
  }
}
