package futharkc.core.ir.verify;

import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The names of a function with their types, scopes and alias classes, indexed by the names'
 * numbers.
 */
final class VerifierScope {
  private static final Set<AliasClass> NONE = Set.of();

  private static final class Binding {
    final Name name;
    final Type type;
    final Set<AliasClass> origins;
    boolean inScope = true;

    Binding(Name name, Type type, Set<AliasClass> origins) {
      this.name = name;
      this.type = type;
      this.origins = origins;
    }
  }

  private final @Nullable VerifierScope outer;
  private final int nextTag;
  private @Nullable Binding[] bindings;
  private final Map<Name, Poly> values = new HashMap<>();
  private final List<Binding> bound = new ArrayList<>();
  private final List<AliasClass> consumed = new ArrayList<>();
  private int region;
  private int accumulatorFloor;
  private int uses;

  /**
   * @param outer the scope of the constants, or null for that scope itself
   * @param nextTag a number greater than that of every name
   */
  VerifierScope(@Nullable VerifierScope outer, int nextTag) {
    this.outer = outer;
    this.nextTag = nextTag;
    this.bindings = new Binding[outer == null ? 64 : nextTag];
    this.region = outer == null ? 0 : 1;
    this.accumulatorFloor = region;
  }

  /** Returns the greatest number of a name bound here, or -1. */
  int maxTag() {
    int max = -1;
    for (Binding b : bound) {
      max = Math.max(max, b.name.tag());
    }
    return max;
  }

  private @Nullable Binding find(int tag) {
    if (tag < bindings.length && tag >= 0 && bindings[tag] != null) {
      return bindings[tag];
    }
    return outer == null ? null : outer.find(tag);
  }

  /** Binds a name to a value with the given alias classes. */
  void bind(Name n, Type t, Set<AliasClass> origins) {
    if (n.tag() < 0 || n.tag() >= nextTag) {
      throw new BrokenRule(
          n + " has a number that is not below the function's next number, " + nextTag);
    }
    Binding old = find(n.tag());
    if (old != null) {
      throw new BrokenRule(
          old.name.equals(n) ? n + " is bound twice" : n + " has the same number as " + old.name);
    }
    if (n.tag() >= bindings.length) {
      bindings = java.util.Arrays.copyOf(bindings, Math.max(n.tag() + 1, 2 * bindings.length));
    }
    Binding b = new Binding(n, t, origins);
    bindings[n.tag()] = b;
    bound.add(b);
  }

  /** Binds a name to a scalar, a memory block, or a fresh array or accumulator. */
  void bind(Name n, Type t) {
    bind(n, t, fresh(n, t, null));
  }

  /** Returns the alias class of a new array or accumulator, or the empty set for other types. */
  Set<AliasClass> fresh(Name n, Type t, @Nullable String protection) {
    return switch (t) {
      case Type.Prim p -> NONE;
      case Type.Mem m -> NONE;
      case Type.Array a -> Set.of(new AliasClass(n, region, protection, false));
      case Type.Acc a -> Set.of(new AliasClass(n, region, protection, true));
    };
  }

  /** Records the value of a name. */
  void define(Name n, Poly value) {
    values.put(n, value);
  }

  /** Replaces names by their known values. */
  Poly expand(Poly p) {
    if (p.constant() != null) {
      return p;
    }
    return p.substitute(
        n -> {
          Poly value = values.get(n);
          if (value == null && outer != null) {
            value = outer.values.get(n);
          }
          return value == null ? Poly.of(n) : value;
        });
  }

  /** Returns a mark for {@link #leave}. */
  int enter() {
    return bound.size();
  }

  /** Ends the scope of all names bound since the mark. */
  void leave(int mark) {
    for (int i = mark; i < bound.size(); i++) {
      bound.get(i).inScope = false;
    }
    bound.subList(mark, bound.size()).clear();
  }

  /**
   * Begins a repeated body, which must not consume outer arrays.
   *
   * @param accumulators true if the body may consume outer accumulators
   * @return a mark for {@link #leaveRegion}
   */
  int enterRegion(boolean accumulators) {
    int before = accumulatorFloor;
    region++;
    if (!accumulators) {
      accumulatorFloor = region;
    }
    return before;
  }

  void leaveRegion(int before) {
    region--;
    accumulatorFloor = before;
  }

  int region() {
    return region;
  }

  private Binding lookup(Name n) {
    Binding b = find(n.tag());
    if (b == null || !b.name.equals(n)) {
      throw new BrokenRule(n + " is not bound");
    }
    if (!b.inScope) {
      throw new BrokenRule(n + " is used outside its scope");
    }
    return b;
  }

  /** Returns the type of a name in scope. */
  Type type(Name n) {
    return lookup(n).type;
  }

  /** Returns the type of a name whose value is used. The value must not be consumed. */
  Type use(Name n) {
    Binding b = lookup(n);
    for (AliasClass o : b.origins) {
      if (o.consumer != null) {
        throw new BrokenRule(
            n
                + " is used after "
                + (o.first.equals(n) ? "it" : o.first + ", with which it shares elements,")
                + " was consumed by "
                + o.consumer);
      }
      if (o.region < region) {
        o.usedInside = ++uses;
      }
    }
    return b.type;
  }

  Type use(SubExp e) {
    return switch (e) {
      case SubExp.Const c -> Type.prim(c.value().type());
      case SubExp.Var v -> use(v.name());
    };
  }

  /** Returns the number of uses of outer arrays in repeated bodies so far. */
  int uses() {
    return uses;
  }

  /** Returns the alias classes of a variable. */
  Set<AliasClass> origins(Name n) {
    return lookup(n).origins;
  }

  Set<AliasClass> origins(SubExp e) {
    return e instanceof SubExp.Var v ? origins(v.name()) : NONE;
  }

  /** Returns the union of the operands' alias classes. */
  Set<AliasClass> origins(List<SubExp> es) {
    Set<AliasClass> all = new LinkedHashSet<>();
    for (SubExp e : es) {
      all.addAll(origins(e));
    }
    return all;
  }

  /**
   * Consumes an array or accumulator.
   *
   * @param consumer the consumer in error messages
   */
  void consume(Name n, String consumer) {
    use(n);
    for (AliasClass o : origins(n)) {
      consume(o, n, consumer);
    }
  }

  /** Consumes one alias class of a variable. */
  void consume(AliasClass o, Name n, String consumer) {
    String of =
        o.first.equals(n) ? n.toString() : n + ", which shares elements with " + o.first + ",";
    if (o.protection != null) {
      throw new BrokenRule(of + " is consumed, but it is " + o.protection);
    }
    if (o.region == 0 && outer != null) {
      throw new BrokenRule(of + " is consumed, but it is a constant");
    }
    if (o.region < (o.accumulator ? accumulatorFloor : region)) {
      throw new BrokenRule(of + " is consumed in a repeated body, but made outside it");
    }
    if (o.consumer == null) {
      o.consumer = consumer;
      consumed.add(o);
    }
  }

  /** Returns the number of consumed alias classes so far. */
  int consumption() {
    return consumed.size();
  }

  /**
   * Undoes consumption since a mark and returns the affected classes. Branches use this, since only
   * one of them is executed.
   */
  List<AliasClass> undoConsumption(int since) {
    List<AliasClass> tail = consumed.subList(since, consumed.size());
    List<AliasClass> undone = new ArrayList<>(tail);
    tail.clear();
    for (AliasClass o : undone) {
      o.consumer = null;
    }
    return undone;
  }

  /** Consumes classes again after {@link #undoConsumption}. */
  void redoConsumption(List<AliasClass> origins, String consumer) {
    for (AliasClass o : origins) {
      if (o.consumer == null) {
        o.consumer = consumer;
        consumed.add(o);
      }
    }
  }
}
