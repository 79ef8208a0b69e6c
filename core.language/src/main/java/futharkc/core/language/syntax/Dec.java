package futharkc.core.language.syntax;

import futharkc.core.ir.Loc;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A declaration as written. */
public sealed interface Dec {
  Loc loc();

  /** A value or function definition: {@code def}, {@code let} or {@code entry}. */
  record Val(
      boolean entry,
      String name,
      List<TypeParam> typeParams,
      List<Pat> params,
      @Nullable TypeExp result,
      Exp body,
      List<Attr> attrs,
      @Nullable String doc,
      Loc nameLoc,
      Loc loc)
      implements Dec {}

  /** A type definition: {@code type t [n] 'a = ...}. */
  record Type(
      TypeParam.Liftedness liftedness,
      String name,
      List<TypeParam> params,
      TypeExp type,
      @Nullable String doc,
      Loc loc)
      implements Dec {}

  /** A module definition: {@code module M (P: S) : R = ...}. */
  record Mod(
      String name,
      List<ModExp.Param> params,
      @Nullable SigExp sig,
      ModExp body,
      @Nullable String doc,
      Loc loc)
      implements Dec {}

  /** A module type definition: {@code module type S = ...}. */
  record Sig(String name, SigExp sig, @Nullable String doc, Loc loc) implements Dec {}

  /** An opened module: {@code open M}. */
  record Open(ModExp mod, Loc loc) implements Dec {}

  /** An import, {@code import "f"}. The file's declarations are visible here, but not exported. */
  record Import(String path, Loc loc) implements Dec {}

  /** A declaration that is not exported: {@code local dec}. */
  record Local(Dec dec, Loc loc) implements Dec {}
}
