package futharkc.tools.lsp;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.Source;
import futharkc.core.driver.failure.CompilerException;
import futharkc.core.driver.pipeline.DeepStack;
import futharkc.tools.repl.Session;
import futharkc.tools.repl.SessionException;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The evaluation of an expression in a process of its own, which ends after a limit of time and has
 * a limit of memory. The process receives the texts of the program, which the editor may not have
 * saved.
 */
public final class EvaluationProcess implements Evaluator {
  /** The limit of the time of an evaluation, in seconds. */
  private static final int SECONDS = 15;

  /** The number of the last lines of output that are kept. */
  private static final int MOST_LINES = 100;

  private final List<String> command;

  /** Creates an evaluator whose processes run {@link #serve}. */
  public EvaluationProcess(List<String> command) {
    this.command = List.copyOf(command);
  }

  @Override
  public String evaluate(
      String path, Function<String, @Nullable String> reader, String expression) {
    try {
      Process process = new ProcessBuilder(command).start();
      try {
        return evaluate(process, path, texts(path, reader), expression);
      } finally {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      return "Error: the evaluation failed: " + e.getMessage();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "Error: the evaluation was interrupted.";
    }
  }

  /** Returns the texts of a program and its imports, by path. */
  private static Map<String, String> texts(String path, Function<String, @Nullable String> reader) {
    Map<String, String> texts = new LinkedHashMap<>();
    new futharkc.core.language.index.Analyser()
        .resolve(
            path,
            p -> {
              String text = reader.apply(p);
              if (text != null) {
                texts.put(p, text);
              }
              return text;
            });
    return texts;
  }

  private static String evaluate(
      Process process, String path, Map<String, String> texts, String expression)
      throws IOException, InterruptedException {
    var output = new ByteArrayOutputStream();
    Thread reader =
        Thread.ofVirtual()
            .start(
                () -> {
                  try (InputStream in = process.getInputStream()) {
                    in.transferTo(output);
                  } catch (IOException e) {
                    // The process has ended.
                  }
                });
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(process.getOutputStream()))) {
      write(out, path);
      write(out, expression);
      out.writeInt(texts.size());
      for (Map.Entry<String, String> e : texts.entrySet()) {
        write(out, e.getKey());
        write(out, e.getValue());
      }
    }
    if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
      return "Error: the evaluation took more than " + SECONDS + " seconds.";
    }
    reader.join();
    return lastLines(output.toString(StandardCharsets.UTF_8));
  }

  private static String lastLines(String text) {
    List<String> lines = text.lines().toList();
    int hidden = lines.size() - MOST_LINES;
    if (hidden <= 0) {
      return text;
    }
    return "("
        + hidden
        + " lines are hidden.)\n"
        + String.join("\n", lines.subList(hidden, lines.size()));
  }

  private static void write(DataOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static String read(DataInputStream in) throws IOException {
    return new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
  }

  /**
   * Evaluates the expression that another process sends.
   *
   * @param input the request
   * @param out the stream for the value or the message of an error
   */
  public static void serve(InputStream input, PrintStream out) throws IOException {
    DataInputStream in = new DataInputStream(input);
    String path = read(in);
    String expression = read(in);
    Map<String, String> texts = new HashMap<>();
    for (int n = in.readInt(); n > 0; n--) {
      String file = read(in);
      texts.put(file, read(in));
    }
    try {
      DeepStack.call(
          () -> {
            interpret(path, expression, texts, out);
            return true;
          });
    } catch (CompilerException e) {
      out.println(e.getMessage());
    } catch (OutOfMemoryError e) {
      out.println("Error: the evaluation needs too much memory.");
    }
    out.flush();
  }

  private static void interpret(
      String path, String expression, Map<String, String> texts, PrintStream out) {
    Source source = Source.ofText(path, texts.getOrDefault(path, "")).withImports(texts::get);
    try {
      Session session = Session.ofProgram(Compiler.create(), source, false);
      out.println(session.evaluate("<expression>", expression, out));
    } catch (SessionException e) {
      out.println(e.getMessage());
    }
  }
}
