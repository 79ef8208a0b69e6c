package futharkc.core.ir.memory;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.Poly;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The offsets at which a body reads elements of free arrays, including reads in branches and loops.
 * From these, passes choose an order in which adjacent threads read adjacent elements.
 */
public final class ReadOffsets {
  private final Function<Name, Lmad> layouts;
  private final Map<Name, Poly> scalars = new HashMap<>();
  private final Set<Name> inside = new HashSet<>();
  private final List<Poly> offsets = new ArrayList<>();

  private ReadOffsets(Function<Name, Lmad> layouts) {
    this.layouts = layouts;
  }

  /**
   * Returns the offsets that are polynomials of free variables, in order of the reads.
   *
   * @param layouts the index functions of free arrays
   */
  public static List<Poly> of(List<Stm> body, Function<Name, Lmad> layouts) {
    ReadOffsets r = new ReadOffsets(layouts);
    new Mapper() {
      @Override
      public Stm stm(Stm s) {
        r.statement(s);
        return super.stm(s);
      }

      @Override
      public Param param(Param p) {
        r.inside.add(p.name());
        return p;
      }
    }.stms(body);
    return r.offsets;
  }

  /** Returns the change of an offset if an index grows by one. */
  public static Poly stride(Poly offset, Name index) {
    Poly next = offset.substitute(n -> n.equals(index) ? Poly.of(n).plus(Poly.ONE) : Poly.of(n));
    return next.minus(offset);
  }

  private void statement(Stm s) {
    inside.addAll(s.names());
    if (s.exp() instanceof BasicOp.Index x && x.slice().isElement()) {
      read(x);
    } else if (s.exp() instanceof BasicOp op) {
      Poly value = value(op);
      if (value != null) {
        scalars.put(s.pat().get(0).name(), value);
      }
    }
  }

  /**
   * Returns the polynomial of an operation. Integers of all types are treated as i64: the result
   * only guides a choice, and correctness does not depend on it.
   */
  private @Nullable Poly value(BasicOp op) {
    if (op instanceof BasicOp.ConvOpExp x && x.op().kind() == ConvOp.Kind.SEXT) {
      return poly(x.operand());
    }
    if (!(op instanceof BasicOp.BinOpExp x)) {
      return null;
    }
    return switch (x.op().kind()) {
      case ADD -> poly(x.left()).plus(poly(x.right()));
      case SUB -> poly(x.left()).minus(poly(x.right()));
      case MUL -> poly(x.left()).times(poly(x.right()));
      default -> null;
    };
  }

  private Poly poly(SubExp e) {
    return switch (e) {
      case SubExp.Const c -> Poly.of(c.value().asLong());
      case SubExp.Var v -> resolved(Poly.of(v.name()));
    };
  }

  private Poly resolved(Poly p) {
    return p.substitute(n -> scalars.getOrDefault(n, Poly.of(n)));
  }

  private void read(BasicOp.Index x) {
    if (inside.contains(x.array())) {
      return;
    }
    Lmad lmad = layouts.apply(x.array());
    List<Poly> index = new ArrayList<>();
    for (Slice.Dim d : x.slice().dims()) {
      if (d instanceof Slice.Fix f) {
        index.add(poly(f.index()));
      }
    }
    offsets.add(resolved(lmad.index(index)));
  }
}
