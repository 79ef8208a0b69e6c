package futharkc.pass.migration;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Rewrites branches, loops and accumulations that stay on the host. Scalars that cross their ends
 * on the device cross in arrays of one element.
 */
final class ControlMigrator {
  private final Placements placements;
  private final StoredScalars scalars;
  private final KernelReads kernels;
  private final NameSource names;
  private final BiConsumer<List<Stm>, List<Stm>> inner;

  /** The values that guarded scalars have on the host unless the device has computed them. */
  private final Map<Name, Alternative> alternatives = new HashMap<>();

  /**
   * Two variables of the host for a scalar on the device.
   *
   * @param onDevice true if the device has computed the scalar
   * @param value the scalar, unless the device has computed it
   */
  private record Alternative(SubExp onDevice, SubExp value) {}

  /**
   * A rewriting of the control flow of a function.
   *
   * @param inner rewrites the statements of a body, its first argument, and adds them to a list
   */
  ControlMigrator(
      Placements placements,
      StoredScalars scalars,
      KernelReads kernels,
      NameSource names,
      BiConsumer<List<Stm>, List<Stm>> inner) {
    this.placements = placements;
    this.scalars = scalars;
    this.kernels = kernels;
    this.names = names;
    this.inner = inner;
  }

  private static boolean isScalar(Type t) {
    return t instanceof Type.Prim p && p.prim() != PrimType.UNIT;
  }

  /** Binds what a statement gives as a stored scalar; read unless only the device needs it. */
  private PatElem bound(PatElem p, Stm s, List<Stm> after) {
    PrimType type = p.type().elemPrim();
    Name array = names.fresh(p.name());
    boolean read = placements.of(p.name()) != Placement.DEVICE;
    scalars.put(p.name(), StoredScalars.Stored.in(array, type, read));
    Alternative alternative = alternatives.get(p.name());
    Stm reading = new Stm(List.of(p), Aux.at(s.aux().loc()), StoredScalars.element(array));
    if (read && alternative != null) {
      after.add(conditional(p, alternative.onDevice, reading, alternative.value));
    } else if (read) {
      after.add(reading);
    }
    return new PatElem(array, StoredScalars.arrayOf(type));
  }

  /** Returns the variables of the host for a result of a body. */
  private Alternative alternative(SubExp result, PrimType type) {
    Alternative known = result instanceof SubExp.Var v ? alternatives.get(v.name()) : null;
    if (known != null) {
      return known;
    }
    return scalars.isOnlyStored(result)
        ? new Alternative(SubExp.TRUE, SubExp.of(PrimValue.zero(type)))
        : new Alternative(SubExp.of(PrimValue.FALSE), result);
  }

  /** Binds the variables of the host for a guarded scalar. */
  private List<PatElem> guard(PatElem p) {
    Name onDevice = names.fresh("device");
    Name value = names.fresh(p.name());
    alternatives.put(p.name(), new Alternative(SubExp.of(onDevice), SubExp.of(value)));
    return List.of(new PatElem(onDevice, Type.BOOL), new PatElem(value, p.type()));
  }

  void match(Stm s, Exp.Match m, List<Stm> out) {
    List<Body> bodies = new ArrayList<>();
    for (Exp.Case c : m.cases()) {
      bodies.add(c.body());
    }
    bodies.add(m.otherwise());
    List<List<Stm>> done = new ArrayList<>();
    for (Body b : bodies) {
      List<Stm> stms = new ArrayList<>();
      inner.accept(b.stms(), stms);
      done.add(stms);
    }
    Set<Name> sizes = Sizes.ofPattern(s);
    List<PatElem> pat = new ArrayList<>();
    List<List<SubExp>> results = new ArrayList<>();
    for (Body _ : bodies) {
      results.add(new ArrayList<>());
    }
    List<Stm> after = new ArrayList<>();
    for (int k = 0; k < s.pat().size(); k++) {
      PatElem p = s.pat().get(k);
      int at = k;
      boolean device =
          isScalar(p.type())
              && !sizes.contains(p.name())
              && bodies.stream().anyMatch(b -> scalars.isOnlyStored(b.results().get(at)));
      for (int i = 0; i < bodies.size(); i++) {
        SubExp r = bodies.get(i).results().get(k);
        results
            .get(i)
            .add(
                device
                    ? SubExp.of(scalars.store(r, p.type().elemPrim(), s.aux(), done.get(i)))
                    : scalars.onHost(r, s.aux(), done.get(i)));
      }
      if (!device) {
        pat.add(p);
        continue;
      }
      List<PatElem> guard = List.of();
      if (placements.isGuarded(p.name())) {
        for (int i = 0; i < bodies.size(); i++) {
          Alternative a = alternative(bodies.get(i).results().get(k), p.type().elemPrim());
          results.get(i).addAll(List.of(a.onDevice, a.value));
        }
        guard = guard(p);
      }
      pat.add(bound(p, s, after));
      pat.addAll(guard);
    }
    List<SubExp> scrutinees = new ArrayList<>();
    for (SubExp e : m.scrutinees()) {
      scrutinees.add(scalars.onHost(e, s.aux(), out));
    }
    List<Exp.Case> cases = new ArrayList<>();
    for (int i = 0; i < m.cases().size(); i++) {
      cases.add(new Exp.Case(m.cases().get(i).pattern(), new Body(done.get(i), results.get(i))));
    }
    Body otherwise = new Body(done.getLast(), results.getLast());
    out.add(new Stm(pat, s.aux(), new Exp.Match(scrutinees, cases, otherwise)));
    out.addAll(after);
  }

  private static Exp.LoopParam guardParam(PatElem p, SubExp init) {
    return new Exp.LoopParam(new Param(p.name(), p.type()), init, List.of());
  }

  void loop(Stm s, Exp.Loop l, List<Stm> out) {
    Set<Name> sizes = new HashSet<>(Sizes.ofPattern(s));
    for (Exp.LoopParam p : l.params()) {
      sizes.addAll(Sizes.of(p.param().type()));
    }
    List<Stm> inside = new ArrayList<>();
    List<Boolean> device = new ArrayList<>();
    List<Exp.LoopParam> params = new ArrayList<>();
    List<Exp.LoopParam> guards = new ArrayList<>();
    for (int k = 0; k < l.params().size(); k++) {
      Exp.LoopParam p = l.params().get(k);
      Name n = p.param().name();
      boolean moves =
          isScalar(p.param().type())
              && placements.of(n) != Placement.HOST
              && !sizes.contains(n)
              && !sizes.contains(s.pat().get(k).name())
              && !(l.form() instanceof Exp.Form.While w && w.cond().equals(n));
      device.add(moves);
      if (!moves) {
        params.add(new Exp.LoopParam(p.param(), scalars.onHost(p.init(), s.aux(), out), p.attrs()));
        continue;
      }
      PrimType type = p.param().type().elemPrim();
      Name array = names.fresh(n);
      Name first = scalars.store(p.init(), type, s.aux(), out);
      params.add(
          new Exp.LoopParam(
              new Param(array, StoredScalars.arrayOf(type)), SubExp.of(first), p.attrs()));
      boolean read = placements.of(n) == Placement.READ;
      if (placements.isGuarded(s.pat().get(k).name())) {
        Alternative initial = alternative(p.init(), type);
        List<PatElem> guard = guard(new PatElem(n, p.param().type()));
        guards.add(guardParam(guard.get(0), initial.onDevice));
        guards.add(guardParam(guard.get(1), initial.value));
      }
      scalars.put(n, StoredScalars.Stored.in(array, type, read));
      if (read) {
        inside.add(
            new Stm(
                List.of(new PatElem(n, p.param().type())),
                Aux.at(s.aux().loc()),
                StoredScalars.element(array)));
      }
    }
    inner.accept(l.body().stms(), inside);
    List<SubExp> results = new ArrayList<>();
    List<PatElem> pat = new ArrayList<>();
    List<Stm> after = new ArrayList<>();
    List<SubExp> guardResults = new ArrayList<>();
    List<PatElem> guardPat = new ArrayList<>();
    for (int k = 0; k < l.params().size(); k++) {
      SubExp next = l.body().results().get(k);
      PatElem p = s.pat().get(k);
      if (device.get(k)) {
        if (placements.isGuarded(p.name())) {
          Alternative a = alternative(next, p.type().elemPrim());
          guardResults.addAll(List.of(a.onDevice, a.value));
          guardPat.addAll(guard(p));
        }
        results.add(SubExp.of(scalars.store(next, p.type().elemPrim(), s.aux(), inside)));
        pat.add(bound(p, s, after));
      } else {
        results.add(scalars.onHost(next, s.aux(), inside));
        pat.add(p);
      }
    }
    params.addAll(guards);
    results.addAll(guardResults);
    pat.addAll(guardPat);
    Exp.Form form =
        switch (l.form()) {
          case Exp.Form.For f ->
              new Exp.Form.For(f.index(), f.type(), scalars.onHost(f.bound(), s.aux(), out));
          case Exp.Form.While w -> w;
        };
    out.add(new Stm(pat, s.aux(), new Exp.Loop(params, form, new Body(inside, results))));
    out.addAll(after);
  }

  /** Returns a statement that reads a scalar if a condition holds, and else takes another one. */
  Stm conditional(PatElem p, SubExp condition, Stm read, SubExp other) {
    Name inside = names.fresh(p.name());
    PatElem bound = new PatElem(inside, p.type());
    Body reading =
        new Body(
            List.of(new Stm(List.of(bound), read.aux(), read.exp())), List.of(SubExp.of(inside)));
    Body otherwise = new Body(List.of(), List.of(other));
    return new Stm(List.of(p), read.aux(), Exp.Match.conditional(condition, reading, otherwise));
  }

  /** Returns a condition that holds if a loop has at least one iteration. */
  SubExp ran(Stm s, Exp.Loop l, List<Stm> out) {
    return switch (l.form()) {
      case Exp.Form.For f -> {
        Name positive = names.fresh("ran");
        CmpOp less = new CmpOp(CmpOp.Kind.SLT, f.type());
        SubExp zero = SubExp.of(PrimValue.zero(f.type()));
        out.add(
            new Stm(
                List.of(new PatElem(positive, Type.BOOL)),
                Aux.at(s.aux().loc()),
                new BasicOp.CmpOpExp(less, zero, f.bound())));
        yield SubExp.of(positive);
      }
      case Exp.Form.While w ->
          l.params().stream()
              .filter(p -> p.param().name().equals(w.cond()))
              .map(Exp.LoopParam::init)
              .findFirst()
              .orElse(SubExp.TRUE);
    };
  }

  void withAcc(Stm s, Exp.WithAcc w, List<Stm> out) {
    List<Exp.AccInput> inputs = new ArrayList<>();
    for (Exp.AccInput in : w.inputs()) {
      Exp.AccOp op = in.op();
      if (op != null) {
        op = new Exp.AccOp(kernels.reading(op.lambda()), op.neutral());
      }
      inputs.add(new Exp.AccInput(in.space(), in.arrays(), op));
    }
    List<Stm> inside = new ArrayList<>();
    inner.accept(w.lambda().body().stms(), inside);
    List<SubExp> results = new ArrayList<>();
    List<Type> types = new ArrayList<>();
    List<PatElem> pat = new ArrayList<>();
    List<Stm> after = new ArrayList<>();
    int arrays = w.inputs().stream().mapToInt(in -> in.arrays().size()).sum();
    pat.addAll(s.pat().subList(0, arrays));
    for (int k = 0; k < w.lambda().results().size(); k++) {
      SubExp r = w.lambda().body().results().get(k);
      Type t = w.lambda().results().get(k);
      int at = k - w.inputs().size();
      PatElem p = at < 0 ? null : s.pat().get(arrays + at);
      if (p != null && isScalar(t) && scalars.isOnlyStored(r)) {
        results.add(SubExp.of(scalars.store(r, t.elemPrim(), s.aux(), inside)));
        types.add(StoredScalars.arrayOf(t.elemPrim()));
        pat.add(bound(p, s, after));
        continue;
      }
      results.add(scalars.onHost(r, s.aux(), inside));
      types.add(t);
      if (p != null) {
        pat.add(p);
      }
    }
    Lambda lambda = new Lambda(w.lambda().params(), new Body(inside, results), types);
    out.add(new Stm(pat, s.aux(), new Exp.WithAcc(inputs, lambda)));
    out.addAll(after);
  }
}
