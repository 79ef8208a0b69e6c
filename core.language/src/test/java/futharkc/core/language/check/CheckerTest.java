package futharkc.core.language.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.language.Diagnostic;
import futharkc.core.language.DiagnosticException;
import futharkc.core.language.frontend.FrontEnd;
import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Program;
import futharkc.core.language.typed.Type;
import futharkc.core.language.typed.ValDef;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the type checker on small programs. */
class CheckerTest {
  private static Program check(String text) {
    Program p = FrontEnd.check(FrontEnd.Options.text("test.fut", text)).program();
    assertEquals(List.of(), TreeVerifier.verify(p));
    return p;
  }

  private static ValDef main(String text) {
    return check(text).entryPoints().get(0).def();
  }

  /** Returns the type of the only entry point, without unique marks. */
  private static String type(String text) {
    return TypePrinter.show(main(text).type()).replace("*", "");
  }

  private static void rejected(String text, String... fragments) {
    var e =
        assertThrows(
            DiagnosticException.class,
            () -> FrontEnd.check(FrontEnd.Options.text("test.fut", text)));
    for (String f : fragments) {
      assertTrue(e.getMessage().contains(f), e.getMessage());
    }
  }

  @Test
  void infersTypesOfLiteralsFromTheirUse() {
    assertEquals("f32 -> f32", type("def main (x: f32) = 2 * x + 1"));
    assertEquals("i64 -> bool", type("def main (x: i64) = x == 3 && x < 4"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "def main (x: i32) (y: i64) = x + y | \"i32.i64\" converts i64 to i32.",
        "def main (xs: []f32) = f32.sum xs / length xs | \"f32.i64\" converts i64 to f32.",
        "def main (x: int) = x | Integers are i8",
        "def main (x: double) = x | Floats are f16, f32 and f64.",
        "def main (x: f32) = sqrt x | for example \"f64.sqrt\".",
        "def main (x: i32) = x /= 0 | Inequality is written",
        "def main (x: i32) = mod x 2 | The remainder is written",
        "def main (x: i32) = return x | there is no \"return\"",
        "def main (x: i32) = let y = x; in y | Delete it",
        "def main (x: i32) = if x = 0 then 1 else 2 | Equality is written '=='.",
        "def main (x: i32) = redcue x | Did you mean \"reduce\"?",
        "def main (f: i32 -> i32) = f -1 | \"f (-1)\"",
        "def main (xs: []i32) = map (+) xs xs | Use \"map2\" for 2 arrays.",
        "def main (xs: []i32) = zip xs xs xs | Use \"zip3\" for 3 arrays.",
        "def main (xs: []i32) = map (fn x -> x + 1) xs | is written '\\x -> ..'",
        "def main (xs: []i32) = map (x => x + 1) xs | is written \"\\x -> ..\"",
        "`def main (xs: []i32) = xs | map (+ 1)` | \"x |> f\" applies",
        "def main (xs: []i32) = xs.length | \"length x\"",
        "def main (x: i32) = f32(x) | \"f32.i32\" converts",
        "def main (x: bool) = x and x | is written \"x && y\".",
        "def main (x: i32) = if x > 0 then 1 elif x < 0 then 2 else 3 | 'else if'",
        "def main (x: i32) = i32.sum $ [x] | \"f <| e\"",
        "def main (x: i32) = x > 0 ? 1 : 2 | 'if .. then .. else ..'",
        "func main(x: i32) -> i32 { x } | defined with 'def'",
        "data t = A | defined with 'type'",
      })
  void syntaxOfOtherLanguagesGetsAHint(String program, String hint) {
    rejected(program, hint);
  }

  @Test
  void anErrorOfATypeIsReportedOnce() {
    for (String program :
        List.of(
            "type t = foo def f (x: t) : t = x def g (x: t) = f x + 1 def main (x: i32) = g x + x",
            "type t = foo type u [n] = {a: [n]t} def main [n] (x: u [n]) = x.a[0] + n",
            "module type s = { type t = foo val f : t -> t }"
                + " module m : s = { type t = i32 def f (x: t) = x } def main (x: i32) = m.f x",
            "module type s = { type t = i32 val f : t -> t }"
                + " module m : s = { type t = foo def f (x: t) = x } def main (x: i32) = m.f x",
            "module m = { type t = foo def f (x: t) = x } def main (x: i32) = m.f x")) {
      var e =
          assertThrows(
              DiagnosticException.class,
              () -> FrontEnd.check(FrontEnd.Options.text("test.fut", program)));
      assertEquals(
          List.of("Unknown type \"foo\"."),
          e.diagnostics().stream().filter(Diagnostic::isError).map(Diagnostic::message).toList(),
          program);
    }
  }

  @Test
  void branchesDetermineParameterSizesOnlyIfRequired() {
    String ifs = "def main (xs: []i32) = if null xs then [1, 2, 3] else xs";
    assertEquals(List.of(), warnings(ifs));
    String fields = "def main (p: {a: []i32, b: []i32}) (c: bool) = if c then p.a else p.b";
    assertEquals(List.of(), warnings(fields));
    String cases = "def main (xs: []i32) (k: i32) = match k case 0 -> [1] case _ -> xs";
    assertEquals(List.of(), warnings(cases));
    String local =
        "def main (xs: []i32) = let f (ys: []i32) = if null ys then [1, 2] else ys"
            + " in length (f xs) + length (f [1, 2, 3])";
    assertEquals(List.of(), warnings(local));
    String must = "def main [n] (xs: [n]i32) (ys: []i32): [n]i32 = if n > 1 then xs else ys";
    assertEquals(1, warnings(must).size(), warnings(must)::toString);
    assertTrue(warnings(must).getFirst().contains("parameter as n,"), warnings(must)::toString);
  }

  private static List<String> warnings(String text) {
    return FrontEnd.check(FrontEnd.Options.text("test.fut", text)).warnings().stream()
        .map(Diagnostic::message)
        .toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "def main (x: i32) = let ~y~ = 1i32 in x",
        "def main (x: i32) = let ~y~ (z: i32) = z + 1 in x",
        "def main (x: i32) = loop z = x for ~y~ < 3 do z + 1",
        "def main (x: i32) = loop z = x for ~y~ in [1, 2] do z + 1",
        "def main (x: i32) = loop (z, ~y~) = (x, 1i32) for _i < 3 do (z + 1, 2)",
        "def main (x: i32) = (\\(~y~: i32) -> x) 2",
        "def main (x: i32) (~y~: i32) = x",
        "def main (x: i32) = match (x, 1i32) case (1, ~y~) -> x case _ -> 2",
      })
  void warningsOfUnusedNamesUnderlineTheNameAlone(String marked) {
    String text = marked.replace("~", "");
    var found = FrontEnd.check(FrontEnd.Options.text("test.fut", text)).warnings();
    assertEquals(List.of("Unused name \"y\"."), found.stream().map(Diagnostic::message).toList());
    int column = marked.indexOf('~') + 1;
    assertEquals(
        "test.fut:1:" + column + "-" + (column + 1), found.getFirst().loc().toString(), marked);
  }

  @Test
  void anUnknownNameIsOneErrorWithACount() {
    StringBuilder text = new StringBuilder("def main (x: i32) = bar x + bar x\n");
    for (int i = 0; i < 200; i++) {
      text.append("def f" + i + " (x: i32) = x + foo " + i + "\n");
    }
    for (int i = 0; i < 3; i++) {
      text.append("def g" + i + " (x: t) = x\n");
    }
    text.append("def h (x: i32) = baz x");
    var e =
        assertThrows(
            DiagnosticException.class,
            () -> FrontEnd.check(FrontEnd.Options.text("test.fut", text.toString())));
    assertEquals(
        List.of(
            "Unknown name \"bar\".: [The program has this error in 1 other place.]",
            "Unknown name \"foo\".: [The program has this error in 199 other places.]",
            "Unknown type \"t\".: [The program has this error in 2 other places.]",
            "Unknown name \"baz\".: []"),
        e.diagnostics().stream().map(d -> d.message() + ": " + d.notes()).toList());
  }

  @Test
  void aProgramIsNamedAsItIsGiven() {
    for (String name : List.of("test.txt", "./test.fut", "test", "a/b.c")) {
      var e =
          assertThrows(
              DiagnosticException.class,
              () -> FrontEnd.check(FrontEnd.Options.text(name, "def main = x")));
      assertEquals(name, e.diagnostics().getFirst().loc().file());
    }
  }

  @Test
  void holesCauseAWarning() {
    String text = "def main (xs: []i32) = map (\\x -> if x > 0 then ??? else (x, [x])) xs";
    var checked = FrontEnd.check(FrontEnd.Options.text("test.fut", text));
    assertEquals(1, checked.warnings().size(), checked.warnings()::toString);
    String warning = checked.warnings().getFirst().message();
    assertTrue(warning.contains("hole of type (i32, [1]i32)"), warning);
  }

  @Test
  void aTypeCannotDependOnItsOwnFunction() {
    rejected("def main (xs: [3][main 3]i32) : i32 = xs[1, 1]", "depends on \"main\" itself");
    rejected("def f (n: i64) : [f n]i64 = [n]", "depends on \"f\" itself");
  }

  @Test
  void infersPolymorphicFunctionsAndTheirInstances() {
    Program p =
        check(
            """
            def twice f x = f (f x)
            def main (x: i32) = twice (+ 1) (twice (\\y -> y * y) x)
            """);
    ValDef twice =
        p.defs().values().stream().filter(d -> d.name().base().equals("twice")).findFirst().get();
    assertEquals(1, twice.typeParams().size());
    assertEquals(2, twice.params().size());
  }

  @Test
  void resultSizesFollowArguments() {
    assertEquals(
        "(n: i64) -> ([n + 1]i64, [2]bool)",
        type("def main (n: i64) = (iota n ++ [1], map (> 0) [1, 2i32])"));
  }

  @Test
  void anonymousParameterSizesBecomeParameters() {
    ValDef d = main("def main (xs: []i32) (ys: []i32) = map2 (+) xs ys");
    assertEquals(1, d.sizeParams().size());
    Name n = d.sizeParams().get(0);
    Type.Array result = (Type.Array) d.result().type();
    assertEquals(new Type.Size.Var(n), result.size());
  }

  @Test
  void filterHasAnExistentialSizeThatItsUseBinds() {
    ValDef d = main("def main (xs: []i32) = let ys = filter (> 0) xs in ys ++ ys");
    assertEquals(1, d.result().sizes().size());
    Exp.Let let = (Exp.Let) d.body();
    Exp.Apply filter = (Exp.Apply) ((Exp.Binding.OfPat) let.bindings().get(0)).value();
    assertEquals(1, filter.sizes().size());
    assertEquals(new Type.Size.Var(filter.sizes().get(0)), ((Type.Array) filter.type()).size());
  }

  @Test
  void typesAreAsLiftedAsTheyWereDeclared() {
    check(
        """
        module type inner = {type ctx type box 'a val mk : ctx -> box ctx}
        module mk (P: {type~ ctx}) : inner with ctx = P.ctx = {
          type~ ctx = P.ctx
          type box 'a = (a, i32)
          def mk x = (x, 0i32)
        }
        module user (P: {type~ ctx}) = {
          module m = mk P
          type ctx = m.ctx
          type box = m.box ctx
          type boxes [n] = [n]box
        }
        """);
    rejected("type~ t = i32\ntype u = t", "size-lifted");
    rejected("type v 'a = (a, i32)\ntype~ t = []i32\ndef f (x: [](v t)) = x", "size-lifted");
  }

  @Test
  void parametersOfAnAbstractTypeTakeAnySize() {
    check(
        """
        module type coder = {type~ t val get : i64 -> t -> i32}
        def apply 'a (f: i64 -> a -> i32) (x: a) = f 0 x
        module m (C: coder with t = []i32) = {
          def f (xs: []i32) (ys: []i32) = apply C.get xs + apply C.get ys
        }
        """);
  }

  @Test
  void liftedParametersTakeExistentialSizes() {
    ValDef d = main("def main (xs: []i32) = xs |> filter (> 0) |> map (+ 1)");
    assertEquals(1, d.result().sizes().size());
  }

  @Test
  void branchesOfDifferentSizesHaveAnUnknownOne() {
    ValDef d = main("def main (b: bool) = if b then [1i32] else [2, 3]");
    assertEquals(1, ((Exp.If) d.body()).sizes().size());
    assertEquals("bool -> ?[differ].[differ]i32", TypePrinter.show(d.type()).replace("*", ""));
  }

  @Test
  void loopsKeepSizesThatDoNotVary() {
    assertEquals(
        "(n: i64) -> [n]i64",
        type(
            """
            def main (n: i64) =
              let (xs, _) = loop (xs, ys) = (iota n, [0i64]) for i < n do (map (+ i) xs, ys ++ [i])
              in xs
            """));
  }

  @Test
  void loopsNameSizesThatVary() {
    ValDef d = main("def main (n: i64) = loop xs = [0i64] for i < n do xs ++ [i]");
    Exp.Loop loop = (Exp.Loop) d.body();
    assertEquals(1, loop.loopSizes().size());
    assertEquals(1, loop.sizes().size());
  }

  @Test
  void eachApplicationOfAParametricModuleHasItsOwnDefinitions() {
    Program p =
        check(
            """
            module type num = { type t val plus : t -> t -> t }
            module sums (N: num) = { def sum3 (a: N.t) b c = N.plus a (N.plus b c) }
            module ints = sums { type t = i32 def plus (x: t) (y: t) = x + y }
            module floats = sums { type t = f64 def plus (x: t) (y: t) = x + y }
            entry main (x: i32) (y: f64) = (ints.sum3 x x x, floats.sum3 y y y)
            """);
    Map<String, Long> counts =
        p.defs().keySet().stream()
            .collect(
                java.util.stream.Collectors.groupingBy(
                    Name::base, java.util.stream.Collectors.counting()));
    assertEquals(2, counts.get("sum3"));
    assertEquals(2, counts.get("plus"));
  }

  @Test
  void higherOrderModules() {
    check(
        """
        module type t = { type t val x : t }
        module twice (F: (X: t) -> t) (X: t) = F (F X)
        module pair (X: t) : t = { type t = (X.t, X.t) def x = (X.x, X.x) }
        module one = { type t = i32 def x = 1i32 }
        module four = twice pair one
        entry main = #[opaque] (let y = four.x in 3i32)
        """);
  }

  @Test
  void abstractTypesHideWhatTheyAre() {
    String module =
        """
        module m : { type t val mk : i32 -> t val get : t -> i32 } =
          { type t = i32 def mk (x: i32) = x def get (x: i32) = x }
        """;
    check(module + "def main x = m.get (m.mk x)");
    rejected(module + "def main (x: i32) = m.get x", "Cannot apply \"m.get\" to \"x\"");
  }

  @Test
  void dependentFunctionTypes() {
    check(
        """
        def apply (f: (n: i64) -> [n]i64) (k: i64) : [k]i64 = f k
        def main (k: i64) = apply iota k
        """);
  }

  @Test
  void recursionWithExplicitSizes() {
    ValDef d =
        main(
            """
            def sum [n] (xs: [n]i32) : i32 = if n == 0 then 0 else xs[0] + sum (tail xs)
            def main (xs: []i32) = sum xs
            """);
    assertFalse(d.recursive());
  }

  @Test
  void recursiveFunctionsTakeNoAccumulators() {
    rejected(
        """
        type~ acc 't = intrinsics.acc t
        def walk [n] (a: *acc ([n]i64)) (k: i64) : *acc ([n]i64) =
          if k <= 0 then a else walk (intrinsics.acc_write a k k) (k / 2)
        def main (xs: *[]i64) = xs
        """,
        "The recursive function \"walk\" has an accumulator");
  }

  @Test
  void sumTypesAndPatterns() {
    check(
        """
        type opt 'a = #some a | #none
        def or_else 'a (x: opt a) (y: a) : a = match x case #some z -> z case #none -> y
        def main (x: i32) = or_else (if x > 0 then #some x else #none) 0
        """);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "def main (x: i32) : bool = x",
        "def main (x: i32) = if x then 1i32 else 2i32",
        "def main (x: i32) = x.y",
        "def main = 1i32 + 2i64",
        "def main (x: i32) = [x, true]",
        "def main x = x x",
      })
  void rejectsIllTypedPrograms(String program) {
    rejected(program, "[E04");
  }

  @Test
  void sizesThatDoNotMatch() {
    rejected(
        "def main (xs: [10]i32) (n: i64) (ys: [n]i32) = map2 (+) xs ys",
        "Sizes \"10\" and \"n\" do not match");
    rejected(
        "def main (b: bool) : [2]i32 = if b then [1] else [2, 3]", "Sizes \"2\" and \"differ\"");
  }

  @Test
  void coercionIsTheWayOut() {
    ValDef d = main("def main (xs: []i32) = filter (> 0) xs :> [3]i32");
    assertEquals(new Type.Size.Const(3), ((Type.Array) d.result().type()).size());
  }

  @Test
  void sizesMustBeKnownBeforeTheyAreNeeded() {
    rejected(
        """
        def main (b: bool) (xs: []i32) =
          let a = [] : [][]i32
          let b = [filter (> 0) xs]
          in a[0] == b[0]
        """,
        "Causality check");
    rejected("def main = let xs = [] : [0][]i32 in length xs", "Ambiguous size");
  }

  @Test
  void functionsMayNotDependOnWhatIsLocal() {
    rejected(
        "def main (xss: [][]i32) = map (\\xs -> filter (> 0) xs) xss",
        "type parameter would be instantiated with a type containing anonymous sizes");
    rejected("def main (ns: []i64) = map (\\n -> iota n) ns", "do not match");
    rejected("def main (m: i64) = tabulate m (\\i -> replicate i 0i32)", "do not match");
  }

  @Test
  void severalErrorsAreReportedAtOnce() {
    var e =
        assertThrows(
            DiagnosticException.class,
            () ->
                FrontEnd.check(
                    FrontEnd.Options.text(
                        "test.fut",
                        """
                        def f (x: i32) : bool = x
                        def g (x: i32) = y
                        def h = f 1
                        def main (x: i32) = M.z
                        """)));
    assertEquals(3, e.diagnostics().stream().filter(Diagnostic::isError).count());
  }

  @Test
  void errorsSayWhereExpectationsComeFromAndWhatWasMeant() {
    rejected("def main (x: i32) : bool =\n  x", "test.fut:1:21-25: expected because of this");
    rejected("def main (xs: []i32) = lenght xs", "Did you mean \"length\"?");
  }

  @Test
  void longChains() {
    StringBuilder text = new StringBuilder("def main (x0: i32) =\n");
    for (int i = 0; i < 5000; i++) {
      text.append("  let x" + (i + 1) + " = x" + i + " + 1\n");
    }
    check(text + "  in x5000");
  }

  /**
   * Checks 40 parametric modules, each of which applies the previous module twice. A check of each
   * application would take exponential time.
   */
  @Test
  @Timeout(60)
  void nestedParametricModulesAreCheckedOnce() {
    StringBuilder text = new StringBuilder("module f0 (X: {val x: i32}) = {def y = X.x + 1}\n");
    for (int i = 1; i < 40; i++) {
      text.append(
          String.format(
              "module f%d (X: {val x: i32}) = {local module a = f%d X local module b = f%d X"
                  + " def y = a.y + b.y}\n",
              i, i - 1, i - 1));
    }
    check(text + "def main (x: i32) = x");
    String applied = text + "module m = f39 {def x = 1i32}\ndef main = m.y";
    var options = FrontEnd.Options.text("test.fut", applied);
    assertEquals(List.of(), FrontEnd.warnings(options).found());
  }

  /** Checks 30 parametric modules that are nested in each other's bodies and applied there. */
  @Test
  @Timeout(60)
  void parametricModulesInParametricModulesAreCheckedOnce() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 30; i++) {
      text.append("module f").append(i).append(" (X: {}) = {\n");
    }
    text.append("def y = 1i32\n");
    for (int i = 29; i > 0; i--) {
      text.append(String.format("}\nmodule m%d = f%d {}\ndef y = m%d.y\n", i, i, i));
    }
    check(text + "}\nmodule m0 = f0 {}\ndef main = m0.y");
  }

  @Test
  void applicationsInParametricModulesHaveAbstractTypesOfTheirOwn() {
    String modules =
        """
        module mk (X: {type t val x : t}) : {type u val u : u val get : u -> X.t} = {
          type u = X.t
          def u = X.x
          def get (u: u) = u
        }
        module user (X: {type t val x : t}) = {
          module a = mk X
          module b = mk X
          def f = %s
        }
        """;
    check(modules.formatted("a.get a.u"));
    rejected(modules.formatted("a.get b.u"), "Cannot apply \"a.get\"");
  }

  @ParameterizedTest
  @CsvSource({
    "#[stripmine(3)] (x + 1), stripmine",
    "#[stripmine(2)] (loop x while x < 3 do x * x), stripmine",
    "#[stripmine] (loop x for _i < 3 do x * x), stripmine",
    "#[stripmine(x)] (loop x for _i < 3 do x * x), stripmine",
    "#[bound(3)] (loop x for _i < 3 do x * x), bound",
    "#[true_dep] (x + 1), true_dep"
  })
  void attributesOfDerivativesHaveTheirPlaces(String exp, String attribute) {
    var found = warnings("entry main (x: f64) : f64 = " + exp);
    assertEquals(List.of("The attribute \"" + attribute + "\" has no effect here."), found);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "#[stripmine(3)] (loop x for _i < 3 do x * x)",
        "#[bound(9)] (loop x while x < 3 do x * x)",
        "with_vjp (\\z -> z * z) (\\_ d -> d * x) x",
        "let f z = z * z in with_vjp f (\\_ d -> d) x"
      })
  void whatIsInItsPlaceIsNotWarnedOf(String exp) {
    assertEquals(List.of(), warnings("entry main (x: f64) : f64 = " + exp));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "with_vjp (\\z -> z * x) (\\_ d -> d) x",
        "let f z = z * x in with_vjp f (\\_ d -> d) x"
      })
  void functionsWithDerivativesOfTheirOwnUseNothingElse(String exp) {
    assertEquals(
        List.of("The function given to with_vjp uses \"x\"."),
        warnings("entry main (x: f64) : f64 = " + exp));
  }

  @Test
  void sizesOfOneNameAreNumbered() {
    rejected(
        "def f (xs: []i32) = let a = filter (> 0) xs let b = filter (< 0) xs in zip a b",
        "Expected: [d₁]i32\nActual:   [d₂]i32",
        "Sizes \"d₁\" and \"d₂\" do not match.",
        "\"d₁\" is unknown size returned by \"filter\" at test.fut:1:29-44.",
        "\"d₂\" is unknown size returned by \"filter\" at test.fut:1:53-68.",
        "Name the size where it arises, 'let [d] x = ...', and add ':> [d]i32' here");
    rejected(
        "def g [n] (xs: [n]i32) (m: i64): [m][n]i32 = unflatten xs",
        "Sizes \"n₁ * m\" and \"n₂\" do not match.",
        "\"n₁\" is the instantiated size parameter of \"unflatten\" at test.fut:1:46-55.",
        "\"n₂\" is bound at test.fut:1:7-10.",
        "Coerce with ':>' to a type with the expected sizes");
    rejected(
        "def f [n] (xs: [n]i32) = map2 (+) xs (iota (n + 1) |> map i32.i64)",
        "Sizes \"n\" and \"n + 1\" do not match.",
        "Add ':> [n]i32' here if the sizes are equal at run time.");
  }

  @Test
  void parametersOfFunctionTypesHaveNoNumbers() {
    rejected(
        "def ap (f: (n: i64) -> [n]i64): i64 = 0\ndef main = ap (\\n -> iota (n + 1))",
        "Expected: (n: i64) -> [n]i64\nActual:   (n: i64) -> [n + 1]i64",
        "Sizes \"n\" and \"n + 1\" do not match.");
  }

  @Test
  void sizesThatOccurOnceInAResultHaveNoName() {
    rejected(
        "def f (k: i64) (g: i64 -> [k]i64): i64 = g k |> i64.sum\n"
            + "def main (k: i64) = f k (\\i -> filter (> i) [1, 2])",
        "Actual:   i64 -> []i64");
  }

  @Test
  void functionsWithOtherNumbersOfParametersAreMarked() {
    rejected(
        "def f (xs: []i32) = map (\\x y -> x + y) xs",
        "test.fut:1:25-40: [E0405]",
        "This function has 2 parameters, but \"map\" passes 1: the result would be functional.");
    rejected(
        "def f (xs: []i32) = map2 (\\x -> x) xs xs",
        "test.fut:1:26-35: [E0405]",
        "This function has 1 parameter, but \"map2\" passes 2.");
    rejected(
        "def f (xs: []i32) = reduce (\\x y z -> x + y + z) 0 xs",
        "test.fut:1:28-49: [E0405]",
        "This function has 3 parameters, but \"reduce\" passes 2: the result would be functional.");
  }
}
