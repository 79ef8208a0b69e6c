package futharkc.core.language.check;

import futharkc.core.ir.Loc;
import futharkc.core.language.syntax.PrimType;
import futharkc.core.language.syntax.TypeParam.Liftedness;
import futharkc.core.language.typed.MetaType;
import futharkc.core.language.typed.Type;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A type variable of inference, with its constraints. */
final class TypeVar extends MetaType {
  /** The source range that introduced the variable. */
  final Loc loc;

  /**
   * The nesting depth at which the variable was created. It prevents the escape of local type
   * parameters.
   */
  int level;

  /** The permitted liftedness. */
  Liftedness liftedness;

  /** The permitted primitive types as a set of ordinals; 0 if the type need not be primitive. */
  int prims;

  /** The fields that the record type must have. */
  @Nullable SortedMap<String, Type> fields;

  /** The constructors that the sum type must have. */
  @Nullable SortedMap<String, List<Type>> variants;

  TypeVar(int id, int level, Liftedness liftedness, Loc loc) {
    super(id);
    this.level = level;
    this.liftedness = liftedness;
    this.loc = loc;
  }

  static int set(PrimType... types) {
    int set = 0;
    for (PrimType t : types) {
      set |= 1 << t.ordinal();
    }
    return set;
  }

  private static int setOf(java.util.function.Predicate<PrimType> which) {
    int set = 0;
    for (PrimType t : PrimType.values()) {
      if (which.test(t)) {
        set |= 1 << t.ordinal();
      }
    }
    return set;
  }

  static final int SIGNED = setOf(PrimType::isSigned);
  static final int INTEGERS = setOf(PrimType::isInteger);
  static final int FLOATS = setOf(PrimType::isFloat);
  static final int NUMBERS = INTEGERS | FLOATS;
  static final int BOOL = set(PrimType.BOOL);

  void field(String name, Type type) {
    if (fields == null) {
      fields = new TreeMap<>(Type.FIELD_ORDER);
    }
    fields.put(name, type);
  }

  void variant(String name, List<Type> payload) {
    if (variants == null) {
      variants = new TreeMap<>();
    }
    variants.put(name, payload);
  }

  /** Returns the solution of a type variable as far as it is known, or any other type itself. */
  static Type prune(Type t) {
    while (t instanceof TypeVar v && v.solution != null) {
      Type s = v.solution;
      if (s instanceof TypeVar w && w.solution != null) {
        v.solution = w.solution;
      }
      t = s;
    }
    return t;
  }
}
