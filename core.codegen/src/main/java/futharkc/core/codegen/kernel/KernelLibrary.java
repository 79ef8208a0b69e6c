package futharkc.core.codegen.kernel;

import futharkc.core.ir.imperative.Code;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The library functions of a kernel text, which contains only used functions and their callees. The
 * library is {@code library.c}, divided into sections, and the dialect's sections.
 */
final class KernelLibrary implements Dialect.Sections {
  private static final String MARK = "//: ";

  /** The end of the name of a section that a dialect gives. */
  private static final String OF_DIALECT = "@";

  private record Section(List<String> needs, String text) {}

  private static final Map<String, Section> COMMON = sections(read());

  private final Map<String, Section> sections;
  private final Set<String> used = new HashSet<>();
  private boolean wideAtomics;
  private boolean doubles;

  KernelLibrary(Dialect dialect) {
    this.sections = merged(dialect);
  }

  private static String read() {
    try (InputStream in = KernelLibrary.class.getResourceAsStream("library.c")) {
      if (in == null) {
        throw new IllegalStateException("the kernels' library is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, Section> sections(String text) {
    Map<String, Section> sections = new LinkedHashMap<>();
    String[] parts = text.split("(?m)^" + MARK, -1);
    for (int i = 1; i < parts.length; i++) {
      int end = parts[i].indexOf('\n');
      List<String> names = List.of(parts[i].substring(0, end).strip().split(" +", -1));
      String body = parts[i].substring(end + 1).strip() + "\n";
      sections.put(names.get(0), new Section(names.subList(1, names.size()), body));
    }
    return Collections.unmodifiableMap(sections);
  }

  /**
   * Returns the sections for a dialect, in the order of {@code library.c}. A dialect's sections
   * that the file does not name come first.
   */
  private static Map<String, Section> merged(Dialect dialect) {
    Map<String, Section> own = sections(dialect.library());
    Map<String, Section> all = new LinkedHashMap<>();
    own.forEach(
        (name, section) -> {
          if (!COMMON.containsKey(name + OF_DIALECT) && !COMMON.containsKey(name)) {
            all.put(name, section);
          }
        });
    COMMON.forEach(
        (name, section) -> {
          boolean given = name.endsWith(OF_DIALECT);
          String plain = given ? name.substring(0, name.length() - 1) : name;
          Section chosen = own.getOrDefault(plain, given ? null : section);
          if (chosen != null) {
            all.put(plain, chosen);
          }
        });
    return all;
  }

  /**
   * Adds a section and the sections that it needs.
   *
   * @return the section's name, which is also the name of its function
   */
  @Override
  public String use(String name) {
    if (name.contains("f64")) {
      doubles = true;
    }
    Section section = sections.get(name);
    if (section == null) {
      throw new IllegalArgumentException("no function " + name);
    }
    if (used.add(name)) {
      section.needs().forEach(this::use);
    }
    return name;
  }

  /**
   * Adds the version of a section for a memory space, as {@link #use(String)} does. In the
   * section's text, {@code $} becomes a suffix of names, and {@code SPACE} the space's qualifier.
   */
  @Override
  public String use(String name, Code.Memory memory) {
    return use(name + "$").replace("$", ending(memory));
  }

  private static String ending(Code.Memory memory) {
    return "_" + memory.toString().toLowerCase(Locale.ROOT);
  }

  @Override
  public void useWideAtomics() {
    wideAtomics = true;
  }

  boolean usesWideAtomics() {
    return wideAtomics;
  }

  /** Records that the text uses double precision. */
  void useDoubles() {
    doubles = true;
  }

  boolean usesDoubles() {
    return doubles;
  }

  /** Returns the requested sections, in the library's order. */
  String text() {
    StringBuilder text = new StringBuilder();
    sections.forEach(
        (name, section) -> {
          if (!used.contains(name)) {
            return;
          }
          if (!name.contains("$")) {
            text.append(section.text());
            return;
          }
          for (Code.Memory memory : List.of(Code.Memory.DEVICE, Code.Memory.SHARED)) {
            String space = memory == Code.Memory.DEVICE ? "GLOBAL" : "SHARED";
            text.append(section.text().replace("$", ending(memory)).replace("SPACE", space));
          }
        });
    return text.toString();
  }
}
