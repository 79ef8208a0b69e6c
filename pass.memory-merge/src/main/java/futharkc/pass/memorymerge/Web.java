package futharkc.pass.memorymerge;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Space;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.symbolic.Bounds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The blocks that move together, since branches and loops pass on one as another, and what is in
 * them: each is covered by one array, all of the same shape.
 */
final class Web {
  private final FunctionTable table;
  private final Bounds bounds;
  private final Map<Poly, Poly> equal = new LinkedHashMap<>();
  private final Lmad to;
  private final PrimType elem;
  private final Map<Name, Lmad> members = new LinkedHashMap<>();
  private final Set<Name> allocated = new HashSet<>();
  private final Set<Name> dropped = new HashSet<>();
  private final Map<Name, Integer> passed = new HashMap<>();
  private @Nullable String refusal;

  private Web(FunctionTable table, Bounds bounds, Lmad to, PrimType elem) {
    this.table = table;
    this.bounds = bounds;
    this.to = to;
    this.elem = elem;
  }

  /**
   * The web of an array that is to move.
   *
   * @param to where it is going to be
   */
  static Web of(Name array, ArrayMem to, FunctionTable table, Bounds bounds) {
    PrimType elem = ((Type.Array) type(table, array)).elem();
    Web web = new Web(table, bounds, to.lmad(), elem);
    if (web.collect(array)) {
      for (Name b : web.members.keySet()) {
        if (table.operands(b) != web.passed.getOrDefault(b, 0)) {
          web.refuse(b + " is passed on elsewhere");
        }
      }
      for (Name n : web.dropped) {
        if (!web.members.containsKey(n) && table.operands(n) != 0) web.refuse(n + " is used");
      }
    }
    return web;
  }

  private static Type type(FunctionTable table, Name n) {
    Type t = table.type(n);
    if (t == null) throw new IllegalStateException("no type is known for " + n);
    return t;
  }

  /** Why these blocks cannot move; null if they can, as far as they themselves are concerned. */
  @Nullable String refusal() {
    return refusal;
  }

  /** The block variables. */
  Set<Name> blocks() {
    return members.keySet();
  }

  /** Those that allocations bind. */
  Set<Name> allocated() {
    return allocated;
  }

  /** Results and parameters that are not needed once the blocks have moved. */
  Set<Name> dropped() {
    return dropped;
  }

  private boolean refuse(String why) {
    if (refusal == null) refusal = why;
    return false;
  }

  // Which blocks

  private boolean collect(Name array) {
    ArrayMem place = table.place(array);
    if (place == null) return refuse(array + " is not an array");
    Name block = place.block();
    if (members.containsKey(block)) {
      return place.lmad().equals(members.get(block))
          || refuse("loops or branches pass on " + block + " in several ways");
    }
    members.put(block, place.lmad());
    if (!sameSizes(place.lmad())) return refuse("the sizes of " + array + " vary");
    Stm s = table.statement(block);
    FunctionTable.LoopParam p = table.loopParam(block);
    if (p != null) return loop(p.stm(), p.index());
    if (s == null) return refuse(block + " is given from outside");
    return switch (s.exp()) {
      case MemOp.Alloc a -> {
        allocated.add(block);
        yield covers(place.lmad(), a) || refuse(array + " is not all of " + block);
      }
      case Exp.Match m -> match(s, m, s.names().indexOf(block));
      case Exp.Loop l -> loop(s, s.names().indexOf(block));
      default -> refuse(block + " is given by a call");
    };
  }

  private boolean match(Stm s, Exp.Match m, int at) {
    Name block = s.pat().get(at).name();
    int array = arrayIn(s.pat().stream().map(PatElem::type).toList(), block);
    if (array < 0) return refuse("several arrays share " + block);
    drop(s, at, array);
    List<Body> bodies = new ArrayList<>();
    for (Exp.Case c : m.cases()) bodies.add(c.body());
    bodies.add(m.otherwise());
    for (Body b : bodies) {
      if (!passOn(b.results().get(at), b.results().get(array))) return false;
    }
    return true;
  }

  /** The block goes, and the offset, if that is a result, too. */
  private void drop(Stm s, int block, int array) {
    dropped.add(s.pat().get(block).name());
    Lmad l = members.get(s.pat().get(block).name());
    if (l == null || !(s.pat().get(array).type() instanceof Type.Array)) return;
    for (Name n : l.offset().variables()) if (s.names().contains(n)) dropped.add(n);
  }

  private boolean loop(Stm s, int at) {
    Exp.Loop l = (Exp.Loop) s.exp();
    Exp.LoopParam block = l.params().get(at);
    List<Type> types = l.params().stream().map(p -> p.param().type()).toList();
    int array = arrayIn(types, block.param().name());
    if (array < 0) return refuse("several arrays share " + block.param().name());
    if (!dropped.add(s.pat().get(at).name())) return true;
    dropped.add(block.param().name());
    return collect(l.params().get(array).param().name())
        && collect(s.pat().get(array).name())
        && passOn(block.init(), l.params().get(array).init())
        && passOn(l.body().results().get(at), l.body().results().get(array));
  }

  private boolean passOn(SubExp block, SubExp array) {
    if (!(block instanceof SubExp.Var b) || !(array instanceof SubExp.Var a)) {
      return refuse("a block is no variable");
    }
    ArrayMem place = table.place(a.name());
    if (place == null || !place.block().equals(b.name())) {
      return refuse(a.name() + " has moved already");
    }
    passed.merge(b.name(), 1, Integer::sum);
    return collect(a.name());
  }

  /** The only array of a block among types; -1 if there are none or several. */
  private static int arrayIn(List<Type> types, Name block) {
    int found = -1;
    for (int k = 0; k < types.size(); k++) {
      if (!(types.get(k) instanceof Type.Array a) || a.mem() == null) continue;
      if (!a.mem().block().equals(block)) continue;
      if (found >= 0) return -1;
      found = k;
    }
    return found;
  }

  // Sizes

  private boolean sameSizes(Lmad l) {
    if (l.dims().size() != to.dims().size()) return false;
    for (int k = 0; k < l.dims().size(); k++) {
      SubExp a = l.dims().get(k).size();
      SubExp b = to.dims().get(k).size();
      if (!a.equals(b) && !areEqual(Poly.of(a), Poly.of(b))) return false;
    }
    return true;
  }

  private boolean areEqual(Poly a, Poly b) {
    Poly x = table.values.expand(a);
    Poly y = table.values.expand(b);
    if (x.equals(y)) return true;
    equal.put(x, y);
    return bounds.normal(x).equals(bounds.normal(y));
  }

  /**
   * Whether sizes are equal by what is known before the blocks are used, not only by what is
   * checked later.
   */
  boolean isSized(Bounds before) {
    for (Map.Entry<Poly, Poly> e : equal.entrySet()) {
      if (!before.normal(e.getKey()).equals(before.normal(e.getValue()))) return false;
    }
    return true;
  }

  /** Whether an array is all that a block has room for. */
  private boolean covers(Lmad l, MemOp.Alloc a) {
    if (!l.offset().isZero() || l.order() == null) return false;
    Poly size = Poly.ONE;
    for (Lmad.Dim d : l.dims()) size = size.times(Poly.of(d.size()));
    if (!(a.space() instanceof Space.Elements)) size = size.times(elem.bytes());
    return areEqual(size, Poly.of(a.size()));
  }

  // Moving

  /** Where the arrays of these blocks are when they have moved; null if no LMAD says so. */
  @Nullable Map<Name, ArrayMem> moved(Name block) {
    Map<Name, ArrayMem> places = new LinkedHashMap<>();
    for (Name b : members.keySet()) {
      for (Name array : table.arraysIn(b)) {
        if (moved(array, block, places) == null) {
          refuse("no index function says where " + array + " would be");
          return null;
        }
      }
    }
    return places;
  }

  private @Nullable Lmad moved(Name array, Name block, Map<Name, ArrayMem> places) {
    ArrayMem known = places.get(array);
    if (known != null) return known.lmad();
    ArrayMem now = table.place(array);
    if (now == null) throw new IllegalStateException("no place is known for " + array);
    Stm s = table.statement(array);
    Name source = s == null ? null : viewed(s);
    ArrayMem from = source == null ? null : table.place(source);
    Lmad l;
    if (s != null && source != null && from != null && from.block().equals(now.block())) {
      Lmad there = moved(source, block, places);
      l = there == null ? null : view(s, there);
    } else {
      l = rebased(now);
    }
    if (l == null) return null;
    places.put(array, new ArrayMem(block, l));
    return l;
  }

  private @Nullable Lmad rebased(ArrayMem now) {
    Lmad from = members.get(now.block());
    if (from == null) throw new IllegalStateException(now.block() + " does not move");
    List<Lmad.Dim> dims = new ArrayList<>();
    for (int k = 0; k < to.dims().size(); k++) {
      dims.add(new Lmad.Dim(to.dims().get(k).stride(), from.dims().get(k).size()));
    }
    return now.lmad().rebase(from, new Lmad(to.offset(), dims), bounds::provesAtMost);
  }

  /** The array that a statement shows in another way; null if it does not. */
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
      default -> null;
    };
  }

  private static @Nullable Lmad view(Stm s, Lmad l) {
    return switch (s.exp()) {
      case BasicOp.Index x -> l.slice(x.slice());
      case BasicOp.FlatIndex x -> l.flatSlice(x.slice());
      case BasicOp.Rearrange x -> l.permute(x.perm());
      case BasicOp.Reshape x -> x.coerce() ? l.coerce(x.shape()) : l.reshape(x.shape());
      default -> l;
    };
  }
}
