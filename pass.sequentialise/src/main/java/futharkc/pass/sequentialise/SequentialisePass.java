package futharkc.pass.sequentialise;

import futharkc.core.ir.Body;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.Scope;
import futharkc.core.ir.Stm;
import futharkc.core.ir.sequential.FirstOrder;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Property;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Converts every SOAC to a loop: from SOACS to SEQ, for targets without parallelism.
 *
 * <p>{@link FirstOrder} has the idea, with code before and after.
 *
 * <p>Known gaps: a {@code flatmap} evaluates its function twice.
 */
public final class SequentialisePass implements Pass.OnProgram {
  @Override
  public PassInfo info() {
    return PassInfo.named("sequentialise", "turns parallel operations into loops", Rep.SOACS)
        .produces(Rep.SEQ)
        .requires(Property.DIFFERENTIATED)
        .prefers(Property.FUSED, Property.SIMPLIFIED)
        .destroys(Property.SIMPLIFIED);
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public Program run(Program program, PassContext context) {
    NameSource constantNames = program.namesForConstants();
    List<Stm> constants = FirstOrder.toLoops(constantNames, new Scope()).stms(program.constants());
    Map<String, FunDef> functions = new LinkedHashMap<>();
    Program renamed = program.withConstants(constants, constantNames.next());
    for (FunDef f : renamed.functions().values()) {
      context.checkCancelled();
      NameSource names = new NameSource(f.nextTag());
      List<Stm> stms = FirstOrder.toLoops(names, Scope.of(renamed, f)).stms(f.body().stms());
      functions.put(f.name(), f.withBody(new Body(stms, f.body().results()), names.next()));
    }
    return renamed.withFunctions(functions).withRep(Rep.SEQ);
  }
}
