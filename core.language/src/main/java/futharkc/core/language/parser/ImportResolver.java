package futharkc.core.language.parser;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A source of the files of a program. */
@FunctionalInterface
public interface ImportResolver {
  /**
   * Finds a file.
   *
   * @param name the import name without extension, as {@link ImportNames#resolve} returns it
   * @return the file, or empty if this resolver has no such file
   * @throws IOException if the file cannot be read, or is not UTF-8
   */
  Optional<Source> find(String name) throws IOException;

  /**
   * The text of a file.
   *
   * @param path the path shown in messages
   */
  record Source(String path, String text) {}

  /**
   * Returns a resolver of files on disk with the extension {@code .fut}.
   *
   * @param directory the directory that names are relative to; unless empty, it is a prefix of
   *     paths in messages
   */
  static ImportResolver files(Path directory) {
    return name -> {
      if (ImportNames.isBuiltin(name)) {
        return Optional.empty();
      }
      Path path = directory.resolve(name + ".fut");
      if (!Files.isRegularFile(path)) {
        return Optional.empty();
      }
      try {
        return Optional.of(new Source(path.toString(), Files.readString(path)));
      } catch (CharacterCodingException e) {
        throw new IOException("the file is not valid UTF-8", e);
      }
    };
  }

  /**
   * Returns a resolver of texts in memory, keyed by name. The path in messages is the name followed
   * by {@code .fut}.
   */
  static ImportResolver texts(Map<String, String> texts) {
    Map<String, String> copy = Map.copyOf(texts);
    return name -> Optional.ofNullable(copy.get(name)).map(t -> new Source(name + ".fut", t));
  }

  /**
   * Returns a resolver over a function. The path of a file is its name followed by {@code .fut}.
   *
   * @param reader a function from a path to a text, or null if the file does not exist
   */
  static ImportResolver paths(Function<String, @Nullable String> reader) {
    return name -> {
      String path = name + ".fut";
      return Optional.ofNullable(reader.apply(path)).map(text -> new Source(path, text));
    };
  }

  /** Returns a resolver that asks another resolver for files that this resolver lacks. */
  default ImportResolver orElse(ImportResolver other) {
    return name -> {
      Optional<Source> found = find(name);
      return found.isPresent() ? found : other.find(name);
    };
  }
}
