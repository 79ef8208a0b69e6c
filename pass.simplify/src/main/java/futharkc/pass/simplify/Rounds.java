package futharkc.pass.simplify;

import futharkc.core.ir.Body;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.analysis.FreeNamesOfStms;
import futharkc.core.ir.liveness.DeadCode;
import futharkc.core.ir.spi.PassContext;

/** Repeats the two phases of simplification on a function until nothing changes. */
final class Rounds {
  /**
   * The maximal number of rounds. Rules shrink code or move it in one direction, so only very deep
   * nests reach the limit, without harm.
   */
  private static final int LIMIT = 24;

  private final Program program;
  private final FunDef function;
  private final PassContext context;

  Rounds(Program program, FunDef function, PassContext context) {
    this.program = program;
    this.function = function;
    this.context = context;
  }

  FunDef run() {
    Derivatives derivatives = new Derivatives(program);
    FreeNamesOfStms freeNames = new FreeNamesOfStms();
    NameSource names = new NameSource(function.nextTag());
    Body body = function.body();
    boolean any = false;
    for (int round = 0; round < LIMIT; round++) {
      context.checkCancelled();
      Simplifier down =
          new Simplifier(
              program,
              function,
              names,
              LiveUseCounts.of(body),
              new Consumed(body),
              derivatives,
              freeNames,
              context);
      Body simpler = down.body(body);
      DeadCode dead = new DeadCode();
      body = dead.body(simpler);
      if (!down.changed() && !dead.changed()) {
        Rep rep = program.rep();
        Body checked = rep.hasMemory() && rep.hasDevice() ? EarlierChecks.of(body) : body;
        if (checked == body) {
          break;
        }
        body = checked;
      }
      any = true;
    }
    return any ? function.withBody(body, names.next()) : function;
  }
}
