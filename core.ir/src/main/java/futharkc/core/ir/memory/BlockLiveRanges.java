package futharkc.core.ir.memory;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.BoundNames;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The live ranges of the blocks that a function allocates or receives. Statements are numbered in
 * text order. A loop uses outer blocks until its end.
 *
 * @param statements the number of statements
 * @param blocks the blocks in order of first use
 * @param copies the locations of statements that copy arrays, once per array
 */
public record BlockLiveRanges(int statements, List<Block> blocks, List<Loc> copies) {
  public BlockLiveRanges {
    blocks = List.copyOf(blocks);
    copies = List.copyOf(copies);
  }

  /**
   * A block with its live range.
   *
   * @param name the variable that the allocation binds
   * @param size the size in elements or bytes, as defined by the space; null for a parameter
   * @param from the first statement that uses the block
   * @param to the last statement that uses the block
   * @param arrays the number of arrays in the block
   * @param loc the location of the first use
   */
  public record Block(Name name, @Nullable Poly size, int from, int to, int arrays, Loc loc) {
    /** Tests whether the block is live at a statement. */
    public boolean isLiveAt(int statement) {
      return from <= statement && statement <= to;
    }
  }

  /** Returns the live ranges of a function in a memory representation. */
  public static BlockLiveRanges of(FunDef f) {
    return new Walk(f).lifetimes();
  }

  /**
   * Returns the first statement with the maximum number of live blocks, or -1 if no block is live
   * anywhere.
   */
  public int fullest() {
    int at = -1;
    int most = 0;
    for (int i = 0; i <= statements; i++) {
      int live = live(i).size();
      if (live > most) {
        most = live;
        at = i;
      }
    }
    return at;
  }

  /** Returns the blocks allocated by the function that are live at a statement. */
  public List<Block> live(int statement) {
    return blocks.stream().filter(b -> b.size != null && b.isLiveAt(statement)).toList();
  }

  private static final class Walk {
    private final FunDef function;
    private final BlockAliases aliases;
    private final ScalarValues values = new ScalarValues();
    private final Map<Name, ArrayMem> places = new HashMap<>();
    private final Map<Name, Integer> arrays = new HashMap<>();
    private final Map<Name, Poly> allocated = new LinkedHashMap<>();
    private final Map<Name, Integer> first = new LinkedHashMap<>();
    private final Map<Name, Integer> last = new HashMap<>();
    private final Map<Name, Loc> locs = new HashMap<>();
    private final List<Loc> copies = new ArrayList<>();
    private int count;

    Walk(FunDef f) {
      this.function = f;
      Map<Name, Type> outside = new HashMap<>();
      f.params().forEach(p -> outside.put(p.name(), p.type()));
      this.aliases = BlockAliases.of(f.body().stms(), outside);
      new Collect().fun(f);
    }

    private final class Collect extends Mapper {
      @Override
      public PatElem patElem(PatElem p) {
        add(p.name(), p.type());
        return p;
      }

      @Override
      public Param param(Param p) {
        add(p.name(), p.type());
        return p;
      }

      @Override
      public Stm stm(Stm s) {
        values.add(s);
        return super.stm(s);
      }

      private void add(Name n, Type t) {
        if (!(t instanceof Type.Array a) || a.mem() == null) {
          return;
        }
        places.put(n, a.mem());
        arrays.merge(a.mem().block(), 1, Integer::sum);
      }
    }

    BlockLiveRanges lifetimes() {
      for (Param p : function.params()) {
        use(p.name(), Loc.NONE);
      }
      body(function.body());
      List<Block> blocks = new ArrayList<>();
      for (Name n : first.keySet()) {
        Poly size = allocated.get(n);
        if (size == null && aliases.of(n).stream().anyMatch(allocated::containsKey)) {
          continue;
        }
        Loc loc = locs.getOrDefault(n, Loc.NONE);
        int from = first.getOrDefault(n, 0);
        int to = last.getOrDefault(n, from);
        blocks.add(new Block(n, size, from, to, arrays.getOrDefault(n, 0), loc));
      }
      return new BlockLiveRanges(count, blocks, copies);
    }

    private void body(Body b) {
      stms(b.stms());
      for (SubExp r : b.results()) {
        if (r instanceof SubExp.Var v) {
          use(v.name(), Loc.NONE);
        }
      }
    }

    private void stms(List<Stm> stms) {
      for (Stm s : stms) {
        count++;
        int start = count;
        if (s.exp() instanceof MemOp.Alloc a) {
          allocated.put(s.names().get(0), values.expand(Poly.of(a.size())));
          continue;
        }
        Set<Name> names = new HashSet<>(FreeNames.of(s));
        names.addAll(s.names());
        // Some threads may write results while others still execute their first statement.
        if (s.exp() instanceof SegExp) {
          for (Name n : s.names()) {
            use(n, s.aux().loc());
          }
        }
        inside(s);
        for (Name n : names) {
          use(n, s.aux().loc());
        }
        if (s.exp() instanceof Exp.Loop) {
          Set<Name> own = new HashSet<>(BoundNames.of(s));
          last.replaceAll((n, at) -> at >= start && !own.contains(n) ? Integer.valueOf(count) : at);
        }
        copies(s);
      }
    }

    private void inside(Stm s) {
      switch (s.exp()) {
        case Exp.Match m -> {
          m.cases().forEach(c -> body(c.body()));
          body(m.otherwise());
        }
        case Exp.Loop l -> body(l.body());
        case Exp.WithAcc w -> body(w.lambda().body());
        case SegExp.ParOp p -> segOp(p.op());
        case SegExp.Seg x -> segOp(x.op());
        case HostOp.GpuBody g -> body(g.body());
        case BasicOp _, Exp.Apply _, Soac _, HostOp _, MemOp _ -> {}
      }
    }

    private void segOp(SegOp op) {
      body(new Body(op.body().stms(), op.body().values()));
    }

    /** Extends the live range of a block, or of an array's block, to the current statement. */
    private void use(Name n, Loc loc) {
      ArrayMem place = places.get(n);
      Name block = place == null ? n : place.block();
      if (place == null && !arrays.containsKey(n) && !allocated.containsKey(n)) {
        return;
      }
      List<Name> all = new ArrayList<>(aliases.of(block));
      all.add(block);
      for (Name b : all) {
        if (!b.equals(block) && !first.containsKey(b)) {
          continue;
        }
        if (first.putIfAbsent(b, count) == null) {
          locs.put(b, loc);
        }
        last.merge(b, count, Math::max);
      }
    }

    private void copies(Stm s) {
      switch (s.exp()) {
        case BasicOp.Concat x -> x.arrays().forEach(a -> copy(a, s));
        case BasicOp.Manifest x -> copy(x.array(), s);
        case BasicOp.Replicate x when x.shape().isEmpty() -> copy(x.value(), s);
        case BasicOp.Update x -> copy(x.value(), s);
        case BasicOp.FlatUpdate x -> copy(x.value(), s);
        case BasicOp _, Exp.Apply _, Exp.Match _, Exp.Loop _, Exp.WithAcc _ -> {}
        case Soac _, SegExp _, HostOp _, MemOp _ -> {}
      }
    }

    private void copy(SubExp e, Stm s) {
      if (e instanceof SubExp.Var v) {
        copy(v.name(), s);
      }
    }

    private void copy(Name from, Stm s) {
      ArrayMem here = places.get(from);
      ArrayMem there = places.get(s.names().get(0));
      if (here == null || there == null || here.block().equals(there.block())) {
        return;
      }
      copies.add(s.aux().loc());
    }
  }
}
