package futharkc.core.ir;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A program of arrays and array operations, in one representation.
 *
 * @param constants statements evaluated once, before any entry point; their names are in scope in
 *     every function
 * @param functions the functions by name
 * @param opaques the opaque types of entry points, by name
 */
public record Program(
    Rep rep, Map<String, ExtType.Def> opaques, List<Stm> constants, Map<String, FunDef> functions)
    implements Ir {
  public Program {
    if (rep.isImperative()) {
      throw new IllegalArgumentException(rep + " is not a representation of array programs");
    }
    opaques = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(opaques));
    constants = List.copyOf(constants);
    functions = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(functions));
  }

  public Program withFunctions(Map<String, FunDef> functions) {
    return new Program(rep, opaques, constants, functions);
  }

  /** Returns a source of names for new constants, unused in the whole program. */
  public NameSource namesForConstants() {
    int next = 1;
    for (FunDef f : functions.values()) {
      next = Math.max(next, f.nextTag());
    }
    for (Stm s : constants) {
      for (Name n : BoundNames.of(s)) {
        next = Math.max(next, n.tag() + 1);
      }
    }
    return new NameSource(next);
  }

  /**
   * Replaces the constants.
   *
   * @param nextTag a number greater than that of every name in the constants; fresh names of
   *     functions will start from it
   */
  public Program withConstants(List<Stm> constants, int nextTag) {
    Map<String, FunDef> bumped = new LinkedHashMap<>();
    functions.forEach(
        (name, f) -> bumped.put(name, f.nextTag() >= nextTag ? f : f.withBody(f.body(), nextTag)));
    return new Program(rep, opaques, constants, bumped);
  }

  /**
   * Returns a function that computes the constants. Its results are the constants that functions
   * mention.
   */
  public FunDef constantsAsFunction() {
    Set<Name> mentioned = new HashSet<>();
    for (FunDef f : functions.values()) {
      mentioned.addAll(FreeNames.of(f));
    }
    List<FunDef.Result> results = new ArrayList<>();
    List<SubExp> operands = new ArrayList<>();
    for (Stm s : constants) {
      for (PatElem p : s.pat()) {
        if (!mentioned.contains(p.name())) {
          continue;
        }
        results.add(new FunDef.Result(p.name(), p.type(), false));
        operands.add(SubExp.of(p.name()));
      }
    }
    int next = namesForConstants().next();
    Body body = new Body(constants, operands);
    return new FunDef("constants", List.of(), List.of(), results, body, null, next, Loc.NONE);
  }

  /** Replaces the constants by those of an optimised {@link #constantsAsFunction}. */
  public Program withConstants(FunDef computing) {
    Map<Name, SubExp> changed = new HashMap<>();
    for (int k = 0; k < computing.results().size(); k++) {
      Name name = computing.results().get(k).name();
      SubExp now = computing.body().results().get(k);
      if (!now.equals(SubExp.of(name))) {
        changed.put(name, now);
      }
    }
    Program p = withConstants(computing.body().stms(), computing.nextTag());
    if (changed.isEmpty()) {
      return p;
    }
    Substitution sub = new Substitution(changed);
    Map<String, FunDef> renamed = new LinkedHashMap<>();
    p.functions().forEach((name, f) -> renamed.put(name, sub.fun(f)));
    return p.withFunctions(renamed);
  }

  public Program withRep(Rep rep) {
    return new Program(rep, opaques, constants, functions);
  }
}
