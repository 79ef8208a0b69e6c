package futharkc.core.runtime;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The types of a program's entry points and of their components, by name. */
public final class TypeTable {
  private final Map<String, ValueType> types = new LinkedHashMap<>();

  /** Creates the table of a program. */
  public TypeTable(FutharkProgram program) {
    for (EntryPoint entry : program.entryPoints()) {
      for (EntryPoint.Parameter param : entry.parameters()) {
        add(param.type());
      }
      add(entry.result());
    }
  }

  private void add(ValueType type) {
    if (types.putIfAbsent(type.name(), type) != null) {
      return;
    }
    if (Opaques.rank(type) > 0) {
      add(Opaques.elementType(type));
    }
    ValueType.Field[] fields = Opaques.fields(type);
    if (fields != null) {
      for (ValueType.Field field : fields) {
        add(field.type());
      }
    }
    if (type instanceof ValueType.Opaque o && o.structure() instanceof ValueType.Sum sum) {
      for (ValueType.Variant variant : sum.variants()) {
        for (ValueType payload : variant.payload()) {
          add(payload);
        }
      }
    }
  }

  /** Returns the names of all types. */
  public Set<String> names() {
    return types.keySet();
  }

  /**
   * Returns the type with a name, which may also be a primitive type or an array of primitives
   * outside the table.
   */
  public @Nullable ValueType find(String name) {
    ValueType type = types.get(name);
    if (type != null) {
      return type;
    }
    int rank = 0;
    while (name.startsWith("[]", 2 * rank)) {
      rank++;
    }
    ElemType elem = ElemType.ofText(name.substring(2 * rank));
    if (elem == null || elem == ElemType.UNIT) {
      return null;
    }
    return rank == 0 ? new ValueType.Prim(elem) : new ValueType.Array(elem, rank);
  }
}
