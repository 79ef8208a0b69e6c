package futharkc.pass.simplify;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Selects the rules for a statement. */
final class Rules {
  private Rules() {}

  /** Returns statements that bind the same names to the same values, or null if no rule applies. */
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

  /** Returns the statement with the certificates of a definition that it no longer uses. */
  static Stm under(Stm definition, Stm s) {
    return definition.aux().certs().isEmpty()
        ? s
        : new Stm(s.pat(), s.aux().plusCerts(definition.aux().certs()), s.exp());
  }

  /** Returns a statement that binds the statement's only name to an operand. */
  static List<Stm> be(Stm s, SubExp value) {
    return List.of(s.withExp(new BasicOp.SubExpOp(value)));
  }
}
