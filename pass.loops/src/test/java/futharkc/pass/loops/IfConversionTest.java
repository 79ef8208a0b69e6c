package futharkc.pass.loops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import futharkc.tests.kit.TestMachine;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of the conditionals that become branch-free. */
class IfConversionTest {
  private static final Name C = new Name("c", 0);
  private static final Name X = new Name("x", 1);
  private static final Name Y = new Name("y", 2);
  private static final Name P = new Name("p", 3);

  private static Expr var(Name n, PrimType t) {
    return new Expr.Var(n, t);
  }

  private static List<Code> inLoop(List<Code> then, List<Code> otherwise) {
    Code choice = new Code.If(var(C, PrimType.BOOL), then, otherwise);
    Code loop =
        new Code.For(new Name("i", 9), PrimType.I64, Expr.i64(0), Expr.i64(8), List.of(choice));
    Code.For written =
        (Code.For)
            IfConversion.withoutBranchesInLoops(List.of(loop), new NameSource(100), TestMachine.CPU)
                .get(0);
    return written.body();
  }

  @Test
  void valuesAreChosenByTheirBits() {
    Code thenX = new Code.Assign(X, var(P, PrimType.F32));
    Code elseX = new Code.Assign(X, new Expr.Const(PrimValue.ofFloat(PrimType.F32, 1)));
    Code thenY = new Code.Assign(Y, Expr.i64(4));
    Code elseY = new Code.Assign(Y, Expr.i64(5));
    List<Code> code = inLoop(List.of(thenX, thenY), List.of(elseY, elseX));
    assertEquals(3, code.size());
    assertEquals(PrimType.I32, assertInstanceOf(Code.Declare.class, code.get(0)).type());
    Expr x = ((Code.Assign) code.get(1)).value();
    assertEquals(PrimFun.Kind.FROM_BITS, assertInstanceOf(Expr.Apply.class, x).fun().kind());
    Expr.Binary y = assertInstanceOf(Expr.Binary.class, ((Code.Assign) code.get(2)).value());
    assertEquals(new BinOp(BinOp.Kind.XOR, PrimType.I64), y.op());
    assertEquals(Expr.i64(5), y.left());
  }

  @Test
  void whatElseABranchDoesKeepsIt() {
    Code x = new Code.Assign(X, var(P, PrimType.I32));
    Code xOfY = new Code.Assign(X, var(Y, PrimType.I32));
    Code y = new Code.Assign(Y, var(P, PrimType.I32));
    Code loads = new Code.Assign(X, new Expr.Load(P, PrimType.I32, futharkc.core.ir.Poly.ZERO));
    Code flag = new Code.Assign(X, Expr.bool(true));
    assertInstanceOf(Code.If.class, inLoop(List.of(x), List.of()).get(0), "one side only");
    assertInstanceOf(Code.If.class, inLoop(List.of(x), List.of(y)).get(0), "other names");
    assertInstanceOf(
        Code.If.class, inLoop(List.of(y, xOfY), List.of(x, y)).get(0), "a value assigned before");
    assertInstanceOf(Code.If.class, inLoop(List.of(loads), List.of(x)).get(0), "a load");
    assertInstanceOf(Code.If.class, inLoop(List.of(flag), List.of(flag)).get(0), "booleans");
    Expr sum = Expr.binary(BinOp.Kind.ADD, var(P, PrimType.I32), var(P, PrimType.I32));
    Code computed = new Code.Assign(X, sum);
    assertInstanceOf(Code.If.class, inLoop(List.of(computed), List.of(x)).get(0), "computes");
    Code own = new Code.Declare(Y, PrimType.I32, var(P, PrimType.I32));
    assertInstanceOf(Code.If.class, inLoop(List.of(own, xOfY), List.of(x)).get(0), "declares");
  }

  @Test
  void outsideOfLoopsBranchesStay() {
    Code x = new Code.Assign(X, var(P, PrimType.I32));
    Code choice = new Code.If(var(C, PrimType.BOOL), List.of(x), List.of(x));
    List<Code> code = List.of(choice);
    assertEquals(
        code, IfConversion.withoutBranchesInLoops(code, new NameSource(100), TestMachine.CPU));
  }
}
