package futharkc.core.ir;

import java.util.ArrayList;
import java.util.List;

/** A traversal that collects the names bound in an IR node, at any depth, in order. */
public final class BoundNames extends Mapper {
  private final List<Name> bound = new ArrayList<>();

  private BoundNames() {}

  @Override
  public Name binder(Name n) {
    bound.add(n);
    return n;
  }

  public static List<Name> of(Stm s) {
    BoundNames b = new BoundNames();
    b.stm(s);
    return b.bound;
  }

  public static List<Name> of(Body body) {
    BoundNames b = new BoundNames();
    b.body(body);
    return b.bound;
  }
}
