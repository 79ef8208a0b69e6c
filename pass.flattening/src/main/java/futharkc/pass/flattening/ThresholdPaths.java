package futharkc.pass.flattening;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.SizeClass;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.TuningParameter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Adds to each threshold of a function the path of thresholds that decide whether it matters. The
 * path lists the thresholds of the enclosing branches, outermost first, with the outcome of each. A
 * tuner follows these paths. The paths exist in the finished function only, since an outer
 * threshold is created after the inner ones.
 */
final class ThresholdPaths extends Mapper {
  private final Map<Name, Exp> conditions = new HashMap<>();
  private final Map<String, List<SizeClass.Compared>> paths = new HashMap<>();
  private List<SizeClass.Compared> around = List.of();

  private ThresholdPaths() {}

  /** Returns the function with the paths of its thresholds. */
  static FunDef of(FunDef f) {
    ThresholdPaths found = new ThresholdPaths();
    found.body(f.body());
    if (found.paths.isEmpty()) {
      return f;
    }
    Mapper written =
        new Mapper() {
          @Override
          public Exp exp(Exp e) {
            return e instanceof HostOp.CmpSizeLe c
                ? new HostOp.CmpSizeLe(found.withPath(c.parameter()), c.value())
                : super.exp(e);
          }
        };
    return f.withBody(written.body(f.body()), f.nextTag());
  }

  private TuningParameter withPath(TuningParameter p) {
    List<SizeClass.Compared> path = paths.get(p.name());
    return path != null && p.sizeClass() instanceof SizeClass.Threshold t
        ? new TuningParameter(p.name(), new SizeClass.Threshold(t.defaultValue(), path))
        : p;
  }

  @Override
  public Stm stm(Stm s) {
    boolean isCondition =
        s.exp() instanceof HostOp.CmpSizeLe
            || s.exp() instanceof BasicOp.BinOpExp b && b.op().kind() == BinOp.Kind.LOG_AND;
    if (isCondition) {
      conditions.put(s.names().get(0), s.exp());
    }
    return super.stm(s);
  }

  @Override
  public Exp exp(Exp e) {
    if (!(e instanceof Exp.Match m) || m.scrutinees().size() != 1 || m.cases().size() != 1) {
      return super.exp(e);
    }
    TuningParameter p = threshold(m.scrutinees().get(0));
    if (p == null) {
      return super.exp(e);
    }
    List<SizeClass.Compared> outside = around;
    paths.putIfAbsent(p.name(), outside);
    under(outside, p, true, m.cases().get(0).body());
    under(outside, p, false, m.otherwise());
    around = outside;
    return e;
  }

  private void under(
      List<SizeClass.Compared> outside, TuningParameter p, boolean reached, Body branch) {
    around = new ArrayList<>(outside);
    around.add(new SizeClass.Compared(p.name(), reached));
    body(branch);
  }

  /**
   * Returns the threshold that a condition compares, directly or in a logical operation; null if
   * there is none.
   */
  private @Nullable TuningParameter threshold(SubExp condition) {
    if (!(condition instanceof SubExp.Var v)) {
      return null;
    }
    return switch (conditions.get(v.name())) {
      case HostOp.CmpSizeLe c -> c.parameter();
      case BasicOp.BinOpExp b -> {
        TuningParameter left = threshold(b.left());
        yield left != null ? left : threshold(b.right());
      }
      case null, default -> null;
    };
  }
}
