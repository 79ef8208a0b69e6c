package futharkc.tools.packages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests with local repositories, to which git's setting {@code insteadOf} leads. */
final class PackageManagerTest {
  @TempDir private Path folder;

  private Path work;
  private Path repositories;
  private final List<String> said = new ArrayList<>();
  private final List<String> logged = new ArrayList<>();
  private Map<String, String> environment;

  @BeforeEach
  void prepare() throws IOException {
    work = Files.createDirectories(folder.resolve("work"));
    repositories = Files.createDirectories(folder.resolve("repositories"));
    Path config = folder.resolve("gitconfig");
    Files.writeString(
        config,
        """
        [user]
          name = T
          email = t@example.org
        [init]
          defaultBranch = main
        [url "file://%s/"]
          insteadOf = https://
        """
            .formatted(repositories));
    environment =
        new HashMap<>(
            Map.of(
                "GIT_CONFIG_GLOBAL", config.toString(),
                "GIT_CONFIG_NOSYSTEM", "1",
                "GIT_COMMITTER_DATE", "2018-08-01T10:25:32Z"));
  }

  private PackageManager manager() {
    return new PackageManager(
        new PackageManager.Settings(
            work, folder.resolve("cache"), said::add, logged::add, environment));
  }

  private String git(Path repository, String... arguments) throws PackageException {
    List<String> all = new ArrayList<>(List.of("-C", repository.toString()));
    all.addAll(List.of(arguments));
    Git.Result result = new Git(environment, line -> {}).run(all);
    assertTrue(result.succeeded(), all + ": " + result.errors());
    return result.text().strip();
  }

  /** Commits a version of a package with a manifest and files. Returns the commit. */
  private String release(String url, String tag, String manifest, Map<String, String> files)
      throws IOException, PackageException {
    Path repository = repositories.resolve(url);
    if (!Files.isDirectory(repository)) {
      Files.createDirectories(repository);
      git(repository, "init", "-q");
    }
    LibFolder.delete(repository.resolve("lib"));
    Files.writeString(repository.resolve("futhark.pkg"), manifest);
    for (var file : files.entrySet()) {
      Path target = repository.resolve("lib").resolve(file.getKey());
      Files.createDirectories(target.getParent());
      Files.writeString(target, file.getValue());
    }
    git(repository, "add", "-A");
    git(repository, "commit", "-q", "--allow-empty", "-m", "Release");
    if (tag != null) {
      git(repository, "tag", "-f", tag);
    }
    return git(repository, "rev-parse", "HEAD");
  }

  private static String manifest(String path, String... requirements) {
    StringBuilder text = new StringBuilder("package " + path + "\nrequire {\n");
    for (String r : requirements) {
      text.append(r).append('\n');
    }
    return text.append("}\n").toString();
  }

  private String simple(String url, String tag, String text, String... requirements)
      throws IOException, PackageException {
    String name = url.substring(url.lastIndexOf('/') + 1);
    return release(url, tag, manifest(url, requirements), Map.of(url + "/" + name + ".fut", text));
  }

  private Map<String, String> lib() throws IOException {
    Map<String, String> files = new TreeMap<>();
    Path lib = work.resolve("lib");
    if (Files.isDirectory(lib)) {
      try (Stream<Path> found = Files.walk(lib)) {
        for (Path p : found.filter(Files::isRegularFile).toList()) {
          files.put(lib.relativize(p).toString(), Files.readString(p));
        }
      }
    }
    return files;
  }

  private String manifest() throws IOException {
    return Files.readString(work.resolve("futhark.pkg"));
  }

  private void sync() throws IOException, PackageException {
    manager().sync(Network.IF_MISSING, false);
  }

  private static PackageException fails(Operation operation) {
    return assertThrows(PackageException.class, operation::run);
  }

  private interface Operation {
    void run() throws PackageException, IOException;
  }

  /** The steps and states of the original's own test of packages, with other commits. */
  @Test
  void theStepsOfTheOriginalLeadToItsStates() throws IOException, PackageException {
    String foo = "github.com/athas/fut-foo";
    String bar = "github.com/athas/fut-bar";
    String baz = "github.com/athas/fut-baz";
    String quux = "github.com/athas/fut-quux";
    String lab = "gitlab.com/athas/fut-gitlab";
    String foo1 = simple(foo, "v0.1.0", "let foo = (0, 1, 0)\n");
    simple(bar, "v0.1.0", "let bar = (0, 1, 0)\n");
    String baz1 = simple(baz, "v0.1.0", "let baz = (0, 1, 0)\n");
    String foo2 = simple(foo, "v0.2.0", "let foo = (0, 2, 0)\n", baz + " 0.1.0");
    String baz2 = simple(baz, "v0.2.0", "let baz = (0, 2, 0)\n", foo + " 0.1.0", bar + " 0.1.0");
    String foo20 = simple(foo, "v2.0.0", "let foo = (2, 0, 0)\n");
    String quux1 = simple(quux, null, "let quux = \"1\"\n");
    String quux2 = simple(quux, null, "let quux = \"2\"\n");
    String lab1 = simple(lab, "v1.0.1", "let gitlab = (1, 0, 1)\n");
    String head = "package github.com/sturluson/testpkg\n\nrequire {\n";

    manager().init("github.com/sturluson/testpkg");
    assertEquals(head + "}\n", manifest());
    assertTrue(Files.isDirectory(work.resolve("lib/github.com/sturluson/testpkg")));

    manager().add(foo, "0.1.0", Network.IF_MISSING);
    assertEquals(head + "  " + foo + " 0.1.0 #" + foo1 + "\n}\n", manifest());
    sync();
    assertEquals(Map.of(foo + "/fut-foo.fut", "let foo = (0, 1, 0)\n"), lib());

    manager().add(baz, "0.1.0", Network.IF_MISSING);
    sync();
    assertEquals(2, lib().size());
    assertEquals("let baz = (0, 1, 0)\n", lib().get(baz + "/fut-baz.fut"));
    assertTrue(manifest().contains("  " + baz + " 0.1.0 #" + baz1 + "\n"), manifest());

    manager().upgrade(Network.ALWAYS);
    assertEquals(
        head + "  " + foo + " 0.2.0 #" + foo2 + "\n  " + baz + " 0.2.0 #" + baz2 + "\n}\n",
        manifest());
    sync();
    assertEquals(3, lib().size());
    assertEquals("let foo = (0, 2, 0)\n", lib().get(foo + "/fut-foo.fut"));

    manager().remove(foo);
    sync();
    assertEquals(head + "  " + baz + " 0.2.0 #" + baz2 + "\n}\n", manifest());
    assertEquals("let foo = (0, 1, 0)\n", lib().get(foo + "/fut-foo.fut"), "the least version");

    manager().add(foo + "@2", "2.0.0", Network.IF_MISSING);
    assertTrue(manifest().contains("  " + foo + "@2 2.0.0 #" + foo20 + "\n"), manifest());
    sync();
    assertEquals("let foo = (2, 0, 0)\n", lib().get(foo + "@2/fut-foo.fut"));
    assertEquals(4, lib().size());

    manager().add(quux, "0.0.0-20180801102532+" + quux1, Network.IF_MISSING);
    sync();
    assertEquals("let quux = \"1\"\n", lib().get(quux + "/fut-quux.fut"));
    manager().add(quux, "0.0.0-20180801102533+" + quux2, Network.IF_MISSING);
    sync();
    assertEquals("let quux = \"2\"\n", lib().get(quux + "/fut-quux.fut"));
    assertTrue(manifest().contains("  " + quux + " 0.0.0-20180801102533+" + quux2 + "\n"));

    manager().add(lab, null, Network.IF_MISSING);
    assertTrue(manifest().contains("  " + lab + " 1.0.1 #" + lab1 + "\n"), manifest());
    sync();
    assertEquals(6, lib().size());
    assertTrue(fails(() -> manager().check(Network.NEVER)).getMessage().startsWith("Problem: "));
    Files.writeString(work.resolve("lib/github.com/sturluson/testpkg/a.fut"), "");
    manager().check(Network.NEVER);
    assertTrue(said.contains(foo + " => 0.1.0") && said.contains(foo + "@2 => 2.0.0"));
  }

  @Test
  void aPackageWithoutReleasesHasTheNewestCommit() throws IOException, PackageException {
    String commit = simple("a.org/p", null, "def x = 1\n");
    manager().add("a.org/p", null, Network.IF_MISSING);
    assertEquals("require {\n  a.org/p 0.0.0-20180801102532+" + commit + "\n}\n", manifest());
    manager().upgrade(Network.ALWAYS);
    assertEquals("Nothing to upgrade.", said.getLast());
    String next = simple("a.org/p", null, "def x = 2\n");
    manager().upgrade(Network.ALWAYS);
    assertTrue(manifest().contains(next), manifest());
  }

  @Test
  void versionsOfAPathAreThoseOfItsMajorNumber() throws IOException, PackageException {
    for (String tag : List.of("v0.1.0", "v1.10.0", "v1.9.0", "v2.0.0", "x1.0.0", "v3.0.0-1")) {
      simple("a.org/p", tag, tag);
    }
    manager().versions("a.org/p", Network.ALWAYS);
    assertEquals(List.of("0.1.0", "1.9.0", "1.10.0"), said);
    said.clear();
    manager().versions("a.org/p@2", Network.ALWAYS);
    assertEquals(List.of("2.0.0"), said);
    String message = fails(() -> manager().add("a.org/p", "2.0.0", Network.NEVER)).getMessage();
    assertEquals(
        "Package a.org/p does not have a version 2.0.0.\nKnown versions: 0.1.0, 1.9.0, 1.10.0\n"
            + "For major version 2, use package path a.org/p@2",
        message);
  }

  @Test
  void aMovedTagIsNoticed() throws IOException, PackageException {
    simple("a.org/p", "v1.0.0", "def x = 1\n");
    manager().add("a.org/p", "1.0.0", Network.IF_MISSING);
    sync();
    simple("a.org/p", "v1.0.0", "def x = 666\n");
    sync();
    LibFolder.delete(folder.resolve("cache"));
    Map<String, String> before = lib();
    String message = fails(this::sync).getMessage();
    assertTrue(message.startsWith("Package a.org/p 1.0.0 has commit hash "), message);
    assertEquals(before, lib());
    assertEquals("def x = 1\n", before.get("a.org/p/p.fut"));
  }

  @Test
  void theCacheServesWithoutRepositories() throws IOException, PackageException {
    simple("a.org/p", "v1.0.0", "def x = 1\n");
    assertTrue(
        fails(() -> manager().add("a.org/p", "1.0.0", Network.NEVER))
            .getMessage()
            .contains("https://a.org/p is not in the cache."));
    manager().add("a.org/p", "1.0.0", Network.IF_MISSING);
    LibFolder.delete(repositories);
    sync();
    assertEquals(Map.of("a.org/p/p.fut", "def x = 1\n"), lib());
    assertTrue(
        fails(() -> manager().upgrade(Network.ALWAYS))
            .getMessage()
            .contains("could not be fetched"));
    manager().upgrade(Network.NEVER);
  }

  @Test
  void aRenamedPackageIsInstalledUnderItsRequiredPath() throws IOException, PackageException {
    release("b.org/q", "v0.1.0", manifest("old.org/name"), Map.of("old.org/name/sub/m.fut", "x"));
    manager().add("b.org/q", null, Network.IF_MISSING);
    sync();
    assertEquals(Map.of("b.org/q/sub/m.fut", "x"), lib());
  }

  @Test
  void theOwnPackageStaysAndOtherFilesGo() throws IOException, PackageException {
    simple("a.org/p", "v1.0.0", "def x = 1\n", "a.org/own 0.1.0");
    simple("a.org/own", "v0.1.0", "released\n");
    manager().init("a.org/own");
    Files.writeString(work.resolve("lib/a.org/own/own.fut"), "mine\n");
    Files.createDirectories(work.resolve("lib/b.org"));
    Files.writeString(work.resolve("lib/b.org/stray.fut"), "stray\n");
    manager().add("a.org/p", null, Network.IF_MISSING);
    said.clear();
    manager().sync(Network.IF_MISSING, true);
    assertEquals(
        List.of("Would write lib/a.org/p/p.fut", "Would delete lib/b.org/stray.fut"), said);
    assertEquals(2, lib().size());
    said.clear();
    sync();
    assertEquals(List.of("Deleted lib/b.org/stray.fut"), said);
    assertEquals(Map.of("a.org/own/own.fut", "mine\n", "a.org/p/p.fut", "def x = 1\n"), lib());
    assertFalse(Files.exists(work.resolve("lib~old")) || Files.exists(work.resolve("lib~new")));
  }

  @Test
  void aFailedInstallationLeavesTheFolderAsItWas() throws IOException, PackageException {
    simple("a.org/p", "v1.0.0", "def x = 1\n");
    manager().add("a.org/p", null, Network.IF_MISSING);
    sync();
    Map<String, String> before = lib();
    release("a.org/p", "v1.1.0", manifest("a.org/p"), Map.of("elsewhere/p.fut", "x"));
    manager().upgrade(Network.ALWAYS);
    assertTrue(fails(this::sync).getMessage().contains("has no files in the folder lib/a.org/p/"));
    assertEquals(before, lib());

    // The file a.org/p/q of one package is the folder of another.
    release("a.org/p", "v1.2.0", manifest("a.org/p"), Map.of("a.org/p/q", "x"));
    simple("a.org/p/q", "v0.1.0", "x");
    manager().upgrade(Network.ALWAYS);
    manager().add("a.org/p/q", null, Network.IF_MISSING);
    assertTrue(fails(this::sync).getMessage().contains("is a file of one package"));
    assertEquals(before, lib());
  }

  @Test
  void anInterruptedExchangeIsRepaired() throws IOException, PackageException {
    manager().init("a.org/own");
    Files.writeString(work.resolve("lib/a.org/own/own.fut"), "mine\n");
    Files.move(work.resolve("lib"), work.resolve("lib~old"));
    sync();
    assertEquals(Map.of("a.org/own/own.fut", "mine\n"), lib());
  }

  @Test
  void aLinkIsRefused() throws IOException, PackageException {
    simple("a.org/p", "v1.0.0", "x");
    Path link = repositories.resolve("a.org/p/lib/a.org/p/link.fut");
    Files.createSymbolicLink(link, Path.of("/etc/passwd"));
    git(repositories.resolve("a.org/p"), "add", "-A");
    git(repositories.resolve("a.org/p"), "commit", "-q", "-m", "Link");
    git(repositories.resolve("a.org/p"), "tag", "v1.1.0");
    manager().add("a.org/p", "1.1.0", Network.IF_MISSING);
    assertTrue(fails(this::sync).getMessage().contains("symbolic link"));
    assertFalse(Files.exists(work.resolve("lib")));
  }

  @Test
  void aLinkInPlaceOfTheFolderIsRefused() throws IOException, PackageException {
    simple("a.org/p", "v1.0.0", "x");
    manager().add("a.org/p", null, Network.IF_MISSING);
    Path outside = Files.createDirectory(folder.resolve("outside"));
    Files.createSymbolicLink(work.resolve("lib"), outside);
    assertTrue(fails(this::sync).getMessage().contains("not a folder"));
    assertEquals(0, outside.toFile().list().length);
    assertTrue(Files.exists(work.resolve("lib"), LinkOption.NOFOLLOW_LINKS));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../../etc",
        "a/../../b",
        "/etc",
        "a//b",
        "a/.",
        "a/.git/hooks",
        "a\\b",
        "",
        "a b"
      })
  void pathsThatClimbOutAreRefused(String path) throws IOException, PackageException {
    fails(() -> manager().init(path));
    fails(() -> manager().add(path, null, Network.NEVER));
    Files.writeString(work.resolve("futhark.pkg"), "require {\n  " + path + " 0.1.0\n}\n");
    fails(this::sync);
    // A package can have such a path in its own manifest, too.
    release(
        "a.org/p", "v0.1.0", "package " + path + "\nrequire {}\n", Map.of("a.org/p/p.fut", "x"));
    Files.writeString(work.resolve("futhark.pkg"), "require { a.org/p 0.1.0 }\n");
    fails(this::sync);
    assertFalse(Files.exists(work.resolve("lib")));
  }

  @Test
  void treesWithNamesThatClimbOutAreRefused() throws IOException, PackageException {
    simple("a.org/p", "v0.1.0", "x");
    Path repository = repositories.resolve("a.org/p");
    String blob = git(repository, "rev-parse", "HEAD:lib/a.org/p/p.fut");
    // Git itself refuses to make such a tree, except by this command.
    String tree = tree(repository, "100644 blob " + blob + "\tevil.fut");
    for (String name : List.of("..", ".", "p", "a.org", "lib")) {
      tree = tree(repository, "040000 tree " + tree + "\t" + name);
    }
    String pkg = git(repository, "rev-parse", "HEAD:futhark.pkg");
    String lib = git(repository, "rev-parse", tree + ":lib");
    String root =
        tree(repository, "100644 blob " + pkg + "\tfuthark.pkg\n040000 tree " + lib + "\tlib");
    String commit = git(repository, "commit-tree", root, "-m", "Evil");
    git(repository, "tag", "v0.2.0", commit);
    manager().add("a.org/p", "0.2.0", Network.IF_MISSING);
    String message = fails(this::sync).getMessage();
    assertTrue(message.contains("unsafe name") || message.contains("damaged"), message);
    assertFalse(Files.exists(work.resolve("lib")));
  }

  /** Makes a tree from lines of {@code ls-tree} by way of a file with the raw object. */
  private String tree(Path repository, String lines) throws IOException, PackageException {
    try (var bytes = new java.io.ByteArrayOutputStream()) {
      for (String line : lines.split("\n")) {
        String[] words = line.split("[ \t]");
        bytes.write(
            (words[0].replaceFirst("^0", "") + " " + words[3] + "\0")
                .getBytes(java.nio.charset.StandardCharsets.UTF_8));
        bytes.write(java.util.HexFormat.of().parseHex(words[2]));
      }
      Path raw = folder.resolve("tree");
      Files.write(raw, bytes.toByteArray());
      return git(repository, "hash-object", "--literally", "-t", "tree", "-w", raw.toString());
    }
  }

  @Test
  void theManifestKeepsItsComments() throws IOException, PackageException {
    String text =
        """
        -- first
           package   a.org/~me_x:1@3
        -- second

        require{a.org/p 1.2.3 #abc
          -- inner
          a.org/q 0.0.0-20180801102532+b700
        } -- last
        """;
    Files.writeString(work.resolve("futhark.pkg"), text);
    manager().format();
    String formatted =
        """
        -- first
        package a.org/~me_x:1@3

        -- second
        require {
          a.org/p 1.2.3 #abc
          -- inner
          a.org/q 0.0.0-20180801102532+b700
        }
        -- last
        """;
    assertEquals(formatted, manifest());
    manager().format();
    assertEquals(formatted, manifest());
    manager().remove("a.org/p");
    assertEquals(formatted.replace("  a.org/p 1.2.3 #abc\n", ""), manifest());
  }

  @Test
  void errorsOfManifestsHaveAPlace() {
    Map<String, String> errors =
        Map.of(
            "package",
                "futhark.pkg:1:8: expected a package path such as github.com/user/name, found the"
                    + " end of the file.",
            "require {\n  a.org/p one\n}",
                "futhark.pkg:2:11: expected a version such as 1.2.3, found 'one'.",
            "require {\n a.org/p 1.0.0\n a.org/p 1.0.0\n}",
                "futhark.pkg:3:2: the package a.org/p is required twice.",
            "requires {}",
                "futhark.pkg:1:1: expected 'package', 'require' or a comment, found 'requires'.",
            "require [", "futhark.pkg:1:9: expected '{', found '['.",
            "require { a.org/p 1.0.0 #! }",
                "futhark.pkg:1:26: expected the hash of a commit, found '!'.");
    errors.forEach(
        (text, message) ->
            assertEquals(
                message, fails(() -> ManifestParser.parse("futhark.pkg", text)).getMessage()));
  }
}
