package futharkc.core.ir.liveness;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.SegBody;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegResult;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Elimination of dead code, bottom-up: unused statements, results of compound expressions, and loop
 * parameters.
 */
public final class DeadCode extends Mapper {
  private boolean changed;

  /**
   * The names mentioned by the statements kept so far, at any depth. Names of nested statements do
   * no harm, since no name is bound twice.
   */
  private final Set<Name> live = new HashSet<>();

  private final Uses uses = new Uses();

  /** The depth of nested bodies. */
  private int depth;

  /** The loop parameters known to be needed. The sets only grow as more names become live. */
  private final Map<Exp.Loop, Set<Integer>> needs;

  /** The loops in which everything is live. */
  private final Set<Exp> done = Collections.newSetFromMap(new IdentityHashMap<>());

  public DeadCode() {
    this(new IdentityHashMap<>());
  }

  private DeadCode(Map<Exp.Loop, Set<Integer>> needs) {
    this.needs = needs;
  }

  /** Tests whether code has been removed. */
  public boolean changed() {
    return changed;
  }

  @Override
  public Body body(Body b) {
    if (depth == 0) {
      live.clear();
    }
    for (SubExp r : b.results()) {
      uses.subExp(r);
    }
    List<Stm> stms = live(b.stms());
    return stms == b.stms() ? b : new Body(stms, b.results());
  }

  @Override
  public SegBody segBody(SegBody b) {
    if (depth == 0) {
      live.clear();
    }
    for (SegResult r : b.results()) {
      uses.segResult(r);
    }
    List<Stm> stms = live(b.stms());
    return stms == b.stms() ? b : new SegBody(stms, b.results());
  }

  /**
   * A traversal that adds the names that a statement itself mentions. Nested statements are already
   * processed.
   */
  private final class Uses extends Mapper {
    @Override
    public Name name(Name n) {
      live.add(n);
      return n;
    }

    @Override
    public Poly poly(Poly p) {
      live.addAll(p.names());
      return p;
    }

    @Override
    public Body body(Body b) {
      return b;
    }

    @Override
    public SegBody segBody(SegBody b) {
      return b;
    }
  }

  private List<Stm> live(List<Stm> stms) {
    depth++;
    ArrayDeque<Stm> kept = new ArrayDeque<>();
    boolean same = true;
    for (int k = stms.size() - 1; k >= 0; k--) {
      Stm s = stms.get(k);
      if (!isLive(s)) {
        changed = true;
        same = false;
        continue;
      }
      Stm t = prune(s);
      boolean known = done.contains(t.exp());
      Exp e = known ? t.exp() : exp(t.exp());
      e = DeadResults.withoutUnusedInputs(e);
      if (e != t.exp()) {
        t = t.withExp(e);
      }
      same &= t == s;
      if (known) {
        live.addAll(FreeNames.of(t));
      } else {
        uses.stm(t);
      }
      kept.addFirst(t);
    }
    depth--;
    return same ? stms : new ArrayList<>(kept);
  }

  private boolean isLive(Stm s) {
    for (PatElem p : s.pat()) {
      if (live.contains(p.name())) {
        return true;
      }
    }
    return false;
  }

  /** Removes dead results, except those that types of live results mention. */
  private Stm prune(Stm s) {
    Set<Name> mentioned = new HashSet<>();
    for (PatElem p : s.pat().reversed()) {
      if (!live.contains(p.name()) && !mentioned.contains(p.name())) {
        continue;
      }
      mentioned.add(p.name());
      mentioned.addAll(FreeNames.of(p.type()));
    }
    List<Integer> keep = new ArrayList<>();
    for (int k = 0; k < s.pat().size(); k++) {
      PatElem p = s.pat().get(k);
      if (mentioned.contains(p.name()) || p.type() instanceof Type.Acc) {
        keep.add(k);
      }
    }
    if (keep.size() == s.pat().size()) {
      return s;
    }
    return switch (s.exp()) {
      case Exp.Match m -> {
        List<Exp.Case> cases = new ArrayList<>();
        for (Exp.Case c : m.cases()) {
          cases.add(new Exp.Case(c.pattern(), pick(c.body(), keep)));
        }
        yield pruned(s, keep, new Exp.Match(m.scrutinees(), cases, pick(m.otherwise(), keep)));
      }
      case Exp.Loop l -> loop(s, l, keep);
      case Soac.Screma x -> replaced(s, DeadResults.screma(s, x, keep));
      case Soac.Hist x -> replaced(s, DeadResults.hist(s, x, keep));
      case SegExp.ParOp p -> {
        SegOp op = segOp(p.op(), keep);
        if (op == null) {
          yield s;
        }
        yield pruned(s, keep, p.with(op, p.nested() == null ? null : pick(p.nested(), keep)));
      }
      case SegExp.Seg p -> {
        SegOp op = segOp(p.op(), keep);
        yield op == null ? s : pruned(s, keep, new SegExp.Seg(op));
      }
      case Exp.WithAcc w -> replaced(s, DeadResults.withAcc(s, w, keep));
      case Exp.Apply x -> s;
      case BasicOp x -> s;
      case HostOp.GpuBody g -> {
        List<Type> types = keep.stream().map(g.types()::get).toList();
        yield pruned(s, keep, new HostOp.GpuBody(types, pick(g.body(), keep)));
      }
      case HostOp x -> s;
      case MemOp x -> s;
      case Soac.Stream x -> s;
      case Soac.FlatMap x -> s;
      case Soac.Jvp x -> s;
      case Soac.Vjp x -> s;
      case Soac.WithVjp x -> s;
    };
  }

  private Stm pruned(Stm s, Collection<Integer> keep, Exp e) {
    changed = true;
    List<PatElem> pat = new ArrayList<>();
    for (int k : keep) {
      pat.add(s.pat().get(k));
    }
    return new Stm(pat, s.aux(), e);
  }

  private Stm replaced(Stm s, Stm smaller) {
    changed |= smaller != s;
    return smaller;
  }

  private static Body pick(Body b, Collection<Integer> keep) {
    List<SubExp> results = new ArrayList<>();
    for (int k : keep) {
      results.add(b.results().get(k));
    }
    return new Body(b.stms(), results);
  }

  /**
   * Removes dead loop parameters: parameters whose results are dead and which live statements of
   * the body do not use. The needed set grows to a fixed point. When an outer loop is analysed
   * again, the set is kept; starting afresh would take time exponential in the loop depth.
   */
  private Stm loop(Stm s, Exp.Loop l, List<Integer> keep) {
    Set<Integer> needed = needs.computeIfAbsent(l, k -> new TreeSet<>());
    needed.addAll(keep);
    if (l.form() instanceof Exp.Form.While w) {
      needed.add(position(l, w.cond()));
    }
    while (needed.size() < l.params().size()) {
      Body live = new DeadCode(needs).body(pick(l.body(), needed));
      if (!addUsed(l, live, needed)) {
        List<Exp.LoopParam> params = new ArrayList<>();
        for (int k : needed) {
          params.add(l.params().get(k));
        }
        Exp.Loop smaller = new Exp.Loop(params, l.form(), live);
        done.add(smaller);
        return pruned(s, needed, smaller);
      }
    }
    return s;
  }

  /**
   * Adds the parameters used by a body or by types of needed parameters. Returns true if the set
   * grew.
   */
  private static boolean addUsed(Exp.Loop l, Body live, Set<Integer> needed) {
    Set<Name> used = new HashSet<>(FreeNames.of(live));
    for (int k : needed) {
      used.addAll(FreeNames.of(l.params().get(k).param().type()));
    }
    boolean more = false;
    for (int k = 0; k < l.params().size(); k++) {
      more |= used.contains(l.params().get(k).param().name()) && needed.add(k);
    }
    return more;
  }

  private static int position(Exp.Loop l, Name param) {
    for (int k = 0; k < l.params().size(); k++) {
      if (l.params().get(k).param().name().equals(param)) {
        return k;
      }
    }
    throw new IllegalStateException(param + " is not a parameter of its loop");
  }

  private static @org.jspecify.annotations.Nullable SegOp segOp(SegOp op, List<Integer> keep) {
    if (!(op instanceof SegOp.SegMap m)) {
      return null;
    }
    List<Type> types = new ArrayList<>();
    List<SegResult> results = new ArrayList<>();
    for (int k : keep) {
      types.add(m.types().get(k));
      results.add(m.body().results().get(k));
    }
    return new SegOp.SegMap(m.level(), m.space(), types, new SegBody(m.body().stms(), results));
  }
}
