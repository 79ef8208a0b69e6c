package futharkc.core.language.uniqueness;

import futharkc.core.ir.Loc;
import futharkc.core.language.Diagnostic;
import futharkc.core.language.DiagnosticException;
import futharkc.core.language.typed.Exp;

/** The error messages of the uniqueness check. */
final class UniquenessErrors {
  private static final String WHY =
      "Only unique parameters and values made in the same function or loop body can be consumed.";

  private UniquenessErrors() {}

  /**
   * Returns the error for a use of a consumed value.
   *
   * @param what the expression that uses the value
   */
  static DiagnosticException consumed(String what, Ref ref, Loc loc, Loc where) {
    return new DiagnosticException(
        Diagnostic.error(
                "E0601",
                loc,
                "Using " + what + aliasing(what, ref) + ", but this was consumed at " + where + ".")
            .label(where, "consumed here")
            .see("use-after-consume"));
  }

  static DiagnosticException notConsumable(String what, Ref ref, Loc loc) {
    return new DiagnosticException(
        Diagnostic.error(
                "E0602",
                loc,
                "Consuming " + variable(what) + aliasing(what, ref) + ", which is not consumable.")
            .note(WHY)
            .hint("Copy the array first.")
            .see("not-consumable"));
  }

  static DiagnosticException returnAliased(Ref ref, Loc loc) {
    return new DiagnosticException(
        Diagnostic.error(
                "E0603",
                loc,
                "Unique-typed return value is aliased to " + ref + ", which is not consumable.")
            .note(WHY)
            .hint("Return a copy.")
            .see("return-aliased"));
  }

  static DiagnosticException returnSelfAliased(Loc loc) {
    return error(
        "E0604",
        loc,
        "A unique-typed component of the return value is aliased to some other component.",
        "unique-return-aliased");
  }

  static DiagnosticException selfAliasedArgument(Loc loc) {
    return error(
        "E0605",
        loc,
        "Argument passed for consuming parameter is self-aliased.",
        "self-aliasing-arg");
  }

  static DiagnosticException sharedArgument(Ref ref, Loc loc, Loc other) {
    return new DiagnosticException(
        Diagnostic.error(
                "E0606",
                loc,
                "Argument is consumed, but another one of the same call also aliases " + ref + ".")
            .label(other, "the other argument")
            .see("use-after-consume"));
  }

  static DiagnosticException argumentConsumes(Loc loc) {
    return error(
        "E0607", loc, "Argument of functional type contains consumption.", "consuming-argument");
  }

  static DiagnosticException incompatibleParameters(Loc loc) {
    return error(
        "E0608",
        loc,
        "The function consumes its argument, but is used as one that is not consuming.",
        "unify-consuming-param");
  }

  static DiagnosticException incompatibleResults(Loc loc) {
    return error(
        "E0609",
        loc,
        "The function's result may have aliases, but is used as a unique one.",
        "return-aliased");
  }

  static DiagnosticException unexpectedFunction(Loc loc) {
    return error(
        "E0610",
        loc,
        "The function does not have expected type: it differs in what it consumes.",
        "unify-consuming-param");
  }

  static DiagnosticException aliasesGlobal(Ref ref, Loc loc) {
    return new DiagnosticException(
        Diagnostic.error("E0611", loc, "Function result aliases the free variable " + ref + ".")
            .hint("Return a copy.")
            .see("alias-free-variable"));
  }

  static DiagnosticException letConsumes(Loc loc) {
    return error(
        "E0612",
        loc,
        "Let-bound expression of higher-order type contains consumption.",
        "contains-consumption");
  }

  static DiagnosticException loopAliases(Ref param, Ref ref, Loc loc) {
    return error(
        "E0613",
        loc,
        "Return value for consuming loop parameter " + param + " aliases " + ref + ".",
        "consuming-loop-param-aliases");
  }

  static DiagnosticException loopAliasesConsumed(Ref param, Loc loc) {
    return error(
        "E0614",
        loc,
        "Return value for loop parameter " + param + " aliases other consumed loop parameter.",
        "loop-parameter-aliases-other");
  }

  static DiagnosticException loopAliasesReturned(Ref param, Loc loc) {
    return error(
        "E0615",
        loc,
        "Return value for consuming loop parameter "
            + param
            + " aliases previously returned value.",
        "aliases-previously-returned");
  }

  static DiagnosticException updateAliases(Ref ref, Loc loc) {
    return new DiagnosticException(
        Diagnostic.error(
                "E0616",
                loc,
                "The value of this in-place update aliases "
                    + ref
                    + ", as does the array that is updated.")
            .hint("write a copy"));
  }

  static DiagnosticException uniqueConstant(String name, Loc loc) {
    return new DiagnosticException(
        Diagnostic.error(
            "E0617",
            loc,
            "The type of \""
                + name
                + "\" is unique, but a top-level constant can never be consumed."));
  }

  /** Returns the text of an expression for messages. */
  static String describe(Exp e) {
    return e instanceof Exp.Var v ? '"' + v.name().base() + '"' : "a value";
  }

  private static String variable(String what) {
    return what.startsWith("\"") ? "variable " + what : what;
  }

  private static String aliasing(String what, Ref ref) {
    return what.equals(ref.label) ? "" : ", which aliases " + ref;
  }

  private static DiagnosticException error(String code, Loc loc, String message, String anchor) {
    return new DiagnosticException(Diagnostic.error(code, loc, message).see(anchor));
  }
}
