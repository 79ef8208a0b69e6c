package futharkc.tests.fuzz;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegResult;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A reference for {@link futharkc.core.ir.analysis.Aliases}: the graph of arrays and the arrays
 * they derive from, with a graph search for the roots of an array.
 */
final class ReferenceAliases extends Mapper {
  private final boolean apart;
  private final Map<Name, Set<Name>> from = new LinkedHashMap<>();

  /** Arrays that are roots although they may also derive from other arrays. */
  private final Set<Name> alsoFresh = new HashSet<>();

  private final Set<Name> bound = new LinkedHashSet<>();

  /**
   * Builds the graph of some statements.
   *
   * @param apart true to separate iterations, as {@link
   *     futharkc.core.ir.analysis.Aliases#ofIterations} does
   */
  ReferenceAliases(List<Stm> stms, boolean apart) {
    this.apart = apart;
    stms(stms);
  }

  /** Returns all bound names, at every depth. */
  Set<Name> bound() {
    return bound;
  }

  Set<Name> roots(Name array) {
    Set<Name> roots = new HashSet<>();
    Set<Name> seen = new HashSet<>(Set.of(array));
    Deque<Name> open = new ArrayDeque<>(seen);
    while (!open.isEmpty()) {
      Name n = open.pop();
      if (!from.containsKey(n) || alsoFresh.contains(n)) {
        roots.add(n);
      }
      for (Name m : from.getOrDefault(n, Set.of())) {
        if (seen.add(m)) {
          open.push(m);
        }
      }
    }
    return roots;
  }

  @Override
  public Name binder(Name n) {
    bound.add(n);
    return n;
  }

  private void edge(Name n, SubExp e) {
    Set<Name> all = from.computeIfAbsent(n, k -> new HashSet<>());
    if (e instanceof SubExp.Var v) {
      all.add(v.name());
    }
  }

  private void edge(Name n, Name m) {
    edge(n, SubExp.of(m));
  }

  /** Adds an edge unless the name is a scalar. */
  private void array(PatElem p, SubExp e) {
    if (!(p.type() instanceof Type.Prim)) {
      edge(p.name(), e);
    }
  }

  private void array(Param p, SubExp e) {
    if (!(p.type() instanceof Type.Prim)) {
      edge(p.name(), e);
    }
  }

  @Override
  public Stm stm(Stm s) {
    switch (s.exp()) {
      case BasicOp.SubExpOp x -> array(s.pat().get(0), x.value());
      case BasicOp.Opaque x -> array(s.pat().get(0), x.value());
      case BasicOp.Index x -> array(s.pat().get(0), SubExp.of(x.array()));
      case BasicOp.FlatIndex x -> array(s.pat().get(0), SubExp.of(x.array()));
      case BasicOp.Update x -> edge(s.pat().get(0).name(), x.array());
      case BasicOp.FlatUpdate x -> edge(s.pat().get(0).name(), x.array());
      case BasicOp.Reshape x -> edge(s.pat().get(0).name(), x.array());
      case BasicOp.Rearrange x -> edge(s.pat().get(0).name(), x.array());
      case BasicOp x -> {}
      case Exp.Apply a -> mixed(s, a.args());
      case Exp.Match m -> {
        for (int k = 0; k < s.pat().size(); k++) {
          array(s.pat().get(k), m.otherwise().results().get(k));
          for (Exp.Case c : m.cases()) {
            array(s.pat().get(k), c.body().results().get(k));
          }
        }
      }
      case Exp.Loop l -> loop(s, l);
      case Exp.WithAcc w -> {
        List<SubExp> of = new ArrayList<>();
        for (Exp.AccInput in : w.inputs()) {
          in.arrays().forEach(a -> of.add(SubExp.of(a)));
        }
        List<SubExp> results = w.lambda().body().results();
        of.addAll(results.subList(w.inputs().size(), results.size()));
        for (int k = 0; k < of.size(); k++) {
          edge(s.pat().get(k).name(), of.get(k));
        }
      }
      case Soac op -> soac(s, op);
      case SegExp.Seg x -> segOp(s, x.op());
      case SegExp.ParOp x -> segOp(s, x.op());
      case HostOp.GpuBody g -> {
        for (int k = 0; k < s.pat().size(); k++) {
          if (g.types().get(k) instanceof Type.Prim) {
            continue;
          }
          edge(s.pat().get(k).name(), g.body().results().get(k));
        }
      }
      case HostOp h -> {}
      case MemOp.EnsureDirect d -> edge(s.pat().getLast().name(), d.array());
      case MemOp.Alloc a -> {}
    }
    return super.stm(s);
  }

  /** Adds edges from all results of a statement to each other and to all of {@code of}. */
  private void mixed(Stm s, List<SubExp> of) {
    for (PatElem p : s.pat()) {
      for (SubExp e : of) {
        array(p, e);
      }
      for (PatElem q : s.pat()) {
        array(p, SubExp.of(q.name()));
      }
      alsoFresh.add(p.name());
    }
  }

  private void loop(Stm s, Exp.Loop l) {
    for (int k = 0; k < l.params().size(); k++) {
      Param p = l.params().get(k).param();
      alsoFresh.add(p.name());
      if (apart && p.unique()) {
        continue;
      }
      array(p, l.params().get(k).init());
      array(p, l.body().results().get(k));
      array(s.pat().get(k), SubExp.of(p.name()));
    }
  }

  private void soac(Stm s, Soac op) {
    switch (op) {
      case Soac.Screma x -> {
        called(x.map(), x.inputs());
        List<SubExp> given = new ArrayList<>(x.map().body().results());
        for (int k = 0, at = 0; k < x.scans().size(); k++) {
          at = scanned(x.scans().get(k).op(), given, at);
        }
        given.subList(x.scanResults(), x.scanResults() + x.reduceResults()).clear();
        handedOver(given, x.post());
      }
      case Soac.Hist x -> {
        called(x.bucket(), x.inputs());
        int k = 0;
        for (Soac.HistOp o : x.ops()) {
          for (Name d : o.dests()) {
            edge(s.pat().get(k++).name(), d);
          }
        }
      }
      case Soac.Stream x -> {
        List<Param> params = x.lambda().params();
        for (int i = 0; i < x.accs().size(); i++) {
          edge(params.get(1 + i).name(), x.accs().get(i));
          edge(s.pat().get(i).name(), x.accs().get(i));
          edge(s.pat().get(i).name(), x.lambda().body().results().get(i));
        }
        for (int i = 0; i < x.inputs().size(); i++) {
          edge(params.get(1 + x.accs().size() + i).name(), x.inputs().get(i));
        }
      }
      case Soac.FlatMap x -> called(x.lambda(), x.inputs());
      case Soac.Jvp x -> derived(s, x.lambda(), x.args(), x.tangents());
      case Soac.Vjp x -> derived(s, x.lambda(), x.args(), x.adjoints());
      case Soac.WithVjp x -> derived(s, x.lambda(), x.args(), List.of());
    }
  }

  private void called(Lambda l, List<Name> inputs) {
    for (int i = 0; i < inputs.size(); i++) {
      edge(l.params().get(i).name(), inputs.get(i));
    }
  }

  /** Replaces the operands of a scan by its results; returns the position after them. */
  private int scanned(Lambda op, List<SubExp> given, int at) {
    int n = op.results().size();
    for (int i = 0; i < 2 * n; i++) {
      array(op.params().get(i), given.get(at + i % n));
      alsoFresh.add(op.params().get(i).name());
    }
    for (int i = 0; i < n; i++) {
      given.set(at + i, op.body().results().get(i));
    }
    return at + n;
  }

  private void handedOver(List<SubExp> given, Lambda post) {
    for (int i = 0; i < given.size(); i++) {
      array(post.params().get(i), given.get(i));
    }
  }

  private void derived(Stm s, Lambda l, List<SubExp> args, List<SubExp> seeds) {
    List<SubExp> all = new ArrayList<>(seeds);
    all.addAll(args);
    all.addAll(l.body().results());
    mixed(s, all);
    for (int i = 0; i < args.size(); i++) {
      edge(l.params().get(i).name(), args.get(i));
    }
  }

  private void segOp(Stm s, SegOp op) {
    switch (op) {
      case SegOp.SegMap m -> {}
      case SegOp.SegRed r -> {}
      case SegOp.SegScan c -> {
        List<SubExp> given =
            new ArrayList<>(c.body().results().stream().map(SegResult::value).toList());
        int at = 0;
        for (SegOp.SegBinOp o : c.ops()) {
          at = scanned(o.op(), given, at);
        }
        handedOver(given, c.post());
      }
      case SegOp.SegHist h -> {
        int k = 0;
        for (SegOp.SegHistOp o : h.ops()) {
          for (Name d : o.dests()) {
            edge(s.pat().get(k++).name(), d);
          }
        }
      }
    }
  }
}
