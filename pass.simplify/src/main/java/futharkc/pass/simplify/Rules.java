package futharkc.pass.simplify;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the rules for a statement. */
final class Rules {
  private Rules() {}

  /** Statements that bind the same names to the same values, or null if no rule applies. */
  static @Nullable List<Stm> apply(Stm s, Simplifier in) {
    return switch (s.exp()) {
      case BasicOp op -> {
        BasicOp simpler = ScalarRules.simplify(op, in);
        yield simpler != null ? List.of(s.withExp(simpler)) : ArrayRules.simplify(s, op, in);
      }
      case Exp.WithAcc w -> AccRules.withAcc(s, w);
      case Exp.Match m -> ControlRules.match(s, m, in);
      case Exp.Loop l -> LoopRules.simplify(s, l, in);
      case SegExp.Seg x -> SegRules.simplify(s, x, in);
      case Soac.Screma x -> ScremaRules.simplify(s, x, in);
      default -> null;
    };
  }

  /**
   * A statement that no longer mentions what another binds must still not be evaluated unless the
   * checks of that hold.
   */
  static Stm under(Stm definition, Stm s) {
    return definition.aux().certs().isEmpty()
        ? s
        : new Stm(s.pat(), s.aux().plusCerts(definition.aux().certs()), s.exp());
  }

  /** Binds the one name of a statement to an operand instead. */
  static List<Stm> be(Stm s, SubExp value) {
    return List.of(s.withExp(new BasicOp.SubExpOp(value)));
  }
}
