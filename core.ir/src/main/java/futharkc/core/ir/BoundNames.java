package futharkc.core.ir;

import java.util.ArrayList;
import java.util.List;

/** The names bound in a piece of IR, at any depth, in order. */
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
