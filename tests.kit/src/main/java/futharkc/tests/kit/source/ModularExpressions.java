package futharkc.tests.kit.source;

import futharkc.tests.kit.source.SourceType.Prim;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A generator of random expressions of any type over a scope and over the {@linkplain Form forms}
 * of a program's own definitions.
 */
class ModularExpressions {
  /** A variable. */
  record Var(String name, SourceType type) {}

  /** The variables and sizes in scope. */
  record Names(List<Var> vars, List<String> sizes) {
    Names with(String name, SourceType type) {
      List<Var> more = new ArrayList<>(vars);
      more.add(new Var(name, type));
      return new Names(more, sizes);
    }

    Names withSize(String size) {
      List<String> more = new ArrayList<>(sizes);
      more.add(size);
      return new Names(vars, more).with(size, Prim.I64);
    }

    List<Var> of(SourceType type) {
      return vars.stream().filter(v -> v.type.equals(type)).toList();
    }
  }

  /** A generator of an expression of a type; it returns null if it has none of this type. */
  interface Form {
    @Nullable Tree make(Names s, SourceType wanted, int depth);
  }

  /** A constructor of a sum type. */
  record Variant(String name, List<SourceType> payload) {}

  record SumType(SourceType.Named type, List<Variant> variants) {}

  final Random random;
  final List<Form> forms = new ArrayList<>();
  final List<SourceType> types = new ArrayList<>();
  final List<SumType> sums = new ArrayList<>();
  int next;

  ModularExpressions(Random random) {
    this.random = random;
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

  String name(String base) {
    return base + next++;
  }

  Prim prim() {
    return chance(0.35) ? Prim.I64 : one(List.of(Prim.values()));
  }

  Prim integer() {
    while (true) {
      Prim p = prim();
      if (p.isInteger()) {
        return p;
      }
    }
  }

  /** Returns a type without sizes of its own. */
  SourceType small() {
    double x = random.nextDouble();
    if (x < 0.6) {
      return prim();
    }
    if (x < 0.75) {
      return new SourceType.Tuple(List.of(prim(), prim()));
    }
    if (x < 0.85) {
      return new SourceType.Fields(List.of(prim(), prim()));
    }
    return one(sums).type;
  }

  SourceType value(List<String> sizes, int depth) {
    double x = random.nextDouble();
    if (depth <= 0 || x < 0.35) {
      return small();
    }
    if (x < 0.65) {
      return new SourceType.Array(element(sizes, depth - 1), one(sizes));
    }
    if (x < 0.75) {
      return new SourceType.Tuple(List.of(value(sizes, depth - 1), value(sizes, depth - 1)));
    }
    if (x < 0.82) {
      return new SourceType.Fields(List.of(small(), value(sizes, depth - 1)));
    }
    return one(types);
  }

  static boolean isLifted(SourceType t) {
    return switch (t) {
      case Prim _ -> false;
      case SourceType.Array a -> isLifted(a.element());
      case SourceType.Tuple u -> u.parts().stream().anyMatch(ModularExpressions::isLifted);
      case SourceType.Fields f -> f.parts().stream().anyMatch(ModularExpressions::isLifted);
      case SourceType.Named n -> n.lifted();
    };
  }

  SourceType element(List<String> sizes, int depth) {
    if (depth > 0 && chance(0.2)) {
      return new SourceType.Array(prim(), one(sizes));
    }
    while (true) {
      SourceType t = chance(0.8) ? small() : one(types);
      if (!isLifted(t)) {
        return t;
      }
    }
  }

  String size(Names s) {
    return one(s.sizes);
  }

  Tree exp(Names s, SourceType t, int depth) {
    if (depth <= 0) {
      return leaf(s, t);
    }
    for (int tries = 0; tries < 8; tries++) {
      Tree made =
          forms.isEmpty() || chance(0.55)
              ? general(s, t, depth - 1)
              : one(forms).make(s, t, depth - 1);
      if (made != null) {
        return made;
      }
    }
    return specific(s, t, depth - 1);
  }

  Tree leaf(Names s, SourceType t) {
    List<Var> known = s.of(t);
    if (!known.isEmpty() && chance(0.85)) {
      return Tree.atom(t, one(known).name);
    }
    return switch (t) {
      case Prim p -> literal(p);
      case SourceType.Array a when a.element() == Prim.I64 -> Tree.of(t, "iota " + a.size());
      default -> {
        if (t instanceof SourceType.Named || chance(0.5)) {
          yield Tree.atom(t, t.zero());
        }
        yield specific(s, t, 0);
      }
    };
  }

  Tree literal(Prim p) {
    return Tree.atom(p, p == Prim.BOOL ? one("true", "false") : random.nextInt(9) + p.text());
  }

  @Nullable Tree general(Names s, SourceType t, int depth) {
    return switch (random.nextInt(16)) {
      case 0 -> leaf(s, t);
      case 1 -> {
        Tree c = exp(s, Prim.BOOL, depth);
        yield Tree.of(t, "if ", c, " then ", exp(s, t, depth), " else ", exp(s, t, depth));
      }
      case 2, 3 -> {
        SourceType other = value(s.sizes, 1);
        String x = name("v");
        Tree bound = exp(s, other, depth);
        yield Tree.let(x, bound, exp(s.with(x, other), t, depth));
      }
      case 4 -> {
        SourceType a = value(s.sizes, 1);
        SourceType b = small();
        String x = name("v");
        String y = name("v");
        SourceType pair = new SourceType.Tuple(List.of(a, b));
        Tree bound = exp(s, pair, depth);
        yield Tree.let("(" + x + ", " + y + ")", bound, exp(s.with(x, a).with(y, b), t, depth));
      }
      case 5 -> {
        SourceType other = value(s.sizes, 1);
        String x = name("v");
        Tree body = exp(s.with(x, other), t, depth);
        Tree arg = exp(s, other, depth);
        yield chance(0.5)
            ? Tree.of(t, "(\\(" + x + ": " + other.text() + ") -> ", body, ") ", arg)
            : Tree.of(t, arg, " |> (\\" + x + " -> ", body, ")");
      }
      case 6 -> match(s, t, depth);
      case 7, 8 -> loop(s, t, depth);
      case 9 -> {
        SourceType other = small();
        yield chance(0.5)
            ? Tree.of(t, "(", exp(s, t, depth), ", ", exp(s, other, depth), ").0")
            : Tree.of(t, "{a = ", exp(s, other, depth), ", b = ", exp(s, t, depth), "}.b");
      }
      case 10 -> {
        if (isLifted(t)) {
          yield null;
        }
        yield Tree.of(
            t, "choose ", exp(s, Prim.BOOL, depth), " ", exp(s, t, depth), " ", exp(s, t, depth));
      }
      case 11 -> {
        String f = name("g");
        String x = name("v");
        SourceType other = value(s.sizes, 1);
        Tree body = exp(s.with(x, other), t, depth);
        Tree arg = exp(s, other, depth);
        yield Tree.let(
            f + " (" + x + ": " + other.text() + ") : " + t.text(), body, Tree.of(t, f + " ", arg));
      }
      case 12 -> {
        if (isLifted(t)) {
          yield null;
        }
        String x = name("v");
        Tree body = exp(s.with(x, t), t, depth);
        yield Tree.of(
            t, "times " + random.nextInt(3) + " (\\" + x + " -> ", body, ") ", exp(s, t, depth));
      }
      default -> specific(s, t, depth);
    };
  }

  Tree match(Names s, SourceType t, int depth) {
    SumType sum = one(sums);
    List<Object> parts = new ArrayList<>();
    parts.add("match ");
    parts.add(exp(s, sum.type, depth));
    for (Variant v : sum.variants) {
      if (v.payload.size() == 1
          && v.payload.getFirst() instanceof Prim p
          && p != Prim.BOOL
          && chance(0.3)) {
        parts.add("\n    case #" + v.name + " 3" + p.text() + " -> ");
        parts.add(exp(s, t, depth));
      }
      Names inner = s;
      StringBuilder pat = new StringBuilder("\n    case #" + v.name);
      for (SourceType part : v.payload) {
        String x = name("v");
        inner = inner.with(x, part);
        pat.append(" ").append(x);
      }
      parts.add(pat + " -> ");
      parts.add(exp(inner, t, depth));
    }
    return Tree.of(t, parts.toArray());
  }

  Tree loop(Names s, SourceType t, int depth) {
    String acc = name("acc");
    Tree init = exp(s, t, depth);
    Names inner = s.with(acc, t);
    String pat =
        t instanceof SourceType.Named && chance(0.6) ? acc : "(" + acc + " : " + t.text() + ")";
    switch (random.nextInt(3)) {
      case 0 -> {
        String i = name("ix");
        Tree body = exp(inner.with(i, Prim.I64), t, depth);
        String bound = chance(0.5) ? "" + random.nextInt(4) : size(s);
        return Tree.of(t, "loop " + pat + " = ", init, " for " + i + " < " + bound + " do ", body);
      }
      case 1 -> {
        SourceType element = small();
        String x = name("v");
        Tree array = exp(s, new SourceType.Array(element, size(s)), depth);
        Tree body = exp(inner.with(x, element), t, depth);
        return Tree.of(t, "loop " + pat + " = ", init, " for " + x + " in ", array, " do ", body);
      }
      default -> {
        String i = name("ix");
        Tree body = exp(inner.with(i, Prim.I64), t, depth);
        return Tree.of(
            t,
            "(loop (" + i + ", " + pat + ") = (0i64, ",
            init,
            ") while " + i + " < " + random.nextInt(4) + " do (" + i + " + 1, ",
            body,
            ")).1");
      }
    }
  }

  Tree specific(Names s, SourceType t, int depth) {
    return switch (t) {
      case Prim p -> scalar(s, p, depth);
      case SourceType.Tuple u -> {
        List<Object> parts = new ArrayList<>(List.of("("));
        for (int i = 0; i < u.parts().size(); i++) {
          if (i > 0) {
            parts.add(", ");
          }
          parts.add(exp(s, u.parts().get(i), depth));
        }
        parts.add(")");
        yield new Tree(t, parts);
      }
      case SourceType.Fields f -> fields(s, f, depth);
      case SourceType.Named n -> named(s, n, depth);
      case SourceType.Array a -> array(s, a, depth);
    };
  }

  Tree fields(Names s, SourceType.Fields f, int depth) {
    List<Object> parts = new ArrayList<>(List.of("{"));
    int n = f.parts().size();
    boolean backwards = chance(0.3);
    for (int i = 0; i < n; i++) {
      int field = backwards ? n - 1 - i : i;
      parts.add((i > 0 ? ", " : "") + SourceType.Fields.name(field) + " = ");
      parts.add(exp(s, f.parts().get(field), depth));
    }
    parts.add("}");
    Tree made = new Tree(f, parts);
    if (!f.parts().getFirst().hasArrays() && depth > 0 && chance(0.3)) {
      return Tree.of(f, made, " with a = ", exp(s, f.parts().getFirst(), depth));
    }
    return made;
  }

  Tree named(Names s, SourceType.Named n, int depth) {
    for (SumType sum : sums) {
      if (!sum.type.equals(n)) {
        continue;
      }
      Variant v = one(sum.variants);
      List<Object> parts = new ArrayList<>(List.of("#" + v.name));
      for (SourceType part : v.payload) {
        parts.add(" ");
        parts.add(exp(s, part, depth));
      }
      parts.add(" : " + n.name());
      return Tree.of(n, parts.toArray());
    }
    for (int tries = 0; tries < 30 && depth > 0; tries++) {
      Tree made = one(forms).make(s, n, depth - 1);
      if (made != null) {
        return made;
      }
    }
    List<Var> known = s.of(n);
    return Tree.atom(n, known.isEmpty() ? n.simplest() : one(known).name);
  }

  Tree array(Names s, SourceType.Array t, int depth) {
    SourceType e = t.element();
    if (Character.isDigit(t.size().charAt(0))) {
      List<Object> parts = new ArrayList<>(List.of("["));
      for (int i = 0; i < Integer.parseInt(t.size()); i++) {
        if (i > 0) {
          parts.add(", ");
        }
        parts.add(exp(s, e, depth));
      }
      parts.add("]");
      return new Tree(t, parts);
    }
    String x = name("v");
    switch (random.nextInt(9)) {
      case 0 -> {
        return Tree.of(t, "replicate " + t.size() + " ", exp(s, e, depth));
      }
      case 1, 2 -> {
        SourceType from = small();
        Tree body = exp(s.with(x, from), e, depth);
        Tree over = exp(s, new SourceType.Array(from, t.size()), depth);
        return Tree.of(t, "map (\\(" + x + ": " + from.text() + ") -> ", body, ") ", over);
      }
      case 3 -> {
        Tree body = exp(s.with(x, Prim.I64), e, depth);
        return Tree.of(t, "tabulate " + t.size() + " (\\" + x + " -> ", body, ")");
      }
      case 4 -> {
        return Tree.of(t, one("reverse ", "rotate 1 ", "copy "), exp(s, t, depth));
      }
      case 5 -> {
        if (!(e instanceof Prim p)) {
          break;
        }
        return Tree.of(t, "scan " + operator(p) + " ", exp(s, t, depth));
      }
      case 6 -> {
        SourceType a = small();
        SourceType b = small();
        String y = name("v");
        Tree body = exp(s.with(x, a).with(y, b), e, depth);
        Tree left = exp(s, new SourceType.Array(a, t.size()), depth);
        Tree right = exp(s, new SourceType.Array(b, t.size()), depth);
        return Tree.of(t, "map2 (\\" + x + " " + y + " -> ", body, ") ", left, " ", right);
      }
      case 7 -> {
        if (!(e instanceof SourceType.Tuple u) || u.parts().size() != 2) {
          break;
        }
        Tree left = exp(s, new SourceType.Array(u.parts().get(0), t.size()), depth);
        Tree right = exp(s, new SourceType.Array(u.parts().get(1), t.size()), depth);
        return Tree.of(t, "zip ", left, " ", right);
      }
      default -> {
        String i = name("ix");
        Tree value = exp(s.with(i, Prim.I64), e, depth);
        return Tree.of(
            t,
            "loop ys = copy ",
            exp(s, t, depth),
            " for " + i + " < i64.min 2 " + t.size() + " do ys with [" + i + "] = ",
            e.hasArrays() ? Tree.of(e, "copy ", value) : value);
      }
    }
    Tree body = exp(s.with(x, Prim.I64), e, depth);
    return Tree.of(t, "map (\\" + x + " -> ", body, ") (iota " + t.size() + ")");
  }

  /** Returns an associative operator with its neutral element. */
  String operator(Prim p) {
    return p == Prim.BOOL
        ? one("(&&) true", "(||) false")
        : p.isFloat()
            ? one(p.text() + ".max (-" + p.text() + ".inf)", p.text() + ".min " + p.text() + ".inf")
            : one("(+) 0", "(*) 1", "(^) 0", p.text() + ".max " + p.text() + ".lowest");
  }

  Tree scalar(Names s, Prim p, int depth) {
    switch (random.nextInt(8)) {
      case 0 -> {
        Tree array = exp(s, new SourceType.Array(p, size(s)), depth);
        return Tree.of(p, "reduce " + operator(p) + " ", array);
      }
      case 1 -> {
        SourceType element = value(s.sizes, 0);
        Tree array = exp(s, new SourceType.Array(element, size(s)), depth);
        String a = name("acc");
        String x = name("v");
        Tree body = exp(s.with(a, p).with(x, element), p, depth);
        return Tree.of(
            p, "fold (\\" + a + " " + x + " -> ", body, ") ", exp(s, p, depth), " ", array);
      }
      case 2 -> {
        Tree array = exp(s, new SourceType.Array(p, size(s)), depth);
        return Tree.of(p, "at ", exp(s, p, depth), " ", array, " ", exp(s, Prim.I64, depth));
      }
      case 3 -> {
        if (p != Prim.BOOL) {
          Prim from = prim();
          return converted(p, from, exp(s, from, depth));
        }
        SourceType t =
            one(
                List.<SourceType>of(
                    small(), new SourceType.Array(prim(), size(s)), one(sums).type));
        return Tree.of(p, exp(s, t, depth), one(" == ", " != "), exp(s, t, depth));
      }
      default -> {}
    }
    Tree a = exp(s, p, depth);
    if (p == Prim.BOOL) {
      Prim t = prim();
      return chance(0.5)
          ? Tree.of(p, a, one(" && ", " || ", " != "), exp(s, p, depth))
          : Tree.of(p, exp(s, t, depth), one(" < ", " <= ", " > ", " == "), exp(s, t, depth));
    }
    if (p.isFloat()) {
      return Tree.of(p, "(", a, one(" + ", " - ", " * "), exp(s, p, depth), ") % 97");
    }
    return switch (random.nextInt(7)) {
      case 0 ->
          Tree.of(p, a, one(" / ", " % ", " // ", " %% ") + (1 + random.nextInt(7)) + p.text());
      case 1 -> Tree.of(p, p.text() + one(".max ", ".min "), a, " ", exp(s, p, depth));
      case 2 -> Tree.of(p, a, one(" << ", " >> ") + random.nextInt(5) + p.text());
      case 3 -> Tree.of(p, a, one(" & ", " | ", " ^ "), exp(s, p, depth));
      case 4 -> Tree.of(p, p.text().startsWith("u") ? "!" : one("-", "!"), a);
      default -> Tree.of(p, a, one(" + ", " - ", " * "), exp(s, p, depth));
    };
  }

  static Tree converted(Prim to, Prim from, Tree x) {
    if (to == from) {
      return x;
    }
    boolean large = to.isFloat() && from != Prim.BOOL;
    return large
        ? Tree.of(to, to.text() + "." + from.text() + " (", x, " % 97)")
        : Tree.of(to, to.text() + "." + from.text() + " ", x);
  }
}
