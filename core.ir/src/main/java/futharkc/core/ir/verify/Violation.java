package futharkc.core.ir.verify;

/**
 * A broken rule.
 *
 * @param function the function; {@code constants} for the program's constants
 * @param statement the statement in text form, shortened; empty for the function's signature or
 *     results
 * @param rule the rule and the violation
 */
public record Violation(String function, String statement, String rule) {
  @Override
  public String toString() {
    String where = "in " + function + ": " + rule;
    return statement.isEmpty() ? where : where + "\n  " + statement.replace("\n", "\n  ");
  }
}
