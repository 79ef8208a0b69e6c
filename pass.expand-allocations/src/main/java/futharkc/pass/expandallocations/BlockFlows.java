package futharkc.pass.expandallocations;

import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An analysis of the memory blocks that code allocates, and of the names that may refer to each.
 */
final class BlockFlows extends Mapper {
  /** A component of a segmented operation. */
  enum Region {
    BODY,
    OPERATOR,
    /** The function after a reduction or scan. */
    POST
  }

  /**
   * An allocation.
   *
   * @param stm the statement
   * @param region the component of the operation that contains the statement
   * @param threads the space of the enclosing operation in a thread block; null if there is none
   */
  record Alloc(Stm stm, Region region, @Nullable SegSpace threads) {
    Name block() {
      return stm.names().get(0);
    }

    MemOp.Alloc op() {
      return (MemOp.Alloc) stm.exp();
    }
  }

  private final Map<Name, Alloc> allocs = new LinkedHashMap<>();
  private final Map<Name, Integer> depths = new HashMap<>();
  private final Map<Name, Set<Name>> sources = new HashMap<>();
  private final Map<Name, Set<PrimType>> elems = new HashMap<>();
  private final Map<Name, Name> parent = new HashMap<>();
  private final Set<Name> passed = new HashSet<>();
  private Region region = Region.BODY;
  private @Nullable SegSpace threads;
  private int depth;

  private BlockFlows() {}

  static BlockFlows of(SegOp op) {
    BlockFlows f = new BlockFlows();
    f.segOp(op);
    return f;
  }

  static BlockFlows of(List<Stm> stms) {
    BlockFlows f = new BlockFlows();
    f.depth = 1;
    f.stms(stms);
    return f;
  }

  /** Returns the allocations, keyed by the name of the memory block. */
  Map<Name, Alloc> allocs() {
    return allocs;
  }

  /**
   * Returns the number of operations around the definition of a memory block's name: 0 outside, 1
   * in the kernel itself, 2 in an operation of a thread block.
   */
  int depth(Name block) {
    return depths.getOrDefault(block, 0);
  }

  /** Returns the element types of the arrays in a memory block. */
  Set<PrimType> elems(Name block) {
    return elems.getOrDefault(block, Set.of());
  }

  /**
   * Returns the memory blocks to which a name may refer: allocations, parameters, and blocks from
   * outside.
   */
  Set<Name> origins(Name block) {
    Set<Name> seen = new LinkedHashSet<>(Set.of(block));
    Set<Name> found = new LinkedHashSet<>();
    ArrayDeque<Name> work = new ArrayDeque<>(seen);
    while (!work.isEmpty()) {
      Name n = work.remove();
      Set<Name> from = sources.get(n);
      if (from == null) {
        found.add(n);
      } else {
        for (Name m : from) {
          if (seen.add(m)) {
            work.add(m);
          }
        }
      }
    }
    return found;
  }

  /** Returns the representative of all names that may refer to the same memory block. */
  Name representative(Name block) {
    Name n = block;
    while (parent.containsKey(n)) {
      n = parent.get(n);
    }
    return n;
  }

  /** Returns the classes of names, keyed by their {@linkplain #representative representatives}. */
  Map<Name, Set<Name>> classes() {
    Map<Name, Set<Name>> all = new LinkedHashMap<>();
    Set<Name> names = new LinkedHashSet<>(allocs.keySet());
    names.addAll(depths.keySet());
    sources.values().forEach(names::addAll);
    for (Name n : names) {
      all.computeIfAbsent(representative(n), k -> new LinkedHashSet<>()).add(n);
    }
    return all;
  }

  /** Tests whether no other name may refer to a memory block. */
  boolean isAlone(Name block) {
    return !parent.containsKey(block) && !parent.containsValue(block);
  }

  /** Tests whether a memory block may be an argument of a function. */
  boolean isPassed(Name block) {
    return passed.contains(block);
  }

  private void flows(Name to, SubExp from) {
    if (!(from instanceof SubExp.Var v)) {
      return;
    }
    sources.computeIfAbsent(to, k -> new LinkedHashSet<>()).add(v.name());
    Name a = representative(to);
    Name b = representative(v.name());
    if (!a.equals(b)) {
      parent.put(a, b);
    }
  }

  @Override
  public Type type(Type t) {
    if (t instanceof Type.Array a && a.mem() != null) {
      elems.computeIfAbsent(a.mem().block(), k -> EnumSet.noneOf(PrimType.class)).add(a.elem());
    }
    return t;
  }

  @Override
  public PatElem patElem(PatElem p) {
    if (p.type() instanceof Type.Mem) {
      depths.put(p.name(), depth);
    }
    return super.patElem(p);
  }

  @Override
  public Param param(Param p) {
    if (p.type() instanceof Type.Mem) {
      depths.put(p.name(), depth);
    }
    return super.param(p);
  }

  @Override
  public Stm stm(Stm s) {
    switch (s.exp()) {
      case MemOp.Alloc a -> allocs.put(s.names().get(0), new Alloc(s, region, threads));
      case Exp.Match m -> {
        for (int k = 0; k < s.pat().size(); k++) {
          if (!(s.pat().get(k).type() instanceof Type.Mem)) {
            continue;
          }
          for (Exp.Case c : m.cases()) {
            flows(s.names().get(k), c.body().results().get(k));
          }
          flows(s.names().get(k), m.otherwise().results().get(k));
        }
      }
      case Exp.Loop l -> {
        for (int k = 0; k < l.params().size(); k++) {
          Param p = l.params().get(k).param();
          if (!(p.type() instanceof Type.Mem)) {
            continue;
          }
          for (Name n : List.of(p.name(), s.names().get(k))) {
            flows(n, l.params().get(k).init());
            flows(n, l.body().results().get(k));
          }
        }
      }
      case Exp.WithAcc w -> {
        int accs = w.inputs().size();
        int from = s.pat().size() - (w.lambda().results().size() - accs);
        for (int k = from; k < s.pat().size(); k++) {
          if (!(s.pat().get(k).type() instanceof Type.Mem)) {
            continue;
          }
          flows(s.names().get(k), w.lambda().body().results().get(k - from + accs));
        }
      }
      default -> {}
    }
    return super.stm(s);
  }

  @Override
  public Exp exp(Exp e) {
    if (e instanceof Exp.Apply) {
      passed.addAll(FreeNames.of(e));
    }
    if (!(e instanceof Exp.WithAcc w)) {
      return super.exp(e);
    }
    Region before = region;
    region = Region.OPERATOR;
    for (Exp.AccInput in : w.inputs()) {
      if (in.op() != null) {
        lambda(in.op().lambda());
      }
    }
    region = before;
    lambda(w.lambda());
    return e;
  }

  @Override
  public SegOp segOp(SegOp op) {
    SegSpace outer = threads;
    Region before = region;
    if (depth > 0) {
      threads = op.space();
    }
    depth++;
    region = Region.BODY;
    segBody(op.body());
    region = Region.OPERATOR;
    switch (op) {
      case SegOp.SegMap m -> {}
      case SegOp.SegRed r -> {
        for (SegOp.SegBinOp o : r.ops()) {
          lambda(o.op());
        }
        post(r.post());
      }
      case SegOp.SegScan c -> {
        for (SegOp.SegBinOp o : c.ops()) {
          lambda(o.op());
        }
        post(c.post());
      }
      case SegOp.SegHist h -> {
        for (SegOp.SegHistOp o : h.ops()) {
          lambda(o.op());
        }
      }
    }
    region = before;
    depth--;
    threads = outer;
    return op;
  }

  private void post(@Nullable Lambda l) {
    region = Region.POST;
    if (l != null) {
      lambda(l);
    }
  }
}
