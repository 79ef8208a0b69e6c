package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that ahead-of-time linked classes in an assembly's jars behave like the original ones. */
final class LinkTest {
  /**
   * A program with switches over null, guards, nested records, interfaces and generics, and a
   * switch in an interface.
   */
  private static final String SWITCHES =
      """
      import java.util.List;
      interface Named {
        static String name(Object o) {
          return switch (o) { case Integer i -> "integer"; case List<?> l -> "list"; default -> "other"; };
        }
      }
      sealed interface Shape {}
      record Disc(int r) implements Shape {}
      record Box(int a, int b) implements Shape {}
      record Pair(Shape x, Shape y) implements Shape {}
      public final class Shapes {
        static String of(Shape s) {
          return switch (s) {
            case null -> "null";
            case Disc(int r) when r < 0 -> "hole";
            case Disc(int r) when r == 0 -> "point";
            case Disc d -> "disc " + d.r();
            case Pair(Disc x, Disc y) -> "discs " + x.r() + " " + y.r();
            case Pair(Box x, Shape y) -> "box and " + of(y);
            case Pair p -> "pair " + of(p.x());
            case Box b when b.a() == b.b() -> "square";
            case Box b -> "box";
          };
        }
        static <T extends Comparable<T>> String kind(T t) {
          return switch (t) { case String s when s.isEmpty() -> "empty"; case String s -> s; case Long l -> "long"; default -> "?"; };
        }
        static int thrown(Shape s) {
          try { return switch (s) { case Disc d -> d.r(); case Box b -> b.a() / b.b(); case Pair p -> thrown(p.x()); }; }
          catch (ArithmeticException | NullPointerException e) { return e instanceof NullPointerException ? -2 : -1; }
        }
        public static void main(String[] args) {
          Shape[] shapes = {null, new Disc(-1), new Disc(0), new Disc(3), new Box(1, 1), new Box(1, 0),
            new Pair(new Disc(1), new Disc(2)), new Pair(new Box(1, 2), new Disc(0)),
            new Pair(new Disc(0), new Box(1, 2)), new Pair(null, null)};
          StringBuilder said = new StringBuilder();
          for (Shape s : shapes) {
            said.append(s == null || !(s instanceof Pair(var x, var y)) || x != null ? of(s) : "pair of null").append(';');
            said.append(thrown(s)).append(';');
          }
          for (Object o : new Object[] {1, List.of(), "x"}) said.append(Named.name(o)).append(';');
          said.append(kind("")).append(kind("a")).append(kind(1L)).append(kind(2));
          System.out.println(said);
        }
      }
      """;

  /** A class for the class file version of Java 5. */
  private static final String OLD =
      """
      public final class Old {
        public static void main(String[] args) {
          int sum = 0;
          for (int i = 0; i < 10; i++) {
            try { if (i % 3 == 0) sum += i; else sum += "abc".charAt(i % 5); }
            catch (StringIndexOutOfBoundsException e) { sum -= i; }
          }
          System.out.println(sum);
        }
      }
      """;

  @TempDir private Path folder = Path.of("");

  private Path jars = Path.of("");

  @BeforeEach
  void setUp() throws Exception {
    jars = Files.createDirectory(folder.resolve("jars"));
    jar("switches.jar", compiled("Shapes", SWITCHES, List.of("--release", "25")));
    // String concatenation by call sites is newer than Java 5.
    Path old = compiled("Old", OLD, List.of("--release", "8", "-Xlint:-options"));
    Path file = old.resolve("Old.class");
    Files.write(file, aged(Files.readAllBytes(file)));
    jar("old.jar", old);
  }

  private Path compiled(String name, String source, List<String> options) throws Exception {
    Path out = Files.createDirectory(folder.resolve(name));
    Path file = folder.resolve(name + ".java");
    Files.writeString(file, source);
    List<String> arguments = new ArrayList<>(options);
    arguments.addAll(List.of("-d", out.toString(), file.toString()));
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));
    assertEquals(0, status);
    return out;
  }

  /** Returns the class file with the version of Java 5 and without stack maps. */
  private static byte[] aged(byte[] bytes) {
    ClassFile without = ClassFile.of(ClassFile.StackMapsOption.DROP_STACK_MAPS);
    return without.transformClass(
        without.parse(bytes),
        (target, element) -> {
          switch (element) {
            case ClassFileVersion _ -> target.withVersion(ClassFile.JAVA_5_VERSION, 0);
            case MethodModel m ->
                target.transformMethod(
                    m, MethodTransform.transformingCode(CodeTransform.ACCEPT_ALL));
            default -> target.with(element);
          }
        });
  }

  private void jar(String name, Path classes) throws Exception {
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jars.resolve(name)));
        Stream<Path> files = Files.list(classes)) {
      zip.putNextEntry(new ZipEntry("META-INF/MANIFEST.MF"));
      zip.write("Manifest-Version: 1.0\n".getBytes(StandardCharsets.UTF_8));
      for (Path file : files.sorted().toList()) {
        zip.putNextEntry(new ZipEntry(file.getFileName().toString()));
        zip.write(Files.readAllBytes(file));
      }
    }
  }

  private static String java(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    return said;
  }

  private void link() throws Exception {
    assertEquals("", java("../dist/Link.java", jars.toString()));
  }

  private byte[] file(String jar, String name) throws Exception {
    try (ZipFile zip = new ZipFile(jars.resolve(jar).toFile())) {
      ZipEntry entry = zip.getEntry(name);
      return zip.getInputStream(entry).readAllBytes();
    }
  }

  private static boolean mentions(byte[] bytes, String name) {
    return new String(bytes, StandardCharsets.ISO_8859_1).contains(name);
  }

  @Test
  void linkedJarsDoWhatTheyDid() throws Exception {
    String switches = java("-cp", jars.resolve("switches.jar").toString(), "Shapes");
    String old = java("-cp", jars.resolve("old.jar").toString(), "Old");
    assertTrue(switches.startsWith("null;-2;hole;-1;point;0;disc 3;3;square;1;box;-1;discs 1 2;"));
    link();
    assertEquals(switches, java("-cp", jars.resolve("switches.jar").toString(), "Shapes"));
    assertEquals(old, java("-cp", jars.resolve("old.jar").toString(), "Old"));
  }

  @Test
  void noTypeSwitchAndNoOldClassIsLeft() throws Exception {
    assertEquals(5, file("old.jar", "Old.class")[7] - 44);
    link();
    for (String name : List.of("Shapes.class", "Named.class")) {
      byte[] linked = file("switches.jar", name);
      assertTrue(mentions(linked, "$typeSwitch$0"));
      assertTrue(
          ClassFile.of().parse(linked).methods().stream()
              .flatMap(m -> m.code().stream())
              .flatMap(c -> c.elementStream())
              .noneMatch(e -> e.toString().contains("typeSwitch:")));
    }
    assertFalse(mentions(file("switches.jar", "Disc.class"), "$typeSwitch$"));
    assertEquals(8, file("old.jar", "Old.class")[7] - 44);
  }

  @Test
  void whatHasBeenLinkedStaysAsItIs() throws Exception {
    link();
    byte[] once = Files.readAllBytes(jars.resolve("switches.jar"));
    link();
    assertArrayEquals(once, Files.readAllBytes(jars.resolve("switches.jar")));
    assertFalse(Files.exists(jars.resolve("switches.jar.tmp")));
  }

  @Test
  void annotatedTypesInCodeAreNoObstacle() throws Exception {
    String source =
        """
        import java.lang.annotation.*;
        public final class Annotated {
          @Target(ElementType.TYPE_USE) @Retention(RetentionPolicy.RUNTIME) @interface Maybe {}
          public static void main(String[] args) {
            Object o = args.length;
            String[] s = new @Maybe String[1];
            s[0] = switch (o) { case Integer i -> "number"; case String t -> t; default -> "?"; };
            @Maybe String last = s[0];
            System.out.println(last);
          }
        }
        """;
    jar("annotated.jar", compiled("Annotated", source, List.of("--release", "25")));
    link();
    assertEquals(
        "number", java("-cp", jars.resolve("annotated.jar").toString(), "Annotated").strip());
    assertTrue(mentions(file("annotated.jar", "Annotated.class"), "$typeSwitch$0"));
  }
}
