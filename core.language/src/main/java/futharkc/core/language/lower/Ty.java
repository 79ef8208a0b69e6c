package futharkc.core.language.lower;

import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * A source type without names: sizes are operands, and type parameters and abstract types are
 * resolved. The data of a value are its <em>leaves</em>: scalars and arrays of scalars. The leaves
 * of a record are the leaves of its fields in order. The leaves of an array are the leaves of its
 * element type with one more dimension.
 */
sealed interface Ty {
  /** A size that is unknown in the context of the type. */
  SubExp UNKNOWN = SubExp.of(new Name("unknown", -1));

  /** A primitive type of the source language. */
  record Prim(futharkc.core.language.syntax.PrimType type) implements Ty {
    static final Ty BOOL = new Prim(futharkc.core.language.syntax.PrimType.BOOL);
    static final Ty I64 = new Prim(futharkc.core.language.syntax.PrimType.I64);
  }

  /** An array type with one dimension over an element type. */
  record Array(SubExp size, Ty elem) implements Ty {}

  /** A record or tuple. */
  record Record(SortedMap<String, Ty> fields) implements Ty {
    static final Ty UNIT = new Record(new TreeMap<>());

    /** Returns the type of a field. */
    Ty field(String name) {
      return Objects.requireNonNull(fields.get(name));
    }
  }

  /**
   * A sum. Its leaves are the tag, which is the constructor's number in name order, and the slots
   * of {@link SumLayout}.
   */
  record Sum(SortedMap<String, List<Ty>> variants) implements Ty {
    SumLayout layout() {
      return SumLayout.of(this);
    }

    /** Returns the payload types of a constructor. */
    List<Ty> payload(String constructor) {
      return Objects.requireNonNull(variants.get(constructor));
    }

    /** Returns the tag of a constructor. */
    int tag(String constructor) {
      return variants.headMap(constructor).size();
    }
  }

  /** An accumulator of arrays with elements of type {@code elem}. */
  record Acc(Type.Acc type, Ty elem) implements Ty {}

  /** A function. Its value is known during lowering, and it has no leaves. */
  record Fun() implements Ty {}

  /** Returns the representation of a source primitive type. */
  static PrimType ir(futharkc.core.language.syntax.PrimType t) {
    return switch (t) {
      case I8, U8 -> PrimType.I8;
      case I16, U16 -> PrimType.I16;
      case I32, U32 -> PrimType.I32;
      case I64, U64 -> PrimType.I64;
      case F16 -> PrimType.F16;
      case F32 -> PrimType.F32;
      case F64 -> PrimType.F64;
      case BOOL -> PrimType.BOOL;
    };
  }

  /** Returns the types of the leaves. */
  default List<Type> leaves() {
    if (this instanceof Prim p) {
      return List.of(Type.prim(ir(p.type)));
    }
    List<Type> out = new ArrayList<>();
    addLeaves(List.of(), out);
    return out;
  }

  private void addLeaves(List<SubExp> shape, List<Type> out) {
    switch (this) {
      case Prim p -> out.add(Type.array(Type.prim(ir(p.type)), shape));
      case Array a -> {
        List<SubExp> inner = new ArrayList<>(shape);
        inner.add(a.size);
        a.elem.addLeaves(inner, out);
      }
      case Record r -> {
        for (Ty t : r.fields.values()) {
          t.addLeaves(shape, out);
        }
      }
      case Sum s -> {
        out.add(Type.array(Type.prim(PrimType.I8), shape));
        for (Type t : s.layout().slots()) {
          out.add(Type.array(t, shape));
        }
      }
      case Acc a -> out.add(a.type);
      case Fun f -> {}
    }
  }

  /** Returns the number of leaves. */
  default int leafCount() {
    return switch (this) {
      case Prim p -> 1;
      case Array a -> a.elem.leafCount();
      case Record r -> r.fields.values().stream().mapToInt(Ty::leafCount).sum();
      case Sum s -> 1 + s.layout().slots().size();
      case Acc a -> 1;
      case Fun f -> 0;
    };
  }

  /** Returns this type with every size replaced. */
  default Ty mapSizes(UnaryOperator<SubExp> f) {
    return switch (this) {
      case Prim p -> p;
      case Array a -> {
        SubExp size = f.apply(a.size);
        Ty elem = a.elem.mapSizes(f);
        yield size == a.size && elem == a.elem ? a : new Array(size, elem);
      }
      case Record r -> {
        TreeMap<String, Ty> fields = new TreeMap<>(futharkc.core.language.typed.Type.FIELD_ORDER);
        r.fields.forEach((k, t) -> fields.put(k, t.mapSizes(f)));
        yield new Record(fields);
      }
      case Sum s -> {
        TreeMap<String, List<Ty>> variants = new TreeMap<>();
        s.variants.forEach(
            (k, ts) -> variants.put(k, ts.stream().map(t -> t.mapSizes(f)).toList()));
        yield new Sum(variants);
      }
      case Acc a -> a;
      case Fun x -> x;
    };
  }

  /**
   * Calls the consumer with each pair of corresponding sizes of this type and of another type with
   * the same structure, outermost first.
   */
  default void zipSizes(Ty other, java.util.function.BiConsumer<SubExp, SubExp> f) {
    switch (this) {
      case Prim p -> {}
      case Array a -> {
        Array b = (Array) other;
        f.accept(a.size, b.size);
        a.elem.zipSizes(b.elem, f);
      }
      case Record r -> {
        Record b = (Record) other;
        r.fields.forEach((k, t) -> t.zipSizes(b.field(k), f));
      }
      case Sum s -> {
        Sum b = (Sum) other;
        s.variants.forEach(
            (k, ts) -> {
              for (int i = 0; i < ts.size(); i++) {
                ts.get(i).zipSizes(b.payload(k).get(i), f);
              }
            });
      }
      case Acc a -> {}
      case Fun x -> {}
    }
  }

  /** Tests whether a value of the type contains a function. */
  default boolean hasFunctions() {
    return switch (this) {
      case Fun f -> true;
      case Record r -> r.fields.values().stream().anyMatch(Ty::hasFunctions);
      case Prim p -> false;
      case Array a -> false;
      case Sum s ->
          s.variants.values().stream().anyMatch(ts -> ts.stream().anyMatch(Ty::hasFunctions));
      case Acc a -> false;
    };
  }

  /** Returns an array type with the given shape. */
  static Ty array(List<SubExp> shape, Ty elem) {
    Ty t = elem;
    for (int i = shape.size() - 1; i >= 0; i--) {
      t = new Array(shape.get(i), t);
    }
    return t;
  }

  /** Returns the tuple of types. */
  static Ty tuple(List<Ty> elems) {
    TreeMap<String, Ty> fields = new TreeMap<>(futharkc.core.language.typed.Type.FIELD_ORDER);
    for (int i = 0; i < elems.size(); i++) {
      fields.put(Integer.toString(i), elems.get(i));
    }
    return new Record(fields);
  }
}
