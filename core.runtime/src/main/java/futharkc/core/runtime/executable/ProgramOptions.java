package futharkc.core.runtime.executable;

import futharkc.core.runtime.Context;
import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.device.Device;
import futharkc.core.runtime.device.DeviceOptions;
import futharkc.core.runtime.device.DeviceProgram;
import java.util.List;

/** The options of executables for programs that run in this process. */
public final class ProgramOptions {
  private ProgramOptions() {}

  /**
   * Applies options such as {@code --num-threads=2} to a context.
   *
   * @param options the options in the syntax of an executable's command line
   * @throws IllegalArgumentException if the program has no such option, or the option does not
   *     belong to a context, such as {@code --entry-point}; the message is for users
   */
  public static void apply(FutharkProgram program, List<String> options, Context.Builder context) {
    if (options.isEmpty()) {
      return;
    }
    try {
      boolean onDevice = program instanceof DeviceProgram;
      RunOptions parsed = RunOptions.parse(program, onDevice, options.toArray(new String[0]));
      String misplaced = parsed.withoutContext();
      if (misplaced != null) {
        throw new IllegalArgumentException(
            "option " + misplaced + " has no effect on a program that runs as a server");
      }
      parsed.configure(context);
      if (program instanceof DeviceProgram p && !parsed.device.isEmpty()) {
        DeviceOptions device = DeviceSettings.of(parsed, false, null);
        context.accelerator(() -> Device.open(p.api(), device));
      }
    } catch (RunOptions.BadOption e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }
}
