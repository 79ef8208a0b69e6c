package futharkc.pass.staging;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Builder;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegLevel;
import futharkc.core.ir.Space;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.imperative.CostModel;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.Remark;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The padding of the shared arrays in the kernels of one function. */
final class BankPadding {
  private final FunDef function;
  private final PassContext context;
  private final NameSource names;

  BankPadding(FunDef function, PassContext context) {
    this.function = function;
    this.context = context;
    this.names = new NameSource(function.nextTag());
  }

  FunDef run() {
    var body =
        new Mapper() {
          @Override
          public List<Stm> stms(List<Stm> stms) {
            List<Stm> out = new ArrayList<>();
            boolean same = true;
            for (Stm s : stms) {
              boolean kernel =
                  s.exp() instanceof SegExp.Seg g && g.op().level() instanceof SegLevel.Block;
              Stm now = kernel ? kernel(s, (SegExp.Seg) s.exp(), out) : stm(s);
              same &= now == s;
              out.add(now);
            }
            return same ? stms : out;
          }
        }.body(function.body());
    return body == function.body() ? function : function.withBody(body, names.next());
  }

  /**
   * Returns a kernel with padded arrays.
   *
   * @param before receives the statements of the host that compute the padded sizes
   */
  private Stm kernel(Stm s, SegExp.Seg g, List<Stm> before) {
    Contents contents = new Contents();
    contents.segOp(g.op());
    Stm now = s;
    for (Stm a : g.op().body().stms()) {
      if (!(a.exp() instanceof MemOp.Alloc alloc) || !(alloc.space() instanceof Space.Shared)) {
        continue;
      }
      Name block = a.names().get(0);
      Type.Array matrix = contents.matrix(block);
      if (matrix == null || !contents.isOutside(matrix.shape())) {
        continue;
      }
      Banks banks = new Banks(contents.arrays(block), CostModel.UNKNOWN_TRIPS);
      banks.segOp(g.op());
      Boolean even = banks.wantsEvenRows();
      if (even != null) {
        now = padded(now, block, matrix, even, contents, before);
      }
    }
    return now;
  }

  private Stm padded(
      Stm s, Name block, Type.Array matrix, boolean even, Contents contents, List<Stm> before) {
    SubExp row = matrix.shape().get(1);
    Builder b = new Builder(names).with(Aux.at(s.aux().loc()));
    SubExp padded;
    if (row instanceof SubExp.Const c) {
      long size = c.value().asLong();
      long by = (size & 1) == (even ? 0 : 1) ? 0 : 1;
      if (by == 0) {
        return s;
      }
      padded = SubExp.i64(size + by);
    } else if (even) {
      SubExp odd = b.binOp("odd", BinOp.Kind.AND, PrimType.I64, row, SubExp.i64(1));
      padded = b.binOp("padded", BinOp.Kind.ADD, PrimType.I64, row, odd);
    } else {
      padded = b.binOp("padded", BinOp.Kind.OR, PrimType.I64, row, SubExp.i64(1));
    }
    SubExp elements = b.binOp("size", BinOp.Kind.MUL, PrimType.I64, matrix.shape().get(0), padded);
    SubExp bytes =
        b.binOp("size", BinOp.Kind.MUL, PrimType.I64, elements, SubExp.i64(matrix.elem().bytes()));
    before.addAll(b.stms());
    Lmad whole =
        new Lmad(
            Poly.ZERO,
            List.of(
                new Lmad.Dim(Poly.of(padded), matrix.shape().get(0)), new Lmad.Dim(Poly.ONE, row)));
    Map<Name, Lmad> places = contents.places(block, whole);
    context.remark(
        Remark.Kind.APPLIED,
        function.name(),
        s.aux().loc(),
        "rows of " + block + " have an " + (even ? "even" : "odd") + " number of words");
    return new Mapper() {
      @Override
      public Stm stm(Stm t) {
        return t.names().contains(block)
            ? t.withExp(new MemOp.Alloc(bytes, new Space.Shared()))
            : super.stm(t);
      }

      @Override
      public PatElem patElem(PatElem p) {
        return new PatElem(p.name(), moved(p.name(), p.type()));
      }

      @Override
      public Param param(Param p) {
        return new Param(p.name(), moved(p.name(), p.type()), p.unique());
      }

      private Type moved(Name n, Type t) {
        Lmad l = places.get(n);
        return l == null ? t : t.withMem(new ArrayMem(block, l));
      }
    }.stm(s);
  }

  /** The contents of the blocks of a kernel. */
  private static final class Contents extends Mapper {
    private final Map<Name, Map<Name, Type.Array>> arrays = new HashMap<>();
    private final Map<Name, BasicOp> views = new HashMap<>();
    private final List<Name> order = new ArrayList<>();
    private final Set<Name> passedOn = new HashSet<>();
    private final Set<Name> bound = new HashSet<>();

    @Override
    public Stm stm(Stm s) {
      if (s.exp() instanceof BasicOp op
          && (op instanceof BasicOp.Index || op instanceof BasicOp.Rearrange)) {
        views.put(s.names().get(0), op);
      }
      s.pat().forEach(p -> bound(p.name(), p.type()));
      return super.stm(s);
    }

    @Override
    public Param param(Param p) {
      bound(p.name(), p.type());
      return super.param(p);
    }

    @Override
    public SubExp subExp(SubExp e) {
      if (e instanceof SubExp.Var v) {
        passedOn.add(v.name());
      }
      return e;
    }

    private void bound(Name n, Type t) {
      bound.add(n);
      if (t instanceof Type.Array a && a.mem() != null) {
        arrays.computeIfAbsent(a.mem().block(), k -> new HashMap<>()).put(n, a);
        order.add(n);
      }
    }

    Set<Name> arrays(Name block) {
      return arrays.getOrDefault(block, Map.of()).keySet();
    }

    /** Tests whether sizes are computed before the kernel. */
    boolean isOutside(List<SubExp> sizes) {
      return sizes.stream().noneMatch(e -> e instanceof SubExp.Var v && bound.contains(v.name()));
    }

    /**
     * Returns the type of the matrices in a block, of which other arrays may be slices; null if the
     * block holds other arrays.
     */
    Type.@Nullable Array matrix(Name block) {
      if (passedOn.contains(block)) {
        return null;
      }
      Map<Name, Type.Array> all = arrays.getOrDefault(block, Map.of());
      Type.Array found = null;
      for (Map.Entry<Name, Type.Array> e : all.entrySet()) {
        if (isView(e.getKey(), block)) {
          continue;
        }
        Type.Array t = e.getValue();
        boolean fits =
            t.shape().size() == 2
                && t.elem().bytes() >= 4
                && t.mem() != null
                && t.mem().lmad().equals(Lmad.rowMajor(t.shape()))
                && (found == null || found.equals(t));
        if (!fits) {
          return null;
        }
        found = t;
      }
      return found;
    }

    private boolean isView(Name n, Name block) {
      Name of =
          switch (views.get(n)) {
            case BasicOp.Index x -> x.array();
            case BasicOp.Rearrange x -> x.array();
            case null, default -> null;
          };
      return of != null && arrays(block).contains(of);
    }

    /**
     * Returns the new index functions of the arrays of a block.
     *
     * @param whole the new index function of the matrices
     */
    Map<Name, Lmad> places(Name block, Lmad whole) {
      Map<Name, Lmad> places = new HashMap<>();
      for (Name n : order) {
        if (!arrays(block).contains(n)) {
          continue;
        }
        Lmad place =
            switch (isView(n, block) ? views.get(n) : null) {
              case BasicOp.Index x -> of(places, x.array()).slice(x.slice());
              case BasicOp.Rearrange x -> of(places, x.array()).permute(x.perm());
              case null, default -> whole;
            };
        places.put(n, place);
      }
      return places;
    }

    private static Lmad of(Map<Name, Lmad> places, Name array) {
      Lmad l = places.get(array);
      if (l == null) {
        throw new IllegalStateException(array + " is used before it is made");
      }
      return l;
    }
  }
}
