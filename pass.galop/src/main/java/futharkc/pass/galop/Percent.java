package futharkc.pass.galop;

/** Ratios in remarks. */
final class Percent {
  private Percent() {}

  /** Returns a ratio as a percentage. */
  static String of(double part, double whole) {
    return Math.round(100 * part / whole) + " %";
  }
}
