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

/** What a body of a random program may use, and its statements so far. */
final class ArrayScope {
  /** What runs the body, and so what parallel operations it may have. */
  enum Where {
    HOST,
    THREAD_BLOCK,
    THREAD
  }

  /** A number that is less than a size and not negative. */
  record Index(SubExp value, SubExp size) {}

  /** A scalar to compute with. */
  record Scalar(SubExp value, PrimType type) {}

  final Builder code;
  final Where where;

  /** How many bodies are around it. */
  final int depth;

  final RandomSizes sizes;
  private final List<Arr> arrays;
  final List<Index> indices;
  final List<Scalar> scalars;

  /** The roots of what has been consumed. */
  final Set<Name> dead;

  /** The roots of what may not be consumed here. */
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
    if (repeated) outer.arrays.forEach(a -> fixed.addAll(a.roots()));
  }

  /** The body of a branch. */
  ArrayScope branch() {
    return new ArrayScope(this, where, false);
  }

  /** A body that may run several times, and so consumes nothing from outside. */
  ArrayScope repeated(Where where) {
    return new ArrayScope(this, where, true);
  }

  Name fresh(String base) {
    return code.names().fresh(base);
  }

  /** An array with elements of its own. */
  Arr fresh(Name name, Type.Array type) {
    return add(new Arr(name, type, Set.of(name)));
  }

  Arr add(Arr a) {
    arrays.add(a);
    return a;
  }

  void fix(Arr a) {
    fixed.addAll(a.roots());
  }

  void consume(Arr a) {
    dead.addAll(a.roots());
  }

  /** The arrays that are still there. */
  List<Arr> live() {
    return arrays.stream().filter(a -> Collections.disjoint(a.roots(), dead)).toList();
  }

  /** Those of a type. */
  List<Arr> live(Type.Array type) {
    return live().stream().filter(a -> a.type().equals(type)).toList();
  }

  boolean mayConsume(Arr a) {
    return Collections.disjoint(a.roots(), fixed) && Collections.disjoint(a.roots(), dead);
  }

  /** Those of some roots that arrays in scope have. */
  Set<Name> visible(Set<Name> roots) {
    Set<Name> seen = new HashSet<>();
    for (Arr a : arrays) for (Name n : a.roots()) if (roots.contains(n)) seen.add(n);
    return seen;
  }
}
