package futharkc.tests.kit.source;

import futharkc.tests.kit.source.SourceScope.Fun;
import futharkc.tests.kit.source.SourceType.Prim;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A random well-typed program with the entry point {@code main}. Its result is deterministic:
 * duplicate indices of a write have equal values, sums are exact, and operators are associative.
 *
 * @param tree the syntax tree
 */
public record RandomProgram(Tree tree) {
  /**
   * A parameter of {@code main}; the first parameters are the sizes of the later ones.
   *
   * @param unique true if {@code main} consumes the argument
   */
  public record Param(String name, SourceType type, boolean unique) {}

  /** Definitions that a program may use; unused ones are harmless. */
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

  /** The maximal number of functions besides {@code main}: {@code f1} and {@code f2}. */
  private static final int MOST_FUNCTIONS = 2;

  private static final SourceType VECTOR = new SourceType.Array(Prim.I64, "n");
  private static final SourceType MATRIX =
      new SourceType.Array(new SourceType.Array(Prim.I64, "m"), "n");

  /** The parameters of {@code main}, equal in all programs. */
  public static final List<Param> PARAMS =
      List.of(
          new Param("n", Prim.I64, false),
          new Param("m", Prim.I64, false),
          new Param("x", Prim.I64, false),
          new Param("y", Prim.F64, false),
          new Param("p", new SourceType.Array(Prim.BOOL, "n"), false),
          new Param("f", new SourceType.Array(Prim.F64, "m"), false),
          new Param("c", new SourceType.Array(Prim.I32, "n"), false),
          new Param("u", new SourceType.Array(Prim.U8, "n"), false),
          new Param("h", new SourceType.Array(Prim.F32, "m"), false),
          new Param("d", new SourceType.Array(Prim.I64, "m"), true),
          new Param("e", MATRIX, true),
          new Param("g", new SourceType.Array(Prim.I8, "n"), false),
          new Param("r", new SourceType.Array(Prim.U64, "m"), false),
          new Param("t", new SourceType.Array(Prim.U32, "n"), true),
          new Param("o", Prim.I16, false),
          new Param("a", VECTOR, false),
          new Param("b", VECTOR, true));

  /**
   * Returns the program of a seed.
   *
   * @param size the approximate number of statements of {@code main}
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
    List<SourceType> params = new ArrayList<>();
    List<Boolean> unique = new ArrayList<>();
    // Each size parameter must be the size of an argument.
    params.add(new SourceType.Array(exps.prim(), "p"));
    params.add(new SourceType.Array(exps.prim(), "q"));
    params.add(exps.prim());
    if (random.nextBoolean()) {
      params.add(new SourceType.Array(new SourceType.Array(exps.prim(), "q"), "p"));
    }
    for (SourceType t : params) {
      unique.add(t.hasArrays() && random.nextInt(3) == 0);
    }
    SourceType array = random.nextBoolean() ? params.getFirst() : params.getLast();
    SourceType result =
        switch (random.nextInt(3)) {
          case 0 -> exps.prim();
          case 1 -> array;
          default ->
              new SourceType.Tuple(List.of(exps.prim(), new SourceType.Array(exps.prim(), "p")));
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

  /** Returns the source text. */
  public String text() {
    return tree.text();
  }

  /**
   * Returns the text of one program with the entry points {@code main_0}, {@code main_1} …, one for
   * the {@code main} of each program.
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
