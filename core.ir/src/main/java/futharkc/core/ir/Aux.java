package futharkc.core.ir;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * What goes with a statement whatever its expression.
 *
 * @param certs certificates (unit values, results of {@code Assert}): the statement must not be
 *     evaluated unless they hold. Whoever drops, moves or copies a statement keeps them
 * @param attrs attributes from the source, as written: {@code unroll}, {@code sequential_inner}
 * @param loc where it comes from
 */
public record Aux(List<Name> certs, List<String> attrs, Loc loc) {
  public static final Aux NONE = new Aux(List.of(), List.of(), Loc.NONE);

  public Aux {
    certs = List.copyOf(certs);
    attrs = List.copyOf(attrs);
  }

  /** Without certificates or attributes. */
  public static Aux at(Loc loc) {
    return new Aux(List.of(), List.of(), loc);
  }

  /** With further certificates. */
  public Aux plusCerts(List<Name> more) {
    if (more.isEmpty()) return this;
    LinkedHashSet<Name> all = new LinkedHashSet<>(certs);
    all.addAll(more);
    return new Aux(new ArrayList<>(all), attrs, loc);
  }

  /** With certificates replaced. */
  public Aux withCerts(List<Name> certs) {
    return new Aux(certs, attrs, loc);
  }

  /** The certificates and attributes of both, at this one's location. */
  public Aux and(Aux other) {
    LinkedHashSet<String> all = new LinkedHashSet<>(attrs);
    all.addAll(other.attrs);
    return new Aux(certs, new ArrayList<>(all), loc).plusCerts(other.certs);
  }

  public boolean hasAttr(String attr) {
    return attrs.contains(attr);
  }
}
