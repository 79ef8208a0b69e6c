package futharkc.core.language.index;

/** The meaning of a module or module type. */
sealed interface Meaning {
  /** A collection of definitions. */
  record Structure(Members members) implements Meaning {}

  /** A parametric module with the members of its parameter and its result. */
  record Parametric(Meaning parameter, Meaning result) implements Meaning {}

  /** Returns the meaning of a module with an error. */
  static Meaning unknown() {
    return new Structure(new Members());
  }

  /** Returns the members; a parametric module has none. */
  default Members members() {
    return this instanceof Structure s ? s.members : new Members();
  }

  /** Joins the symbols of a module with the symbols of the same names in a module type. */
  static void join(Meaning module, Meaning type) {
    if (module instanceof Parametric m && type instanceof Parametric t) {
      join(m.parameter, t.parameter);
      join(m.result, t.result);
      return;
    }
    if (!(module instanceof Structure m) || !(type instanceof Structure t)) {
      return;
    }
    for (Members.Space space : Members.Space.values()) {
      t.members
          .all(space)
          .forEach(
              (name, specified) -> {
                Symbol given = m.members.get(space, name);
                if (given != null) {
                  given.join(specified);
                  if (given.meaning != null && specified.meaning != null) {
                    join(given.meaning, specified.meaning);
                  }
                }
              });
    }
  }
}
