package futharkc.core.driver.pipeline;

/**
 * A budget of changes that passes may make, in the order of the plan and of the functions.
 * Bisection over the budget finds the change that breaks a program. A limited budget is used by one
 * thread only.
 */
final class Changes {
  private long left;

  /**
   * Creates a budget.
   *
   * @param most the number of changes; negative: no limit
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
    if (left > 0) {
      left--;
    }
  }
}
