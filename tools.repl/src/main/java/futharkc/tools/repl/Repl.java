package futharkc.tools.repl;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.failure.CompilerException;
import futharkc.core.language.Diagnostics;
import futharkc.core.language.Prelude;
import futharkc.core.language.parser.Parser;
import futharkc.core.language.syntax.Dec;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.data.ValueDisplay;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The interactive session: reads declarations, expressions and commands, and prints values. */
public final class Repl {
  /** The last line of a session whose input is not a terminal, as other tools expect it. */
  private static final String FAREWELL = "Leaving 'futhark repl'.";

  private static final Set<String> DECLARING =
      Set.of("def", "let", "entry", "type", "type^", "type~", "module", "open", "local", "import");

  private static final Set<String> KEYWORDS =
      Set.of(
          "def", "let", "in", "if", "then", "else", "loop", "for", "while", "do", "match", "case",
          "type", "module", "open", "import", "local", "entry", "assert", "true", "false", "with");

  /** The commands that end a waiting evaluation. */
  private static final List<String> LEAVING = List.of("load", "reload", "clear", "cd");

  private static final List<String> FILE_COMMANDS = List.of(":load ", ":cd ");

  /** The commands and their descriptions, by name. */
  static final Map<String, String> COMMANDS = commands();

  private static Map<String, String> commands() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("load", "FILE: replace all definitions by those of a file; without FILE, load again");
    all.put("reload", "load the file again and drop the definitions that were typed");
    all.put("type", "EXPRESSION: print the type of an expression");
    all.put("mtype", "MODULE: print the type of a module expression");
    all.put("format", "TEXT: print a text with the values of the expressions in braces");
    all.put("string", "EXPRESSION: print a value of type []u8 as UTF-8");
    all.put("time", "EXPRESSION: evaluate an expression and print how long that takes");
    all.put("frame", "NUMBER: at a breakpoint, use the variables of another call");
    all.put("unbreak", "go on, and skip the breakpoint from now on");
    all.put(
        "nanbreak",
        "treat operators that make a NaN of other numbers as breakpoints, or no longer");
    all.put("show", "print all definitions that were typed");
    all.put("clear", "delete all definitions that were typed");
    all.put("pwd", "print the current folder");
    all.put("cd", "FOLDER: change the current folder");
    all.put("help", "print this list");
    all.put("quit", "leave");
    return Collections.unmodifiableMap(all);
  }

  private final Compiler compiler;
  private final PrintStream out;
  private final boolean colours;
  private Path folder = Path.of("");
  private @Nullable Path loaded;
  private Session session;
  private final List<String> typed = new ArrayList<>();
  private int count;
  private @Nullable InputLines lines;

  /** The breakpoint at which an evaluation waits; null if none waits. */
  private @Nullable Stop stop;

  /** The session of the waiting evaluation, or of the last one. */
  private Session outside;

  private boolean stopsAtNans;

  /** The positions of the breakpoints that evaluations skip. */
  private final Set<String> skipped = new HashSet<>();

  /** The command to run after the end of the waiting evaluation. */
  private @Nullable String pending;

  private Repl(Compiler compiler, PrintStream out, boolean colours) {
    this.compiler = compiler;
    this.out = out;
    this.colours = colours;
    this.session = empty();
    this.outside = session;
  }

  /**
   * The streams and the behaviour of a session.
   *
   * @param terminal whether a user types the input in the terminal of the process
   * @param colours whether messages have terminal colours
   * @param idle reacts to an interrupt signal outside computations if the input is no terminal
   */
  public record Console(
      InputStream in, PrintStream out, boolean terminal, boolean colours, Runnable idle) {}

  /**
   * Runs a session until its input ends.
   *
   * @param program the program to load first; null: none
   * @throws IOException if the input cannot be read
   */
  public static void run(Compiler compiler, @Nullable Path program, Console console)
      throws IOException {
    Repl repl = new Repl(compiler, console.out(), console.colours());
    try (InputLines lines = repl.lines(console)) {
      if (console.terminal()) {
        console.out().println("futharkc repl. :help lists the commands.");
      }
      if (program != null) {
        repl.load(program);
      }
      repl.lines = lines;
      repl.loop(lines);
    }
    console.out().println(console.terminal() ? "" : FAREWELL);
  }

  private InputLines lines(Console console) throws IOException {
    return console.terminal()
        ? new TerminalLines(history(), Repl::isIncomplete, this::words, this::files, colours)
        : new PipedLines(console.in(), console.out(), console.idle());
  }

  private static Path history() {
    String state = System.getenv("XDG_STATE_HOME");
    Path folder =
        state == null || state.isEmpty()
            ? Path.of(System.getProperty("user.home"), ".local", "state")
            : Path.of(state);
    return folder.resolve("futharkc").resolve("repl-history");
  }

  private void loop(InputLines lines) throws IOException {
    while (true) {
      String line = next(lines);
      if (line == null || isQuit(line)) {
        return;
      }
      respond(lines, line);
      if (pending != null) {
        String command = pending;
        pending = null;
        if (isQuit(command)) {
          return;
        }
        respond(lines, command);
      }
      count++;
    }
  }

  private @Nullable String next(InputLines lines) throws IOException {
    out.flush();
    String prompt = "[" + count + "]> ";
    return lines.next(colours ? "\u001b[1m" + prompt + "\u001b[0m" : prompt);
  }

  private void respond(InputLines lines, String line) {
    try {
      lines.interrupts().run(() -> respond(line.strip()));
    } catch (CompilerException | IOException | InvalidPathException e) {
      out.println(e.getMessage());
    } catch (OutOfMemoryError e) {
      out.println("Error: Out of memory.");
    }
  }

  /**
   * Answers inputs in the scope of a breakpoint, until an empty input continues the evaluation.
   * Breakpoints in the evaluation of these inputs are ignored.
   */
  private void stopped(Stop at) {
    if (stop != null || skipped.contains(at.place()) || lines == null) {
      return;
    }
    out.println((at.isNan() ? "NaN produced at " : "Breakpoint at ") + at.place());
    out.println(at.stack(0));
    out.println("<Enter> to continue.");
    outside = session;
    stop = at;
    session = at.frames().getFirst().session();
    count++;
    try {
      answerUntilContinued(lines, at);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      stop = null;
      session = outside;
    }
    out.println("Continuing...");
  }

  private void answerUntilContinued(InputLines input, Stop at) throws IOException {
    while (true) {
      String line = next(input);
      if (line == null || line.isBlank()) {
        return;
      }
      String command = line.strip();
      if (isCommand(command, "unbreak")) {
        skipped.add(at.place());
        return;
      }
      if (isQuit(command) || LEAVING.stream().anyMatch(name -> isCommand(command, name))) {
        pending = command;
        throw new FutharkError("The evaluation ends at a breakpoint.");
      }
      respond(input, command);
      count++;
    }
  }

  /** Tests whether an input is a command, whose name may be short but not ambiguous. */
  private static boolean isCommand(String input, String name) {
    return input.startsWith(":")
        && commandsNamed(input.substring(1).split("\\s+", 2)[0]).equals(List.of(name));
  }

  private void frame(String number) {
    if (stop == null) {
      out.println("No evaluation waits at a breakpoint.");
      return;
    }
    int index = number.matches("\\d{1,6}") ? Integer.parseInt(number) : -1;
    if (index < 0 || index >= stop.frames().size()) {
      out.println("There is no frame '" + number + "'.");
      return;
    }
    session = stop.frames().get(index).session();
    out.println(stop.stack(index));
  }

  private static boolean isQuit(String line) {
    String word = line.strip();
    return word.length() > 1 && ":quit".startsWith(word);
  }

  private void respond(String input) throws IOException {
    if (input.isEmpty() || input.startsWith("--")) {
      return;
    }
    try {
      if (input.startsWith(":")) {
        command(input.substring(1));
      } else if (isDeclaration(input)) {
        String warnings = session.define(label(), input, out);
        if (stop == null) {
          typed.add(input);
        }
        if (!warnings.isEmpty()) {
          out.println(warnings);
        }
      } else {
        out.println(session.evaluate(label(), input, out));
      }
    } catch (SessionException e) {
      if (pending == null) {
        out.println(e.getMessage());
      }
    }
  }

  private String label() {
    return "[" + count + "]";
  }

  /**
   * Tests whether an input is a declaration. An input that is neither a declaration nor an
   * expression counts as a declaration if its first word begins one, for the sake of the message.
   */
  private static boolean isDeclaration(String input) {
    if (Session.declaration(input).isPresent()) {
      return true;
    }
    String first = input.split("[\\s\\[(]+", 2)[0];
    return DECLARING.contains(first) && !isExpression(input);
  }

  private static boolean isExpression(String input) {
    Diagnostics errors = new Diagnostics();
    Parser.parse("input", "input.fut", "def it =\n" + input, errors);
    return !errors.hasErrors();
  }

  /** Tests whether the grammar allows an input only as the beginning of a longer input. */
  static boolean isIncomplete(String input) {
    if (input.isBlank() || input.startsWith(":") || input.strip().startsWith("--")) {
      return false;
    }
    return Session.declaration(input).isEmpty()
        && !isExpression(input)
        && (failsAtEnd(input, 0) || failsAtEnd("def it =\n" + input, 1));
  }

  private static boolean failsAtEnd(String text, int linesBefore) {
    Diagnostics errors = new Diagnostics();
    Parser.parse("input", "input.fut", text, errors);
    if (!errors.hasErrors()) {
      return false;
    }
    String[] lines = text.stripTrailing().split("\n", -1);
    var loc = errors.errors().getFirst().loc();
    return lines.length > linesBefore
        && (loc.line() > lines.length
            || loc.line() == lines.length && loc.column() > lines[lines.length - 1].length());
  }

  /** Tests whether a line is a command with the name of a file or folder. */
  static boolean takesFile(String line) {
    return FILE_COMMANDS.stream().anyMatch(line::startsWith);
  }

  /** Returns the commands that a word names, or that begin with the word. */
  private static List<String> commandsNamed(String word) {
    return COMMANDS.containsKey(word)
        ? List.of(word)
        : COMMANDS.keySet().stream().filter(name -> name.startsWith(word)).toList();
  }

  private void command(String input) throws SessionException, IOException {
    String[] words = input.split("\\s+", 2);
    String argument = words.length == 1 ? "" : words[1].strip();
    List<String> names = commandsNamed(words[0]);
    if (names.size() != 1) {
      out.println(
          names.isEmpty()
              ? "There is no command ':" + words[0] + "'. :help lists the commands."
              : "The command ':"
                  + words[0]
                  + "' is ambiguous: "
                  + String.join(", ", names.stream().map(name -> ":" + name).toList())
                  + ".");
      return;
    }
    switch (names.getFirst()) {
      case "load" -> {
        if (argument.isEmpty()) {
          reload();
        } else {
          load(folder.resolve(argument));
        }
      }
      case "reload" -> reload();
      case "type" -> out.println(session.type(label(), needed(argument, "an expression")));
      case "mtype" ->
          out.println(session.moduleType(label(), needed(argument, "a module expression")));
      case "format" -> out.println(format(argument));
      case "string" -> string(needed(argument, "an expression"));
      case "time" -> time(needed(argument, "an expression"));
      case "frame" -> frame(argument);
      case "unbreak" -> out.println("No evaluation waits at a breakpoint.");
      case "nanbreak" -> {
        stopsAtNans = !stopsAtNans;
        (stop == null ? session : outside).setDebugger(this::stopped, stopsAtNans);
        out.println(
            stopsAtNans
                ? "NaNs are breakpoints from now on."
                : "NaNs are no breakpoints from now on.");
      }
      case "show" -> typed.forEach(out::println);
      case "clear" -> {
        typed.clear();
        session = loaded == null ? empty() : ofProgram(loaded);
      }
      case "pwd" -> out.println(folder.toAbsolutePath().normalize());
      case "cd" -> changeFolder(needed(argument, "a folder"));
      default ->
          COMMANDS.forEach((name, what) -> out.printf(Locale.ROOT, "  :%-8s %s%n", name, what));
    }
  }

  private static String needed(String argument, String what) throws SessionException {
    if (argument.isEmpty()) {
      throw new SessionException("The command takes " + what + ".");
    }
    return argument;
  }

  private Session empty() {
    Session created = Session.empty(compiler, folder, colours);
    created.setDebugger(this::stopped, stopsAtNans);
    return created;
  }

  private Session ofProgram(Path file) throws IOException {
    Session created = Session.ofProgram(compiler, file, colours);
    created.setDebugger(this::stopped, stopsAtNans);
    return created;
  }

  private void reload() throws IOException {
    if (loaded == null) {
      out.println("No file is loaded. :load FILE loads a file.");
    } else {
      load(loaded);
    }
  }

  private void load(Path file) throws IOException {
    loaded = file;
    try {
      session = ofProgram(file);
      typed.clear();
      String warnings = session.warnings();
      if (!warnings.isEmpty()) {
        out.println(warnings);
      }
    } catch (CompilerException e) {
      out.println(e.getMessage());
    } catch (IOException e) {
      out.println(file + ": the file cannot be read (" + e + ").");
    }
  }

  private void changeFolder(String name) throws SessionException {
    Path there = folder.resolve(name);
    if (!Files.isDirectory(there)) {
      throw new SessionException(name + " is not a folder.");
    }
    folder = there;
    if (loaded == null && typed.isEmpty()) {
      session = empty();
    }
  }

  /** Returns a text with the values of the expressions in braces. */
  private String format(String text) throws SessionException {
    StringBuilder result = new StringBuilder();
    int i = 0;
    while (i < text.length()) {
      if (text.charAt(i) != '{') {
        result.append(text.charAt(i++));
        continue;
      }
      int end = closingBrace(text, i);
      result.append(session.evaluate(label(), text.substring(i + 1, end), out));
      i = end + 1;
    }
    return result.toString();
  }

  private static int closingBrace(String text, int open) throws SessionException {
    int depth = 0;
    for (int i = open; i < text.length(); i++) {
      depth += text.charAt(i) == '{' ? 1 : text.charAt(i) == '}' ? -1 : 0;
      if (depth == 0) {
        return i;
      }
    }
    throw new SessionException("The brace at column " + (open + 1) + " is not closed.");
  }

  private void string(String expression) throws SessionException {
    var value = session.value(label(), expression, out);
    if (value instanceof ArrayValue array
        && array.rank() == 1
        && array.onHost().data() instanceof byte[] bytes
        && array.elemType() == futharkc.core.runtime.ElemType.U8) {
      out.println(new String(bytes, 0, array.length(), StandardCharsets.UTF_8));
    } else {
      throw new SessionException(
          "The value is not of type []u8: " + ValueDisplay.withSuffixes(value));
    }
  }

  private void time(String expression) throws SessionException {
    long start = System.nanoTime();
    String value = session.evaluate(label(), expression, out);
    long nanos = System.nanoTime() - start;
    out.println(value);
    out.printf(Locale.ROOT, "%.1f ms, including the type check%n", nanos / 1e6);
  }

  /** Returns the words that complete an identifier. */
  private List<String> words() {
    Set<String> words = new TreeSet<>(KEYWORDS);
    words.addAll(session.names());
    for (String file : Prelude.FILES) {
      Prelude.source(file)
          .map(text -> Parser.parse(file, file, text, new Diagnostics()).decs())
          .ifPresent(decs -> decs.forEach(dec -> name(dec).ifPresent(words::add)));
    }
    return List.copyOf(words);
  }

  private static Optional<String> name(Dec dec) {
    return switch (dec) {
      case Dec.Val v -> Optional.of(v.name());
      case Dec.Mod m -> Optional.of(m.name());
      case Dec.Type t -> Optional.of(t.name());
      case Dec.Sig _, Dec.Open _, Dec.Import _, Dec.Local _ -> Optional.empty();
    };
  }

  /** Returns the paths that begin with a text. Folders end in a slash. */
  private List<String> files(String beginning) {
    int slash = beginning.lastIndexOf('/') + 1;
    String parent = beginning.substring(0, slash);
    String start = beginning.substring(slash);
    try (Stream<Path> files = Files.list(folder.resolve(parent))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(start))
          .filter(file -> Files.isDirectory(file) || file.toString().endsWith(".fut"))
          .map(file -> parent + file.getFileName() + (Files.isDirectory(file) ? "/" : ""))
          .sorted()
          .toList();
    } catch (IOException | InvalidPathException e) {
      return List.of();
    }
  }
}
