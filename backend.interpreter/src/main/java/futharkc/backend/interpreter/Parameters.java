package futharkc.backend.interpreter;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Program;
import futharkc.core.ir.Stm;
import futharkc.core.ir.TuningParameter;
import java.util.LinkedHashMap;
import java.util.Map;

/** The tuning parameters of a program: those that it names itself, and those of its passes. */
final class Parameters extends Mapper {
  private final Map<String, String> classes = new LinkedHashMap<>();

  private Parameters() {}

  /** What each is for, by name, in the order of the program. */
  static Map<String, String> of(Program program) {
    Parameters found = new Parameters();
    for (Stm s : program.constants()) found.stm(s);
    for (FunDef f : program.functions().values()) found.body(f.body());
    return found.classes;
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
