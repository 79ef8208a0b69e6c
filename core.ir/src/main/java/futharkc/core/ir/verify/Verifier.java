package futharkc.core.ir.verify;

import futharkc.core.ir.FunDef;
import futharkc.core.ir.Program;
import futharkc.core.ir.Stm;
import futharkc.core.ir.text.Printer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Checks every rule that programs of a representation keep: which nodes there may be, names (bound
 * once, in scope, numbered below the function's next number), types and sizes, certificates,
 * consumption of arrays, where arrays are in memory, and on a GPU, what runs where.
 */
public final class Verifier {
  private static final int SHOWN_LINES = 12;

  private final Program program;
  private final Views views;
  private final Env constants = new Env(null, Integer.MAX_VALUE);
  private final Set<String> hostFunctions;
  private final List<Violation> violations = new ArrayList<>();

  private Verifier(Program program, Views views) {
    this.program = program;
    this.views = views;
    this.hostFunctions = HostFunctions.of(program);
  }

  /** All violations, at most one for each function; none if the program is right. */
  public static List<Violation> violations(Program program) {
    Views views = new Views();
    while (true) {
      int known = views.count();
      Verifier v = new Verifier(program, views);
      v.constants();
      for (FunDef f : program.functions().values()) v.function(f);
      // Calls of functions that give such views, which are rare, are looked at once more.
      if (views.count() == known) return v.violations;
    }
  }

  /**
   * Checks a program.
   *
   * @throws VerificationException if it breaks rules
   */
  public static void verify(Program program) {
    List<Violation> violations = violations(program);
    if (!violations.isEmpty()) throw new VerificationException(violations);
  }

  private void constants() {
    try {
      new Check(program, constants, views, hostFunctions).stms(program.constants());
    } catch (BrokenRule r) {
      report("constants", r);
    }
  }

  private void function(FunDef f) {
    try {
      int least = constants.maxTag() + 1;
      if (f.nextTag() < least) {
        throw new BrokenRule(
            "the function's next number, "
                + f.nextTag()
                + ", must be above those of all constants");
      }
      new FunctionCheck(program, new Env(constants, f.nextTag()), views, hostFunctions).function(f);
    } catch (BrokenRule r) {
      report("function " + f.name(), r);
    }
  }

  private void report(String function, BrokenRule r) {
    String message = r.getMessage();
    violations.add(
        new Violation(
            function, r.where == null ? "" : shown(r.where), message == null ? "" : message));
  }

  private static String shown(Stm s) {
    List<String> lines = Printer.print(s).lines().toList();
    return lines.size() <= SHOWN_LINES
        ? String.join("\n", lines)
        : String.join("\n", lines.subList(0, SHOWN_LINES)) + "\n  ...";
  }
}
