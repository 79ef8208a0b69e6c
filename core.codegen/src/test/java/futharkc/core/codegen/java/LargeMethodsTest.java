package futharkc.core.codegen.java;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.spi.Target;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which loops of a method become methods of their own. */
class LargeMethodsTest {
  private static final Name BLOCK = new Name("xs", 0);
  private static final Name SIZE = new Name("n", 1);

  private static Code.For loop(int number, Expr to, List<Code> body) {
    return new Code.For(new Name("i", number), PrimType.I64, Expr.i64(0), to, body);
  }

  private static List<Code> stores(int count) {
    List<Code> code = new ArrayList<>();
    for (int i = 0; i < count; i++)
      code.add(new Code.Store(BLOCK, PrimType.I64, Poly.of(i), Expr.i64(SIZE)));
    return code;
  }

  private static List<Code> loops(int count, Expr to) {
    List<Code> code = new ArrayList<>();
    for (int i = 0; i < count; i++) code.add(loop(2 + i, to, stores(12)));
    return code;
  }

  @Test
  void innerLoopsOfALargeLoopAreTakenOut() {
    List<Code> inner = loops(20, Expr.i64(SIZE));
    List<Code> method = List.of(loop(100, Expr.i64(SIZE), inner));
    var chosen = LargeMethods.loops(method, Target.CPU.methods());
    assertTrue(chosen.contains(inner.get(0)));
    assertTrue(!chosen.contains(method.get(0)), "nothing else is left in the method");
  }

  @Test
  void aSmallMethodStaysWhole() {
    assertEquals(0, LargeMethods.loops(loops(2, Expr.i64(SIZE)), Target.CPU.methods()).size());
  }

  @Test
  void loopsOfFewIterationsStayUnlessLarge() {
    List<Code> method = new ArrayList<>(loops(20, Expr.i64(3)));
    assertEquals(0, LargeMethods.loops(method, Target.CPU.methods()).size());
    Code large = loop(50, Expr.i64(3), stores(200));
    method.add(large);
    assertEquals(1, LargeMethods.loops(method, Target.CPU.methods()).size());
    assertTrue(LargeMethods.loops(method, Target.CPU.methods()).contains(large));
  }
}
