package futharkc.pass.galop;

import futharkc.core.ir.FunDef;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Property;

/**
 * Array layout: chooses how arrays are stored, and along which dimension operations run, so that
 * neighbouring threads of a device, or consecutive iterations of a CPU's loop, access neighbouring
 * elements. (Pedersen and Nelin, "General array locality optimization by permutation", 2023, decide
 * each read alone and always copy. This pass weighs all accesses of an array together, by estimated
 * traffic, and prefers what needs no copy.)
 *
 * <p>There are three choices, in this order:
 *
 * <ol>
 *   <li>the innermost dimension of a map (option {@code kernels}), without a copy;
 *   <li>the order of dimensions in which the function stores an array that it makes (option {@code
 *       webs}), without a copy: all views, branches and loops of the array change with it;
 *   <li>on a device, a copy of an array in another order (option {@code copies}), before the loops
 *       around the operations that read it, if it saves more than it costs.
 * </ol>
 *
 * <p>Before:
 *
 * <pre>
 * let out: [m][n]f32 @ mem -> {m: n, n: 1} = segmap thread [j &lt; m, i &lt; n] do {
 *   let a = xss[max(i - 1, 0), j] let b = xss[i, j] .. }
 * loop (ys = ..) for t &lt; k do {
 *   segmap thread [i &lt; n] do { loop (..) for r &lt; 8 do { loop (..) for j &lt; m do { let x = as[i, j] .. } } } }
 * </pre>
 *
 * <p>After:
 *
 * <pre>
 * let out': [n][m]f32 @ mem -> {n: 1, m: n} = segmap thread [i &lt; n, j &lt; m] do {
 *   let a = xss[max(i - 1, 0), j] let b = xss[i, j] .. }
 * let out: [m][n]f32 @ mem -> {m: n, n: 1} = rearrange((1, 0), out')
 * let columns: [n][m]f32 @ mem' -> {n: 1, m: n} = manifest((1, 0), as)
 * loop (ys = ..) for t &lt; k do {
 *   segmap thread [i &lt; n] do { loop (..) for r &lt; 8 do { loop (..) for j &lt; m do { let x = columns[i, j] .. } } } }
 * </pre>
 *
 * <p>The estimates leave alone what other passes serve: elements that many threads read at once
 * ({@code block-tiling}), rows that threads of one kernel read ({@code row-staging}), maps that
 * read a permutation of their index (tiles of {@code lower-gpu}) and a CPU's inner loops whose
 * outer loop goes through neighbouring elements. Elements at indices that depend on data count the
 * same in all layouts.
 *
 * <p>If threads walk along rows that no other pass serves, the program compares the traffic with
 * and without a copy for the sizes of each call (see {@link CopyInsertion.Guard}).
 *
 * <p>Known gaps: rows that {@code row-staging} serves, and matrices in tiles, are not copied;
 * segmented reductions and scans keep their order; on a CPU, arrays are not copied and sequential
 * loops are not interchanged; arrays that functions receive and return are row-major.
 */
public final class GalopPass implements Pass.OnFunction {
  static final String POLICY = "policy";
  static final String TRAFFIC = "traffic";
  static final String THESIS = "thesis";
  static final String NONE = "none";
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
        .formerly("input-transposition")
        .options(Traffic.OPTIONS)
        .options(
            new Option(
                    POLICY,
                    Option.Kind.TEXT,
                    TRAFFIC,
                    "chooses by the estimated traffic, by the rules of Pedersen and Nelin, or"
                        + " nothing")
                .oneOf(TRAFFIC, THESIS, NONE),
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
    return switch (context.text(POLICY)) {
      case TRAFFIC -> byTraffic(AnalysedFunction.of(function, program, context));
      case THESIS -> new ThesisCopies(AnalysedFunction.of(function, program, context)).run();
      default -> function;
    };
  }

  private static FunDef byTraffic(AnalysedFunction all) {
    PassContext context = all.context();
    AnalysedFunction f = all;
    if (context.flag(KERNELS)) {
      f = f.after(new KernelOrders(f).run());
    }
    if (context.flag(WEBS)) {
      f = f.after(new WebLayouts(f).run());
    }
    LayoutCopies copies =
        f.program().rep().hasDevice() && context.flag(COPIES) ? new LayoutCopies(f) : null;
    FunDef result = copies == null ? f.function() : copies.run();
    KeptAccesses.report(f, copies);
    return result;
  }
}
