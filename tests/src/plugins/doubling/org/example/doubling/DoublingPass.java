package org.example.doubling;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Remark;

/**
 * A pass that turns the doubling of an integer into an addition.
 *
 * <pre>
 * let {y: i32} = mul_i32(x, 2i32)    becomes    let {y: i32} = add_i32(x, x)
 * </pre>
 */
public final class DoublingPass implements Pass.OnFunction {
  /** Creates the pass; the service loader calls this constructor. */
  public DoublingPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named("doubling", "turns multiplications by two into additions", Rep.SOACS)
        .after("fusion")
        .before("parallelise", "sequentialise")
        .options(new Option("wide", Option.Kind.BOOLEAN, "true", "whether to do so for i64, too"))
        .optional();
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public FunDef run(FunDef function, Program program, PassContext context) {
    return new Rewriter(function, context).fun(function);
  }

  private static final class Rewriter extends Mapper {
    private final FunDef function;
    private final PassContext context;

    Rewriter(FunDef function, PassContext context) {
      this.function = function;
      this.context = context;
    }

    @Override
    public Stm stm(Stm s) {
      Exp doubled = doubled(s.exp());
      if (doubled == null) {
        return super.stm(s);
      }
      String message = "doubled by an addition";
      context.remark(Remark.Kind.APPLIED, function.name(), s.aux().loc(), message);
      return s.withExp(doubled);
    }

    /**
     * Returns the addition that is equal to an expression, or null if the expression doubles
     * nothing.
     */
    private Exp doubled(Exp exp) {
      if (!(exp instanceof BasicOp.BinOpExp(BinOp op, SubExp left, SubExp right))
          || op.kind() != BinOp.Kind.MUL
          || op.type().bytes() == 8 && !context.flag("wide")) {
        return null;
      }
      SubExp two = new SubExp.Const(PrimValue.ofInt(op.type(), 2));
      SubExp operand = right.equals(two) ? left : left.equals(two) ? right : null;
      return operand == null
          ? null
          : new BasicOp.BinOpExp(new BinOp(BinOp.Kind.ADD, op.type()), operand, operand);
    }
  }
}
