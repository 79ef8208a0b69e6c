package futharkc.core.language.syntax;

import futharkc.core.ir.Loc;

/** A size or type parameter of a function, type or module type. */
public sealed interface TypeParam {
  String name();

  Loc loc();

  /** {@code [n]}. */
  record Size(String name, Loc loc) implements TypeParam {}

  /** {@code 't}, {@code '~t} or {@code '^t}. */
  record Type(Liftedness liftedness, String name, Loc loc) implements TypeParam {}

  /** What a type may contain. */
  enum Liftedness {
    /** Neither functions nor unknown sizes. */
    UNLIFTED,
    /** Possibly unknown sizes ({@code ~}). */
    SIZE_LIFTED,
    /** Possibly functions ({@code ^}). */
    LIFTED
  }
}
