package futharkc.pass.loops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.tests.kit.RecordingContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests of the loops that become methods of their own, and of their results. */
class LoopOutliningTest {
  private static final MethodSizes SIZES =
      MethodSizes.of(new RecordingContext(new LoopOutliningPass(), Map.of()));

  private static final Name BLOCK = new Name("xs", 0);
  private static final Name SIZE = new Name("n", 1);
  private static final Name A = new Name("a", 2);
  private static final Name B = new Name("b", 3);
  private static final Name C = new Name("c", 4);

  private static Code.For loop(int number, Expr to, List<Code> body) {
    return new Code.For(new Name("i", number), PrimType.I64, Expr.i64(0), to, body);
  }

  private static List<Code> stores(int count) {
    List<Code> code = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      code.add(new Code.Store(BLOCK, PrimType.I64, Poly.of(i), Expr.i64(SIZE)));
    }
    return code;
  }

  private static List<Code> loops(int count, Expr to) {
    List<Code> code = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      code.add(loop(10 + i, to, stores(12)));
    }
    return code;
  }

  private static Code declare(Name n) {
    return new Code.Declare(n, PrimType.I64, Expr.i64(0));
  }

  private static Code add(Name to, Name by) {
    return new Code.Assign(to, Expr.binary(BinOp.Kind.ADD, Expr.i64(to), Expr.i64(by)));
  }

  private static Code store(Name value) {
    return new Code.Store(BLOCK, PrimType.I64, Poly.of(1), Expr.i64(value));
  }

  /** Returns a loop with these statements and many others. */
  private static Code.For large(int number, Code... body) {
    List<Code> all = new ArrayList<>(List.of(body));
    all.addAll(stores(60));
    return loop(number, Expr.i64(SIZE), all);
  }

  private static List<Code> outlined(List<Code> code, Name... results) {
    List<Code.Operand> operands = new ArrayList<>();
    for (Name n : results) {
      operands.add(new Code.Operand.Scalar(Expr.i64(n)));
    }
    ImperativeProgram.Function f =
        new ImperativeProgram.Function(
            "f",
            true,
            List.of(
                Code.Variable.block(BLOCK, PrimType.I64), Code.Variable.scalar(SIZE, PrimType.I64)),
            code,
            operands,
            200);
    return LoopOutlining.rewrite(f, SIZES, n -> {}).body();
  }

  /** Returns the indices of the outlined loops. */
  private static Set<Integer> taken(List<Code> code) {
    return found(code).stream()
        .map(o -> ((Code.For) o.body().get(0)).index().tag())
        .collect(Collectors.toSet());
  }

  private static List<Code.Outlined> found(List<Code> code) {
    List<Code.Outlined> found = new ArrayList<>();
    new CodeMapper() {
      @Override
      public Code statement(Code c) {
        if (c instanceof Code.Outlined o) {
          found.add(o);
        }
        return super.statement(c);
      }
    }.statements(code);
    return found;
  }

  @Test
  void innerLoopsOfALargeLoopAreTakenOut() {
    List<Code> inner = loops(20, Expr.i64(SIZE));
    Set<Integer> taken = taken(outlined(List.of(loop(100, Expr.i64(SIZE), inner))));
    assertEquals(true, taken.contains(10));
    assertEquals(false, taken.contains(100), "nothing else is left in the function");
  }

  @Test
  void aSmallFunctionStaysWhole() {
    assertEquals(Set.of(), taken(outlined(loops(2, Expr.i64(SIZE)))));
  }

  @Test
  void loopsOfFewIterationsStayUnlessLarge() {
    List<Code> code = new ArrayList<>(loops(20, Expr.i64(3)));
    assertEquals(Set.of(), taken(outlined(code)));
    code.add(loop(50, Expr.i64(3), stores(200)));
    assertEquals(Set.of(50), taken(outlined(code)));
  }

  @Test
  void loopsThatAreHardlyEverRunAreTakenOut() {
    Code.For wide = loop(10, Expr.i64(SIZE), stores(2)).withRange(Code.Range.WIDE);
    assertEquals(Set.of(10), taken(outlined(List.of(new Code.Scope(List.of(wide))))));
  }

  private static List<Name> results(List<Code> code, Name... results) {
    List<Code> all = new ArrayList<>(code);
    all.addAll(List.of(large(90), large(91), large(92)));
    return found(outlined(all, results)).get(0).results();
  }

  @Test
  void onlyWhatIsReadLaterIsAResult() {
    List<Code> code = List.of(declare(A), declare(B), large(10, add(A, SIZE), add(B, A)));
    assertEquals(List.of(), results(code));
    assertEquals(List.of(B), results(code, B));
    assertEquals(List.of(A, B), results(code, A, B));
    List<Code> read = new ArrayList<>(code);
    read.add(store(B));
    assertEquals(List.of(B), results(read));
  }

  @Test
  void whatTheNextIterationOfALoopAroundReadsIsAResult() {
    Code.For inner = large(10, add(B, SIZE));
    List<Code> around = new ArrayList<>(List.of(store(A), declare(B), inner, add(A, B)));
    for (int i = 0; i < 3; i++) {
      around.add(large(20 + i, add(A, SIZE), add(C, A)));
    }
    List<Code> code = List.of(declare(A), declare(C), loop(9, Expr.i64(SIZE), around), store(SIZE));
    List<Code.Outlined> found = found(outlined(code));
    assertEquals(
        true, found.stream().anyMatch(o -> o.results().equals(List.of(B))), found::toString);
    assertEquals(
        true,
        found.stream().anyMatch(o -> Set.copyOf(o.results()).equals(Set.of(A, C))),
        found::toString);
  }

  @Test
  void whatOnlyTheNextIterationReadsIsAResult() {
    List<Code> around = new ArrayList<>(List.of(store(A), large(10, add(A, SIZE))));
    around.addAll(stores(60));
    List<Code> code = List.of(declare(A), loop(9, Expr.i64(SIZE), around));
    assertEquals(List.of(A), found(outlined(code)).get(0).results());
  }

  @Test
  void aLoopOfMoreVariablesThanAMethodTakesStays() {
    int most = SIZES.arguments();
    assertInstanceOf(Code.Outlined.class, outlined(ofVariables(most - 2)).getLast());
    assertInstanceOf(Code.For.class, outlined(ofVariables(most - 1)).getLast());
  }

  /**
   * Returns a loop for bounds above 2³¹ that uses that many variables besides the block and its
   * size.
   */
  private static List<Code> ofVariables(int count) {
    List<Code> code = new ArrayList<>();
    List<Code> body = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      Name n = new Name("v", 100 + k);
      code.add(declare(n));
      body.add(store(n));
    }
    code.add(loop(10, Expr.i64(SIZE), body).withRange(Code.Range.WIDE));
    return code;
  }
}
