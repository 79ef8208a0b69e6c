package futharkc.core.codegen.lower.gpu;

import futharkc.core.codegen.lower.common.FunctionSymbols;
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
import org.jspecify.annotations.Nullable;

/**
 * The offsets at which a body reads elements of free arrays, including reads in branches and loops.
 * From these, lowering chooses an order in which adjacent threads read adjacent elements.
 */
final class ReadOffsets {
  private final FunctionSymbols scope;
  private final Map<Name, Poly> scalars = new HashMap<>();
  private final Set<Name> inside = new HashSet<>();
  private final List<Poly> offsets = new ArrayList<>();

  private ReadOffsets(FunctionSymbols scope) {
    this.scope = scope;
  }

  /** Returns the offsets that are polynomials of free variables, in order of the reads. */
  static List<Poly> of(List<Stm> body, FunctionSymbols scope) {
    ReadOffsets r = new ReadOffsets(scope);
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
  static Poly stride(Poly offset, Name index) {
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
    Lmad lmad = scope.mem(x.array()).lmad();
    List<Poly> index = new ArrayList<>();
    for (Slice.Dim d : x.slice().dims()) {
      if (d instanceof Slice.Fix f) {
        index.add(poly(f.index()));
      }
    }
    offsets.add(resolved(lmad.index(index)));
  }
}
