package futharkc.core.ir.analysis;

import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.SegBody;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.HashMap;
import java.util.Map;

/** How often, and how, names are used in a function. */
public final class Usages {
  /** As an analysis. */
  public static final Analysis<Usages> ANALYSIS = new OfFunction();

  private static final Usage NONE = new Usage(0, 0, false);

  private final Map<Name, Usage> usages;

  private Usages(Map<Name, Usage> usages) {
    this.usages = usages;
  }

  /**
   * How a name is used.
   *
   * @param count occurrences as an operand, array, certificate or result; uses in types do not
   *     count
   * @param inTypes occurrences as a size or in a place in memory
   * @param repeated whether it occurs in a body that may run many times: of a loop, lambda or
   *     parallel operation
   */
  public record Usage(int count, int inTypes, boolean repeated) {}

  private record OfFunction() implements Analysis<Usages> {
    @Override
    public String name() {
      return "usages";
    }

    @Override
    public Usages compute(FunDef f, AnalysisCache cache) {
      return of(f);
    }
  }

  /** The uses in a function's signature and body. */
  public static Usages of(FunDef f) {
    Counter c = new Counter();
    c.fun(f);
    return new Usages(c.usages);
  }

  /** How a name is used; nothing is counted if it is not. */
  public Usage of(Name n) {
    return usages.getOrDefault(n, NONE);
  }

  private static final class Counter extends Mapper {
    final Map<Name, Usage> usages = new HashMap<>();
    private int types;
    private int repetitions;

    @Override
    public Name name(Name use) {
      boolean repeated = repetitions > 0;
      Usage u = types > 0 ? new Usage(0, 1, repeated) : new Usage(1, 0, repeated);
      usages.merge(
          use,
          u,
          (a, b) -> new Usage(a.count + b.count, a.inTypes + b.inTypes, a.repeated || b.repeated));
      return use;
    }

    @Override
    public Poly polyVar(Name use) {
      name(use);
      return Poly.of(use);
    }

    @Override
    public Type type(Type t) {
      types++;
      Type same = super.type(t);
      types--;
      return same;
    }

    @Override
    public Lambda lambda(Lambda l) {
      repetitions++;
      Lambda same = super.lambda(l);
      repetitions--;
      return same;
    }

    @Override
    public SegBody segBody(SegBody b) {
      repetitions++;
      SegBody same = super.segBody(b);
      repetitions--;
      return same;
    }

    @Override
    public Exp exp(Exp e) {
      if (!(e instanceof Exp.Loop l)) return super.exp(e);
      for (Exp.LoopParam p : l.params()) {
        subExp(p.init());
        param(p.param());
      }
      repetitions++;
      switch (l.form()) {
        case Exp.Form.For form -> {
          repetitions--;
          subExp(form.bound());
          repetitions++;
        }
        case Exp.Form.While form -> name(form.cond());
      }
      body(l.body());
      repetitions--;
      return e;
    }

    @Override
    public SubExp subExp(SubExp e) {
      if (e instanceof SubExp.Var v) name(v.name());
      return e;
    }
  }
}
