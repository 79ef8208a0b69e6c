package futharkc.pass.expand;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Builder;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Renamer;
import futharkc.core.ir.Scope;
import futharkc.core.ir.SegBody;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegLevel;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegResult;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.SegVirt;
import futharkc.core.ir.Space;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.memory.Access;
import futharkc.core.ir.memory.Accesses;
import futharkc.core.ir.memory.ScalarValues;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Sizes that a kernel uses, as the host knows them before. */
final class HostSizes {
  private final NameSource names;
  private final Scope scope;
  private final Builder before;
  private final @Nullable SegSpace space;
  private final List<Stm> top;

  /** Names that the kernel binds. */
  private final Set<Name> inside = new HashSet<>();

  /** Cheap statements on scalars, at any depth, by what they bind. */
  private final Map<Name, Stm> scalars = new LinkedHashMap<>();

  /** Where arrays are that the kernel binds. */
  private final Map<Name, ArrayMem> places = new HashMap<>();

  private final Accesses accesses = new Accesses(places::get, new ScalarValues());

  private final Map<Name, SubExp> hoisted = new HashMap<>();
  private final Map<Name, SubExp> greatest = new HashMap<>();

  /**
   * Of a kernel.
   *
   * @param before gets what computes the sizes
   */
  HostSizes(NameSource names, Scope scope, Builder before, SegOp op) {
    this(names, scope, before, op.space(), op.body().stms());
    inspection().segOp(op);
  }

  /** Of the body of one thread. */
  HostSizes(NameSource names, Scope scope, Builder before, Body body) {
    this(names, scope, before, null, body.stms());
    inspection().body(body);
  }

  private HostSizes(
      NameSource names, Scope scope, Builder before, @Nullable SegSpace space, List<Stm> top) {
    this.names = names;
    this.scope = scope;
    this.before = before;
    this.space = space;
    this.top = top;
  }

  private Mapper inspection() {
    return new Mapper() {
      @Override
      public Name binder(Name n) {
        inside.add(n);
        return n;
      }

      @Override
      public Stm stm(Stm s) {
        if (isScalar(s)) scalars.put(s.names().get(0), s);
        return super.stm(s);
      }

      @Override
      public PatElem patElem(PatElem p) {
        place(p.name(), p.type());
        return super.patElem(p);
      }

      @Override
      public Param param(Param p) {
        place(p.name(), p.type());
        return super.param(p);
      }

      private void place(Name n, Type t) {
        if (t instanceof Type.Array a && a.mem() != null) places.put(n, a.mem());
      }
    };
  }

  /** Whether a statement cannot fail, and costs nothing to speak of. */
  private static boolean isScalar(Stm s) {
    if (!s.aux().certs().isEmpty()) return false;
    return switch (s.exp()) {
      case BasicOp.SubExpOp x -> s.pat().get(0).type() instanceof Type.Prim;
      case BasicOp.BinOpExp x -> isTotal(x.op());
      case BasicOp.CmpOpExp x -> true;
      case BasicOp.UnOpExp x -> true;
      case BasicOp.ConvOpExp x -> true;
      default -> false;
    };
  }

  private static boolean isTotal(BinOp op) {
    return switch (op.kind()) {
      case UDIV, UDIV_UP, SDIV, SDIV_UP, UMOD, SMOD, SQUOT, SREM, POW -> false;
      default -> true;
    };
  }

  /** The value of an operand, if it is the same everywhere in the kernel; else null. */
  @Nullable SubExp invariant(SubExp e) {
    if (!(e instanceof SubExp.Var v) || !inside.contains(v.name())) return e;
    SubExp known = hoisted.get(v.name());
    if (known != null) return known;
    Stm s = scalars.get(v.name());
    if (s == null) return null;
    Map<Name, SubExp> operands = new HashMap<>();
    for (Name n : FreeNames.of(s.exp())) {
      SubExp x = invariant(SubExp.of(n));
      if (x == null) return null;
      operands.put(n, x);
    }
    Exp exp = new Substitution(operands).exp(s.exp());
    SubExp outside = before.letExp(v.name().base(), s.pat().get(0).type(), exp);
    hoisted.put(v.name(), outside);
    return outside;
  }

  /** The value of a product of operands, if it is the same everywhere in the kernel; else null. */
  @Nullable Poly invariant(List<SubExp> factors) {
    Poly product = Poly.ONE;
    for (SubExp f : factors) {
      SubExp x = invariant(f);
      if (x == null) return null;
      product = product.times(Poly.of(x));
    }
    return product;
  }

  // The greatest

  /**
   * The greatest value that an operand has anywhere in the kernel, by an operation that computes it
   * for each index; null if it depends on more than can be computed by itself.
   *
   * @param dims the indices for which it is computed in the kernel
   */
  @Nullable SubExp greatest(SubExp size, List<SegSpace.Dim> dims) {
    if (space == null || !(size instanceof SubExp.Var v)) return null;
    SubExp known = greatest.get(v.name());
    if (known != null) return known;
    List<Stm> slice = slice(v.name());
    if (slice == null) return null;
    SubExp most = greatest(space, dims, slice, size);
    greatest.put(v.name(), most);
    return most;
  }

  /** The statements that a value depends on, in order. */
  private @Nullable List<Stm> slice(Name wanted) {
    Map<Name, Integer> number = new HashMap<>();
    for (int i = 0; i < top.size(); i++) for (Name n : top.get(i).names()) number.put(n, i);
    List<Name> nested = new ArrayList<>(scalars.keySet());
    TreeMap<Integer, Stm> slice = new TreeMap<>();
    Set<Name> seen = new HashSet<>(Set.of(wanted));
    ArrayDeque<Name> work = new ArrayDeque<>(seen);
    while (!work.isEmpty()) {
      Name n = work.remove();
      if (!inside.contains(n) || isIndex(n)) continue;
      Integer at = number.get(n);
      Stm s = at != null ? top.get(at) : scalars.get(n);
      if (s == null || writes(s)) return null;
      slice.put(at != null ? at : top.size() + nested.indexOf(n), s);
      Set<Name> needed = new HashSet<>(FreeNames.of(s));
      for (PatElem p : s.pat()) needed.addAll(FreeNames.of(p.type()));
      for (Name m : needed) if (seen.add(m)) work.add(m);
    }
    return List.copyOf(slice.values());
  }

  private boolean isIndex(Name n) {
    return space != null
        && (space.flat().equals(n) || space.dims().stream().anyMatch(d -> d.index().equals(n)));
  }

  /** Whether a statement writes memory, which may not be done before its time. */
  private boolean writes(Stm s) {
    return accesses.of(s).stream().anyMatch(Access::write);
  }

  private SubExp greatest(SegSpace space, List<SegSpace.Dim> dims, List<Stm> slice, SubExp size) {
    Poly total = Poly.ONE;
    for (SegSpace.Dim d : dims) total = total.times(Poly.of(d.size()));
    Name one = names.fresh("one");
    Name flat = names.fresh("flat");
    Builder body = new Builder(names).with(before.aux());
    Renamer renamer = new Renamer(names);
    SubExp rest = SubExp.of(flat);
    for (int d = dims.size() - 1; d >= 0; d--) {
      SubExp index = rest;
      if (d > 0) {
        SubExp n = dims.get(d).size();
        index = body.binOp("i", BinOp.Kind.SMOD, PrimType.I64, rest, n);
        rest = body.binOp("i", BinOp.Kind.SDIV, PrimType.I64, rest, n);
      }
      Name renamed = ((SubExp.Var) index).name();
      renamer = renamer.with(dims.get(d).index(), renamed);
    }
    renamer = renamer.with(space.flat(), flat);
    body.addAll(renamer.stms(slice));
    SubExp value = renamer.subExp(size);
    Param a = new Param(names.fresh("a"), Type.I64);
    Param b = new Param(names.fresh("b"), Type.I64);
    Builder op = new Builder(names);
    SubExp max =
        op.binOp("max", BinOp.Kind.SMAX, PrimType.I64, SubExp.of(a.name()), SubExp.of(b.name()));
    Lambda greater = new Lambda(List.of(a, b), op.body(List.of(max)), List.of(Type.I64));
    SegOp red =
        new SegOp.SegRed(
            new SegLevel.Thread(SegVirt.NO_VIRT, null),
            new SegSpace(
                names.fresh("flat"),
                List.of(
                    new SegSpace.Dim(one, SubExp.i64(1)),
                    new SegSpace.Dim(flat, before.poly("total", total)))),
            List.of(new SegOp.SegBinOp(true, greater, List.of(SubExp.i64(0)), List.of())),
            List.of(Type.I64),
            new SegBody(body.stms(), List.of(new SegResult.Returns(value))));
    Type.Array result = (Type.Array) Type.array(Type.I64, SubExp.i64(1));
    Name block = Copies.block(before, scope, result, new Space.Device());
    Name all = before.let("greatest", Copies.in(block, result), new SegExp.Seg(red));
    HostOp.Element element = new HostOp.Element(all, List.of(SubExp.i64(0)));
    return before.letExp("greatest", Type.I64, new HostOp.Read(List.of(element)));
  }
}
