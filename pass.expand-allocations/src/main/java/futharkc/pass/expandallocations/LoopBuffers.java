package futharkc.pass.expandallocations;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Builder;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Renamer;
import futharkc.core.ir.Scope;
import futharkc.core.ir.Space;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.spi.PassException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Allocates one memory block before a loop for an array that each iteration constructs anew. The
 * end of the iteration copies the array to the block. Without the copy, an expanded allocation
 * would be the same block in each iteration, written while the previous array is still read.
 */
final class LoopBuffers extends Mapper {
  private final NameSource names;
  private final Scope scope;
  private final Map<Name, Name> replaced = new HashMap<>();
  private boolean measures;

  LoopBuffers(NameSource names, Scope scope) {
    this.names = names;
    this.scope = scope;
  }

  /**
   * Tests whether the code contains computations of sizes that are dead once the host knows the
   * sizes.
   */
  boolean measures() {
    return measures;
  }

  @Override
  public Name name(Name use) {
    return replaced.getOrDefault(use, use);
  }

  @Override
  public List<Stm> stms(List<Stm> stms) {
    List<Stm> out = new ArrayList<>();
    boolean changed = false;
    for (Stm s : stms) {
      Stm t = stm(s);
      if (t.exp() instanceof Exp.Loop l) {
        Builder before = new Builder(names).with(Aux.at(t.aux().loc()));
        t = new OneLoop(t, l).buffered(before);
        out.addAll(before.stms());
      }
      out.add(t);
      changed |= t != s;
    }
    return changed ? out : stms;
  }

  private final class OneLoop {
    private final Stm stm;
    private final Exp.Loop loop;
    private final List<Name> blocks = new ArrayList<>();
    private final List<Set<Name>> origins = new ArrayList<>();

    /** The parameters for memory blocks that must differ from those of the previous iteration. */
    private final Set<Name> renewed = new HashSet<>();

    OneLoop(Stm stm, Exp.Loop loop) {
      this.stm = stm;
      this.loop = loop;
    }

    /**
     * Returns the positions of parameters for memory blocks that must differ from those of the
     * previous iteration.
     */
    private List<Integer> renewedPositions() {
      BlockFlows flows = BlockFlows.of(loop.body().stms());
      Set<Integer> found = new HashSet<>();
      for (int k = 0; k < loop.params().size(); k++) {
        Param p = loop.params().get(k).param();
        boolean block = p.type() instanceof Type.Mem;
        blocks.add(p.name());
        origins.add(
            block && loop.body().results().get(k) instanceof SubExp.Var v
                ? flows.origins(v.name())
                : Set.of());
        if (!Collections.disjoint(origins.get(k), flows.allocs().keySet())) {
          found.add(k);
        }
      }
      for (int before = -1; before < found.size(); ) {
        before = found.size();
        for (int j = 0; j < blocks.size(); j++) {
          for (int k : List.copyOf(found)) {
            if (origins.get(j).contains(blocks.get(k))) {
              found.add(j);
            }
          }
        }
      }
      return found.stream().sorted().toList();
    }

    Stm buffered(Builder before) {
      List<Integer> renewedPositions = renewedPositions();
      if (renewedPositions.isEmpty()) {
        return stm;
      }
      for (int k : renewedPositions) {
        renewed.add(blocks.get(k));
      }
      Map<Integer, Integer> arrays = new TreeMap<>();
      Map<Name, SubExp> buffers = new HashMap<>();
      Map<Integer, Type.Array> places = new HashMap<>();
      Map<Integer, Space> spaces = new HashMap<>();
      boolean twice = false;
      for (int k : renewedPositions) {
        int array = arrayIn(blocks.get(k));
        arrays.put(k, array);
        Type.Array t = (Type.Array) loop.params().get(array).param().type();
        Type.Mem mem = (Type.Mem) loop.params().get(k).param().type();
        Name buffer =
            varies(t)
                ? greatest(before, array, mem.space())
                : RowMajorCopies.block(before, scope, t, mem.space());
        buffers.put(blocks.get(k), SubExp.of(buffer));
        places.put(array, RowMajorCopies.in(buffer, t));
        spaces.put(array, mem.space());
        replaced.put(stm.names().get(k), buffer);
        for (int j : renewedPositions) {
          twice |= origins.get(k).contains(blocks.get(j));
        }
      }
      List<Exp.LoopParam> params = new ArrayList<>();
      List<PatElem> pat = new ArrayList<>();
      Builder end = new Builder(names).with(before.aux());
      Body body = new Substitution(buffers).body(loop.body());
      end.addAll(body.stms());
      Map<Integer, Name> results = new HashMap<>();
      for (int array : arrays.values()) {
        Name result = ((SubExp.Var) body.results().get(array)).name();
        Type.Array t = places.get(array);
        Space space = spaces.get(array);
        if (twice && t != null && space != null) {
          Type.Array r = (Type.Array) scope.type(result);
          Name between = RowMajorCopies.block(end, scope, r, space);
          result = RowMajorCopies.copy(end, scope, result, RowMajorCopies.in(between, r));
        }
        results.put(array, result);
      }
      List<SubExp> values = new ArrayList<>();
      for (int k = 0; k < loop.params().size(); k++) {
        if (arrays.containsKey(k)) {
          continue;
        }
        Exp.LoopParam p = loop.params().get(k);
        PatElem e = stm.pat().get(k);
        Type.Array there = places.get(k);
        Name result = results.get(k);
        if (there == null || result == null) {
          params.add(p);
          pat.add(e);
          values.add(body.results().get(k));
          continue;
        }
        Name block = there.mem() == null ? null : there.mem().block();
        if (block == null) {
          throw unsuitable();
        }
        Name init = copied(before, ((SubExp.Var) p.init()).name(), block);
        params.add(
            new Exp.LoopParam(
                new Param(p.param().name(), there, p.param().unique()),
                SubExp.of(init),
                p.attrs()));
        pat.add(new PatElem(e.name(), RowMajorCopies.in(block, (Type.Array) e.type())));
        values.add(SubExp.of(copied(end, result, block)));
      }
      return new Stm(pat, stm.aux(), new Exp.Loop(params, loop.form(), end.body(values)));
    }

    /** Returns a copy of an array with its current shape. */
    private Name copied(Builder b, Name array, Name block) {
      Type.Array a = (Type.Array) scope.type(array);
      return RowMajorCopies.copy(b, scope, array, RowMajorCopies.in(block, a));
    }

    /** Tests whether the size of a carried array differs among iterations. */
    private boolean varies(Type.Array t) {
      Set<Name> inLoop = new HashSet<>();
      for (Exp.LoopParam p : loop.params()) {
        inLoop.add(p.param().name());
      }
      return t.shape().stream()
          .anyMatch(d -> d instanceof SubExp.Var v && inLoop.contains(v.name()));
    }

    /**
     * Returns a memory block for the largest carried array. The size is computed without these
     * arrays.
     */
    private Name greatest(Builder before, int array, Space space) {
      Builder body = new Builder(names).with(before.aux());
      Type param = loop.params().get(array).param().type();
      SubExp size = body.poly("size", RowMajorCopies.bytes((Type.Array) param));
      body.addAll(loop.body().stms());
      SizeMeasurement.Greatest most =
          SizeMeasurement.Greatest.carried(names, stm, loop, body, size);
      Builder all = new Builder(names).with(before.aux());
      all.add(most.loop());
      SubExp last =
          all.poly("size", RowMajorCopies.bytes((Type.Array) stm.pat().get(array).type()));
      SubExp result = SubExp.of(most.result());
      result = all.binOp("most", BinOp.Kind.SMAX, PrimType.I64, result, last);
      Body needed = SizeMeasurement.without(all.body(List.of(result)), renewed);
      if (needed == null) {
        throw unsuitable();
      }
      Body renamed = new Renamer(names).body(needed);
      scope.addAll(renamed);
      before.addAll(renamed.stms());
      measures = true;
      Exp alloc = new MemOp.Alloc(renamed.results().get(0), space);
      Name block = before.let("mem", new Type.Mem(space), alloc);
      scope.add(block, new Type.Mem(space));
      return block;
    }

    /** Returns the position of the only array in a parameter's memory block. */
    private int arrayIn(Name block) {
      int found = -1;
      for (int j = 0; j < loop.params().size(); j++) {
        if (!(loop.params().get(j).param().type() instanceof Type.Array a)
            || a.mem() == null
            || !a.mem().block().equals(block)) {
          continue;
        }
        if (found >= 0 || !a.mem().lmad().isDirect()) {
          throw unsuitable();
        }
        found = j;
      }
      if (found < 0) {
        throw unsuitable();
      }
      return found;
    }

    private PassException unsuitable() {
      return new PassException(
          stm.aux().loc(),
          "In a thread, a loop constructs arrays whose size varies among iterations and depends on"
              + " their contents. A GPU thread cannot allocate. Allocate an array of the maximal"
              + " size before the loop.");
    }
  }
}
