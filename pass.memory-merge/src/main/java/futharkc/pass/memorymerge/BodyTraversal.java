package futharkc.pass.memorymerge;

import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.SegBody;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.Stm;
import futharkc.core.ir.symbolic.Facts;
import java.util.ArrayList;
import java.util.List;

/** A traversal of the bodies nested in a statement, with the facts known in each. */
abstract class BodyTraversal {
  /** Rewrites a body that runs once each time it is reached. */
  abstract Body body(Body b, Facts facts);

  /** Tests whether a statement may contain anything to rewrite. */
  abstract boolean concerns(Stm s);

  /** Rewrites the statements of an operation's body at an index. */
  abstract List<Stm> segBody(Stm s, SegOp op, Facts facts);

  /**
   * Returns the statements with rewritten bodies, each rewritten under the facts before it.
   *
   * @param facts the facts before the first statement
   */
  final List<Stm> inner(List<Stm> stms, Facts facts) {
    int end = stms.size();
    while (end > 0 && !concerns(stms.get(end - 1))) {
      end--;
    }
    if (end == 0) {
      return stms;
    }
    Facts known = facts.inside();
    List<Stm> out = new ArrayList<>();
    for (Stm s : stms.subList(0, end)) {
      out.add(concerns(s) ? inner(s, known) : s);
      known.passed(s);
    }
    out.addAll(stms.subList(end, stms.size()));
    return out;
  }

  /** Returns a match with rewritten bodies. */
  Exp.Match match(Stm s, Exp.Match m, Facts facts) {
    List<Exp.Case> cases = new ArrayList<>();
    for (int k = 0; k < m.cases().size(); k++) {
      Exp.Case c = m.cases().get(k);
      cases.add(new Exp.Case(c.pattern(), body(c.body(), facts.inBranch(m, k))));
    }
    Body otherwise = body(m.otherwise(), facts.inBranch(m, m.cases().size()));
    return new Exp.Match(m.scrutinees(), cases, otherwise);
  }

  /** Returns a loop with a rewritten body. */
  Exp.Loop loop(Exp.Loop l, Facts facts) {
    return new Exp.Loop(l.params(), l.form(), body(l.body(), facts.inLoop(l)));
  }

  private Stm inner(Stm s, Facts facts) {
    return switch (s.exp()) {
      case Exp.Match m -> s.withExp(match(s, m, facts));
      case Exp.Loop l -> s.withExp(loop(l, facts));
      case Exp.WithAcc w -> {
        Lambda f = w.lambda();
        Body b = body(f.body(), facts.inside());
        yield s.withExp(new Exp.WithAcc(w.inputs(), new Lambda(f.params(), b, f.results())));
      }
      case SegExp.ParOp p -> {
        SegOp op = segOp(s, p.op(), facts);
        Body nested = p.nested() == null ? null : body(p.nested(), facts.inside());
        yield s.withExp(p.with(op, nested));
      }
      case SegExp.Seg x -> s.withExp(new SegExp.Seg(segOp(s, x.op(), facts)));
      default -> s;
    };
  }

  private SegOp segOp(Stm s, SegOp op, Facts outside) {
    return op.withBody(new SegBody(segBody(s, op, outside.at(op.space())), op.body().results()));
  }
}
