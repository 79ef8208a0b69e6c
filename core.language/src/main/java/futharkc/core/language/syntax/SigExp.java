package futharkc.core.language.syntax;

import futharkc.core.ir.Loc;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A module type as written. */
public sealed interface SigExp {
  Loc loc();

  /** The name of a module type. */
  record Var(QualName name, Loc loc) implements SigExp {}

  /** A list of specifications: {@code { specs }}. */
  record Specs(List<Spec> specs, Loc loc) implements SigExp {}

  /** A module type with a refined type: {@code S with t 'a = type}. */
  record With(SigExp sig, QualName name, List<TypeParam> params, TypeExp type, Loc loc)
      implements SigExp {}

  /** The type of a parametric module: {@code (P: S) -> R}. */
  record Arrow(@Nullable String param, SigExp from, SigExp to, Loc loc) implements SigExp {}

  /** A specification in a module type. */
  sealed interface Spec {
    Loc loc();

    /** A value: {@code val f 'a : t}. */
    record Val(String name, List<TypeParam> typeParams, TypeExp type, @Nullable String doc, Loc loc)
        implements Spec {}

    /** An abstract type: {@code type t 'a}. */
    record AbstractType(
        TypeParam.Liftedness liftedness,
        String name,
        List<TypeParam> params,
        @Nullable String doc,
        Loc loc)
        implements Spec {}

    /** A type abbreviation: {@code type t 'a = u}. */
    record TypeAbbr(Dec.Type dec) implements Spec {
      @Override
      public Loc loc() {
        return dec.loc();
      }
    }

    /** A module: {@code module M : S}. */
    record Mod(String name, SigExp sig, @Nullable String doc, Loc loc) implements Spec {}

    /** An included module type: {@code include S}. */
    record Include(SigExp sig, Loc loc) implements Spec {}
  }
}
