package futharkc.core.ir;

import java.util.Map;

/**
 * A mapper that replaces uses of names by operands. Names bound in the mapped node must not occur
 * in the replacements.
 */
public final class Substitution extends Mapper {
  private final Map<Name, SubExp> replacements;

  /** Makes a substitution that leaves names without a replacement unchanged. */
  public Substitution(Map<Name, ? extends SubExp> replacements) {
    this.replacements = Map.copyOf(replacements);
  }

  @Override
  public SubExp subExp(SubExp e) {
    if (!(e instanceof SubExp.Var v)) {
      return e;
    }
    SubExp r = replacements.get(v.name());
    return r == null ? e : r;
  }

  @Override
  public Name name(Name use) {
    SubExp r = replacements.get(use);
    if (r == null) {
      return use;
    }
    if (r instanceof SubExp.Var v) {
      return v.name();
    }
    throw new IllegalArgumentException(use + " is used where only a variable is legal, not " + r);
  }
}
