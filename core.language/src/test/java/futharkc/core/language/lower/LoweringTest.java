package futharkc.core.language.lower;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.ExtType;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Metrics;
import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Program;
import futharkc.core.ir.Stm;
import futharkc.core.ir.Type;
import futharkc.core.ir.verify.Verifier;
import futharkc.core.language.Diagnostics;
import futharkc.core.language.frontend.FrontEnd;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoweringTest {
  private static Program lower(String source) {
    return lower(source, Lowering.Options.DEFAULT);
  }

  private static Program lower(String source, Lowering.Options options) {
    var checked = FrontEnd.check(FrontEnd.Options.text("t.fut", source));
    Program p = Lowering.lower(checked.program(), options, new Diagnostics());
    assertEquals(List.of(), Verifier.violations(p));
    return p;
  }

  private static Map<String, Integer> count(String source) {
    return Metrics.of(lower(source));
  }

  private static FunDef main(Program p) {
    return p.functions().get("main");
  }

  private static <T extends futharkc.core.ir.Exp> List<T> top(FunDef f, Class<T> node) {
    return f.body().stms().stream().map(Stm::exp).filter(node::isInstance).map(node::cast).toList();
  }

  @Test
  void sizesThatDoubleManyTimesShareTheirParts() {
    StringBuilder text = new StringBuilder("def main (a0: []i64) : []i64 =\n");
    for (int i = 0; i < 60; i++) {
      text.append("  let a%d = concat a%d (reverse a%d)\n".formatted(i + 1, i, i));
    }
    text.append("  in a60\n");
    assertTimeoutPreemptively(Duration.ofMinutes(1), () -> lower(text.toString()));
  }

  @Test
  void tracesShowThePlaceInTheProgram() {
    for (String call : List.of("trace x", "#[trace] x", "id (trace x)")) {
      String text = "def main (x: i32) =\n  " + call;
      List<BasicOp.Opaque> traces = top(main(lower(text)), BasicOp.Opaque.class);
      assertEquals(1, traces.size(), call);
      BasicOp.Tag.Trace tag = (BasicOp.Tag.Trace) traces.getFirst().tag();
      assertTrue(tag.text().startsWith("t.fut:2:"), tag::text);
    }
  }

  @Test
  void backtracesBeginInTheProgram() {
    for (String call : List.of("iota n", "replicate n 0i64", "indices (iota n)")) {
      List<BasicOp.Assert> checks =
          top(main(lower("def main (n: i64) =\n  " + call)), BasicOp.Assert.class);
      assertFalse(checks.isEmpty(), call);
      for (BasicOp.Assert check : checks) {
        assertEquals("t.fut", check.trace().getFirst().file(), call);
        assertEquals(2, check.trace().getFirst().line(), call);
      }
    }
  }

  @Test
  void mapAndReduceWithoutAnythingElse() {
    var n = count("def main [n] (xs: [n]f32) = f32.sum (map (* 2) xs)");
    assertEquals(2, n.get("Screma"));
    assertEquals(1, n.get("BinOp") - 1, "one multiplication, one addition");
    assertFalse(n.containsKey("Assert"));
    assertFalse(n.containsKey("Reshape"));
    assertFalse(n.containsKey("Apply"));
  }

  @Test
  void recordsAreTakenApart() {
    FunDef f = main(lower("def main (xs: []{a: i32, b: (f32, bool)}) = xs[0].b.1"));
    assertEquals(4, f.params().size(), "a size and three arrays");
    assertEquals(1, f.results().size());
    assertTrue(f.entry().params().get(0).type() instanceof ExtType.Opaque);
  }

  @Test
  void componentsOfATupleKeepTheirNames() {
    Program p =
        lower("type t = {a: i32, b: f32}\nentry main (x: t) : ([]t, (t, i32)) = ([x], (x, x.a))");
    ExtType.Structure.Record r =
        (ExtType.Structure.Record) p.opaques().get("([]t, (t, i32))").structure();
    assertEquals(
        List.of(new ExtType.Opaque("[]t"), new ExtType.Opaque("(t, i32)")),
        r.fields().stream().map(ExtType.Field::type).toList());
  }

  @Test
  void scalarPayloadsShareSlots() {
    Program p =
        lower(
            "type t = #a i32 f32 | #b f32 | #c\nentry main (x: t) : f32 =\n"
                + "  match x case #a _ y -> y case #b y -> y + 1 case #c -> 0");
    FunDef f = main(p);
    assertEquals(3, f.params().size(), "tag, i32, f32");
    assertEquals("t", ((ExtType.Opaque) f.entry().params().get(0).type()).name());
    assertEquals(1, top(f, Exp.Match.class).size());
  }

  @Test
  void nestedPatternsAreOneMatch() {
    Program p =
        lower(
            "def main (a: i32) (b: bool) = match (a, b) case (1, true) -> 1 case (_, false) -> 2"
                + " case (3, _) -> a * 2 case _ -> a - 7");
    Exp.Match m = top(main(p), Exp.Match.class).get(0);
    assertEquals(2, m.scrutinees().size());
    assertEquals(3, m.cases().size());
    assertEquals(null, m.cases().get(1).pattern().get(0));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // The caller knows a size that the call returns under another name.
        "#[noinline] def f (n: i64): [n + n]i64 = replicate (n + n) 0\n"
            + "entry main (n: i64) = map2 (+) (f n) (iota (n + n))",
        // The next iteration of a loop uses a size that the body returns.
        "#[noinline] def f [n] (xs: [n]i64): [n + 0]i64 = map (+ 1) xs :> [n + 0]i64\n"
            + "entry main [n] (xs: [n]i64) = loop ys = xs for i < 3 do (f ys :> [n]i64)",
        "entry main (n: i64) (b: bool) (xs: []i64): [n]i64 =\n"
            + "  if b then iota n else filter (> 0) xs :> [n]i64",
        "entry main [n] (xs: [n]i64) (ys: []i64) = copy xs with [0:2] = ys",
      })
  void noCoercionIsUnchecked(String source) {
    int[] coercions = {0};
    Set<Name> checks = new HashSet<>();
    Mapper visitor =
        new Mapper() {
          @Override
          public Stm stm(Stm s) {
            if (s.exp() instanceof BasicOp.Assert) {
              checks.add(s.pat().get(0).name());
            }
            if (s.exp() instanceof BasicOp.Reshape r && r.coerce()) {
              coercions[0]++;
              assertTrue(s.aux().certs().stream().anyMatch(checks::contains), s::toString);
            }
            return super.stm(s);
          }
        };
    lower(source).functions().values().forEach(visitor::fun);
    assertTrue(coercions[0] > 0);
  }

  @Test
  void equalSizesHaveEqualNames() {
    var n = count("def main (n: i64) = map2 (+) (iota (n + 1)) (replicate (n + 1) 2) |> i64.sum");
    assertFalse(n.containsKey("Reshape"));
    assertEquals(1, n.get("Assert"), "that n + 1 is not negative");
  }

  @Test
  void reversingKeepsTheSize() {
    FunDef f = main(lower("def main [n] (xs: [n]i32) = xs[::-1]"));
    assertEquals(1, f.results().size());
    assertFalse(Metrics.of(lower("def main [n] (xs: [n]i32) = xs[::-1]")).containsKey("Assert"));
  }

  @Test
  void sizesThatDifferAreResultsOfTheirOwn() {
    FunDef f = main(lower("def main (c: bool) (n: i64) = if c then iota n else iota (2 * n)"));
    assertEquals(2, f.results().size());
    assertEquals(Type.I64, f.results().get(0).type());
  }

  @Test
  void aSizeThatTakesLoopsIsNotComputedTwice() {
    String f = "#[noinline] def f (xs: []i64) = iota (i64.sum xs + 1)\n";
    var n = count(f + "def main (xs: []i64) = i64.sum (f xs)");
    assertEquals(2, n.get("Screma"), "in f, and in main");
    String g = "#[noinline] def g (k: i64) = (iota (k + 1), k)\n";
    n = count(g + "def main (k: i64) = zip (g k).0 (iota (k + 1))");
    assertEquals(3, n.get("Assert"), "of both ranges, and that g's size is k + 1");
  }

  @Test
  void unsafeDropsChecksUnlessToldNotTo() {
    String source = "def main (xs: []i32) (i: i64) = #[unsafe] xs[i]";
    assertFalse(Metrics.of(lower(source)).containsKey("Assert"));
    assertEquals(1, Metrics.of(lower(source, new Lowering.Options(false))).get("Assert"));
  }

  @Test
  void backtraceGoesThroughInlinedCalls() {
    Program p =
        lower("def f (xs: []i32) (i: i64) = xs[i]\ndef g xs i = f xs i\ndef main xs = g xs 1");
    BasicOp.Assert a = top(main(p), BasicOp.Assert.class).get(0);
    assertEquals(List.of(1, 2, 3), a.trace().stream().map(l -> l.line()).toList());
  }

  @Test
  void loopsConsumeWhatTheirBodyUpdates() {
    FunDef f =
        main(lower("def main (n: i64) = loop a = replicate n 0 for i < n do a with [i] = i"));
    Exp.Loop loop = top(f, Exp.Loop.class).get(0);
    assertTrue(loop.params().get(0).param().unique());
  }

  @Test
  void recursionWithFunctionalParameterIsOneFunction() {
    Program p =
        lower(
            "def rep (n: i32) (f: i32 -> i32) (x: i32) : i32 ="
                + " if n == 0 then x else rep (n - 1) f (f x)\n"
                + "def main (a: i32) (n: i32) = rep n (\\x -> x * a) 1 + rep 3 (\\x -> x * a) 2");
    List<FunDef> made = p.functions().values().stream().filter(f -> f.entry() == null).toList();
    assertEquals(2, made.size(), "one for each lambda");
    assertEquals(3, made.get(0).params().size(), "what the lambda captures, n and x");
  }

  @Test
  void functionsShareWhatTheyCapture() {
    Program p =
        lower(
            "#[noinline] def both (f: i32 -> i32) (g: i32 -> i32) (x: i32) = f (g x)\n"
                + "def main (xs: []i32) (x: i32) ="
                + " let h = \\y -> y + xs[x] in both h (\\y -> h (h y) * xs[1]) x");
    FunDef both = p.functions().get("both");
    assertEquals(4, both.params().size(), "the size, xs, the captured x and the argument");
  }

  @Test
  void functionsAreSpecialisedToTypes() {
    Program p =
        lower(
            "#[noinline] def twice 't [n] (xs: [n]t) = (xs, xs)\n"
                + "def main (a: []i32) (b: []f32) (c: []i32) = (twice a, twice b, twice c)");
    assertEquals(3, p.functions().size());
  }

  /** Tests whether a result of the main function depends on a check. */
  private static boolean isChecked(String source) {
    FunDef f = main(lower(source));
    Set<Name> needed = new HashSet<>(FreeNames.of(new Body(List.of(), f.body().results())));
    for (Stm s : f.body().stms().reversed()) {
      if (s.pat().stream().noneMatch(p -> needed.contains(p.name()))) {
        continue;
      }
      if (!s.aux().certs().isEmpty()) {
        return true;
      }
      needed.addAll(FreeNames.of(s));
    }
    return false;
  }

  @Test
  void assertedFunctionsKeepTheirCheck() {
    assertTrue(isChecked("def main (x: i32) = let f = assert (x > 0) (\\y -> y) in f 2"));
    assertTrue(
        isChecked(
            "#[noinline] def twice (f: i32 -> i32) (x: i32) = f (f x)\n"
                + "def main (x: i32) ="
                + " let r = assert (x > 0) {f = \\y z -> y + z, n = 3i32} in twice (r.f 1) 3"));
    assertTrue(
        isChecked(
            "def main (x: i32) =" + " let (a, _) = assert (x > 0) (x, \\(y: i32) -> y) in a"));
  }

  @Test
  void sizesWithinAbstractTypesAreComparedInLiterals() {
    assertTrue(
        isChecked(
            "module type s = {type ctx type box 'a val mk : ctx -> box ctx}\n"
                + "module f (P: {type~ ctx}) : s with ctx = P.ctx = {"
                + " type~ ctx = P.ctx type box 'a = (i32, a) def mk x = (0i32, x)}\n"
                + "module m = f {type~ ctx = ?[k].[k]bool}\n"
                + "def main (x: []bool) (y: []bool) = [m.mk x, m.mk y]"));
  }

  @Test
  void sizesOfUnusedArgumentsAreChecked() {
    assertTrue(isChecked("def main (n: i64) (_: [n + 1]i32) = n"));
    assertTrue(isChecked("def main [n] (xs: [n]i32) (_: [n]()) = xs"));
  }

  @Test
  void arraysWithoutDataShowTheirSizes() {
    Program p =
        lower(
            "type t [n] = #a i32 ([n]()) | #b ([n]i32)\n"
                + "entry main [n] (x: t [n]) = replicate n ((), ())");
    FunDef f = main(p);
    var boolArray = new ExtType.Transparent(PrimType.BOOL, false, 1);
    ExtType.Def sum = p.opaques().get("t []");
    assertEquals(boolArray, sum.parts().get(3));
    assertEquals(
        List.of(List.of(1), List.of(3)),
        ((ExtType.Structure.Sum) sum.structure()).variants().get(0).slots());
    assertEquals(List.of(boolArray), p.opaques().get("[]((), ())").parts());
    assertEquals(6, f.params().size(), "two sizes, tag, i32, two arrays");
    assertEquals(1, f.results().size());
  }

  @Test
  void sizeArgumentsOfAbstractTypesAreFound() {
    FunDef f =
        main(
            lower(
                "module m : {type vec [x]} = {type vec [x] = [x]i32}\n"
                    + "def main [n] (_: m.vec [n]) = n"));
    assertEquals(2, f.params().size(), "a size and the array");
  }

  private static List<String> warnings(String source) {
    var checked = FrontEnd.check(FrontEnd.Options.text("t.fut", source));
    Diagnostics diagnostics = new Diagnostics();
    Lowering.lower(checked.program(), Lowering.Options.DEFAULT, diagnostics);
    return diagnostics.all().stream().map(d -> d.code() + " " + d.loc().line()).toList();
  }

  @Test
  void warnsOfChecksAndUnrollingAsAttributesAsk() {
    assertEquals(
        List.of("W0901 1"),
        warnings(
            "def f (xs: []i32) (i: i64) = xs[i]\n"
                + "def main (xs: []i32) (is: []i64) = #[warn(safety_checks)] map (f xs) is\n"
                + "entry other (xs: []i32) (i: i64) = (#[warn(safety_checks)] i + 1, xs[i])"));
    assertEquals(
        List.of("W0902 2"),
        warnings(
            "def main (n: i32) = let x = #[unroll] loop x = 1 for i < 3 do x * 2 in\n"
                + "#[unroll] loop x for i < n do x + i"));
  }

  @Test
  void constantsAreEvaluatedOnce() {
    Program p = lower("def table = map (* 3) (iota 10)\ndef main (i: i64) = table[i] + table[0]");
    assertEquals(
        1, p.constants().stream().filter(s -> s.exp() instanceof futharkc.core.ir.Soac).count());
  }

  @Test
  void constantLiteralsAreData() {
    Program p = lower("def main (i: i64) = [[1, -2], [3, 4]][i]");
    BasicOp.ArrayVal a = top(main(p), BasicOp.ArrayVal.class).get(0);
    assertEquals(List.of(1L, -2L, 3L, 4L), a.values().stream().map(v -> v.bits()).toList());
  }

  @Test
  void longChainsAreOrdinaryPrograms() throws InterruptedException {
    String lets =
        IntStream.range(0, 10_000)
            .mapToObj(i -> "  let x" + (i + 1) + " = x" + i + " * 3 + " + i + "\n")
            .collect(Collectors.joining());
    String sum =
        IntStream.range(0, 10_000).mapToObj(i -> " + x * " + i).collect(Collectors.joining());
    AtomicInteger statements = new AtomicInteger();
    Thread deep =
        new Thread(
            null,
            () -> {
              Program p = lower("def main (x0: i32) : i32 =\n" + lets + "  in x10000\n");
              statements.addAndGet(main(p).body().stms().size());
              p = lower("def main (x: i32) : i32 = x" + sum);
              statements.addAndGet(main(p).body().stms().size());
            },
            "deep",
            1L << 29);
    deep.start();
    deep.join();
    assertTrue(statements.get() > 39_000, "two for each link: " + statements);
  }

  @Test
  void aConstantThatAFunctionReturnsIsCopied() {
    Program p =
        lower(
            """
            module F (A: {type t val zero: t}) = {
              #[noinline] def start (_: i64) : A.t = A.zero
            }
            module G = F {type t = [3]i64 def zero : t = map (+ 1) (iota 3)}
            entry main (i: i64) = G.start i with [0] = 100
            """);
    FunDef start = p.functions().get("start");
    assertEquals(1, top(start, BasicOp.Replicate.class).size());
    assertTrue(start.results().get(0).unique());
  }

  @Test
  void aDerivativeMayBeItsSeed() {
    FunDef f =
        main(lower("entry main [n] (xs: *[n]f64) (ds: [n]f64) = jvp (\\ys -> copy ys) xs ds"));
    assertFalse(f.results().get(0).unique());
  }

  @Test
  void theNumberOfDimensionsIsLimited() {
    LoweringException e =
        assertThrows(
            LoweringException.class,
            () -> lower("entry main (xs: " + "[]".repeat(256) + "i32) = xs"));
    assertTrue(String.valueOf(e.getMessage()).contains("more than 255 dimensions"), e::getMessage);
  }
}
