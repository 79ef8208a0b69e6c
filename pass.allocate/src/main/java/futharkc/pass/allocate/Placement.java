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

/** The memory of one function's arrays, and the destinations of new arrays. */
final class Placement {
  final NameSource names;
  private final Map<Name, Type> types = new HashMap<>();
  private final Map<Name, ArrayMem> wanted = new HashMap<>();
  private final Map<Name, Stm> wantedByUpdate = new HashMap<>();
  private final Destinations destinations;

  private final Spaces spaces;
  private AllocationLevel level;

  /** The memory blocks that this pass allocates. */
  private final Set<Name> allocated = new HashSet<>();

  Placement(NameSource names, Spaces spaces, AllocationLevel level, Destinations destinations) {
    this.names = names;
    this.spaces = spaces;
    this.level = level;
    this.destinations = destinations;
  }

  /** Returns the level of the code that is being translated. */
  AllocationLevel level() {
    return level;
  }

  /** Sets the level of the code, and returns the previous level for restoration. */
  AllocationLevel enter(AllocationLevel there) {
    AllocationLevel before = level;
    level = there;
    return before;
  }

  /** Tests whether arrays are in device memory, so that host code reads elements by transfers. */
  boolean isOnDevice() {
    return spaces == Spaces.DEVICE;
  }

  /** Sets the final type of a name. The type of an array contains its memory. */
  void add(Name n, Type t) {
    types.put(n, t);
  }

  /** Adds the types of all names in another placement. */
  void addAll(Placement other) {
    types.putAll(other.types);
  }

  /** Adds a statement; the types in its pattern are final. */
  void add(Builder b, List<PatElem> pat, Aux aux, Exp e) {
    for (PatElem p : pat) {
      types.put(p.name(), p.type());
    }
    b.add(new Stm(pat, aux, e));
  }

  Type type(Name n) {
    return Objects.requireNonNull(types.get(n), n::toString);
  }

  /** Tests whether a name has its final type. */
  boolean knows(Name n) {
    return types.containsKey(n);
  }

  boolean isArray(SubExp e) {
    return e instanceof SubExp.Var v && types.get(v.name()) instanceof Type.Array;
  }

  /** Returns the memory of an array. */
  ArrayMem place(Name array) {
    if (types.get(array) instanceof Type.Array a && a.mem() != null) {
      return a.mem();
    }
    throw new IllegalStateException("unknown memory of array " + array);
  }

  /** Returns the memory in an array type. */
  static ArrayMem place(Type.Array a) {
    if (a.mem() == null) {
      throw new IllegalStateException("array type without memory");
    }
    return a.mem();
  }

  /** Returns the memory block of an array with another index function. */
  ArrayMem at(Name array, Lmad lmad) {
    return new ArrayMem(place(array).block(), lmad);
  }

  /** Returns the type of a memory block for an array at the current level. */
  Type blockType(Type.Array a) {
    return new Type.Mem(spaces.at(level, a.elem()));
  }

  /** Tests whether an array is in the space of the current level. */
  boolean isInSpace(Name array) {
    return type(place(array).block()).equals(blockType((Type.Array) type(array)));
  }

  /** Returns the type of an array that is row-major from offset 0 of a memory block. */
  static Type direct(Type.Array a, Name block) {
    return a.withMem(new ArrayMem(block, Lmad.rowMajor(a.shape())));
  }

  /**
   * Returns the type of a contiguous array from offset 0 of a memory block, in the given order of
   * dimensions.
   */
  static Type ordered(Type.Array a, Name block, List<Integer> order) {
    return a.withMem(new ArrayMem(block, Lmad.ordered(Poly.ZERO, a.shape(), order)));
  }

  /** Returns the number of elements of a shape. */
  static Poly elements(List<SubExp> shape) {
    Poly n = Poly.ONE;
    for (SubExp d : shape) {
      n = n.times(Poly.of(d));
    }
    return n;
  }

  /** Allocates a memory block for an array. */
  Name alloc(Builder b, Type.Array a) {
    SubExp size = b.poly("size", spaces.size(elements(a.shape()), a.elem()));
    Space space = spaces.at(level, a.elem());
    Type t = new Type.Mem(space);
    Name mem = names.fresh("mem");
    Aux aux = Aux.at(b.aux().loc());
    Exp op = new MemOp.Alloc(size, space);
    b.add(new Stm(List.of(new PatElem(mem, t)), aux, op));
    types.put(mem, t);
    allocated.add(mem);
    return mem;
  }

  /**
   * Returns the array if it is row-major from offset 0 of a block in the current space, else a copy
   * with that property.
   */
  Name ensureDirect(Builder b, Name array) {
    return ensure(b, array, Layouts.rowMajor(type(array).rank()));
  }

  /**
   * Returns the array or a copy, row-major from offset 0 of a block in the current space. If the
   * compiler cannot decide, the program decides at run time whether to copy. An array constructed
   * here is copied, because it may be constructed in the memory of the copy.
   */
  Name ensureDirectAsNeeded(Builder b, Name array) {
    ArrayMem m = place(array);
    boolean decides =
        level == AllocationLevel.HOST
            && !allocated.contains(m.block())
            && isInSpace(array)
            && !m.lmad().isDirect()
            && m.lmad().mayBeDirect();
    if (!decides) {
      return ensureDirect(b, array);
    }
    Type.Array a = (Type.Array) type(array);
    Name mem = names.fresh("mem");
    Name there = names.fresh(array);
    List<PatElem> pat = List.of(new PatElem(mem, blockType(a)), new PatElem(there, direct(a, mem)));
    add(b, pat, Aux.at(b.aux().loc()), new MemOp.EnsureDirect(array));
    return there;
  }

  /**
   * Returns the array or a copy, in the given order of dimensions from offset 0 of a block in the
   * current space.
   */
  Name ensure(Builder b, Name array, List<Integer> order) {
    Lmad l = place(array).lmad();
    boolean fits = l.offset().isZero() && order.equals(l.order()) && isInSpace(array);
    return fits ? array : copy(b, array, order);
  }

  /** Returns a copy, row-major from offset 0 of a new memory block. */
  Name copy(Builder b, Name array) {
    return copy(b, array, Layouts.rowMajor(type(array).rank()));
  }

  /** Returns a copy in the given order of dimensions, from offset 0 of a new memory block. */
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

  /** Records the destinations of new arrays that these statements copy into others. */
  void noteUpdates(List<Stm> stms, List<SubExp> results) {
    wantedByUpdate.putAll(destinations.updates(stms, results));
  }

  /** Sets the destination of a statement list's result, if the statements construct it. */
  void want(List<Stm> stms, SubExp result, ArrayMem there) {
    Name fresh = destinations.freshResult(stms, result);
    if (fresh != null) {
      wanted.put(fresh, there);
    }
  }

  /** Returns the destination of a new array that is copied later; null if there is none. */
  @Nullable ArrayMem wantedPlace(Name array) {
    ArrayMem there = wanted.get(array);
    if (there != null) {
      return there;
    }
    Stm s = wantedByUpdate.get(array);
    if (s == null || !(s.exp() instanceof BasicOp.Update u)) {
      return null;
    }
    ArrayMem target = place(u.array());
    return new ArrayMem(target.block(), target.lmad().slice(u.slice()));
  }

  /** Returns the statement with the certificates of the update whose destination it uses. */
  Stm checked(Stm s) {
    Aux aux = s.aux();
    for (Name n : s.names()) {
      Stm update = wantedByUpdate.get(n);
      if (update != null) {
        aux = aux.plusCerts(update.aux().certs());
      }
    }
    return aux == s.aux() ? s : new Stm(s.pat(), aux, s.exp());
  }
}
