package futharkc.core.ir.spi;

import futharkc.core.ir.Rep;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The declaration of a pass: its names and ordering constraints. {@link #named} makes a
 * declaration; other methods return amended copies.
 *
 * @param name the name in {@code --passes}: lower case with hyphens, unique
 * @param description a description of one line
 * @param accepts the representations of the input
 * @param produces the representation of the output if it differs from the input's, otherwise null
 * @param requires the required properties of the input
 * @param prefers the properties that the input should have, if an enabled pass establishes them
 * @param establishes the properties that the output has
 * @param destroys the properties that the output may lack even if the input has them; all other
 *     properties are preserved
 * @param after the passes or extension points after which this pass prefers to run, if enabled
 * @param before the passes or extension points before which this pass prefers to run, if enabled
 * @param options the options, set by {@code name{option=value}}
 * @param inDefault true if {@code --passes=default} includes the pass
 * @param formerNames the earlier names of the pass, which plans and constraints may still use
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

  /**
   * Returns the declaration of a pass that keeps the representation, requires no properties and is
   * in the default set.
   */
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

  /** Returns this declaration with another representation of the output. */
  public PassInfo produces(Rep rep) {
    return with(d -> d.produces = rep);
  }

  /** Returns this declaration with further required properties. */
  public PassInfo requires(Property... ps) {
    return with(d -> d.requires = plus(requires, ps));
  }

  /**
   * Returns this declaration with further preferred properties. Unlike with {@link #requires}, the
   * pass also runs if the passes that establish them are disabled.
   */
  public PassInfo prefers(Property... ps) {
    return with(d -> d.prefers = plus(prefers, ps));
  }

  /** Returns all required and preferred properties. */
  public Set<Property> wanted() {
    return plus(requires, prefers.toArray(Property[]::new));
  }

  /** Returns this declaration with further established properties. */
  public PassInfo establishes(Property... ps) {
    return with(d -> d.establishes = plus(establishes, ps));
  }

  /** Returns this declaration with further destroyed properties. */
  public PassInfo destroys(Property... ps) {
    return with(d -> d.destroys = plus(destroys, ps));
  }

  /**
   * Returns this declaration with a replaced list of passes after which this pass prefers to run.
   */
  public PassInfo after(String... names) {
    return with(d -> d.after = List.of(names));
  }

  /**
   * Returns this declaration with a replaced list of passes before which this pass prefers to run.
   */
  public PassInfo before(String... names) {
    return with(d -> d.before = List.of(names));
  }

  /** Returns this declaration with further options. */
  public PassInfo options(Option... more) {
    return options(Arrays.asList(more));
  }

  /** Returns this declaration with further options. */
  public PassInfo options(List<Option> more) {
    return with(d -> d.options = Stream.concat(options.stream(), more.stream()).toList());
  }

  /** Returns this declaration excluded from the default set. */
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

  /** A mutable copy of a declaration. */
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
