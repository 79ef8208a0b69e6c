package futharkc.core.codegen.binding;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import javax.lang.model.SourceVersion;

/** Java names for names of programs. Each object has one scope, in which its names are distinct. */
final class JavaNames {
  /** The longest class name that is made of the text of a type. */
  private static final int LONGEST = 40;

  private final Set<String> reserved;
  private final Set<String> taken = new HashSet<>();

  /**
   * Creates a scope.
   *
   * @param reserved names that the scope must not use
   */
  JavaNames(Set<String> reserved) {
    this.reserved = Set.copyOf(reserved);
  }

  /** Returns a distinct name in camel case for a variable or method. */
  String member(String name) {
    return distinct(lower(words(name)));
  }

  /** Returns a distinct name in Pascal case for a class. */
  String type(String name) {
    return distinct(upper(words(name)));
  }

  /**
   * Returns a distinct class name for a type.
   *
   * @param text the text of the type, such as {@code point} or {@code (i32, []f64)}
   * @param kind the kind of the type, for types that have no name of their own
   */
  String type(String text, String kind) {
    if (text.matches("[A-Za-z_][\\w.']*")) {
      return type(text);
    }
    String name = kind + upper(words(text.replace("[]", " array ")));
    return distinct(name.length() <= LONGEST ? name : kind);
  }

  private String distinct(String name) {
    String first = SourceVersion.isKeyword(name) || reserved.contains(name) ? name + "_" : name;
    String made = first;
    for (int i = 2; !taken.add(made); i++) {
      made = first + i;
    }
    return made;
  }

  private static String words(String name) {
    return name.replace("'", " prime ").replaceAll("[^A-Za-z0-9]+", " ").strip();
  }

  private static String upper(String words) {
    StringBuilder name = new StringBuilder();
    for (String word : words.split(" ", -1)) {
      if (!word.isEmpty()) {
        name.append(word.substring(0, 1).toUpperCase(Locale.ROOT)).append(word.substring(1));
      }
    }
    return name.isEmpty() || Character.isDigit(name.charAt(0)) ? "V" + name : name.toString();
  }

  private static String lower(String words) {
    String name = upper(words);
    return name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
  }
}
