package futharkc.core.codegen.kernel;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A division of a program's kernel text into modules that are compiled separately. Each module
 * consists of the common beginning, its kernels, and the functions that these call.
 */
final class KernelModules {
  private static final Pattern CALL = Pattern.compile("\\bf_\\w+");

  private final int common;
  private final Map<String, Function> functions = new HashMap<>();

  /** The text ranges of each module: the end of each range by its start. */
  private final Map<Integer, Map<Integer, Integer>> modules = new TreeMap<>();

  private record Function(int from, int to, Set<String> calls) {}

  /**
   * Creates a division without modules.
   *
   * @param common the length of the text's beginning that every module contains
   */
  KernelModules(int common) {
    this.common = common;
  }

  /** Adds a function, whose callees have been added before. */
  void function(String name, String text, int at) {
    functions.put(name, new Function(at, at + text.length(), calls(text)));
  }

  /** Adds a kernel to a module. */
  void kernel(int module, String text, int at) {
    Map<Integer, Integer> pieces = modules.computeIfAbsent(module, m -> new TreeMap<>());
    pieces.put(0, common);
    pieces.put(at, at + text.length());
    calls(text).forEach(f -> take(f, pieces));
  }

  private void take(String name, Map<Integer, Integer> pieces) {
    Function f = functions.get(name);
    if (f != null && pieces.put(f.from, f.to) == null) {
      f.calls.forEach(g -> take(g, pieces));
    }
  }

  private static Set<String> calls(String text) {
    Set<String> names = new LinkedHashSet<>();
    Matcher m = CALL.matcher(text);
    while (m.find()) {
      names.add(m.group());
    }
    return names;
  }

  /**
   * Returns the text ranges of each module as alternating starts and ends; an empty list if there
   * is only one module.
   */
  List<int[]> pieces() {
    if (modules.size() < 2) {
      return List.of();
    }
    List<int[]> all = new ArrayList<>();
    modules.forEach(
        (module, pieces) ->
            all.add(
                pieces.entrySet().stream()
                    .flatMap(e -> java.util.stream.Stream.of(e.getKey(), e.getValue()))
                    .mapToInt(Integer::intValue)
                    .toArray()));
    return all;
  }
}
