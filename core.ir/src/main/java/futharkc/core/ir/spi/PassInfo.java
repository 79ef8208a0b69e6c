package futharkc.core.ir.spi;

import futharkc.core.ir.Rep;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a pass declares. Built by {@link #named} and the methods that return an amended copy.
 *
 * @param name lower case with hyphens, unique; what {@code --passes} says
 * @param description one line
 * @param accepts representations of the input
 * @param produces the representation of the output, where it differs from the input's; else null
 * @param requires properties of the input
 * @param prefers properties that the input should have, if a pass that may run establishes them
 * @param establishes properties of the output
 * @param destroys properties that the output may lack even if the input had them; a property that
 *     is neither established nor destroyed stays
 * @param after passes or extension points that this one prefers to run after, where both are
 *     enabled
 * @param before likewise, before
 * @param options what {@code name{option=value}} may set
 * @param inDefault true if {@code --passes=default} includes the pass
 * @param formerNames earlier names of the pass, which plans and constraints may still use
 */
public record PassInfo(
    String name,
    String description,
    Set<Rep> accepts,
    @Nullable Rep produces,
    Set<Property> requires,
    Set<Property> prefers,
    Set<Property> establishes,
    Set<Property> destroys,
    List<String> after,
    List<String> before,
    List<Option> options,
    boolean inDefault,
    List<String> formerNames) {
  public PassInfo {
    if (!name.matches("[a-z][a-z0-9]*(-[a-z0-9]+)*")) {
      throw new IllegalArgumentException("pass name '" + name + "' is not lower case with hyphens");
    }
    accepts = Set.copyOf(accepts);
    requires = Set.copyOf(requires);
    prefers = Set.copyOf(prefers);
    establishes = Set.copyOf(establishes);
    destroys = Set.copyOf(destroys);
    after = List.copyOf(after);
    before = List.copyOf(before);
    options = List.copyOf(options);
    formerNames = List.copyOf(formerNames);
  }

  /** A pass that keeps the representation, requires nothing and is part of the default set. */
  public static PassInfo named(String name, String description, Rep first, Rep... others) {
    return new PassInfo(
        name,
        description,
        EnumSet.of(first, others),
        null,
        Set.of(),
        Set.of(),
        Set.of(),
        Set.of(),
        List.of(),
        List.of(),
        List.of(),
        true,
        List.of());
  }

  /** With another representation of the output. */
  public PassInfo produces(Rep rep) {
    return with(d -> d.produces = rep);
  }

  /** Also needs these properties of its input. */
  public PassInfo requires(Property... ps) {
    return with(d -> d.requires = plus(requires, ps));
  }

  /** As {@link #requires}, but the pass can do without, if what establishes it is taken out. */
  public PassInfo prefers(Property... ps) {
    return with(d -> d.prefers = plus(prefers, ps));
  }

  /** What should hold before the pass, whether it must or not. */
  public Set<Property> wanted() {
    return plus(requires, prefers.toArray(Property[]::new));
  }

  /** Also makes sure of these properties. */
  public PassInfo establishes(Property... ps) {
    return with(d -> d.establishes = plus(establishes, ps));
  }

  /** Also takes these properties away. */
  public PassInfo destroys(Property... ps) {
    return with(d -> d.destroys = plus(destroys, ps));
  }

  /** Prefers to run after these passes, instead of those named before. */
  public PassInfo after(String... names) {
    return with(d -> d.after = List.of(names));
  }

  /** Prefers to run before these passes, instead of those named before. */
  public PassInfo before(String... names) {
    return with(d -> d.before = List.of(names));
  }

  /** With these options. */
  public PassInfo options(Option... options) {
    return with(d -> d.options = List.of(options));
  }

  /** Run only when asked for. */
  public PassInfo optional() {
    return with(d -> d.inDefault = false);
  }

  /** Returns this declaration with former names of the pass, which stay accepted with a note. */
  public PassInfo formerly(String... names) {
    return with(d -> d.formerNames = List.of(names));
  }

  private static Set<Property> plus(Set<Property> set, Property... more) {
    Set<Property> all = new LinkedHashSet<>(set);
    all.addAll(List.of(more));
    return all;
  }

  private PassInfo with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.info();
  }

  /** A declaration being amended. */
  private static final class Draft {
    private final PassInfo info;
    @Nullable Rep produces;
    Set<Property> requires;
    Set<Property> prefers;
    Set<Property> establishes;
    Set<Property> destroys;
    List<String> after;
    List<String> before;
    List<Option> options;
    boolean inDefault;
    List<String> formerNames;

    Draft(PassInfo i) {
      info = i;
      produces = i.produces;
      requires = i.requires;
      prefers = i.prefers;
      establishes = i.establishes;
      destroys = i.destroys;
      after = i.after;
      before = i.before;
      options = i.options;
      inDefault = i.inDefault;
      formerNames = i.formerNames;
    }

    PassInfo info() {
      return new PassInfo(
          info.name,
          info.description,
          info.accepts,
          produces,
          requires,
          prefers,
          establishes,
          destroys,
          after,
          before,
          options,
          inDefault,
          formerNames);
    }
  }
}
