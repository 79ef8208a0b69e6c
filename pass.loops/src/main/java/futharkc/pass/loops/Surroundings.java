package futharkc.pass.loops;

import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Target;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.List;

/** What there is around a loop. */
interface Surroundings {
  /** The machine that the code is for. */
  Target target();

  /** Names that nothing else has. */
  NameSource names();

  /** Whether two variables may stand for the same block. */
  boolean mayAlias(Name a, Name b);

  /** Whether a block is for one iteration at a time. */
  boolean isPrivate(Name block);

  /** Whether the code is run by one thread only. */
  boolean isOnOneThread();

  /**
   * Writes code that makes a block for the values of a scalar in some iterations (scalar
   * expansion), private to the thread; returns its name.
   */
  Name expand(PrimType type, Expr iterations, List<Code> out);

  /** Says what was done. */
  void remark(String message);
}
