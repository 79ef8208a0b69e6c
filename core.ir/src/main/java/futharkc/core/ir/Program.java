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

  public Program withConstants(List<Stm> constants) {
    return new Program(rep, opaques, constants, functions);
  }

  public Program withRep(Rep rep) {
    return new Program(rep, opaques, constants, functions);
  }
}
