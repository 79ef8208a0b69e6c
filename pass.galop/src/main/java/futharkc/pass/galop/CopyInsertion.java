package futharkc.pass.galop;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
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
   * Adds a copy of an array.
   *
   * @param array the array, which covers its block
   * @param to the index function of the copy
   * @param users the operations that read the copy
   * @param at the statement before which the copy stands
   */
  void add(Name array, Lmad to, List<Stm> users, Stm at) {
    ArrayMem from = memory.place(array);
    List<Integer> order = to.order();
    Space space = from == null ? null : memory.space(from.block());
    if (!(memory.type(array) instanceof Type.Array type)
        || from == null
        || space == null
        || order == null) {
      throw new IllegalStateException("no place for a copy of " + array);
    }
    Aux aux = Aux.at(at.aux().loc());
    List<Stm> out = before.computeIfAbsent(at, s -> new ArrayList<>());
    SubExp size = SubExp.i64(space instanceof Space.Elements ? 1 : type.elem().bytes());
    for (SubExp d : type.shape()) {
      Name product = names.fresh("size");
      out.add(new Stm(List.of(new PatElem(product, Type.I64)), aux, times(size, d)));
      size = SubExp.of(product);
    }
    Name block = names.fresh("mem");
    out.add(
        new Stm(
            List.of(new PatElem(block, new Type.Mem(space))), aux, new MemOp.Alloc(size, space)));
    Name copy = names.fresh(array.base());
    ArrayMem place = new ArrayMem(block, to);
    out.add(
        new Stm(
            List.of(new PatElem(copy, type.withMem(place))),
            aux,
            new BasicOp.Manifest(array, order)));
    Copied copied = new Copied(array, from, copy, place);
    for (Stm s : users) {
      replaced.computeIfAbsent(s, k -> new HashMap<>()).put(from.block(), copied);
    }
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

  private static Exp times(SubExp a, SubExp b) {
    return new BasicOp.BinOpExp(new BinOp(BinOp.Kind.MUL, PrimType.I64), a, b);
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
