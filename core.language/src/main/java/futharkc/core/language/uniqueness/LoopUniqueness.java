package futharkc.core.language.uniqueness;

import futharkc.core.ir.Loc;
import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.Pat;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The uniqueness check of loops. A loop parameter is consuming if its type is unique. A parameter
 * without a written type is also consuming if the body consumes it or returns it for a consuming
 * parameter. The initial value and the body's result for a consuming parameter must have no
 * aliases.
 */
final class LoopUniqueness {
  private final UniquenessCheck check;
  private final ConsumptionState uses;

  /**
   * The consuming slots of each loop. Each loop is checked once, because nested checks would take
   * exponential time.
   */
  private final Map<Exp.Loop, BitSet> consuming = new IdentityHashMap<>();

  LoopUniqueness(UniquenessCheck check, ConsumptionState uses) {
    this.check = check;
    this.uses = uses;
  }

  /**
   * An array in a loop parameter.
   *
   * @param param a variable or wildcard
   * @param own the reference that represents the array in the body
   */
  private record Slot(Pat param, Ref own) {}

  AliasedValue loop(Exp.Loop l) {
    AliasedValue init = check.eval(l.init());
    AliasedValue over = AliasedValue.Node.SCALAR;
    switch (l.form()) {
      case Exp.Form.For f -> check.eval(f.bound());
      case Exp.Form.ForIn f -> over = check.eval(f.array());
      case Exp.Form.While _ -> {}
    }
    uses.use(init, UniquenessErrors.describe(l.init()), l.init().loc());

    List<Set<Ref>> inits = arrays(l.pat(), init);
    BitSet consumed = consuming.get(l);
    if (consumed == null) {
      consumed = tryOut(l, inits, over);
      consuming.put(l, consumed);
    }
    consumeInit(l, inits, consumed);

    int entered = uses.enterLoop();
    List<Slot> slots = bind(l, over);
    List<Set<Ref>> returned = iterate(l);
    checkReturned(slots, returned, consumed, l.body().loc());
    uses.leaveLoop(entered);
    return result(l.pat(), results(slots, inits, returned, consumed).iterator());
  }

  /**
   * Finds the consuming slots by a trial check of the body, in which every slot may be consumed
   * unless its type forbids that. A slot whose type is unique but whose initial value cannot be
   * consumed stays non-consuming if the body only reads and replaces it.
   */
  private BitSet tryOut(Exp.Loop l, List<Set<Ref>> inits, AliasedValue over) {
    int mark = uses.mark();
    int entered = uses.enterLoop();
    List<Slot> slots = bind(l, over);
    List<Set<Ref>> returned = iterate(l);
    BitSet found = new BitSet();
    for (int i = 0; i < slots.size(); i++) {
      Slot s = slots.get(i);
      boolean marked = typed(l, s.param) && s.own.consumable;
      boolean replaced =
          inits.get(i).stream().anyMatch(r -> !mayConsume(r)) && !returned.get(i).contains(s.own);
      found.set(i, uses.isConsumed(s.own) || marked && !replaced);
    }
    for (int before = -1; before != found.cardinality(); ) {
      before = found.cardinality();
      for (int i = found.nextSetBit(0); i >= 0; i = found.nextSetBit(i + 1)) {
        for (int j = 0; j < slots.size(); j++) {
          Slot s = slots.get(j);
          if (returned.get(i).contains(s.own) && !typed(l, s.param)) {
            found.set(j);
          }
        }
      }
    }
    uses.leaveLoop(entered);
    uses.undo(mark);
    return found;
  }

  /** Tests whether the code around the current loop may consume a reference. */
  private boolean mayConsume(Ref ref) {
    return ref.consumable && ref.level >= uses.level - 1;
  }

  private void consumeInit(Exp.Loop l, List<Set<Ref>> inits, BitSet consumed) {
    String what = UniquenessErrors.describe(l.init());
    Loc loc = l.init().loc();
    for (int i = consumed.nextSetBit(0); i >= 0; i = consumed.nextSetBit(i + 1)) {
      for (int j = 0; j < inits.size(); j++) {
        if (j != i && AliasedValue.overlap(inits.get(i), inits.get(j))) {
          throw UniquenessErrors.selfAliasedArgument(loc);
        }
      }
      uses.consume(new AliasedValue.Leaf(inits.get(i)), what, loc);
    }
  }

  /** Binds the parameters and the index or element of the loop. */
  private List<Slot> bind(Exp.Loop l, AliasedValue over) {
    List<Slot> slots = new ArrayList<>();
    for (Pat p : params(l.pat(), new ArrayList<>())) {
      String name = p instanceof Pat.Var x ? x.name().base() : "_";
      boolean consumable = !typed(l, p) || UniqueMarks.anyUnique(p.type());
      AliasedValue v =
          AliasedValue.of(p.type(), Set.of())
              .map(
                  _ -> {
                    Ref own = Ref.variable(name, uses.level, consumable);
                    slots.add(new Slot(p, own));
                    return Set.of(own);
                  });
      if (p instanceof Pat.Var x) {
        check.put(x.name(), v);
      }
    }
    switch (l.form()) {
      case Exp.Form.For f -> check.put(f.index(), AliasedValue.Node.SCALAR);
      case Exp.Form.ForIn f -> {
        // The body does not own the rows of the array, even if the array has no other aliases.
        Ref array = new Ref(UniquenessErrors.describe(f.array()), uses.level, false);
        check.bind(
            f.pat(),
            AliasedValue.of(f.pat().type(), AliasedValue.union(over.refs(), Set.of(array))));
      }
      case Exp.Form.While _ -> {}
    }
    return slots;
  }

  private List<Set<Ref>> iterate(Exp.Loop l) {
    if (l.form() instanceof Exp.Form.While w) {
      check.eval(w.cond());
    }
    return arrays(l.pat(), check.eval(l.body()));
  }

  private void checkReturned(List<Slot> slots, List<Set<Ref>> returned, BitSet consumed, Loc loc) {
    for (int i = consumed.nextSetBit(0); i >= 0; i = consumed.nextSetBit(i + 1)) {
      Slot slot = slots.get(i);
      for (Ref ref : returned.get(i)) {
        boolean observed = !uses.consumable(ref);
        for (int j = 0; j < slots.size(); j++) {
          observed |= slots.get(j).own == ref && !consumed.get(j);
        }
        if (observed) {
          throw UniquenessErrors.loopAliases(slot.own, ref, loc);
        }
      }
      for (int j = 0; j < slots.size(); j++) {
        if (j == i || !AliasedValue.overlap(returned.get(i), returned.get(j))) {
          continue;
        }
        throw consumed.get(j)
            ? UniquenessErrors.loopAliasesConsumed(slots.get(Math.max(i, j)).own, loc)
            : UniquenessErrors.loopAliasesReturned(slot.own, loc);
      }
    }
  }

  /**
   * Returns the aliases of the loop's results. Results of consuming slots have none; all others
   * have all aliases that their slots ever had.
   */
  private static List<Set<Ref>> results(
      List<Slot> slots, List<Set<Ref>> inits, List<Set<Ref>> returned, BitSet consumed) {
    List<Set<Ref>> results = new ArrayList<>();
    for (int i = 0; i < slots.size(); i++) {
      results.add(consumed.get(i) ? Set.of() : reached(i, slots, inits, returned, new BitSet()));
    }
    return results;
  }

  private static Set<Ref> reached(
      int i, List<Slot> slots, List<Set<Ref>> inits, List<Set<Ref>> returned, BitSet seen) {
    if (seen.get(i)) {
      return Set.of();
    }
    seen.set(i);
    Set<Ref> all = inits.get(i);
    for (Ref ref : returned.get(i)) {
      Set<Ref> more = Set.of(ref);
      for (int j = 0; j < slots.size(); j++) {
        if (slots.get(j).own == ref) {
          more = reached(j, slots, inits, returned, seen);
        }
      }
      all = AliasedValue.union(all, more);
    }
    return all;
  }

  private static boolean typed(Exp.Loop l, Pat p) {
    return p instanceof Pat.Var x && l.typed().contains(x.name());
  }

  /** Returns the variables and wildcards of a pattern. */
  private static List<Pat> params(Pat pat, List<Pat> found) {
    switch (pat) {
      case Pat.Var _, Pat.Wildcard _ -> found.add(pat);
      case Pat.Record r -> r.fields().values().forEach(p -> params(p, found));
      case Pat.Constr c -> c.payload().forEach(p -> params(p, found));
      case Pat.Literal _ -> {}
    }
    return found;
  }

  /** Returns the references that each slot of a pattern receives from a value. */
  private static List<Set<Ref>> arrays(Pat pat, AliasedValue v) {
    return switch (pat) {
      case Pat.Var _, Pat.Wildcard _ -> v.as(pat.type()).leaves();
      case Pat.Record r -> {
        List<Set<Ref>> all = new ArrayList<>();
        r.fields().forEach((f, p) -> all.addAll(arrays(p, v.part(f, p.type()))));
        yield all;
      }
      case Pat.Constr c -> {
        List<Set<Ref>> all = new ArrayList<>();
        for (int i = 0; i < c.payload().size(); i++) {
          Pat p = c.payload().get(i);
          all.addAll(arrays(p, v.part(AliasedValue.payload(c.name(), i), p.type())));
        }
        yield all;
      }
      case Pat.Literal _ -> List.of();
    };
  }

  private static AliasedValue result(Pat pat, Iterator<Set<Ref>> arrays) {
    return switch (pat) {
      case Pat.Var _, Pat.Wildcard _ ->
          AliasedValue.of(pat.type(), Set.of()).map(_ -> arrays.next());
      case Pat.Record r ->
          new AliasedValue.Node(UniqueMarks.mapped(r.fields(), p -> result(p, arrays)));
      case Pat.Constr c -> {
        AliasedValue v = AliasedValue.of(c.type(), Set.of());
        for (int i = 0; i < c.payload().size(); i++) {
          v = v.with(AliasedValue.payload(c.name(), i), result(c.payload().get(i), arrays));
        }
        yield v;
      }
      case Pat.Literal _ -> AliasedValue.Node.SCALAR;
    };
  }
}
