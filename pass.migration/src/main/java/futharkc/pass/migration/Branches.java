package futharkc.pass.migration;

import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The flow of scalars through branches: the results depend on the conditions and on the results of
 * all bodies. A branch moves if the device has its conditions.
 */
final class Branches {
  private final ScalarGraph scalars;
  private final HostBodies bodies;
  private final LiteralArrays literals;
  private final Settings settings;
  private final Consumer<List<Stm>> inner;

  /**
   * The rules of branches.
   *
   * @param inner adds statements of the bodies
   */
  Branches(
      ScalarGraph scalars,
      HostBodies bodies,
      LiteralArrays literals,
      Settings settings,
      Consumer<List<Stm>> inner) {
    this.scalars = scalars;
    this.bodies = bodies;
    this.literals = literals;
    this.settings = settings;
    this.inner = inner;
  }

  /** Returns the names of a pattern that the types of the pattern mention. */
  static Set<Name> mentioned(Stm s) {
    Set<Name> sizes = Sizes.ofPattern(s);
    sizes.retainAll(s.names());
    return sizes;
  }

  /** Adds the bodies of a branch, then its results. */
  void graph(Stm s, Exp.Match m) {
    List<Body> branches = new ArrayList<>();
    for (Exp.Case c : m.cases()) {
      branches.add(c.body());
    }
    branches.add(m.otherwise());
    scalars.sinkCertificates(s, "is checked before a branch");
    String blocked = null;
    Set<Name> mentioned = mentioned(s);
    List<HostBody> entered = new ArrayList<>();
    for (Body b : branches) {
      HostBody body = bodies.enter(1.0 / branches.size());
      entered.add(body);
      inner.accept(b.stms());
      for (int k = 0; k < s.pat().size(); k++) {
        if (mentioned.contains(s.pat().get(k).name())) {
          scalars.sink(b.results().get(k), "is the size of an array");
        }
      }
      bodies.leave();
      if (blocked == null) {
        blocked = body.hostOnly();
      }
    }
    bodies.current().controls().add(new HostBody.Control.Branch(s, m, entered));
    bodies
        .current()
        .addOperations(entered.stream().mapToDouble(HostBody::operations).average().orElse(0));
    if (blocked != null) {
      bodies.hostOnly(blocked);
    }
    if (blocked == null) {
      blocked = copied(s, branches);
    }
    if (blocked == null && !settings.branches()) {
      blocked = "whole branches do not move";
    }
    if (blocked != null) {
      scalars.sink(
          m.scrutinees(), "is the condition of a branch that stays on the host, since " + blocked);
    }
    for (SubExp e : m.scrutinees()) {
      scalars.awaitChecks(e, "is checked before a branch");
    }
    Set<Integer> conditions = scalars.operands(m.scrutinees());
    for (int c : conditions) {
      for (HostBody b : entered) {
        scalars.movesWith(b, c);
      }
    }
    for (int k = 0; k < s.pat().size(); k++) {
      PatElem p = s.pat().get(k);
      if (!(p.type() instanceof Type.Prim)) {
        literals.result(p, k, branches, bodies.depth());
        continue;
      }
      if (mentioned.contains(p.name())) {
        continue;
      }
      List<SubExp> given = new ArrayList<>();
      for (Body b : branches) {
        given.add(b.results().get(k));
      }
      scalars.result(p, given, conditions);
    }
  }

  /**
   * Returns the reason why a branch must not move because it would copy an array that it returns;
   * or null.
   */
  private @Nullable String copied(Stm s, List<Body> branches) {
    for (int k = 0; k < s.pat().size(); k++) {
      if (Operations.isSingle(s.pat().get(k).type())) {
        continue;
      }
      for (Body b : branches) {
        if (!literals.isMadeBelow(bodies.depth(), b.results().get(k))) {
          return "it returns an array that would be copied";
        }
      }
    }
    return null;
  }
}
