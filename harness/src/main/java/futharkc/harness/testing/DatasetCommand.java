package futharkc.harness.testing;

import futharkc.core.runtime.BuildVersion;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.data.ValueReader;
import futharkc.core.runtime.data.ValueWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The command {@code dataset}: generates values, or converts the values on standard input.
 *
 * <p>Options apply in order: a format or a bound applies to the values generated after it.
 */
public final class DatasetCommand {
  /** The text of {@code --help}. */
  public static final String HELP =
      """
      Usage: futharkc dataset [OPTION]...
      Generates values. Without --generate: converts the values on standard input.

        -g, --generate TYPE|VALUE  Generate a random value of this type, such as [10]f32, or print this value.
            --text                 Output in text form (default; goes before --generate).
        -b, --binary               Output in binary form (goes before --generate).
        -t, --type                 Output the type instead of the value (goes before --generate).
        -s, --seed INT             The seed of the first value (default: 1); each next value has the next seed.
            --TYPE-bounds MIN:MAX  The range of the numbers of a primitive type.
        -h, --help                 Print this text.
        -V, --version              Print the version.
      """;

  private enum Format {
    TEXT,
    BINARY,
    TYPE
  }

  private record Order(List<Value> fixed, RandomValue random, RandomValues how, Format format) {}

  private final InputStream in;
  private final OutputStream out;

  private DatasetCommand(InputStream in, OutputStream out) {
    this.in = in;
    this.out = out;
  }

  /**
   * Runs the command.
   *
   * @param args the arguments after the command's name
   * @return the exit status; errors are printed to {@code err}
   */
  public static int run(List<String> args, InputStream in, OutputStream out, PrintStream err) {
    try {
      new DatasetCommand(in, out).run(args);
      return 0;
    } catch (IllegalArgumentException | IOException e) {
      err.println("futharkc dataset: " + e.getMessage());
      return 1;
    }
  }

  private void run(List<String> args) throws IOException {
    List<Order> orders = new ArrayList<>();
    Format format = Format.TEXT;
    long seed = 1;
    List<String> boundOptions = new ArrayList<>();
    for (int i = 0; i < args.size(); i++) {
      String option = args.get(i);
      String value = null;
      int equals = option.indexOf('=');
      if (option.startsWith("--") && equals > 0) {
        value = option.substring(equals + 1);
        option = option.substring(0, equals);
      } else if (option.length() > 2 && (option.startsWith("-g") || option.startsWith("-s"))) {
        value = option.substring(2);
        option = option.substring(0, 2);
      }
      boolean takesValue =
          switch (option) {
            case "-g", "--generate", "-s", "--seed" -> true;
            default -> option.endsWith("-bounds");
          };
      if (takesValue && value == null) {
        if (++i == args.size()) {
          throw new IllegalArgumentException("option " + option + " needs an argument");
        }
        value = args.get(i);
      }
      String argument = value == null ? "" : value;
      switch (option) {
        case "-g", "--generate" -> orders.add(order(argument, generator(boundOptions), format));
        case "--text" -> format = Format.TEXT;
        case "-b", "--binary" -> format = Format.BINARY;
        case "-t", "--type" -> format = Format.TYPE;
        case "-s", "--seed" -> seed = seed(argument);
        case "-V", "--version" -> {
          out.write(("futharkc " + BuildVersion.text() + "\n").getBytes(StandardCharsets.UTF_8));
          return;
        }
        case "-h", "--help" -> {
          out.write(HELP.getBytes(StandardCharsets.UTF_8));
          return;
        }
        default -> {
          if (!takesValue) {
            throw new IllegalArgumentException("unknown option " + option);
          }
          boundOptions.add(option.substring(2, option.length() - "-bounds".length()));
          boundOptions.add(argument);
          generator(boundOptions);
        }
      }
    }
    ValueWriter writer = new ValueWriter(out);
    if (orders.isEmpty()) {
      for (Value value : DataFiles.readAll(in)) {
        write(writer, value, format);
      }
    }
    for (Order order : orders) {
      if (order.fixed.isEmpty()) {
        write(writer, order.how.generate(order.random, seed), order.format);
      }
      for (Value value : order.fixed) {
        write(writer, value, order.format);
      }
      seed++;
    }
    writer.flush();
  }

  private static RandomValues generator(List<String> boundOptions) {
    RandomValues values = new RandomValues();
    for (int i = 0; i < boundOptions.size(); i += 2) {
      ElemType type = ElemType.ofText(boundOptions.get(i));
      if (type == null || !type.isInteger() && !type.isFloat()) {
        throw new IllegalArgumentException("unknown option --" + boundOptions.get(i) + "-bounds");
      }
      values.setBounds(type, boundOptions.get(i + 1));
    }
    return values;
  }

  private static long seed(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + text + "' is not an integer", e);
    }
  }

  private static Order order(String text, RandomValues how, Format format) {
    try {
      ValueReader reader = ValueReader.ofText(text);
      List<Value> fixed = new ArrayList<>();
      while (!reader.atEnd()) {
        fixed.add(reader.readAny());
      }
      if (!fixed.isEmpty()) {
        return new Order(fixed, new RandomValue.Fixed(fixed.get(0)), how, format);
      }
    } catch (IOException e) {
      // The text is not a list of values, so it must be a type.
    }
    return new Order(List.of(), RandomValue.parse(text.strip()), how, format);
  }

  private static void write(ValueWriter writer, Value value, Format format) throws IOException {
    switch (format) {
      case TEXT -> {
        writer.text(value);
        writer.newline();
      }
      case BINARY -> writer.binary(value);
      case TYPE -> writer.line(RandomValue.typeOf(value).text());
    }
  }
}
