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
 * What is known of a program between two passes.
 *
 * @param rep its representation
 * @param properties what holds
 */
public record State(Rep rep, Set<Property> properties) {
  /** What the front end makes of a program that uses no derivatives. */
  public static final State LOWERED = new State(Rep.SOACS, Set.of(Property.DIFFERENTIATED));

  /** Makes an unmodifiable copy. */
  public State {
    properties = Set.copyOf(properties);
  }

  /** What holds after a pass that accepts the representation. */
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

  /** Those of some properties that do not hold, in the order of their names. */
  List<Property> missing(Collection<Property> required) {
    Set<Property> missing = new TreeSet<>(Comparator.comparing(Property::name));
    missing.addAll(required);
    missing.removeAll(properties);
    return List.copyOf(missing);
  }

  /** Whether a pass runs on a representation and stays in it. */
  static boolean keeps(PassInfo pass, Rep rep) {
    return pass.accepts().contains(rep) && (pass.produces() == null || pass.produces() == rep);
  }
}
