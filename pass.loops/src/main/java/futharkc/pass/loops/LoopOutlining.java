package futharkc.pass.loops;

import futharkc.core.ir.Name;
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
import java.util.Map;
import java.util.Set;

/** The rewriting of one function for {@link LoopOutliningPass}. */
final class LoopOutlining {
  private final MethodSizes limits;

  /** The loops to outline, by identity. */
  private final Set<Code> chosen = Collections.newSetFromMap(new IdentityHashMap<>());

  /** The sizes of statements without their nested statements, by identity. */
  private final Map<Code, Integer> alone = new IdentityHashMap<>();

  /** True for statements that contain a loop to outline or a separate method, by identity. */
  private final Map<Code, Boolean> concerned = new IdentityHashMap<>();

  private int outlined;

  private LoopOutlining(MethodSizes limits) {
    this.limits = limits;
  }

  /**
   * Returns the function with loops outlined.
   *
   * @param count receives the number of outlined loops
   */
  static ImperativeProgram.Function rewrite(
      ImperativeProgram.Function function,
      MethodSizes limits,
      java.util.function.IntConsumer count) {
    LoopOutlining l = new LoopOutlining(limits);
    List<Code> body = l.method(function.body(), Variables.in(function.results()));
    if (l.outlined == 0) {
      return function;
    }
    count.accept(l.outlined);
    return function.withBody(body, function.nextTag());
  }

  /**
   * Rewrites the code of one method.
   *
   * @param after the variables that are read after it
   */
  private List<Code> method(List<Code> code, Collection<Name> after) {
    chooseWide(code);
    choose(code);
    return all(code, new HashSet<>(after));
  }

  // Choice of loops

  /**
   * Chooses loops, inner ones first.
   *
   * @return the size of the code without the chosen loops
   */
  private int choose(List<Code> code) {
    int total = size(code);
    if (total <= limits.large()) {
      return total;
    }
    int[] sizes = new int[code.size()];
    total = 0;
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = choose(code.get(i));
      total += sizes[i];
    }
    for (int i = 0; i < sizes.length && total > limits.large(); i++) {
      Code c = code.get(i);
      if (chosen.contains(c) || !isLoop(c)) {
        continue;
      }
      if (sizes[i] < limits.loop() || total - sizes[i] < limits.rest()) {
        continue;
      }
      if (hasFewTrips(c) && sizes[i] < limits.large()) {
        continue;
      }
      chosen.add(c);
      total += limits.call() - sizes[i];
    }
    return total;
  }

  /** Chooses the versions of loops for bounds above 2³¹, which rarely run. */
  private void chooseWide(List<Code> code) {
    for (Code c : code) {
      if (c instanceof Code.For f && f.range() == Code.Range.WIDE) {
        chosen.add(f);
      } else {
        CodeSize.inside(c).forEach(this::chooseWide);
      }
    }
  }

  private int choose(Code code) {
    int own = size(code);
    if (own <= limits.large()) {
      return own;
    }
    for (List<Code> body : CodeSize.inside(code)) {
      int before = size(body);
      own += choose(body) - before;
    }
    return own;
  }

  private int size(List<Code> code) {
    int sum = 0;
    for (Code c : code) {
      sum += size(c);
    }
    return sum;
  }

  private int size(Code code) {
    if (chosen.contains(code)) {
      return limits.call();
    }
    int size = alone(code);
    for (List<Code> body : CodeSize.inside(code)) {
      size += size(body);
    }
    return size;
  }

  /**
   * Returns the size of a statement without nested statements; cached, because the size of a region
   * is expensive to compute.
   */
  private int alone(Code code) {
    Integer known = alone.get(code);
    if (known != null) {
      return known;
    }
    int size = CodeSize.alone(code);
    alone.put(code, size);
    return size;
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
    if (to instanceof Expr.Const c) {
      return c.value().asLong();
    }
    Long n = to instanceof Expr.Index i ? i.poly().constant() : null;
    return n == null ? -1 : n;
  }

  // Outlining

  /** Tests whether a statement is or contains a loop to outline, or a separate method. */
  private boolean isConcerned(Code code) {
    if (chosen.contains(code)
        || code instanceof Code.Parallel
        || code instanceof Code.ChainedScan) {
      return true;
    }
    Boolean known = concerned.get(code);
    if (known != null) {
      return known;
    }
    boolean any = false;
    for (List<Code> body : CodeSize.inside(code)) {
      any |= body.stream().anyMatch(this::isConcerned);
    }
    concerned.put(code, any);
    return any;
  }

  /**
   * Rewrites a list of statements.
   *
   * @param live the variables that are read after them: one mutable set for the whole method, which
   *     has its original content again at the end
   */
  private List<Code> all(List<Code> code, Set<Name> live) {
    int first = 0;
    while (first < code.size() && !isConcerned(code.get(first))) {
      first++;
    }
    if (first == code.size()) {
      return code;
    }
    List<Name> added = new ArrayList<>();
    List<Code> out = new ArrayList<>();
    for (int i = code.size() - 1; i >= first; i--) {
      Code c = code.get(i);
      out.add(isConcerned(c) ? one(c, live) : c);
      if (i > first) {
        added.addAll(addTo(live, Variables.readBy(List.of(c))));
      }
    }
    added.forEach(live::remove);
    List<Code> now = new ArrayList<>(code.subList(0, first));
    now.addAll(out.reversed());
    for (int i = 0; i < code.size(); i++) {
      if (now.get(i) != code.get(i)) {
        return now;
      }
    }
    return code;
  }

  private Code one(Code code, Set<Name> live) {
    if (!chosen.contains(code)) {
      return inside(code, live);
    }
    List<Code> loop = List.of(code);
    Collection<Code.Variable> used = Variables.usedBy(loop, Set.of());
    if (used.size() > limits.arguments()) {
      return inside(code, live);
    }
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
        List<Code> body = again(f, f.body(), live);
        yield body == f.body() ? f : f.withParts(parts(f, body));
      }
      case Code.While w -> {
        List<Code> body = again(w, w.body(), live);
        yield body == w.body() ? w : new Code.While(w.cond(), body);
      }
      case Code.Scope s -> {
        List<Code> body = all(s.body(), live);
        yield body == s.body() ? s : new Code.Scope(body);
      }
      case Code.VectorLoop l -> l.withRest(all(l.rest(), live));
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

  /**
   * Rewrites the body of a loop. The variables that the loop reads are live after the body, because
   * the next iteration reads them.
   */
  private List<Code> again(Code loop, List<Code> body, Set<Name> live) {
    List<Name> added = addTo(live, Variables.readBy(List.of(loop)));
    List<Code> out = all(body, live);
    added.forEach(live::remove);
    return out;
  }

  /**
   * Adds names to a set.
   *
   * @return the names that were not in the set
   */
  private static List<Name> addTo(Set<Name> set, Set<Name> names) {
    return names.stream().filter(set::add).toList();
  }

  /** Returns the body of a loop, partitioned like the original body. */
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
