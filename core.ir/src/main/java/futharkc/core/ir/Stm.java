package futharkc.core.ir;

import java.util.List;

/** A statement: {@code let pat = exp}. */
public record Stm(List<PatElem> pat, Aux aux, Exp exp) {
  public Stm {
    pat = List.copyOf(pat);
  }

  /** Returns a statement that binds a single name, with empty metadata. */
  public static Stm of(Name name, Type type, Exp exp) {
    return new Stm(List.of(new PatElem(name, type)), Aux.NONE, exp);
  }

  /** Returns the bound names. */
  public List<Name> names() {
    return pat.stream().map(PatElem::name).toList();
  }

  public Stm withExp(Exp exp) {
    return new Stm(pat, aux, exp);
  }
}
