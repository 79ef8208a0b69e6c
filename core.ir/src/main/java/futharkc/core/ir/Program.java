package futharkc.core.ir;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A program in some representation.
 *
 * @param constants evaluated once, before any entry point; their names are in scope everywhere
 * @param functions by name
 * @param opaques types of entry points, by name
 */
public record Program(
    Rep rep, Map<String, ExtType.Def> opaques, List<Stm> constants, Map<String, FunDef> functions) {
  public Program {
    opaques = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(opaques));
    constants = List.copyOf(constants);
    functions = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(functions));
  }

  public Program withFunctions(Map<String, FunDef> functions) {
    return new Program(rep, opaques, constants, functions);
  }

  /** Names that nothing in the program has: for new constants. */
  public NameSource namesForConstants() {
    int next = 1;
    for (FunDef f : functions.values()) next = Math.max(next, f.nextTag());
    for (Stm s : constants) for (Name n : BoundNames.of(s)) next = Math.max(next, n.tag() + 1);
    return new NameSource(next);
  }

  /**
   * The program with other constants.
   *
   * @param nextTag no name in the constants has this number or a greater one; functions' own fresh
   *     names will start above
   */
  public Program withConstants(List<Stm> constants, int nextTag) {
    Map<String, FunDef> bumped = new LinkedHashMap<>();
    functions.forEach(
        (name, f) -> bumped.put(name, f.nextTag() >= nextTag ? f : f.withBody(f.body(), nextTag)));
    return new Program(rep, opaques, constants, bumped);
  }

  public Program withRep(Rep rep) {
    return new Program(rep, opaques, constants, functions);
  }
}
