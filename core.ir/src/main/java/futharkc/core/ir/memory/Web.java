package futharkc.core.ir.memory;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Space;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.symbolic.Bounds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The blocks that must move together, because branches and loops pass one on as another (a web, as
 * in register allocation). One array covers each block, and all these arrays have the same shape. A
 * {@link Move} maps the index functions of each block's arrays. Wherever one block is passed on as
 * another, the two moves must agree.
 */
public final class Web {
  private final FunctionMemory table;
  private final Bounds bounds;
  private final Map<Poly, Poly> equal = new LinkedHashMap<>();
  private final Map<Poly, Poly> atMost = new LinkedHashMap<>();
  private final PrimType elem;
  private final Map<Name, Move> members = new LinkedHashMap<>();
  private final List<Agreement> agreements = new ArrayList<>();
  private final Set<Name> allocated = new HashSet<>();
  private final Set<Name> dropped = new HashSet<>();
  private final Map<Name, Integer> passed = new HashMap<>();
  private @Nullable String refusal;

  private Web(FunctionMemory table, Bounds bounds, PrimType elem) {
    this.table = table;
    this.bounds = bounds;
    this.elem = elem;
  }

  /**
   * A map from the elements of a block to the destination, given by one array's index functions.
   *
   * @param from the array's index function in its block
   * @param to the array's index function in the destination
   */
  private record Move(Lmad from, Lmad to) {
    /** Returns a move with ascending strides in the block. */
    static Move ascending(Lmad from, Lmad to) {
      Poly start = from.offset();
      Poly end = to.offset();
      List<Lmad.Dim> before = new ArrayList<>();
      List<Lmad.Dim> after = new ArrayList<>();
      for (int k = 0; k < from.dims().size(); k++) {
        Poly a = from.dims().get(k).stride();
        Poly b = to.dims().get(k).stride();
        SubExp size = from.dims().get(k).size();
        if (!a.isZero() && a.terms().values().stream().allMatch(c -> c < 0)) {
          Poly last = Poly.of(size).minus(Poly.ONE);
          start = start.plus(last.times(a));
          end = end.plus(last.times(b));
          a = a.times(-1);
          b = b.times(-1);
        }
        before.add(new Lmad.Dim(a, size));
        after.add(new Lmad.Dim(b, size));
      }
      return new Move(new Lmad(start, before), new Lmad(end, after));
    }
  }

  /**
   * A requirement that an array passed on with its block is at the place where the receiver expects
   * it.
   */
  private record Agreement(Name array, Lmad place) {}

  /**
   * Returns the web of an array that is to move.
   *
   * @param to the destination
   */
  public static Web of(Name array, ArrayMem to, FunctionMemory table, Bounds bounds) {
    Web web = new Web(table, bounds, table.elem(array));
    if (web.collect(array, to.lmad())) {
      Space space = table.space(to.block());
      for (Name b : web.members.keySet()) {
        if (space == null || !space.equals(table.space(b))) {
          web.refuse(b + " is in another memory space");
        }
        for (Name a : table.arraysIn(b)) {
          if (table.elem(a) != web.elem) {
            web.refuse(a + " shares " + b);
          }
        }
        if (table.operands(b) != web.passed.getOrDefault(b, 0)) {
          web.refuse(b + " is also passed on by other statements");
        }
      }
      for (Name n : web.dropped) {
        if (!web.members.containsKey(n) && table.operands(n) != 0) {
          web.refuse(n + " is used");
        }
      }
    }
    return web;
  }

  /** Returns the reason for which the blocks cannot move; null if there is none. */
  public @Nullable String refusal() {
    return refusal;
  }

  /** Returns the block variables. */
  public Set<Name> blocks() {
    return members.keySet();
  }

  /** Returns the element type of the arrays. */
  public PrimType elem() {
    return elem;
  }

  /** Returns the blocks that allocations bind. */
  public Set<Name> allocated() {
    return allocated;
  }

  /**
   * Returns the results that are unused after the move; their loop parameters are unused as well.
   */
  public Set<Name> dropped() {
    return dropped;
  }

  private boolean refuse(String why) {
    if (refusal == null) {
      refusal = why;
    }
    return false;
  }

  // Collection

  /** Adds the block of an array with a known destination. */
  private boolean collect(Name array, Lmad to) {
    ArrayMem place = table.place(array);
    if (place == null) {
      return refuse(array + " is not an array");
    }
    Name block = place.block();
    agreements.add(new Agreement(array, to));
    if (members.containsKey(block)) {
      return true;
    }
    Move move = Move.ascending(place.lmad(), to);
    members.put(block, move);
    if (!sameSizes(place.lmad(), to)) {
      return refuse("the sizes of " + array + " vary");
    }
    Stm s = table.statement(block);
    FunctionMemory.LoopParam p = table.loopParam(block);
    if (p != null) {
      return loop(p.stm(), p.index(), params(p.loop()), move);
    }
    if (s == null) {
      return refuse(block + " is a parameter");
    }
    return switch (s.exp()) {
      case MemOp.Alloc a -> {
        allocated.add(block);
        yield covers(move.from, a) || refuse(array + " does not cover " + block);
      }
      case Exp.Match m -> match(s, m, table.result(s, block), move);
      case Exp.Loop l -> loop(s, table.result(s, block), s.names(), move);
      case BasicOp _, Exp.Apply _, Exp.WithAcc _, Soac _, SegExp _, HostOp _, MemOp _ ->
          refuse(block + " is the result of a call");
    };
  }

  private boolean match(Stm s, Exp.Match m, int at, Move move) {
    Name block = s.pat().get(at).name();
    int array = arrayIn(s.names(), block);
    if (array < 0) {
      return refuse("several arrays share " + block);
    }
    drop(s, at, array);
    Lmad to = moved(s.names().get(array), move);
    if (to == null) {
      return false;
    }
    List<Body> bodies = new ArrayList<>();
    for (Exp.Case c : m.cases()) {
      bodies.add(c.body());
    }
    bodies.add(m.otherwise());
    for (Body b : bodies) {
      if (!passOn(b.results().get(at), b.results().get(array), to)) {
        return false;
      }
    }
    return true;
  }

  /** Marks a block result, and its offset if that is a result, as unused. */
  private void drop(Stm s, int block, int array) {
    dropped.add(s.pat().get(block).name());
    ArrayMem place = table.place(s.pat().get(array).name());
    if (place == null) {
      return;
    }
    for (Name n : place.lmad().offset().variables()) {
      if (s.names().contains(n)) {
        dropped.add(n);
      }
    }
  }

  private static List<Name> params(Exp.Loop l) {
    return l.params().stream().map(p -> p.param().name()).toList();
  }

  /**
   * Adds the blocks of a loop that carries a block.
   *
   * @param names the parameters or results of the loop, in which the block was found
   */
  private boolean loop(Stm s, int at, List<Name> names, Move move) {
    Exp.Loop l = (Exp.Loop) s.exp();
    Exp.LoopParam block = l.params().get(at);
    List<Name> params = params(l);
    int array = arrayIn(params, block.param().name());
    if (array < 0) {
      return refuse("several arrays share " + block.param().name());
    }
    if (!dropped.add(s.pat().get(at).name())) {
      return true;
    }
    Lmad to = moved(names.get(array), move);
    return to != null
        && collect(params.get(array), to)
        && collect(s.names().get(array), to)
        && passOn(block.init(), l.params().get(array).init(), to)
        && passOn(l.body().results().get(at), l.body().results().get(array), to);
  }

  private boolean passOn(SubExp block, SubExp array, Lmad to) {
    if (!(block instanceof SubExp.Var b) || !(array instanceof SubExp.Var a)) {
      return refuse("a block is no variable");
    }
    passed.merge(b.name(), 1, Integer::sum);
    return collect(a.name(), to);
  }

  /**
   * Returns the index of the only array in a block among some names; -1 if there is none, or
   * several.
   */
  private int arrayIn(List<Name> names, Name block) {
    int found = -1;
    for (int k = 0; k < names.size(); k++) {
      ArrayMem place = table.place(names.get(k));
      if (place == null || !place.block().equals(block)) {
        continue;
      }
      if (found >= 0) {
        return -1;
      }
      found = k;
    }
    return found;
  }

  /** Returns the destination of an array that is passed on with its block; null after a refusal. */
  private @Nullable Lmad moved(Name array, Move move) {
    ArrayMem now = table.place(array);
    Lmad l = now == null ? null : now.lmad().rebase(move.from, move.to, bounds::provesAtMost);
    if (l == null) {
      refuse("no index function describes the new memory of " + array);
    } else if (!areEqual(count(l), count(move.from))) {
      refuse("only a part of " + array + " is copied");
    } else {
      return l;
    }
    return null;
  }

  private static Poly count(Lmad l) {
    Poly n = Poly.ONE;
    for (Lmad.Dim d : l.dims()) {
      n = n.times(Poly.of(d.size()));
    }
    return n;
  }

  // Sizes

  private boolean sameSizes(Lmad l, Lmad to) {
    if (l.dims().size() != to.dims().size()) {
      return false;
    }
    for (int k = 0; k < l.dims().size(); k++) {
      SubExp a = l.dims().get(k).size();
      SubExp b = to.dims().get(k).size();
      if (!a.equals(b) && !areEqual(Poly.of(a), Poly.of(b))) {
        return false;
      }
    }
    return true;
  }

  private boolean areEqual(Poly a, Poly b) {
    Poly x = table.values().expand(a);
    Poly y = table.values().expand(b);
    if (x.equals(y)) {
      return true;
    }
    if (!bounds.normal(x).equals(bounds.normal(y))) {
      return false;
    }
    equal.put(x, y);
    return true;
  }

  private boolean isAtMost(Poly a, Poly b) {
    Poly x = table.values().expand(a);
    Poly y = table.values().expand(b);
    atMost.put(x, y);
    return bounds.provesNonNegativeBriefly(y.minus(x));
  }

  /**
   * Tests whether the required equalities of sizes follow from facts that hold before the first use
   * of the blocks.
   *
   * @param before returns these facts
   */
  public boolean isSized(Supplier<Bounds> before) {
    if (equal.isEmpty() && atMost.isEmpty()) {
      return true;
    }
    Bounds known = before.get();
    for (Map.Entry<Poly, Poly> e : equal.entrySet()) {
      if (!known.normal(e.getKey()).equals(known.normal(e.getValue()))) {
        return false;
      }
    }
    for (Map.Entry<Poly, Poly> e : atMost.entrySet()) {
      if (!known.provesAtMost(e.getKey(), e.getValue())) {
        return false;
      }
    }
    return true;
  }

  /**
   * Tests whether an array has at least as many elements as a block can hold. It then covers the
   * whole block exactly once: the elements of its destination are distinct, and the index functions
   * correspond.
   */
  private boolean covers(Lmad l, MemOp.Alloc a) {
    Poly size = count(l);
    if (!(a.space() instanceof Space.Elements)) {
      size = size.times(elem.bytes());
    }
    Poly capacity = Poly.of(a.size());
    return areEqual(l.offset(), Poly.ZERO)
        && (areEqual(capacity, size) || isAtMost(capacity, size));
  }

  // New memory

  /**
   * Returns the new memory of the arrays in these blocks; null if no LMAD expresses it. The result
   * mentions only variables of the destination and of the array's former memory, provided that
   * other variables can be expressed by them.
   */
  public @Nullable Map<Name, ArrayMem> moved(ArrayMem to) {
    return moved(to.block(), FunctionMemory.names(to));
  }

  /**
   * Returns the new index functions of the arrays, each in its own block; null if no LMAD expresses
   * one of them. The destination of the web must be the array's own block.
   */
  public @Nullable Map<Name, ArrayMem> inPlace() {
    return moved(null, Set.of());
  }

  private @Nullable Map<Name, ArrayMem> moved(@Nullable Name block, Set<Name> known) {
    Map<Name, ArrayMem> places = new LinkedHashMap<>();
    for (Name b : members.keySet()) {
      for (Name array : table.arraysIn(b)) {
        if (moved(array, block, places) == null) {
          refuse("no index function describes the new memory of " + array);
          return null;
        }
      }
    }
    for (Agreement a : agreements) {
      ArrayMem there = places.get(a.array);
      if (there == null || !isSame(there.lmad(), a.place)) {
        refuse("branches or loops pass on " + a.array + " with different index functions");
        return null;
      }
    }
    places.replaceAll(
        (array, m) -> {
          Set<Name> before = new HashSet<>(table.names(array));
          m.lmad().shape().forEach(d -> before.addAll(Poly.of(d).variables()));
          Lmad l = table.values().without(n -> !known.contains(n) && !before.contains(n), m.lmad());
          return new ArrayMem(m.block(), l);
        });
    return places;
  }

  /** Tests whether two index functions with equal strides have equal offsets. */
  private boolean isSame(Lmad a, Lmad b) {
    Poly x = a.offset();
    Poly y = b.offset();
    return x.equals(y) || table.values().expand(x).equals(table.values().expand(y));
  }

  private @Nullable Lmad moved(Name array, @Nullable Name block, Map<Name, ArrayMem> places) {
    ArrayMem known = places.get(array);
    if (known != null) {
      return known.lmad();
    }
    ArrayMem now = table.place(array);
    if (now == null) {
      throw new IllegalStateException("no place is known for " + array);
    }
    Stm s = table.statement(array);
    Name source = s == null ? null : viewed(s);
    ArrayMem from = source == null ? null : table.place(source);
    Lmad l;
    if (s != null && source != null && from != null && from.block().equals(now.block())) {
      Lmad there = moved(source, block, places);
      l = there == null ? null : view(s, there);
    } else {
      Move move = members.get(now.block());
      if (move == null) {
        throw new IllegalStateException(now.block() + " does not move");
      }
      l = now.lmad().rebase(move.from, move.to, bounds::provesAtMost);
    }
    if (l == null) {
      return null;
    }
    places.put(array, new ArrayMem(block == null ? now.block() : block, l));
    return l;
  }

  /** Returns the array of which a statement makes a view; null if it makes none. */
  private static @Nullable Name viewed(Stm s) {
    return switch (s.exp()) {
      case BasicOp.SubExpOp x when x.value() instanceof SubExp.Var v -> v.name();
      case BasicOp.Opaque x when x.value() instanceof SubExp.Var v -> v.name();
      case BasicOp.Index x -> x.array();
      case BasicOp.FlatIndex x -> x.array();
      case BasicOp.Rearrange x -> x.array();
      case BasicOp.Reshape x -> x.array();
      case BasicOp.Update x -> x.array();
      case BasicOp.FlatUpdate x -> x.array();
      case BasicOp _,
          Exp.Apply _,
          Exp.Match _,
          Exp.Loop _,
          Exp.WithAcc _,
          Soac _,
          SegExp _,
          HostOp _,
          MemOp _ ->
          null;
    };
  }

  private static @Nullable Lmad view(Stm s, Lmad l) {
    return switch (s.exp()) {
      case BasicOp.Index x -> l.slice(x.slice());
      case BasicOp.FlatIndex x -> l.flatSlice(x.slice());
      case BasicOp.Rearrange x -> l.permute(x.perm());
      case BasicOp.Reshape x -> x.coerce() ? l.coerce(x.shape()) : l.reshape(x.shape());
      case BasicOp _,
          Exp.Apply _,
          Exp.Match _,
          Exp.Loop _,
          Exp.WithAcc _,
          Soac _,
          SegExp _,
          HostOp _,
          MemOp _ ->
          l;
    };
  }
}
