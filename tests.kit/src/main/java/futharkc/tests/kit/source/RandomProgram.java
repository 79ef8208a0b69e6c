package futharkc.tests.kit.source;

import futharkc.tests.kit.source.SourceScope.Fun;
import futharkc.tests.kit.source.Ty.Prim;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A random well-typed program with the entry point {@code main}. What it does is determined:
 * indices that are written twice get equal values, sums are exact, operators are associative.
 *
 * @param tree its text
 */
public record RandomProgram(Tree tree) {
  /**
   * A parameter of {@code main}; the first ones are the sizes of the others.
   *
   * @param unique whether it is consumed
   */
  public record Param(String name, Ty type, boolean unique) {}

  /** What programs use, if they do. */
  private static final String PRELUDE =
      """
      def twice 't (f: t -> t) (x: t) : t = f (f x)
      type some = #none | #one i64 | #two i64 bool
      module bag : {
        type~ t
        val none : () -> t
        val add : t -> i64 -> t
        val total : t -> i64
        val size : t -> i64
        val first : i64 -> t -> i64
      } = {
        type~ t = {items: []i64}
        def none () : t = {items = []}
        def add (b: t) (x: i64) : t = {items = b.items ++ [x]}
        def total (b: t) = reduce (+) 0 b.items
        def size (b: t) = length b.items
        def first (i: i64) (b: t) = if length b.items > i then b.items[i] else 0
      }

      """;

  /** How many functions a program has beside {@code main}: {@code f1} and {@code f2}. */
  private static final int MOST_FUNCTIONS = 2;

  private static final Ty VECTOR = new Ty.Array(Prim.I64, "n");
  private static final Ty MATRIX = new Ty.Array(new Ty.Array(Prim.I64, "m"), "n");

  /** The parameters of {@code main}, the same ones in all programs. */
  public static final List<Param> PARAMS =
      List.of(
          new Param("n", Prim.I64, false),
          new Param("m", Prim.I64, false),
          new Param("x", Prim.I64, false),
          new Param("y", Prim.F64, false),
          new Param("p", new Ty.Array(Prim.BOOL, "n"), false),
          new Param("f", new Ty.Array(Prim.F64, "m"), false),
          new Param("c", new Ty.Array(Prim.I32, "n"), false),
          new Param("u", new Ty.Array(Prim.U8, "n"), false),
          new Param("h", new Ty.Array(Prim.F32, "m"), false),
          new Param("d", new Ty.Array(Prim.I64, "m"), true),
          new Param("e", MATRIX, true),
          new Param("a", VECTOR, false),
          new Param("b", VECTOR, true));

  /**
   * Makes a program.
   *
   * @param size about how many statements its main function has
   */
  public static RandomProgram of(long seed, int size) {
    Random random = new Random(seed * 0x9E3779B97F4A7C15L + 1);
    random.nextInt();
    RandomStatements statements = new RandomStatements(random);
    SourceScope.Counter counter = new SourceScope.Counter();
    List<Fun> funs = new ArrayList<>();
    List<Object> parts = new ArrayList<>();
    parts.add(PRELUDE);
    for (int i = random.nextInt(MOST_FUNCTIONS + 1); i > 0; i--) {
      SourceScope s = SourceScope.top(counter, funs);
      Fun f = signature("f" + i, statements.exps);
      parts.add(statements.function(s, f, enter(s, f), 1 + random.nextInt(3), 1));
      funs.add(f);
    }
    SourceScope s = SourceScope.top(counter, funs);
    for (Param p : PARAMS) {
      s.add(p.name(), p.type(), p.unique() ? s.fresh() : s.foreign());
    }
    s.sizes.addAll(List.of("n", "m"));
    parts.add(statements.main(s, PARAMS, 1 + random.nextInt(size)));
    return new RandomProgram(Tree.piece(parts.toArray()));
  }

  private static Fun signature(String name, Expressions exps) {
    Random random = exps.random;
    List<Ty> params = new ArrayList<>();
    List<Boolean> unique = new ArrayList<>();
    // Each size parameter is the size of an argument.
    params.add(new Ty.Array(exps.prim(), "p"));
    params.add(new Ty.Array(exps.prim(), "q"));
    params.add(exps.prim());
    if (random.nextBoolean()) {
      params.add(new Ty.Array(new Ty.Array(exps.prim(), "q"), "p"));
    }
    for (Ty t : params) {
      unique.add(t.hasArrays() && random.nextInt(3) == 0);
    }
    Ty array = random.nextBoolean() ? params.getFirst() : params.getLast();
    Ty result =
        switch (random.nextInt(3)) {
          case 0 -> exps.prim();
          case 1 -> array;
          default -> new Ty.Tuple(List.of(exps.prim(), new Ty.Array(exps.prim(), "p")));
        };
    return new Fun(name, List.of("p", "q"), params, unique, result, random.nextBoolean());
  }

  private static List<String> enter(SourceScope s, Fun f) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < f.params().size(); i++) {
      String name = s.name();
      names.add(name);
      s.add(name, f.params().get(i), f.unique().get(i) ? s.fresh() : s.foreign());
    }
    s.sizes.addAll(f.sizes());
    for (String size : f.sizes()) {
      s.add(size, Prim.I64, java.util.Set.of());
    }
    return names;
  }

  /** Its source text. */
  public String text() {
    return tree.text();
  }

  /**
   * One program whose entry points {@code main_0}, {@code main_1} … are the programs' main ones.
   */
  public static String together(List<RandomProgram> programs) {
    StringBuilder out = new StringBuilder(PRELUDE);
    for (int i = 0; i < programs.size(); i++) {
      String own = programs.get(i).text().substring(PRELUDE.length());
      out.append(
          own.replaceAll("\\bf([1-" + MOST_FUNCTIONS + "])\\b", "f$1_" + i)
              .replaceFirst("(?m)^def main ", "entry main_" + i + " "));
      out.append("\n");
    }
    return out.toString();
  }
}
