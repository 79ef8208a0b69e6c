package futharkc.core.language.lower;

import futharkc.core.ir.SubExp;
import futharkc.core.language.syntax.PrimType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The symbolic value of an expression during lowering. */
sealed interface LoweredValue {
  /** A scalar, array, sum or accumulator, given by the leaves of its type. */
  record Data(Ty type, List<SubExp> leaves) implements LoweredValue {
    public Data {
      leaves = List.copyOf(leaves);
    }
  }

  /** A record or tuple. */
  record Rec(SortedMap<String, LoweredValue> fields) implements LoweredValue {}

  /** A function with fewer arguments than it takes. */
  record Closure(Callee callee, List<LoweredValue> args) implements LoweredValue {}

  /** A value of a sum type that contains functions. Its constructor is known during lowering. */
  record Variant(Ty.Sum type, String constructor, List<LoweredValue> payload)
      implements LoweredValue {}

  static LoweredValue scalar(PrimType t, SubExp e) {
    return new Data(new Ty.Prim(t), List.of(e));
  }

  static LoweredValue i64(SubExp e) {
    return new Data(Ty.Prim.I64, List.of(e));
  }

  static LoweredValue bool(SubExp e) {
    return new Data(Ty.Prim.BOOL, List.of(e));
  }

  static LoweredValue array(SubExp size, Ty elem, List<SubExp> leaves) {
    return new Data(new Ty.Array(size, elem), leaves);
  }

  static LoweredValue tuple(List<LoweredValue> elems) {
    TreeMap<String, LoweredValue> fields =
        new TreeMap<>(futharkc.core.language.typed.Type.FIELD_ORDER);
    for (int i = 0; i < elems.size(); i++) {
      fields.put(Integer.toString(i), elems.get(i));
    }
    return new Rec(fields);
  }

  /** Returns the value of a type without functions that has the given leaves. */
  static LoweredValue of(Ty type, List<SubExp> leaves) {
    return switch (type) {
      case Ty.Record r -> {
        TreeMap<String, LoweredValue> fields =
            new TreeMap<>(futharkc.core.language.typed.Type.FIELD_ORDER);
        int at = 0;
        for (var e : r.fields().entrySet()) {
          int n = e.getValue().leafCount();
          fields.put(e.getKey(), of(e.getValue(), leaves.subList(at, at + n)));
          at += n;
        }
        yield new Rec(fields);
      }
      case Ty.Fun f -> throw new IllegalStateException("function where only data may be");
      case Ty.Prim p -> new Data(type, leaves);
      case Ty.Array a -> new Data(type, leaves);
      case Ty.Sum s -> new Data(type, leaves);
      case Ty.Acc a -> new Data(type, leaves);
    };
  }

  default Ty type() {
    return switch (this) {
      case Data d -> d.type;
      case Rec r -> {
        TreeMap<String, Ty> fields = new TreeMap<>(futharkc.core.language.typed.Type.FIELD_ORDER);
        r.fields.forEach((k, v) -> fields.put(k, v.type()));
        yield new Ty.Record(fields);
      }
      case Variant x -> x.type;
      case Closure c -> new Ty.Fun();
    };
  }

  /** Returns the leaves, in the order of the type's leaves. */
  default List<SubExp> leaves() {
    if (this instanceof Data d) {
      return d.leaves;
    }
    List<SubExp> out = new ArrayList<>();
    addLeaves(out);
    return Collections.unmodifiableList(out);
  }

  private void addLeaves(List<SubExp> out) {
    switch (this) {
      case Data d -> out.addAll(d.leaves);
      case Rec r -> {
        for (LoweredValue v : r.fields.values()) {
          v.addLeaves(out);
        }
      }
      case Variant x -> {
        for (LoweredValue v : x.payload) {
          v.addLeaves(out);
        }
      }
      case Closure c -> {}
    }
  }

  /** Returns the operand of a scalar. */
  default SubExp scalar() {
    if (this instanceof Data d && d.leaves.size() == 1) {
      return d.leaves.get(0);
    }
    throw new IllegalStateException("not a scalar: " + this);
  }

  /** Returns the type of an array. */
  default Ty.Array arrayType() {
    if (this instanceof Data d && d.type instanceof Ty.Array a) {
      return a;
    }
    throw new IllegalStateException("not an array: " + this);
  }

  /** Returns a field of a record. */
  default LoweredValue field(String name) {
    if (this instanceof Rec r) {
      LoweredValue v = r.fields.get(name);
      if (v != null) {
        return v;
      }
    }
    throw new IllegalStateException("no field " + name + " in " + this);
  }

  /** Tests whether the value contains a function. */
  default boolean hasFunctions() {
    return switch (this) {
      case Data d -> false;
      case Rec r -> r.fields.values().stream().anyMatch(LoweredValue::hasFunctions);
      case Variant x -> true;
      case Closure c -> true;
    };
  }
}
