package futharkc.core.codegen.lower;

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
 * The memory blocks of one function: where they are made and where they are released.
 *
 * <p>A block is released after the last use of the last variable that stands for it. Each list of
 * statements owns the block variables that it declares, except those that it returns. When one is
 * used for the last time, its block is released unless another variable that is still in use stands
 * for the same, which is compared when the program runs: so ownership passes through branches,
 * loops and calls without being counted.
 *
 * <p>In sequential code (kernels, and functions called from there) a block that does not survive an
 * iteration is made once, before the loops, and grown when needed: a scratch block.
 */
final class BlockLifetimes {
  private final FunctionSymbols scope;
  private final BlockAliases aliases;
  private final BlockUses uses;

  /** Blocks that lowering adds, each with one that may stand for it. */
  private final Map<Name, Name> added = new TreeMap<>();

  private final Set<Name> loopBlocks = new HashSet<>();
  private final Set<Name> escaping = new HashSet<>();
  private final Set<Name> scratchBlocks = new HashSet<>();
  private final List<Name> held = new ArrayList<>();
  private @Nullable Kernel kernel;
  private int loopDepth;

  /** What sequential code declares before its loops. */
  static final class Kernel {
    private final List<Code> scratch = new ArrayList<>();
    private final List<Code.Free> frees = new ArrayList<>();
    private final List<Release> releases = new ArrayList<>();
    private final List<Name> rotating = new ArrayList<>();
    private final boolean parallel;

    /** Code for one thread, perhaps one of many at a time. */
    Kernel(boolean parallel) {
      this.parallel = parallel;
    }
  }

  /**
   * A release in a kernel, whose exceptions are complete only when all scratch blocks are known.
   */
  private record Release(Name block, List<Name> unless) {}

  /** Of a function; in sequential code if there is a kernel. */
  BlockLifetimes(
      FunctionSymbols scope, BlockAliases aliases, BlockUses uses, @Nullable Kernel kernel) {
    this.scope = scope;
    this.aliases = aliases;
    this.uses = uses;
    this.kernel = kernel;
  }

  /** The variables that may stand for the same block as this one, without itself, in order. */
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

  /** Says that a block variable is used outside: a parameter. */
  void hold(Name block) {
    held.add(block);
  }

  /** Says that a block variable is returned. */
  void escapes(Name block) {
    escaping.add(block);
    escaping.addAll(same(block));
  }

  /** Says that a block variable is a loop's parameter. */
  void loopParam(Name block) {
    loopBlocks.add(block);
  }

  // Going back

  /** What is known at some point of lowering, to go back to. */
  record State(@Nullable Kernel kernel, int loopDepth, List<Name> held) {}

  State state() {
    return new State(kernel, loopDepth, List.copyOf(held));
  }

  /** Goes back to where lowering was before it failed. */
  void restore(State before) {
    kernel = before.kernel;
    loopDepth = before.loopDepth;
    held.clear();
    held.addAll(before.held);
  }

  // Kernels

  /**
   * Whether code is for one thread only, inside a parallel region or a function called from there.
   */
  boolean isSequential() {
    return kernel != null;
  }

  /** Whether other threads run the same code at the same time. */
  boolean isShared() {
    Kernel k = kernel;
    return k != null && k.parallel;
  }

  /**
   * Lowers what runs on one thread, in a parallel region: with its own blocks, and outside all
   * loops.
   */
  List<Code> kernel(Consumer<List<Code>> body) {
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
    while (held.size() > savedHeld) held.remove(held.size() - 1);
    return out;
  }

  /** Sequential code with the declarations of its scratch blocks, which are released at its end. */
  List<Code> complete(List<Code> code) {
    Kernel k = kernel;
    if (k == null) return code;
    for (Release r : k.releases) {
      List<Name> same = same(r.block);
      for (Name n : k.rotating) if (same.contains(n) && !r.unless.contains(n)) r.unless.add(n);
    }
    List<Code> out = new ArrayList<>(k.scratch);
    out.addAll(code);
    out.addAll(k.frees);
    return out;
  }

  /** Lowers a loop's body. */
  void inLoop(Runnable body) {
    loopDepth++;
    inside(body);
    loopDepth--;
  }

  /** Lowers what only some runs reach; scratch blocks, which are declared outside, stay. */
  void inside(Runnable body) {
    int mark = held.size();
    body.run();
    List<Name> inner = new ArrayList<>(held.subList(mark, held.size()));
    while (held.size() > mark) held.remove(held.size() - 1);
    for (Name n : inner) if (scratchBlocks.contains(n)) held.add(n);
  }

  // Allocation

  /** A scratch block of a kernel, for uses that end before the next iteration. */
  Name scratch(String base, PrimType elem, Expr size, List<Code> out) {
    Name block = scope.names.fresh(base);
    scope.add(block, new Type.Mem(new Space.Elements(elem)));
    declareScratch(block, elem);
    out.add(new Code.Reserve(block, elem, size, scope.loc()));
    return block;
  }

  /** Lowers an allocation; returns whether the block is to be released. */
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

  /** A block that a thread or a block of threads allocates, a part of one that the host makes. */
  private void inKernel(Name block, MemOp.Alloc a, List<Code> out) {
    Kernel k = kernel;
    if (k == null || escaping.contains(block)) {
      throw new CannotExpandException(scope.loc(), "a function that threads call makes an array");
    }
    Type.Mem type = new Type.Mem(a.space());
    if (loopDepth == 0 || !survives(block)) {
      scope.frame().allocate(block, a, k.scratch);
      if (scratchBlocks.add(block)) held.add(block);
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
          scope.frame().allocate(candidate, a, k.scratch);
          if (scratchBlocks.add(candidate)) held.add(candidate);
          return List.of(new Code.SetBlock(block, FunctionSymbols.elem(type), candidate));
        },
        k,
        out);
  }

  /** The variables in use that may stand for one block or another that is made in its place. */
  private List<Name> inUse(Name block) {
    List<Name> inUse = new ArrayList<>();
    for (Name n : same(block)) {
      if (held.contains(n) && !scratchBlocks.contains(n)) inUse.add(n);
    }
    return inUse;
  }

  /** Whether a block may be a loop's parameter in the next iteration. */
  private boolean survives(Name block) {
    if (loopBlocks.contains(block)) return true;
    for (Name n : same(block)) if (loopBlocks.contains(n)) return true;
    return false;
  }

  private void declareScratch(Name block, PrimType elem) {
    Kernel k = kernel;
    if (k == null) throw new IllegalStateException("scratch block outside sequential code");
    Code declaration = new Code.DeclareScratch(block, elem);
    if (k.scratch.contains(declaration)) return;
    k.scratch.add(declaration);
    k.frees.add(new Code.Free(block, elem, List.of()));
    held.add(block);
    scratchBlocks.add(block);
  }

  /**
   * A block that may survive an iteration, as a loop's parameter: one of several scratch blocks,
   * one more than there are variables in use that may stand for one of them.
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
   * Chooses the first of some new blocks that is not in use.
   *
   * @param take makes a block, and returns how it is taken
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
   * The block variables that a list of statements owns.
   *
   * @param results what is used after the statements
   * @param params block variables that they own besides those they declare
   */
  Owned owned(List<Stm> stms, List<SubExp> results, List<Name> params) {
    return new Owned(stms, results, params);
  }

  /** The block variables that a list of statements owns and that are still in use. */
  final class Owned {
    private final List<Stm> stms;
    private final Set<Name> kept = new HashSet<>();
    private final Map<Name, Integer> last;
    private final List<Name> live;

    private Owned(List<Stm> stms, List<SubExp> results, List<Name> params) {
      this.stms = stms;
      for (SubExp r : results) if (r instanceof SubExp.Var v) uses.addBlocks(v.name(), kept);
      last = uses.last(stms);
      live = new ArrayList<>(params);
    }

    /**
     * Lowers a statement.
     *
     * @param lower lowers it, and returns whether the blocks that it declares are to be released
     */
    void during(int at, BooleanSupplier lower) {
      Stm s = stms.get(at);
      Set<Name> moved = moved(s, at);
      int mark = held.size();
      for (Name n : live) if (!moved.contains(n)) held.add(n);
      List<Name> outside = new ArrayList<>(held.subList(0, mark));
      boolean owned = lower.getAsBoolean();
      List<Name> added =
          new ArrayList<>(held.subList(mark + live.size() - moved.size(), held.size()));
      held.clear();
      held.addAll(outside);
      held.addAll(added);
      live.removeAll(moved);
      if (owned) for (PatElem p : s.pat()) if (p.type() instanceof Type.Mem) live.add(p.name());
    }

    /** The blocks that only a loop's parameters still stand for once it runs. */
    private Set<Name> moved(Stm s, int at) {
      Set<Name> moved = new LinkedHashSet<>();
      if (!(s.exp() instanceof Exp.Loop l)) return moved;
      for (Exp.LoopParam p : l.params()) {
        if (p.param().type() instanceof Type.Mem
            && p.init() instanceof SubExp.Var v
            && live.contains(v.name())
            && !kept.contains(v.name())
            && last.getOrDefault(v.name(), at) <= at) {
          moved.add(v.name());
        }
      }
      if (!moved.isEmpty()) moved.removeAll(uses.of(l.body()));
      return moved;
    }

    /** Releases what is not used after a statement; before the first, at -1. */
    void release(int at, List<Code> out) {
      for (int i = 0; i < live.size(); ) {
        Name n = live.get(i);
        if (kept.contains(n) || last.getOrDefault(n, -1) > at) {
          i++;
          continue;
        }
        live.remove(i);
        List<Name> unless = new ArrayList<>();
        for (Name a : same(n)) if (held.contains(a) || live.contains(a)) unless.add(a);
        Kernel k = kernel;
        if (k != null) k.releases.add(new Release(n, unless));
        if (scope.place().isInKernel()) continue;
        out.add(new Code.Free(n, FunctionSymbols.elem((Type.Mem) scope.type(n)), unless));
      }
    }
  }
}
