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
 * A program's main file, and where its imports come from.
 *
 * @param file what messages call the main file
 * @param name the main file's name for imports, without folder and extension
 * @param text its content: Futhark, or the text form of the intermediate representation
 * @param imports the files that it imports, by names relative to its folder; the prelude need not
 *     be among them
 * @param colours whether errors are to be shown with terminal colours
 */
public record Source(
    String file, String name, String text, ImportResolver imports, boolean colours) {
  /** What some editors put in front of a text to say that it is UTF-8. */
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  /** Drops a byte order mark. */
  public Source {
    text = withoutMark(text);
  }

  private static String withoutMark(String text) {
    return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
  }

  /**
   * The content of a file, which imports files relative to its folder.
   *
   * @throws IOException if it cannot be read
   * @throws ProgramRejectedException if it is not UTF-8
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
   * The rejection of a file.
   *
   * @param bytes the rest of it, which cannot be read
   * @param before what comes before that
   */
  private static ProgramRejectedException notUtf8(Path file, ByteBuffer bytes, String before) {
    int line = 1 + (int) before.chars().filter(c -> c == '\n').count();
    int column = before.length() - before.lastIndexOf('\n');
    String message = "This is not UTF-8: the byte 0x%02X.".formatted(bytes.get(bytes.position()));
    Loc loc = new Loc(file.toString(), line, column, line, column + 1);
    String rest = StandardCharsets.UTF_8.decode(bytes).toString();
    return FrontEndCalls.rejected(
        ofText(file.toString(), before + rest),
        List.of(
            Diagnostic.error("E0204", loc, message)
                .hint("iconv -f latin1 -t utf-8 converts from another encoding.")));
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
   * A program that is not in a file, and imports nothing.
   *
   * @param name what messages call it
   */
  public static Source ofText(String name, String text) {
    return new Source(name, nameOf(name), text, path -> null, false);
  }

  /** Where imported files come from. */
  @FunctionalInterface
  public interface ImportResolver {
    /**
     * The text of a file.
     *
     * @param path relative to the main file's folder, starting with that folder as the main file's
     *     name does, and ending in {@code .fut}
     * @return null if there is no such file
     */
    @Nullable String text(String path);

    /** Texts in memory, by path. */
    static ImportResolver of(Map<String, String> texts) {
      return texts::get;
    }
  }

  /** The text of the main file or of an imported one; null if there is none. */
  @Nullable String read(String path) {
    if (path.equals(file)) {
      return text;
    }
    String imported = imports.text(path);
    return imported == null ? null : withoutMark(imported);
  }

  /** The same program with imports from elsewhere. */
  public Source withImports(ImportResolver imports) {
    return new Source(file, name, text, imports, colours);
  }

  /** The same program with errors in colours, or without. */
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
