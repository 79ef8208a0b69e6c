package futharkc.pass.galop;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Builder;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.Space;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.memory.FunctionMemory;
import futharkc.core.ir.symbolic.Bounds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The insertion of copies, and the rewriting of the operations that read them. Views of the array
 * that an operation uses become views of the copy, just before the operation.
 */
final class CopyInsertion {
  private final FunDef function;
  private final FunctionMemory memory;
  private final Bounds bounds;
  private final NameSource names;

  /** The statements to insert before a statement. */
  private final Map<Stm, List<Stm>> before = new IdentityHashMap<>();

  /** The copies that an operation reads, keyed by the copied block. */
  private final Map<Stm, Map<Name, Copied>> replaced = new IdentityHashMap<>();

  /**
   * A copy of an array.
   *
   * @param array the array that covers its block
   * @param from the memory of the array
   * @param copy the copy
   * @param to the memory of the copy
   */
  private record Copied(Name array, ArrayMem from, Name copy, ArrayMem to) {}

  CopyInsertion(FunDef function, FunctionMemory memory, Bounds bounds) {
    this.function = function;
    this.memory = memory;
    this.bounds = bounds;
    this.names = new NameSource(function.nextTag());
  }

  /**
   * A condition under which the program copies an array: there is a gain, or the threads walk along
   * more arrays than caches serve and there is a gain then.
   *
   * @param gain positive if a copy gains while caches serve the threads
   * @param crowdedGain positive if a copy gains while they do not
   * @param threads the number of threads
   * @param most the number of threads that caches serve
   */
  record Guard(Poly gain, Poly crowdedGain, Poly threads, long most) {
    /** Tests whether a polynomial in sizes can be positive. */
    static boolean mayBePositive(Poly p) {
      return p.terms().values().stream().anyMatch(c -> c > 0);
    }

    /** Tests whether a copy gains for some sizes. */
    boolean isPossible() {
      return mayBePositive(gain) || mayBePositive(crowdedGain);
    }

    /** Tests whether a copy gains for all sizes. */
    boolean isCertain() {
      return mayBePositive(gain) && gain.terms().values().stream().allMatch(c -> c > 0);
    }

    private SubExp condition(Builder b) {
      if (!mayBePositive(crowdedGain)) {
        return positive(b, gain);
      }
      SubExp many = less(b, SubExp.i64(most), b.poly("threads", threads));
      SubExp then = positive(b, crowdedGain);
      SubExp crowded = b.binOp("crowded", BinOp.Kind.LOG_AND, PrimType.BOOL, many, then);
      return mayBePositive(gain)
          ? b.binOp("copies", BinOp.Kind.LOG_OR, PrimType.BOOL, positive(b, gain), crowded)
          : crowded;
    }

    private static SubExp positive(Builder b, Poly p) {
      return less(b, SubExp.i64(0), b.poly("gain", p));
    }

    private static SubExp less(Builder b, SubExp x, SubExp y) {
      return b.cmp("less", CmpOp.Kind.SLT, PrimType.I64, x, y);
    }
  }

  /** Returns an index function with unknown strides, for an array that may be a copy. */
  Lmad unknown(Lmad shape) {
    List<Lmad.Dim> dims = new ArrayList<>();
    for (Lmad.Dim d : shape.dims()) {
      dims.add(new Lmad.Dim(Poly.of(names.fresh("stride")), d.size()));
    }
    return new Lmad(Poly.ZERO, dims);
  }

  /**
   * Adds a copy of an array.
   *
   * @param array the array, which covers its block
   * @param to the index function of the copy
   * @param users the operations that read the copy
   * @param at the statement before which the copy stands
   */
  void add(Name array, Lmad to, List<Stm> users, Stm at) {
    Builder b = new Builder(names).with(Aux.at(at.aux().loc()));
    Name copy = copy(array, to, b);
    before.computeIfAbsent(at, s -> new ArrayList<>()).addAll(b.stms());
    read(array, copy, mem(b.stms().getLast()), users);
  }

  /**
   * Adds a copy of an array that the program makes under a condition only.
   *
   * @param seen the index function by which the operations read the array or its copy: an {@link
   *     #unknown} one
   */
  void add(Name array, Lmad to, Lmad seen, Guard guard, List<Stm> users, Stm at) {
    ArrayMem from = place(array);
    Builder b = new Builder(names).with(Aux.at(at.aux().loc()));
    SubExp condition = guard.condition(b);
    Builder then = new Builder(names).with(b.aux());
    Name copy = copy(array, to, then);
    ArrayMem copied = mem(then.stms().getLast());
    Body copies = branch(then, copied, copy);
    Body original = branch(new Builder(names).with(b.aux()), from, array);
    List<PatElem> pat = new ArrayList<>();
    Name block = names.fresh("mem");
    pat.add(new PatElem(block, new Type.Mem(space(from))));
    for (Lmad.Dim d : seen.dims()) {
      pat.add(new PatElem(d.stride().names().iterator().next(), Type.I64));
    }
    ArrayMem place = new ArrayMem(block, seen);
    Name either = names.fresh(array.base());
    pat.add(new PatElem(either, type(array).withMem(place)));
    b.let(pat, Exp.Match.conditional(condition, copies, original));
    before.computeIfAbsent(at, s -> new ArrayList<>()).addAll(b.stms());
    read(array, either, place, users);
  }

  /** Ends a branch that gives a block, strides and an array. */
  private static Body branch(Builder b, ArrayMem place, Name array) {
    List<SubExp> results = new ArrayList<>();
    results.add(SubExp.of(place.block()));
    for (Lmad.Dim d : place.lmad().dims()) {
      results.add(b.poly("stride", d.stride()));
    }
    results.add(SubExp.of(array));
    return b.body(results);
  }

  private void read(Name array, Name copy, ArrayMem place, List<Stm> users) {
    ArrayMem from = place(array);
    Copied copied = new Copied(array, from, copy, place);
    for (Stm s : users) {
      replaced.computeIfAbsent(s, k -> new HashMap<>()).put(from.block(), copied);
    }
  }

  /** Adds the statements of a copy, the last of which binds the copy. */
  private Name copy(Name array, Lmad to, Builder b) {
    Space space = space(place(array));
    Type.Array type = type(array);
    List<Integer> order = to.order();
    if (order == null) {
      throw new IllegalStateException("no order of dimensions: " + to);
    }
    SubExp size = SubExp.i64(space instanceof Space.Elements ? 1 : type.elem().bytes());
    for (SubExp d : type.shape()) {
      size = b.binOp("size", BinOp.Kind.MUL, PrimType.I64, size, d);
    }
    Name block = b.let("mem", new Type.Mem(space), new MemOp.Alloc(size, space));
    return b.let(
        array.base(), type.withMem(new ArrayMem(block, to)), new BasicOp.Manifest(array, order));
  }

  private static ArrayMem mem(Stm s) {
    ArrayMem m = s.pat().get(0).type() instanceof Type.Array t ? t.mem() : null;
    if (m == null) {
      throw new IllegalStateException("no array: " + s);
    }
    return m;
  }

  private ArrayMem place(Name array) {
    ArrayMem m = memory.place(array);
    if (m == null) {
      throw new IllegalStateException("no memory: " + array);
    }
    return m;
  }

  private Type.Array type(Name array) {
    if (memory.type(array) instanceof Type.Array t) {
      return t;
    }
    throw new IllegalStateException("no array: " + array);
  }

  private Space space(ArrayMem m) {
    Space space = memory.space(m.block());
    if (space == null) {
      throw new IllegalStateException("no block: " + m.block());
    }
    return space;
  }

  /** Tests whether an operation reads a copy of a block. */
  boolean isReplaced(Stm s, Name block) {
    return replaced.getOrDefault(s, Map.of()).containsKey(block);
  }

  /** Tests whether operations can read a copy of an array. */
  boolean isPossible(List<Stm> users, ArrayMem from, Lmad to) {
    return users.stream().allMatch(s -> canRead(s, from, to));
  }

  /** Returns the function with the copies. */
  FunDef apply() {
    return replaced.isEmpty()
        ? function
        : function.withBody(new Rewriting().body(function.body()), names.next());
  }

  /** Tests whether all arrays of the block in an operation have an index function in the copy. */
  private boolean canRead(Stm s, ArrayMem from, Lmad to) {
    if (passesOn(s, from.block())) {
      return false;
    }
    Set<Name> arrays = new HashSet<>(memory.bound(s));
    arrays.addAll(FreeNames.of(s));
    for (Name n : arrays) {
      if (!(memory.place(n) instanceof ArrayMem m) || !m.block().equals(from.block())) {
        continue;
      }
      if (m.lmad().rebase(from.lmad(), to, bounds::provesAtMost) == null) {
        return false;
      }
    }
    for (Name n : FreeNames.of(s)) {
      if (memory.place(n) instanceof ArrayMem m
          && m.block().equals(from.block())
          && !isView(n, from.block())) {
        return false;
      }
    }
    return true;
  }

  /** Tests whether a statement passes a block to a function, a loop or a branch. */
  private static boolean passesOn(Stm s, Name block) {
    boolean[] found = {false};
    new Mapper() {
      @Override
      public SubExp subExp(SubExp e) {
        found[0] |= e.equals(SubExp.of(block));
        return e;
      }

      @Override
      public Poly poly(Poly p) {
        return p;
      }
    }.stm(s);
    return found[0];
  }

  /** Tests whether an array is the covering array of its block or made of it by views. */
  private boolean isView(Name array, Name block) {
    Name root = memory.leading(block);
    Name n = array;
    while (!n.equals(root)) {
      Stm s = memory.statement(n);
      Name operand = s == null ? null : operand(s.exp());
      if (operand == null) {
        return false;
      }
      n = operand;
    }
    return true;
  }

  private static @Nullable Name operand(Exp e) {
    return switch (e) {
      case BasicOp.Index x -> x.array();
      case BasicOp.Rearrange x -> x.array();
      case BasicOp.Reshape x -> x.array();
      default -> null;
    };
  }

  /** A rewriting that inserts copies and lets operations read them. */
  private final class Rewriting extends Mapper {
    @Override
    public List<Stm> stms(List<Stm> stms) {
      List<Stm> out = new ArrayList<>();
      for (Stm s : stms) {
        out.addAll(before.getOrDefault(s, List.of()));
        Map<Name, Copied> copies = replaced.get(s);
        if (copies == null) {
          out.add(stm(s));
        } else {
          out.add(new Reading(copies, out).stm(s));
        }
      }
      return out;
    }

    @Override
    public SegOp segOp(SegOp op) {
      return op;
    }
  }

  /** A rewriting of one operation. */
  private final class Reading extends Mapper {
    private final Map<Name, Copied> copies;
    private final List<Stm> out;
    private final Map<Name, Name> views = new HashMap<>();
    private final Set<Name> bound = new HashSet<>();

    Reading(Map<Name, Copied> copies, List<Stm> out) {
      this.copies = copies;
      this.out = out;
    }

    @Override
    public Name binder(Name b) {
      bound.add(b);
      return b;
    }

    @Override
    public Name name(Name use) {
      Copied c = copies.get(use);
      if (c != null) {
        return c.to.block();
      }
      ArrayMem m = bound.contains(use) ? null : memory.place(use);
      Copied of = m == null ? null : copies.get(m.block());
      return of == null ? use : view(use, of);
    }

    @Override
    public ArrayMem arrayMem(ArrayMem m) {
      Copied c = copies.get(m.block());
      return c == null ? super.arrayMem(m) : super.arrayMem(moved(m, c));
    }

    private ArrayMem moved(ArrayMem m, Copied c) {
      Lmad l = m.lmad().rebase(c.from.lmad(), c.to.lmad(), bounds::provesAtMost);
      if (l == null) {
        throw new IllegalStateException("no index function in the copy of " + c.array);
      }
      return new ArrayMem(c.to.block(), l);
    }

    /** Returns the view of a copy that corresponds to a view of the array. */
    private Name view(Name n, Copied c) {
      if (n.equals(c.array)) {
        return c.copy;
      }
      Name known = views.get(n);
      if (known != null) {
        return known;
      }
      Stm s = memory.statement(n);
      Name operand = s == null ? null : operand(s.exp());
      if (s == null || operand == null) {
        throw new IllegalStateException(n + " is no view of " + c.array);
      }
      Name source = view(operand, c);
      Name fresh = names.fresh(n.base());
      Exp e =
          switch (s.exp()) {
            case BasicOp.Index x -> new BasicOp.Index(source, x.slice());
            case BasicOp.Rearrange x -> new BasicOp.Rearrange(source, x.perm());
            case BasicOp.Reshape x -> new BasicOp.Reshape(x.coerce(), source, x.shape());
            default -> throw new IllegalStateException(n + " is no view");
          };
      Type.Array t = (Type.Array) s.pat().get(0).type();
      ArrayMem m = t.mem();
      if (m == null) {
        throw new IllegalStateException(n + " has no memory");
      }
      out.add(new Stm(List.of(new PatElem(fresh, t.withMem(moved(m, c)))), s.aux(), e));
      views.put(n, fresh);
      return fresh;
    }
  }
}
