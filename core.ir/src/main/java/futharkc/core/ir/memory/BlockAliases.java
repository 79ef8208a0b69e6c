package futharkc.core.ir.memory;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Analysis;
import futharkc.core.ir.analysis.AnalysisCache;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * An alias analysis of the block variables of a function. Aliases are an equivalence relation over
 * branches, loops and calls, so the result is an over-approximation: variables of different classes
 * never refer to the same block. (Two parameters may refer to the same block only if the function
 * writes neither.)
 */
public final class BlockAliases {
  /** The analysis of a whole function. */
  public static final Analysis<FunDef, BlockAliases> ANALYSIS = new OfFunction();

  private final Map<Name, Name> representative = new HashMap<>();
  private final Map<Name, List<Name>> classes = new LinkedHashMap<>();
  private final Map<Name, Integer> bound;
  private final Set<Name> allocated;

  private BlockAliases(Walk walk) {
    bound = walk.bound;
    allocated = walk.allocated;
    for (Name n : walk.parent.keySet()) {
      Name root = walk.find(n);
      representative.put(n, root);
      classes.computeIfAbsent(root, k -> new ArrayList<>()).add(n);
    }
    classes.values().forEach(c -> c.sort(null));
  }

  private record OfFunction() implements Analysis<FunDef, BlockAliases> {
    @Override
    public String name() {
      return "block aliases";
    }

    @Override
    public BlockAliases compute(FunDef f, AnalysisCache cache) {
      Map<Name, Type> types = new HashMap<>();
      f.params().forEach(p -> types.put(p.name(), p.type()));
      return of(f.body().stms(), types);
    }
  }

  /**
   * Returns the aliases of statements.
   *
   * @param outside the types of outer names
   */
  public static BlockAliases of(List<Stm> stms, Map<Name, Type> outside) {
    Walk walk = new Walk(new HashMap<>(outside));
    for (Stm s : stms) {
      walk.stm(s);
    }
    return new BlockAliases(walk);
  }

  /** Returns the representative variable of a class. */
  public Name representative(Name block) {
    return representative.getOrDefault(block, block);
  }

  /** Tests whether two variables may refer to the same block. */
  public boolean maySame(Name a, Name b) {
    return representative(a).equals(representative(b));
  }

  /**
   * Tests whether two variables may refer to the same block at the same time. More precise than
   * {@link #maySame}: a newly allocated block differs from all blocks of existing variables. Within
   * an iteration, a block allocated by the loop body is not yet the value of a loop parameter.
   */
  public boolean maySameAtOnce(Name a, Name b) {
    return a.equals(b) || maySame(a, b) && !isNewer(a, b) && !isNewer(b, a);
  }

  /** Tests whether a block is allocated after another variable receives its value. */
  private boolean isNewer(Name block, Name other) {
    return allocated.contains(block)
        && bound.getOrDefault(other, -1) < bound.getOrDefault(block, -1);
  }

  /** Returns the other variables that may refer to the same block, in order. */
  public List<Name> of(Name block) {
    List<Name> all = classes.getOrDefault(representative(block), List.of());
    return all.stream().filter(n -> !n.equals(block)).toList();
  }

  private static final class Walk extends Mapper {
    final Map<Name, Name> parent = new HashMap<>();

    /**
     * The order in which variables receive values: loop parameters before bodies, results after
     * them.
     */
    final Map<Name, Integer> bound = new HashMap<>();

    final Set<Name> allocated = new HashSet<>();
    private final Map<Name, Type> types;

    Walk(Map<Name, Type> types) {
      this.types = types;
    }

    Name find(Name n) {
      Name root = n;
      while (true) {
        Name up = parent.getOrDefault(root, root);
        if (up.equals(root)) {
          break;
        }
        root = up;
      }
      if (!root.equals(n)) {
        parent.put(n, root);
      }
      return root;
    }

    private void union(Name a, SubExp b) {
      if (b instanceof SubExp.Var v) {
        union(a, v.name());
      }
    }

    private void union(Name a, Name b) {
      parent.putIfAbsent(a, a);
      parent.putIfAbsent(b, b);
      parent.put(find(a), find(b));
    }

    @Override
    public Stm stm(Stm s) {
      List<PatElem> pat = s.pat();
      for (PatElem p : pat) {
        types.put(p.name(), p.type());
      }
      switch (s.exp()) {
        case BasicOp.SubExpOp op -> {
          if (isBlock(pat.get(0))) {
            union(pat.get(0).name(), op.value());
          }
        }
        case Exp.Match m -> {
          m.cases().forEach(c -> results(pat, c.body()));
          results(pat, m.otherwise());
        }
        case SegExp.ParOp p -> {
          if (p.nested() != null) {
            results(pat, p.nested());
          }
        }
        case Exp.Loop l -> loop(pat, l);
        case Exp.Apply a -> apply(pat, a);
        case MemOp.EnsureDirect e -> {
          if (isBlock(pat.get(0))
              && types.get(e.array()) instanceof Type.Array a
              && a.mem() != null) {
            union(pat.get(0).name(), a.mem().block());
          }
        }
        case Exp.WithAcc w -> {
          int accs = w.inputs().size();
          List<SubExp> results = w.lambda().body().results();
          int others = results.size() - accs;
          results(
              pat.subList(pat.size() - others, pat.size()),
              new Body(List.of(), results.subList(accs, results.size())));
        }
        case BasicOp.Opaque _,
            BasicOp.ArrayVal _,
            BasicOp.ArrayLit _,
            BasicOp.BinOpExp _,
            BasicOp.UnOpExp _,
            BasicOp.CmpOpExp _,
            BasicOp.ConvOpExp _,
            BasicOp.PrimFunExp _,
            BasicOp.Assert _,
            BasicOp.Index _,
            BasicOp.Update _,
            BasicOp.FlatIndex _,
            BasicOp.FlatUpdate _,
            BasicOp.Concat _,
            BasicOp.Manifest _,
            BasicOp.Iota _,
            BasicOp.Replicate _,
            BasicOp.Scratch _,
            BasicOp.Reshape _,
            BasicOp.Rearrange _,
            BasicOp.UpdateAcc _,
            BasicOp.UserParam _,
            Soac _,
            SegExp.Seg _,
            HostOp _,
            MemOp.Alloc _ -> {}
      }
      Stm mapped = super.stm(s);
      for (PatElem p : pat) {
        if (isBlock(p)) {
          bind(p.name());
        }
      }
      if (s.exp() instanceof MemOp.Alloc) {
        allocated.addAll(s.names());
      }
      return mapped;
    }

    private void bind(Name n) {
      bound.put(n, bound.size());
    }

    private void loop(List<PatElem> pat, Exp.Loop l) {
      for (int i = 0; i < l.params().size(); i++) {
        Name param = l.params().get(i).param().name();
        types.put(param, l.params().get(i).param().type());
        if (!(l.params().get(i).param().type() instanceof Type.Mem)) {
          continue;
        }
        bind(param);
        union(param, l.params().get(i).init());
        union(param, l.body().results().get(i));
        union(param, pat.get(i).name());
      }
    }

    /** Adds the aliases of a call, which may return any of its argument blocks. */
    private void apply(List<PatElem> pat, Exp.Apply a) {
      Map<Type, Name> first = new HashMap<>();
      for (PatElem p : pat) {
        if (isBlock(p)) {
          union(first.computeIfAbsent(p.type(), t -> p.name()), p.name());
        }
      }
      for (SubExp arg : a.args()) {
        if (!(arg instanceof SubExp.Var v)) {
          continue;
        }
        Type t = types.get(v.name());
        Name result = t == null ? null : first.get(t);
        if (result != null) {
          union(result, v.name());
        }
      }
    }

    private void results(List<PatElem> pat, Body b) {
      for (int i = 0; i < pat.size() && i < b.results().size(); i++) {
        if (isBlock(pat.get(i))) {
          union(pat.get(i).name(), b.results().get(i));
        }
      }
    }

    private static boolean isBlock(PatElem p) {
      return p.type() instanceof Type.Mem;
    }
  }
}
