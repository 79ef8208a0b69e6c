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
 * Cuts the text of a program's kernels into parts that are compiled by themselves: what all have in
 * common, the functions that the part's kernels call, and these.
 */
final class KernelModules {
  private static final Pattern CALL = Pattern.compile("\\bf_\\w+");

  private final int common;
  private final Map<String, Function> functions = new HashMap<>();

  /** By position: where its pieces begin and end, in the order of the text. */
  private final Map<Integer, Map<Integer, Integer>> modules = new TreeMap<>();

  private record Function(int from, int to, Set<String> calls) {}

  /**
   * One without modules.
   *
   * @param common how much of the text's beginning all parts need
   */
  KernelModules(int common) {
    this.common = common;
  }

  /** Adds a function, after those that it calls. */
  void function(String name, String text, int at) {
    functions.put(name, new Function(at, at + text.length(), calls(text)));
  }

  /** Adds a kernel of a module. */
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
    while (m.find()) names.add(m.group());
    return names;
  }

  /** Of each module, where its pieces begin and end; none if there is but one. */
  List<int[]> pieces() {
    if (modules.size() < 2) return List.of();
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
