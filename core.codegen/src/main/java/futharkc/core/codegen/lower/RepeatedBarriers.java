package futharkc.core.codegen.lower;

import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes barriers out of a kernel behind which a thread comes to another one, having read and
 * written nothing but variables of its own: each operation of a block's threads has one before and
 * one behind it.
 */
final class RepeatedBarriers {
  /** Whether nothing has been read or written since the last barrier. */
  private boolean quiet;

  private RepeatedBarriers() {}

  /** The body of a kernel without them. */
  static List<Code> without(List<Code> body) {
    return new RepeatedBarriers().all(body);
  }

  private List<Code> all(List<Code> code) {
    List<Code> out = new ArrayList<>(code.size());
    for (Code c : code) {
      if (c instanceof Code.Barrier && quiet) continue;
      out.add(one(c));
    }
    return out;
  }

  private Code one(Code code) {
    switch (code) {
      case Code.Barrier b -> quiet = true;
      case Code.LeaveIfFailed l -> quiet = true;
      case Code.Declare d -> quiet &= d.value() == null || isOfVariables(d.value());
      case Code.Shuffle s -> quiet &= isOfVariables(s.value());
      case Code.Assign a -> quiet &= isOfVariables(a.value());
      case Code.Scope s -> {
        return new Code.Scope(all(s.body()));
      }
      case Code.If i -> {
        boolean before = quiet && isOfVariables(i.cond());
        quiet = before;
        List<Code> then = all(i.then());
        quiet = before;
        List<Code> otherwise = all(i.otherwise());
        // PoCL wants a barrier behind a branch that has one.
        quiet = false;
        return new Code.If(i.cond(), then, otherwise);
      }
      case Code.Strided s -> {
        List<Code> body = loop(s.body(), isOfVariables(s.from()) && isOfVariables(s.to()));
        return body.equals(s.body())
            ? s
            : new Code.Strided(s.index(), s.from(), s.to(), s.step(), 0, body);
      }
      case Code.For f -> {
        List<Code> body = loop(f.body(), isOfVariables(f.from()) && isOfVariables(f.to()));
        return body.equals(f.body()) ? f : f.withBody(body);
      }
      case Code.While w -> {
        return new Code.While(w.cond(), loop(w.body(), true));
      }
      case Code.Compound _, Code.Simple _ -> quiet = false;
    }
    return code;
  }

  /** The body of a loop, which is reached from before it and from its own end. */
  private List<Code> loop(List<Code> body, boolean quietBounds) {
    boolean before = quiet && quietBounds;
    quiet = false;
    all(body);
    boolean atEnd = quiet;
    quiet = before && atEnd;
    List<Code> now = all(body);
    quiet &= before;
    return now;
  }

  private static boolean isOfVariables(Expr e) {
    boolean[] only = {true};
    new CodeMapper() {
      @Override
      public Expr expr(Expr x) {
        only[0] &= !(x instanceof Expr.Load);
        return super.expr(x);
      }
    }.expr(e);
    return only[0];
  }
}
