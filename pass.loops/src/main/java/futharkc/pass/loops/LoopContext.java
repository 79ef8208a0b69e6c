package futharkc.pass.loops;

import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Target;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.Collection;
import java.util.List;

/** The context of a loop: target, fresh names, aliases and remarks. */
interface LoopContext {
  /** Returns the machine model for which the code is compiled. */
  Target target();

  /** Returns the source of fresh names. */
  NameSource names();

  /** Tests whether two variables may name the same block. */
  boolean mayAlias(Name a, Name b);

  /** Tests whether a block is private to one iteration at a time. */
  boolean isPrivate(Name block);

  /** Tests whether only one thread runs the code. */
  boolean isOnOneThread();

  /** Returns the indices of the loops with independent iterations around the loop. */
  Collection<Name> independent();

  /**
   * Adds a thread-private block for the values of a scalar in several iterations (scalar
   * expansion); returns the block.
   */
  Name expand(PrimType type, Expr iterations, List<Code> out);

  /** Reports a rewriting. */
  void remark(String message);
}
