package futharkc.core.language.syntax;

import futharkc.core.ir.Loc;

/** A size or type parameter of a function, type or module type. */
public sealed interface TypeParam {
  String name();

  Loc loc();

  /** A size parameter: {@code [n]}. */
  record Size(String name, Loc loc) implements TypeParam {}

  /** A type parameter: {@code 't}, {@code '~t} or {@code '^t}. */
  record Type(Liftedness liftedness, String name, Loc loc) implements TypeParam {}

  /** The permitted contents of a type. */
  enum Liftedness {
    /** Neither functions nor unknown sizes. */
    UNLIFTED,
    /** Unknown sizes, but no functions ({@code ~}). */
    SIZE_LIFTED,
    /** Functions and unknown sizes ({@code ^}). */
    LIFTED
  }
}
