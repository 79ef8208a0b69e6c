package futharkc.core.runtime;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A file with values of tuning parameters: lines {@code NAME=INT}, empty lines and comments. */
public final class TuningFile {
  private TuningFile() {}

  /**
   * A value of a parameter.
   *
   * @param name the name of the parameter
   * @param value the value
   * @param line the line number, from 1
   */
  public record Setting(String name, long value, int line) {}

  /**
   * Reads the settings of a file, in order.
   *
   * @throws IOException if the file cannot be read
   * @throws MalformedException if a line has none of these forms
   */
  public static List<Setting> read(Path file) throws IOException, MalformedException {
    List<Setting> settings = new ArrayList<>();
    ByteBuffer contents = ByteBuffer.wrap(WholeFile.read(file));
    String text = StandardCharsets.UTF_8.newDecoder().decode(contents).toString();
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.isEmpty() || line.startsWith("--")) {
        continue;
      }
      int equals = line.indexOf('=');
      long value = equals < 0 ? -1 : number(line.substring(equals + 1).strip());
      if (value < 0) {
        throw new MalformedException(
            "tuning file " + file + ", line " + (i + 1) + ": expected NAME=INT");
      }
      settings.add(new Setting(line.substring(0, equals).strip(), value, i + 1));
    }
    return settings;
  }

  private static long number(String digits) {
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /** An error in a line of a tuning file. */
  public static final class MalformedException extends Exception {
    private static final long serialVersionUID = 1L;

    private MalformedException(String message) {
      super(message);
    }
  }
}
