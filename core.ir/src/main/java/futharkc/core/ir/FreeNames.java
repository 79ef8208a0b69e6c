package futharkc.core.ir;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The free names of a piece of IR: used in it, sizes in types, memory annotations and certificates
 * included, and not bound in it. Since no name is bound twice in a function, they are the names
 * used less the names bound.
 */
public final class FreeNames extends Mapper {
  private final Set<Name> used = new LinkedHashSet<>();
  private final Set<Name> bound = new HashSet<>();

  private FreeNames() {}

  @Override
  public Name name(Name use) {
    used.add(use);
    return use;
  }

  @Override
  public Poly poly(Poly p) {
    used.addAll(p.names());
    return p;
  }

  @Override
  public Name binder(Name n) {
    bound.add(n);
    return n;
  }

  private Set<Name> result() {
    used.removeAll(bound);
    return used;
  }

  /** In order of first use, here and below. */
  public static Set<Name> of(Exp e) {
    FreeNames f = new FreeNames();
    f.exp(e);
    return f.result();
  }

  /** Those of the expression, the pattern's types and the certificates. */
  public static Set<Name> of(Stm s) {
    FreeNames f = new FreeNames();
    f.stm(s);
    return f.result();
  }

  public static Set<Name> of(Body b) {
    FreeNames f = new FreeNames();
    f.body(b);
    return f.result();
  }

  /** Those are constants. */
  public static Set<Name> of(FunDef fun) {
    FreeNames f = new FreeNames();
    f.fun(fun);
    return f.result();
  }

  public static Set<Name> of(Lambda l) {
    FreeNames f = new FreeNames();
    f.lambda(l);
    return f.result();
  }

  public static Set<Name> of(SegOp op) {
    FreeNames f = new FreeNames();
    f.segOp(op);
    return f.result();
  }

  public static Set<Name> of(Type t) {
    FreeNames f = new FreeNames();
    f.type(t);
    return f.result();
  }
}
