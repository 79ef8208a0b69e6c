package futharkc.pass.allocate;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Builder;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.Space;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where the arrays of one function are, and where those that are made next should be. */
final class Placement {
  final NameSource names;
  private final Map<Name, Type> types = new HashMap<>();
  private final Map<Name, ArrayMem> wanted = new HashMap<>();
  private final Map<Name, Stm> wantedByUpdate = new HashMap<>();
  private final Destinations destinations;

  private final Spaces spaces;
  private Where where;

  /** The blocks that are allocated here. */
  private final Set<Name> allocated = new HashSet<>();

  Placement(NameSource names, Spaces spaces, Where where, Destinations destinations) {
    this.names = names;
    this.spaces = spaces;
    this.where = where;
    this.destinations = destinations;
  }

  /** Where the code runs whose arrays get memory now. */
  Where where() {
    return where;
  }

  /** Goes on elsewhere; returns where that was, to go back to. */
  Where enter(Where there) {
    Where before = where;
    where = there;
    return before;
  }

  /** Whether host code has to ask for elements of arrays. */
  boolean isOnDevice() {
    return spaces == Spaces.DEVICE;
  }

  /** Gives a name a type, which is final: that of an array says where it is. */
  void add(Name n, Type t) {
    types.put(n, t);
  }

  /** Gives names the types that they have elsewhere. */
  void addAll(Placement other) {
    types.putAll(other.types);
  }

  /** Adds a statement; the pattern's types are final. */
  void add(Builder b, List<PatElem> pat, Aux aux, Exp e) {
    for (PatElem p : pat) types.put(p.name(), p.type());
    b.add(new Stm(pat, aux, e));
  }

  Type type(Name n) {
    return Objects.requireNonNull(types.get(n), n::toString);
  }

  /** Whether a name has its final type already. */
  boolean knows(Name n) {
    return types.containsKey(n);
  }

  boolean isArray(SubExp e) {
    return e instanceof SubExp.Var v && types.get(v.name()) instanceof Type.Array;
  }

  /** Where an array is. */
  ArrayMem place(Name array) {
    if (types.get(array) instanceof Type.Array a && a.mem() != null) return a.mem();
    throw new IllegalStateException("no memory is known for " + array);
  }

  /** Where an array of that type is. */
  static ArrayMem place(Type.Array a) {
    if (a.mem() == null) throw new IllegalStateException("an array type without memory");
    return a.mem();
  }

  /** The block of an array with another index function. */
  ArrayMem at(Name array, Lmad lmad) {
    return new ArrayMem(place(array).block(), lmad);
  }

  /** The type of a block for an array that is made here. */
  Type blockType(Type.Array a) {
    return new Type.Mem(spaces.at(where, a.elem()));
  }

  /** Whether an array is in such a block as one made here would be. */
  boolean isInSpace(Name array) {
    return type(place(array).block()).equals(blockType((Type.Array) type(array)));
  }

  /** The type of an array that is row-major from offset 0 of a block. */
  static Type direct(Type.Array a, Name block) {
    return a.withMem(new ArrayMem(block, Lmad.rowMajor(a.shape())));
  }

  /** The type of an array without gaps from offset 0 of a block, in an order of dimensions. */
  static Type ordered(Type.Array a, Name block, List<Integer> order) {
    return a.withMem(new ArrayMem(block, Lmad.ordered(Poly.ZERO, a.shape(), order)));
  }

  /** How many elements an array of that shape has. */
  static Poly elements(List<SubExp> shape) {
    Poly n = Poly.ONE;
    for (SubExp d : shape) n = n.times(Poly.of(d));
    return n;
  }

  /** Allocates a block for an array. */
  Name alloc(Builder b, Type.Array a) {
    SubExp size = b.poly("size", spaces.size(elements(a.shape()), a.elem()));
    Space space = spaces.at(where, a.elem());
    Type t = new Type.Mem(space);
    Name mem = names.fresh("mem");
    Aux aux = Aux.at(b.aux().loc());
    Exp op = new MemOp.Alloc(size, space);
    b.add(new Stm(List.of(new PatElem(mem, t)), aux, op));
    types.put(mem, t);
    allocated.add(mem);
    return mem;
  }

  /** The array, or a copy, row-major from offset 0 of a block as is allocated here. */
  Name ensureDirect(Builder b, Name array) {
    return ensure(b, array, Layouts.rowMajor(type(array).rank()));
  }

  /**
   * The array, or a copy, row-major from offset 0 of a block as is allocated here; where only the
   * running program can tell whether it is so already, that decides. What is made here is copied
   * after all: it may be made in the place of the copy.
   */
  Name ensureDirectAsNeeded(Builder b, Name array) {
    ArrayMem m = place(array);
    boolean decides =
        where == Where.HOST
            && !allocated.contains(m.block())
            && isInSpace(array)
            && !m.lmad().isDirect()
            && m.lmad().mayBeDirect();
    if (!decides) return ensureDirect(b, array);
    Type.Array a = (Type.Array) type(array);
    Name mem = names.fresh("mem");
    Name there = names.fresh(array);
    List<PatElem> pat = List.of(new PatElem(mem, blockType(a)), new PatElem(there, direct(a, mem)));
    add(b, pat, Aux.at(b.aux().loc()), new MemOp.EnsureDirect(array));
    return there;
  }

  /** The array, or a copy, in this order from offset 0 of a block as is allocated here. */
  Name ensure(Builder b, Name array, List<Integer> order) {
    Lmad l = place(array).lmad();
    boolean fits = l.offset().isZero() && order.equals(l.order()) && isInSpace(array);
    return fits ? array : copy(b, array, order);
  }

  /** A copy, row-major from offset 0 of a block of its own. */
  Name copy(Builder b, Name array) {
    return copy(b, array, Layouts.rowMajor(type(array).rank()));
  }

  /** A copy in this order of dimensions, from offset 0 of a block of its own. */
  Name copy(Builder b, Name array, List<Integer> order) {
    Type.Array a = (Type.Array) type(array);
    Name mem = alloc(b, a);
    Name copy = names.fresh(array);
    Type t = ordered(a, mem, order);
    b.add(Stm.of(copy, t, new BasicOp.Manifest(array, order)));
    types.put(copy, t);
    return copy;
  }

  // Destinations

  /** Notes which new arrays of these statements are going to be copied into others. */
  void noteUpdates(List<Stm> stms, List<SubExp> results) {
    wantedByUpdate.putAll(destinations.updates(stms, results));
  }

  /** Says where a result of a statement list should be made, if it is new there. */
  void want(List<Stm> stms, SubExp result, ArrayMem there) {
    Name fresh = destinations.freshResult(stms, result);
    if (fresh != null) wanted.put(fresh, there);
  }

  /** Where a new array should be made, because it is going to be copied there; null if anywhere. */
  @Nullable ArrayMem wantedPlace(Name array) {
    ArrayMem there = wanted.get(array);
    if (there != null) return there;
    Stm s = wantedByUpdate.get(array);
    if (s == null || !(s.exp() instanceof BasicOp.Update u)) return null;
    ArrayMem target = place(u.array());
    return new ArrayMem(target.block(), target.lmad().slice(u.slice()));
  }

  /** What is made in the place of an update needs what the update does. */
  Stm checked(Stm s) {
    Aux aux = s.aux();
    for (Name n : s.names()) {
      Stm update = wantedByUpdate.get(n);
      if (update != null) aux = aux.plusCerts(update.aux().certs());
    }
    return aux == s.aux() ? s : new Stm(s.pat(), aux, s.exp());
  }
}
