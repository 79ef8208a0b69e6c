package futharkc.tests.kit.source;

import futharkc.tests.kit.source.SourceScope.Var;
import futharkc.tests.kit.source.SourceType.Prim;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A generator of random expressions without statements. Floating point numbers are small integers,
 * so that a sum does not depend on the order of evaluation.
 */
final class Expressions {
  /** An expression with the roots that its value may alias. */
  record Value(Tree tree, Set<Integer> roots) {}

  /** A generator of blocks: sequences of statements with a result. */
  interface Blocks {
    Value block(SourceScope scope, SourceType result, int statements, int depth);
  }

  final Random random;
  private final Blocks blocks;

  Expressions(Random random, Blocks blocks) {
    this.random = random;
    this.blocks = blocks;
  }

  boolean chance(double p) {
    return random.nextDouble() < p;
  }

  <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  String one(String... of) {
    return of[random.nextInt(of.length)];
  }

  Prim prim() {
    double x = random.nextDouble();
    return x < 0.5
        ? Prim.I64
        : x < 0.6
            ? Prim.I32
            : x < 0.7 ? Prim.F64 : x < 0.8 ? Prim.BOOL : one(List.of(Prim.values()));
  }

  /** Returns a random element type for arrays. */
  SourceType element() {
    double x = random.nextDouble();
    return x < 0.85
        ? prim()
        : x < 0.95
            ? new SourceType.Tuple(List.of(prim(), prim()))
            : new SourceType.Fields(List.of(prim(), prim()));
  }

  /** Returns a variable of a wanted type, preferring recent variables, or null if there is none. */
  @Nullable Var variable(SourceScope s, Predicate<SourceType> wanted) {
    List<Var> found = s.all(wanted);
    for (int i = found.size() - 1; i >= 0; i--) {
      if (chance(0.4)) {
        return found.get(i);
      }
    }
    return found.isEmpty() ? null : one(found);
  }

  Tree literal(Prim t) {
    if (t == Prim.BOOL) {
      return Tree.atom(t, one("true", "false"));
    }
    return Tree.atom(
        t, t.isInteger() && chance(0.3) ? Literals.edge(t, random) : random.nextInt(8) + t.text());
  }

  /**
   * Returns an index, in most cases a remainder modulo {@code size}, which is in range unless
   * {@code size} is 0.
   */
  Tree index(SourceScope s, String size, int depth) {
    if (chance(0.15)) {
      return Tree.atom(Prim.I64, "0i64");
    }
    if (chance(0.02)) {
      return scalar(s, Prim.I64, depth - 1);
    }
    return Tree.of(Prim.I64, scalar(s, Prim.I64, depth - 1), " % ", Tree.atom(Prim.I64, size));
  }

  Tree scalar(SourceScope s, Prim t, int depth) {
    if (depth <= 0 || chance(0.25)) {
      return leaf(s, t);
    }
    if (chance(0.12)) {
      return Tree.of(
          t,
          "if ",
          scalar(s, Prim.BOOL, depth - 1),
          " then ",
          scalar(s, t, depth - 1),
          " else ",
          scalar(s, t, depth - 1));
    }
    if (chance(0.1)) {
      Var v = variable(s, x -> x instanceof SourceType.Array a && a.element().equals(t));
      if (v != null && v.type() instanceof SourceType.Array a) {
        return Tree.of(t, v.name() + "[", index(s, a.size(), depth), "]");
      }
    }
    if (chance(0.03)) {
      Var v =
          variable(
              s,
              x ->
                  x instanceof SourceType.Array a
                      && a.element() instanceof SourceType.Array b
                      && b.element().equals(t));
      if (v != null
          && v.type() instanceof SourceType.Array a
          && a.element() instanceof SourceType.Array b) {
        return Tree.of(
            t, v.name() + "[", index(s, a.size(), depth), ", ", index(s, b.size(), depth), "]");
      }
    }
    if (chance(0.015)) {
      return Tree.of(t, "assert ", scalar(s, Prim.BOOL, depth - 1), " ", scalar(s, t, depth - 1));
    }
    if (chance(0.04) && !s.sizes.isEmpty()) {
      String operator = associative(t);
      String size = one(s.sizes);
      return Tree.of(t, "reduce " + operator + " ", lambdaMap(s, t, size, depth - 1));
    }
    if (t == Prim.I64 && chance(0.05)) {
      return chance(0.3) ? bag(s, depth) : variant(s, depth);
    }
    return t.isInteger()
        ? integer(s, t, depth)
        : t.isFloat() ? floating(s, t, depth) : truth(s, depth);
  }

  /** Returns a value of an abstract size-lifted type from a loop or a branch. */
  private Tree bag(SourceScope s, int depth) {
    Tree x = scalar(s, Prim.I64, depth - 1);
    Tree y = scalar(s, Prim.I64, depth - 1);
    String seen = one("bag.total (", "bag.size (", "bag.first 3 (");
    return chance(0.5)
        ? Tree.of(
            Prim.I64,
            seen + "loop s = bag.none () for k < (",
            x,
            " % 4) do bag.add s (k + ",
            y,
            "))")
        : Tree.of(
            Prim.I64,
            seen + "if ",
            scalar(s, Prim.BOOL, depth - 1),
            " then bag.add (bag.none ()) ",
            x,
            " else bag.none ())");
  }

  /** Returns a scalar from a match on a value of a sum type. */
  private Tree variant(SourceScope s, int depth) {
    Tree value =
        switch (random.nextInt(3)) {
          case 0 ->
              Tree.piece(
                  "if ",
                  scalar(s, Prim.BOOL, depth - 1),
                  " then #none else #one ",
                  scalar(s, Prim.I64, depth - 1));
          case 1 ->
              Tree.piece(
                  "if ",
                  scalar(s, Prim.BOOL, depth - 1),
                  " then #two ",
                  scalar(s, Prim.I64, depth - 1),
                  " true else #one ",
                  scalar(s, Prim.I64, depth - 1));
          default ->
              Tree.piece(
                  "#two ", scalar(s, Prim.I64, depth - 1), " ", scalar(s, Prim.BOOL, depth - 1));
        };
    String x = s.name();
    return Tree.of(
        Prim.I64,
        "match ((",
        value,
        ") : some) case #none -> ",
        scalar(s, Prim.I64, depth - 1),
        " case #one "
            + x
            + " -> "
            + x
            + " case #two "
            + x
            + " "
            + x
            + "b -> if "
            + x
            + "b then "
            + x
            + " else 0");
  }

  /** Returns a map over the indices of an array of the given size. */
  private Tree lambdaMap(SourceScope s, SourceType t, String size, int depth) {
    SourceScope inner = s.nested();
    String i = s.name();
    inner.add(i, Prim.I64, Set.of());
    return Tree.of(
        new SourceType.Array(t, size),
        "map (\\" + i + " -> ",
        value(inner, t, depth).tree(),
        ") (iota " + size + ")");
  }

  private Tree leaf(SourceScope s, Prim t) {
    if (chance(0.8)) {
      List<Tree> found = new ArrayList<>();
      for (Var v : s.vars) {
        parts(v.name(), v.type(), t, found);
      }
      if (t == Prim.I64 && chance(0.1)) {
        for (String size : s.sizes) {
          found.add(Tree.atom(t, size));
        }
      }
      if (!found.isEmpty()) {
        int n = found.size();
        return chance(0.6) ? found.get(n - 1 - random.nextInt(Math.min(n, 3))) : one(found);
      }
    }
    return literal(t);
  }

  private static void parts(String text, SourceType type, Prim wanted, List<Tree> found) {
    switch (type) {
      case Prim p -> {
        if (p == wanted) {
          found.add(Tree.atom(p, text));
        }
      }
      case SourceType.Array _, SourceType.Named _ -> {}
      case SourceType.Tuple t -> {
        for (int i = 0; i < t.parts().size(); i++) {
          parts(text + "." + i, t.parts().get(i), wanted, found);
        }
      }
      case SourceType.Fields f -> {
        for (int i = 0; i < f.parts().size(); i++) {
          parts(text + "." + SourceType.Fields.name(i), f.parts().get(i), wanted, found);
        }
      }
    }
  }

  private Tree integer(SourceScope s, Prim t, int depth) {
    Tree a = scalar(s, t, depth - 1);
    return switch (random.nextInt(14)) {
      case 0, 1, 2 -> Tree.of(t, a, " + ", scalar(s, t, depth - 1));
      case 3, 4 -> Tree.of(t, a, " - ", scalar(s, t, depth - 1));
      case 5 -> Tree.of(t, a, " * ", scalar(s, t, depth - 1));
      case 6 -> Tree.of(t, a, one(" / ", " % ", " // ", " %% "), divisor(s, t, depth - 1));
      case 7 -> Tree.of(t, t.text() + one(".max ", ".min "), a, " ", scalar(s, t, depth - 1));
      case 8 -> Tree.of(t, a, one(" & ", " | ", " ^ "), scalar(s, t, depth - 1));
      case 9 ->
          Tree.of(t, a, one(" << ", " >> ", " " + t.text() + ".>>> "), shift(s, t, depth - 1));
      case 10 -> {
        Prim from = one(List.of(Prim.values()));
        yield Tree.of(t, t.text() + "." + from.text() + " ", scalar(s, from, depth - 1));
      }
      case 11 -> {
        Prim from = one(List.of(Prim.I8, Prim.U16, Prim.I32, Prim.U64, t));
        String count = from.text() + one(".popc ", ".clz ", ".ctz ");
        yield Tree.of(t, t.text() + ".i32 (" + count, scalar(s, from, depth - 1), ")");
      }
      case 12 ->
          chance(0.5)
              ? Tree.of(t, t.text() + ".mul_hi ", a, " ", scalar(s, t, depth - 1))
              : Tree.of(t, a, " ** " + random.nextInt(6) + t.text());
      default -> Tree.of(t, t.text() + one(".neg ", ".abs ", ".sgn ", ".not "), a);
    };
  }

  /** Returns a divisor: a literal, or an expression that is rarely zero. */
  private Tree divisor(SourceScope s, Prim t, int depth) {
    if (chance(0.6)) {
      return Tree.atom(t, Literals.divisor(t, random));
    }
    Tree a = scalar(s, t, depth);
    if (chance(0.1)) {
      return a;
    }
    String x = s.name();
    String other = Literals.divisor(t, random);
    return Tree.of(t, "let " + x + " = ", a, " in if " + x + " == 0 then " + other + " else " + x);
  }

  /** Returns the distance of a shift, less than the number of bits. */
  private Tree shift(SourceScope s, Prim t, int depth) {
    return chance(0.6)
        ? Tree.atom(t, Literals.shift(t, random))
        : Tree.of(t, scalar(s, t, depth), " & " + (Literals.bits(t) - 1));
  }

  private Tree floating(SourceScope s, Prim t, int depth) {
    Tree a = scalar(s, t, depth - 1);
    return switch (random.nextInt(6)) {
      case 0, 1 -> Tree.of(t, "(", a, one(" + ", " - ", " * "), scalar(s, t, depth - 1), ") % 97");
      case 2 -> Tree.of(t, t.text() + one(".max ", ".min "), a, " ", scalar(s, t, depth - 1));
      case 3 -> {
        Prim from = one(List.of(Prim.values()));
        yield converted(t, from, scalar(s, from, depth - 1));
      }
      case 4 -> Tree.of(t, t.text() + ".bool ", scalar(s, Prim.BOOL, depth - 1));
      default -> Tree.of(t, t.text() + one(".neg ", ".abs "), a);
    };
  }

  private Tree truth(SourceScope s, int depth) {
    Prim t = prim();
    return switch (random.nextInt(4)) {
      case 0 ->
          Tree.of(
              Prim.BOOL,
              scalar(s, Prim.BOOL, depth - 1),
              one(" && ", " || ", " != "),
              scalar(s, Prim.BOOL, depth - 1));
      case 1 -> Tree.of(Prim.BOOL, "!", scalar(s, Prim.BOOL, depth - 1));
      default ->
          Tree.of(
              Prim.BOOL,
              scalar(s, t, depth - 1),
              one(" < ", " <= ", " == ", " != "),
              scalar(s, t, depth - 1));
    };
  }

  /**
   * Returns an associative and commutative operator and its neutral element, as {@link
   * #associative} does.
   */
  String commutative(SourceType t) {
    while (true) {
      String operator = associative(t);
      if (!operator.contains("if y") && !operator.contains("b * c")) {
        return operator;
      }
    }
  }

  /** Returns an associative operator and its neutral element: the text of two atoms. */
  String associative(SourceType t) {
    return switch (t) {
      case Prim p when chance(0.12) -> {
        String operator = associative(p);
        int space = neutralStart(operator) - 1;
        yield LoopingOperators.like(operator.substring(0, space), p, random)
            + operator.substring(space);
      }
      case Prim p ->
          switch (p) {
            case I8, I16, I32, I64, U8, U16, U32, U64 ->
                one(
                    "(+) 0",
                    "(+) 0",
                    "(+) 0",
                    p.text() + ".max " + p.text() + ".lowest",
                    p.text() + ".min " + p.text() + ".highest",
                    "(*) 1",
                    "(^) 0",
                    "(\\x y -> if y == 0 then x else y) 0");
            case F64 -> one("(+) 0", "f64.max (-f64.inf)", "f64.min f64.inf");
            // Floating point sums may be inexact.
            case F16, F32 ->
                one(
                    p.text() + ".max (-" + p.text() + ".inf)",
                    p.text() + ".min " + p.text() + ".inf");
            case BOOL -> one("(&&) true", "(||) false", "(!=) false");
          };
      case SourceType.Tuple u when u.parts().equals(List.of(Prim.I64, Prim.I64)) && chance(0.5) ->
          one(
              "(\\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0)",
              "(\\(a, b) (c, d) -> if a > c || (a == c && b < d) then (a, b) else (c, d))"
                  + " (i64.lowest, i64.highest)");
      case SourceType.Tuple u -> {
        List<String> operators = u.parts().stream().map(this::associative).toList();
        StringBuilder results = new StringBuilder();
        StringBuilder neutral = new StringBuilder();
        for (int i = 0; i < operators.size(); i++) {
          int space = neutralStart(operators.get(i)) - 1;
          String comma = i == 0 ? "" : ", ";
          results.append(comma).append(operators.get(i), 0, space);
          results.append(" x." + i + " y." + i);
          neutral.append(comma).append(operators.get(i).substring(space + 1));
        }
        yield "(\\x y -> (" + results + ")) (" + neutral + ")";
      }
      case SourceType.Fields f -> {
        String operators = associative(new SourceType.Tuple(f.parts()));
        int space = neutralStart(operators) - 1;
        yield "(\\x y -> let r = "
            + operators.substring(0, space)
            + " (x.a, x.b) (y.a, y.b) in {a = r.0, b = r.1}) (let r = "
            + operators.substring(space + 1)
            + " in {a = r.0, b = r.1})";
      }
      case SourceType.Named n -> throw new IllegalArgumentException(n.name());
      case SourceType.Array a -> {
        String operator = associative(a.element());
        int split = neutralStart(operator);
        yield "(map2 "
            + operator.substring(0, split)
            + ") (replicate "
            + a.size()
            + " "
            + operator.substring(split)
            + ")";
      }
    };
  }

  /** Returns the offset of the second of two atoms. */
  private static int neutralStart(String operator) {
    int depth = 0;
    for (int i = 0; i < operator.length(); i++) {
      char c = operator.charAt(i);
      depth += c == '(' || c == '{' ? 1 : c == ')' || c == '}' ? -1 : 0;
      if (depth == 0 && c == ' ') {
        return i + 1;
      }
    }
    throw new IllegalArgumentException(operator);
  }

  /**
   * Returns a function expression, in parentheses.
   *
   * @param params the types of the parameters; patterns may take tuples apart
   */
  Tree lambda(SourceScope s, List<SourceType> params, SourceType result, int depth) {
    SourceScope inner = s.nested();
    StringBuilder names = new StringBuilder();
    for (SourceType t : params) {
      names.append(parameter(inner, t)).append(' ');
    }
    Tree body = body(inner, result, depth).tree();
    return Tree.piece("(\\" + names + "-> ", body, ")");
  }

  /** Adds a parameter with a fresh name to the scope and returns its pattern. */
  String parameter(SourceScope inner, SourceType t) {
    if (t instanceof SourceType.Tuple u && chance(0.6)) {
      List<String> parts = u.parts().stream().map(p -> parameter(inner, p)).toList();
      return "(" + String.join(", ", parts) + ")";
    }
    String name = inner.name();
    inner.add(name, t, inner.foreign());
    return name;
  }

  /**
   * Returns the body of a function or loop: a value, after some statements if {@code depth} is
   * positive.
   */
  Value body(SourceScope inner, SourceType result, int depth) {
    if (depth > 0 && (result.hasArrays() ? chance(0.8) : chance(0.35))) {
      return blocks.block(inner, result, 1 + random.nextInt(3), depth - 1);
    }
    return value(inner, result, Math.max(depth, 1) + 1);
  }

  /**
   * Returns a scalar that depends on all elements of a variable, or null if no simple expression
   * exists.
   */
  private @Nullable Tree digest(Var v, Prim t) {
    SourceType type = v.type();
    String x = v.name();
    if (type instanceof SourceType.Array a && a.element() instanceof SourceType.Array b) {
      if (!(b.element() instanceof Prim p)) {
        return null;
      }
      String operator = associative(p);
      return converted(
          t, p, Tree.of(p, "reduce " + operator + " (map (reduce " + operator + ") " + x + ")"));
    }
    if (type instanceof SourceType.Array a && a.element() instanceof Prim p) {
      return converted(t, p, Tree.of(p, "reduce " + associative(p) + " " + x));
    }
    List<SourceType> parts =
        switch (type instanceof SourceType.Array a ? a.element() : type) {
          case SourceType.Tuple u -> u.parts();
          case SourceType.Fields f -> f.parts();
          default -> List.of();
        };
    if (parts.isEmpty()) {
      return type instanceof Prim p ? converted(t, p, Tree.atom(p, x)) : null;
    }
    int i = random.nextInt(parts.size());
    if (!(parts.get(i) instanceof Prim p)) {
      return null;
    }
    SourceType whole = type instanceof SourceType.Array a ? a.element() : type;
    String part = "." + (whole instanceof SourceType.Fields ? SourceType.Fields.name(i) : "" + i);
    return type instanceof SourceType.Array
        ? converted(
            t,
            p,
            Tree.of(p, "reduce " + associative(p) + " (map (\\z -> z" + part + ") " + x + ")"))
        : converted(t, p, Tree.atom(p, x + part));
  }

  private static Tree converted(Prim to, Prim from, Tree x) {
    if (to == from) {
      return x;
    }
    if (to.isFloat() && from != Prim.BOOL) {
      return Tree.of(to, to.text() + "." + from.text() + " (", x, " % 97)");
    }
    return Tree.of(to, to.text() + "." + from.text() + " ", x);
  }

  /**
   * Returns a value of any type, which depends on the last variable if a simple expression exists.
   */
  Value result(SourceScope s, SourceType t, int depth) {
    Value plain = value(s, t, depth);
    if (chance(0.3) || s.vars.isEmpty()) {
      return plain;
    }
    Var last = s.vars.get(s.vars.size() - 1 - random.nextInt(Math.min(2, s.vars.size())));
    if (last.type().equals(t)) {
      return new Value(Tree.atom(t, last.name()), last.roots());
    }
    if (t instanceof Prim p) {
      Tree x = digest(last, p);
      return x == null ? plain : new Value(combined(p, plain.tree(), x), Set.of());
    }
    if (t instanceof SourceType.Array a && a.element() instanceof Prim p) {
      Tree x = digest(last, p);
      if (x != null) {
        Tree f =
            chance(0.5)
                ? Tree.piece("map (\\z -> ", combined(p, Tree.piece("z"), x), ") ")
                : Tree.piece(
                    "let z0 = ",
                    x,
                    " in map (\\z -> ",
                    combined(p, Tree.piece("z"), Tree.piece("z0")),
                    ") ");
        return new Value(Tree.of(t, f, plain.tree()), s.fresh());
      }
    }
    return plain;
  }

  private Tree combined(Prim t, Tree x, Tree y) {
    return t == Prim.BOOL
        ? Tree.of(t, x, one(" != ", " && ", " || "), y)
        : t.isFloat()
            ? Tree.of(t, "(", x, one(" + ", " - "), y, ") % 97")
            : Tree.of(t, x, one(" + ", " - ", " ^ "), y);
  }

  /** Returns a value of any type. */
  Value value(SourceScope s, SourceType t, int depth) {
    return switch (t) {
      case Prim p -> new Value(scalar(s, p, Math.min(depth, 3)), Set.of());
      case SourceType.Named n -> new Value(Tree.atom(t, n.simplest()), s.fresh());
      case SourceType.Tuple u -> parts(s, t, u.parts(), depth);
      case SourceType.Fields f -> parts(s, t, f.parts(), depth);
      case SourceType.Array a -> array(s, a, depth);
    };
  }

  private Value parts(SourceScope s, SourceType t, List<SourceType> types, int depth) {
    Var v = variable(s, t::equals);
    if (v != null && chance(0.4)) {
      return new Value(Tree.atom(t, v.name()), v.roots());
    }
    boolean fields = t instanceof SourceType.Fields;
    List<Object> parts = new ArrayList<>();
    Set<Integer> roots = new HashSet<>();
    parts.add(fields ? "{" : "(");
    for (int i = 0; i < types.size(); i++) {
      Value part = value(s, types.get(i), depth - 1);
      parts.add((i == 0 ? "" : ", ") + (fields ? SourceType.Fields.name(i) + " = " : ""));
      parts.add(part.tree());
      roots.addAll(part.roots());
    }
    parts.add(fields ? "}" : ")");
    return new Value(new Tree(t, parts), roots);
  }

  private Value array(SourceScope s, SourceType.Array t, int depth) {
    Var v = variable(s, t::equals);
    if (v != null && chance(0.75)) {
      return new Value(Tree.atom(t, v.name()), v.roots());
    }
    Tree made =
        switch (random.nextInt(4)) {
          case 0 -> Tree.of(t, "replicate " + t.size() + " ", value(s, t.element(), 1).tree());
          case 1 -> {
            if (t.element() == Prim.I64 && chance(0.7)) {
              yield Tree.of(
                  t, chance(0.8) ? "iota " + t.size() : "indices (iota " + t.size() + ")");
            }
            yield lambdaMap(s, t.element(), t.size(), 2);
          }
          case 2 -> {
            Var w = variable(s, x -> x instanceof SourceType.Array a && a.size().equals(t.size()));
            if (w == null || !(w.type() instanceof SourceType.Array a)) {
              yield lambdaMap(s, t.element(), t.size(), 2);
            }
            Tree f = lambda(s, List.of(a.element()), t.element(), Math.min(depth, 1));
            yield Tree.of(t, "map ", f, " " + w.name());
          }
          default -> lambdaMap(s, t.element(), t.size(), 2);
        };
    return new Value(made, s.fresh());
  }

  static SourceType typeOf(Tree t) {
    if (t.type() == null) {
      throw new IllegalArgumentException("no expression: " + t.text());
    }
    return t.type();
  }
}
