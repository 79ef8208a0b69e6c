package futharkc.tests.kit.source;

import futharkc.tests.kit.source.SourceType.Prim;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A generator of random definitions, and of expressions that use them. */
class ModularUnits extends ModularExpressions {
  /** The text of all definitions so far. */
  final StringBuilder head = new StringBuilder();

  ModularUnits(Random random) {
    super(random);
  }

  void sum() {
    String name = name("sum");
    List<Variant> variants = new ArrayList<>();
    StringBuilder text = new StringBuilder("type " + name + " = #none" + next);
    variants.add(new Variant("none" + next, List.of()));
    String none = "(#none" + next + " : " + name + ")";
    int n = 1 + random.nextInt(3);
    for (int i = 0; i < n; i++) {
      List<SourceType> payload = new ArrayList<>();
      for (int k = random.nextInt(3); k >= 0; k--) {
        double x = random.nextDouble();
        payload.add(
            x < 0.6
                ? prim()
                : x < 0.75
                    ? new SourceType.Array(prim(), "2")
                    : x < 0.9 ? new SourceType.Tuple(List.of(prim(), prim())) : one2(prim()));
      }
      Variant v = new Variant(name("c"), List.copyOf(payload));
      variants.add(v);
      text.append(" | #").append(v.name());
      for (SourceType t : payload) {
        text.append(" (").append(t.text()).append(")");
      }
    }
    head.append(text).append("\n\n");
    SourceType.Named type = new SourceType.Named(name, none, false);
    sums.add(new SumType(type, List.copyOf(variants)));
    types.add(type);
  }

  SourceType one2(Prim p) {
    return sums.isEmpty() ? p : one(sums).type();
  }

  void use(SourceType result, String function, SourceType... params) {
    forms.add(
        (s, wanted, depth) -> {
          if (!wanted.equals(result)) {
            return null;
          }
          List<Object> parts = new ArrayList<>(List.of(function));
          for (SourceType p : params) {
            parts.add(" ");
            parts.add(exp(s, p, depth));
          }
          return Tree.of(wanted, parts.toArray());
        });
  }

  /** Adds a container of an abstract size-lifted type, with one of several implementations. */
  void stack() {
    String m = name("stack");
    Prim p = prim();
    String e = p.text();
    String implementation =
        switch (random.nextInt(4)) {
          case 0 ->
              "type~ t = []"
                  + e
                  + "\n  def empty () : t = []\n"
                  + "  def push (x: "
                  + e
                  + ") (s: t) : t = s ++ [x]\n"
                  + "  def size (s: t) = length s\n"
                  + "  def get (s: t) (i: i64) = at "
                  + p.zero()
                  + " s i\n"
                  + "  def join (a: t) (b: t) : t = a ++ b\n"
                  + "  def over (f: "
                  + e
                  + " -> "
                  + e
                  + ") (s: t) : t = map f s\n"
                  + "  def all (s: t) : []"
                  + e
                  + " = s";
          case 1 ->
              "type~ t = {count: i64, items: []"
                  + e
                  + "}\n"
                  + "  def empty () : t = {count = 0, items = []}\n"
                  + "  def push (x: "
                  + e
                  + ") (s: t) : t ="
                  + " {count = s.count + 1, items = s.items ++ [x]}\n"
                  + "  def size (s: t) = s.count\n"
                  + "  def get (s: t) (i: i64) = at "
                  + p.zero()
                  + " s.items i\n"
                  + "  def join (a: t) (b: t) : t ="
                  + " {count = a.count + b.count, items = a.items ++ b.items}\n"
                  + "  def over (f: "
                  + e
                  + " -> "
                  + e
                  + ") (s: t) : t ="
                  + " s with items = map f s.items\n"
                  + "  def all (s: t) : []"
                  + e
                  + " = s.items";
          case 2 ->
              "type~ t = ?[k].([k]"
                  + e
                  + ", [k]i64)\n"
                  + "  def empty () : t = ([], [])\n"
                  + "  def push (x: "
                  + e
                  + ") ((a, b): t) : t = (a ++ [x], b ++ [length b])\n"
                  + "  def size ((a, _): t) = length a\n"
                  + "  def get ((a, b): t) (i: i64) = at "
                  + p.zero()
                  + " a (at 0 b i)\n"
                  + "  def join ((a, b): t) ((c, d): t) : t ="
                  + " (a ++ c, b ++ map (+ length b) d)\n"
                  + "  def over (f: "
                  + e
                  + " -> "
                  + e
                  + ") ((a, b): t) : t = (map f a, b)\n"
                  + "  def all ((a, _): t) : []"
                  + e
                  + " = a";
          default ->
              "type~ t = #none | #some ([]"
                  + e
                  + ")\n"
                  + "  def all (s: t) : []"
                  + e
                  + " = match s case #none -> [] case #some a -> a\n"
                  + "  def empty () : t = #none\n"
                  + "  def push (x: "
                  + e
                  + ") (s: t) : t = #some (all s ++ [x])\n"
                  + "  def size (s: t) = length (all s)\n"
                  + "  def get (s: t) (i: i64) = at "
                  + p.zero()
                  + " (all s) i\n"
                  + "  def join (a: t) (b: t) : t = #some (all a ++ all b)\n"
                  + "  def over (f: "
                  + e
                  + " -> "
                  + e
                  + ") (s: t) : t = #some (map f (all s))";
        };
    head.append(
        "module "
            + m
            + " : {\n  type~ t\n  val empty : () -> t\n  val push : "
            + e
            + " -> t -> t\n  val size : t -> i64\n  val get : t -> i64 -> "
            + e
            + "\n  val join : t -> t -> t\n  val over : ("
            + e
            + " -> "
            + e
            + ") -> t -> t\n  val all : t -> []"
            + e
            + "\n} = {\n  "
            + implementation
            + "\n}\n\n");
    SourceType.Named t = new SourceType.Named(m + ".t", "(" + m + ".empty ())", true);
    types.add(t);
    use(t, m + ".push", p, t);
    use(t, m + ".join", t, t);
    use(p, m + ".get", t, Prim.I64);
    use(Prim.I64, m + ".size", t);
    forms.add(
        (s, wanted, depth) -> {
          if (!wanted.equals(t)) {
            return null;
          }
          String x = name("v");
          Tree body = exp(s.with(x, p), p, depth);
          return Tree.of(t, m + ".over (\\" + x + " -> ", body, ") ", exp(s, t, depth));
        });
    forms.add(
        (s, wanted, depth) -> {
          String k = name("k");
          String x = name("v");
          Tree all = exp(s, t, depth);
          if (mentionsAny(wanted, k)) {
            return null;
          }
          Names inner = s.withSize(k).with(x, new SourceType.Array(p, k));
          Tree body = exp(inner, wanted, depth);
          return Tree.let(
              "[" + k + "] (" + x + ": [" + k + "]" + e + ")", Tree.of(t, m + ".all ", all), body);
        });
  }

  static boolean mentionsAny(SourceType wanted, String size) {
    return wanted.text().contains(size);
  }

  /** Adds a parametric module of polynomials over a ring, and rings to apply it to. */
  void ring() {
    String ring = name("ring");
    Prim p = integer();
    String e = p.text();
    boolean pair = chance(0.4);
    boolean opaque = chance(0.6);
    String t = pair ? "(" + e + ", " + e + ")" : e;
    String zero = pair ? "(" + p.zero() + ", " + p.zero() + ")" : p.zero();
    head.append(
        "module type "
            + ring
            + "_type = {\n  type t\n  val zero : t\n"
            + "  val add : t -> t -> t\n  val mul : t -> t -> t\n  val make : "
            + e
            + " -> t\n"
            + "  val norm : t -> "
            + e
            + "\n}\n");
    head.append(
        "module "
            + ring
            + (opaque ? " : " + ring + "_type" : "")
            + " = {\n  type t = "
            + t
            + "\n  def zero : t = "
            + zero
            + "\n");
    head.append(
        pair
            ? "  def add (a: t) (b: t) : t = (a.0 + b.0, a.1 + b.1)\n"
                + "  def mul ((a, b): t) ((c, d): t) : t = (a * c - b * d, a * d + b * c)\n"
                + "  def make (x: "
                + e
                + ") : t = (x, 1)\n"
                + "  def norm ((a, b): t) = a + 2 * b\n}\n"
            : "  def add (a: t) (b: t) : t = a + b\n  def mul (a: t) (b: t) : t = a * b\n"
                + "  def make (x: "
                + e
                + ") : t = x\n  def norm (x: t) = x\n}\n");
    String poly = name("poly");
    head.append(
        "module "
            + poly
            + "_of (R: "
            + ring
            + "_type) : {\n"
            + "  type poly [n]\n  val make [n] : [n]"
            + e
            + " -> poly [n]\n"
            + "  val eval [n] : poly [n] -> R.t -> R.t\n"
            + "  val sum [n] : poly [n] -> poly [n] -> poly [n]\n"
            + "  val scale [n] : R.t -> poly [n] -> poly [n]\n"
            + "  val degree [n] : poly [n] -> i64\n"
            + "} = {\n  type poly [n] = [n]R.t\n"
            + "  def make [n] (xs: [n]"
            + e
            + ") : poly [n] = map R.make xs\n"
            + "  def eval [n] (p: poly [n]) (x: R.t) : R.t =\n"
            + "    loop acc = R.zero for c in reverse p do R.add c (R.mul acc x)\n"
            + "  def sum [n] (a: poly [n]) (b: poly [n]) : poly [n] = map2 R.add a b\n"
            + "  def scale [n] (x: R.t) (a: poly [n]) : poly [n] = map (R.mul x) a\n"
            + "  def degree [n] (_: poly [n]) = n\n}\n"
            + "module "
            + poly
            + " = "
            + poly
            + "_of "
            + ring
            + "\n\n");
    SourceType r =
        opaque
            ? new SourceType.Named(ring + ".t", ring + ".zero", false)
            : pair ? new SourceType.Tuple(List.of(p, p)) : p;
    if (opaque) {
      types.add(r);
    }
    use(r, ring + ".make", p);
    use(r, ring + ".mul", r, r);
    use(r, ring + ".add", r, r);
    use(p, ring + ".norm", r);
    forms.add(
        (s, wanted, depth) -> {
          if (!wanted.equals(r)) {
            return null;
          }
          SourceType.Named q = polyOf(poly, p, size(s));
          return Tree.of(wanted, poly + ".eval ", exp(s, q, depth), " ", exp(s, r, depth));
        });
    forms.add(
        (s, wanted, depth) -> {
          if (!(wanted instanceof SourceType.Named n) || !n.name().startsWith(poly + ".poly")) {
            return null;
          }
          String size = n.name().substring(n.name().indexOf('[') + 1, n.name().length() - 1);
          return switch (random.nextInt(3)) {
            case 0 -> Tree.of(n, poly + ".make ", exp(s, new SourceType.Array(p, size), depth));
            case 1 -> Tree.of(n, poly + ".sum ", exp(s, n, depth), " ", exp(s, n, depth));
            default -> Tree.of(n, poly + ".scale ", exp(s, r, depth), " ", exp(s, n, depth));
          };
        });
    forms.add(
        (s, wanted, depth) -> {
          if (!(wanted instanceof SourceType.Array a) || !a.element().equals(r)) {
            return null;
          }
          SourceType.Named q = polyOf(poly, p, size(s));
          String x = name("v");
          return Tree.of(
              wanted,
              "map (\\" + x + " -> " + poly + ".eval ",
              exp(s.with(x, r), q, depth),
              " " + x + ") ",
              exp(s, wanted, depth));
        });
  }

  static SourceType.Named polyOf(String poly, Prim p, String size) {
    return new SourceType.Named(
        poly + ".poly [" + size + "]",
        "(" + poly + ".make (replicate " + size + " " + p.zero() + "))",
        false);
  }

  /** Adds a parametrised record type, and functions that infer its size. */
  void vector() {
    String t = name("vec");
    Prim p = prim();
    head.append(
        "type "
            + t
            + " [n] 'a = {len: i64, data: [n]a}\n"
            + "def "
            + t
            + "_of 'a [n] (xs: [n]a) : "
            + t
            + " [n] a = {len = n, data = xs}\n"
            + "def "
            + t
            + "_zip 'a 'b [n] (u: "
            + t
            + " [n] a) (v: "
            + t
            + " [n] b) : "
            + t
            + " [n] (a, b) = "
            + t
            + "_of (zip u.data v.data)\n"
            + "def "
            + t
            + "_map 'a 'b [n] (f: a -> b) ({len = _, data}: "
            + t
            + " [n] a) = "
            + t
            + "_of (map f data)\n"
            + "def "
            + t
            + "_get 'a [n] (v: "
            + t
            + " [n] a) (other: a) (i: i64) ="
            + " at other v.data (i + v.len)\n\n");
    forms.add(
        (s, wanted, depth) -> {
          if (wanted.hasArrays() || wanted instanceof SourceType.Named) {
            return null;
          }
          String size = size(s);
          String x = name("v");
          SourceType from = small();
          Tree body = exp(s.with(x, from), wanted, depth);
          Tree array = exp(s, new SourceType.Array(from, size), depth);
          return Tree.of(
              wanted,
              t + "_get (" + t + "_map (\\" + x + " -> ",
              body,
              ") (" + t + "_of ",
              array,
              ")) ",
              exp(s, wanted, depth),
              " ",
              exp(s, Prim.I64, depth));
        });
    forms.add(
        (s, wanted, depth) -> {
          if (!(wanted instanceof SourceType.Array a) || !(a.element() instanceof Prim)) {
            return null;
          }
          Tree left = exp(s, wanted, depth);
          Tree right = exp(s, new SourceType.Array(p, a.size()), depth);
          return Tree.of(
              wanted,
              "(" + t + "_map (.0) (" + t + "_zip (" + t + "_of ",
              left,
              ") (" + t + "_of ",
              right,
              "))).data");
        });
  }

  /**
   * Adds functions that return functions, take functions as arguments, and store functions in
   * records.
   */
  void closures() {
    Prim p = prim();
    String e = p.text();
    String f = name("adder");
    String op = p == Prim.BOOL ? "x != y" : p.isFloat() ? "(x + y) % 97" : "x + 3 * y";
    head.append(
        "def "
            + f
            + " (x: "
            + e
            + ") : "
            + e
            + " -> "
            + e
            + " = \\y -> "
            + op
            + "\n"
            + "def "
            + f
            + "_rec (r: {f: "
            + e
            + " -> "
            + e
            + ", k: i64}) (x: "
            + e
            + ") : "
            + e
            + " = loop x for _i < r.k % 4 do r.f x\n"
            + "def "
            + f
            + "_op 'a (f: a -> a) (g: a -> a) : {f: a -> a, g: a -> a} ="
            + " {f = f >-> g, g = g >-> f}\n\n");
    forms.add(
        (s, wanted, depth) ->
            wanted != p
                ? null
                : switch (random.nextInt(4)) {
                  case 0 -> Tree.of(p, f + " ", exp(s, p, depth), " ", exp(s, p, depth));
                  case 1 -> {
                    String x = name("v");
                    yield Tree.of(
                        p,
                        f + "_rec {f = \\" + x + " -> ",
                        exp(s.with(x, p), p, depth),
                        ", k = ",
                        exp(s, Prim.I64, depth),
                        "} ",
                        exp(s, p, depth));
                  }
                  case 2 -> {
                    String h = name("h");
                    String x = name("v");
                    Tree left = exp(s, p, depth);
                    Tree body = exp(s.with(x, p), p, depth);
                    yield Tree.let(
                        h,
                        Tree.of(
                            new SourceType.Tuple(List.of(p, p)),
                            f + "_op (" + f + " ",
                            left,
                            ") (\\" + x + " -> ",
                            body,
                            ")"),
                        Tree.of(p, h + ".f (" + h + ".g ", exp(s, p, depth), ")"));
                  }
                  default -> {
                    String size = size(s);
                    Tree array = exp(s, new SourceType.Array(p, size), depth);
                    yield Tree.of(
                        p,
                        "fold (flip " + f + ") ",
                        exp(s, p, depth),
                        " (map (" + f + " ",
                        exp(s, p, depth),
                        ") ",
                        array,
                        ")");
                  }
                });
  }

  /** Adds functions whose results have existential sizes. */
  void existential() {
    Prim p = prim();
    String e = p.text();
    String f = name("some");
    String keep = p == Prim.BOOL ? "x" : p.isFloat() ? "x > 2" : "x % 3 != 0";
    head.append(
        "def "
            + f
            + " [n] (xs: [n]"
            + e
            + ") : []"
            + e
            + " = filter (\\x -> "
            + keep
            + ") xs\n"
            + "def "
            + f
            + "_at [n] (xs: [n]"
            + e
            + ") : ?[k].([k]"
            + e
            + ", [k]i64) =\n"
            + "  let ys = filter (\\(x, _) -> "
            + keep
            + ") (zip xs (indices xs)) in unzip ys\n"
            + "def "
            + f
            + "_grow (k: i64) (x: "
            + e
            + ") : []"
            + e
            + " =\n"
            + "  loop (ys: []"
            + e
            + ") = [x] for i < k % 5 do if i % 2 == 0 then ys ++ ys else ys ++ [x]\n\n");
    forms.add(
        (s, wanted, depth) -> {
          String k = name("k");
          String x = name("v");
          String y = name("v");
          SourceType.Array from = new SourceType.Array(p, size(s));
          SourceType.Array xs = new SourceType.Array(p, k);
          return switch (random.nextInt(3)) {
            case 0 -> {
              Tree made = Tree.of(from, f + " ", exp(s, from, depth));
              Tree body = exp(s.withSize(k).with(x, xs), wanted, depth);
              yield Tree.let("[" + k + "] (" + x + ": " + xs.text() + ")", made, body);
            }
            case 1 -> {
              Tree made = Tree.of(from, f + "_at ", exp(s, from, depth));
              Names inner = s.withSize(k).with(x, xs).with(y, new SourceType.Array(Prim.I64, k));
              Tree body = exp(inner, wanted, depth);
              yield Tree.let(
                  "[" + k + "] (" + x + ": " + xs.text() + ", " + y + ": [" + k + "]i64)",
                  made,
                  body);
            }
            default -> {
              Tree made =
                  Tree.of(from, f + "_grow ", exp(s, Prim.I64, depth), " ", exp(s, p, depth));
              Tree body = exp(s.withSize(k).with(x, xs), wanted, depth);
              yield Tree.let("[" + k + "] (" + x + ": " + xs.text() + ")", made, body);
            }
          };
        });
    forms.add(
        (s, wanted, depth) -> {
          if (wanted != Prim.I64) {
            return null;
          }
          SourceType.Array from = new SourceType.Array(p, size(s));
          return chance(0.5)
              ? Tree.of(wanted, "length (" + f + " ", exp(s, from, depth), ")")
              : Tree.of(wanted, "i64.sum (" + f + "_at ", exp(s, from, depth), ").1");
        });
  }

  /** Adds an abstract table with a type parameter, and opens its module. */
  void table() {
    String m = name("table");
    head.append(
        "module "
            + m
            + " : {\n"
            + "  type t [n] 'a\n"
            + "  val make 'a [n] : (i64 -> a) -> [n]i64 -> t [n] a\n"
            + "  val look 'a [n] : t [n] a -> a -> i64 -> a\n"
            + "  val map 'a 'b [n] : (a -> b) -> t [n] a -> t [n] b\n"
            + "} = {\n"
            + "  type t [n] 'a = ([n]i64, [n]a)\n"
            + "  def make 'a [n] (f: i64 -> a) (keys: [n]i64) : t [n] a = (keys, map f keys)\n"
            + "  def look 'a [n] ((keys, values): t [n] a) (other: a) (key: i64) : a =\n"
            + "    loop found = other for i < n do if keys[i] == key then values[i] else found\n"
            + "  def map 'a 'b [n] (f: a -> b) ((keys, values): t [n] a) : t [n] b = (keys, map f"
            + " values)\n"
            + "}\n\n");
    forms.add(
        (s, wanted, depth) -> {
          if (wanted.hasArrays() || wanted instanceof SourceType.Named) {
            return null;
          }
          String x = name("v");
          String y = name("v");
          SourceType middle = small();
          Tree keys = exp(s, new SourceType.Array(Prim.I64, size(s)), depth);
          Tree make = exp(s.with(x, Prim.I64), middle, depth);
          Tree over = exp(s.with(y, middle), wanted, depth);
          return Tree.of(
              wanted,
              m + ".look (" + m + ".map (\\" + y + " -> ",
              over,
              ") (" + m + ".make (\\" + x + " -> ",
              make,
              ") ",
              keys,
              ")) ",
              exp(s, wanted, depth),
              " ",
              exp(s, Prim.I64, depth));
        });
  }

  /** Adds nested modules, local definitions, and names that shadow other names. */
  void nested() {
    String m = name("outer");
    Prim p = integer();
    String e = p.text();
    int k = 1 + random.nextInt(5);
    head.append(
        "module "
            + m
            + " = {\n  local def k : "
            + e
            + " = "
            + k
            + "\n"
            + "  def f (x: "
            + e
            + ") = x + k\n"
            + "  module inner = {\n    def k : "
            + e
            + " = f k\n    def h (x: "
            + e
            + ") = f (x * k)\n"
            + "    type t = {x: "
            + e
            + ", y: sum_of}\n".replace("sum_of", e)
            + "    def make (x: "
            + e
            + ") : t = {x = h x, y = k}\n  }\n"
            + "  open inner\n  def g (x: "
            + e
            + ") = let t = make x in t.x - t.y\n}\n"
            + "module type "
            + m
            + "_s = { type t val make : "
            + e
            + " -> t val f : "
            + e
            + " -> "
            + e
            + " }\nmodule "
            + m
            + "_a = "
            + m
            + " : "
            + m
            + "_s\n\n");
    use(p, m + ".f", p);
    use(p, m + ".g", p);
    use(p, m + ".inner.h", p);
    SourceType.Named t = new SourceType.Named(m + "_a.t", "(" + m + "_a.make 1)", false);
    types.add(t);
    use(t, m + "_a.make", p);
  }
}
