package futharkc.core.ir.imperative;

import java.util.List;
import java.util.function.Predicate;

/** Searches for statements and expressions in code at any depth. */
public final class CodeSearch {
  private CodeSearch() {}

  /** Tests whether a statement satisfies the predicate. */
  public static boolean anyStatement(List<Code> code, Predicate<Code> is) {
    boolean[] found = {false};
    new CodeMapper() {
      @Override
      public Code statement(Code c) {
        found[0] |= is.test(c);
        return super.statement(c);
      }
    }.statements(code);
    return found[0];
  }

  /** Returns the number of statements at any depth. */
  public static int countStatements(List<Code> code) {
    int[] count = {0};
    new CodeMapper() {
      @Override
      public Code statement(Code c) {
        count[0]++;
        return super.statement(c);
      }
    }.statements(code);
    return count[0];
  }

  /** Tests whether an expression, or a subexpression of it, satisfies the predicate. */
  public static boolean anyPartOf(Expr e, Predicate<Expr> is) {
    boolean[] found = {false};
    new CodeMapper() {
      @Override
      public Expr expr(Expr x) {
        found[0] |= is.test(x);
        return super.expr(x);
      }
    }.expr(e);
    return found[0];
  }

  /** Tests whether an expression satisfies the predicate. */
  public static boolean anyExpr(List<Code> code, Predicate<Expr> is) {
    boolean[] found = {false};
    new CodeMapper() {
      @Override
      public Expr expr(Expr e) {
        found[0] |= is.test(e);
        return super.expr(e);
      }
    }.statements(code);
    return found[0];
  }
}
