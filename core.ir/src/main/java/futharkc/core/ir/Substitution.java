package futharkc.core.ir;

import java.util.Map;

/**
 * Replaces uses of names by operands. Names bound in what is rewritten must not occur in the
 * replacements.
 */
public final class Substitution extends Mapper {
  private final Map<Name, SubExp> replacements;

  /** By these replacements; others stay. */
  public Substitution(Map<Name, ? extends SubExp> replacements) {
    this.replacements = Map.copyOf(replacements);
  }

  @Override
  public SubExp subExp(SubExp e) {
    if (!(e instanceof SubExp.Var v)) return e;
    SubExp r = replacements.get(v.name());
    return r == null ? e : r;
  }

  @Override
  public Name name(Name use) {
    SubExp r = replacements.get(use);
    if (r == null) return use;
    if (r instanceof SubExp.Var v) return v.name();
    throw new IllegalArgumentException(use + " stands where only a variable may, so not for " + r);
  }
}
