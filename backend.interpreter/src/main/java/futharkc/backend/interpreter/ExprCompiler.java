package futharkc.backend.interpreter;

import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.imperative.Expr;
import java.util.List;
import java.util.Map;

/** A compiler of the expressions of a function of an imperative program. */
final class ExprCompiler {
  private final VariableSlots variables;
  private final Options options;

  /** The lane for which an expression is compiled. */
  private int lane;

  ExprCompiler(VariableSlots variables, Options options) {
    this.variables = variables;
    this.options = options;
  }

  /** A reference to a block in an activation. */
  interface Block {
    CheckedBlock of(Activation a);
  }

  /** Compiles an expression for one lane. */
  CompiledExpr expr(Expr e, int lane) {
    this.lane = lane;
    return expr(e);
  }

  /** Compiles a polynomial for one lane. */
  CompiledExpr poly(Poly p, int lane) {
    this.lane = lane;
    return poly(p);
  }

  CompiledExpr expr(Expr e) {
    return switch (e) {
      case Expr.Const c -> constant(ScalarOps.bits(c.value()));
      case Expr.Var v -> scalar(v.name());
      case Expr.Index i -> poly(i.poly());
      case Expr.Binary b -> {
        ScalarOps.Binary op = ScalarOps.binary(b.op());
        CompiledExpr left = expr(b.left());
        CompiledExpr right = expr(b.right());
        yield a -> op.apply(left.value(a), right.value(a));
      }
      case Expr.Unary u -> {
        ScalarOps.Unary op = ScalarOps.unary(u.op());
        CompiledExpr x = expr(u.operand());
        yield a -> op.apply(x.value(a));
      }
      case Expr.Compare c -> {
        ScalarOps.Binary op = ScalarOps.compare(c.op());
        CompiledExpr left = expr(c.left());
        CompiledExpr right = expr(c.right());
        yield a -> op.apply(left.value(a), right.value(a));
      }
      case Expr.Convert c -> {
        ScalarOps.Unary op = ScalarOps.convert(c.op());
        CompiledExpr x = expr(c.operand());
        yield a -> op.apply(x.value(a));
      }
      case Expr.Apply x -> apply(x.fun(), x.args().stream().map(this::expr).toList());
      case Expr.Load l -> {
        Block block = block(l.block());
        CompiledExpr index = poly(l.index());
        yield a -> block.of(a).read(l.type(), a.defined(index, "an index"), a.execution);
      }
      case Expr.Capacity c -> {
        Block block = block(c.block());
        yield a -> block.of(a).length();
      }
      case Expr.Tuning t -> {
        Long value = options.parameters().get(t.name());
        yield value == null ? expr(t.defaultValue()) : constant(value);
      }
    };
  }

  private static CompiledExpr constant(long value) {
    return a -> value;
  }

  private static CompiledExpr apply(PrimFun fun, List<CompiledExpr> args) {
    ScalarFunctions.Function f = ScalarFunctions.of(fun);
    CompiledExpr x = args.get(0);
    CompiledExpr y = args.size() > 1 ? args.get(1) : constant(0);
    CompiledExpr z = args.size() > 2 ? args.get(2) : constant(0);
    return a -> f.apply(x.value(a), y.value(a), z.value(a));
  }

  CompiledExpr poly(Poly p) {
    CompiledExpr sum = null;
    for (Map.Entry<Poly.Product, Long> t : p.terms().entrySet()) {
      CompiledExpr product = null;
      for (Name n : t.getKey().factors()) {
        CompiledExpr x = scalar(n);
        CompiledExpr before = product;
        product = before == null ? x : a -> before.value(a) * x.value(a);
      }
      long c = t.getValue();
      CompiledExpr factors = product;
      CompiledExpr term =
          factors == null ? constant(c) : c == 1 ? factors : a -> c * factors.value(a);
      CompiledExpr before = sum;
      sum = before == null ? term : a -> before.value(a) + term.value(a);
    }
    return sum == null ? constant(0) : sum;
  }

  private CompiledExpr scalar(Name n) {
    int[] lanes = variables.lanes(n);
    VariableSlots.Place place =
        lanes != null ? new VariableSlots.Place(null, lanes[lane]) : variables.scalar(n);
    Activation constants = place.in();
    int slot = place.slot();
    return a -> {
      Activation where = constants == null ? a : constants;
      Undefined undefined = where.undefined[slot];
      if (undefined != null) {
        a.execution.undefined = undefined;
      }
      return where.scalars[slot];
    };
  }

  Block block(Name n) {
    VariableSlots.Place place = variables.block(n);
    Activation constants = place.in();
    int slot = place.slot();
    return a -> {
      CheckedBlock b = (constants == null ? a : constants).blocks[slot];
      if (b == null) {
        throw new Fault(n + " is not a block");
      }
      return b;
    };
  }
}
