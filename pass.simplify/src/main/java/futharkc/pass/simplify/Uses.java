package futharkc.pass.simplify;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import java.util.HashMap;
import java.util.Map;

/** How often each name is mentioned. */
final class Uses extends Mapper {
  private final Map<Name, Integer> counts = new HashMap<>();

  private final Map<Name, Integer> reads = new HashMap<>();

  private Uses() {}

  static Uses of(Body body) {
    Uses u = new Uses();
    u.body(body);
    return u;
  }

  @Override
  public Name name(Name use) {
    counts.merge(use, 1, Integer::sum);
    return use;
  }

  @Override
  public Exp exp(Exp e) {
    switch (e) {
      case Soac.Screma x -> x.inputs().forEach(this::read);
      case Soac.Hist x -> x.inputs().forEach(this::read);
      case Soac.FlatMap x -> x.inputs().forEach(this::read);
      case BasicOp.Index x when x.slice().isElement() -> read(x.array());
      default -> {}
    }
    return super.exp(e);
  }

  private void read(Name name) {
    reads.merge(name, 1, Integer::sum);
  }

  /** How often elements of an array, or its rows in turn, are read where nothing can alias it. */
  int reads(Name name) {
    return reads.getOrDefault(name, 0);
  }

  /** A new statement mentions names, too; what it was made from is counted until the next round. */
  void add(Stm stm) {
    stm(stm);
  }

  /** Where one name is mentioned, the other will be, too. */
  void share(Name name, Name other) {
    counts.merge(name, of(other), Integer::sum);
    reads.merge(name, reads(other), Integer::sum);
  }

  int of(Name name) {
    return counts.getOrDefault(name, 0);
  }
}
