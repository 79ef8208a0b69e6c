package futharkc.tools.literate;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import futharkc.harness.testing.ScriptEvaluator;
import futharkc.harness.testing.ScriptException;
import futharkc.harness.testing.ScriptText;
import futharkc.harness.testing.ScriptValue;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The output of one directive: Markdown, and a file that holds the value. */
final class DirectiveOutput {
  private static final int DEFAULT_FRAMES_PER_SECOND = 30;
  private static final int DEFAULT_SAMPLES_PER_SECOND = 44_100;
  private static final int DEFAULT_PLOT_SIZE = 500;
  private static final int MOST_FRAMES_PER_SECOND = 1000;
  private static final Pattern SIZE =
      Pattern.compile("\\(\\s*(\\d{1,5})\\s*,\\s*(\\d{1,5})\\s*\\)");

  private final Directive directive;
  private final String hash;
  private final PageFiles files;
  private final Evaluators evaluators;
  private final boolean safe;

  /** A source of the evaluator, which compiles the program at the first use. */
  @FunctionalInterface
  interface Evaluators {
    ScriptEvaluator get();
  }

  /**
   * Creates the output of a directive.
   *
   * @param hash the hash of the program and the directive, which names the file
   * @param safe whether programs of the machine must not run
   */
  DirectiveOutput(
      Directive directive, String hash, PageFiles files, Evaluators evaluators, boolean safe) {
    this.directive = directive;
    this.hash = hash;
    this.files = files;
    this.evaluators = evaluators;
    this.safe = safe;
  }

  /**
   * Returns the Markdown that shows the value. The directive is not evaluated if its file exists.
   *
   * @throws ScriptException if the expression fails, or its value has a wrong type
   * @throws futharkc.core.runtime.FutharkError if a call of the program fails
   */
  String markdown() throws ScriptException, IOException {
    return switch (directive.form()) {
      case TEXT -> "```\n" + Files.readString(file("eval.txt", this::text)) + "\n```\n";
      case IMAGE -> image(file("img.png", this::image));
      case PLOT -> image(file("plot.svg", this::plot));
      case GNUPLOT -> image(file("plot.png", this::gnuplot));
      case VIDEO -> video();
      case AUDIO -> image(file("output." + codec(), this::audio));
    };
  }

  /** An action that writes a file with a value. */
  @FunctionalInterface
  private interface Writer {
    void write(ScriptValue value, Path file) throws ScriptException, IOException;
  }

  private Path file(String name, Writer writer) throws ScriptException, IOException {
    String given = parameter("file");
    return files.file(
        given == null ? hash + "-" + name : given,
        given == null,
        file ->
            evaluators
                .get()
                .evaluate(
                    directive.expression(),
                    value -> {
                      writer.write(value, file);
                      return value;
                    }));
  }

  private @Nullable String parameter(String key) {
    return directive.parameters().get(key);
  }

  private int number(String key, int fallback, int most) throws ScriptException {
    String text = parameter(key);
    if (text == null) {
      return fallback;
    }
    if (!text.matches("[0-9]{1,9}")
        || Integer.parseInt(text) < 1
        || Integer.parseInt(text) > most) {
      throw new ScriptException(key + " takes a number from 1 to " + most + ", not '" + text + "'");
    }
    return Integer.parseInt(text);
  }

  private String image(Path file) {
    return "![](" + files.link(file) + ")\n";
  }

  private void text(ScriptValue value, Path file) throws ScriptException, IOException {
    Files.writeString(file, ScriptText.of(value));
  }

  private static ScriptException unfit(String what, ScriptValue value) {
    return new ScriptException(
        "Cannot create " + what + " from a value of type " + value.typeName());
  }

  private void image(ScriptValue value, Path file) throws ScriptException, IOException {
    BufferedImage image = value instanceof ScriptValue.Atom a ? Pixels.image(a.value()) : null;
    if (image == null) {
      throw unfit("an image", value);
    }
    Pixels.write(image, file);
  }

  // Plots.

  private void plot(ScriptValue value, Path file) throws ScriptException, IOException {
    int width = DEFAULT_PLOT_SIZE;
    int height = DEFAULT_PLOT_SIZE;
    String size = parameter("size");
    if (size != null) {
      Matcher m = SIZE.matcher(size);
      if (!m.matches()) {
        throw new ScriptException("size takes (WIDTH,HEIGHT), not '" + size + "'");
      }
      width = Integer.parseInt(m.group(1));
      height = Integer.parseInt(m.group(2));
    }
    LinePlot plot = new LinePlot(width, height);
    for (Map.Entry<String, ScriptValue> curve : curves(value).entrySet()) {
      List<double[]> axes = columns(curve.getValue());
      if (axes.size() != 2) {
        throw unfit("a plot", value);
      }
      plot.add(curve.getKey(), axes.get(0), axes.get(1));
    }
    Files.writeString(file, plot.svg());
  }

  /** Returns the named curves of a record, or a single curve without name. */
  private static Map<String, ScriptValue> curves(ScriptValue value) {
    if (value instanceof ScriptValue.Record r) {
      return r.fields();
    }
    Map<String, ScriptValue> one = new LinkedHashMap<>();
    one.put("", value);
    return one;
  }

  /** Returns the components of a tuple of vectors of one length. */
  private static List<double[]> columns(ScriptValue value) throws ScriptException {
    List<ScriptValue> components = ScriptEvaluator.components(value);
    List<double[]> columns = new ArrayList<>();
    if (components == null) {
      throw unfit("a plot", value);
    }
    for (ScriptValue component : components) {
      if (!(component instanceof ScriptValue.Atom(Value v, boolean _))
          || !(v instanceof ArrayValue a)
          || a.rank() != 1) {
        throw unfit("a plot", value);
      }
      columns.add(numbers(a.onHost()));
    }
    if (columns.stream().anyMatch(c -> c.length != columns.getFirst().length)) {
      throw new ScriptException("Cannot plot arrays of different lengths");
    }
    return columns;
  }

  private static double[] numbers(ArrayValue array) {
    double[] numbers = new double[array.length()];
    for (int i = 0; i < numbers.length; i++) {
      Scalar x = array.element(i);
      numbers[i] =
          switch (x.type()) {
            case F16 -> Float.float16ToFloat(x.asShort());
            case F32 -> x.asFloat();
            case F64 -> x.asDouble();
            case U8 -> x.bits() & 0xff;
            case U16 -> x.bits() & 0xffff;
            case U32 -> x.bits() & 0xffffffffL;
            default -> x.asLong();
          };
    }
    return numbers;
  }

  private void checkSafe(String what) throws ScriptException {
    if (safe) {
      throw new ScriptException(what + " runs another program, which --safe-directives forbids");
    }
  }

  private void gnuplot(ScriptValue value, Path file) throws ScriptException, IOException {
    checkSafe(":gnuplot");
    if (!(value instanceof ScriptValue.Record record)) {
      throw unfit("a plot", value);
    }
    StringBuilder script = new StringBuilder();
    script.append("set terminal png enhanced\nset output '").append(file).append("'\n");
    List<Path> data = new ArrayList<>();
    try {
      for (Map.Entry<String, ScriptValue> field : record.fields().entrySet()) {
        Path columns = Files.createTempFile("plot", ".dat");
        data.add(columns);
        Files.writeString(columns, table(columns(field.getValue())));
        script.append(field.getKey()).append("='").append(columns).append("'\n");
      }
      ExternalProgram.run(":gnuplot", List.of("gnuplot"), script + directive.script());
    } finally {
      for (Path columns : data) {
        Files.deleteIfExists(columns);
      }
    }
  }

  private static String table(List<double[]> columns) {
    StringBuilder table = new StringBuilder();
    for (int i = 0; i < columns.getFirst().length; i++) {
      for (double[] column : columns) {
        table.append(column[i]).append(' ');
      }
      table.append('\n');
    }
    return table.toString();
  }

  // Videos.

  private String video() throws ScriptException, IOException {
    String format = directive.parameters().getOrDefault("format", "webm");
    if (!format.equals("webm") && !format.equals("gif")) {
      throw new ScriptException(
          "Unknown video format: " + format + ". The formats are webm and gif");
    }
    Path file = file("video." + format, (value, to) -> video(value, to, format.equals("gif")));
    List<String> attributes = new ArrayList<>();
    for (String key : List.of("loop", "repeat", "autoplay")) {
      String value = parameter(key);
      if (value != null) {
        attributes.add((key.equals("repeat") ? "loop" : key) + "=\"" + value + "\"");
      }
    }
    String all = attributes.isEmpty() ? "" : "{" + String.join(" ", attributes) + "}";
    return "![](" + files.link(file) + ")" + all + "\n";
  }

  /** A consumer of the frames of a video. */
  @FunctionalInterface
  private interface Frames {
    void add(BufferedImage frame) throws IOException;
  }

  private void video(ScriptValue value, Path file, boolean gif)
      throws ScriptException, IOException {
    int rate = number("fps", DEFAULT_FRAMES_PER_SECOND, MOST_FRAMES_PER_SECOND);
    boolean loop = !"false".equals(directive.parameters().getOrDefault("loop", "true"));
    if (gif) {
      try (AnimatedGif animation = new AnimatedGif(file, rate, loop)) {
        frames(value, animation::add);
      }
      return;
    }
    checkSafe("The video format webm");
    Path folder = Files.createTempDirectory("frames");
    try {
      List<Path> pictures = new ArrayList<>();
      frames(
          value,
          frame -> {
            Path picture =
                folder.resolve(String.format(Locale.ROOT, "frame%010d.png", pictures.size()));
            pictures.add(picture);
            Pixels.write(frame, picture);
          });
      ExternalProgram.run(
          "The video format webm",
          List.of(
              "ffmpeg",
              "-y",
              "-v",
              "error",
              "-r",
              Integer.toString(rate),
              "-i",
              folder.resolve("frame%010d.png").toString(),
              "-c:v",
              "libvpx-vp9",
              "-pix_fmt",
              "yuv420p",
              "-b:v",
              "2M",
              file.toString()),
          "");
    } finally {
      PageFiles.deleteFolder(folder);
    }
  }

  private void frames(ScriptValue value, Frames frames) throws ScriptException, IOException {
    if (value instanceof ScriptValue.Atom(Value v, boolean _)) {
      BufferedImage[] images = Pixels.images(v);
      if (images != null) {
        for (BufferedImage image : images) {
          frames.add(image);
        }
        return;
      }
    }
    List<ScriptValue> parts = ScriptEvaluator.components(value);
    if (parts == null
        || parts.size() != 3
        || !(parts.get(0) instanceof ScriptValue.Function function)
        || !(parts.get(2) instanceof ScriptValue.Atom(Value count, boolean _))
        || !(count instanceof Scalar number)
        || !number.type().isInteger()) {
      throw unfit("a video", value);
    }
    ScriptEvaluator evaluator = evaluators.get();
    int mark = evaluator.mark();
    ScriptValue state = parts.get(1);
    for (long i = 0; i < number.asLong(); i++) {
      ScriptValue result = evaluator.step(function, state, mark);
      List<ScriptValue> pair = ScriptEvaluator.components(result);
      BufferedImage frame =
          pair != null && pair.size() == 2 && pair.get(0) instanceof ScriptValue.Atom a
              ? Pixels.image(a.value())
              : null;
      if (frame == null || pair == null) {
        throw new ScriptException(
            "Cannot create a video with a step function that returns a value of type "
                + result.typeName());
      }
      frames.add(frame);
      state = pair.get(1);
    }
  }

  // Sounds.

  private String codec() throws ScriptException {
    String codec = directive.parameters().getOrDefault("codec", "wav");
    if (!codec.matches("[a-z0-9]+")) {
      throw new ScriptException("Unknown codec: " + codec);
    }
    return codec;
  }

  private void audio(ScriptValue value, Path file) throws ScriptException, IOException {
    Sound sound = value instanceof ScriptValue.Atom a ? Sound.of(a.value()) : null;
    if (sound == null) {
      throw unfit("a sound", value);
    }
    int rate = number("sampling_frequency", DEFAULT_SAMPLES_PER_SECOND, Integer.MAX_VALUE / 16);
    if (codec().equals("wav")) {
      sound.write(file, rate);
      return;
    }
    checkSafe("The codec " + codec());
    Path wave = Files.createTempFile("sound", ".wav");
    try {
      sound.write(wave, rate);
      ExternalProgram.run(
          "The codec " + codec(),
          List.of("ffmpeg", "-y", "-v", "error", "-i", wave.toString(), file.toString()),
          "");
    } finally {
      Files.deleteIfExists(wave);
    }
  }
}
