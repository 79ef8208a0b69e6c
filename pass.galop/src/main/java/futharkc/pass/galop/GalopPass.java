package futharkc.pass.galop;

import futharkc.core.ir.FunDef;
import futharkc.core.ir.Poly;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.memory.ElementAccesses;
import futharkc.core.ir.memory.FunctionMemory;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Property;
import futharkc.core.ir.symbolic.Bounds;
import futharkc.core.ir.symbolic.Facts;

/** Chooses layouts. */
public final class GalopPass implements Pass.OnFunction {
  static final String KERNELS = "kernels";
  static final String WEBS = "webs";
  static final String COPIES = "copies";

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "galop",
            "chooses the layout of arrays for the operations that access them",
            Rep.MC_MEM,
            Rep.GPU_MEM)
        .requires(Property.SIMPLIFIED)
        .destroys(Property.SIMPLIFIED)
        .before("coalesce")
        .options(
            new Option(KERNELS, Option.Kind.BOOLEAN, "true", "reorders the dimensions of maps"),
            new Option(
                WEBS,
                Option.Kind.BOOLEAN,
                "true",
                "changes the layout of arrays where they are made"),
            new Option(
                COPIES, Option.Kind.BOOLEAN, "true", "copies arrays that are read several times"));
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public FunDef run(FunDef function, Program program, PassContext context) {
    boolean device = program.rep().hasDevice();
    FunDef f = function;
    if (context.flag(KERNELS)) {
      FunctionMemory memory = new FunctionMemory(f, program);
      ElementAccesses all = ElementAccesses.of(f, memory);
      f = new KernelOrders(f, all.all(), Traffic.of(context.target(), device, all), context).run();
    }
    if (context.flag(WEBS)) {
      FunctionMemory memory = new FunctionMemory(f, program);
      ElementAccesses all = ElementAccesses.of(f, memory);
      Traffic traffic = Traffic.of(context.target(), device, all);
      f = new WebLayouts(f, memory, bounds(f, memory), all.all(), traffic, context).run();
    }
    if (context.flag(COPIES)) {
      FunctionMemory memory = new FunctionMemory(f, program);
      ElementAccesses all = ElementAccesses.of(f, memory);
      Traffic traffic = Traffic.of(context.target(), device, all);
      f = new LayoutCopies(f, memory, bounds(f, memory), all.all(), traffic, context).run();
    }
    return f;
  }

  /** Returns facts that hold in the whole function. */
  private static Bounds bounds(FunDef f, FunctionMemory memory) {
    Facts facts = Facts.of(f);
    memory.indices().forEach((i, bound) -> facts.bounds().addIndex(i, Poly.of(bound)));
    return facts.bounds();
  }
}
