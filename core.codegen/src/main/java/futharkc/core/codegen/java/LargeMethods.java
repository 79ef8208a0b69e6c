package futharkc.core.codegen.java;

import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.spi.Target;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Chooses the loops that become methods of their own, so that no method that loops is large. The
 * JVM optimises a method as a whole, in time that grows faster than its size, and one whose loop is
 * running already anew for every loop that it finds itself in.
 */
final class LargeMethods {
  private final Set<Code> loops = Collections.newSetFromMap(new IdentityHashMap<>());

  private final Target.Methods limits;

  private LargeMethods(Target.Methods limits) {
    this.limits = limits;
  }

  /** The loops to take out of a method with that code, by identity. */
  static Set<Code> loops(List<Code> code, Target.Methods limits) {
    LargeMethods l = new LargeMethods(limits);
    l.choose(code);
    return l.loops;
  }

  /** Chooses inner loops first; returns how large the code is without those chosen. */
  private int choose(List<Code> code) {
    int total = CodeSize.of(code);
    if (total <= limits.large()) return total;
    int[] sizes = new int[code.size()];
    total = 0;
    for (int i = 0; i < sizes.length; i++) total += sizes[i] = choose(code.get(i));
    for (int i = 0; i < sizes.length && total > limits.large(); i++) {
      Code c = code.get(i);
      if (!isLoop(c) || sizes[i] < limits.loop() || total - sizes[i] < limits.rest()) continue;
      if (hasFewTrips(c) && sizes[i] < limits.large()) continue;
      loops.add(c);
      total += limits.call() - sizes[i];
    }
    return total;
  }

  private int choose(Code code) {
    int own = CodeSize.of(code);
    if (own <= limits.large()) return own;
    return switch (code) {
      case Code.For f -> own - CodeSize.of(f.body()) + choose(f.body());
      case Code.While w -> own - CodeSize.of(w.body()) + choose(w.body());
      case Code.Scope s -> choose(s.body());
      case Code.Locked l -> own - CodeSize.of(l.body()) + choose(l.body());
      case Code.If i ->
          own
              - CodeSize.of(i.then())
              - CodeSize.of(i.otherwise())
              + choose(i.then())
              + choose(i.otherwise());
      default -> own;
    };
  }

  private static boolean isLoop(Code c) {
    return c instanceof Code.For || c instanceof Code.While;
  }

  private boolean hasFewTrips(Code c) {
    return c instanceof Code.For f
        && f.from() instanceof Expr.Const from
        && trips(f.to()) >= 0
        && trips(f.to()) - from.value().asLong() <= limits.fewTrips();
  }

  private static long trips(Expr to) {
    if (to instanceof Expr.Const c) return c.value().asLong();
    Long n = to instanceof Expr.Index i ? i.poly().constant() : null;
    return n == null ? -1 : n;
  }
}
