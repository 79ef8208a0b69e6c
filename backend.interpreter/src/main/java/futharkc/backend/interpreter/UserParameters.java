package futharkc.backend.interpreter;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Program;
import futharkc.core.ir.Stm;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The tuning parameters that a program names itself. */
final class UserParameters extends Mapper {
  private final Set<String> names = new LinkedHashSet<>();

  private UserParameters() {}

  /** Their names, in the order of the program. */
  static List<String> of(Program program) {
    UserParameters found = new UserParameters();
    for (Stm s : program.constants()) found.stm(s);
    for (FunDef f : program.functions().values()) found.body(f.body());
    return List.copyOf(found.names);
  }

  @Override
  public Stm stm(Stm s) {
    if (s.exp() instanceof BasicOp.UserParam p) names.add(p.name());
    return super.stm(s);
  }
}
