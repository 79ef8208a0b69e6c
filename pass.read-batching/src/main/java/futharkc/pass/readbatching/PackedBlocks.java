package futharkc.pass.readbatching;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.Space;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.Remark;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The blocks of a function that {@link ReadPackingPass} packs, and their places. */
final class PackedBlocks {
  private final long largest;
  private final PassContext context;
  private final NameSource names;

  /** The allocations that can be packed, with their size in bytes and the list that makes them. */
  private final Map<Name, Allocation> allocations = new HashMap<>();

  /** The blocks that code passes on, or that must hold an array from the start. */
  private final Set<Name> fixed = new HashSet<>();

  /** The blocks of arrays, by array. */
  private final Map<Name, Name> blocks = new HashMap<>();

  private final Set<Name> read = new HashSet<>();

  /** For each kernel, its location and the blocks of its results. */
  private final Map<Stm, Set<Name>> kernels = new LinkedHashMap<>();

  /** The pack of each packed block. */
  private final Map<Name, Place> places = new HashMap<>();

  /**
   * An allocation.
   *
   * @param list the number of the list of statements
   */
  private record Allocation(long bytes, int list) {}

  /**
   * A place in a pack.
   *
   * @param at the offset in bytes
   * @param total the size of the pack in bytes
   */
  private record Place(Name pack, long at, long total) {}

  PackedBlocks(FunDef function, long largest, PassContext context) {
    this.largest = largest;
    this.context = context;
    this.names = new NameSource(function.nextTag());
    new Collect().fun(function);
    for (SubExp r : function.body().results()) {
      fix(r);
    }
    kernels.forEach((s, used) -> pack(function.name(), s, used));
  }

  private void fix(SubExp e) {
    if (e instanceof SubExp.Var v) {
      fixed.add(v.name());
    }
  }

  private void pack(String function, Stm kernel, Set<Name> used) {
    Map<Integer, Map<Name, Allocation>> lists = new LinkedHashMap<>();
    for (Name b : used) {
      Allocation a = allocations.get(b);
      if (a != null && read.contains(b) && !fixed.contains(b) && !places.containsKey(b)) {
        lists.computeIfAbsent(a.list, k -> new LinkedHashMap<>()).put(b, a);
      }
    }
    for (Map<Name, Allocation> together : lists.values()) {
      if (together.size() < 2 || !context.mayChange()) {
        continue;
      }
      long total = together.values().stream().mapToLong(a -> aligned(a.bytes)).sum();
      Name pack = names.fresh("packed");
      long at = 0;
      for (Map.Entry<Name, Allocation> e : together.entrySet()) {
        places.put(e.getKey(), new Place(pack, at, total));
        at += aligned(e.getValue().bytes);
      }
      context.countChange();
      context.remark(
          Remark.Kind.APPLIED,
          function,
          kernel.aux().loc(),
          "one block of "
              + total
              + " bytes holds "
              + together.size()
              + " results that the host reads");
    }
  }

  /** Returns the size of a block in a pack: a multiple of the size of all elements. */
  private static long aligned(long bytes) {
    return (bytes + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
  }

  /** Returns the function with packed blocks. */
  FunDef rewritten(FunDef function) {
    if (places.isEmpty()) {
      return function;
    }
    FunDef packed = new Rewriting().fun(function);
    return packed.withBody(packed.body(), names.next());
  }

  /** A traversal that collects the uses of blocks. */
  private final class Collect extends Mapper {
    private int lists;
    private int kernelDepth;

    @Override
    public PatElem patElem(PatElem p) {
      locate(p.name(), p.type());
      return super.patElem(p);
    }

    @Override
    public Param param(Param p) {
      locate(p.name(), p.type());
      return super.param(p);
    }

    private void locate(Name array, Type t) {
      if (t instanceof Type.Array a && a.mem() != null) {
        blocks.put(array, a.mem().block());
      }
    }

    @Override
    public SubExp subExp(SubExp e) {
      fix(e);
      return super.subExp(e);
    }

    @Override
    public List<Stm> stms(List<Stm> stms) {
      int list = lists++;
      for (Stm s : stms) {
        if (kernelDepth == 0
            && s.exp() instanceof MemOp.Alloc a
            && a.space() instanceof Space.Device
            && a.size() instanceof SubExp.Const c
            && c.value().asLong() <= largest) {
          allocations.put(s.pat().get(0).name(), new Allocation(c.value().asLong(), list));
        }
      }
      return super.stms(stms);
    }

    @Override
    public Stm stm(Stm s) {
      boolean isKernel = s.exp() instanceof SegExp || s.exp() instanceof HostOp.GpuBody;
      if (isKernel && kernelDepth == 0) {
        Set<Name> used = new LinkedHashSet<>();
        for (PatElem p : s.pat()) {
          if (p.type() instanceof Type.Array a && a.mem() != null) {
            used.add(a.mem().block());
          }
        }
        kernels.put(s, used);
      }
      kernelDepth += isKernel ? 1 : 0;
      Stm same = super.stm(s);
      kernelDepth -= isKernel ? 1 : 0;
      return same;
    }

    @Override
    public Exp exp(Exp e) {
      switch (e) {
        case HostOp.Read r -> r.elements().forEach(x -> read.add(blocks.get(x.array())));
        case MemOp.EnsureDirect d -> fixed.add(blocks.get(d.array()));
        default -> {}
      }
      return super.exp(e);
    }
  }

  /** A rewriting that moves arrays to packs. */
  private final class Rewriting extends Mapper {
    private final Set<Name> allocated = new HashSet<>();

    @Override
    public Type type(Type t) {
      if (!(t instanceof Type.Array a)
          || a.mem() == null
          || !(places.get(a.mem().block()) instanceof Place place)) {
        return super.type(t);
      }
      Lmad l = a.mem().lmad();
      Poly at = Poly.of(place.at / a.elemPrim().bytes());
      return a.withMem(new ArrayMem(place.pack, new Lmad(l.offset().plus(at), l.dims())));
    }

    @Override
    public List<Stm> stms(List<Stm> stms) {
      List<Stm> out = new ArrayList<>();
      for (Stm s : stms) {
        Place place = s.exp() instanceof MemOp.Alloc ? places.get(s.pat().get(0).name()) : null;
        if (place == null) {
          out.add(stm(s));
        } else if (allocated.add(place.pack)) {
          PatElem p = new PatElem(place.pack, s.pat().get(0).type());
          Exp all = new MemOp.Alloc(SubExp.i64(place.total), new Space.Device());
          out.add(new Stm(List.of(p), s.aux(), all));
        }
      }
      return out;
    }
  }
}
