package futharkc.core.language.check;

import futharkc.core.ir.Loc;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A variable bound within a definition. The first pass infers its type without sizes, the second
 * pass its type with sizes.
 */
final class LocalVar implements Entity {
  final Name name;
  final Loc loc;

  /** The type from the first pass, whose sizes have no meaning. */
  final Type type;

  /** The explicit type parameters of a local function. */
  final List<TypeParamInfo> typeParams;

  /** The type with sizes. Size inference sets it at the variable's binding. */
  @Nullable Scheme sized;

  /** True for the definition being checked, as seen from its own body. */
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
