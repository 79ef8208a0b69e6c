package futharkc.core.codegen.lower.common;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The kernel that contains the code being lowered: its facts and its memory. */
public interface EnclosingKernel {
  /** Returns an expression for whether the current thread is the first of its thread block. */
  Expr isFirst();

  /** Records that a name is bound in the kernel. */
  void binds(Name n);

  /** Records the definition of a scalar that is bound in the kernel. */
  void defines(Name n, BasicOp op);

  /** Returns the definition of a scalar that is bound in the kernel; null if none is recorded. */
  @Nullable BasicOp definition(SubExp e);

  /**
   * Declares a block that code of the kernel allocates.
   *
   * @param declarations receives the kernel's declarations, which precede all loops
   */
  void allocate(Name name, MemOp.Alloc a, List<Code> declarations);
}
