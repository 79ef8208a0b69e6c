package futharkc.core.language.syntax;

import futharkc.core.ir.Loc;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A module expression as written. */
public sealed interface ModExp {
  Loc loc();

  /** A module's name. */
  record Var(QualName name, Loc loc) implements ModExp {}

  /** {@code import "f"}. */
  record Import(String path, Loc loc) implements ModExp {}

  /** {@code { decs }}. */
  record Decs(List<Dec> decs, Loc loc) implements ModExp {}

  /** {@code M N}. */
  record Apply(ModExp functor, ModExp arg, Loc loc) implements ModExp {}

  /** {@code M : S}. */
  record Ascript(ModExp mod, SigExp sig, Loc loc) implements ModExp {}

  /** {@code \(P: S) : R -> M}. */
  record Lambda(Param param, @Nullable SigExp result, ModExp body, Loc loc) implements ModExp {}

  /** A module parameter. */
  record Param(String name, SigExp sig, Loc loc) {}
}
