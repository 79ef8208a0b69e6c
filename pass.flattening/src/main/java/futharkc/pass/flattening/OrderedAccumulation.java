package futharkc.pass.flattening;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Builder;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Program;
import futharkc.core.ir.Renamer;
import futharkc.core.ir.Scope;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.sequential.FirstOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Converts accumulations to loops in order. The conversion applies to operators on arrays that are
 * not elementwise, or that need arrays of arbitrary sizes: no thread has memory for these. The
 * loops carry the arrays; code inside an update may be parallel.
 *
 * <pre>{@code
 * with_acc acc([k], {a}, op)
 *   do \t acc -> screma(n, {acc, xss}) map \c xs -> update_acc(acc, [i], {xs})
 *   =>  loop a for j < n do a with [i] = op(a[i], xss[j])
 * }</pre>
 *
 * <p>Known gaps: accumulators that are arguments of functions stay accumulators. Reading one
 * element after the other costs the host a transfer for each; histograms are sorted instead.
 */
final class OrderedAccumulation extends Mapper {
  private final NameSource names;
  private final Scope scope;
  private final ThreadLimits limits;
  private final FirstOrder loopsAround;

  private OrderedAccumulation(NameSource names, Scope scope, ThreadLimits limits) {
    this.limits = limits;
    this.names = names;
    this.scope = scope;
    this.loopsAround = new FirstOrder(names, scope, inner -> inner);
  }

  /** Returns the program without such accumulations. */
  static Program in(Program p) {
    ThreadLimits limits = new ThreadLimits(p);
    Map<String, FunDef> functions = new LinkedHashMap<>();
    for (FunDef f : p.functions().values()) {
      NameSource names = new NameSource(f.nextTag());
      Body body = new OrderedAccumulation(names, Scope.ofAll(p, f), limits).body(f.body());
      functions.put(f.name(), body == f.body() ? f : f.withBody(body, names.next()));
    }
    return p.withFunctions(functions);
  }

  @Override
  public List<Stm> stms(List<Stm> stms) {
    List<Stm> out = new ArrayList<>();
    boolean changed = false;
    for (Stm given : stms) {
      Stm s = stm(given);
      changed |= s != given;
      List<Stm> histogram =
          s.exp() instanceof Exp.WithAcc w ? MappedAccumulation.of(names, s, w) : null;
      if (histogram != null) {
        out.addAll(histogram);
        changed = true;
      } else if (s.exp() instanceof Exp.WithAcc w && isOrdered(w)) {
        out.addAll(new InOrder(s, w).stms());
        changed = true;
      } else {
        out.add(s);
      }
    }
    return changed ? out : stms;
  }

  private boolean isOrdered(Exp.WithAcc w) {
    boolean any = false;
    for (Exp.AccInput in : w.inputs()) {
      if (in.op() == null) {
        continue;
      }
      Lambda op = in.op().lambda();
      List<Param> values = op.params().subList(in.space().size(), op.params().size());
      any |= !Preparation.isOnScalars(limits, new Lambda(values, op.body(), op.results()));
    }
    List<Name> tokens =
        w.lambda().params().subList(0, w.inputs().size()).stream().map(Param::name).toList();
    return any && !callsWith(w.lambda(), tokens);
  }

  /**
   * Tests whether a function takes one of these accumulators. The types in the call's pattern tell.
   */
  static boolean callsWith(Lambda body, List<Name> tokens) {
    boolean[] found = {false};
    new Mapper() {
      @Override
      public Stm stm(Stm s) {
        found[0] |=
            s.exp() instanceof Exp.Apply
                && s.pat().stream()
                    .anyMatch(p -> p.type() instanceof Type.Acc a && tokens.contains(a.token()));
        return super.stm(s);
      }
    }.lambda(body);
    return found[0];
  }

  /** The conversion of one accumulation. */
  private final class InOrder {
    private final Stm s;
    private final Exp.WithAcc w;
    private final Map<Name, Exp.AccInput> inputs = new HashMap<>();

    /** The arrays that replace each accumulator. */
    private final Map<Name, List<Name>> arrays = new HashMap<>();

    InOrder(Stm s, Exp.WithAcc w) {
      this.s = s;
      this.w = w;
      for (int i = 0; i < w.inputs().size(); i++) {
        Exp.AccInput in = w.inputs().get(i);
        inputs.put(w.lambda().params().get(i).name(), in);
        arrays.put(w.lambda().params().get(w.inputs().size() + i).name(), in.arrays());
      }
      scope.addParams(w.lambda().params());
      scope.addAll(w.lambda().body());
    }

    List<Stm> stms() {
      Builder b = new Builder(names).with(s.aux());
      b.addAll(plain(w.lambda().body().stms()));
      List<SubExp> results = plainResults(w.lambda().body().results());
      for (int i = 0; i < s.pat().size(); i++) {
        b.let(List.of(s.pat().get(i)), new BasicOp.SubExpOp(results.get(i)));
      }
      return b.stms().stream()
          .map(t -> new Stm(t.pat(), t.aux().plusCerts(s.aux().certs()), t.exp()))
          .toList();
    }

    private boolean isOurs(Type t) {
      return t instanceof Type.Acc a && inputs.containsKey(a.token());
    }

    /** Returns the results, with accumulators replaced by their arrays. */
    private List<SubExp> plainResults(List<SubExp> results) {
      List<SubExp> out = new ArrayList<>();
      for (SubExp r : results) {
        List<Name> known = r instanceof SubExp.Var v ? arrays.get(v.name()) : null;
        if (known == null) {
          out.add(r);
        } else {
          for (Name n : known) {
            out.add(SubExp.of(n));
          }
        }
      }
      return out;
    }

    private List<PatElem> plainPattern(List<PatElem> pat) {
      List<PatElem> out = new ArrayList<>();
      for (PatElem p : pat) {
        if (!isOurs(p.type())) {
          out.add(p);
          continue;
        }
        List<Name> fresh = new ArrayList<>();
        for (Type t : types(p.type())) {
          fresh.add(names.fresh(p.name()));
          out.add(new PatElem(fresh.getLast(), t));
          scope.add(fresh.getLast(), t);
        }
        arrays.put(p.name(), fresh);
      }
      return out;
    }

    private List<Type> types(Type acc) {
      Exp.AccInput in = inputs.get(((Type.Acc) acc).token());
      if (in == null) {
        throw new IllegalStateException("accumulation of another accumulator");
      }
      return in.arrays().stream().map(scope::type).toList();
    }

    private Body plain(Body b) {
      List<Stm> stms = plain(b.stms());
      return new Body(stms, plainResults(b.results()));
    }

    private List<Stm> plain(List<Stm> stms) {
      Builder b = new Builder(names);
      for (Stm t : stms) {
        plain(t, b);
      }
      return b.stms();
    }

    private void plain(Stm t, Builder b) {
      if (FreeNames.of(t).stream().noneMatch(arrays::containsKey)) {
        b.add(t);
        return;
      }
      b.with(t.aux());
      switch (t.exp()) {
        case BasicOp.UpdateAcc u -> update(t, u, b);
        case BasicOp.SubExpOp x -> {
          List<Name> known = x.value() instanceof SubExp.Var v ? arrays.get(v.name()) : null;
          if (known != null) {
            arrays.put(t.names().get(0), known);
          }
        }
        case Soac x -> {
          List<Stm> loops = loopsAround.soac(t, x);
          scope.addAll(new Body(loops, List.of()));
          b.addAll(plain(loops));
        }
        case Exp.Loop l -> loop(t, l, b);
        case Exp.Match m -> {
          List<Exp.Case> cases = new ArrayList<>();
          for (Exp.Case c : m.cases()) {
            cases.add(new Exp.Case(c.pattern(), plain(c.body())));
          }
          Exp all = new Exp.Match(m.scrutinees(), cases, plain(m.otherwise()));
          b.add(new Stm(plainPattern(t.pat()), t.aux(), all));
        }
        case Exp.WithAcc x -> {
          Lambda l = x.lambda();
          List<Type> types = new ArrayList<>();
          for (Type r : l.results()) {
            if (isOurs(r)) {
              types.addAll(types(r));
            } else {
              types.add(r);
            }
          }
          Lambda inside = new Lambda(l.params(), plain(l.body()), types);
          b.add(new Stm(plainPattern(t.pat()), t.aux(), new Exp.WithAcc(x.inputs(), inside)));
        }
        default -> throw new IllegalStateException("unexpected accumulator in " + t.exp());
      }
    }

    private void loop(Stm t, Exp.Loop l, Builder b) {
      List<Exp.LoopParam> params = new ArrayList<>();
      for (Exp.LoopParam p : l.params()) {
        List<Name> init =
            p.init() instanceof SubExp.Var v && isOurs(p.param().type())
                ? arrays.get(v.name())
                : null;
        if (init == null) {
          params.add(p);
          continue;
        }
        List<Name> carried = new ArrayList<>();
        for (Name a : init) {
          Param q = new Param(names.fresh(p.param().name()), scope.type(a), true);
          scope.add(q.name(), q.type());
          carried.add(q.name());
          params.add(new Exp.LoopParam(q, SubExp.of(a)));
        }
        arrays.put(p.param().name(), carried);
      }
      Body body = plain(l.body());
      b.add(new Stm(plainPattern(t.pat()), t.aux(), new Exp.Loop(params, l.form(), body)));
    }

    /** Emits an update of the arrays if the index is in range. */
    private void update(Stm t, BasicOp.UpdateAcc u, Builder b) {
      List<Name> before = arrays.getOrDefault(u.acc(), List.of());
      Exp.AccInput in = inputs.get(((Type.Acc) t.pat().get(0).type()).token());
      if (in == null) {
        throw new IllegalStateException("update of another accumulator");
      }
      SubExp inRange = SubExp.TRUE;
      for (int d = 0; d < u.index().size(); d++) {
        SubExp i = u.index().get(d);
        SubExp low = b.cmp("low", CmpOp.Kind.SLE, PrimType.I64, SubExp.i64(0), i);
        SubExp high = b.cmp("high", CmpOp.Kind.SLT, PrimType.I64, i, in.space().get(d));
        SubExp both = b.binOp("both", BinOp.Kind.LOG_AND, PrimType.BOOL, low, high);
        inRange = b.binOp("in_range", BinOp.Kind.LOG_AND, PrimType.BOOL, inRange, both);
      }
      Builder then = new Builder(names).with(t.aux());
      List<SubExp> values = applied(in, u, before, then);
      List<SubExp> written = new ArrayList<>();
      for (int k = 0; k < before.size(); k++) {
        Type type = scope.type(before.get(k));
        Slice at = Slice.fix(u.index(), type.dims());
        written.add(
            then.letExp(
                "updated", type, new BasicOp.Update(false, before.get(k), at, values.get(k))));
      }
      Body otherwise = new Body(List.of(), FlatteningContext.operands(before));
      Exp choice = Exp.Match.conditional(inRange, then.body(written), otherwise);
      b.add(new Stm(plainPattern(t.pat()), t.aux(), choice));
    }

    /** Returns the operator's results on the current elements and the update's values. */
    private List<SubExp> applied(
        Exp.AccInput in, BasicOp.UpdateAcc u, List<Name> arrays, Builder b) {
      if (in.op() == null) {
        return u.values();
      }
      Lambda op = new Renamer(names).lambda(in.op().lambda());
      scope.addParams(op.params());
      scope.addAll(op.body());
      int rank = in.space().size();
      List<SubExp> args = new ArrayList<>(u.index());
      for (Name a : arrays) {
        Type type = scope.type(a);
        Type part = type.peel(rank);
        SubExp there =
            b.letExp("there", part, new BasicOp.Index(a, Slice.fix(u.index(), type.dims())));
        // The operator may return this element, which is then written to the array it aliases, so
        // copy the element.
        args.add(
            part.rank() == 0
                ? there
                : b.letExp("there", part, new BasicOp.Replicate(List.of(), there)));
      }
      args.addAll(u.values());
      for (int k = 0; k < args.size(); k++) {
        Param p = op.params().get(k);
        b.let(List.of(new PatElem(p.name(), p.type())), new BasicOp.SubExpOp(args.get(k)));
      }
      b.addAll(op.body().stms());
      return op.body().results();
    }
  }
}
