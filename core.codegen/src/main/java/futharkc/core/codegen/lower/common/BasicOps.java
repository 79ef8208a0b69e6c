package futharkc.core.codegen.lower.common;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.UnOp;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A lowering of basic operations; {@link ArrayOps} lowers those on arrays. */
final class BasicOps {
  private final FunctionSymbols scope;
  private final ArrayOps arrays;
  private final Accumulators accumulators;

  BasicOps(FunctionSymbols scope, ArrayOps arrays, Accumulators accumulators) {
    this.scope = scope;
    this.arrays = arrays;
    this.accumulators = accumulators;
  }

  /** Lowers the operation that binds {@code p}. */
  void lower(PatElem p, BasicOp op, List<Code> out) {
    Type t = p.type();
    if (scope.place().isInKernel()) {
      scope.kernel().defines(p.name(), op);
    }
    if (scope.place() == ExecutionUnit.HOST) {
      versions(p, op);
    }
    switch (op) {
      case BasicOp.SubExpOp x -> alias(p, x.value(), out);
      case BasicOp.Opaque x -> {
        if (x.tag() instanceof BasicOp.Tag.Trace trace && !scope.place().isInKernel()) {
          trace(trace, x.value(), out);
        }
        alias(p, x.value(), out);
      }
      case BasicOp.BinOpExp x ->
          scalar(p, new Expr.Binary(x.op(), scope.expr(x.left()), scope.expr(x.right())), out);
      case BasicOp.UnOpExp x -> scalar(p, new Expr.Unary(x.op(), scope.expr(x.operand())), out);
      case BasicOp.CmpOpExp x -> scalar(p, comparison(x), out);
      case BasicOp.ConvOpExp x -> scalar(p, new Expr.Convert(x.op(), scope.expr(x.operand())), out);
      case BasicOp.PrimFunExp x ->
          scalar(p, new Expr.Apply(x.fun(), x.args().stream().map(scope::expr).toList()), out);
      case BasicOp.UserParam x ->
          scalar(p, new Expr.Tuning(x.name(), scope.expr(x.defaultValue())), out);
      case BasicOp.Assert x -> check(x, out);
      case BasicOp.Index x -> {
        if (t instanceof Type.Prim) {
          List<SubExp> index = ArrayOps.fixed(x.slice());
          scalar(p, arrays.element(x.array(), index), out);
        }
      }
      case BasicOp.FlatIndex x -> {}
      case BasicOp.Rearrange x -> {}
      case BasicOp.Scratch x -> {}
      case BasicOp.Reshape x -> arrays.reshape(t, x.array(), out);
      case BasicOp.Update x -> arrays.update(x, t, out);
      case BasicOp.FlatUpdate x -> arrays.flatUpdate(x, t, out);
      case BasicOp.ArrayLit x -> arrays.literal(x, t, out);
      case BasicOp.ArrayVal x -> arrays.constant(x, t, out);
      case BasicOp.Concat x -> arrays.concat(x, t, out);
      case BasicOp.Manifest x -> arrays.place(x.array(), t, out);
      case BasicOp.Iota x -> arrays.copies().iota(FunctionSymbols.mem(t), x, out);
      case BasicOp.Replicate x -> {
        if (t instanceof Type.Prim) {
          scalar(p, scope.expr(x.value()), out);
        } else {
          arrays.replicate(x, t, out);
        }
      }
      case BasicOp.UpdateAcc x -> accumulators.update(x, out);
    }
  }

  /** Prints a scalar, or the elements of an array in order. Kernels cannot print. */
  private void trace(BasicOp.Tag.Trace tag, SubExp value, List<Code> out) {
    Type t = scope.type(value);
    if (FunctionSymbols.isUnit(t)) {
      return;
    }
    Code.MessagePart begin = new Code.MessagePart.Text(tag.text() + ": ");
    Code.MessagePart end = new Code.MessagePart.Text("\n");
    switch (t) {
      case Type.Prim _ ->
          out.add(
              new Code.Trace(
                  List.of(
                      begin, new Code.MessagePart.Value(scope.expr(value), tag.unsigned()), end)));
      case Type.Array a -> {
        out.add(new Code.Trace(List.of(begin)));
        elements(tag, ((SubExp.Var) value).name(), a, out);
        out.add(new Code.Trace(List.of(end)));
      }
      case Type.Acc _, Type.Mem _ -> {}
    }
  }

  private void elements(BasicOp.Tag.Trace tag, Name array, Type.Array type, List<Code> out) {
    List<SegSpace.Dim> dims =
        type.dims().stream().map(d -> new SegSpace.Dim(scope.names.fresh("i"), d)).toList();
    List<SubExp> index = dims.stream().map(d -> SubExp.of(d.index())).toList();
    List<Code> code = new ArrayList<>();
    Name element = scope.names.fresh("element");
    Expr.Load load = (Expr.Load) arrays.element(array, index);
    if (scope.place() == ExecutionUnit.HOST) {
      Name request = scope.names.fresh("request");
      code.add(new Code.AskElement(request, load.block(), load.type(), load.index(), Loc.NONE));
      code.add(
          new Code.AwaitElements(List.of(new Code.AwaitedElement(element, load.type(), request))));
    } else {
      scope.define(element, Type.prim(type.elemPrim()), load, code);
    }
    Expr value = new Expr.Var(element, type.elemPrim());
    code.add(
        new Code.Trace(
            List.of(
                new Code.MessagePart.Value(value, tag.unsigned()),
                new Code.MessagePart.Text(" "))));
    for (SegSpace.Dim dim : dims.reversed()) {
      Expr size = new Expr.Index(scope.poly(dim.size()));
      code = List.of(new Code.For(dim.index(), PrimType.I64, Expr.i64(0), size, code));
    }
    out.addAll(code);
  }

  private void scalar(PatElem p, Expr value, List<Code> out) {
    scope.define(p.name(), p.type(), value, out);
  }

  private Expr comparison(BasicOp.CmpOpExp x) {
    Expr missing = missing(x, x.left(), x.right());
    if (missing == null) {
      missing = missing(x, x.right(), x.left());
    }
    return missing == null
        ? new Expr.Compare(x.op(), scope.expr(x.left()), scope.expr(x.right()))
        : new Expr.Compare(x.op(), missing, Expr.zero(x.op().type()));
  }

  /**
   * Returns the bits of a mask that are not set, if the comparison tests whether all of them are
   * set; else null. A GPU computes these bits and compares them with zero in one instruction.
   */
  private @Nullable Expr missing(BasicOp.CmpOpExp x, SubExp set, SubExp mask) {
    boolean isMask =
        x.op().kind() == CmpOp.Kind.EQ && x.op().type().isInt() && mask instanceof SubExp.Var;
    if (!isMask || !scope.place().isInKernel()) {
      return null;
    }
    if (!(scope.kernel().definition(set) instanceof BasicOp.BinOpExp and)
        || and.op().kind() != BinOp.Kind.AND) {
      return null;
    }
    boolean isLeft = and.left().equals(mask);
    if (!isLeft && !and.right().equals(mask)) {
      return null;
    }
    Expr bits = scope.expr(isLeft ? and.right() : and.left());
    Expr others = new Expr.Unary(new UnOp(UnOp.Kind.NOT, x.op().type()), bits);
    return new Expr.Binary(and.op(), scope.expr(mask), others);
  }

  private void alias(PatElem p, SubExp value, List<Code> out) {
    switch (p.type()) {
      case Type.Prim t -> scalar(p, scope.expr(value), out);
      case Type.Mem m -> out.add(scope.declareBlock(p.name(), m, ((SubExp.Var) value).name()));
      case Type.Array a -> arrays.place(((SubExp.Var) value).name(), a, out);
      case Type.Acc a -> {}
    }
  }

  /**
   * Marks a condition as one that chooses a version if one of its operands is marked. The other
   * operand says whether the version can run.
   */
  private void versions(PatElem p, BasicOp op) {
    boolean chooses =
        switch (op) {
          case BasicOp.SubExpOp x -> chooses(x.value());
          case BasicOp.BinOpExp x -> chooses(x.left()) || chooses(x.right());
          case BasicOp _ -> false;
        };
    if (chooses && p.type().isPrim(PrimType.BOOL)) {
      scope.choosesVersion(p.name());
    }
  }

  private boolean chooses(SubExp e) {
    return e instanceof SubExp.Var v && scope.decidesOnVersion(v.name());
  }

  private void check(BasicOp.Assert x, List<Code> out) {
    if (x.cond().equals(SubExp.TRUE)) {
      return;
    }
    List<Code.MessagePart> parts = new ArrayList<>();
    for (BasicOp.MsgPart m : x.message()) {
      parts.add(
          switch (m) {
            case BasicOp.MsgPart.Text text -> new Code.MessagePart.Text(text.text());
            case BasicOp.MsgPart.Value v ->
                new Code.MessagePart.Value(scope.expr(v.value()), v.unsigned());
          });
    }
    Code assertion = new Code.Assert(scope.expr(x.cond()), parts, x.trace());
    if (scope.place() == ExecutionUnit.BLOCK) {
      out.add(new Code.Attempt(List.of(assertion)));
      out.add(new Code.LeaveIfFailed());
    } else {
      out.add(assertion);
    }
  }
}
