package futharkc.pass.strategies;

import futharkc.core.ir.Body;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.Stm;
import futharkc.core.ir.spi.Decisions;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Remark;

/**
 * Versioning of nests: a program for a CPU chooses between outer and inner parallelism at run time.
 *
 * <p>Before:
 *
 * <pre>
 * par segmap cores [flat; i &lt; n] do {f32} {...} nested {... par segred ...}
 * </pre>
 *
 * <p>After:
 *
 * <pre>
 * par segmap cores [flat; i &lt; n] do {f32} {...} nested {... par segred ...}
 *   choose(slack 25, idle 90000)
 * </pre>
 *
 * <p>The outer version is one region, whose threads run inner operations sequentially; with few
 * iterations, some threads idle. The inner version runs inner operations as regions, which keep all
 * threads busy, but each region has a cost. The lowered program compares estimated times. Without
 * the pass, the outer version always runs.
 *
 * <p>Known gaps: the pass does not omit a version that constant sizes rule out.
 */
public final class NestVersionsPass implements Pass.OnFunction {
  /**
   * The excess time in percent up to which one outer region is preferred to inner regions, each of
   * which waits for its slowest thread.
   */
  private static final Option SLACK =
      Option.integer(
              "slack",
              25,
              "excess time in percent up to which one outer region is preferred to inner regions,"
                  + " each of which waits for its slowest thread")
          .within(0, 1000);

  /** The maximum cost of a wait for the slowest thread. */
  private static final Option WAIT =
      Option.integer("wait", 90_000, "maximum cost of such a wait in elementary operations");

  /** Creates the pass; {@code ServiceLoader} needs this constructor. */
  public NestVersionsPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "nest-versions", "chooses between outer and inner parallelism at run time", Rep.MC_MEM)
        .after("mc-mem-late")
        .options(SLACK, WAIT);
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public FunDef run(FunDef function, Program program, PassContext context) {
    SegExp.Choice choice = new SegExp.Choice(context.number(SLACK), context.number(WAIT));
    Decisions decisions = new Decisions(context, function.name());
    Mapper annotation =
        new Mapper() {
          @Override
          public Stm stm(Stm statement) {
            Stm s = super.stm(statement);
            if (!(s.exp() instanceof SegExp.ParOp p)
                || !p.hasVersions()
                || choice.equals(p.choice())
                || !decisions.mayGoOn()) {
              return s;
            }
            decisions.count();
            decisions.say(
                Remark.Kind.APPLIED,
                s.aux().loc(),
                "inner parallelism runs if outer parallelism takes over "
                    + choice.slack()
                    + " % longer by estimate");
            return s.withExp(p.withChoice(choice));
          }
        };
    Body body = annotation.body(function.body());
    return body == function.body() ? function : function.withBody(body, function.nextTag());
  }
}
