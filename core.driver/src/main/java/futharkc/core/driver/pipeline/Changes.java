package futharkc.core.driver.pipeline;

/**
 * The changes that passes may still make, in the order of the plan and of the functions: allowing
 * fewer and fewer finds the one that goes wrong. Used by one thread, unless any number is allowed.
 */
final class Changes {
  private long left;

  /**
   * So many.
   *
   * @param most negative for any number
   */
  Changes(long most) {
    left = most;
  }

  boolean areLimited() {
    return left >= 0;
  }

  boolean mayGoOn() {
    return left != 0;
  }

  void count() {
    if (left > 0) left--;
  }
}
