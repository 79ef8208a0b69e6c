package futharkc.pass.galop;

import futharkc.core.ir.FunDef;
import futharkc.core.ir.Poly;
import futharkc.core.ir.Program;
import futharkc.core.ir.memory.ElementAccess;
import futharkc.core.ir.memory.ElementAccesses;
import futharkc.core.ir.memory.FunctionMemory;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.symbolic.Bounds;
import futharkc.core.ir.symbolic.Facts;
import java.util.List;

/**
 * A function with the analyses that each choice needs.
 *
 * @param bounds facts that hold in the whole function
 * @param elements the accesses to elements
 */
record AnalysedFunction(
    FunDef function,
    Program program,
    PassContext context,
    FunctionMemory memory,
    Bounds bounds,
    ElementAccesses elements,
    Traffic traffic) {
  static AnalysedFunction of(FunDef f, Program program, PassContext context) {
    FunctionMemory memory = new FunctionMemory(f, program);
    ElementAccesses all = ElementAccesses.of(f, memory);
    Facts facts = Facts.of(f);
    memory.indices().forEach((i, bound) -> facts.bounds().addIndex(i, Poly.of(bound)));
    Traffic traffic = Traffic.of(context, program.rep().hasDevice(), all);
    return new AnalysedFunction(f, program, context, memory, facts.bounds(), all, traffic);
  }

  /** Returns the accesses to elements, in the order of the function. */
  List<ElementAccess> accesses() {
    return elements.all();
  }

  /** Returns the analyses after a choice: these ones if it has not changed the function. */
  AnalysedFunction after(FunDef f) {
    return f == function ? this : of(f, program, context);
  }
}
