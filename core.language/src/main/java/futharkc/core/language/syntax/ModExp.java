package futharkc.core.language.syntax;

import futharkc.core.ir.Loc;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A module expression as written. */
public sealed interface ModExp {
  Loc loc();

  /** The name of a module. */
  record Var(QualName name, Loc loc) implements ModExp {}

  /** An imported file: {@code import "f"}. */
  record Import(String path, Loc loc) implements ModExp {}

  /** A structure: {@code { decs }}. */
  record Decs(List<Dec> decs, Loc loc) implements ModExp {}

  /** An application of a parametric module: {@code M N}. */
  record Apply(ModExp functor, ModExp arg, Loc loc) implements ModExp {}

  /** A module with a module type: {@code M : S}. */
  record Ascript(ModExp mod, SigExp sig, Loc loc) implements ModExp {}

  /** A parametric module: {@code \(P: S) : R -> M}. */
  record Lambda(Param param, @Nullable SigExp result, ModExp body, Loc loc) implements ModExp {}

  /** A parameter of a module. */
  record Param(String name, SigExp sig, Loc loc) {}
}
