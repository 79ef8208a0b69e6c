package futharkc.core.ir.imperative;

import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import java.util.HashMap;
import java.util.Map;

/**
 * Gives every variable that the code declares a fresh name, so that a copy can stand beside the
 * original, and replaces some that it does not declare.
 */
public final class CodeRenamer extends CodeMapper {
  private final NameSource fresh;
  private final Map<Name, Name> renamed = new HashMap<>();
  private final Map<Name, Expr> replaced = new HashMap<>();

  public CodeRenamer(NameSource fresh) {
    this.fresh = fresh;
  }

  /**
   * Also replaces a variable that the code does not declare.
   *
   * @param by where the variable is a block or assigned, another one; where it occurs in an index,
   *     something that {@link Expr#poly} makes a polynomial of
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
    if (n != null) return n;
    Expr by = replaced.get(use);
    if (by == null) return use;
    if (by instanceof Expr.Var v) return v.name();
    throw new IllegalArgumentException(use + " stands where only a variable may, so not for " + by);
  }

  @Override
  public Expr var(Expr.Var v) {
    Expr by = renamed.containsKey(v.name()) ? null : replaced.get(v.name());
    return by == null ? super.var(v) : by;
  }
}
