package futharkc.backend.interpreter;

import futharkc.core.ir.ExtType;
import futharkc.core.runtime.ValueType;
import java.util.List;
import java.util.Map;

/** The conversion of entry point types to run-time types. */
final class ValueTypes {
  private final Map<String, ExtType.Def> opaques;

  ValueTypes(Map<String, ExtType.Def> opaques) {
    this.opaques = opaques;
  }

  ValueType of(ExtType t) {
    return switch (t) {
      case ExtType.Transparent x -> {
        ValueType elem = new ValueType.Prim(Signature.elemType(x.prim(), x.unsigned()));
        yield x.rank() == 0 ? elem : ValueType.arrayOf(x.rank(), elem);
      }
      case ExtType.Opaque o -> opaque(o.name());
    };
  }

  private ValueType.Opaque opaque(String name) {
    ExtType.Def d = opaques.get(name);
    if (d == null) {
      throw new Fault("there is no type " + name);
    }
    return new ValueType.Opaque(
        name,
        switch (d.structure()) {
          case ExtType.Structure.Record r -> record(r.fields());
          case ExtType.Structure.Sum s ->
              new ValueType.Sum(
                  parts(d),
                  s.variants().stream().map(this::variant).toArray(ValueType.Variant[]::new));
          case ExtType.Structure.Array a -> new ValueType.ArrayOf(a.rank(), elem(a.elem()));
          case ExtType.Structure.RecordArray a ->
              new ValueType.ArrayOf(
                  a.rank(), new ValueType.Opaque(d.elementName(), record(a.fields())));
          case ExtType.Structure.Unknown u -> new ValueType.Abstract(parts(d));
        });
  }

  private ValueType.Opaque elem(ExtType t) {
    if (t instanceof ExtType.Opaque o) {
      return opaque(o.name());
    }
    throw new Fault("an array of " + t.text() + " is shown as one of an opaque type");
  }

  private ValueType.Record record(List<ExtType.Field> fields) {
    return new ValueType.Record(
        fields.stream()
            .map(f -> new ValueType.Field(f.name(), of(f.type())))
            .toArray(ValueType.Field[]::new));
  }

  private ValueType.Variant variant(ExtType.Variant v) {
    return new ValueType.Variant(
        v.name(),
        v.payload().stream().map(this::of).toArray(ValueType[]::new),
        v.slots().stream().map(s -> s.stream().mapToInt(i -> i).toArray()).toArray(int[][]::new));
  }

  private static ValueType.Part[] parts(ExtType.Def d) {
    ValueType.Part[] parts = new ValueType.Part[d.parts().size()];
    for (int i = 0; i < parts.length; i++) {
      ExtType.Transparent t = d.parts().get(i);
      String[] dims = d.dims().get(i).toArray(new String[0]);
      parts[i] = new ValueType.Part(Signature.elemType(t.prim(), t.unsigned()), dims);
    }
    return parts;
  }
}
