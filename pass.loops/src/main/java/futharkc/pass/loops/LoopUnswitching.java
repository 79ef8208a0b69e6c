package futharkc.pass.loops;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.UnOp;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeCopies;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.CodeRenamer;
import futharkc.core.ir.imperative.CodeSize;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.Variables;
import futharkc.core.ir.spi.Option;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rewriting of one innermost loop for {@link LoopUnswitchingPass}. */
final class LoopUnswitching {
  /** The maximum bytes of bytecode of all versions of a loop. */
  static final Option BYTES =
      Option.integer(
          "bytes",
          2000,
          "maximum bytes of bytecode of all versions of a loop; a method with such versions"
              + " keeps its loops");

  private LoopUnswitching() {}

  /** Returns a choice between versions of the loop; null if the loop is not unswitched. */
  static @Nullable List<Code> rewrite(Code.For loop, LoopContext around) {
    boolean isInnermost = CodeCopies.isPureBut(loop.body(), s -> true);
    return isInnermost ? versions(loop, around.number(BYTES), around) : null;
  }

  /**
   * Returns a choice between two versions of a loop, by the first variable whose versions pay off;
   * null if there is none.
   *
   * @param bytes the maximum bytes of bytecode of all versions together
   */
  private static @Nullable List<Code> versions(Code.For loop, int bytes, LoopContext around) {
    Set<Name> assigned = Variables.assignedBy(loop.body());
    for (Code.Variable v : Variables.usedBy(loop.body(), Set.of(loop.index()))) {
      if (v.isBlock() || v.type() != PrimType.BOOL || assigned.contains(v.name())) {
        continue;
      }
      Decided yes = new Decided(v.name(), true, loop.index(), assigned);
      Decided no = new Decided(v.name(), false, loop.index(), assigned);
      List<Code> ifTrue = version(loop, yes.statements(loop.body()));
      List<Code> ifFalse = version(loop, no.statements(loop.body()));
      boolean fits = CodeSize.of(ifTrue) + CodeSize.of(ifFalse) <= bytes;
      if (yes.choices + no.choices == 0 || !fits) {
        continue;
      }
      around.remark("unswitched the loop over " + loop.index() + " by " + v.name());
      ifFalse = new CodeRenamer(around.names()).statements(ifFalse);
      ifTrue = further(ifTrue, bytes - CodeSize.of(ifFalse), around);
      ifFalse = further(ifFalse, bytes - CodeSize.of(ifTrue), around);
      Expr chosen = new Expr.Var(v.name(), PrimType.BOOL);
      return List.of(new Code.If(chosen, ifTrue, ifFalse));
    }
    return null;
  }

  private static List<Code> further(List<Code> version, int bytes, LoopContext around) {
    if (version.isEmpty() || !(version.get(0) instanceof Code.For loop)) {
      return version;
    }
    List<Code> versions = versions(loop, bytes, around);
    return versions == null ? version : versions;
  }

  /** Returns a version of the loop with a simplified body; nothing if the body is empty. */
  private static List<Code> version(Code.For loop, List<Code> body) {
    return body.isEmpty() ? List.of() : List.of(loop.withIterations(body));
  }

  /** A simplification of an iteration under a known condition. */
  private static final class Decided extends CodeMapper {
    private final Map<Name, Boolean> known = new HashMap<>();
    private final Set<Name> assigned;

    /** The variables that differ between iterations. */
    private final Set<Name> varying;

    /**
     * The number of removed conditionals whose condition varied and whose branches accessed
     * different elements.
     */
    private int choices;

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
        boolean varies = varies(c);
        if (varies) {
          Variables.declaredBy(c).forEach(v -> varying.add(v.name()));
        }
        switch (super.statement(c)) {
          case Code.Declare d when !assigned.contains(d.name()) && value(d.value()) != null ->
              known.put(d.name(), value(d.value()));
          case Code.If i when value(i.cond()) instanceof Boolean b -> {
            if (varies && !accesses(i.then()).equals(accesses(i.otherwise()))) {
              choices++;
            }
            out.addAll(b ? i.then() : i.otherwise());
          }
          case Code now -> out.add(now);
        }
      }
      return out;
    }

    /**
     * Tests whether the value or condition of a statement depends on the iteration or on memory.
     */
    private boolean varies(Code c) {
      Code itself = c instanceof Code.If i ? new Code.If(i.cond(), List.of(), List.of()) : c;
      return c instanceof Code.Declare d && d.value() == null
          || Variables.usedBy(List.of(itself), Set.of()).stream()
              .anyMatch(v -> v.isBlock() || varying.contains(v.name()));
    }

    /** Returns the elements that statements read and write. */
    private static Set<Expr> accesses(List<Code> code) {
      Set<Expr> found = new HashSet<>();
      new CodeMapper() {
        @Override
        public Code statement(Code c) {
          if (c instanceof Code.Store s) {
            found.add(new Expr.Load(s.block(), s.elem(), s.index()));
          }
          return super.statement(c);
        }

        @Override
        public Expr expr(Expr e) {
          if (e instanceof Expr.Load) {
            found.add(e);
          }
          return super.expr(e);
        }
      }.statements(code);
      return found;
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

    /**
     * Returns a logical operation, simplified if one operand is known.
     *
     * @param decides the operand value that determines the result
     */
    private static Expr either(Expr.Binary b, boolean decides) {
      Boolean left = value(b.left());
      Boolean right = value(b.right());
      if (left != null) {
        return left == decides ? b.left() : b.right();
      }
      if (right != null) {
        return right == decides ? b.right() : b.left();
      }
      return b;
    }

    private static @Nullable Boolean value(@Nullable Expr e) {
      return e instanceof Expr.Const c && c.type() == PrimType.BOOL ? c.value().asBoolean() : null;
    }
  }
}
