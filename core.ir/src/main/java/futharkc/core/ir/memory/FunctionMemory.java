package futharkc.core.ir.memory;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BoundNames;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Program;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegLevel;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Space;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.FreeNamesOfStms;
import futharkc.core.ir.symbolic.NonOverlap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The bindings of a function, the current memory of its arrays, and the arrays in each block. The
 * memory changes as arrays move; the function itself does not.
 */
public final class FunctionMemory {
  /** A parameter of a loop, by its index. */
  public record LoopParam(Stm stm, int index) {
    /** Returns the loop. */
    public Exp.Loop loop() {
      return (Exp.Loop) stm.exp();
    }
  }

  private final ScalarValues values = new ScalarValues();
  private final Accesses accesses = new Accesses(this::place, values).remembering();
  private final Map<Name, SubExp> indices = new LinkedHashMap<>();
  private final Set<Name> threads = new LinkedHashSet<>();
  private final Map<Name, List<Name>> accumulated = new HashMap<>();
  private final Map<Name, Type> types = new HashMap<>();
  private final Map<Name, Stm> statements = new HashMap<>();
  private final Map<Name, LoopParam> loopParams = new HashMap<>();
  private final Map<Name, Integer> operands = new HashMap<>();
  private final FreeNamesOfStms free = new FreeNamesOfStms();
  private final Map<Stm, List<Name>> bound = new IdentityHashMap<>();
  private final Map<Name, ArrayMem> places = new HashMap<>();
  private final Map<Name, List<Name>> inBlock = new HashMap<>();
  private final Map<Stm, Set<Name>> mentioned = new IdentityHashMap<>();
  private final Map<Name, Name> movedTo = new HashMap<>();
  private final Map<Stm, Boolean> withLoop = new IdentityHashMap<>();
  private final Map<Stm, Boolean> movable = new IdentityHashMap<>();
  private final Map<Stm, Boolean> checked = new IdentityHashMap<>();
  private final Map<Stm, Map<Name, Integer>> results = new IdentityHashMap<>();
  private final DenseParts dense = new DenseParts(values);
  private final ShapeConditions shapes = new ShapeConditions(this);

  /** Makes the table of a function. */
  public FunctionMemory(FunDef f, Program program) {
    Fill fill = new Fill();
    for (Stm s : program.constants()) {
      fill.stm(s);
    }
    fill.fun(f);
  }

  /** Returns the values of the function's integers. */
  public ScalarValues values() {
    return values;
  }

  /** Returns the accesses of the function's statements, at the current places of arrays. */
  public Accesses accesses() {
    return accesses;
  }

  /** Returns the conditions under which the function's arrays have their shapes. */
  public ShapeConditions shapes() {
    return shapes;
  }

  /** A traversal that fills the table. Names in memory annotations are no operands. */
  private final class Fill extends Mapper {
    @Override
    public SubExp subExp(SubExp e) {
      if (e instanceof SubExp.Var v) {
        operands.merge(v.name(), 1, Integer::sum);
      }
      return e;
    }

    @Override
    public Poly polyVar(Name use) {
      return Poly.of(use);
    }

    @Override
    public PatElem patElem(PatElem p) {
      bind(p.name(), p.type());
      return super.patElem(p);
    }

    @Override
    public Param param(Param p) {
      bind(p.name(), p.type());
      return super.param(p);
    }

    @Override
    public Stm stm(Stm s) {
      for (Name n : s.names()) {
        statements.put(n, s);
      }
      values.add(s);
      if (s.exp() instanceof Exp.Loop l) {
        for (int k = 0; k < l.params().size(); k++) {
          loopParams.put(l.params().get(k).param().name(), new LoopParam(s, k));
        }
        if (l.form() instanceof Exp.Form.For f && f.type() == PrimType.I64) {
          indices.put(f.index(), f.bound());
        }
      }
      if (s.exp() instanceof Exp.WithAcc w) {
        for (int k = 0; k < w.inputs().size(); k++) {
          accumulated.put(w.lambda().params().get(k).name(), w.inputs().get(k).arrays());
          accesses.accumulator(w.lambda().params().get(k).name(), w.inputs().get(k).arrays());
        }
      }
      if (s.exp() instanceof SegExp.Seg x
          && (x.op().level() instanceof SegLevel.Thread
              || x.op().level() instanceof SegLevel.ThreadInBlock)
          && !x.op().space().dims().isEmpty()) {
        threads.add(x.op().space().dims().getLast().index());
      }
      // The block may be passed on as a result, under another name.
      if (s.exp() instanceof MemOp.EnsureDirect e && places.get(e.array()) instanceof ArrayMem m) {
        operands.merge(m.block(), 1, Integer::sum);
      }
      return super.stm(s);
    }

    @Override
    public SegSpace segSpace(SegSpace s) {
      for (SegSpace.Dim d : s.dims()) {
        indices.put(d.index(), d.size());
      }
      return super.segSpace(s);
    }

    private void bind(Name n, Type t) {
      types.put(n, t);
      if (t instanceof Type.Array a && a.mem() != null) {
        places.put(n, a.mem());
        inBlock.computeIfAbsent(a.mem().block(), k -> new ArrayList<>()).add(n);
      }
    }
  }

  /** Returns the index of a name among the results of a statement; -1 if it is none of them. */
  public int result(Stm s, Name n) {
    return results.computeIfAbsent(s, FunctionMemory::positions).getOrDefault(n, -1);
  }

  private static Map<Name, Integer> positions(Stm s) {
    Map<Name, Integer> positions = new HashMap<>();
    for (PatElem p : s.pat()) {
      positions.put(p.name(), positions.size());
    }
    return positions;
  }

  /** Returns the indices of loops and spaces, with their exclusive upper bounds. */
  public Map<Name, SubExp> indices() {
    return indices;
  }

  /** Returns the indices in which concurrent threads differ. */
  public Set<Name> threads() {
    return threads;
  }

  /** Returns the type of a name; null if it is unknown. */
  public @Nullable Type type(Name n) {
    return types.get(n);
  }

  /** Returns the memory space of a block. */
  public @Nullable Space space(Name block) {
    return type(block) instanceof Type.Mem m ? m.space() : null;
  }

  /** Tests whether two regions of one block are proved to be disjoint. */
  public boolean areDisjoint(NonOverlap prover, Access a, Lmad x, Access b, Lmad y) {
    return areDisjoint(prover, elem(a.array()), x, elem(b.array()), y);
  }

  /**
   * Tests whether two regions with these element types are proved to be disjoint; element types of
   * different sizes are compared in bytes.
   */
  public boolean areDisjoint(NonOverlap prover, PrimType s, Lmad x, PrimType t, Lmad y) {
    if (areDisjointAtOnce(s, x, t, y)) {
      return true;
    }
    if (s.bytes() == t.bytes() && x.equals(y)) {
      return false;
    }
    Lmad a = values.expand(x);
    Lmad b = values.expand(y);
    return s.bytes() == t.bytes()
        ? prover.disjoint(a, b)
        : prover.disjoint(bytes(a, s), bytes(b, t));
  }

  /** Tests whether two regions with these element types are obviously disjoint, without a proof. */
  public boolean areDisjointAtOnce(PrimType s, Lmad x, PrimType t, Lmad y) {
    return s.bytes() == t.bytes() && dense.areDisjoint(x, y);
  }

  /** Returns the numbers of a region; null if it has none. */
  public DenseParts.@Nullable Part part(Lmad l) {
    return dense.of(l);
  }

  private static Lmad bytes(Lmad l, PrimType t) {
    List<Lmad.Dim> dims = new ArrayList<>(l.expand(Poly.ZERO, Poly.of(t.bytes())).dims());
    dims.add(new Lmad.Dim(Poly.ONE, SubExp.i64(t.bytes())));
    return new Lmad(l.offset().times(t.bytes()), dims);
  }

  /** Returns the element type of an array. */
  public PrimType elem(Name array) {
    return type(array) instanceof Type.Array a ? a.elem() : PrimType.I8;
  }

  /** Returns the original statement whose pattern binds a name. */
  public @Nullable Stm statement(Name n) {
    return statements.get(n);
  }

  /** Returns the loop parameter of a name; null if it is none. */
  public @Nullable LoopParam loopParam(Name n) {
    return loopParams.get(n);
  }

  /** Returns the free names of a statement. */
  public Set<Name> free(Stm s) {
    return free.of(s);
  }

  /** Returns the names that are bound in a statement at any depth. */
  public List<Name> bound(Stm s) {
    return bound.computeIfAbsent(s, BoundNames::of);
  }

  /** Returns the number of times that a name is an operand. */
  public int operands(Name n) {
    return operands.getOrDefault(n, 0);
  }

  /** Returns the current memory of an array. */
  public @Nullable ArrayMem place(Name array) {
    return places.get(array);
  }

  /** Returns the accesses of statements under the assumption that some arrays have moved. */
  public Accesses accesses(Map<Name, ArrayMem> moved) {
    Accesses there =
        new Accesses(
            n -> {
              ArrayMem m = moved.get(n);
              return m == null ? place(n) : m;
            },
            values);
    accumulated.forEach(there::accumulator);
    return there;
  }

  /** Returns the arrays that are currently in a block. */
  public List<Name> arraysIn(Name block) {
    return inBlock.getOrDefault(block, List.of());
  }

  /**
   * Returns the first array at the start of a block, if it has several dimensions and is contiguous
   * in some order of them; else null.
   */
  public @Nullable Name leading(Name block) {
    for (Name a : arraysIn(block)) {
      ArrayMem m = place(a);
      if (m != null && m.lmad().offset().isZero() && m.lmad().dims().size() > 1) {
        return m.lmad().order() == null ? null : a;
      }
    }
    return null;
  }

  /**
   * Returns the original blocks of the arrays that a statement mentions or binds; {@link #now} maps
   * each to its current block.
   */
  public Set<Name> mentioned(Stm s) {
    Set<Name> known = mentioned.get(s);
    if (known != null) {
      return known;
    }
    Set<Name> blocks = new LinkedHashSet<>();
    for (Name n : free(s)) {
      addBlock(n, blocks);
    }
    for (Name n : s.names()) {
      addBlock(n, blocks);
    }
    mentioned.put(s, blocks);
    return blocks;
  }

  private void addBlock(Name array, Set<Name> blocks) {
    ArrayMem m = place(array);
    if (m != null) {
      blocks.add(m.block());
    }
  }

  /** Returns the block that currently holds the arrays of an original block. */
  public Name now(Name block) {
    Name b = block;
    for (Name to = movedTo.get(b); to != null; to = movedTo.get(b)) {
      b = to;
    }
    return b;
  }

  /** Tests whether a statement contains a loop. */
  public boolean hasLoop(Stm s) {
    return withLoop.computeIfAbsent(
        s,
        k -> {
          boolean[] found = {false};
          new Mapper() {
            @Override
            public Exp exp(Exp e) {
              found[0] |= e instanceof Exp.Loop;
              return super.exp(e);
            }
          }.exp(k.exp());
          return found[0];
        });
  }

  /**
   * Tests whether a statement may move. Calls and while-loops may have output or not terminate, so
   * statements that are or contain one may not move.
   */
  public boolean mayMove(Stm s) {
    return movable.computeIfAbsent(
        s,
        k -> {
          boolean[] may = {true};
          new Mapper() {
            @Override
            public Exp exp(Exp e) {
              may[0] &=
                  switch (e) {
                    case Exp.Apply a -> false;
                    case Exp.Loop l -> l.form() instanceof Exp.Form.For;
                    case BasicOp.Opaque x -> false;
                    case BasicOp _,
                        Exp.Match _,
                        Exp.WithAcc _,
                        Soac _,
                        SegExp _,
                        HostOp _,
                        MemOp _ ->
                        true;
                  };
              return super.exp(e);
            }
          }.stm(k);
          return may[0];
        });
  }

  /** Tests whether a statement is or contains a check. */
  public boolean hasCheck(Stm s) {
    return checked.computeIfAbsent(
        s,
        k -> {
          boolean[] has = {false};
          new Mapper() {
            @Override
            public Exp exp(Exp e) {
              has[0] |= e instanceof BasicOp.Assert;
              return has[0] ? e : super.exp(e);
            }
          }.stm(k);
          return has[0];
        });
  }

  /** Records the new memory of the arrays of some blocks, which is in another block. */
  public void move(Map<Name, ArrayMem> moved, Iterable<Name> blocks, Name to) {
    places.putAll(moved);
    for (Name b : blocks) {
      inBlock.remove(b);
      movedTo.put(b, to);
    }
    inBlock.computeIfAbsent(to, k -> new ArrayList<>()).addAll(moved.keySet());
    accesses.forget(moved.keySet());
  }

  /** Records new index functions of arrays, which stay in their blocks. */
  public void place(Map<Name, ArrayMem> changed) {
    places.putAll(changed);
    accesses.forget(changed.keySet());
  }

  /**
   * Returns the variables in the current memory of a name; an empty set if the name is no array in
   * a block.
   */
  public Set<Name> names(Name n) {
    ArrayMem m = place(n);
    return m == null ? Set.of() : names(m);
  }

  /** Returns the block, and the variables of the offset and strides. */
  public static Set<Name> names(ArrayMem m) {
    Set<Name> names = new LinkedHashSet<>();
    names.add(m.block());
    names.addAll(m.lmad().offset().variables());
    for (Lmad.Dim d : m.lmad().dims()) {
      names.addAll(d.stride().variables());
    }
    return names;
  }
}
