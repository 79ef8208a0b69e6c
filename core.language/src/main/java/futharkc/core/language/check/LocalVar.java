package futharkc.core.language.check;

import futharkc.core.ir.Loc;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A variable bound within a definition; first its type without sizes gets known, then the one with.
 */
final class LocalVar implements Entity {
  final Name name;
  final Loc loc;

  /** Without meaningful sizes. */
  final Type type;

  /** The explicit type parameters of a local function. */
  final List<TypeParamInfo> typeParams;

  /** With sizes; set by size inference where the variable is bound. */
  @Nullable Scheme sized;

  /** The definition being checked, as seen by its own body. */
  final boolean self;

  LocalVar(Name name, Loc loc, Type type) {
    this(name, loc, type, List.of(), false);
  }

  LocalVar(Name name, Loc loc, Type type, List<TypeParamInfo> typeParams, boolean self) {
    this.name = name;
    this.loc = loc;
    this.type = type;
    this.typeParams = typeParams;
    this.self = self;
  }

  @Override
  public String toString() {
    return name.toString();
  }
}
