package futharkc.core.language.parser;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Where the files of a program come from. */
@FunctionalInterface
public interface ImportResolver {
  /**
   * Finds a file.
   *
   * @param name the import name without extension, as {@link ImportNames#resolve} makes it
   * @return nothing if this resolver has no such file
   * @throws IOException if there is such a file but it cannot be read, or is not UTF-8
   */
  Optional<Source> find(String name) throws IOException;

  /**
   * A file's text.
   *
   * @param path what messages call it
   */
  record Source(String path, String text) {}

  /**
   * Files on disk, with the extension {@code .fut}.
   *
   * @param directory what names are relative to; paths in messages start with it, unless it is
   *     empty
   */
  static ImportResolver files(Path directory) {
    return name -> {
      if (ImportNames.isBuiltin(name)) return Optional.empty();
      Path path = directory.resolve(name + ".fut");
      if (!Files.isRegularFile(path)) return Optional.empty();
      try {
        return Optional.of(new Source(path.toString(), Files.readString(path)));
      } catch (CharacterCodingException e) {
        throw new IOException("it is not valid UTF-8", e);
      }
    };
  }

  /** Texts in memory, by name; their paths in messages are the names with {@code .fut}. */
  static ImportResolver texts(Map<String, String> texts) {
    Map<String, String> copy = Map.copyOf(texts);
    return name -> Optional.ofNullable(copy.get(name)).map(t -> new Source(name + ".fut", t));
  }

  /**
   * What a function has of the paths that are the names with {@code .fut}.
   *
   * @param reader the text at a path, or null if there is none
   */
  static ImportResolver paths(Function<String, @Nullable String> reader) {
    return name -> {
      String path = name + ".fut";
      return Optional.ofNullable(reader.apply(path)).map(text -> new Source(path, text));
    };
  }

  /** Asks another resolver for what this one does not have. */
  default ImportResolver orElse(ImportResolver other) {
    return name -> {
      Optional<Source> found = find(name);
      return found.isPresent() ? found : other.find(name);
    };
  }
}
