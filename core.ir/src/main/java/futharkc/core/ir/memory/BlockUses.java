package futharkc.core.ir.memory;

import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Analysis;
import futharkc.core.ir.analysis.AnalysisCache;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The blocks that statements of a function use, at any depth, and the last use of each block. A use
 * of an array is a use of its block.
 */
public final class BlockUses {
  /** The analysis of a whole function. */
  public static final Analysis<FunDef, BlockUses> ANALYSIS = new OfFunction();

  private final Map<Name, Type> types = new HashMap<>();
  private final Map<Name, List<Name>> accumulated = new HashMap<>();
  private final Map<Stm, OfStm> statements = new IdentityHashMap<>();

  private BlockUses() {}

  private record OfFunction() implements Analysis<FunDef, BlockUses> {
    @Override
    public String name() {
      return "block uses";
    }

    @Override
    public BlockUses compute(FunDef f, AnalysisCache cache) {
      BlockUses uses = new BlockUses();
      uses.new Types().fun(f);
      uses.new Collect().fun(f);
      return uses;
    }
  }

  /** Returns the uses of closed statements. */
  public static BlockUses of(List<Stm> stms) {
    BlockUses uses = new BlockUses();
    uses.new Types().stms(stms);
    uses.new Collect().stms(stms);
    return uses;
  }

  /** The blocks used by a statement, including nested statements. */
  public static final class OfStm {
    private final Set<Name> blocks = new HashSet<>();
    private final Set<Name> passed = new HashSet<>();
    private boolean allocates;

    private OfStm() {}

    /** Returns the used blocks, including blocks of arrays and blocks bound in the statement. */
    public Set<Name> blocks() {
      return Collections.unmodifiableSet(blocks);
    }

    /**
     * Returns the blocks that are arguments of calls, loops and branches, apart from uses in types.
     */
    public Set<Name> passed() {
      return Collections.unmodifiableSet(passed);
    }

    /** Tests whether the statement may allocate. */
    public boolean allocates() {
      return allocates;
    }
  }

  /** Returns the uses of a statement of the function. */
  public OfStm of(Stm s) {
    return Objects.requireNonNull(statements.get(s));
  }

  /** Returns the blocks that a body of the function uses. */
  public Set<Name> of(Body b) {
    Set<Name> blocks = new HashSet<>();
    for (Stm s : b.stms()) {
      blocks.addAll(of(s).blocks);
    }
    for (SubExp r : b.results()) {
      if (r instanceof SubExp.Var v) {
        addBlocks(v.name(), blocks);
      }
    }
    return blocks;
  }

  /**
   * Returns, for each block that the statements use, the position of the last statement that uses
   * it.
   */
  public Map<Name, Integer> last(List<Stm> stms) {
    Map<Name, Integer> last = new HashMap<>();
    for (int i = 0; i < stms.size(); i++) {
      for (Name b : of(stms.get(i)).blocks) {
        last.put(b, i);
      }
    }
    return last;
  }

  /** Adds the block denoted by a name, or the blocks of the arrays denoted by it. */
  public void addBlocks(Name n, Set<Name> blocks) {
    switch (types.get(n)) {
      case null -> {}
      case Type.Mem m -> blocks.add(n);
      case Type.Array a -> {
        if (a.mem() != null) {
          blocks.add(a.mem().block());
        }
      }
      case Type.Acc a -> {
        for (Name array : accumulated.getOrDefault(a.token(), List.of())) {
          addBlocks(array, blocks);
        }
      }
      case Type.Prim p -> {}
    }
  }

  private final class Types extends Mapper {
    @Override
    public PatElem patElem(PatElem p) {
      types.put(p.name(), p.type());
      return p;
    }

    @Override
    public Param param(Param p) {
      types.put(p.name(), p.type());
      return p;
    }

    @Override
    public Exp exp(Exp e) {
      if (e instanceof Exp.WithAcc w) {
        for (int k = 0; k < w.inputs().size(); k++) {
          accumulated.put(w.lambda().params().get(k).name(), w.inputs().get(k).arrays());
        }
      }
      return super.exp(e);
    }
  }

  private final class Collect extends Mapper {
    private final Deque<OfStm> around = new ArrayDeque<>();

    @Override
    public Stm stm(Stm s) {
      OfStm all = new OfStm();
      all.allocates = s.exp() instanceof MemOp.Alloc || s.exp() instanceof Exp.Apply;
      around.push(all);
      super.stm(s);
      around.pop();
      statements.put(s, all);
      OfStm outer = around.peek();
      if (outer != null) {
        outer.blocks.addAll(all.blocks);
        outer.passed.addAll(all.passed);
        outer.allocates |= all.allocates;
      }
      return s;
    }

    @Override
    public Name name(Name use) {
      OfStm all = around.peek();
      if (all != null) {
        addBlocks(use, all.blocks);
      }
      return use;
    }

    @Override
    public Name binder(Name bound) {
      return name(bound);
    }

    @Override
    public SubExp subExp(SubExp e) {
      OfStm all = around.peek();
      if (all == null || !(e instanceof SubExp.Var v)) {
        return e;
      }
      if (types.get(v.name()) instanceof Type.Mem) {
        all.passed.add(v.name());
      }
      name(v.name());
      return e;
    }

    @Override
    public Poly poly(Poly p) {
      return p;
    }
  }
}
