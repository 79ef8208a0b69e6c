package futharkc.tests.kit.arrays;

import futharkc.core.ir.Name;
import futharkc.core.ir.Type;
import java.util.Set;

/**
 * An array that a random program may use.
 *
 * @param roots the names of the arrays that own its elements
 */
record ArrayVariable(Name name, Type.Array type, Set<Name> roots) {
  ArrayVariable {
    roots = Set.copyOf(roots);
  }
}
