package futharkc.tests.kit.arrays;

import futharkc.core.ir.Builder;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The scope of a body in a random program: sizes, arrays, indices, scalars, and the statements so
 * far.
 */
final class ArrayScope {
  /** The executor of a body, which determines the parallel operations that the body may contain. */
  enum Where {
    HOST,
    THREAD_BLOCK,
    THREAD
  }

  /** A non-negative number less than a size. */
  record Index(SubExp value, SubExp size) {}

  /** A scalar variable or constant, with its type. */
  record Scalar(SubExp value, PrimType type) {}

  final Builder code;
  final Where where;

  /** The number of enclosing bodies. */
  final int depth;

  final RandomSizes sizes;
  private final List<ArrayVariable> arrays;
  final List<Index> indices;
  final List<Scalar> scalars;

  /** The roots of consumed arrays. */
  final Set<Name> dead;

  /** The roots of arrays that this body must not consume. */
  private final Set<Name> fixed;

  ArrayScope(NameSource names) {
    this.code = new Builder(names);
    this.where = Where.HOST;
    this.depth = 0;
    this.sizes = new RandomSizes();
    this.arrays = new ArrayList<>();
    this.indices = new ArrayList<>();
    this.scalars = new ArrayList<>();
    this.dead = new HashSet<>();
    this.fixed = new HashSet<>();
  }

  private ArrayScope(ArrayScope outer, Where where, boolean repeated) {
    this.code = new Builder(outer.code.names());
    this.where = where;
    this.depth = outer.depth + 1;
    this.sizes = new RandomSizes(outer.sizes);
    this.arrays = new ArrayList<>(outer.arrays);
    this.indices = new ArrayList<>(outer.indices);
    this.scalars = new ArrayList<>(outer.scalars);
    this.dead = new HashSet<>(outer.dead);
    this.fixed = new HashSet<>(outer.fixed);
    if (repeated) {
      outer.arrays.forEach(a -> fixed.addAll(a.roots()));
    }
  }

  /** Returns a scope for the body of a branch. */
  ArrayScope branch() {
    return new ArrayScope(this, where, false);
  }

  /**
   * Returns a scope for a body that may run several times. The body must not consume an array from
   * outside.
   */
  ArrayScope repeated(Where where) {
    return new ArrayScope(this, where, true);
  }

  Name fresh(String base) {
    return code.names().fresh(base);
  }

  /** Adds an array that owns its elements. */
  ArrayVariable fresh(Name name, Type.Array type) {
    return add(new ArrayVariable(name, type, Set.of(name)));
  }

  ArrayVariable add(ArrayVariable a) {
    arrays.add(a);
    return a;
  }

  void fix(ArrayVariable a) {
    fixed.addAll(a.roots());
  }

  void consume(ArrayVariable a) {
    dead.addAll(a.roots());
  }

  /** Returns the arrays that are not consumed. */
  List<ArrayVariable> live() {
    return arrays.stream().filter(a -> Collections.disjoint(a.roots(), dead)).toList();
  }

  /** Returns the arrays of a type that are not consumed. */
  List<ArrayVariable> live(Type.Array type) {
    return live().stream().filter(a -> a.type().equals(type)).toList();
  }

  boolean mayConsume(ArrayVariable a) {
    return Collections.disjoint(a.roots(), fixed) && Collections.disjoint(a.roots(), dead);
  }

  /** Returns the subset of {@code roots} that arrays in scope have. */
  Set<Name> visible(Set<Name> roots) {
    Set<Name> seen = new HashSet<>();
    for (ArrayVariable a : arrays) {
      for (Name n : a.roots()) {
        if (roots.contains(n)) {
          seen.add(n);
        }
      }
    }
    return seen;
  }
}
