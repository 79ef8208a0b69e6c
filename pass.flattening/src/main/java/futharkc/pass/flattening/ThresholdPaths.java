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
 * Lets each threshold of a function say which others decide whether it matters: those of the
 * branches around the one that it decides, outermost first, and how these came out. A tuner goes
 * along them. Only the finished function shows them: a threshold is made before those around it.
 */
final class ThresholdPaths extends Mapper {
  private final Map<Name, Exp> conditions = new HashMap<>();
  private final Map<String, List<SizeClass.Compared>> paths = new HashMap<>();
  private List<SizeClass.Compared> around = List.of();

  private ThresholdPaths() {}

  /** The function with the paths of its thresholds. */
  static FunDef of(FunDef f) {
    ThresholdPaths found = new ThresholdPaths();
    found.body(f.body());
    if (found.paths.isEmpty()) return f;
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
    if (isCondition) conditions.put(s.names().get(0), s.exp());
    return super.stm(s);
  }

  @Override
  public Exp exp(Exp e) {
    if (!(e instanceof Exp.Match m) || m.scrutinees().size() != 1 || m.cases().size() != 1) {
      return super.exp(e);
    }
    TuningParameter p = threshold(m.scrutinees().get(0));
    if (p == null) return super.exp(e);
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

  /** The threshold that a condition compares, perhaps with something else. */
  private @Nullable TuningParameter threshold(SubExp condition) {
    if (!(condition instanceof SubExp.Var v)) return null;
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
