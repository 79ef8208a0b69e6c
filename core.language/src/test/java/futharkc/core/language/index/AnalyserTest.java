package futharkc.core.language.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.Loc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of the index of names and types. */
class AnalyserTest {
  private static final String MAIN = "main.fut";

  private final Analyser analyser = new Analyser();
  private final Map<String, String> files = new HashMap<>();

  private Analyser.Analysis analyse(String text) {
    files.put(MAIN, text);
    return analyser.analyse(MAIN, files::get, () -> false);
  }

  /** Returns the position of the n-th occurrence of a word in the main file, counted from 1. */
  private Loc position(String word, int n) {
    String text = files.get(MAIN);
    int at = -1;
    for (int i = 0; i < n; i++) {
      at = text.indexOf(word, at + 1);
      assertTrue(at >= 0, word);
    }
    String before = text.substring(0, at);
    int line = (int) before.chars().filter(c -> c == '\n').count() + 1;
    int column = at - before.lastIndexOf('\n');
    return new Loc(MAIN, line, column, line, column + word.length());
  }

  private Symbol symbol(ProgramIndex index, String word, int n) {
    Loc at = position(word, n);
    return index.occurrenceAt(MAIN, at.line(), at.column()).orElseThrow().symbol();
  }

  private static String locs(List<Occurrence> occurrences) {
    return occurrences.stream()
        .map(o -> o.loc().line() + ":" + o.loc().column())
        .collect(Collectors.joining(" "));
  }

  @Test
  void localNamesAreResolvedByScope() {
    ProgramIndex index =
        analyse(
                """
                def f [n] (x: [n]i32) : [n]i32 =
                  let y = x
                  let x = map (\\x -> x + 1) y
                  let x[0] = 2
                  in loop x for i < 3 do map (+ x[i]) x
                def g 'a (x: a) = f
                """)
            .index();
    assertEquals("1:12 2:11", locs(index.occurrences(symbol(index, "x", 1))));
    assertEquals(
        "3:7 4:7 5:11 5:33 5:39", locs(index.occurrences(symbol(index, "x[", 1))));
    assertEquals("1:5 6:19", locs(index.occurrences(symbol(index, "f [n]", 1))));
    assertEquals("1:8 1:16 1:26", locs(index.occurrences(symbol(index, "n]", 1))));
    assertEquals("6:8 6:14", locs(index.occurrences(symbol(index, "a (x", 1))));
    assertEquals("[n]i32 -> [n]i32", index.typeOf(symbol(index, "f [n]", 1)).orElseThrow());
    assertEquals("[n]i32", index.typeOf(symbol(index, "y", 1)).orElseThrow());
    assertEquals("[n]", index.parametersOf(symbol(index, "f [n]", 1)));
  }

  @Test
  void modulesAndTheirTypesShareNames() {
    files.put("lib.fut", "module type s = { type t val op : t -> t }\ndef one = 1i32");
    ProgramIndex index =
        analyse(
                """
                import "lib"
                module m : s with t = i32 = { type t = i32 def op (x: t) = x }
                module f (p: s) = { def twice (x: p.t) = p.op (p.op x) }
                module inst = f { type t = i64 def op (x: i64) = x }
                def main = inst.twice 1 + i64.i32 (m.op one)
                def sum = f32.sum
                """)
            .index();
    assertEquals(
        "1:30 2:48 3:44 3:50 4:36 5:38",
        locs(index.occurrences(symbol(index, "op", 1))));
    assertEquals("3:25 5:17", locs(index.occurrences(symbol(index, "twice", 1))));
    Symbol one = symbol(index, "one", 1);
    assertEquals("lib.fut:2:5-8", one.nameLoc().toString());
    assertEquals(
        List.of("value twice"),
        index.members(symbol(index, "inst", 1)).stream()
            .map(s -> s.kind().text() + " " + s.name())
            .toList());
    assertTrue(symbol(index, "sum", 2).isBuiltin());
    assertEquals(
        "[module m, module f, module inst, value main, value sum]",
        index.outline(MAIN).stream()
            .map(o -> o.symbol().kind().text() + " " + o.symbol().name())
            .toList()
            .toString());
  }

  @Test
  void fieldsAreShorthandsForVariables() {
    ProgramIndex index =
        analyse(
                """
                def f (r: {x: i32, y: {z: bool}}) =
                  let {x, y} = r
                  in ({x, z = y}, r.x)
                """)
            .index();
    List<Occurrence> x = index.occurrences(symbol(index, "x", 2));
    assertEquals("2:8 3:8", locs(x));
    assertTrue(x.stream().allMatch(o -> o.role().isField()));
    Symbol r = symbol(index, "r", 1);
    assertEquals("{x=i32, y={z: bool}}", index.fieldsOf(r, List.of()).toString());
    assertEquals("{z=bool}", index.fieldsOf(r, List.of("y")).toString());
    assertEquals("{}", index.fieldsOf(r, List.of("x")).toString());
    Loc pair = position("({x", 1);
    assertEquals("{0={x: i32, z: {z: bool}}, 1=i32}", index.fieldsAt(MAIN, 3, pair.endColumn() + 14).toString());
    assertEquals("i32", index.typeAt(MAIN, 3, pair.column() + 15).orElseThrow().type());
  }

  @Test
  void visibleNamesDependOnThePosition() {
    ProgramIndex index =
        analyse(
                """
                def before = 1
                def f (param: i32) =
                  let inner = 2
                  let later = 3
                  in inner
                def after = 1
                """)
            .index();
    Loc at = position("3\n", 1);
    List<String> visible =
        index.visibleAt(MAIN, at.line(), at.column()).stream().map(Symbol::name).toList();
    assertTrue(visible.containsAll(List.of("inner", "param", "f", "before", "map")));
    assertFalse(visible.contains("later"));
    assertFalse(visible.contains("after"));
  }

  @Test
  void unchangedFilesAreKept() {
    files.put("lib.fut", "def one = 1i32");
    ProgramIndex first = analyse("import \"lib\"\ndef main = one").index();
    assertEquals("i32", first.typeOf(symbol(first, "main", 1)).orElseThrow());
    ProgramIndex second = analyse("import \"lib\"\ndef main = one + one").index();
    assertEquals("i32", second.typeOf(symbol(second, "one", 2)).orElseThrow());
    files.put("lib.fut", "def one = 1i64");
    ProgramIndex third = analyse("import \"lib\"\ndef main = one + one").index();
    assertEquals("i64", third.typeOf(symbol(third, "main", 1)).orElseThrow());
    files.put("lib.fut", "def one = true");
    assertFalse(analyse("import \"lib\"\ndef main = one + one").isAccepted());
    files.remove("lib.fut");
    assertEquals(
        "E0201", analyse("import \"lib\"\ndef main = one").diagnostics().getFirst().code());
  }

  /** A check after changes must report what a first check reports. */
  @Test
  void resultsDoNotDependOnEarlierChecks() {
    files.put(
        "lib.fut",
        "module type s = { type t val x : t }\nmodule f (p: s) = { type u = p.t def y = p.x }");
    List<String> programs =
        List.of(
            "import \"lib\"\nmodule m = f { type t = i32 def x = 1i32 }\ndef main = m.y",
            "import \"lib\"\nmodule m = f { type t = i32 def x = 1i64 }\ndef main = m.y",
            "import \"lib\"\nmodule m = f { type t = i64 def x = 1i64 }\ndef main = m.y + 1i64",
            "import \"lib\"\nmodule m = f { type t = i64 def x = 1i64 }\ndef main = m.y + true",
            "import \"lib\"\nmodule m = f { type t = bool def x = true }\ndef main = m.z",
            "import \"lib\"\ndef main = (",
            "def main (x: i32) = y",
            "import \"lib\"\nmodule m = f { type t = i32 def x = 1i32 }\ndef main = m.y");
    for (String program : programs) {
      List<String> incremental = messages(analyse(program));
      List<String> fresh =
          messages(new Analyser().analyse(MAIN, files::get, () -> false));
      assertEquals(fresh, incremental, program);
    }
  }

  private static List<String> messages(Analyser.Analysis analysis) {
    return analysis.diagnostics().stream().map(d -> d.loc() + " " + d.message()).toList();
  }

  @Test
  void checksAreCancelled() {
    files.put(MAIN, "def f = 1\ndef g = 2");
    List<Integer> calls = new ArrayList<>();
    assertThrows(
        CancellationException.class,
        () ->
            analyser.analyse(
                MAIN,
                files::get,
                () -> {
                  calls.add(1);
                  return calls.size() > 1;
                }));
    assertTrue(analyse("def f = 1\ndef g = 2").isAccepted());
  }

  @Test
  void namesOfBrokenProgramsAreResolved() {
    ProgramIndex index = analyse("def f x = x\ndef g = (\ndef h = f f").index();
    assertEquals("1:5 3:9 3:11", locs(index.occurrences(symbol(index, "f x", 1))));
    assertSame(
        symbol(index, "f x", 1), index.visibleAt(MAIN, 3, 9).stream()
            .filter(s -> s.name().equals("f"))
            .findFirst()
            .orElseThrow());
  }

  @Test
  void newNamesReachAllFiles() {
    files.put("lib.fut", "module type s = { val op : i32 }\ndef one = {op = 1i32}.op");
    ProgramIndex index =
        analyse(
                """
                import "lib"
                module m : s = { def op = one }
                def f {op: i32} = {op}
                def g (r: {op: i32}) = let {op} = r in {op}
                """)
            .index();
    Renaming renaming =
        Renaming.of(index, symbol(index, "op", 1), "value", MAIN, files::get);
    assertEquals(
        "module type s = { val value : i32 }\ndef one = {op = 1i32}.op",
        Renaming.apply(files.get("lib.fut"), renaming.edits().get("lib.fut")));
    assertTrue(
        Renaming.apply(files.get(MAIN), renaming.edits().get(MAIN))
            .contains("def value = one }\ndef f {op: i32}"));
    Renaming field = Renaming.of(index, symbol(index, "op", 5), "w", MAIN, files::get);
    assertTrue(
        Renaming.apply(files.get(MAIN), field.edits().get(MAIN))
            .contains("let {op = w} = r in {op = w}"));
    Renaming typed = Renaming.of(index, symbol(index, "op", 2), "w", MAIN, files::get);
    assertTrue(
        Renaming.apply(files.get(MAIN), typed.edits().get(MAIN))
            .contains("def f {op = w: i32} = {op = w}"));
  }

  @Test
  void clashesOfNewNamesAreRefused() {
    ProgramIndex index =
        analyse("def a = 1\ndef f (b: i32) = a + b\nmodule m : numeric = i32").index();
    assertThrows(
        Renaming.RefusedException.class,
        () -> Renaming.of(index, symbol(index, "a", 1), "b", MAIN, files::get));
    assertThrows(
        Renaming.RefusedException.class,
        () -> Renaming.of(index, symbol(index, "a", 1), "in", MAIN, files::get));
    assertThrows(
        Renaming.RefusedException.class,
        () -> Renaming.of(index, symbol(index, "numeric", 1), "number", MAIN, files::get));
    Renaming.of(index, symbol(index, "a", 1), "c", MAIN, files::get);
  }

  /** Renames a random symbol of each program; the checker must then report the same. */
  @Test
  void programsAcceptNewNames() throws IOException {
    Random random = new Random(1);
    int renamed = 0;
    for (Path file : programs()) {
      String path = file.toString();
      Function<String, @Nullable String> reader = AnalyserTest::read;
      Analyser.Analysis before = new Analyser().analyse(path, reader, () -> false);
      List<Occurrence> occurrences = before.index().occurrences(path);
      if (!before.isAccepted() || occurrences.isEmpty()) {
        continue;
      }
      Symbol symbol = occurrences.get(random.nextInt(occurrences.size())).symbol();
      Map<String, String> changed = new HashMap<>();
      try {
        Renaming.of(before.index(), symbol, "renamed", path, reader)
            .edits()
            .forEach((p, list) -> changed.put(p, Renaming.apply(read(p), list)));
      } catch (Renaming.RefusedException e) {
        continue;
      }
      renamed++;
      Analyser.Analysis after =
          new Analyser()
              .analyse(path, p -> changed.containsKey(p) ? changed.get(p) : read(p), () -> false);
      assertTrue(after.isAccepted(), () -> symbol + "\n" + after.diagnostics() + changed);
    }
    assertTrue(renamed > 5, renamed + " symbols");
  }

  private static List<Path> programs() throws IOException {
    Path folder = Path.of(System.getProperty("index.programs", "../examples"));
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(p -> p.toString().endsWith(".fut") && !p.toString().contains("/target/"))
          .filter(p -> !p.toString().contains("/main/resources/"))
          .sorted()
          .toList();
    }
  }

  private static @Nullable String read(String path) {
    try {
      return Files.isRegularFile(Path.of(path)) ? Files.readString(Path.of(path)) : null;
    } catch (IOException e) {
      return "";
    }
  }
}
