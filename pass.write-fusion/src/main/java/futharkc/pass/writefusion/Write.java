package futharkc.pass.writefusion;

import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A statement that writes: an accumulation with parallel operations, or a parallel operation with
 * an accumulator inside an accumulation.
 *
 * @param stm the statement
 * @param inner the parallel operations with updates; {@code stm} itself inside an accumulation
 */
record Write(Stm stm, List<Stm> inner) {
  /** Returns the statement as a write, or null if it is none. */
  static @Nullable Write of(Stm s) {
    return switch (s.exp()) {
      case Soac.Screma x when updates(x) -> new Write(s, List.of(s));
      case Exp.WithAcc w -> {
        List<Stm> inner =
            w.lambda().body().stms().stream()
                .filter(t -> t.exp() instanceof Soac.Screma x && updates(x))
                .toList();
        yield inner.isEmpty() ? null : new Write(s, inner);
      }
      default -> null;
    };
  }

  private static boolean updates(Soac.Screma x) {
    return x.map().params().stream().anyMatch(p -> p.type() instanceof Type.Acc);
  }

  /** Tests whether this is an accumulation, not an operation inside one. */
  boolean isWhole() {
    return stm.exp() instanceof Exp.WithAcc;
  }

  /**
   * Returns the first of the operations with one of these arrays as an input; null if there is
   * none.
   */
  @Nullable Stm taking(List<Name> arrays) {
    for (Stm s : inner) {
      if (((Soac.Screma) s.exp()).inputs().stream().anyMatch(arrays::contains)) {
        return s;
      }
    }
    return null;
  }

  /** Returns the names that the write uses, except the inputs of one operation. */
  Set<Name> usesBesides(Stm operation) {
    Set<Name> uses = new HashSet<>();
    switch (stm.exp()) {
      case Exp.WithAcc w -> {
        List<Stm> others = new ArrayList<>(w.lambda().body().stms());
        others.remove(operation);
        Body rest = new Body(others, w.lambda().body().results());
        Lambda l = new Lambda(w.lambda().params(), rest, w.lambda().results());
        uses.addAll(FreeNames.of(new Exp.WithAcc(w.inputs(), l)));
        uses.addAll(stm.aux().certs());
        for (PatElem p : stm.pat()) {
          uses.addAll(FreeNames.of(p.type()));
        }
      }
      default -> {}
    }
    return uses;
  }

  /**
   * Returns a producer whose results have fresh names, for use inside an accumulation.
   *
   * @param producer the statement whose results get new names
   * @param inside the map to which this method adds the new name of each result
   */
  static Stm renamed(Stm producer, Map<Name, Name> inside, NameSource names) {
    List<PatElem> pat = new ArrayList<>();
    for (PatElem p : producer.pat()) {
      Name n = names.fresh(p.name());
      inside.put(p.name(), n);
      pat.add(new PatElem(n, p.type()));
    }
    return new Stm(pat, producer.aux(), producer.exp());
  }

  /**
   * Returns the accumulation with one operation replaced by one with additional results.
   *
   * @param further the pattern elements of the additional results
   * @param inside the names inside the accumulation, keyed by the outer names of the additional
   *     results
   */
  Stm with(Stm old, Stm replacement, List<PatElem> further, Map<Name, Name> inside) {
    Exp.WithAcc w = (Exp.WithAcc) stm.exp();
    Map<Name, SubExp> renamed = new HashMap<>();
    inside.forEach((outer, inner) -> renamed.put(outer, SubExp.of(inner)));
    Body body = w.lambda().body();
    List<Stm> stms = new ArrayList<>();
    for (Stm s : body.stms()) {
      stms.add(s == old ? replacement : s);
    }
    List<SubExp> results = new ArrayList<>(body.results());
    List<Type> types = new ArrayList<>(w.lambda().results());
    List<PatElem> pat = new ArrayList<>(stm.pat());
    var within = new Substitution(renamed);
    for (PatElem p : further) {
      results.add(within.subExp(SubExp.of(p.name())));
      types.add(p.type());
      pat.add(p);
    }
    Lambda lambda = new Lambda(w.lambda().params(), new Body(stms, results), types);
    return new Stm(pat, stm.aux(), new Exp.WithAcc(w.inputs(), lambda));
  }

  /**
   * Returns the accumulation with one operation replaced by others, the last of which binds the
   * same names.
   */
  Stm with(Stm old, List<Stm> replacement) {
    Exp.WithAcc w = (Exp.WithAcc) stm.exp();
    List<Stm> stms = new ArrayList<>();
    for (Stm s : w.lambda().body().stms()) {
      if (s == old) {
        stms.addAll(replacement);
      } else {
        stms.add(s);
      }
    }
    Body body = new Body(stms, w.lambda().body().results());
    Lambda lambda = new Lambda(w.lambda().params(), body, w.lambda().results());
    return stm.withExp(new Exp.WithAcc(w.inputs(), lambda));
  }

  /** Returns two accumulations as one that contains the operations of both. */
  static Stm sideBySide(Stm first, Stm second) {
    Exp.WithAcc a = (Exp.WithAcc) first.exp();
    Exp.WithAcc b = (Exp.WithAcc) second.exp();
    int n = a.inputs().size();
    int m = b.inputs().size();
    List<Exp.AccInput> inputs = new ArrayList<>(a.inputs());
    inputs.addAll(b.inputs());
    List<Param> params = inOrder(a.lambda().params(), b.lambda().params(), n, m);
    List<Stm> stms = new ArrayList<>(a.lambda().body().stms());
    stms.addAll(b.lambda().body().stms());
    List<SubExp> results = inOrder(a.lambda().body().results(), b.lambda().body().results(), n, m);
    List<Type> types = inOrder(a.lambda().results(), b.lambda().results(), n, m);
    List<PatElem> pat = inOrder(first.pat(), second.pat(), arrays(a), arrays(b));
    Lambda lambda = new Lambda(params, new Body(stms, results), types);
    return new Stm(pat, second.aux().and(first.aux()), new Exp.WithAcc(inputs, lambda));
  }

  /** Returns the number of written arrays. */
  static int arrays(Exp.WithAcc w) {
    return w.inputs().stream().mapToInt(in -> in.arrays().size()).sum();
  }

  /** Returns the heads of both lists, then their tails. */
  private static <T> List<T> inOrder(List<T> a, List<T> b, int headA, int headB) {
    List<T> all = new ArrayList<>(a.subList(0, headA));
    all.addAll(b.subList(0, headB));
    all.addAll(a.subList(headA, a.size()));
    all.addAll(b.subList(headB, b.size()));
    return all;
  }
}
