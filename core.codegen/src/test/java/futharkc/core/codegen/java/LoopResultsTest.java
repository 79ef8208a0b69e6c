package futharkc.core.codegen.java;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ImperativeProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a loop that became a method of its own returns. */
class LoopResultsTest {
  private static final Name BLOCK = new Name("xs", 0);
  private static final Name SIZE = new Name("n", 1);
  private static final Name A = new Name("a", 2);
  private static final Name B = new Name("b", 3);
  private static final Name C = new Name("c", 4);

  private static Code declare(Name n) {
    return new Code.Declare(n, PrimType.I64, Expr.i64(0));
  }

  private static Code add(Name to, Name by) {
    BinOp op = new BinOp(BinOp.Kind.ADD, PrimType.I64);
    return new Code.Assign(to, new Expr.Binary(op, Expr.i64(to), Expr.i64(by)));
  }

  private static Code store(Name value, int at) {
    return new Code.Store(BLOCK, PrimType.I64, Poly.of(at), Expr.i64(value));
  }

  private static Code.For loop(int number, Code... body) {
    List<Code> all = new ArrayList<>(List.of(body));
    for (int i = 0; i < 60; i++) all.add(store(SIZE, i));
    return new Code.For(new Name("i", number), PrimType.I64, Expr.i64(0), Expr.i64(SIZE), all);
  }

  /** The heads of the methods that loops became, without parameters; inner ones first. */
  private static List<String> methods(List<Code> code, List<Name> results) {
    List<Code> body = new ArrayList<>(List.of(loop(90), loop(91), loop(92)));
    body.addAll(0, code);
    ImperativeProgram.Function f =
        new ImperativeProgram.Function(
            "f",
            true,
            List.of(
                new Code.Variable(BLOCK, PrimType.I64, true),
                new Code.Variable(SIZE, PrimType.I64, false)),
            body,
            results.stream().map(n -> (Code.Operand) new Code.Operand.Scalar(Expr.i64(n))).toList(),
            100);
    ImperativeProgram.Function constants =
        new ImperativeProgram.Function("constants", true, List.of(), List.of(), List.of(), 1);
    String source =
        JavaEmitter.emit(
            new ImperativeProgram(
                Rep.SEQ_IMP, Map.of(), List.of(), constants, List.of(f), List.of()),
            "p",
            "test");
    return source
        .lines()
        .map(String::strip)
        .filter(l -> l.startsWith("static ") && l.contains(" loop"))
        .map(l -> l.substring("static ".length(), l.indexOf('(')))
        .toList();
  }

  @Test
  void whatNobodyReadsIsNotReturned() {
    List<Code> code =
        List.of(declare(A), declare(B), loop(10, add(A, SIZE), add(B, A)), store(SIZE, 1));
    assertEquals("void loop0", methods(code, List.of()).get(0));
  }

  @Test
  void aSingleResultIsReturnedAsItIs() {
    List<Code> code =
        List.of(declare(A), declare(B), loop(10, add(A, SIZE), add(B, A)), store(B, 1));
    assertEquals("long loop0", methods(code, List.of()).get(0));
  }

  @Test
  void aResultOfTheFunctionIsReturned() {
    List<Code> code = List.of(declare(A), declare(B), loop(10, add(A, SIZE), add(B, A)));
    assertEquals("long loop0", methods(code, List.of(B)).get(0));
    assertEquals("Results_loop0 loop0", methods(code, List.of(A, B)).get(0));
  }

  @Test
  void aCopyThatNobodyReadsIsNoUse() {
    List<Code> code =
        List.of(
            declare(A),
            declare(B),
            loop(10, add(A, SIZE), add(B, A)),
            new Code.Declare(C, PrimType.I64, Expr.i64(A)),
            store(B, 1));
    assertEquals("long loop0", methods(code, List.of()).get(0));
  }

  @Test
  void whatTheNextIterationOfALoopAroundReadsIsReturned() {
    Code.For inner = loop(10, add(B, SIZE));
    List<Code> around = new ArrayList<>(List.of(store(A, 2), declare(B), inner, add(A, B)));
    for (int i = 0; i < 3; i++) around.add(loop(20 + i, add(A, SIZE), add(C, A)));
    List<String> methods =
        methods(
            List.of(
                declare(A),
                declare(C),
                new Code.For(new Name("o", 9), PrimType.I64, Expr.i64(0), Expr.i64(SIZE), around),
                store(SIZE, 3)),
            List.of());
    // The loop around, the first inner one, and one of the others.
    assertTrue(
        methods.containsAll(List.of("void loop0", "long loop1", "Results_loop2 loop2")),
        methods::toString);
  }
}
