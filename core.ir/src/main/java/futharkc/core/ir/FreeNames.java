package futharkc.core.ir;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A traversal that collects the free names of an IR node: names used but not bound in the node.
 * Uses include sizes in types, memory annotations and certificates. Since a function binds no name
 * twice, the free names are the used names minus the bound names.
 */
public final class FreeNames extends Mapper {
  private final Set<Name> used = new LinkedHashSet<>();
  private final Set<Name> bound = new HashSet<>();
  private final @Nullable Function<Stm, Set<Name>> known;

  private FreeNames() {
    this(null);
  }

  private FreeNames(@Nullable Function<Stm, Set<Name>> known) {
    this.known = known;
  }

  /** Adds the known free names of a nested statement without visiting its bodies. */
  @Override
  public Stm stm(Stm s) {
    if (known == null || s.exp() instanceof BasicOp) {
      return super.stm(s);
    }
    used.addAll(known.apply(s));
    bound.addAll(s.names());
    return s;
  }

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

  /**
   * Returns the free names of an expression in order of first use. The other methods use the same
   * order.
   */
  public static Set<Name> of(Exp e) {
    FreeNames f = new FreeNames();
    f.exp(e);
    return f.result();
  }

  /** Returns the free names of a statement: of its expression, pattern types and certificates. */
  public static Set<Name> of(Stm s) {
    FreeNames f = new FreeNames();
    f.stm(s);
    return f.result();
  }

  /**
   * Returns the free names of a statement from those of the statements in its bodies.
   *
   * @param known returns the free names of a statement
   */
  public static Set<Name> of(Stm s, Function<Stm, Set<Name>> known) {
    FreeNames f = new FreeNames(known);
    f.visit(s);
    return f.result();
  }

  private void visit(Stm s) {
    super.stm(s);
  }

  public static Set<Name> of(Body b) {
    FreeNames f = new FreeNames();
    f.body(b);
    return f.result();
  }

  /** Returns the free names of a function, which are constants of the program. */
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
