package futharkc.core.runtime.executable;

import futharkc.core.runtime.EntryPoint;
import futharkc.core.runtime.FutharkProgram;
import java.util.ArrayList;
import java.util.List;

/** The text that {@code java -jar} prints for an executable. */
public final class Description {
  private Description() {}

  /** Prints the description of a generated program; called by the main class of the jar. */
  public static void main(FutharkProgram program) {
    System.out.print(of(program));
  }

  /** Returns the description: the program, its entry points, and the way to run it. */
  static String of(FutharkProgram program) {
    StringBuilder text = new StringBuilder(program.name());
    text.append(" is a Futhark program, compiled by futharkc for ").append(program.backend());
    text.append(". Its entry points:\n");
    for (EntryPoint entry : program.entryPoints()) {
      List<String> parameters = new ArrayList<>();
      for (EntryPoint.Parameter p : entry.parameters()) {
        String type = (p.unique() ? "*" : "") + p.type().name();
        parameters.add(p.name().isEmpty() ? type : "(" + p.name() + ": " + type + ")");
      }
      text.append("  ").append(entry.name());
      parameters.forEach(p -> text.append(' ').append(p));
      text.append(" : ").append(entry.result().name()).append('\n');
    }
    return text.append("Run the file itself; the option --help lists its options.\n").toString();
  }
}
