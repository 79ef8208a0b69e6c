package futharkc.pass.gputhreads;

import futharkc.core.ir.imperative.Code;
import futharkc.pass.gputhreads.AccessesSinceBarrier.Effect;
import java.util.ArrayList;
import java.util.List;

/** Removes redundant barriers from the body of one kernel. */
final class BarrierElimination {
  private final AccessesSinceBarrier accesses;

  /** True if the thread accesses no memory between the last barrier and the current statement. */
  private boolean quiet;

  private int removed;

  BarrierElimination(AccessesSinceBarrier accesses) {
    this.accesses = accesses;
  }

  /** Returns the body without redundant barriers; the same list if there are none. */
  List<Code> kernel(List<Code> body) {
    quiet = false;
    return all(body);
  }

  /** Returns the number of barriers removed so far. */
  int removed() {
    return removed;
  }

  private List<Code> all(List<Code> code) {
    List<Code> out = new ArrayList<>(code.size());
    boolean changed = false;
    for (Code c : code) {
      if (c instanceof Code.Barrier && quiet) {
        removed++;
        changed = true;
        continue;
      }
      Code now = one(c);
      changed |= now != c;
      out.add(now);
    }
    return changed ? out : code;
  }

  private Code one(Code code) {
    boolean before = quiet;
    Code now =
        switch (code) {
          case Code.Scope s -> {
            List<Code> body = all(s.body());
            yield body == s.body() ? s : new Code.Scope(body);
          }
          case Code.If i -> branch(i);
          case Code.Strided s -> {
            List<Code> body = loop(before, AccessesSinceBarrier.bounds(s.from(), s.to()), s.body());
            yield body == s.body() ? s : s.withBody(0, body);
          }
          case Code.For f -> {
            List<Code> body = loop(before, AccessesSinceBarrier.bounds(f.from(), f.to()), f.body());
            yield body == f.body() ? f : f.withBody(body);
          }
          case Code.While w -> {
            List<Code> body = loop(before, Effect.NONE, w.body());
            yield body == w.body() ? w : new Code.While(w.cond(), body);
          }
          default -> code;
        };
    quiet = accesses.of(code).after(before);
    return now;
  }

  private Code branch(Code.If branch) {
    boolean before = AccessesSinceBarrier.ofOperand(branch.cond()).after(quiet);
    quiet = before;
    List<Code> then = all(branch.then());
    quiet = before;
    List<Code> otherwise = all(branch.otherwise());
    return then == branch.then() && otherwise == branch.otherwise()
        ? branch
        : new Code.If(branch.cond(), then, otherwise);
  }

  private List<Code> loop(boolean before, Effect bounds, List<Code> body) {
    quiet = accesses.atIteration(before, bounds, body);
    return all(body);
  }
}
