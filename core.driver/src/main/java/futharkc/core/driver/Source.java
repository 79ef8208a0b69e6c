package futharkc.core.driver;

import futharkc.core.driver.failure.ProgramRejectedException;
import futharkc.core.ir.Loc;
import futharkc.core.language.Diagnostic;
import futharkc.core.runtime.WholeFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A program's main file and the resolver of its imports.
 *
 * @param file the name of the main file in messages
 * @param name the main file's name for imports, without folder and extension
 * @param text the content: Futhark, or the text form of the intermediate representation
 * @param imports the resolver of the imported files, by names relative to the main file's folder;
 *     it need not contain the prelude
 * @param colours whether error messages have terminal colours
 */
public record Source(
    String file, String name, String text, ImportResolver imports, boolean colours) {
  /** The byte order mark that some editors write at the beginning of UTF-8 files. */
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  /** Removes a byte order mark from the text. */
  public Source {
    text = withoutMark(text);
  }

  private static String withoutMark(String text) {
    return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
  }

  /**
   * Reads a source from a file. Imports are relative to the file's folder.
   *
   * @throws IOException if the file cannot be read
   * @throws ProgramRejectedException if the file is not UTF-8
   */
  public static Source ofFile(Path file) throws IOException {
    return new Source(
        file.toString(), nameOf(file.toString()), read(file), Source::fromDisk, false);
  }

  private static String read(Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(WholeFile.read(file));
    CharBuffer text = CharBuffer.allocate(bytes.remaining());
    CoderResult end = StandardCharsets.UTF_8.newDecoder().decode(bytes, text, true);
    if (end.isError()) {
      throw notUtf8(file, bytes, text.flip().toString());
    }
    return withoutMark(text.flip().toString());
  }

  /**
   * Returns the rejection of a file that is not UTF-8.
   *
   * @param bytes the undecodable rest of the file
   * @param before the decoded text before the rest
   */
  private static ProgramRejectedException notUtf8(Path file, ByteBuffer bytes, String before) {
    int line = 1 + (int) before.chars().filter(c -> c == '\n').count();
    int column = before.length() - before.lastIndexOf('\n');
    String message =
        "The file is not UTF-8: invalid byte 0x%02X.".formatted(bytes.get(bytes.position()));
    Loc loc = new Loc(file.toString(), line, column, line, column + 1);
    String rest = StandardCharsets.UTF_8.decode(bytes).toString();
    return FrontEndCalls.rejected(
        ofText(file.toString(), before + rest),
        List.of(
            Diagnostic.error("E0204", loc, message)
                .hint("Convert the file, for example with iconv -f latin1 -t utf-8.")));
  }

  private static @Nullable String fromDisk(String path) {
    try {
      Path file = Path.of(path);
      return Files.isRegularFile(file) ? read(file) : null;
    } catch (InvalidPathException e) {
      return null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns a source from a string, without imports.
   *
   * @param name the name of the source in messages
   */
  public static Source ofText(String name, String text) {
    return new Source(name, nameOf(name), text, path -> null, false);
  }

  /** A resolver of imported files. */
  @FunctionalInterface
  public interface ImportResolver {
    /**
     * Returns the text of a file.
     *
     * @param path a path relative to the main file's folder; it starts with that folder as the main
     *     file's name does, and ends in {@code .fut}
     * @return the text, or null if the file does not exist
     */
    @Nullable String text(String path);

    /** Returns a resolver over texts in memory, keyed by path. */
    static ImportResolver of(Map<String, String> texts) {
      return texts::get;
    }
  }

  /**
   * Returns the text of the main file or of an imported file, or null if the file does not exist.
   */
  @Nullable String read(String path) {
    if (path.equals(file)) {
      return text;
    }
    String imported = imports.text(path);
    return imported == null ? null : withoutMark(imported);
  }

  /** Returns this source with another resolver of imports. */
  public Source withImports(ImportResolver imports) {
    return new Source(file, name, text, imports, colours);
  }

  /** Returns this source with or without terminal colours in error messages. */
  public Source withColours(boolean colours) {
    return new Source(file, name, text, imports, colours);
  }

  private static String nameOf(String file) {
    String name = file.substring(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
    return name.endsWith(".fut") || name.endsWith(".fir") || name.endsWith(".imp")
        ? name.substring(0, name.length() - 4)
        : name;
  }
}
