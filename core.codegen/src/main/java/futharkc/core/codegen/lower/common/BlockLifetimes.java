package futharkc.core.codegen.lower.common;

import futharkc.core.ir.Exp;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Space;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.memory.BlockAliases;
import futharkc.core.ir.memory.BlockUses;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The lifetimes of the memory blocks of one function.
 *
 * <p>A block is released after the last use of the last variable that may name it. Each list of
 * statements owns the block variables that it declares, except those that it returns. After the
 * last use of such a variable, its block is released unless a live variable names the same block.
 * The generated code tests this at run time. In this way, ownership passes through branches, loops
 * and calls without reference counts.
 *
 * <p>In sequential code (kernels and functions that kernels call), a block that does not outlive an
 * iteration is a scratch block: it is declared once before the loops, and grows on demand.
 */
public final class BlockLifetimes {
  private final FunctionSymbols scope;
  private final BlockAliases aliases;
  private final BlockUses uses;

  /** Blocks that lowering adds, each with a block that may be its alias. */
  private final Map<Name, Name> added = new TreeMap<>();

  private final Set<Name> loopBlocks = new HashSet<>();
  private final Set<Name> escaping = new HashSet<>();
  private final Set<Name> scratchBlocks = new HashSet<>();
  private final List<Name> held = new ArrayList<>();
  private @Nullable Kernel kernel;
  private int loopDepth;

  /** The declarations of sequential code that precede its loops. */
  static final class Kernel {
    private final List<Code> scratch = new ArrayList<>();
    private final List<Code.Free> frees = new ArrayList<>();
    private final List<Release> releases = new ArrayList<>();
    private final List<Name> rotating = new ArrayList<>();
    private final boolean parallel;

    /**
     * Creates declarations of code for one thread.
     *
     * @param parallel true if other threads run the same code at the same time
     */
    Kernel(boolean parallel) {
      this.parallel = parallel;
    }
  }

  /**
   * A release in a kernel. Its list of exceptions is complete only after all scratch blocks are
   * known.
   */
  private record Release(Name block, List<Name> unless) {}

  /**
   * Creates the lifetimes of a function.
   *
   * @param kernel the declarations of sequential code; null if the function is parallel
   */
  BlockLifetimes(
      FunctionSymbols scope, BlockAliases aliases, BlockUses uses, @Nullable Kernel kernel) {
    this.scope = scope;
    this.aliases = aliases;
    this.uses = uses;
    this.kernel = kernel;
  }

  /** Returns the other variables that may name the same block, in order. */
  private List<Name> same(Name block) {
    Name known = added.getOrDefault(block, block);
    List<Name> same = new ArrayList<>(aliases.of(known));
    same.add(known);
    added.forEach(
        (more, of) -> same.addAll(aliases.maySame(of, known) ? List.of(more) : List.of()));
    same.remove(block);
    same.sort(null);
    return same;
  }

  /** Records that a block variable belongs to the caller: a parameter. */
  void hold(Name block) {
    held.add(block);
  }

  /** Records that a block variable is returned. */
  void escapes(Name block) {
    escaping.add(block);
    escaping.addAll(same(block));
  }

  /** Records that a block variable is a parameter of a loop. */
  void loopParam(Name block) {
    loopBlocks.add(block);
  }

  // Backtracking

  /** A state of lowering to which it can return. */
  record State(@Nullable Kernel kernel, int loopDepth, List<Name> held) {}

  State state() {
    return new State(kernel, loopDepth, List.copyOf(held));
  }

  /** Returns to the state before an attempt that failed. */
  void restore(State before) {
    kernel = before.kernel;
    loopDepth = before.loopDepth;
    held.clear();
    held.addAll(before.held);
  }

  // Kernels

  /**
   * Tests whether the code runs on one thread, inside a parallel region or a function that a region
   * calls.
   */
  public boolean isSequential() {
    return kernel != null;
  }

  /** Tests whether other threads run the same code at the same time. */
  public boolean isShared() {
    Kernel k = kernel;
    return k != null && k.parallel;
  }

  /**
   * Lowers the code of one thread of a parallel region, with its own scratch blocks and outside of
   * all loops.
   */
  public List<Code> kernel(Consumer<List<Code>> body) {
    Kernel saved = kernel;
    int savedDepth = loopDepth;
    int savedHeld = held.size();
    kernel = new Kernel(true);
    loopDepth = 0;
    List<Code> inner = new ArrayList<>();
    body.accept(inner);
    List<Code> out = complete(inner);
    kernel = saved;
    loopDepth = savedDepth;
    while (held.size() > savedHeld) {
      held.remove(held.size() - 1);
    }
    return out;
  }

  /** Returns sequential code between the declarations and the releases of its scratch blocks. */
  List<Code> complete(List<Code> code) {
    Kernel k = kernel;
    if (k == null) {
      return code;
    }
    for (Release r : k.releases) {
      List<Name> same = same(r.block);
      for (Name n : k.rotating) {
        if (same.contains(n) && !r.unless.contains(n)) {
          r.unless.add(n);
        }
      }
    }
    List<Code> out = new ArrayList<>(k.scratch);
    out.addAll(code);
    out.addAll(k.frees);
    return out;
  }

  /** Lowers the body of a loop. */
  void inLoop(Runnable body) {
    loopDepth++;
    inside(body);
    loopDepth--;
  }

  /**
   * Lowers conditional code. Its blocks are no longer live after it, except for scratch blocks,
   * which are declared outside.
   */
  void inside(Runnable body) {
    int mark = held.size();
    body.run();
    List<Name> inner = new ArrayList<>(held.subList(mark, held.size()));
    while (held.size() > mark) {
      held.remove(held.size() - 1);
    }
    for (Name n : inner) {
      if (scratchBlocks.contains(n)) {
        held.add(n);
      }
    }
  }

  // Allocation

  /** Declares a scratch block of a kernel for uses that end within an iteration. */
  public Name scratch(String base, PrimType elem, Expr size, List<Code> out) {
    Name block = scope.names.fresh(base);
    scope.add(block, new Type.Mem(new Space.Elements(elem)));
    declareScratch(block, elem);
    out.add(new Code.Reserve(block, elem, size, scope.loc()));
    return block;
  }

  /**
   * Lowers an allocation.
   *
   * @return true if the owner must release the block
   */
  boolean alloc(Name block, MemOp.Alloc a, List<Code> out) {
    if (scope.place().isInKernel()) {
      inKernel(block, a, out);
      return false;
    }
    PrimType elem = FunctionSymbols.elem(new Type.Mem(a.space()));
    Expr size = scope.expr(a.size());
    Kernel k = kernel;
    if (k == null || escaping.contains(block)) {
      out.add(new Code.Alloc(block, elem, size, scope.loc()));
      return true;
    }
    if (loopDepth > 0 && survives(block)) {
      rotating(k, block, elem, size, out);
    } else {
      declareScratch(block, elem);
      out.add(new Code.Reserve(block, elem, size, scope.loc()));
    }
    return false;
  }

  /**
   * Lowers an allocation by a thread or a thread block, as a slice of a block that the host
   * allocates.
   */
  private void inKernel(Name block, MemOp.Alloc a, List<Code> out) {
    Kernel k = kernel;
    if (k == null || escaping.contains(block)) {
      throw new CannotExpandException(
          scope.loc(), "a function that threads call allocates an array");
    }
    Type.Mem type = new Type.Mem(a.space());
    // A body that is lowered again keeps the decision. The loops that the first code contains would
    // otherwise count as loops around the second.
    if (loopDepth == 0 || scratchBlocks.contains(block) || !survives(block)) {
      scope.kernel().allocate(block, a, k.scratch);
      if (scratchBlocks.add(block)) {
        held.add(block);
      }
      return;
    }
    List<Name> inUse = inUse(block).stream().filter(n -> type.equals(scope.type(n))).toList();
    out.add(scope.declareBlock(block, type, null));
    choose(
        block,
        FunctionSymbols.elem(type),
        inUse,
        candidate -> {
          scope.add(candidate, type);
          scope.kernel().allocate(candidate, a, k.scratch);
          if (scratchBlocks.add(candidate)) {
            held.add(candidate);
          }
          return List.of(new Code.SetBlock(block, FunctionSymbols.elem(type), candidate));
        },
        k,
        out);
  }

  /** Returns the live variables that may name the block of an earlier iteration. */
  private List<Name> inUse(Name block) {
    List<Name> inUse = new ArrayList<>();
    for (Name n : same(block)) {
      if (held.contains(n) && !scratchBlocks.contains(n)) {
        inUse.add(n);
      }
    }
    return inUse;
  }

  /** Tests whether a block may be a loop's parameter in the next iteration. */
  private boolean survives(Name block) {
    if (loopBlocks.contains(block)) {
      return true;
    }
    for (Name n : same(block)) {
      if (loopBlocks.contains(n)) {
        return true;
      }
    }
    return false;
  }

  private void declareScratch(Name block, PrimType elem) {
    Kernel k = kernel;
    if (k == null) {
      throw new IllegalStateException("scratch block outside sequential code");
    }
    Code declaration = new Code.DeclareScratch(block, elem);
    if (k.scratch.contains(declaration)) {
      return;
    }
    k.scratch.add(declaration);
    k.frees.add(new Code.Free(block, elem, List.of()));
    held.add(block);
    scratchBlocks.add(block);
  }

  /**
   * Lowers an allocation of a block that may survive an iteration as a loop's parameter. The block
   * is one of several scratch blocks, whose number exceeds the number of live aliases by one.
   */
  private void rotating(Kernel k, Name block, PrimType elem, Expr size, List<Code> out) {
    List<Name> inUse = inUse(block);
    out.add(new Code.DeclareBlock(block, elem, null));
    choose(
        block,
        elem,
        inUse,
        candidate -> {
          scope.add(candidate, new Type.Mem(new Space.Elements(elem)));
          declareScratch(candidate, elem);
          return List.of(
              new Code.Reserve(candidate, elem, size, scope.loc()),
              new Code.SetBlock(block, elem, candidate));
        },
        k,
        out);
  }

  /**
   * Emits a choice of the first candidate block that no live variable names.
   *
   * @param inUse the live variables that may name a candidate
   * @param take creates a candidate, and returns the code that uses it
   */
  private void choose(
      Name block,
      PrimType elem,
      List<Name> inUse,
      Function<Name, List<Code>> take,
      Kernel k,
      List<Code> out) {
    List<Name> candidates = new ArrayList<>();
    List<List<Code>> taken = new ArrayList<>();
    for (int i = 0; i <= inUse.size(); i++) {
      Name candidate = scope.names.fresh(block);
      added.put(candidate, block);
      taken.add(take.apply(candidate));
      candidates.add(candidate);
      k.rotating.add(candidate);
    }
    List<Code> choice = List.of();
    for (int i = candidates.size() - 1; i >= 0; i--) {
      Name c = candidates.get(i);
      choice =
          choice.isEmpty()
              ? taken.get(i)
              : List.of(new Code.IfUnused(c, elem, inUse, taken.get(i), choice));
    }
    out.addAll(choice);
  }

  // Release

  /**
   * Returns the block variables that a list of statements owns.
   *
   * @param results the operands that are used after the statements
   * @param params the block variables that they own besides those they declare
   */
  Owned owned(List<Stm> stms, List<SubExp> results, List<Name> params) {
    return new Owned(stms, results, params);
  }

  /** The block variables that a list of statements owns and that are still live. */
  final class Owned {
    private final List<Stm> stms;
    private final Set<Name> kept = new HashSet<>();
    private final Map<Name, Integer> last;
    private final List<Name> live;

    private Owned(List<Stm> stms, List<SubExp> results, List<Name> params) {
      this.stms = stms;
      for (SubExp r : results) {
        if (r instanceof SubExp.Var v) {
          uses.addBlocks(v.name(), kept);
        }
      }
      last = uses.last(stms);
      live = new ArrayList<>(params);
    }

    /**
     * Lowers a statement.
     *
     * @param at the index of the statement
     * @param lower lowers it, and returns true if the blocks that it declares must be released
     */
    void during(int at, BooleanSupplier lower) {
      Stm s = stms.get(at);
      Set<Name> moved = moved(s, at);
      int mark = held.size();
      for (Name n : live) {
        if (!moved.contains(n)) {
          held.add(n);
        }
      }
      List<Name> outside = new ArrayList<>(held.subList(0, mark));
      boolean owned = lower.getAsBoolean();
      List<Name> added =
          new ArrayList<>(held.subList(mark + live.size() - moved.size(), held.size()));
      held.clear();
      held.addAll(outside);
      held.addAll(added);
      live.removeAll(moved);
      if (owned) {
        for (PatElem p : s.pat()) {
          if (p.type() instanceof Type.Mem) {
            live.add(p.name());
          }
        }
      }
    }

    /**
     * Returns the blocks that pass into a loop as parameters and have no use after the loop begins.
     */
    private Set<Name> moved(Stm s, int at) {
      Set<Name> moved = new LinkedHashSet<>();
      if (!(s.exp() instanceof Exp.Loop l)) {
        return moved;
      }
      for (Exp.LoopParam p : l.params()) {
        if (p.param().type() instanceof Type.Mem
            && p.init() instanceof SubExp.Var v
            && live.contains(v.name())
            && !kept.contains(v.name())
            && last.getOrDefault(v.name(), at) <= at) {
          moved.add(v.name());
        }
      }
      if (!moved.isEmpty()) {
        moved.removeAll(uses.of(l.body()));
      }
      return moved;
    }

    /**
     * Releases the blocks that have no use after the statement with an index; index -1 precedes the
     * first statement.
     */
    void release(int at, List<Code> out) {
      for (int i = 0; i < live.size(); ) {
        Name n = live.get(i);
        if (kept.contains(n) || last.getOrDefault(n, -1) > at) {
          i++;
          continue;
        }
        live.remove(i);
        List<Name> unless = new ArrayList<>();
        for (Name a : same(n)) {
          if (held.contains(a) || live.contains(a)) {
            unless.add(a);
          }
        }
        Kernel k = kernel;
        if (k != null) {
          k.releases.add(new Release(n, unless));
        }
        if (scope.place().isInKernel()) {
          continue;
        }
        out.add(new Code.Free(n, FunctionSymbols.elem((Type.Mem) scope.type(n)), unless));
      }
    }
  }
}
