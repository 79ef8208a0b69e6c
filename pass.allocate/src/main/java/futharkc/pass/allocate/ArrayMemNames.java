package futharkc.pass.allocate;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import java.util.LinkedHashSet;
import java.util.Set;

/** Queries on the memory of arrays. */
final class ArrayMemNames {
  private ArrayMemNames() {}

  /** Returns the memory block and the names in the index function. */
  static Set<Name> namesIn(ArrayMem mem) {
    Set<Name> found = new LinkedHashSet<>();
    new Mapper() {
      @Override
      public Name name(Name use) {
        found.add(use);
        return use;
      }
    }.arrayMem(mem);
    return found;
  }
}
