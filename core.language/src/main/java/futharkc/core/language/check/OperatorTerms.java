package futharkc.core.language.check;

import static java.util.Objects.requireNonNull;

import futharkc.core.ir.Loc;
import futharkc.core.language.syntax.Exp;
import futharkc.core.language.syntax.PrimType;
import futharkc.core.language.syntax.QualName;
import futharkc.core.language.syntax.TypeParam.Liftedness;
import futharkc.core.language.typed.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The types of operators in the first pass: overloaded operators, all other operators, and
 * sections.
 */
final class OperatorTerms {
  private final TermInfer infer;

  OperatorTerms(TermInfer infer) {
    this.infer = infer;
  }

  @Nullable Entity operatorEntity(QualName op) {
    if (op.qualifiers().isEmpty()) {
      return infer.names.value(op.name());
    }
    return infer.names.module(op.qualifiers()) instanceof Mod.Struct s
        ? s.env().values().get(op.name())
        : null;
  }

  Term operator(QualName op, Loc loc) {
    Entity e = operatorEntity(op);
    return e == null
        ? infer.references.variable(op, loc)
        : infer.references.variable(e, op.toString(), loc);
  }

  Term binOp(Exp.BinOp b) {
    // A chain of operators is a left-leaning tree of any depth, so a loop replaces recursion.
    List<Exp.BinOp> chain = new ArrayList<>();
    Exp leftmost = b;
    while (leftmost instanceof Exp.BinOp c) {
      chain.add(c);
      leftmost = c.left();
    }
    for (Exp.BinOp c : chain) {
      if (operatorEntity(c.op()) == null) {
        var unused = operator(c.op(), c.opLoc());
        return infer.hole(b.loc());
      }
    }
    int before = infer.reported();
    Term t = infer.exp(leftmost);
    for (int i = chain.size() - 1; i >= 0; i--) {
      Exp.BinOp c = chain.get(i);
      Entity op = operatorEntity(c.op());
      if (op instanceof Entity.Operator o) {
        Term right = infer.exp(c.right());
        if (infer.hasFailed(before)) {
          return infer.hole(b.loc());
        }
        t = builtin(o, t, right, c.left(), c.right(), c.loc());
      } else {
        Term f = operator(c.op(), c.opLoc());
        t =
            infer.applications.applyTo(
                f,
                List.of(t, infer.exp(c.right())),
                c.op().toString(),
                List.of(c.left(), c.right()),
                c.loc());
      }
    }
    return t;
  }

  private Term builtin(
      Entity.Operator o, Term left, Term right, @Nullable Exp l, @Nullable Exp r, Loc loc) {
    if (o.text().equals("&&") || o.text().equals("||")) {
      infer.requirePrim(PrimType.BOOL, left, "operand of " + o.text());
      infer.requirePrim(PrimType.BOOL, right, "operand of " + o.text());
      return o.text().equals("&&") ? new Term.And(left, right, loc) : new Term.Or(left, right, loc);
    }
    futharkc.core.language.typed.Exp.Op op =
        requireNonNull(OverloadedOperators.BUILTIN.get(o.text()));
    int prims = OverloadedOperators.operands(op);
    Type operand = TypeVar.prune(left.type());
    if (!(operand instanceof Type.Prim p && (prims & 1 << p.type().ordinal()) != 0)) {
      Type fits = prims == 0 ? infer.elem(loc) : infer.overloaded(prims, loc);
      int since = infer.reported();
      infer.expect(
          l == null ? left.loc() : l.loc(),
          fits,
          left.type(),
          () -> operandMessage(o, l, fits, left.type()));
      if (infer.reported() > since) {
        infer.hint(
            since, ForeignSyntaxHints.operator(o.text(), operand, TypeVar.prune(right.type())));
        return new Term.BinOp(op, left, right, infer.fresh(Liftedness.LIFTED, loc), loc);
      }
      operand = left.type();
    }
    Type expected = operand;
    infer.expect(
        r == null ? right.loc() : r.loc(),
        expected,
        right.type(),
        () -> operandMessage(o, r, expected, right.type()));
    return new Term.BinOp(
        op,
        left,
        right,
        OverloadedOperators.isComparison(op) ? Type.prim(PrimType.BOOL) : operand,
        loc);
  }

  private static String operandMessage(
      Entity.Operator o, @Nullable Exp e, Type expected, Type actual) {
    return "Cannot apply \""
        + o.text()
        + "\" to "
        + (e == null ? "operand" : "\"" + SyntaxText.brief(e) + "\"")
        + " (invalid type).\nExpected: "
        + TypePrinter.unsized(expected)
        + "\nActual:   "
        + TypePrinter.unsized(actual);
  }

  Term section(Entity.Operator o, Loc loc) {
    LocalVar x = infer.local("x", infer.fresh(Liftedness.LIFTED, loc), loc);
    LocalVar y = infer.local("y", infer.fresh(Liftedness.LIFTED, loc), loc);
    Term body =
        builtin(
            o,
            new Term.Local(x, List.of(), x.type, loc),
            new Term.Local(y, List.of(), y.type, loc),
            null,
            null,
            loc);
    return new Term.Lambda(
        List.of(new Term.TPat.Var(x, x.type, loc), new Term.TPat.Var(y, y.type, loc)),
        null,
        body,
        TermInfer.fun(x.type, TermInfer.fun(y.type, body.type())),
        loc);
  }

  Term halfSection(Entity.Operator o, Term given, boolean left, Loc loc) {
    LocalVar x = infer.local("x", infer.fresh(Liftedness.LIFTED, loc), loc);
    Term missing = new Term.Local(x, List.of(), x.type, loc);
    return binding(
        given,
        g ->
            left
                ? builtin(o, g, missing, null, null, loc)
                : builtin(o, missing, g, null, null, loc),
        t ->
            new Term.Lambda(
                List.of(new Term.TPat.Var(x, x.type, loc)),
                null,
                t,
                TermInfer.fun(x.type, t.type()),
                loc));
  }

  /** Returns a term that evaluates a value once and binds it in another term. */
  Term binding(
      Term value,
      java.util.function.UnaryOperator<Term> body,
      java.util.function.UnaryOperator<Term> wrap) {
    if (value instanceof Term.Local
        || value instanceof Term.Global
        || value instanceof Term.Int
        || value instanceof Term.Float
        || value instanceof Term.Bool) {
      return wrap.apply(body.apply(value));
    }
    LocalVar y = infer.local("y", value.type(), value.loc());
    Term inner = wrap.apply(body.apply(new Term.Local(y, List.of(), y.type, value.loc())));
    return new Term.Let(
        List.of(
            new Term.Binding.OfPat(
                List.of(), new Term.TPat.Var(y, y.type, value.loc()), value, value.loc())),
        inner,
        value.loc());
  }
}
