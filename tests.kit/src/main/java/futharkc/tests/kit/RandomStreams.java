package futharkc.tests.kit;

import futharkc.core.ir.Program;
import futharkc.core.ir.text.Parser;
import futharkc.tests.kit.RandomBlock.Arr;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A generator of random programs of sequential streams, maps, scans and reductions. The operations
 * read each other's arrays and overwrite arrays that no later operation reads. The result does not
 * depend on the chunk sizes of the streams.
 *
 * <p>{@code main} takes a size, at least 1, two arrays of that many integers and one array of that
 * many pairs of integers. {@code main} may consume all three arrays.
 */
public final class RandomStreams {
  private final RandomGenerator random;
  private int names = 5;

  private final RandomBlock.Source source =
      new RandomBlock.Source() {
        @Override
        public int below(int n) {
          return random.nextInt(n);
        }

        @Override
        public String fresh(String base) {
          return base + "_" + names++;
        }
      };

  private final RandomBlock main = new RandomBlock("n_1", source);

  /** Creates a generator that draws from {@code random}. */
  public RandomStreams(RandomGenerator random) {
    this.random = random;
  }

  /** Returns a random program. */
  public Program program() {
    main.arrays.add(new Arr("as_2", false, "as_2"));
    main.arrays.add(new Arr("bs_3", false, "bs_3"));
    main.arrays.add(new Arr("ps_4", true, "ps_4"));
    for (int k = 2 + random.nextInt(7); k > 0; k--) {
      statement();
    }
    List<String> results = new ArrayList<>();
    List<String> declared = new ArrayList<>();
    for (Arr a : main.live()) {
      if (random.nextInt(3) == 0) {
        continue;
      }
      results.add(a.name());
      declared.add(source.fresh("res") + ": " + RandomBlock.type(a.pairs(), "n_1"));
    }
    for (String s : main.scalars) {
      results.add(s);
      declared.add(source.fresh("res") + ": i32");
    }
    return Parser.parse(
        "random",
        """
        #futhark-ir soacs v1

        fun main(n_1: i64, as_2: *[n_1]i32, bs_3: *[n_1]i32, ps_4: *[n_1][2i64]i32) -> (%s) = {
        %s  in %s
        }
        """
            .formatted(String.join(", ", declared), main.code, RandomBlock.braces(results)));
  }

  private void statement() {
    switch (random.nextInt(12)) {
      case 0, 1, 2, 3, 4 -> stream();
      case 5, 6, 7, 8 -> main.screma(true);
      case 9 -> main.view(true);
      case 10 -> main.overwrite();
      default -> lookUp(main);
    }
  }

  /** Adds a read of the first element of an array of the function. */
  private void lookUp(RandomBlock in) {
    List<Arr> arrays = main.live(false).stream().filter(a -> !in.dead.contains(a.root())).toList();
    if (arrays.isEmpty()) {
      return;
    }
    Arr of = main.pick(arrays);
    String x = source.fresh("x");
    in.line("let {%s: i32} = %s[0i64]".formatted(x, of.name()));
    in.scalars.add(x);
    if (in != main) {
      in.fixed.add(of.root());
    }
  }

  /** The accumulators of a stream: initial values, parameters, types and results. */
  private static final class Accs {
    final List<String> inits = new ArrayList<>();
    final List<String> params = new ArrayList<>();
    final List<String> types = new ArrayList<>();
    final List<String> results = new ArrayList<>();

    void add(String init, String param, String type, String result) {
      inits.add(init);
      params.add(param + ": " + type);
      types.add(type.replace("*", ""));
      results.add(result);
    }
  }

  private void stream() {
    List<Arr> inputs = new ArrayList<>();
    for (int k = 1 + random.nextInt(3); k > 0 && !main.live().isEmpty(); k--) {
      Arr input = main.pick(main.live());
      if (!inputs.contains(input)) {
        inputs.add(input);
      }
    }
    if (inputs.isEmpty()) {
      return;
    }
    var block = new RandomBlock(source.fresh("chunk"), source);
    block.scalars.addAll(main.scalars);
    block.dead.addAll(main.dead);
    List<String> params = new ArrayList<>();
    for (Arr in : inputs) {
      Arr chunk = new Arr(source.fresh("c"), in.pairs(), in.root());
      if (block.arrays.stream().anyMatch(a -> a.root().equals(in.root()))) {
        block.fixed.add(in.root());
      }
      block.arrays.add(chunk);
      params.add(chunk.name() + ": " + RandomBlock.type(chunk.pairs(), block.size));
    }
    Accs accs = new Accs();
    for (int k = random.nextInt(6); k > 0; k--) {
      inChunk(block, accs, inputs);
    }
    List<Arr> results = new ArrayList<>();
    for (int k = random.nextInt(3); k > 0 && !block.live().isEmpty(); k--) {
      results.add(block.pick(block.live()));
    }
    main.dead.addAll(block.dead);

    List<String> pat = new ArrayList<>();
    for (String type : accs.types) {
      String name = source.fresh("t");
      pat.add(name + ": " + type);
      if (type.equals("i32")) {
        main.scalars.add(name);
      } else if (type.startsWith("[n_1]")) {
        main.arrays.add(new Arr(name, !type.equals("[n_1]i32"), name));
      }
    }
    List<String> types = new ArrayList<>(accs.types);
    List<String> values = new ArrayList<>(accs.results);
    for (Arr r : results) {
      pat.add(main.define("zs", r.pairs()).name() + ": " + RandomBlock.type(r.pairs(), "n_1"));
      types.add(RandomBlock.type(r.pairs(), block.size));
      values.add(r.name());
    }
    List<String> all = new ArrayList<>(List.of(block.size + ": i64"));
    all.addAll(accs.params);
    all.addAll(params);
    List<String> names = inputs.stream().map(Arr::name).toList();
    main.line(
        "let %s = stream(n_1, %s, %s) \\%s -> %s {"
            .formatted(
                RandomBlock.braces(pat),
                RandomBlock.braces(names),
                RandomBlock.braces(accs.inits),
                RandomBlock.braces(all),
                RandomBlock.braces(types)));
    main.code.append(block.code);
    main.line("in " + RandomBlock.braces(values) + " }");
  }

  private void inChunk(RandomBlock block, Accs accs, List<Arr> inputs) {
    switch (random.nextInt(10)) {
      case 0, 1 -> block.screma(false);
      case 2 -> block.view(false);
      case 3 -> lookUp(block);
      case 4, 5 -> block.overwrite();
      case 6 -> total(block, accs);
      case 7 -> runningTotal(block, accs);
      case 8 -> lastPair(block, accs);
      default -> store(block, accs, inputs);
    }
  }

  private void total(RandomBlock block, Accs accs) {
    if (block.live(false).isEmpty()) {
      return;
    }
    String op = block.op();
    String part = source.fresh("part");
    String x = source.fresh("x");
    block.line(
        ("let {%s: i32} = screma(%s, {%s}) map \\{%s: i32} -> {i32} {in {%s}} reduce%s"
                + " post \\{} -> {} {in {}}")
            .formatted(
                part, block.size, block.pick(block.live(false)).name(), x, x, block.operator(op)));
    String acc = source.fresh("acc");
    String next = source.fresh("next");
    block.line("let {%s: i32} = %s(%s, %s)".formatted(next, op, acc, part));
    accs.add(main.scalar(), acc, "i32", next);
  }

  /** Adds a scan of the chunk that continues the scan of the previous chunk. */
  private void runningTotal(RandomBlock block, Accs accs) {
    if (block.live(false).isEmpty()) {
      return;
    }
    String op = block.op();
    String acc = source.fresh("acc");
    String x = source.fresh("x");
    String s = source.fresh("s");
    String y = source.fresh("y");
    String of = block.pick(block.live(false)).name();
    String totals = block.define("totals", false).name();
    block.line(
        ("let {%s: [%s]i32} = screma(%s, {%s}) map \\{%s: i32} -> {i32} {in {%s}} scan%s"
                + " post \\{%s: i32} -> {i32} { let {%s: i32} = %s(%s, %s) in {%s} }")
            .formatted(
                totals, block.size, block.size, of, x, x, block.operator(op), s, y, op, acc, s, y));
    accs.add(main.scalar(), acc, "i32", last(block, totals, "", "i32"));
  }

  private String last(RandomBlock block, String array, String rest, String type) {
    String at = source.fresh("at");
    String next = source.fresh("next");
    block.line("let {%s: i64} = sub_i64(%s, 1i64)".formatted(at, block.size));
    block.line("let {%s: %s} = %s[%s%s]".formatted(next, type, array, at, rest));
    return next;
  }

  /** Adds an accumulator that keeps a view of the chunk's last pair. */
  private void lastPair(RandomBlock block, Accs accs) {
    List<Arr> pairs = block.consumable().stream().filter(Arr::pairs).toList();
    if (pairs.isEmpty()) {
      return;
    }
    Arr of = block.pick(pairs);
    String next = last(block, of.name(), ", 0i64 :+ 2i64 * 1i64", "[2i64]i32");
    String none = source.fresh("none");
    main.line("let {%s: [2i64]i32} = replicate([2i64], 7i32)".formatted(none));
    accs.add(none, source.fresh("acc"), "[2i64]i32", next);
    block.fixed.add(of.root());
  }

  /**
   * Adds an accumulator array, overwrites its slice for this chunk, and reads this slice as a new
   * array.
   */
  private void store(RandomBlock block, Accs accs, List<Arr> inputs) {
    if (block.live().isEmpty()) {
      return;
    }
    Arr of = block.pick(block.live());
    List<Arr> into =
        main.live(of.pairs()).stream()
            .filter(a -> !block.dead.contains(a.root()) && !block.fixed.contains(a.root()))
            .filter(a -> inputs.stream().noneMatch(i -> i.root().equals(a.root())))
            .filter(a -> !accs.inits.contains(a.name()))
            .toList();
    if (into.isEmpty()) {
      return;
    }
    Arr target = main.pick(into);
    String at = source.fresh("at");
    String next = source.fresh("next");
    String acc = source.fresh("acc");
    String updated = source.fresh("updated");
    String part = source.fresh("part");
    String rest = of.pairs() ? ", 0i64 :+ 2i64 * 1i64" : "";
    String slice = "[%s :+ %s * 1i64%s]".formatted(at, block.size, rest);
    String whole = RandomBlock.type(of.pairs(), "n_1");
    block.line("let {%s: i64} = add_i64(%s, %s)".formatted(next, at, block.size));
    block.line("let {%s: %s} = %s with %s = %s".formatted(updated, whole, acc, slice, of.name()));
    block.line(
        "let {%s: %s} = %s%s"
            .formatted(part, RandomBlock.type(of.pairs(), block.size), updated, slice));
    block.arrays.add(new Arr(part, of.pairs(), part));
    block.fixed.add(part);
    block.dead.add(target.root());
    accs.add("0i64", at, "i64", next);
    accs.add(target.name(), acc, "*" + whole, updated);
  }
}
