package futharkc.core.ir.verify;

import futharkc.core.ir.FunDef;
import futharkc.core.ir.Ir;
import futharkc.core.ir.Program;
import futharkc.core.ir.analysis.Callers;
import futharkc.core.ir.imperative.ImperativeProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Verification of all rules of a representation: legal nodes; names (bound once, in scope, numbered
 * below the function's next number); types and sizes; certificates; consumption of arrays; memory
 * annotations; and on a GPU, execution levels. In imperative programs, variables must be assigned
 * before they are read. {@link #verifyMemory} also searches for arrays that overwrite others which
 * are read later.
 */
public final class Verifier {
  private static final int SHOWN_LINES = 12;

  private final List<Violation> violations = new ArrayList<>();

  private Verifier() {}

  /** Returns all violations, at most one for each function or entry point. */
  public static List<Violation> violations(Ir ir) {
    return switch (ir) {
      case Program p -> violations(p);
      case ImperativeProgram p -> violations(p);
    };
  }

  private static List<Violation> violations(Program program) {
    NonInjectiveViews views = new NonInjectiveViews();
    Set<String> onHost = HostFunctions.of(program);
    Set<String> inThreads = isGpu(program) ? Callers.of(program).threadsOnly() : Set.of();
    while (true) {
      int known = views.count();
      Verifier v = new Verifier();
      VerifierScope constants = new VerifierScope(null, Integer.MAX_VALUE);
      v.check(
          "constants",
          () -> new Check(program, constants, views, onHost).stms(program.constants()));
      for (FunDef f : program.functions().values()) {
        boolean thread = inThreads.contains(f.name()) && !onHost.contains(f.name());
        ExecutionLevel level = thread ? ExecutionLevel.THREAD : ExecutionLevel.HOST;
        v.check(
            "function " + f.name(), () -> function(f, level, program, constants, views, onHost));
      }
      // A new view result affects callers checked earlier, so check again. This is rare.
      if (views.count() == known) {
        return v.violations;
      }
    }
  }

  private static boolean isGpu(Program p) {
    return p.rep().hasDevice();
  }

  private static List<Violation> violations(ImperativeProgram program) {
    Verifier v = new Verifier();
    ImperativeCheck check = new ImperativeCheck(program);
    v.check("constants", check::initialise);
    for (ImperativeProgram.Function f : program.functions()) {
      v.check("function " + f.name(), () -> check.function(f));
    }
    for (ImperativeProgram.Entry e : program.entries()) {
      v.check("entry point " + e.entry().name(), () -> check.entry(e));
    }
    return v.violations;
  }

  /**
   * Checks a program.
   *
   * @throws VerificationException if the program violates a rule
   */
  public static void verify(Ir program) {
    List<Violation> violations = violations(program);
    if (!violations.isEmpty()) {
      throw new VerificationException(violations);
    }
  }

  /**
   * Searches a program with memory for arrays that overwrite others which are read later. The
   * search takes much longer than {@link #verify} and is incomplete.
   *
   * @throws VerificationException if an array is overwritten
   */
  public static void verifyMemory(Ir ir) {
    List<Violation> violations = memoryViolations(ir);
    if (!violations.isEmpty()) {
      throw new VerificationException(violations);
    }
  }

  /** Returns the violations that {@link #verifyMemory} finds, at most one for each function. */
  public static List<Violation> memoryViolations(Ir ir) {
    if (!(ir instanceof Program program) || !program.rep().hasMemory()) {
      return List.of();
    }
    Verifier v = new Verifier();
    for (FunDef f : program.functions().values()) {
      v.check("function " + f.name(), () -> OverwriteCheck.of(f));
    }
    return v.violations;
  }

  private static void function(
      FunDef f,
      ExecutionLevel level,
      Program program,
      VerifierScope constants,
      NonInjectiveViews views,
      Set<String> onHost) {
    int least = constants.maxTag() + 1;
    if (f.nextTag() < least) {
      throw new BrokenRule(
          "the function's next number, " + f.nextTag() + ", must be above those of all constants");
    }
    new FunctionCheck(program, new VerifierScope(constants, f.nextTag()), views, onHost)
        .function(f, level);
  }

  private void check(String where, Runnable check) {
    try {
      check.run();
    } catch (BrokenRule r) {
      String message = r.getMessage();
      violations.add(
          new Violation(
              where, r.where == null ? "" : shown(r.where), message == null ? "" : message));
    }
  }

  private static String shown(String statement) {
    List<String> lines = statement.lines().toList();
    return lines.size() <= SHOWN_LINES
        ? statement
        : String.join("\n", lines.subList(0, SHOWN_LINES)) + "\n  ...";
  }
}
