package futharkc.core.codegen.java;

import futharkc.core.ir.Name;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.Expr;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The blocks that the code of a kernel reads and writes. A flat operation accesses each element
 * once, so the sizes of these blocks are the bytes that it moves; time reports derive the bandwidth
 * from them.
 */
final class MemoryTraffic extends CodeMapper {
  private final Set<Name> read = new HashSet<>();
  private final Set<Name> written = new HashSet<>();

  /** The allocated block that contains or equals the block of a name. */
  private final Map<Name, Name> whole = new HashMap<>();

  MemoryTraffic(List<Code> code) {
    statements(code);
  }

  /** Returns the number of times that a block's size counts: once for reading, once for writing. */
  int times(Name block) {
    return (read.contains(block) ? 1 : 0) + (written.contains(block) ? 1 : 0);
  }

  private Name whole(Name block) {
    return whole.getOrDefault(block, block);
  }

  @Override
  public Expr expr(Expr e) {
    if (e instanceof Expr.Load l) {
      read.add(whole(l.block()));
    }
    return super.expr(e);
  }

  @Override
  public Code statement(Code code) {
    switch (code) {
      case Code.Store s -> written.add(whole(s.block()));
      case Code.VolatileStore s -> written.add(whole(s.block()));
      case Code.VolatileLoad l -> read.add(whole(l.block()));
      case Code.Atomic a -> both(a.block());
      case Code.CompareAndSet c -> both(c.block());
      case Code.DeclareBlock d -> alias(d.block(), d.value());
      case Code.DeclarePointer p -> alias(p.block(), p.value());
      case Code.SetBlock s -> both(s.value());
      case Code.Call c -> {
        for (Code.Operand o : c.args()) {
          if (o instanceof Code.Operand.Block b) {
            read.add(whole(b.name()));
          }
        }
      }
      case Code.Declare _,
          Code.Assign _,
          Code.Alloc _,
          Code.DeclareScratch _,
          Code.Reserve _,
          Code.Free _,
          Code.IfUnused _,
          Code.ConstantBlock _,
          Code.Pin _,
          Code.CopyRun _,
          Code.FillRun _,
          Code.MapRun _,
          Code.If _,
          Code.For _,
          Code.While _,
          Code.Outlined _,
          Code.Scope _,
          Code.Assert _,
          Code.CheckCancelled _,
          Code.Trace _,
          Code.Vector _,
          Code.Multicore _,
          Code.Host _,
          Code.Private _,
          Code.Barrier _,
          Code.Fence _,
          Code.Shuffle _,
          Code.SineAndCosine _,
          Code.Attempt _,
          Code.Strided _,
          Code.LeaveIfFailed _ -> {}
    }
    return super.statement(code);
  }

  private void both(Name block) {
    read.add(whole(block));
    written.add(whole(block));
  }

  private void alias(Name block, @org.jspecify.annotations.Nullable Name value) {
    if (value != null) {
      whole.put(block, whole(value));
    }
  }
}
