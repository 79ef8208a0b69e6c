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
 * Blocks of a constant size in memory that each thread has by itself: those of operators, which any
 * thread may apply to anything, and small ones of threads, which the compiler of the kernel may
 * keep in registers.
 */
final class PrivateMemory extends Mapper {
  private final Map<Name, Space> spaces;

  private PrivateMemory(Map<Name, Space> spaces) {
    this.spaces = spaces;
  }

  /** Names that may stand for the same blocks, and the memory that these could be in. */
  private record Class(Set<Name> names, Space.Scalar space, long bytes) {}

  /**
   * A kernel, whose threads allocate some of what they make in memory of their own: so many bytes
   * at most.
   */
  static SegOp ofThreads(SegOp op, long most) {
    Flows flows = Flows.of(op);
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
      if (all <= most) c.names.forEach(n -> spaces.put(n, c.space));
    }
    return spaces.isEmpty() ? op : new PrivateMemory(spaces).segOp(op);
  }

  private static @Nullable Class ofThreads(SegOp op, Flows flows, Set<Name> names) {
    Set<PrimType> elems = EnumSet.noneOf(PrimType.class);
    long count = 0;
    long most = 0;
    for (Name n : names) {
      Flows.Alloc a = flows.allocs().get(n);
      if (flows.isPassed(n)) return null;
      elems.addAll(flows.elems(n));
      if (a == null) continue;
      boolean ofThread = op.level() instanceof SegLevel.Thread || a.threads() != null;
      if (!ofThread || !(a.op().size() instanceof SubExp.Const c)) return null;
      most = Math.max(most, c.value().asLong());
      count++;
    }
    if (count == 0 || elems.size() != 1) return null;
    PrimType elem = elems.iterator().next();
    SubExp size = SubExp.i64(most / elem.bytes());
    return new Class(names, new Space.Scalar(List.of(size), elem), count * most);
  }

  /** An input of an accumulation, whose operator does not allocate other memory. */
  static Exp.AccInput operator(Exp.AccInput in, NameSource names) {
    if (in.op() == null) return in;
    Lambda l = operator(in.op().lambda(), names);
    return l == in.op().lambda()
        ? in
        : new Exp.AccInput(in.space(), in.arrays(), new Exp.AccOp(l, in.op().neutral()));
  }

  /** An operator that does not allocate other memory. */
  static Lambda operator(Lambda given, NameSource names) {
    if (Flows.of(given.body().stms()).allocs().isEmpty()) return given;
    Scope scope = new Scope();
    scope.addParams(given.params());
    scope.addAll(given.body());
    Lambda l = new LoopBuffers(names, scope).lambda(given);
    Flows flows = Flows.of(l.body().stms());
    Map<Name, Space> spaces = new HashMap<>();
    for (Flows.Alloc a : flows.allocs().values()) {
      Space s = space(flows, a);
      if (s == null) {
        throw new PassException(
            a.stm().aux().loc(),
            "an operator of a parallel operation makes an array whose size is not constant, or"
                + " chooses among arrays, which threads of a GPU cannot do");
      }
      spaces.put(a.block(), s);
    }
    return new PrivateMemory(spaces).lambda(l);
  }

  /** Private memory that will do for an allocation, or null. */
  static @Nullable Space space(Flows flows, Flows.Alloc a) {
    Set<PrimType> elems = flows.elems(a.block());
    boolean alone = flows.isAlone(a.block()) && !flows.isPassed(a.block());
    if (!alone || elems.size() != 1 || !(a.op().size() instanceof SubExp.Const c)) return null;
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
    for (SubExp d : s.shape()) n *= ((SubExp.Const) d).value().asLong();
    return SubExp.i64(n);
  }
}
