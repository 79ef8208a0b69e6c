package futharkc.pass.loops;

import futharkc.core.ir.Machine;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.spi.Option;
import futharkc.tests.kit.TestMachine;
import java.util.ArrayList;
import java.util.List;

/**
 * A loop context for tests, on one thread.
 *
 * @param names the source of fresh names
 * @param privateBlock a block that is private to one iteration at a time
 * @param same variables that may name the same block
 * @param made the types of the expanded scalars, which the context adds to
 */
record TestLoopContext(NameSource names, Name privateBlock, List<Name> same, List<PrimType> made)
    implements LoopContext {
  /** The name of all blocks of expanded scalars. */
  static final Name EXPANDED = new Name("expanded", 6);

  TestLoopContext(Name privateBlock, Name... same) {
    this(new NameSource(100), privateBlock, List.of(same), new ArrayList<>());
  }

  /** Returns the loop, marked as having independent iterations. */
  static Code.For independent(Code.For f) {
    return new Code.For(
        f.index(), f.type(), f.from(), f.to(), 0, new Code.Order.Independent(), f.body());
  }

  /** Returns the loop, with that many first statements marked as independent. */
  static Code.For independent(Code.For f, int count) {
    return new Code.For(
        f.index(),
        f.type(),
        f.from(),
        f.to(),
        0,
        new Code.Order.Sequential(count, List.of()),
        f.body());
  }

  @Override
  public Machine machine() {
    return TestMachine.CPU;
  }

  @Override
  public int number(Option option) {
    return Integer.parseInt(option.defaultValue(machine()));
  }

  @Override
  public boolean mayAlias(Name a, Name b) {
    return a.equals(b) || same.containsAll(List.of(a, b));
  }

  @Override
  public boolean isPrivate(Name block) {
    return block.equals(privateBlock);
  }

  @Override
  public boolean isOnOneThread() {
    return true;
  }

  @Override
  public List<Name> independent() {
    return List.of();
  }

  @Override
  public Name expand(PrimType type, Expr iterations, List<Code> out) {
    made.add(type);
    return EXPANDED;
  }

  @Override
  public void remark(String message) {}
}
