package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests of the build files, as far as a publication depends on them. */
final class PublicationTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static List<Path> modules() throws IOException {
    try (Stream<Path> folders = Files.list(ROOT)) {
      return folders.map(f -> f.resolve("pom.xml")).filter(Files::exists).toList();
    }
  }

  private static Set<String> managed(Path pom) throws IOException {
    Pattern dependency =
        Pattern.compile(
            "<groupId>io.github.futharkc</groupId><artifactId>([^<]*)</artifactId>"
                + "<version>\\$\\{project.version}</version>");
    Set<String> names = new TreeSet<>();
    dependency
        .matcher(Files.readString(pom))
        .results()
        .map((MatchResult r) -> r.group(1))
        .forEach(names::add);
    return names;
  }

  @Test
  void allModulesTakeTheVersionFromTheRoot() throws IOException {
    String parent =
        "<parent><groupId>io.github.futharkc</groupId><artifactId>futharkc</artifactId>"
            + "<version>${revision}</version></parent>";
    for (Path pom : modules()) {
      String text = Files.readString(pom);
      assertTrue(text.contains(parent), () -> pom + " has another parent than " + parent);
      assertTrue(text.contains("<name>futharkc."), () -> pom + " has no name");
    }
  }

  @Test
  void theBillOfMaterialsHasAllManagedModules() throws IOException {
    Set<String> all = managed(ROOT.resolve("pom.xml"));
    all.remove("tests.kit");
    assertEquals(all, managed(ROOT.resolve("bom/pom.xml")));
  }

  @Test
  void thePythonPackageHasTheVersionOfTheRoot() throws IOException {
    String root = Files.readString(ROOT.resolve("pom.xml"));
    String version = root.replaceAll("(?s).*<revision>(.*?)</revision>.*", "$1");
    assertTrue(
        Files.readString(ROOT.resolve("integration.python/pyproject.toml"))
            .contains("version = \"" + version + "\""));
  }
}
