package futharkc.core.language.lower;

import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Type;
import futharkc.core.language.typed.ValDef;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The bindings of the names of one activation of a function. Every binder of the source has a
 * unique name, so an activation needs no nested scopes.
 */
final class Frame {
  private final @Nullable Frame parent;
  private final Map<Name, LoweredValue> values = new HashMap<>();
  private @Nullable Map<Name, TypeThunk> types;
  private @Nullable Map<Name, LocalDef> defs;

  Frame(@Nullable Frame parent) {
    this.parent = parent;
  }

  /** A local definition and the frame of its free names. */
  record LocalDef(ValDef def, Frame frame, boolean safe) {}

  /** A type with the frame in which its names are evaluated, or a resolved type. */
  record TypeThunk(@Nullable Type type, @Nullable Frame frame, @Nullable Ty resolved) {
    static TypeThunk of(Type type, Frame frame) {
      return new TypeThunk(type, frame, null);
    }

    static TypeThunk of(Ty resolved) {
      return new TypeThunk(null, null, resolved);
    }
  }

  void put(Name name, LoweredValue value) {
    values.put(name, value);
  }

  void putType(Name name, TypeThunk type) {
    if (types == null) {
      types = new HashMap<>();
    }
    types.put(name, type);
  }

  void putDef(Name name, LocalDef def) {
    if (defs == null) {
      defs = new HashMap<>();
    }
    defs.put(name, def);
  }

  @Nullable LocalDef getDef(Name name) {
    for (Frame f = this; f != null; f = f.parent) {
      LocalDef d = f.defs == null ? null : f.defs.get(name);
      if (d != null) {
        return d;
      }
    }
    return null;
  }

  @Nullable LoweredValue get(Name name) {
    for (Frame f = this; f != null; f = f.parent) {
      LoweredValue v = f.values.get(name);
      if (v != null) {
        return v;
      }
    }
    return null;
  }

  @Nullable TypeThunk getType(Name name) {
    for (Frame f = this; f != null; f = f.parent) {
      TypeThunk t = f.types == null ? null : f.types.get(name);
      if (t != null) {
        return t;
      }
    }
    return null;
  }
}
