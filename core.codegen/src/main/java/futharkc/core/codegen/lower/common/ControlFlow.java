package futharkc.core.codegen.lower.common;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.Body;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A lowering of calls, branches and loops. Variables for their results are declared before them and
 * assigned inside.
 */
public final class ControlFlow {
  private final FunctionSymbols scope;
  private final BlockLifetimes blocks;
  private final ArrayOps arrays;
  private final Statements statements;

  ControlFlow(
      FunctionSymbols scope, BlockLifetimes blocks, ArrayOps arrays, Statements statements) {
    this.scope = scope;
    this.blocks = blocks;
    this.arrays = arrays;
    this.statements = statements;
  }

  // Calls

  void apply(List<PatElem> pat, Exp.Apply a, List<Code> out) {
    List<Code.Variable> targets = new ArrayList<>();
    for (PatElem p : pat) {
      switch (p.type()) {
        case Type.Prim t -> {
          if (!FunctionSymbols.isUnit(t)) {
            targets.add(new Code.Variable(p.name(), t.prim(), false));
          }
        }
        case Type.Mem m -> targets.add(new Code.Variable(p.name(), FunctionSymbols.elem(m), true));
        case Type.Array t -> {}
        case Type.Acc t -> {}
      }
    }
    List<Code.Operand> args = new ArrayList<>();
    for (SubExp e : a.args()) {
      Code.Operand o = scope.operand(e);
      if (o != null) {
        args.add(o);
      }
    }
    if (scope.place() != ExecutionUnit.BLOCK) {
      out.add(new Code.Call(targets, a.function(), args));
      return;
    }
    // All threads of the thread block call the function, and all stop if one call fails.
    List<Code> attempt = new ArrayList<>();
    List<Code.Variable> copies = new ArrayList<>();
    for (Code.Variable v : targets) {
      copies.add(new Code.Variable(scope.names.fresh(v.name()), v.type(), v.isBlock()));
    }
    attempt.add(new Code.Call(copies, a.function(), args));
    for (int i = 0; i < targets.size(); i++) {
      Code.Variable v = targets.get(i);
      Name copy = copies.get(i).name();
      if (v.isBlock()) {
        out.add(scope.declareBlock(v.name(), (Type.Mem) scope.type(v.name()), null));
        attempt.add(new Code.SetBlock(v.name(), v.type(), copy));
      } else {
        out.add(new Code.Declare(v.name(), v.type(), null));
        attempt.add(new Code.Assign(v.name(), new Expr.Var(copy, v.type())));
      }
    }
    out.add(new Code.Attempt(attempt));
    out.add(new Code.LeaveIfFailed());
  }

  // Branches

  void match(List<PatElem> pat, Exp.Match m, List<Code> out) {
    declare(pat, out);
    if (isChoiceOfVersions(m)) {
      versions(pat, m, out);
      return;
    }
    List<Code> otherwise = branch(pat, m.otherwise());
    List<SwitchLowering.Arm> arms = new ArrayList<>();
    for (Exp.Case c : m.cases()) {
      List<Expr> tests = new ArrayList<>();
      for (int k = 0; k < c.pattern().size(); k++) {
        PrimValue v = c.pattern().get(k);
        if (v != null) {
          tests.add(equal(scope.expr(m.scrutinees().get(k)), v));
        }
      }
      PrimValue only = c.pattern().size() == 1 ? c.pattern().get(0) : null;
      PrimValue integer = only != null && only.type().isInt() ? only : null;
      Expr cond = tests.isEmpty() ? null : Expr.all(tests);
      arms.add(new SwitchLowering.Arm(integer, cond, branch(pat, c.body())));
    }
    Expr scrutinee = m.scrutinees().size() == 1 ? scope.expr(m.scrutinees().get(0)) : null;
    out.addAll(SwitchLowering.of(arms, otherwise, scrutinee, scope.names.fresh("number"), scope));
  }

  /** Tests whether both branches are versions of the same computation. */
  private boolean isChoiceOfVersions(Exp.Match m) {
    return scope.place() == ExecutionUnit.HOST
        && m.isConditional()
        && m.scrutinees().get(0) instanceof SubExp.Var v
        && scope.decidesOnVersion(v.name());
  }

  /**
   * Lowers a choice of versions. A version that cannot be compiled is omitted if the other can be.
   * A version that needs more shared memory than the device has is not chosen.
   */
  private void versions(List<PatElem> pat, Exp.Match m, List<Code> out) {
    BlockLifetimes.State before = blocks.state();
    CannotExpandException failure = null;
    List<Code> then = null;
    try {
      then = branch(pat, m.cases().get(0).body());
    } catch (CannotExpandException e) {
      failure = e;
      blocks.restore(before);
    }
    List<Code> otherwise = null;
    try {
      otherwise = branch(pat, m.otherwise());
    } catch (CannotExpandException e) {
      if (failure != null) {
        throw failure;
      }
      blocks.restore(before);
    }
    if (then == null) {
      out.add(new Code.Scope(Objects.requireNonNull(otherwise)));
    } else if (otherwise == null) {
      out.add(new Code.Scope(then));
    } else {
      Expr chosen = statements.parallel().isChosen(scope.expr(m.scrutinees().get(0)), then, out);
      out.add(new Code.If(chosen, then, otherwise));
    }
  }

  private static Expr equal(Expr e, PrimValue v) {
    if (v.equals(PrimValue.TRUE)) {
      return e;
    }
    return new Expr.Compare(new CmpOp(CmpOp.Kind.EQ, v.type()), e, new Expr.Const(v));
  }

  /** Lowers a body, and assigns its results to a declared pattern. */
  public List<Code> branch(List<PatElem> pat, Body b) {
    List<Code> out = new ArrayList<>();
    blocks.inside(
        () -> {
          statements.lower(b.stms(), b.results(), List.of(), out);
          assign(pat, b.results(), out);
        });
    return out;
  }

  /** Declares the variables of a pattern. */
  public void declare(List<PatElem> pat, List<Code> out) {
    for (PatElem p : pat) {
      switch (p.type()) {
        case Type.Prim t -> {
          if (!FunctionSymbols.isUnit(t)) {
            out.add(new Code.Declare(p.name(), t.prim(), null));
          }
        }
        case Type.Mem m -> out.add(scope.declareBlock(p.name(), m, null));
        case Type.Array t -> {}
        case Type.Acc t -> {}
      }
    }
  }

  /**
   * Assigns results to the variables of a pattern. An array is copied if its memory differs from
   * the pattern's.
   */
  public void assign(List<PatElem> pat, List<SubExp> results, List<Code> out) {
    Known known = new Known();
    for (int i = 0; i < pat.size(); i++) {
      PatElem p = pat.get(i);
      SubExp r = results.get(i);
      switch (p.type()) {
        case Type.Prim t -> {
          if (!FunctionSymbols.isUnit(t)) {
            out.add(new Code.Assign(p.name(), scope.expr(r)));
          }
          known.scalar(p.name(), t, r);
        }
        case Type.Mem m -> {
          out.add(new Code.SetBlock(p.name(), FunctionSymbols.elem(m), ((SubExp.Var) r).name()));
          known.block(p.name());
        }
        case Type.Array t -> known.place(((SubExp.Var) r).name(), t, out);
        case Type.Acc t -> {}
      }
    }
  }

  // Loops

  void loop(List<PatElem> pat, Exp.Loop l, List<Code> out) {
    List<Name> own = new ArrayList<>();
    for (Exp.LoopParam p : l.params()) {
      Param q = p.param();
      scope.add(q.name(), q.type());
      switch (q.type()) {
        case Type.Prim t -> {
          if (!FunctionSymbols.isUnit(t)) {
            out.add(new Code.Declare(q.name(), t.prim(), scope.expr(p.init())));
          }
        }
        case Type.Mem m -> {
          Name init = ((SubExp.Var) p.init()).name();
          out.add(scope.declareBlock(q.name(), m, init));
          own.add(q.name());
          blocks.loopParam(q.name());
        }
        case Type.Array t -> {}
        case Type.Acc t -> {}
      }
    }
    switch (l.form()) {
      case Exp.Form.For f -> {
        scope.add(f.index(), Type.prim(f.type()));
        Expr first = new Expr.Const(PrimValue.zero(f.type()));
        out.add(new Code.For(f.index(), f.type(), first, scope.expr(f.bound()), body(l, own)));
      }
      case Exp.Form.While w -> out.add(new Code.While(w.cond(), body(l, own)));
    }
    for (int i = 0; i < pat.size(); i++) {
      PatElem p = pat.get(i);
      Name q = l.params().get(i).param().name();
      switch (p.type()) {
        case Type.Prim t -> scope.declare(p.name(), t, new Expr.Var(q, t.prim()), out);
        case Type.Mem m -> out.add(scope.declareBlock(p.name(), m, q));
        case Type.Array t -> {}
        case Type.Acc t -> {}
      }
    }
  }

  private List<Code> body(Exp.Loop l, List<Name> own) {
    List<Code> body = new ArrayList<>();
    blocks.inLoop(
        () -> {
          statements.lower(l.body().stms(), l.body().results(), own, body);
          next(l, body);
        });
    return body;
  }

  /** Assigns the next values of a loop's parameters simultaneously. */
  private void next(Exp.Loop l, List<Code> out) {
    Set<Name> params = new HashSet<>();
    for (Exp.LoopParam p : l.params()) {
      params.add(p.param().name());
    }
    Known known = new Known();
    List<Code> assigns = new ArrayList<>();
    for (int i = 0; i < l.params().size(); i++) {
      Param p = l.params().get(i).param();
      SubExp r = l.body().results().get(i);
      if (p.type() instanceof Type.Mem) {
        known.block(p.name());
      }
      if (r.equals(SubExp.of(p.name()))) {
        continue;
      }
      Name other = r instanceof SubExp.Var v && params.contains(v.name()) ? v.name() : null;
      switch (p.type()) {
        case Type.Prim t -> {
          known.scalar(p.name(), t, r);
          if (FunctionSymbols.isUnit(t)) {
            break;
          }
          Expr value = scope.expr(r);
          if (other != null) {
            Name copy = scope.names.fresh(other);
            out.add(new Code.Declare(copy, t.prim(), value));
            value = new Expr.Var(copy, t.prim());
          }
          assigns.add(new Code.Assign(p.name(), value));
        }
        case Type.Mem m -> {
          Name b = ((SubExp.Var) r).name();
          if (other != null) {
            Name copy = scope.names.fresh(other);
            out.add(scope.declareBlock(copy, m, b));
            b = copy;
          }
          assigns.add(new Code.SetBlock(p.name(), FunctionSymbols.elem(m), b));
        }
        case Type.Array t -> known.place(((SubExp.Var) r).name(), t, out);
        case Type.Acc t -> {}
      }
    }
    out.addAll(assigns);
  }

  /** The known values of the results before an array, which the array's type may mention. */
  private final class Known {
    private final Map<Name, Poly> scalars = new HashMap<>();
    private final Set<Name> blocks = new HashSet<>();

    void scalar(Name n, Type.Prim t, SubExp value) {
      if (t.prim() == PrimType.I64) {
        scalars.put(n, Poly.of(value));
      }
    }

    void block(Name n) {
      blocks.add(n);
    }

    /**
     * Copies an array to the memory of its expected type, unless it is already there or its block
     * is returned.
     */
    void place(Name array, Type.Array expected, List<Code> out) {
      ArrayMem m = FunctionSymbols.mem(expected);
      if (blocks.contains(m.block())) {
        return;
      }
      List<Lmad.Dim> dims = new ArrayList<>();
      List<SubExp> shape = scope.type(array).dims();
      for (int i = 0; i < shape.size(); i++) {
        dims.add(new Lmad.Dim(subst(m.lmad().dims().get(i).stride()), shape.get(i)));
      }
      Lmad at = new Lmad(subst(m.lmad().offset()), dims);
      ArrayMem src = scope.mem(array);
      if (src.block().equals(m.block()) && sameFunction(src.lmad(), at)) {
        return;
      }
      arrays.copies().copy(expected.elem(), new ArrayMem(m.block(), at), src, shape, out);
    }

    private Poly subst(Poly p) {
      return p.substitute(n -> scalars.getOrDefault(n, Poly.of(n)));
    }
  }

  private boolean sameFunction(Lmad a, Lmad b) {
    if (!same(a.offset(), b.offset())) {
      return false;
    }
    for (int i = 0; i < a.dims().size(); i++) {
      if (!same(a.dims().get(i).stride(), b.dims().get(i).stride())) {
        return false;
      }
    }
    return true;
  }

  private boolean same(Poly a, Poly b) {
    return a.equals(b) || scope.values.expand(a).equals(scope.values.expand(b));
  }
}
