package futharkc.pass.readbatching;

import futharkc.core.ir.Name;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.Variables;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The statements of an iteration that the host can execute before it knows that the iteration runs.
 * Their effects end with the iteration: they assign variables and write blocks of the iteration
 * only, and launch kernels, which a condition can disable. The sizes of their blocks and grids are
 * those of every iteration.
 */
final class SpeculativePart {
  /** Names with values that the host does not know yet. */
  private final Set<Name> unknown;

  /** Names whose values may differ between iterations. */
  private final Set<Name> varying;

  /** The variables that the part declares at any depth. */
  private final Set<Name> declared = new HashSet<>();

  /** The blocks that the part allocates at any depth, and variables for them. */
  private final Set<Name> allocated = new HashSet<>();

  private final Scope outermost = new Scope();
  private int launches;

  /** A list of statements. */
  private static final class Scope {
    /** The variables of the list's blocks that are not released. */
    final Set<Name> owned = new LinkedHashSet<>();

    /** The variables that the list declares. */
    final Set<Name> declared = new HashSet<>();

    /** The variables of lists around this list that get blocks of this list. */
    final Set<Name> given = new HashSet<>();
  }

  /**
   * An empty part.
   *
   * @param unknown names with values that the host does not know yet
   * @param varying variables that iterations carry to the next one
   */
  SpeculativePart(Set<Name> unknown, Set<Name> varying) {
    this.unknown = unknown;
    this.varying = new HashSet<>(varying);
  }

  /** Returns the number of kernel launches in the text of the part. */
  int launches() {
    return launches;
  }

  /** Returns the variables of the blocks to release if the iteration does not run. */
  List<Name> owned() {
    return new ArrayList<>(outermost.owned);
  }

  /**
   * Adds a statement if it is legal. The part ends before the first illegal statement, and later
   * calls have undefined results.
   */
  boolean add(Code code) {
    int before = launches;
    boolean isLegal = add(code, outermost, false);
    if (!isLegal) {
      launches = before;
    }
    return isLegal;
  }

  private boolean isVarying(Collection<Name> names) {
    return names.stream().anyMatch(varying::contains);
  }

  private static Set<Name> names(Expr... all) {
    Set<Name> names = new HashSet<>();
    for (Expr e : all) {
      names.addAll(Variables.in(List.of(new Code.Operand.Scalar(e))));
    }
    return names;
  }

  private void declare(Name n, Scope here, boolean varies) {
    declared.add(n);
    here.declared.add(n);
    if (varies) {
      varying.add(n);
    }
  }

  /**
   * Adds a statement.
   *
   * @param isBranchVarying true in a branch whose condition may differ between iterations
   */
  private boolean add(Code code, Scope here, boolean isBranchVarying) {
    Set<Name> used = Variables.readBy(List.of(code));
    if (used.stream().anyMatch(unknown::contains)) {
      return false;
    }
    boolean varies = isBranchVarying || isVarying(used);
    return switch (code) {
      case Code.Declare d -> {
        declare(d.name(), here, varies);
        yield true;
      }
      case Code.GetSize g -> {
        declare(g.target(), here, false);
        yield true;
      }
      case Code.GetSizeMax g -> {
        declare(g.target(), here, false);
        yield true;
      }
      case Code.CompareSize c -> {
        declare(c.target(), here, varies);
        yield true;
      }
      case Code.ConstantBlock c -> {
        declare(c.block(), here, false);
        yield true;
      }
      case Code.DeclareBlock d -> {
        declare(d.block(), here, varies);
        yield true;
      }
      case Code.Assign a -> {
        if (varies) {
          varying.add(a.name());
        }
        yield declared.contains(a.name());
      }
      case Code.SetBlock s -> set(s, here);
      case Code.Alloc a -> {
        declare(a.block(), here, false);
        allocated.add(a.block());
        here.owned.add(a.block());
        yield !varies;
      }
      case Code.Free f -> f.unless().isEmpty() && here.owned.remove(f.block());
      case Code.CopyRun c ->
          allocated.contains(c.to())
              && !isVarying(names(new Expr.Index(c.toAt()), new Expr.Index(c.fromAt()), c.count()));
      case Code.WriteElement w -> allocated.contains(w.block()) && !isVarying(w.index().names());
      case Code.Launch l -> {
        launches++;
        Set<Name> configuration = names(l.blocks(), l.threads());
        l.shared().forEach(s -> configuration.addAll(names(s.bytes())));
        yield !isBranchVarying && !isVarying(configuration);
      }
      case Code.If i -> branch(i, here, isBranchVarying || isVarying(names(i.cond())));
      // The check has passed in the first iteration.
      case Code.Assert _ -> !varies;
      case Code.Scope s -> {
        Set<Name> given = nested(s.body(), isBranchVarying);
        yield given != null && give(given, here);
      }
      default -> false;
    };
  }

  /** Lets a variable of the part take over a block. */
  private boolean set(Code.SetBlock s, Scope here) {
    if (!declared.contains(s.block()) || !here.owned.remove(s.value())) {
      return false;
    }
    allocated.add(s.block());
    if (here.declared.contains(s.block())) {
      return here.owned.add(s.block());
    }
    return here.given.add(s.block());
  }

  /** Lets a list have the blocks that a nested list has given to variables outside. */
  private static boolean give(Set<Name> given, Scope here) {
    for (Name n : given) {
      if (!(here.declared.contains(n) ? here.owned : here.given).add(n)) {
        return false;
      }
    }
    return true;
  }

  private boolean branch(Code.If branch, Scope here, boolean isVarying) {
    Set<Name> then = nested(branch.then(), isVarying);
    Set<Name> otherwise = nested(branch.otherwise(), isVarying);
    return then != null && then.equals(otherwise) && give(then, here);
  }

  /** Adds nested statements; returns null if they are illegal or leave a block unreleased. */
  private @Nullable Set<Name> nested(List<Code> code, boolean isVarying) {
    Scope scope = new Scope();
    for (Code c : code) {
      if (!add(c, scope, isVarying)) {
        return null;
      }
    }
    return scope.owned.isEmpty() ? scope.given : null;
  }
}
