package futharkc.pass.migration;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.SegBody;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.LastingArrays;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Rewrites host code so that the device evaluates what its placements say. A statement that moves
 * becomes a {@link HostOp.GpuBody} of its own; each scalar that it computes is stored in an array
 * of one element. Whoever uses the scalar on the device reads that element.
 *
 * <p>The rewriting does not rely on the placements: an operand of the host that is on the device
 * only is read where the host needs the operand.
 */
final class Migrator {
  private static final Slice.Dim FIRST = new Slice.Fix(SubExp.i64(0));
  private static final SubExp ONE = SubExp.i64(1);

  private final Placements placements;
  private final LastingArrays lasting;
  private final NameSource names;
  private final Report report;
  private final DeviceUpdates updates;
  private final Map<Name, Stored> stored = new HashMap<>();

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
   * A scalar that is an element of an array of the device, and whether the host knows it, too.
   *
   * @param element the element; that of an array of one element, unless the scalar is a read that
   *     stays where it is
   * @param certs the checks of the index
   */
  private record Stored(BasicOp.Index element, List<Name> certs, PrimType type, boolean onHost) {
    /** Returns the only element of an array that the pass makes. */
    static Stored in(Name array, PrimType type, boolean onHost) {
      return new Stored(first(array), List.of(), type, onHost);
    }

    private static BasicOp.Index first(Name array) {
      return new BasicOp.Index(array, new Slice(List.of(FIRST)));
    }

    /** Tests whether the element is the first of an array of one dimension. */
    boolean isFirst() {
      return certs.isEmpty() && element.slice().dims().equals(List.of(FIRST));
    }

    Stm read(Name n, Loc loc) {
      Aux aux = Aux.at(loc).withCerts(certs);
      return new Stm(List.of(new PatElem(n, Type.prim(type))), aux, element);
    }
  }

  Migrator(Placements placements, LastingArrays lasting, NameSource names, Report report) {
    this.placements = placements;
    this.lasting = lasting;
    this.names = names;
    this.report = report;
    this.updates = new DeviceUpdates(names, report, this::reading);
  }

  /** Rewrites the statements of a function's body. The results are on the host. */
  Body function(Body b) {
    List<Stm> out = new ArrayList<>();
    stms(b.stms(), out);
    List<SubExp> results = new ArrayList<>();
    for (SubExp r : b.results()) {
      results.add(onHost(r, Aux.NONE, out));
    }
    return new Body(out, results);
  }

  private void stms(List<Stm> stms, List<Stm> out) {
    Set<Name> updated = DeviceUpdates.updatedBy(stms);
    for (Stm s : stms) {
      stm(s, s.names().stream().anyMatch(updated::contains), out);
    }
  }

  /**
   * Rewrites a statement.
   *
   * @param isChained true if a later statement updates an element of the result
   */
  private void stm(Stm s, boolean isChained, List<Stm> out) {
    if (placements.moves(s)) {
      move(s, out);
      return;
    }
    if (Placements.isRead(s)) {
      report.stays(s, placements.reason(s.pat().get(0).name()));
    }
    switch (s.exp()) {
      case Exp.Match m -> match(s, m, out);
      case Exp.Loop l -> loop(s, l, out);
      case Exp.WithAcc w -> withAcc(s, w, out);
      case SegExp.Seg x -> kernel(s, x, out);
      case BasicOp.Update u
          when u.slice().isElement()
              && !u.safe()
              && (u.slice().dims().stream().anyMatch(d -> isOnlyStored(((Slice.Fix) d).index()))
                  || placements.waits(s)
                  || isOnlyStored(u.value()) && (isChained || updates.endsAt(u.array()))) ->
          updates.add(s, u, out);
      case BasicOp.Update u when isStored(u.value()) && !u.safe() && u.slice().isElement() ->
          update(s, u, out);
      case BasicOp.Replicate r when isOnlyStored(r.value()) -> replicate(s, r, out);
      default -> out.add(hosted(s, out));
    }
  }

  // Scalars on the device

  private boolean isStored(SubExp e) {
    return e instanceof SubExp.Var v && stored.containsKey(v.name());
  }

  private boolean isOnlyStored(SubExp e) {
    return e instanceof SubExp.Var v && isOnlyStored(v.name());
  }

  private boolean isOnlyStored(Name n) {
    Stored s = stored.get(n);
    return s != null && !s.onHost;
  }

  private static Exp element(Name array) {
    return Stored.first(array);
  }

  private static Type arrayOf(PrimType t) {
    return Type.array(Type.prim(t), ONE);
  }

  private Stored whereStored(Name scalar) {
    return Objects.requireNonNull(stored.get(scalar), scalar::toString);
  }

  /** Returns an operand for the host, which reads a scalar that only the device has. */
  private SubExp onHost(SubExp e, Aux at, List<Stm> out) {
    if (!(e instanceof SubExp.Var v) || !isOnlyStored(v.name())) {
      return e;
    }
    Name read = names.fresh(v.name());
    out.add(whereStored(v.name()).read(read, at.loc()));
    return SubExp.of(read);
  }

  /** Returns a statement of the host, after reads of operands that only the device has. */
  private Stm hosted(Stm s, List<Stm> out) {
    Map<Name, SubExp> read = new LinkedHashMap<>();
    for (Name n : FreeNames.of(s)) {
      if (isOnlyStored(n)) {
        read.put(n, onHost(SubExp.of(n), s.aux(), out));
      }
    }
    return read.isEmpty() ? s : new Substitution(read).stm(s);
  }

  /**
   * Returns an array of one element that holds an operand, and makes the array unless it exists.
   */
  private Name store(SubExp e, PrimType type, Aux at, List<Stm> out) {
    if (e instanceof SubExp.Var v && stored.containsKey(v.name())) {
      return array(stored.get(v.name()), v.name(), at, out);
    }
    String base = e instanceof SubExp.Var v ? v.name().base() : "constant";
    Name array = names.fresh(base);
    Exp make =
        e instanceof SubExp.Const c
            ? new BasicOp.ArrayVal(List.of(c.value()), type)
            : new HostOp.GpuBody(List.of(Type.prim(type)), new Body(List.of(), List.of(e)));
    out.add(new Stm(List.of(new PatElem(array, arrayOf(type))), Aux.at(at.loc()), make));
    return array;
  }

  /**
   * Returns the array of one element that holds a stored scalar, and makes the array unless it
   * exists.
   */
  private Name array(Stored s, Name scalar, Aux at, List<Stm> out) {
    Name holder = s.element.array();
    if (s.isFirst() && lasting.isSingle(holder)) {
      return holder;
    }
    Name array = names.fresh(scalar);
    Name read = names.fresh(scalar);
    Body body = new Body(List.of(s.read(read, at.loc())), List.of(SubExp.of(read)));
    out.add(
        new Stm(
            List.of(new PatElem(array, arrayOf(s.type))),
            Aux.at(at.loc()),
            new HostOp.GpuBody(List.of(Type.prim(s.type)), body)));
    return array;
  }

  /** Reads of the scalars among some names that only the device knows, and what replaces these. */
  private Map<Name, SubExp> reads(Iterable<Name> free, List<Stm> out) {
    Map<Name, SubExp> replaced = new LinkedHashMap<>();
    for (Name n : free) {
      if (!isOnlyStored(n)) {
        continue;
      }
      Name read = names.fresh(n);
      out.add(whereStored(n).read(read, Loc.NONE));
      replaced.put(n, SubExp.of(read));
    }
    return replaced;
  }

  // Statements that move

  private void move(Stm s, List<Stm> out) {
    if (staysInPlace(s)) {
      PatElem p = s.pat().get(0);
      BasicOp.Index x = (BasicOp.Index) s.exp();
      stored.put(p.name(), new Stored(x, s.aux().certs(), p.type().elemPrim(), false));
      report.inPlace(s);
      return;
    }
    List<Stm> inside = new ArrayList<>();
    Map<Name, SubExp> replaced = reads(FreeNames.of(s), inside);
    List<PatElem> pat = new ArrayList<>();
    List<Type> types = new ArrayList<>();
    List<SubExp> results = new ArrayList<>();
    List<PatElem> outside = new ArrayList<>();
    List<Stm> after = new ArrayList<>();
    for (PatElem p : s.pat()) {
      Name in = names.fresh(p.name());
      pat.add(new PatElem(in, p.type()));
      results.add(SubExp.of(in));
      types.add(p.type());
      if (!(p.type() instanceof Type.Prim t) || t.prim() == PrimType.UNIT) {
        outside.add(p);
        continue;
      }
      Name array = names.fresh(p.name());
      outside.add(new PatElem(array, arrayOf(t.prim())));
      boolean read = placements.of(p.name()) != Placement.DEVICE;
      stored.put(p.name(), Stored.in(array, t.prim(), read));
      if (read && s.exp() instanceof Exp.Loop l && placements.isGuarded(p.name())) {
        SubExp initial = l.params().get(outside.size() - 1).init();
        Stm reading = new Stm(List.of(p), Aux.at(s.aux().loc()), element(array));
        after.add(conditional(p, ran(s, l, after), reading, initial));
      } else if (read) {
        after.add(new Stm(List.of(p), Aux.at(s.aux().loc()), element(array)));
      }
    }
    SubExp single = single(s);
    if (single != null) {
      results.set(0, new Substitution(replaced).subExp(single));
      types.set(0, ((Type.Array) s.pat().get(0).type()).peel(1));
    } else {
      Stm renamed = new Stm(pat, s.aux(), s.exp());
      inside.add(replaced.isEmpty() ? renamed : new Substitution(replaced).stm(renamed));
    }
    report.moved(s, after.isEmpty());
    out.add(
        new Stm(
            outside, Aux.at(s.aux().loc()), new HostOp.GpuBody(types, new Body(inside, results))));
    out.addAll(after);
  }

  /**
   * Tests whether a statement reads an element that kernels can as well read themselves: the array
   * is there as long as they need it, and the host knows the index.
   */
  private boolean staysInPlace(Stm s) {
    if (!Placements.isRead(s) || placements.of(s.pat().get(0).name()) != Placement.DEVICE) {
      return false;
    }
    BasicOp.Index x = (BasicOp.Index) s.exp();
    return lasting.lasts(x.array())
        && !placements.waits(s)
        && x.slice().dims().stream().noneMatch(d -> isOnlyStored(((Slice.Fix) d).index()));
  }

  /**
   * Returns the scalar that a statement puts into an array of one dimension and one element, or
   * null.
   */
  private static @org.jspecify.annotations.Nullable SubExp single(Stm s) {
    if (s.pat().get(0).type().rank() != 1 || !s.aux().certs().isEmpty()) {
      return null;
    }
    return switch (s.exp()) {
      case BasicOp.ArrayLit x when x.elems().size() == 1 && x.row() instanceof Type.Prim ->
          x.elems().get(0);
      case BasicOp.Replicate x when x.shape().equals(List.of(ONE)) -> x.value();
      default -> null;
    };
  }

  // Kernels

  /** Lets a kernel read the scalars that it uses and that only the device has. */
  private void kernel(Stm s, SegExp.Seg x, List<Stm> out) {
    Map<Name, SubExp> known = new LinkedHashMap<>();
    for (Name n : Sizes.of(x)) {
      if (isOnlyStored(n)) {
        known.put(n, onHost(SubExp.of(n), s.aux(), out));
      }
    }
    Stm sized = known.isEmpty() ? s : new Substitution(known).stm(s);
    SegOp op = ((SegExp.Seg) sized.exp()).op();
    out.add(sized.withExp(new SegExp.Seg(new Readers().kernel(op))));
  }

  /** Lets a parallel operation read the scalars that it uses and that only the device has. */
  private SegOp reading(SegOp op) {
    return new Readers().kernel(op);
  }

  /** Puts reads in front of the code of threads. */
  private final class Readers extends Mapper {
    SegOp kernel(SegOp op) {
      SegBody body = op.body();
      List<Stm> stms = new ArrayList<>();
      Map<Name, SubExp> replaced = reads(freeOf(body), stms);
      SegOp with = op;
      if (!replaced.isEmpty()) {
        SegBody renamed = new Substitution(replaced).segBody(body);
        stms.addAll(renamed.stms());
        with = op.withBody(new SegBody(stms, renamed.results()));
      }
      return switch (with) {
        case SegOp.SegMap m -> m;
        case SegOp.SegRed r ->
            new SegOp.SegRed(
                r.level(),
                r.space(),
                operators(r.ops()),
                r.types(),
                r.body(),
                r.post() == null ? null : reading(r.post()));
        case SegOp.SegScan c ->
            new SegOp.SegScan(
                c.level(), c.space(), operators(c.ops()), c.types(), c.body(), reading(c.post()));
        case SegOp.SegHist h ->
            new SegOp.SegHist(
                h.level(),
                h.space(),
                list(
                    h.ops(),
                    o ->
                        new SegOp.SegHistOp(
                            o.shape(),
                            o.raceFactor(),
                            o.dests(),
                            o.neutral(),
                            o.opShape(),
                            reading(o.op()))),
                h.types(),
                h.body());
      };
    }

    private List<SegOp.SegBinOp> operators(List<SegOp.SegBinOp> ops) {
      return list(
          ops, o -> new SegOp.SegBinOp(o.commutative(), reading(o.op()), o.neutral(), o.shape()));
    }

    private Set<Name> freeOf(SegBody body) {
      return FreeNames.of(new Lambda(List.of(), new Body(body.stms(), body.values()), List.of()));
    }

    Lambda reading(Lambda l) {
      List<Stm> stms = new ArrayList<>();
      Map<Name, SubExp> replaced = reads(FreeNames.of(l), stms);
      if (replaced.isEmpty()) {
        return l;
      }
      Body body = new Substitution(replaced).body(l.body());
      stms.addAll(body.stms());
      return new Lambda(l.params(), new Body(stms, body.results()), l.results());
    }
  }

  // Arrays of the host

  /** Copies an element on the device, instead of a write by the host. */
  private void update(Stm s, BasicOp.Update u, List<Stm> out) {
    List<Slice.Dim> dims = new ArrayList<>(u.slice().dims());
    SubExp last = ((Slice.Fix) dims.removeLast()).index();
    dims.add(new Slice.Range(last, ONE, ONE));
    Name scalar = ((SubExp.Var) u.value()).name();
    Stored value = whereStored(scalar);
    Name from;
    if (value.isFirst()) {
      from = array(value, scalar, s.aux(), out);
    } else {
      // A part of the array itself will do.
      List<Slice.Dim> part = new ArrayList<>(value.element.slice().dims());
      SubExp at = ((Slice.Fix) part.removeLast()).index();
      part.add(new Slice.Range(at, ONE, ONE));
      from = names.fresh(scalar);
      out.add(
          new Stm(
              List.of(new PatElem(from, arrayOf(value.type))),
              Aux.at(s.aux().loc()).withCerts(value.certs),
              new BasicOp.Index(value.element.array(), new Slice(part))));
    }
    BasicOp copy = new BasicOp.Update(false, u.array(), new Slice(dims), SubExp.of(from));
    out.add(hosted(s.withExp(copy), out));
  }

  private void replicate(Stm s, BasicOp.Replicate r, List<Stm> out) {
    PatElem p = s.pat().get(0);
    Name scalar = ((SubExp.Var) r.value()).name();
    Stored value = whereStored(scalar);
    List<SubExp> shape = new ArrayList<>(r.shape());
    if (shape.isEmpty()) {
      out.add(hosted(s, out));
      return;
    }
    shape.add(ONE);
    Name wide = names.fresh(p.name());
    BasicOp copies =
        new BasicOp.Replicate(r.shape(), SubExp.of(array(value, scalar, s.aux(), out)));
    Type type = Type.array(Type.prim(value.type), shape);
    out.add(hosted(new Stm(List.of(new PatElem(wide, type)), s.aux(), copies), out));
    BasicOp view = new BasicOp.Reshape(false, wide, r.shape());
    out.add(hosted(new Stm(s.pat(), s.aux(), view), out));
  }

  // Control

  private static boolean isScalar(Type t) {
    return t instanceof Type.Prim p && p.prim() != PrimType.UNIT;
  }

  /** Binds what a statement gives as a stored scalar; read unless only the device needs it. */
  private PatElem bound(PatElem p, Stm s, List<Stm> after) {
    PrimType type = p.type().elemPrim();
    Name array = names.fresh(p.name());
    boolean read = placements.of(p.name()) != Placement.DEVICE;
    stored.put(p.name(), Stored.in(array, type, read));
    Alternative alternative = alternatives.get(p.name());
    Stm reading = new Stm(List.of(p), Aux.at(s.aux().loc()), element(array));
    if (read && alternative != null) {
      after.add(conditional(p, alternative.onDevice, reading, alternative.value));
    } else if (read) {
      after.add(reading);
    }
    return new PatElem(array, arrayOf(type));
  }

  /** Returns the variables of the host for a result of a body. */
  private Alternative alternative(SubExp result, PrimType type) {
    Alternative known = result instanceof SubExp.Var v ? alternatives.get(v.name()) : null;
    if (known != null) {
      return known;
    }
    return isOnlyStored(result)
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

  private void match(Stm s, Exp.Match m, List<Stm> out) {
    List<Body> bodies = new ArrayList<>();
    for (Exp.Case c : m.cases()) {
      bodies.add(c.body());
    }
    bodies.add(m.otherwise());
    List<List<Stm>> done = new ArrayList<>();
    for (Body b : bodies) {
      List<Stm> stms = new ArrayList<>();
      stms(b.stms(), stms);
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
              && bodies.stream().anyMatch(b -> isOnlyStored(b.results().get(at)));
      for (int i = 0; i < bodies.size(); i++) {
        SubExp r = bodies.get(i).results().get(k);
        results
            .get(i)
            .add(
                device
                    ? SubExp.of(store(r, p.type().elemPrim(), s.aux(), done.get(i)))
                    : onHost(r, s.aux(), done.get(i)));
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
      scrutinees.add(onHost(e, s.aux(), out));
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

  private void loop(Stm s, Exp.Loop l, List<Stm> out) {
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
        params.add(new Exp.LoopParam(p.param(), onHost(p.init(), s.aux(), out), p.attrs()));
        continue;
      }
      PrimType type = p.param().type().elemPrim();
      Name array = names.fresh(n);
      Name first = store(p.init(), type, s.aux(), out);
      params.add(new Exp.LoopParam(new Param(array, arrayOf(type)), SubExp.of(first), p.attrs()));
      boolean read = placements.of(n) == Placement.READ;
      if (placements.isGuarded(s.pat().get(k).name())) {
        Alternative initial = alternative(p.init(), type);
        List<PatElem> guard = guard(new PatElem(n, p.param().type()));
        guards.add(guardParam(guard.get(0), initial.onDevice));
        guards.add(guardParam(guard.get(1), initial.value));
      }
      stored.put(n, Stored.in(array, type, read));
      if (read) {
        inside.add(
            new Stm(
                List.of(new PatElem(n, p.param().type())), Aux.at(s.aux().loc()), element(array)));
      }
    }
    stms(l.body().stms(), inside);
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
        results.add(SubExp.of(store(next, p.type().elemPrim(), s.aux(), inside)));
        pat.add(bound(p, s, after));
      } else {
        results.add(onHost(next, s.aux(), inside));
        pat.add(p);
      }
    }
    params.addAll(guards);
    results.addAll(guardResults);
    pat.addAll(guardPat);
    Exp.Form form =
        switch (l.form()) {
          case Exp.Form.For f ->
              new Exp.Form.For(f.index(), f.type(), onHost(f.bound(), s.aux(), out));
          case Exp.Form.While w -> w;
        };
    out.add(new Stm(pat, s.aux(), new Exp.Loop(params, form, new Body(inside, results))));
    out.addAll(after);
  }

  /** Returns a statement that reads a scalar if a condition holds, and else takes another one. */
  private Stm conditional(PatElem p, SubExp condition, Stm read, SubExp other) {
    Name inside = names.fresh(p.name());
    PatElem bound = new PatElem(inside, p.type());
    Body reading =
        new Body(
            List.of(new Stm(List.of(bound), read.aux(), read.exp())), List.of(SubExp.of(inside)));
    Body otherwise = new Body(List.of(), List.of(other));
    return new Stm(List.of(p), read.aux(), Exp.Match.conditional(condition, reading, otherwise));
  }

  /** Returns a condition that holds if a loop has at least one iteration. */
  private SubExp ran(Stm s, Exp.Loop l, List<Stm> out) {
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

  private void withAcc(Stm s, Exp.WithAcc w, List<Stm> out) {
    List<Exp.AccInput> inputs = new ArrayList<>();
    for (Exp.AccInput in : w.inputs()) {
      Exp.AccOp op = in.op();
      if (op != null) {
        op = new Exp.AccOp(new Readers().reading(op.lambda()), op.neutral());
      }
      inputs.add(new Exp.AccInput(in.space(), in.arrays(), op));
    }
    List<Stm> inside = new ArrayList<>();
    stms(w.lambda().body().stms(), inside);
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
      if (p != null && isScalar(t) && isOnlyStored(r)) {
        results.add(SubExp.of(store(r, t.elemPrim(), s.aux(), inside)));
        types.add(arrayOf(t.elemPrim()));
        pat.add(bound(p, s, after));
        continue;
      }
      results.add(onHost(r, s.aux(), inside));
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
