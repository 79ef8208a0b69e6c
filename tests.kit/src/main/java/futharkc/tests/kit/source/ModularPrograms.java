package futharkc.tests.kit.source;

import futharkc.tests.kit.source.SourceType.Prim;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A generator of random programs that exercise the front end more than the passes. The programs
 * have parametric modules, abstract and size-lifted types, sums and records, polymorphic and
 * higher-order functions, and sizes known only at run time. Several entry points pass values of
 * opaque types to each other. Results are deterministic: numbers are integers and operators are
 * associative.
 */
public final class ModularPrograms extends ModularUnits {
  private ModularPrograms(Random random) {
    super(random);
  }

  /**
   * Returns the program of a seed.
   *
   * @param size the approximate depth of its expressions
   */
  public static RandomProgram of(long seed, int size) {
    Random random = new Random(seed * 0x9E3779B97F4A7C15L + 3);
    random.nextInt();
    return new ModularPrograms(random).program(size);
  }

  private RandomProgram program(int depth) {
    head.append(
        """
        def at 't [n] (other: t) (xs: [n]t) (i: i64) : t =
          if n == 0 then other else xs[i % n]
        def choose 't (c: bool) (x: t) (y: t) : t = if c then x else y
        def both '^a '^b 'c (f: a -> c) (g: b -> c) (op: c -> c -> c) (x: a) (y: b) : c =
          f x `op` g y
        def fold 'a 'b [n] (f: a -> b -> a) (start: a) (xs: [n]b) : a =
          loop acc = start for x in xs do f acc x
        def times 't (k: i64) (f: t -> t) (x: t) : t = loop y = x for _i < k do f y
        def pairs 'a 'b [n] [m] (xs: [n]a) (ys: [m]b) : [n * m](a, b) =
          flatten (map (\\x -> map (\\y -> (x, y)) ys) xs)

        """);
    int sumTypes = 1 + random.nextInt(2);
    for (int i = 0; i < sumTypes; i++) {
      sum();
    }
    List<Runnable> units =
        new ArrayList<>(
            List.of(
                this::stack,
                this::ring,
                this::vector,
                this::closures,
                this::existential,
                this::table,
                this::nested));
    java.util.Collections.shuffle(units, random);
    units.subList(0, 2 + random.nextInt(3)).forEach(Runnable::run);
    List<Object> parts = new ArrayList<>();
    parts.add(head.toString());
    for (int i = random.nextInt(3); i > 0; i--) {
      parts.add(function(depth));
    }
    int entries = 1 + random.nextInt(3);
    for (int i = 0; i < entries; i++) {
      parts.add(conversion(depth));
    }
    parts.add(main(depth));
    return new RandomProgram(Tree.piece(parts.toArray()));
  }

  /** Adds a function that later functions may call. */
  private Tree function(int depth) {
    String f = name("fun");
    SourceType a = small();
    SourceType b = value(List.of("p"), 1);
    SourceType result = value(List.of("p"), 1);
    Names s = new Names(List.of(), List.of()).withSize("p").with("a", a).with("b", b);
    SourceType array = new SourceType.Array(prim(), "p");
    s = s.with("c", array);
    Tree body = exp(s, result, depth);
    String text =
        "def " + f + " [p] (a: " + a.text() + ") (b: " + b.text() + ") (c: " + array.text() + ")";
    if (!mentions(result, "p") && !mentions(b, "p")) {
      forms.add(
          (u, wanted, d) -> {
            if (!wanted.equals(result)) {
              return null;
            }
            SourceType.Array given =
                new SourceType.Array(((SourceType.Array) array).element(), size(u));
            return Tree.of(wanted, f + " ", exp(u, a, d), " ", exp(u, b, d), " ", exp(u, given, d));
          });
    }
    return Tree.piece(text + " : " + result.text() + " =\n  ", body, "\n\n");
  }

  private static boolean mentions(SourceType t, String size) {
    return t.text().contains("[" + size + "]");
  }

  /** Adds an entry point that converts one opaque type to another. */
  private Tree conversion(int depth) {
    List<String> none = List.of("n");
    SourceType a = chance(0.7) ? one(types) : value(none, 2);
    SourceType result = chance(0.7) ? one(types) : value(none, 2);
    Names s = new Names(List.of(), List.of()).withSize("n");
    SourceType array = new SourceType.Array(prim(), "n");
    s = s.with("xs", array).with("a", a);
    String params = " [n] (xs: " + array.text() + ") (a: " + a.text() + ")";
    if (a instanceof SourceType.Named && chance(0.3)) {
      params = " [n] (xs: " + array.text() + ")";
      s = new Names(List.of(), List.of()).withSize("n").with("xs", array);
    }
    Tree body = exp(s, result, depth);
    return Tree.piece(
        "entry " + name("e") + params + " : " + result.text() + " =\n  ", body, "\n\n");
  }

  private Tree main(int depth) {
    Names s = new Names(List.of(), List.of()).withSize("n").withSize("m");
    StringBuilder params = new StringBuilder("entry main (n: i64) (m: i64)");
    List<SourceType> given = new ArrayList<>();
    given.add(new SourceType.Array(Prim.I64, "n"));
    given.add(new SourceType.Array(prim(), "n"));
    given.add(new SourceType.Array(prim(), "m"));
    given.add(new SourceType.Array(new SourceType.Array(prim(), "m"), "n"));
    given.add(prim());
    given.add(new SourceType.Array(new SourceType.Tuple(List.of(prim(), prim())), "n"));
    given.add(new SourceType.Fields(List.of(prim(), new SourceType.Array(prim(), "m"))));
    given.add(sums.getFirst().type());
    for (SourceType t : given) {
      String x = name("x");
      params.append(" (").append(x).append(": ").append(t.text()).append(")");
      s = s.with(x, t);
    }
    List<Object> parts = new ArrayList<>();
    parts.add(params + " =\n  (");
    int n = 2 + random.nextInt(3);
    for (int i = 0; i < n; i++) {
      if (i > 0) {
        parts.add(",\n   ");
      }
      parts.add(exp(s, value(s.sizes(), 2), depth));
    }
    parts.add(")\n");
    return Tree.piece(parts.toArray());
  }
}
