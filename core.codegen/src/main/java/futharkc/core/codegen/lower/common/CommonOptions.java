package futharkc.core.codegen.lower.common;

import futharkc.core.ir.spi.Option;
import java.util.List;

/** The options that all lowering passes have. */
public final class CommonOptions {
  static final Option SWITCH_CASES =
      Option.integer(
              "switch-cases",
              32,
              "maximum number of cases that are emitted as nested conditionals; more cases are"
                  + " numbered and switched on")
          .within(1, Integer.MAX_VALUE);

  static final Option SWITCH_LEAF =
      Option.integer(
              "switch-leaf",
              4,
              "number of cases that are tested one after the other at the leaves of a binary"
                  + " search")
          .within(1, Integer.MAX_VALUE);

  /** The options. */
  public static final List<Option> ALL = List.of(SWITCH_CASES, SWITCH_LEAF);

  private CommonOptions() {}
}
