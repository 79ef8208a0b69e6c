package futharkc.pass.loops;

import futharkc.core.ir.Name;
import futharkc.core.ir.Target;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeSize;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.imperative.Variables;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** One function for {@link LoopOutliningPass}. */
final class LoopOutlining {
  private final Target.Methods limits;

  /** The loops to take out, by identity. */
  private final Set<Code> chosen = Collections.newSetFromMap(new IdentityHashMap<>());

  private int outlined;

  private LoopOutlining(Target.Methods limits) {
    this.limits = limits;
  }

  /**
   * What becomes of a function.
   *
   * @param count is told how many loops were taken out
   */
  static ImperativeProgram.Function rewrite(
      ImperativeProgram.Function function,
      Target.Methods limits,
      java.util.function.IntConsumer count) {
    LoopOutlining l = new LoopOutlining(limits);
    List<Code> body = l.method(function.body(), Variables.in(function.results()));
    if (l.outlined == 0) return function;
    count.accept(l.outlined);
    return function.withBody(body, function.nextTag());
  }

  /** All the code of what becomes one method, after which those variables are read. */
  private List<Code> method(List<Code> code, Collection<Name> after) {
    chooseWide(code);
    choose(code);
    return all(code, after);
  }

  // Choosing

  /** Chooses inner loops first; returns how large the code is without those chosen. */
  private int choose(List<Code> code) {
    int total = size(code);
    if (total <= limits.large()) return total;
    int[] sizes = new int[code.size()];
    total = 0;
    for (int i = 0; i < sizes.length; i++) total += sizes[i] = choose(code.get(i));
    for (int i = 0; i < sizes.length && total > limits.large(); i++) {
      Code c = code.get(i);
      if (chosen.contains(c) || !isLoop(c)) continue;
      if (sizes[i] < limits.loop() || total - sizes[i] < limits.rest()) continue;
      if (hasFewTrips(c) && sizes[i] < limits.large()) continue;
      chosen.add(c);
      total += limits.call() - sizes[i];
    }
    return total;
  }

  /** Chooses the loops that are hardly ever run. */
  private void chooseWide(List<Code> code) {
    for (Code c : code) {
      if (c instanceof Code.For f && f.range() == Code.Range.WIDE) chosen.add(f);
      else bodies(c).forEach(this::chooseWide);
    }
  }

  private int choose(Code code) {
    int own = size(code);
    if (own <= limits.large()) return own;
    for (List<Code> body : bodies(code)) {
      int before = size(body);
      own += choose(body) - before;
    }
    return own;
  }

  private int size(List<Code> code) {
    int sum = 0;
    for (Code c : code) sum += size(c);
    return sum;
  }

  private int size(Code code) {
    if (chosen.contains(code)) return limits.call();
    int size = CodeSize.of(code);
    for (List<Code> body : bodies(code)) size += size(body) - CodeSize.of(body);
    return size;
  }

  /** The statements inside one that are in the same method. */
  private static List<List<Code>> bodies(Code code) {
    return switch (code) {
      case Code.Outlined o -> List.of();
      case Code.Parallel p -> List.of();
      case Code.ChainedScan s -> List.of();
      case Code.Gpu g -> List.of();
      case Code.Compound c -> c.bodies();
      case Code.Simple c -> List.of();
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

  // Taking out

  /** Some statements, after which those variables are read. */
  private List<Code> all(List<Code> code, Collection<Name> after) {
    Set<Name> live = new HashSet<>(after);
    List<Code> out = new ArrayList<>();
    for (Code c : code.reversed()) {
      out.add(one(c, live));
      live.addAll(Variables.readBy(List.of(c)));
    }
    List<Code> now = out.reversed();
    for (int i = 0; i < code.size(); i++) if (now.get(i) != code.get(i)) return now;
    return code;
  }

  private Code one(Code code, Set<Name> live) {
    if (!chosen.contains(code)) return inside(code, live);
    List<Code> loop = List.of(code);
    Collection<Code.Variable> used = Variables.usedBy(loop, Set.of());
    if (used.size() > limits.arguments()) return inside(code, live);
    Set<Name> assigned = Variables.assignedBy(loop);
    List<Name> results =
        used.stream()
            .map(Code.Variable::name)
            .filter(n -> assigned.contains(n) && live.contains(n))
            .toList();
    outlined++;
    return new Code.Outlined(results, List.of(inside(code, live)));
  }

  private Code inside(Code code, Set<Name> live) {
    return switch (code) {
      case Code.For f -> {
        List<Code> body = all(f.body(), again(f, live));
        yield body == f.body() ? f : f.withParts(parts(f, body));
      }
      case Code.While w -> {
        List<Code> body = all(w.body(), again(w, live));
        yield body == w.body() ? w : new Code.While(w.cond(), body);
      }
      case Code.Scope s -> {
        List<Code> body = all(s.body(), live);
        yield body == s.body() ? s : new Code.Scope(body);
      }
      case Code.Locked l -> {
        List<Code> body = all(l.body(), live);
        yield body == l.body() ? l : new Code.Locked(l.key(), body);
      }
      case Code.If i -> {
        List<Code> then = all(i.then(), live);
        List<Code> otherwise = all(i.otherwise(), live);
        yield then == i.then() && otherwise == i.otherwise()
            ? i
            : new Code.If(i.cond(), then, otherwise);
      }
      case Code.IfUnused i -> {
        List<Code> then = all(i.then(), live);
        List<Code> otherwise = all(i.otherwise(), live);
        yield then == i.then() && otherwise == i.otherwise()
            ? i
            : new Code.IfUnused(i.block(), i.elem(), i.inUse(), then, otherwise);
      }
      case Code.Parallel p -> p.withBody(method(p.body(), Set.of()));
      case Code.ChainedScan s ->
          s.withBodies(
              method(s.reduce(), Set.of()),
              method(s.combine(), Set.of()),
              method(s.scan(), Set.of()));
      case Code.Outlined o -> o;
      case Code.Simple c -> c;
      case Code.Gpu g -> g;
    };
  }

  /** What is read after the body of a loop: what the loop reads, too, as it may go on. */
  private static Set<Name> again(Code loop, Set<Name> live) {
    Set<Name> read = new HashSet<>(live);
    read.addAll(Variables.readBy(List.of(loop)));
    return read;
  }

  /** The parts of a loop's body, each of as many statements as before. */
  private static List<List<Code>> parts(Code.For f, List<Code> body) {
    List<List<Code>> parts = new ArrayList<>();
    int at = 0;
    for (List<Code> part : f.parts()) {
      parts.add(body.subList(at, at + part.size()));
      at += part.size();
    }
    return parts;
  }
}
