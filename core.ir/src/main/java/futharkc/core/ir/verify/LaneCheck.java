package futharkc.core.ir.verify;

import static futharkc.core.ir.verify.Check.require;

import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.LaneForms;
import futharkc.core.ir.imperative.Variables;
import futharkc.core.ir.verify.CodeScope.Declared;
import futharkc.core.ir.verify.CodeScope.Kind;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Verification of vector loops: their statements, the uses of lane variables, and expressions with
 * a vector form.
 */
final class LaneCheck {
  private final CodeCheck code;
  private final CodeScope scope;
  private final ExprCheck exprs;

  /** The forms in the body of a vector loop; null outside. */
  private @Nullable LaneForms forms;

  LaneCheck(CodeCheck code, CodeScope scope, ExprCheck exprs) {
    this.code = code;
    this.scope = scope;
    this.exprs = exprs;
  }

  /** Checks that a statement may stand in its context. */
  void isAllowed(Code c) {
    if (forms == null) {
      require(
          !(c instanceof Code.Vector) || c instanceof Code.VectorLoop,
          "a lane statement outside a vector loop");
      return;
    }
    boolean legal =
        c instanceof Code.Vector && !(c instanceof Code.VectorLoop)
            || c instanceof Code.Declare
            || c instanceof Code.Assign
            || c instanceof Code.If
            || c instanceof Code.For
            || c instanceof Code.While
            || c instanceof Code.Scope
            || c instanceof Code.CheckCancelled;
    require(legal, "this statement has no form in vector loops");
  }

  void vector(Code.Vector v) {
    switch (v) {
      case Code.VectorLoop l -> loop(l);
      case Code.DeclareLanes d -> {
        require(LaneForms.hasVectors(d.type()), "there are no vectors of " + d.type());
        Expr value = d.value();
        if (value != null) {
          value(value, d.type(), "the value of " + d.name(), null);
        }
        scope.declare(Code.Variable.scalar(d.name(), d.type()), Kind.LANES);
        forms().lanes().add(d.name());
        if (value == null) {
          scope.lack(d.name(), CodeScope.Lack.UNASSIGNED);
        }
      }
      case Code.AssignLanes a -> {
        mask(a.mask());
        value(a.value(), a.value().type(), "the value of " + a.name(), a.mask());
        Declared d = scope.change(Code.Variable.scalar(a.name(), a.value().type()));
        require(d.kind() == Kind.LANES, "lanes are assigned to " + d.kind().described);
        // Lanes outside the mask keep their value, if any; the interpreter finds missing values.
        scope.assigned(a.name());
      }
      case Code.StoreLanes s -> {
        code.written(s.block(), s.elem());
        require(s.elem() != PrimType.BOOL, "there are no vectors of bool in memory");
        require(
            forms().isConsecutive(s.index()),
            "lanes write to " + s.index() + ", whose values are not consecutive");
        exprs.inLanes(() -> exprs.index(s.index()));
        mask(s.mask());
        value(s.value(), s.elem(), "the value stored in " + s.block(), s.mask());
      }
      case Code.AnyLane a -> {
        mask(a.mask());
        Declared d = scope.change(Code.Variable.scalar(a.name(), PrimType.BOOL));
        require(d.kind() == Kind.SCALAR, "the target of an assignment is " + d.kind().described);
        scope.assigned(a.name());
      }
    }
  }

  private LaneForms forms() {
    LaneForms now = forms;
    if (now == null) {
      throw new IllegalStateException("outside a vector loop");
    }
    return now;
  }

  private void loop(Code.VectorLoop l) {
    exprs.expr(l.from(), PrimType.I64, "a bound of a loop");
    exprs.expr(l.to(), PrimType.I64, "a bound of a loop");
    Set<Name> changed = new HashSet<>();
    for (Code.Variable v : Variables.usedBy(l.body(), Set.of(l.index()))) {
      changed.add(v.name());
    }
    changed.retainAll(Variables.assignedBy(l.body()));
    require(changed.isEmpty(), "a vector loop carries " + changed + " from iteration to iteration");
    Set<Name> lanes = new HashSet<>();
    lanes.add(l.index());
    forms = new LaneForms(lanes, l.index());
    code.repeated(l.body(), l.index(), Kind.LANES);
    forms = null;
    code.block(l.rest(), l.done());
  }

  private void value(Expr e, PrimType type, String what, @Nullable Name mask) {
    exprs.inLanes(() -> exprs.expr(e, type, what));
    require(forms().isLegal(e, mask != null), what + " has no vector form");
  }

  private void mask(@Nullable Name mask) {
    if (mask != null) {
      exprs.inLanes(
          () -> {
            Declared d = exprs.scalar(mask, PrimType.BOOL);
            require(d.kind() == Kind.LANES, "a mask is " + d.kind().described);
          });
    }
  }
}
