import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import com.google.googlejavaformat.java.RemoveUnusedImports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * A check and formatter of the project's Java sources with google-java-format.
 *
 * <p>The JDK of the build runs this tool from source, because the JVM of Maven may be too old to
 * parse the sources. Usage: {@code Format check|write ROOT}. The tool exits with 1 if a file is not
 * formatted (check) or cannot be parsed.
 */
public final class Format {
  private Format() {}

  public static void main(String[] args) throws IOException {
    boolean write = args[0].equals("write");
    Path root = Path.of(args[1]);
    List<String> complaints =
        javaFiles(root).parallelStream().flatMap(f -> visit(root, f, write).stream()).toList();
    complaints.forEach(System.err::println);
    if (!complaints.isEmpty()) {
      if (!write) {
        System.err.println("Run ./format to fix the format.");
      }
      System.exit(1);
    }
  }

  private static List<Path> javaFiles(Path root) throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attrs) {
            String name = dir.getFileName().toString();
            boolean skip = name.equals("target") || name.startsWith(".");
            return skip && !dir.equals(root)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attrs) {
            if (file.toString().endsWith(".java")) {
              files.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return files;
  }

  /**
   * Formats or checks one file.
   *
   * @return an empty list, or the problem
   */
  private static List<String> visit(Path root, Path file, boolean write) {
    try {
      String before = Files.readString(file);
      String after =
          new Formatter()
              .formatSourceAndFixImports(RemoveUnusedImports.removeUnusedImports(before));
      if (before.equals(after)) {
        return List.of();
      }
      if (write) {
        Files.writeString(file, after);
        return List.of();
      }
      return List.of("not formatted: " + root.relativize(file));
    } catch (FormatterException e) {
      return List.of(root.relativize(file) + ": " + e.getMessage());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
