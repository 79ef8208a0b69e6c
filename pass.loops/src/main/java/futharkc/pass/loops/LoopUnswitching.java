package futharkc.pass.loops;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.UnOp;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.CodeRenamer;
import futharkc.core.ir.imperative.CodeSize;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.Variables;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One innermost loop for {@link LoopUnswitchingPass}. */
final class LoopUnswitching {
  private LoopUnswitching() {}

  /** What replaces a loop: a choice between versions of it; null if it stays. */
  static @Nullable List<Code> rewrite(Code.For loop, Surroundings around) {
    if (!isInnermost(loop.body())) return null;
    return versions(loop, around.target().methods().unswitched(), around);
  }

  private static boolean isInnermost(List<Code> code) {
    return code.stream()
        .allMatch(
            c ->
                switch (c) {
                  case Code.If i -> isInnermost(i.then()) && isInnermost(i.otherwise());
                  case Code.Scope s -> isInnermost(s.body());
                  case Code.Simple _ -> true;
                  case Code.Compound _ -> false;
                });
  }

  /**
   * A choice between two versions of a loop, by the first variable that decides a conditional whose
   * condition varies.
   *
   * @param bytes of bytecode that all versions together may have
   */
  private static @Nullable List<Code> versions(Code.For loop, int bytes, Surroundings around) {
    Set<Name> assigned = Variables.assignedBy(loop.body());
    for (Code.Variable v : Variables.usedBy(loop.body(), Set.of(loop.index()))) {
      if (v.isBlock() || v.type() != PrimType.BOOL || assigned.contains(v.name())) continue;
      Decided yes = new Decided(v.name(), true, loop.index(), assigned);
      Decided no = new Decided(v.name(), false, loop.index(), assigned);
      List<Code> ifTrue = version(loop, yes.statements(loop.body()));
      List<Code> ifFalse = version(loop, no.statements(loop.body()));
      boolean fits = CodeSize.of(ifTrue) + CodeSize.of(ifFalse) <= bytes;
      if (yes.conditionals + no.conditionals == 0 || !fits) continue;
      around.remark("chose once, by " + v.name() + ", before the loop over " + loop.index());
      ifFalse = new CodeRenamer(around.names()).statements(ifFalse);
      ifTrue = further(ifTrue, bytes - CodeSize.of(ifFalse), around);
      ifFalse = further(ifFalse, bytes - CodeSize.of(ifTrue), around);
      Expr chosen = new Expr.Var(v.name(), PrimType.BOOL);
      return List.of(new Code.If(chosen, ifTrue, ifFalse));
    }
    return null;
  }

  private static List<Code> further(List<Code> version, int bytes, Surroundings around) {
    if (version.isEmpty() || !(version.get(0) instanceof Code.For loop)) return version;
    List<Code> versions = versions(loop, bytes, around);
    return versions == null ? version : versions;
  }

  /** The loop with what it does if the condition is known; nothing, if it does nothing. */
  private static List<Code> version(Code.For loop, List<Code> body) {
    if (body.isEmpty()) return List.of();
    Code.Order order = loop.order() instanceof Code.Order.Independent o ? o : Code.Order.UNKNOWN;
    return List.of(
        new Code.For(
            loop.index(), loop.type(), loop.from(), loop.to(), loop.range(), 0, order, body));
  }

  /** What an iteration does if a condition is known. */
  private static final class Decided extends CodeMapper {
    private final Map<Name, Boolean> known = new HashMap<>();
    private final Set<Name> assigned;

    /** What iterations may have different values of. */
    private final Set<Name> varying;

    /** How many conditionals there are no more whose conditions vary. */
    private int conditionals;

    Decided(Name condition, boolean value, Name index, Set<Name> assigned) {
      this.assigned = assigned;
      this.varying = new HashSet<>(assigned);
      varying.add(index);
      known.put(condition, value);
    }

    @Override
    public List<Code> statements(List<Code> code) {
      List<Code> out = new ArrayList<>();
      for (Code c : code) {
        boolean invariant = c instanceof Code.Declare d && d.value() != null && !varies(d);
        if (!invariant) Variables.declaredBy(c).forEach(v -> varying.add(v.name()));
        switch (super.statement(c)) {
          case Code.Declare d when !assigned.contains(d.name()) && value(d.value()) != null ->
              known.put(d.name(), value(d.value()));
          case Code.If i when value(i.cond()) instanceof Boolean b -> {
            if (varies(new Code.If(((Code.If) c).cond(), List.of(), List.of()))) conditionals++;
            out.addAll(b ? i.then() : i.otherwise());
          }
          case Code now -> out.add(now);
        }
      }
      return out;
    }

    /** Whether what a statement computes depends on the iteration, or on memory. */
    private boolean varies(Code c) {
      return Variables.usedBy(List.of(c), Set.of()).stream()
          .anyMatch(v -> v.isBlock() || varying.contains(v.name()));
    }

    @Override
    public Expr var(Expr.Var v) {
      Boolean value = known.get(v.name());
      return value == null ? v : Expr.bool(value);
    }

    @Override
    public Expr expr(Expr e) {
      Expr now = super.expr(e);
      return switch (now) {
        case Expr.Binary b when b.op().kind() == BinOp.Kind.LOG_OR -> either(b, true);
        case Expr.Binary b when b.op().kind() == BinOp.Kind.LOG_AND -> either(b, false);
        case Expr.Unary u when u.op().kind() == UnOp.Kind.NOT && value(u.operand()) != null ->
            Expr.bool(Boolean.FALSE.equals(value(u.operand())));
        default -> now;
      };
    }

    /** An operation that one operand decides if it has that value, and leaves to the other else. */
    private static Expr either(Expr.Binary b, boolean decides) {
      Boolean left = value(b.left());
      Boolean right = value(b.right());
      if (left != null) return left == decides ? b.left() : b.right();
      if (right != null) return right == decides ? b.right() : b.left();
      return b;
    }

    private static @Nullable Boolean value(@Nullable Expr e) {
      return e instanceof Expr.Const c && c.type() == PrimType.BOOL ? c.value().asBoolean() : null;
    }
  }
}
