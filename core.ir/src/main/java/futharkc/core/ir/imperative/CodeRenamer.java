package futharkc.core.ir.imperative;

import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import java.util.HashMap;
import java.util.Map;

/**
 * A mapper that gives every variable declared in the code a fresh name, so that the copy and the
 * original may be in one function. It can also replace variables declared outside.
 */
public final class CodeRenamer extends CodeMapper {
  private final NameSource fresh;
  private final Map<Name, Name> renamed = new HashMap<>();
  private final Map<Name, Expr> replaced = new HashMap<>();

  public CodeRenamer(NameSource fresh) {
    this.fresh = fresh;
  }

  /**
   * Adds a replacement for a variable that the code does not declare.
   *
   * @param by a variable if the replaced variable is a block or is assigned; an expression with an
   *     {@link Expr#poly} if it occurs in an index
   */
  public CodeRenamer with(Name used, Expr by) {
    replaced.put(used, by);
    return this;
  }

  @Override
  public Name binder(Name declared) {
    Name n = fresh.fresh(declared);
    renamed.put(declared, n);
    return n;
  }

  @Override
  public Name name(Name use) {
    Name n = renamed.get(use);
    if (n != null) {
      return n;
    }
    Expr by = replaced.get(use);
    if (by == null) {
      return use;
    }
    if (by instanceof Expr.Var v) {
      return v.name();
    }
    throw new IllegalArgumentException(use + " is used where only a variable is legal, not " + by);
  }

  @Override
  public Expr var(Expr.Var v) {
    Expr by = renamed.containsKey(v.name()) ? null : replaced.get(v.name());
    return by == null ? super.var(v) : by;
  }
}
