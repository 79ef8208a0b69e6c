package futharkc.tools.doc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.driver.failure.ProgramRejectedException;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DocumentationSiteTest {
  private static final Pattern LINK = Pattern.compile("(?:href|src)=\"([^\"]*)\"");
  private static final Pattern ANCHOR = Pattern.compile("id=\"([^\"]*)\"");

  @TempDir private Path folder;

  private void file(String name, String text) throws IOException {
    Path file = folder.resolve("lib").resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private List<String> write() throws IOException {
    return new DocumentationSite(folder.resolve("out"), f -> {}).write(folder.resolve("lib"));
  }

  private String page(String name) throws IOException {
    return Files.readString(folder.resolve("out").resolve(name));
  }

  /** Checks that each link of each page leads to a file and an anchor, and that anchors differ. */
  private void checkLinks() throws IOException {
    Path out = folder.resolve("out");
    Map<Path, Set<String>> anchors = new HashMap<>();
    List<Path> pages;
    try (Stream<Path> found = Files.walk(out)) {
      pages = found.filter(p -> p.toString().endsWith(".html")).toList();
    }
    for (Path page : pages) {
      Set<String> own = new HashSet<>();
      Matcher m = ANCHOR.matcher(Files.readString(page));
      while (m.find()) {
        assertTrue(own.add(unescaped(m.group(1))), page + " has two anchors " + m.group(1));
      }
      anchors.put(page, own);
    }
    for (Path page : pages) {
      Matcher m = LINK.matcher(Files.readString(page));
      while (m.find()) {
        String[] parts = unescaped(m.group(1)).split("#", 2);
        Path target =
            parts[0].isEmpty() ? page : page.resolveSibling(decoded(parts[0])).normalize();
        assertTrue(Files.exists(target), page + ": " + m.group(1));
        if (parts.length > 1) {
          assertTrue(anchors.get(target).contains(decoded(parts[1])), page + ": " + m.group(1));
        }
      }
    }
  }

  private static String unescaped(String text) {
    return text.replace("&quot;", "\"")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&");
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  @Test
  void allLinksOfALibraryLeadSomewhere() throws IOException {
    file(
        "vec.fut",
        """
        -- | Vectors. Use `mk`@term and `dot`@term@"sub/algebra".
        --
        -- ## Rules <&>

        -- | The number of dimensions.
        def dims : i64 = 3
        -- | A vector of `dims`@term elements, see `monoid`@mtype and `ordered.<=`@term.
        type vec 'a = [dims]a
        module type monoid = { type t val add : t -> t -> t val zero : t }
        module type ordered = { include monoid val <= : t -> t -> bool }
        module mk (M: monoid) : { type t = M.t val sum [n] : [n]t -> t } = {
          type t = M.t
          -- | See `t`@type.
          def sum [n] (xs: [n]t) : t = reduce M.add M.zero xs
        }
        module monoid : monoid = { type t = i32 def add (x: t) (y: t) = x + y def zero = 0i32 }
        module sums = mk monoid
        def (+^) (a: vec f64) (b: vec f64) : vec f64 = map2 (+) a b
        def same [n] 'a (xs: [n]a) = xs
        local def concealed = 1
        """);
    file("sub/algebra.fut", "open import \"../vec\"\ndef dot (a: vec f64) (b: vec f64) = a +^ b\n");
    assertEquals(List.of(), write());
    checkLinks();
    String vec = page("vec.html");
    assertTrue(vec.contains("href=\"sub/algebra.html#term:dot\"><code>dot</code></a>"), vec);
    assertTrue(vec.contains("[<a href=\"vec.html#term:dims\">dims</a>]"), vec);
    assertTrue(vec.contains("id=\"term:monoid.add\"") && vec.contains("id=\"term:monoid.add:2\""));
    assertTrue(vec.contains("[<a class=\"own\" href=\"#term:same:n\">n</a>]"), vec);
    assertTrue(vec.contains("id=\"section:rules\""), vec);
    assertFalse(vec.contains("concealed"), vec);
    assertTrue(page("sub/algebra.html").contains("../vec.html#type:vec"));
    assertTrue(page("source/vec.html").contains("concealed"));
    assertTrue(
        page("search-index.js").contains("\"+^\",\"function\",\"vec\",\"vec.html#term:%2B%5E\""));
  }

  @Test
  void theTypesOfAModuleStayAbstract() throws IOException {
    file(
        "m.fut",
        """
        module type s = { type t val x : t }
        module a : s = { type t = i32 def x = 1i32 }
        module b : s with t = i32 = { type t = i32 def x = 1i32 }
        """);
    write();
    String text = page("m.html").replaceAll("<[^>]*>", "");
    assertEquals(2, text.split("type t\n", -1).length - 1, text);
    assertEquals(1, text.split("type t = i32\n", -1).length - 1, text);
    assertTrue(text.contains("Type: t\n") && text.contains("Type: i32\n"), text);
  }

  @Test
  void unknownNamesAreWarnings() throws IOException {
    file("a.fut", "-- | See `y`@term, `x`@value and `x`@term.\ndef x = 1i32\n");
    List<String> warnings = write();
    assertEquals(2, warnings.size(), warnings::toString);
    assertTrue(
        warnings.getFirst().endsWith("a.fut:1: warning: there is no term 'y'."),
        warnings::toString);
    assertTrue(page("a.html").contains("href=\"a.html#term:x\"><code>x</code></a>"));
  }

  @Test
  void textOfProgramsIsNoHtml() throws IOException {
    file(
        "a.fut",
        "-- | <script>x</script> [a](javascript:x)\n"
            + "def f (x: i32) = x < 1 && \"<b>\" == \"<i>\"\n");
    write();
    String page = page("a.html") + page("source/a.html");
    assertFalse(
        page.contains("<script>x") || page.contains("<b>") || page.contains("\"javascript:"));
  }

  @Test
  void filesAreLeftOutOnRequest() throws IOException {
    file("a.fut", "-- | ignore\n\ndef x = 1i32\n");
    file("index.fut", "import \"a\"\n-- | See `x`@term.\ndef y = x\n");
    List<String> warnings = write();
    assertEquals(List.of(), warnings);
    assertFalse(Files.exists(folder.resolve("out/a.html")));
    assertTrue(page("index_.html").contains("term:y"));
    checkLinks();
  }

  @Test
  void aFolderWithoutProgramsOrWithErrorsIsRejected() throws IOException {
    Files.createDirectories(folder.resolve("lib"));
    assertThrows(IOException.class, this::write);
    file("a.fut", "def x : i32 = true\n");
    assertThrows(ProgramRejectedException.class, this::write);
    List<String> left = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      files.forEach(f -> left.add(f.getFileName().toString()));
    }
    assertEquals(List.of("lib"), left);
  }
}
