package futharkc.core.language.syntax;

import java.util.List;

/** An attribute, the text between {@code #[} and {@code ]}. */
public sealed interface Attr {
  /** A name alone: {@code #[unsafe]}. */
  record Atom(String name) implements Attr {}

  /** An integer argument of a compound attribute. */
  record Int(long value) implements Attr {}

  /** A name with arguments: {@code #[flattening(only_inner)]}. */
  record Compound(String name, List<Attr> args) implements Attr {
    public Compound {
      args = List.copyOf(args);
    }
  }

  /** Tests whether this attribute is the atom of a name. */
  default boolean is(String name) {
    return this instanceof Atom a && a.name.equals(name);
  }

  /** Tests whether this attribute is {@code name(arg)} with an atom as its only argument. */
  default boolean is(String name, String arg) {
    return this instanceof Compound c
        && c.name.equals(name)
        && c.args.size() == 1
        && c.args.get(0).is(arg);
  }
}
