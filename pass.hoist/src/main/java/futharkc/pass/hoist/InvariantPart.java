package futharkc.pass.hoist;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSet;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.analysis.ConsumptionOfStms;
import futharkc.core.ir.analysis.Effects;
import futharkc.core.ir.analysis.FreeNamesOfStms;
import futharkc.core.ir.analysis.RepeatedBody;
import futharkc.core.ir.analysis.Weight;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An invariant part of a body.
 *
 * @param all the statements of the part, in order: the profitable ones, and those they need
 * @param costly the profitable statements; the others stay in the body as well
 * @param results the names that costly statements bind and the rest of the body uses
 */
record InvariantPart(List<Stm> all, Set<Stm> costly, List<PatElem> results) {
  /**
   * Returns the largest invariant part; null if it has no profitable statement.
   *
   * @param mayLeave a test for statements that may move if their operands are invariant
   */
  static @Nullable InvariantPart of(
      RepeatedBody body,
      Predicate<Stm> mayLeave,
      Aliases aliases,
      FreeNamesOfStms free,
      ConsumptionOfStms consumption) {
    List<Stm> candidates = new ArrayList<>();
    Set<Name> cheap = new HashSet<>();
    Set<Stm> costly = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Stm s : body.stms()) {
      boolean invariant = body.isInvariant(s);
      if (invariant && isCheap(s)) {
        candidates.add(s);
        cheap.addAll(s.names());
      } else if (invariant
          && isCostly(s)
          && mayLeave.test(s)
          && consumesOnly(s, cheap, aliases, free, consumption)) {
        candidates.add(s);
        costly.add(s);
      } else {
        body.stays(s);
      }
    }
    if (costly.isEmpty()) {
      return null;
    }
    Set<Name> needed = new HashSet<>();
    for (Stm s : body.stms()) {
      if (!costly.contains(s)) {
        needed.addAll(free.of(s));
      }
    }
    body.results().forEach(e -> addName(e, needed));
    // The sizes of needed results are needed as well.
    for (Stm s : costly) {
      for (PatElem p : s.pat()) {
        if (needed.contains(p.name())) {
          p.type().dims().forEach(d -> addName(d, needed));
        }
      }
    }
    List<PatElem> results = new ArrayList<>();
    for (Stm s : candidates) {
      if (!costly.contains(s)) {
        continue;
      }
      for (PatElem p : s.pat()) {
        if (needed.contains(p.name())) {
          results.add(p);
        }
      }
    }
    return results.isEmpty()
        ? null
        : new InvariantPart(withOperands(candidates, costly, free), costly, results);
  }

  private static void addName(SubExp e, Set<Name> names) {
    if (e instanceof SubExp.Var v) {
      names.add(v.name());
    }
  }

  private static List<Stm> withOperands(
      List<Stm> candidates, Set<Stm> costly, FreeNamesOfStms free) {
    Set<Name> needed = new HashSet<>();
    List<Stm> all = new ArrayList<>();
    for (Stm s : candidates.reversed()) {
      if (!costly.contains(s) && s.names().stream().noneMatch(needed::contains)) {
        continue;
      }
      all.add(s);
      needed.addAll(free.of(s));
    }
    return all.reversed();
  }

  /** Tests whether all names that a statement consumes, with their aliases, are in a set. */
  private static boolean consumesOnly(
      Stm s, Set<Name> some, Aliases aliases, FreeNamesOfStms free, ConsumptionOfStms consumption) {
    NameSet consumed = consumption.of(s);
    for (Name n : free.of(s)) {
      NameSet roots = aliases.roots(n);
      if (roots.meets(consumed) && !(some.contains(n) && some.containsAll(roots))) {
        return false;
      }
    }
    return true;
  }

  /** Tests whether a second evaluation is cheap. */
  private static boolean isCheap(Stm s) {
    return switch (Weight.of(s.exp())) {
      case VIEW, ELEMENT, OPERATION, FUNCTION, ARRAY -> true;
      case COPY, CHECK, EFFECT -> false;
      case CODE -> s.exp() instanceof Exp.Match m && !repeats(m) && !Effects.of(m).traces();
    };
  }

  private static boolean isCostly(Stm s) {
    boolean kind =
        switch (Weight.of(s.exp())) {
          case COPY -> !(s.exp() instanceof BasicOp.Replicate);
          case CODE ->
              s.exp() instanceof Exp.Loop
                  || s.exp() instanceof Exp.Match m && repeats(m)
                  || s.exp() instanceof Soac.Screma
                  || s.exp() instanceof Soac.Hist;
          case VIEW, ELEMENT, OPERATION, FUNCTION, ARRAY, CHECK, EFFECT -> false;
        };
    // The statement updates only arrays that it allocates or consumes.
    return kind && !Effects.of(s.exp()).traces();
  }

  /**
   * Tests whether an expression contains a loop, a call, a combinator, or a copy of an array, at
   * any depth.
   */
  private static boolean repeats(Exp e) {
    Repetition r = new Repetition();
    r.exp(e);
    return r.found;
  }

  private static final class Repetition extends Mapper {
    private boolean found;

    @Override
    public Exp exp(Exp e) {
      switch (e) {
        case BasicOp.UpdateAcc x -> found = true;
        case BasicOp.Update x -> found = true;
        case BasicOp.FlatUpdate x -> found = true;
        case BasicOp.Concat x -> found = true;
        case BasicOp.Manifest x -> found = true;
        case BasicOp.Replicate x -> found = true;
        case BasicOp x -> {}
        case Exp.Match x -> {}
        default -> found = true;
      }
      return super.exp(e);
    }
  }
}
