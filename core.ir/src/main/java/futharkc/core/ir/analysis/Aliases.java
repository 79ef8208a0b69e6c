package futharkc.core.ir.analysis;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSet;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegResult;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An alias analysis of arrays: for each array, the roots with which it may share elements. A root
 * is a fresh array or an outer array. Two arrays share elements only if they have a common root. An
 * array made by consuming another, such as an update or the result of a call, has the roots of the
 * consumed array. The analysis ignores memory annotations: arrays without a common root may be in
 * one block.
 */
public final class Aliases {
  /** The analysis of a whole function. */
  public static final Analysis<FunDef, Aliases> ANALYSIS = new OfFunction();

  private final Map<Name, NameSet> roots = new HashMap<>();

  /** The preceding layer of entries, which is more than twice as large as this one, or null. */
  private @Nullable Aliases before;

  /** True if unique parameters of loops are treated as fresh. */
  private final boolean apart;

  private Aliases(@Nullable Aliases before, boolean apart) {
    this.before = before;
    this.apart = apart;
  }

  private record OfFunction() implements Analysis<FunDef, Aliases> {
    @Override
    public String name() {
      return "aliases";
    }

    @Override
    public Aliases compute(FunDef f, AnalysisCache cache) {
      return of(f.body().stms());
    }
  }

  /**
   * Returns the aliases of arrays in statements, at any depth. Names that the statements do not
   * bind are roots.
   */
  public static Aliases of(List<Stm> stms) {
    Aliases a = new Aliases(null, false);
    a.stms(stms);
    return a;
  }

  /**
   * Returns the aliases within single iterations. A unique loop parameter is treated as fresh,
   * although another parameter may hold the same array in the next iteration. Results of a loop do
   * not alias arrays made by its iterations.
   */
  public static Aliases ofIterations(List<Stm> stms) {
    Aliases a = new Aliases(null, true);
    a.stms(stms);
    return a;
  }

  /** Returns these aliases extended with the arrays that further statements bind, at any depth. */
  public Aliases with(List<Stm> stms) {
    Aliases a = new Aliases(this, apart);
    a.stms(stms);
    while (a.before != null && a.before.roots.size() <= 2 * a.roots.size()) {
      a.before.roots.forEach(a.roots::putIfAbsent);
      a.before = a.before.before;
    }
    return a;
  }

  /** Returns the roots of an array. A fresh or outer array is its own root. */
  public NameSet roots(Name n) {
    for (Aliases layer = this; layer != null; layer = layer.before) {
      NameSet known = layer.roots.get(n);
      if (known != null) {
        return known;
      }
    }
    return NameSet.of(n);
  }

  /** Tests whether two arrays may share elements. */
  public boolean mayShare(Name a, Name b) {
    return roots(a).meets(roots(b));
  }

  private NameSet roots(SubExp e) {
    return e instanceof SubExp.Var v ? roots(v.name()) : NameSet.of();
  }

  private NameSet roots(List<SubExp> es) {
    NameSet all = NameSet.of();
    for (SubExp e : es) {
      all = all.union(roots(e));
    }
    return all;
  }

  private void set(Name n, NameSet of) {
    roots.put(n, of);
  }

  private void stms(List<Stm> stms) {
    for (Stm s : stms) {
      stm(s);
    }
  }

  private void stm(Stm s) {
    switch (s.exp()) {
      case BasicOp op -> {
        SubExp from = s.pat().get(0).type() instanceof Type.Prim ? null : viewed(op);
        if (from instanceof SubExp.Var v) {
          set(s.pat().get(0).name(), roots(v.name()));
        }
      }
      case Exp.Apply a -> {
        // Results that are not unique may share elements with each other.
        arrays(s, NameSet.copyOf(s.names()).union(roots(a.args())));
      }
      case Exp.Match m -> {
        for (Exp.Case c : m.cases()) {
          stms(c.body().stms());
        }
        stms(m.otherwise().stms());
        for (int k = 0; k < s.pat().size(); k++) {
          if (s.pat().get(k).type() instanceof Type.Prim) {
            continue;
          }
          NameSet all = roots(m.otherwise().results().get(k));
          for (Exp.Case c : m.cases()) {
            all = all.union(roots(c.body().results().get(k)));
          }
          set(s.pat().get(k).name(), all);
        }
      }
      case Exp.Loop l -> loop(s, l);
      case Exp.WithAcc w -> {
        for (Exp.AccInput in : w.inputs()) {
          if (in.op() != null) {
            stms(in.op().lambda().body().stms());
          }
        }
        stms(w.lambda().body().stms());
        int k = 0;
        for (Exp.AccInput in : w.inputs()) {
          for (Name a : in.arrays()) {
            set(s.pat().get(k++).name(), roots(a));
          }
        }
        List<SubExp> results = w.lambda().body().results();
        for (int i = w.inputs().size(); i < results.size(); i++) {
          set(s.pat().get(k++).name(), roots(results.get(i)));
        }
      }
      case Soac op -> soac(s, op);
      case SegExp.Seg x -> segOp(s, x.op());
      case SegExp.ParOp x -> {
        if (x.nested() != null) {
          stms(x.nested().stms());
        }
        segOp(s, x.op());
      }
      case HostOp.GpuBody g -> {
        stms(g.body().stms());
        for (int k = 0; k < s.pat().size(); k++) {
          if (g.types().get(k) instanceof Type.Prim) {
            continue;
          }
          set(s.pat().get(k).name(), roots(g.body().results().get(k)));
        }
      }
      case HostOp h -> {}
      case MemOp.EnsureDirect d -> {
        int last = s.pat().size() - 1;
        set(s.pat().get(last).name(), roots(d.array()));
      }
      case MemOp.Alloc a -> {}
    }
  }

  /**
   * Returns the array of which the result is a slice, a reshape or an updated version, or null if
   * the result is fresh or a scalar.
   */
  private static @Nullable SubExp viewed(BasicOp op) {
    return switch (op) {
      case BasicOp.SubExpOp x -> x.value();
      case BasicOp.Opaque x -> x.value();
      case BasicOp.Index x -> SubExp.of(x.array());
      case BasicOp.FlatIndex x -> SubExp.of(x.array());
      case BasicOp.Update x -> SubExp.of(x.array());
      case BasicOp.FlatUpdate x -> SubExp.of(x.array());
      case BasicOp.Reshape x -> SubExp.of(x.array());
      case BasicOp.Rearrange x -> SubExp.of(x.array());
      // No code reads an accumulator.
      case BasicOp.UpdateAcc x -> null;
      case BasicOp.ArrayVal x -> null;
      case BasicOp.ArrayLit x -> null;
      case BasicOp.BinOpExp x -> null;
      case BasicOp.UnOpExp x -> null;
      case BasicOp.CmpOpExp x -> null;
      case BasicOp.ConvOpExp x -> null;
      case BasicOp.PrimFunExp x -> null;
      case BasicOp.Assert x -> null;
      case BasicOp.Concat x -> null;
      case BasicOp.Manifest x -> null;
      case BasicOp.Iota x -> null;
      case BasicOp.Replicate x -> null;
      case BasicOp.Scratch x -> null;
      case BasicOp.UserParam x -> null;
    };
  }

  /**
   * Adds the aliases of a loop. A parameter has the roots of its initial and next values, computed
   * as a fixed point. In a repeated analysis of an outer loop, roots found before are kept;
   * starting afresh would take time exponential in the loop depth.
   */
  private void loop(Stm s, Exp.Loop l) {
    int n = l.params().size();
    for (Exp.LoopParam p : l.params()) {
      if (p.param().type() instanceof Type.Prim) {
        continue;
      }
      NameSet mine = roots.getOrDefault(p.param().name(), NameSet.of(p.param().name()));
      set(p.param().name(), isApart(p) ? mine : roots(p.init()).union(mine));
    }
    boolean grew = true;
    while (grew) {
      stms(l.body().stms());
      grew = false;
      for (int k = 0; k < n; k++) {
        Name p = l.params().get(k).param().name();
        if (l.params().get(k).param().type() instanceof Type.Prim) {
          continue;
        }
        if (isApart(l.params().get(k))) {
          continue;
        }
        NameSet mine = roots(p);
        NameSet more = mine.union(roots(l.body().results().get(k)));
        if (more.size() == mine.size()) {
          continue;
        }
        set(p, more);
        grew = true;
      }
    }
    for (int k = 0; k < n; k++) {
      if (s.pat().get(k).type() instanceof Type.Prim) {
        continue;
      }
      Exp.LoopParam p = l.params().get(k);
      if (!isApart(p)) {
        set(s.pat().get(k).name(), roots(p.param().name()));
      }
    }
  }

  private boolean isApart(Exp.LoopParam p) {
    return apart && p.param().unique();
  }

  private void soac(Stm s, Soac op) {
    switch (op) {
      case Soac.Screma x -> {
        called(x.map(), x.inputs());
        List<SubExp> results = x.map().body().results();
        List<SubExp> given = new ArrayList<>();
        for (Soac.Scan o : x.scans()) {
          given.addAll(scanned(o.op(), results, given.size()));
        }
        for (Soac.Reduce o : x.reduces()) {
          stms(o.op().body().stms());
        }
        given.addAll(results.subList(x.scanResults() + x.reduceResults(), results.size()));
        handedOver(given, x.post());
      }
      case Soac.Hist x -> {
        called(x.bucket(), x.inputs());
        int k = 0;
        for (Soac.HistOp o : x.ops()) {
          stms(o.op().body().stms());
          for (Name d : o.dests()) {
            set(s.pat().get(k++).name(), roots(d));
          }
        }
      }
      case Soac.Stream x -> {
        List<Param> params = x.lambda().params();
        for (int i = 0; i < x.accs().size(); i++) {
          set(params.get(1 + i).name(), roots(x.accs().get(i)));
        }
        for (int i = 0; i < x.inputs().size(); i++) {
          set(params.get(1 + x.accs().size() + i).name(), roots(x.inputs().get(i)));
        }
        stms(x.lambda().body().stms());
        for (int i = 0; i < x.accs().size(); i++) {
          NameSet mine = roots(x.accs().get(i));
          set(s.pat().get(i).name(), mine.union(roots(x.lambda().body().results().get(i))));
        }
      }
      case Soac.FlatMap x -> called(x.lambda(), x.inputs());
      case Soac.Jvp x -> derived(s, x.lambda(), x.args(), x.tangents());
      case Soac.Vjp x -> derived(s, x.lambda(), x.args(), x.adjoints());
      case Soac.WithVjp x -> {
        derived(s, x.lambda(), x.args(), List.of());
        stms(x.adjoint().body().stms());
      }
    }
  }

  /** Adds the aliases of a lambda's parameters, which are rows of the inputs. */
  private void called(Lambda l, List<Name> inputs) {
    for (int i = 0; i < inputs.size(); i++) {
      set(l.params().get(i).name(), roots(inputs.get(i)));
    }
    stms(l.body().stms());
  }

  /**
   * Returns the results of a scan's operator. They may be its operands, which are the next results
   * of the body.
   */
  private List<SubExp> scanned(Lambda op, List<SubExp> body, int from) {
    int n = op.results().size();
    for (int i = 0; i < 2 * n; i++) {
      Param p = op.params().get(i);
      if (p.type() instanceof Type.Prim) {
        continue;
      }
      set(p.name(), roots(body.get(from + i % n)).with(p.name()));
    }
    stms(op.body().stms());
    return op.body().results();
  }

  /**
   * Adds the aliases of the last lambda's parameters to results of the map and scans. The last
   * lambda may consume them.
   */
  private void handedOver(List<SubExp> given, Lambda post) {
    for (int i = 0; i < given.size(); i++) {
      if (post.params().get(i).type() instanceof Type.Prim) {
        continue;
      }
      set(post.params().get(i).name(), roots(given.get(i)));
    }
    stms(post.body().stms());
  }

  private void derived(Stm s, Lambda l, List<SubExp> args, List<SubExp> seeds) {
    NameSet all = NameSet.copyOf(s.names()).union(roots(seeds)).union(roots(args));
    for (int i = 0; i < args.size(); i++) {
      set(l.params().get(i).name(), roots(args.get(i)));
    }
    stms(l.body().stms());
    arrays(s, all.union(roots(l.body().results())));
  }

  /** Assigns the roots to all arrays that a statement binds. */
  private void arrays(Stm s, NameSet roots) {
    for (PatElem p : s.pat()) {
      if (!(p.type() instanceof Type.Prim)) {
        set(p.name(), roots);
      }
    }
  }

  private void segOp(Stm s, SegOp op) {
    stms(op.body().stms());
    switch (op) {
      case SegOp.SegMap m -> {}
      case SegOp.SegRed r -> {
        r.ops().forEach(o -> stms(o.op().body().stms()));
        if (r.post() != null) {
          stms(r.post().body().stms());
        }
      }
      case SegOp.SegScan c -> {
        List<SubExp> results = c.body().results().stream().map(SegResult::value).toList();
        List<SubExp> given = new ArrayList<>();
        for (SegOp.SegBinOp o : c.ops()) {
          given.addAll(scanned(o.op(), results, given.size()));
        }
        given.addAll(results.subList(given.size(), results.size()));
        handedOver(given, c.post());
      }
      case SegOp.SegHist h -> {
        int k = 0;
        for (SegOp.SegHistOp o : h.ops()) {
          stms(o.op().body().stms());
          for (Name d : o.dests()) {
            set(s.pat().get(k++).name(), roots(d));
          }
        }
      }
    }
  }
}
