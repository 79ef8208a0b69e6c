package futharkc.pass.readbatching;

import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeRenamer;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.Variables;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The scalar statements at the end of an iteration that need the scalars of a wait. The next
 * iteration executes them after the wait. Variables keep the values of their other operands.
 */
final class DeferredStatements {
  private final List<Code> body;
  private final int waitAt;
  private final Set<Integer> indices;

  /** The names of the scalars, and of variables that the statements assign. */
  private final Set<Name> unknown;

  private DeferredStatements(List<Code> body, int waitAt, Set<Integer> indices, Set<Name> unknown) {
    this.body = body;
    this.waitAt = waitAt;
    this.indices = indices;
    this.unknown = unknown;
  }

  /**
   * Returns the statements that need the scalars of a wait, or null if some are not scalar.
   *
   * @param body the statements of an iteration
   * @param waitAt the index of the wait
   */
  static @Nullable DeferredStatements of(List<Code> body, int waitAt) {
    Set<Name> unknown = new HashSet<>();
    ((Code.AwaitElements) body.get(waitAt)).elements().forEach(e -> unknown.add(e.target()));
    Set<Integer> indices = new TreeSet<>();
    for (int i = waitAt + 1; i < body.size(); i++) {
      Set<Name> all = new HashSet<>(Variables.assignedBy(body.subList(i, i + 1)));
      Set<Name> read = Variables.readBy(body.subList(i, i + 1));
      boolean isNew = read.stream().anyMatch(unknown::contains);
      if (!isNew && all.stream().noneMatch(unknown::contains)) {
        continue;
      }
      Code c = body.get(i);
      boolean isOrdered =
          c instanceof Code.If
              && all.stream().anyMatch(n -> read.contains(n) && !unknown.contains(n));
      if (isOrdered || !isScalar(c)) {
        return null;
      }
      Variables.declaredBy(c).forEach(v -> all.add(v.name()));
      unknown.addAll(all);
      indices.add(i);
    }
    for (int i = waitAt + 1; i < body.size(); i++) {
      if (body.get(i) instanceof Code.Declare d && unknown.contains(d.name())) {
        indices.add(i);
      }
    }
    return new DeferredStatements(body, waitAt, indices, unknown);
  }

  private static boolean isScalar(Code code) {
    return switch (code) {
      case Code.Declare _, Code.Assign _ -> true;
      case Code.If i ->
          i.then().stream().allMatch(DeferredStatements::isScalar)
              && i.otherwise().stream().allMatch(DeferredStatements::isScalar);
      default -> false;
    };
  }

  /** Returns the names of the scalars, and of variables that the statements assign. */
  Set<Name> unknown() {
    return unknown;
  }

  /**
   * The statements in the form for the next iteration.
   *
   * @param kept the variables that keep operands
   * @param deferred the statements, in terms of these variables
   * @param rest the other statements after the wait, with assignments to these variables
   */
  record Divided(List<Code.Variable> kept, List<Code> deferred, List<Code> rest) {}

  /**
   * Divides the statements after the wait.
   *
   * @param removed the indices of statements to leave out
   */
  Divided divide(Set<Integer> removed, NameSource names) {
    Set<Name> local = new HashSet<>(Variables.assignedBy(body));
    Variables.declaredBy(body).forEach(v -> local.add(v.name()));
    local.removeAll(unknown);
    List<Code.Variable> kept = new ArrayList<>();
    List<Code> deferred = new ArrayList<>();
    List<Code> rest = new ArrayList<>();
    // Variables whose earlier values the statements read before they assign them.
    Set<Name> assigned = new HashSet<>();
    ((Code.AwaitElements) body.get(waitAt)).elements().forEach(e -> assigned.add(e.target()));
    Map<Name, Name> now = new HashMap<>();
    for (int i = waitAt + 1; i < body.size(); i++) {
      Code c = body.get(i);
      if (removed.contains(i)) {
        continue;
      }
      List<Code> one = List.of(c);
      if (!indices.contains(i)) {
        rest.add(c);
        Variables.assignedBy(one).forEach(now::remove);
        continue;
      }
      Set<Name> read = Variables.readBy(one);
      CodeRenamer operands = new CodeRenamer(names);
      for (Code.Variable v : Variables.usedBy(one, List.of())) {
        boolean isKept = local.contains(v.name()) || unknown.contains(v.name());
        if (!read.contains(v.name()) || assigned.contains(v.name()) || !isKept) {
          continue;
        }
        Name copy = now.get(v.name());
        if (copy == null) {
          copy = names.fresh(v.name());
          now.put(v.name(), copy);
          kept.add(Code.Variable.scalar(copy, v.type()));
          rest.add(new Code.Assign(copy, new Expr.Var(v.name(), v.type())));
        }
        operands.with(v.name(), new Expr.Var(copy, v.type()));
      }
      deferred.add(withOperands(c, operands));
      assigned.addAll(Variables.assignedBy(one));
      Variables.declaredBy(c).forEach(v -> assigned.add(v.name()));
    }
    return new Divided(kept, deferred, rest);
  }

  /** Returns a statement with other operands that assigns the same variables. */
  private static Code withOperands(Code code, CodeRenamer operands) {
    return switch (code) {
      case Code.Assign a -> new Code.Assign(a.name(), operands.expr(a.value()));
      case Code.Declare d ->
          d.value() == null ? d : new Code.Declare(d.name(), d.type(), operands.expr(d.value()));
      case Code.If i ->
          new Code.If(
              operands.expr(i.cond()),
              i.then().stream().map(c -> withOperands(c, operands)).toList(),
              i.otherwise().stream().map(c -> withOperands(c, operands)).toList());
      default -> throw new IllegalStateException(code.toString());
    };
  }

  /** A copy of deferred statements in a kernel, where they compute one variable. */
  static final class InKernel {
    private final List<Code> deferred;
    private final NameSource names;
    private final List<Code> out = new ArrayList<>();

    /** The kernel's variables for those of the host. */
    private final Map<Name, Expr.Var> copies = new HashMap<>();

    /**
     * Makes an empty copy.
     *
     * @param deferred the statements
     * @param names a source of names
     */
    InKernel(List<Code> deferred, NameSource names) {
      this.deferred = deferred;
      this.names = names;
    }

    /** Adds a variable with the value of a variable of the host. */
    void add(Name of, Expr value) {
      Expr.Var copy = new Expr.Var(names.fresh(of), value.type());
      out.add(new Code.Declare(copy.name(), copy.type(), value));
      copies.put(of, copy);
    }

    /** Adds the statements that compute a variable; returns the value of the variable. */
    Expr compute(Expr.Var variable) {
      Set<Name> needed = new HashSet<>(Set.of(variable.name()));
      List<Code> found = new ArrayList<>();
      for (Code c : deferred.reversed()) {
        Set<Name> sets = new HashSet<>(Variables.assignedBy(List.of(c)));
        Variables.declaredBy(c).forEach(v -> sets.add(v.name()));
        if (sets.stream().anyMatch(needed::contains)) {
          found.add(c);
          needed.addAll(Variables.readBy(List.of(c)));
        }
      }
      for (Code c : found.reversed()) {
        switch (c) {
          case Code.Assign a -> add(a.name(), value(a.value()));
          case Code.Declare d ->
              add(d.name(), d.value() == null ? Expr.zero(d.type()) : value(d.value()));
          default -> {
            for (Code.Variable v : Variables.usedBy(List.of(c), List.of())) {
              if (Variables.assignedBy(List.of(c)).contains(v.name())) {
                add(v.name(), value(new Expr.Var(v.name(), v.type())));
              }
            }
            out.add(renamer().statement(c));
          }
        }
      }
      return value(variable);
    }

    private Expr value(Expr e) {
      return renamer().expr(e);
    }

    private CodeRenamer renamer() {
      CodeRenamer renamer = new CodeRenamer(names);
      copies.forEach(renamer::with);
      return renamer;
    }

    /** Returns the statements. */
    List<Code> statements() {
      return out;
    }
  }
}
