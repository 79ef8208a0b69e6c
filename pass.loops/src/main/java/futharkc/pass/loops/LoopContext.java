package futharkc.pass.loops;

import futharkc.core.ir.Machine;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.spi.Option;
import java.util.Collection;
import java.util.List;

/** The context of a loop: machine, options of the pass, fresh names, aliases and remarks. */
interface LoopContext {
  /** Returns the machine for which the code is compiled. */
  Machine machine();

  /** Returns the value of an option of the pass. */
  int number(Option option);

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
