package futharkc.core.ir.verify;

/**
 * A broken rule.
 *
 * @param function where it was broken; {@code constants} for the program's constants
 * @param statement the statement in text form, shortened; empty if it is the function's signature
 *     or result
 * @param rule the rule and how it was broken
 */
public record Violation(String function, String statement, String rule) {
  @Override
  public String toString() {
    String where = "in " + function + ": " + rule;
    return statement.isEmpty() ? where : where + "\n  " + statement.replace("\n", "\n  ");
  }
}
