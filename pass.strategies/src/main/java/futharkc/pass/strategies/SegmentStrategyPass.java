package futharkc.pass.strategies;

import futharkc.core.ir.Body;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegLevel;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegStrategy;
import futharkc.core.ir.Stm;
import futharkc.core.ir.Type;
import futharkc.core.ir.spi.Decisions;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassException;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Remark;
import java.util.HashMap;
import java.util.Map;

/**
 * Choice of the division of a GPU's reductions and scans among threads.
 *
 * <p>Before:
 *
 * <pre>
 * segred thread [flat; i &lt; n, j &lt; m] reduce({0}, []) add do {i32} {...}
 * </pre>
 *
 * <p>After:
 *
 * <pre>
 * segred thread [flat; i &lt; n, j &lt; m] reduce({0}, []) add
 *   by_blocks(several_segments, any_order(piece 32, part 8), rounds 8, parts_of_thread 8,
 *     resident 0, bytes 175) do {i32} {...}
 * </pre>
 *
 * <p>A thread computes a segment if the operators combine arrays. Columns of threads reduce
 * segments whose elements alternate in memory. Otherwise, thread blocks reduce parts of segments,
 * or several short segments; elements stay in order if an operator does not commute. A scan has one
 * pass if thread blocks may wait for each other, else two.
 *
 * <p>Known gaps: reductions and scans within a thread block, and those of CPUs, have no strategy.
 */
public final class SegmentStrategyPass implements Pass.OnFunction {
  /** Creates the pass; {@code ServiceLoader} needs this constructor. */
  public SegmentStrategyPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "segment-strategy",
            "divides the segments of reductions and scans among threads",
            Rep.GPU_MEM)
        .after("gpu-mem-late")
        .options(
            new Option(
                "scans",
                Option.Kind.TEXT,
                "auto",
                "'single-pass': thread blocks of a scan wait for earlier ones; 'two-pass': they do"
                    + " not wait; 'auto': single-pass if the machine guarantees progress"))
        .options(Segments.OPTIONS);
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public FunDef run(FunDef function, Program program, PassContext context) {
    boolean inOnePass =
        switch (context.text("scans")) {
          case "auto" -> context.machine().device().progress();
          case "single-pass" -> true;
          case "two-pass" -> false;
          case String other ->
              throw new PassException(
                  Loc.NONE,
                  "option 'scans' of segment-strategy must be 'auto', 'single-pass' or 'two-pass',"
                      + " not '"
                      + other
                      + "'");
        };
    Segments segments = new Segments(context, inOnePass);
    Annotation annotation =
        new Annotation(
            segments, layouts(function, program), new Decisions(context, function.name()));
    Body body = annotation.body(function.body());
    return body == function.body() ? function : function.withBody(body, function.nextTag());
  }

  /** Returns the index functions of the arrays of a function and of the program's constants. */
  private static Map<Name, Lmad> layouts(FunDef function, Program program) {
    Map<Name, Lmad> layouts = new HashMap<>();
    Mapper collect =
        new Mapper() {
          @Override
          public PatElem patElem(PatElem p) {
            add(p.name(), p.type());
            return super.patElem(p);
          }

          @Override
          public Param param(Param p) {
            add(p.name(), p.type());
            return super.param(p);
          }

          private void add(Name n, Type t) {
            if (t instanceof Type.Array a && a.mem() != null) {
              layouts.put(n, a.mem().lmad());
            }
          }
        };
    collect.fun(program.constantsAsFunction());
    collect.fun(function);
    return layouts;
  }

  /** A mapper that annotates reductions and scans. */
  private static final class Annotation extends Mapper {
    private final Segments segments;
    private final Map<Name, Lmad> layouts;
    private final Decisions decisions;

    Annotation(Segments segments, Map<Name, Lmad> layouts, Decisions decisions) {
      this.segments = segments;
      this.layouts = layouts;
      this.decisions = decisions;
    }

    @Override
    public Stm stm(Stm statement) {
      Stm s = super.stm(statement);
      if (!(s.exp() instanceof SegExp.Seg(SegOp op)) || !(op.level() instanceof SegLevel.Thread)) {
        return s;
      }
      return switch (op) {
        case SegOp.SegRed r -> {
          SegStrategy strategy = segments.choose(r, layouts::get);
          yield strategy.equals(r.strategy()) || !applies(s, strategy)
              ? s
              : s.withExp(new SegExp.Seg(r.withStrategy(strategy)));
        }
        case SegOp.SegScan c -> {
          SegStrategy strategy = segments.choose(c);
          yield strategy.equals(c.strategy()) || !applies(s, strategy)
              ? s
              : s.withExp(new SegExp.Seg(c.withStrategy(strategy)));
        }
        case SegOp.SegMap _, SegOp.SegHist _ -> s;
      };
    }

    private boolean applies(Stm s, SegStrategy strategy) {
      if (!decisions.mayGoOn()) {
        return false;
      }
      decisions.count();
      decisions.say(Remark.Kind.APPLIED, s.aux().loc(), description(strategy));
      return true;
    }

    private static String description(SegStrategy strategy) {
      return switch (strategy) {
        case SegStrategy.Threads _ -> "a thread computes each segment, since elements are arrays";
        case SegStrategy.Columns _ ->
            "thread blocks reduce adjacent segments, whose elements alternate in memory";
        case SegStrategy.Blocks b ->
            (b.severalSegments()
                    ? "thread blocks reduce several short segments, or parts of long segments, "
                    : "thread blocks reduce parts of the array, ")
                + (b.order() instanceof SegStrategy.AnyOrder ? "in any order" : "in order");
        case SegStrategy.OnePass _ -> "the scan has one pass, whose thread blocks wait in turn";
        case SegStrategy.TwoPasses _ -> "the scan has two passes, since thread blocks cannot wait";
      };
    }
  }
}
