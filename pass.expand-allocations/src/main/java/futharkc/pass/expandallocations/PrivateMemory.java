package futharkc.pass.expandallocations;

import futharkc.core.ir.Exp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Scope;
import futharkc.core.ir.SegLevel;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.Space;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.spi.PassException;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Moves memory blocks of constant size to private memory of threads. This includes the blocks of
 * operators, which any thread may apply to any values, and small blocks of threads, which the
 * kernel compiler may keep in registers.
 */
final class PrivateMemory extends Mapper {
  private final Map<Name, Space> spaces;

  private PrivateMemory(Map<Name, Space> spaces) {
    this.spaces = spaces;
  }

  /**
   * A class of names that may refer to the same memory blocks, with their private space and size in
   * bytes.
   */
  private record Class(Set<Name> names, Space.Scalar space, long bytes) {}

  /**
   * Returns a kernel whose threads allocate some arrays in private memory.
   *
   * @param most the maximal size of private memory for each thread, in bytes
   */
  static SegOp ofThreads(SegOp op, long most) {
    BlockFlows flows = BlockFlows.of(op);
    List<Class> smallFirst =
        flows.classes().values().stream()
            .map(names -> ofThreads(op, flows, names))
            .filter(Objects::nonNull)
            .sorted(Comparator.comparingLong(Class::bytes))
            .toList();
    Map<Name, Space> spaces = new HashMap<>();
    long all = 0;
    for (Class c : smallFirst) {
      all += c.bytes;
      if (all <= most) {
        c.names.forEach(n -> spaces.put(n, c.space));
      }
    }
    return spaces.isEmpty() ? op : new PrivateMemory(spaces).segOp(op);
  }

  private static @Nullable Class ofThreads(SegOp op, BlockFlows flows, Set<Name> names) {
    Set<PrimType> elems = EnumSet.noneOf(PrimType.class);
    long count = 0;
    long most = 0;
    for (Name n : names) {
      BlockFlows.Alloc a = flows.allocs().get(n);
      if (flows.isPassed(n)) {
        return null;
      }
      elems.addAll(flows.elems(n));
      if (a == null) {
        continue;
      }
      boolean ofThread = op.level() instanceof SegLevel.Thread || a.threads() != null;
      if (!ofThread || !(a.op().size() instanceof SubExp.Const c)) {
        return null;
      }
      most = Math.max(most, c.value().asLong());
      count++;
    }
    if (count == 0 || elems.size() != 1) {
      return null;
    }
    PrimType elem = elems.iterator().next();
    SubExp size = SubExp.i64(most / elem.bytes());
    return new Class(names, new Space.Scalar(List.of(size), elem), count * most);
  }

  /** Returns an accumulator input whose operator allocates private memory only. */
  static Exp.AccInput operator(Exp.AccInput in, NameSource names) {
    if (in.op() == null) {
      return in;
    }
    Lambda l = operator(in.op().lambda(), names);
    return l == in.op().lambda()
        ? in
        : new Exp.AccInput(in.space(), in.arrays(), new Exp.AccOp(l, in.op().neutral()));
  }

  /** Returns an operator that allocates private memory only. */
  static Lambda operator(Lambda given, NameSource names) {
    if (BlockFlows.of(given.body().stms()).allocs().isEmpty()) {
      return given;
    }
    Scope scope = new Scope();
    scope.addParams(given.params());
    scope.addAll(given.body());
    Lambda l = new LoopBuffers(names, scope).lambda(given);
    BlockFlows flows = BlockFlows.of(l.body().stms());
    Map<Name, Space> spaces = new HashMap<>();
    for (BlockFlows.Alloc a : flows.allocs().values()) {
      Space s = space(flows, a);
      if (s == null) {
        throw new PassException(
            a.stm().aux().loc(),
            "The operator of a parallel operation allocates an array of variable size, or selects"
                + " among arrays. A GPU thread can do neither. Write the operator on scalars or"
                + " tuples, or give its arrays constant sizes.");
      }
      spaces.put(a.block(), s);
    }
    return new PrivateMemory(spaces).lambda(l);
  }

  /** Returns a private space for an allocation, or null if private memory is unsuitable. */
  static @Nullable Space space(BlockFlows flows, BlockFlows.Alloc a) {
    Set<PrimType> elems = flows.elems(a.block());
    boolean alone = flows.isAlone(a.block()) && !flows.isPassed(a.block());
    if (!alone || elems.size() != 1 || !(a.op().size() instanceof SubExp.Const c)) {
      return null;
    }
    PrimType elem = elems.iterator().next();
    return new Space.Scalar(List.of(SubExp.i64(c.value().asLong() / elem.bytes())), elem);
  }

  @Override
  public PatElem patElem(PatElem p) {
    Space space = spaces.get(p.name());
    return space == null ? super.patElem(p) : new PatElem(p.name(), new Type.Mem(space));
  }

  @Override
  public Param param(Param p) {
    Space space = spaces.get(p.name());
    return space == null ? super.param(p) : new Param(p.name(), new Type.Mem(space), p.unique());
  }

  @Override
  public Stm stm(Stm s) {
    Stm t = super.stm(s);
    return t.exp() instanceof MemOp.Alloc
            && spaces.get(t.names().get(0)) instanceof Space.Scalar space
        ? t.withExp(new MemOp.Alloc(bytes(space), space))
        : t;
  }

  private static SubExp bytes(Space.Scalar s) {
    long n = s.elem().bytes();
    for (SubExp d : s.shape()) {
      n *= ((SubExp.Const) d).value().asLong();
    }
    return SubExp.i64(n);
  }
}
