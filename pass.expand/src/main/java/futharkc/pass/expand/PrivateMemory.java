package futharkc.pass.expand;

import futharkc.core.ir.Exp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Scope;
import futharkc.core.ir.Space;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.spi.PassException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Blocks of a constant size in memory that each thread has by itself, where nothing else will do:
 * in operators, which any thread may apply to anything.
 */
final class PrivateMemory extends Mapper {
  private final Map<Name, Space> spaces;

  private PrivateMemory(Map<Name, Space> spaces) {
    this.spaces = spaces;
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
    boolean alone = flows.isAlone(a.block());
    if (!alone || elems.size() != 1 || !(a.op().size() instanceof SubExp.Const c)) return null;
    PrimType elem = elems.iterator().next();
    return new Space.Scalar(List.of(SubExp.i64(c.value().asLong() / elem.bytes())), elem);
  }

  @Override
  public Stm stm(Stm s) {
    if (!(s.exp() instanceof MemOp.Alloc a)) return super.stm(s);
    Name block = s.names().get(0);
    Space space = spaces.get(block);
    return space == null
        ? s
        : new Stm(
            List.of(new PatElem(block, new Type.Mem(space))),
            s.aux(),
            new MemOp.Alloc(a.size(), space));
  }
}
