package futharkc.tests.kit.arrays;

import futharkc.core.ir.Name;
import futharkc.core.ir.Type;
import java.util.Set;

/**
 * An array that a random program may use.
 *
 * @param roots what it may share elements with: arrays by the names they were made by
 */
record Arr(Name name, Type.Array type, Set<Name> roots) {
  Arr {
    roots = Set.copyOf(roots);
  }
}
