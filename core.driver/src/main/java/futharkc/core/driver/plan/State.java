package futharkc.core.driver.plan;

import futharkc.core.ir.Rep;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Property;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The state of a program between two passes.
 *
 * @param rep the representation
 * @param properties the properties that hold
 */
public record State(Rep rep, Set<Property> properties) {
  /** The state of a program from the front end that uses no derivatives. */
  public static final State LOWERED = new State(Rep.SOACS, Set.of(Property.DIFFERENTIATED));

  /** Copies the set. */
  public State {
    properties = Set.copyOf(properties);
  }

  /** Returns the state after a pass that accepts the representation. */
  State after(PassInfo pass) {
    if (!pass.accepts().contains(rep)) {
      throw new IllegalArgumentException(pass.name() + " does not accept " + rep);
    }
    Set<Property> holding = new java.util.HashSet<>(properties);
    holding.removeAll(pass.destroys());
    holding.addAll(pass.establishes());
    Rep produced = pass.produces();
    return new State(produced == null ? rep : produced, holding);
  }

  /** Returns the required properties that do not hold, ordered by name. */
  List<Property> missing(Collection<Property> required) {
    Set<Property> missing = new TreeSet<>(Comparator.comparing(Property::name));
    missing.addAll(required);
    missing.removeAll(properties);
    return List.copyOf(missing);
  }

  /** Tests whether a pass accepts a representation and keeps it. */
  static boolean keeps(PassInfo pass, Rep rep) {
    return pass.accepts().contains(rep) && (pass.produces() == null || pass.produces() == rep);
  }
}
