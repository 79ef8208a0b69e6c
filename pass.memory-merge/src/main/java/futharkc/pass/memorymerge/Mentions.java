package futharkc.pass.memorymerge;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Which blocks the statements of a function mention, at any depth: found in one traversal. */
final class Mentions {
  private final FunctionTable table;
  private final Map<Stm, OfStm> statements = new IdentityHashMap<>();

  /** What a statement mentions, what is inside of it included. */
  static final class OfStm {
    private final Set<Name> blocks = new HashSet<>();
    private final Set<Name> passed = new HashSet<>();
    private boolean allocates;

    /** Blocks, also those that arrays are in. */
    Set<Name> blocks() {
      return blocks;
    }

    /** Blocks that are given to calls, loops and branches, among others, and not just by types. */
    Set<Name> passed() {
      return passed;
    }

    /** Whether it may allocate something. */
    boolean allocates() {
      return allocates;
    }
  }

  Mentions(FunDef function, FunctionTable table) {
    this.table = table;
    new Collect().fun(function);
  }

  /** Of a statement of the function. */
  OfStm of(Stm s) {
    return Objects.requireNonNull(statements.get(s));
  }

  /** Adds the block that a name is, or the blocks of the arrays that it stands for. */
  void addBlock(Name n, Set<Name> blocks) {
    Type t = table.type(n);
    if (t instanceof Type.Mem) blocks.add(n);
    ArrayMem m = table.place(n);
    if (m != null) blocks.add(m.block());
    if (t instanceof Type.Acc a) {
      for (Name array : table.accumulated(a.token())) addBlock(array, blocks);
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
      if (all != null) addBlock(use, all.blocks);
      return use;
    }

    @Override
    public Name binder(Name bound) {
      return name(bound);
    }

    @Override
    public SubExp subExp(SubExp e) {
      OfStm all = around.peek();
      if (all == null || !(e instanceof SubExp.Var v)) return e;
      if (table.type(v.name()) instanceof Type.Mem) all.passed.add(v.name());
      name(v.name());
      return e;
    }

    @Override
    public Poly poly(Poly p) {
      return p;
    }
  }
}
