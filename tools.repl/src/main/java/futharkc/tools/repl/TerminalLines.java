package futharkc.tools.repl;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jline.reader.Candidate;
import org.jline.reader.CompletingParsedLine;
import org.jline.reader.EOFError;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The lines that a user edits in a terminal, with history and completion. An incomplete input
 * continues on the next line; an empty line ends it.
 */
final class TerminalLines implements InputLines {
  private final Terminal terminal;
  private final LineReader reader;
  private final InterruptSignal interrupts = InterruptSignal.ofTerminal();

  /**
   * Opens the terminal of the process.
   *
   * @param history the file that keeps inputs for later sessions
   * @param incomplete tests whether an input must continue on the next line
   * @param words a source of the words that complete an identifier
   * @param files the completion of a file name
   */
  TerminalLines(
      Path history,
      Predicate<String> incomplete,
      Supplier<List<String>> words,
      FileNames files,
      boolean colours)
      throws IOException {
    terminal = TerminalBuilder.builder().system(true).build();
    LineReaderBuilder builder =
        LineReaderBuilder.builder()
            .terminal(terminal)
            .parser(new InputParser(incomplete))
            .completer(
                (lineReader, line, candidates) ->
                    complete(line, words, files, word -> candidates.add(candidate(word))))
            .variable(LineReader.HISTORY_FILE, history)
            .variable(LineReader.SECONDARY_PROMPT_PATTERN, "%P  | ")
            .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
            .option(LineReader.Option.HISTORY_REDUCE_BLANKS, false);
    if (colours) {
      builder.highlighter(new SyntaxColours());
    }
    reader = builder.build();
    terminal.handle(Terminal.Signal.INT, signal -> interrupts.receive());
  }

  /** A completion of file names. */
  @FunctionalInterface
  interface FileNames {
    /** Returns the paths that begin with a text. Folders end in a slash. */
    List<String> startingWith(String beginning);
  }

  private static Candidate candidate(String word) {
    // A module or folder continues with a further name.
    return new Candidate(word, word, null, null, null, null, !word.endsWith("/"));
  }

  private static void complete(
      ParsedLine line, Supplier<List<String>> words, FileNames files, Consumer<String> found) {
    String text = line.line().substring(0, line.cursor());
    if (Repl.takesFile(text)) {
      files.startingWith(text.substring(text.indexOf(' ') + 1).stripLeading()).forEach(found);
    } else if (text.startsWith(":") && !text.contains(" ")) {
      Repl.COMMANDS.keySet().forEach(name -> found.accept(":" + name));
    } else {
      words.get().forEach(found);
    }
  }

  /** A parser that finds incomplete inputs, and words in Futhark's sense for completion. */
  private static final class InputParser extends DefaultParser {
    private final Predicate<String> incomplete;

    InputParser(Predicate<String> incomplete) {
      this.incomplete = incomplete;
      setEscapeChars(null);
      setQuoteChars(new char[0]);
    }

    @Override
    public ParsedLine parse(String line, int cursor, ParseContext context) {
      if (context == ParseContext.ACCEPT_LINE && !line.endsWith("\n") && incomplete.test(line)) {
        throw new EOFError(-1, cursor, "the input is incomplete");
      }
      ParsedLine words = super.parse(line, cursor, context);
      return context == ParseContext.COMPLETE && words instanceof CompletingParsedLine w
          ? new PlainWords(w)
          : words;
    }

    @Override
    public boolean isDelimiterChar(CharSequence line, int position) {
      char c = line.charAt(position);
      return Repl.takesFile(line.toString())
          ? Character.isWhitespace(c)
          : !(Character.isLetterOrDigit(c) || "_'.:".indexOf(c) >= 0);
    }
  }

  /** A parsed line whose completions are inserted as they are, without quotation marks. */
  private record PlainWords(CompletingParsedLine parsed) implements CompletingParsedLine {
    @Override
    public CharSequence escape(CharSequence candidate, boolean complete) {
      return candidate;
    }

    @Override
    public int rawWordCursor() {
      return parsed.rawWordCursor();
    }

    @Override
    public int rawWordLength() {
      return parsed.rawWordLength();
    }

    @Override
    public String word() {
      return parsed.word();
    }

    @Override
    public int wordCursor() {
      return parsed.wordCursor();
    }

    @Override
    public int wordIndex() {
      return parsed.wordIndex();
    }

    @Override
    public List<String> words() {
      return parsed.words();
    }

    @Override
    public String line() {
      return parsed.line();
    }

    @Override
    public int cursor() {
      return parsed.cursor();
    }
  }

  @Override
  public @Nullable String next(String prompt) throws IOException {
    try {
      return reader.readLine(prompt);
    } catch (UserInterruptException e) {
      return "";
    } catch (EndOfFileException e) {
      return null;
    }
  }

  @Override
  public InterruptSignal interrupts() {
    return interrupts;
  }

  @Override
  public void close() throws IOException {
    terminal.close();
  }
}
