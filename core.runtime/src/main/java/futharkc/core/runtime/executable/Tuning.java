package futharkc.core.runtime.executable;

import futharkc.core.runtime.Context;
import futharkc.core.runtime.TuningFile;
import futharkc.core.runtime.WholeFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The setting of tuning parameters by the command line and by files. */
final class Tuning {
  private Tuning() {}

  /** Sets a parameter from {@code NAME=INT}. */
  static void setParam(Context.Builder context, String assignment) throws RunOptions.BadOption {
    int equals = assignment.indexOf('=');
    String name = equals < 0 ? assignment : assignment.substring(0, equals);
    long value = equals < 0 ? -1 : number(assignment.substring(equals + 1));
    if (value < 0) {
      throw new RunOptions.BadOption("option --param needs NAME=INT, not '" + assignment + "'");
    }
    if (!context.tuning(name, value)) {
      throw new RunOptions.BadOption("unknown tuning parameter: " + name);
    }
  }

  /** Sets parameters from the lines {@code NAME=INT} of a file. */
  static void load(Context.Builder context, String file) throws RunOptions.BadOption {
    List<TuningFile.Setting> settings;
    try {
      settings = TuningFile.read(Path.of(file));
    } catch (IOException e) {
      throw new RunOptions.BadOption(
          "cannot read tuning file " + file + ": " + WholeFile.reason(e));
    } catch (TuningFile.MalformedException e) {
      throw new RunOptions.BadOption(String.valueOf(e.getMessage()));
    }
    for (TuningFile.Setting s : settings) {
      if (!context.tuning(s.name(), s.value())) {
        throw new RunOptions.BadOption(
            "tuning file "
                + file
                + ", line "
                + s.line()
                + ": unknown tuning parameter: "
                + s.name());
      }
    }
  }

  private static long number(String digits) {
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
