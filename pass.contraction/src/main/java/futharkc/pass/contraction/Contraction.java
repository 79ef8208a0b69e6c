package futharkc.pass.contraction;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.UnOp;
import futharkc.core.ir.analysis.DeviceMapper;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Contracts the sums in kernels with products that have no other uses. */
final class Contraction extends DeviceMapper {
  private final NameSource names;
  private final Map<Name, Integer> uses;

  /** The products with one use, computed as often as the current statement. */
  private Map<Name, BasicOp.BinOpExp> products = new HashMap<>();

  private final Set<Name> contracted = new HashSet<>();

  Contraction(NameSource names, Map<Name, Integer> uses) {
    super(false);
    this.names = names;
    this.uses = uses;
  }

  @Override
  public List<Stm> stms(List<Stm> stms) {
    if (!inThread()) {
      return super.stms(stms);
    }
    List<Stm> out = new ArrayList<>();
    boolean changed = false;
    for (Stm s : stms) {
      BasicOp.BinOpExp product = product(s);
      if (product != null) {
        products.put(s.names().get(0), product);
      }
      Exp sum = s.exp() instanceof BasicOp.BinOpExp x ? contracted(x, s, out) : null;
      Stm mapped = sum == null ? stm(s) : s.withExp(sum);
      out.add(mapped);
      changed |= mapped != s;
    }
    changed |= out.removeIf(s -> s.names().size() == 1 && contracted.contains(s.names().get(0)));
    return changed ? out : stms;
  }

  @Override
  public Exp exp(Exp e) {
    return e instanceof Exp.Match ? super.exp(e) : repeated(() -> super.exp(e));
  }

  @Override
  public SegOp segOp(SegOp op) {
    return repeated(() -> super.segOp(op));
  }

  /** Maps code that may repeat more often than the products outside of it, which stay outside. */
  private <T> T repeated(Supplier<T> mapping) {
    Map<Name, BasicOp.BinOpExp> outside = products;
    products = new HashMap<>();
    T mapped = mapping.get();
    products = outside;
    return mapped;
  }

  /** Returns the product of a statement if it has one use and may move; else null. */
  private BasicOp.@Nullable BinOpExp product(Stm s) {
    return s.exp() instanceof BasicOp.BinOpExp x
            && x.op().kind() == BinOp.Kind.FMUL
            && x.op().type() != PrimType.F16
            && s.aux().certs().isEmpty()
            && uses.getOrDefault(s.names().get(0), 0) == 1
        ? x
        : null;
  }

  /** Returns the multiply-add for a sum or a difference; null if there is none. */
  private @Nullable Exp contracted(BasicOp.BinOpExp x, Stm s, List<Stm> before) {
    return switch (x.op().kind()) {
      case FADD -> {
        Exp sum = mad(x.left(), x.right(), false, s, before);
        yield sum != null ? sum : mad(x.right(), x.left(), false, s, before);
      }
      // a * b - c = a * b + -c, c - a * b = -a * b + c
      case FSUB -> {
        BasicOp.BinOpExp product = taken(x.left());
        if (product != null) {
          SubExp negated = negated(x.right(), s, before);
          yield mad(product, product.left(), negated);
        }
        yield mad(x.right(), x.left(), true, s, before);
      }
      default -> null;
    };
  }

  private @Nullable Exp mad(SubExp p, SubExp other, boolean minus, Stm s, List<Stm> before) {
    BasicOp.BinOpExp product = taken(p);
    if (product == null) {
      return null;
    }
    SubExp left = minus ? negated(product.left(), s, before) : product.left();
    return mad(product, left, other);
  }

  private static Exp mad(BasicOp.BinOpExp product, SubExp left, SubExp other) {
    PrimFun fun = new PrimFun(PrimFun.Kind.MAD, product.op().type());
    return new BasicOp.PrimFunExp(fun, List.of(left, product.right(), other));
  }

  /**
   * Returns the product that an operand names, and removes its statement; null if there is none.
   */
  private BasicOp.@Nullable BinOpExp taken(SubExp e) {
    if (!(e instanceof SubExp.Var v)) {
      return null;
    }
    BasicOp.BinOpExp product = products.remove(v.name());
    if (product != null) {
      contracted.add(v.name());
    }
    return product;
  }

  private SubExp negated(SubExp e, Stm s, List<Stm> before) {
    Type type = s.pat().get(0).type();
    Name name = names.fresh("minus");
    UnOp op = new UnOp(UnOp.Kind.NEG, ((Type.Prim) type).prim());
    before.add(new Stm(List.of(new PatElem(name, type)), s.aux(), new BasicOp.UnOpExp(op, e)));
    return SubExp.of(name);
  }
}
