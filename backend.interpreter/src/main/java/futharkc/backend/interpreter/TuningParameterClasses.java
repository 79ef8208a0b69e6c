package futharkc.backend.interpreter;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Ir;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Program;
import futharkc.core.ir.Stm;
import futharkc.core.ir.TuningParameter;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ImperativeProgram;
import java.util.LinkedHashMap;
import java.util.Map;

/** A collector of tuning parameters of a program: those in its source and those of passes. */
final class TuningParameterClasses extends Mapper {
  private final Map<String, String> classes = new LinkedHashMap<>();

  private TuningParameterClasses() {}

  /** Returns the class of each tuning parameter, by name, in the order of the program. */
  static Map<String, String> of(Ir ir) {
    TuningParameterClasses found = new TuningParameterClasses();
    switch (ir) {
      case Program p -> {
        for (Stm s : p.constants()) {
          found.stm(s);
        }
        for (FunDef f : p.functions().values()) {
          found.body(f.body());
        }
      }
      case ImperativeProgram p -> {
        CodeMapper find = found.inCode();
        find.function(p.initialise());
        for (ImperativeProgram.Function f : p.functions()) {
          find.function(f);
        }
      }
    }
    return found.classes;
  }

  private CodeMapper inCode() {
    return new CodeMapper() {
      @Override
      public Expr expr(Expr e) {
        if (e instanceof Expr.Tuning t) {
          classes.put(t.name(), "user");
        }
        return super.expr(e);
      }

      @Override
      public Code statement(Code code) {
        if (code instanceof Code.GetSize g) {
          add(g.parameter());
        }
        if (code instanceof Code.CompareSize c) {
          add(c.parameter());
        }
        return super.statement(code);
      }
    };
  }

  private void add(TuningParameter p) {
    classes.put(p.name(), p.sizeClass().toString());
  }

  @Override
  public Exp exp(Exp e) {
    switch (e) {
      case BasicOp.UserParam p -> classes.put(p.name(), "user");
      case HostOp.GetSize x -> add(x.parameter());
      case HostOp.CmpSizeLe x -> add(x.parameter());
      case HostOp.CalcNumBlocks x -> add(x.maxBlocks());
      default -> {}
    }
    return super.exp(e);
  }
}
