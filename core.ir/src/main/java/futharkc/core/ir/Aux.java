package futharkc.core.ir;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * The metadata of a statement: certificates, attributes and source location.
 *
 * @param certs certificates (unit values, results of {@code Assert}): the statement must not be
 *     evaluated unless they hold. A pass that drops, moves or copies a statement keeps its
 *     certificates
 * @param attrs attributes as written in the source: {@code unroll}, {@code sequential_inner}
 * @param loc the source location
 */
public record Aux(List<Name> certs, List<String> attrs, Loc loc) {
  public static final Aux NONE = new Aux(List.of(), List.of(), Loc.NONE);

  public Aux {
    certs = List.copyOf(certs);
    attrs = List.copyOf(attrs);
  }

  /** Returns metadata with a source location, without certificates or attributes. */
  public static Aux at(Loc loc) {
    return new Aux(List.of(), List.of(), loc);
  }

  /** Returns this metadata with further certificates. */
  public Aux plusCerts(List<Name> more) {
    if (more.isEmpty()) {
      return this;
    }
    LinkedHashSet<Name> all = new LinkedHashSet<>(certs);
    all.addAll(more);
    return new Aux(new ArrayList<>(all), attrs, loc);
  }

  /** Returns this metadata with its certificates replaced. */
  public Aux withCerts(List<Name> certs) {
    return new Aux(certs, attrs, loc);
  }

  /** Returns the certificates and attributes of both, at the location of this metadata. */
  public Aux and(Aux other) {
    LinkedHashSet<String> all = new LinkedHashSet<>(attrs);
    all.addAll(other.attrs);
    return new Aux(certs, new ArrayList<>(all), loc).plusCerts(other.certs);
  }

  public boolean hasAttr(String attr) {
    return attrs.contains(attr);
  }
}
