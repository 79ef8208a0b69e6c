package futharkc.pass.allocate;

import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Program;
import futharkc.core.ir.Stm;
import futharkc.core.ir.analysis.Callers;
import futharkc.core.ir.analysis.DeviceMapper;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Makes two functions of one that both host code and threads call: host code must ask for elements
 * of arrays, and threads cannot.
 */
final class ThreadFunctions {
  private ThreadFunctions() {}

  /** The program with no function that both threads and the host call. */
  static Program apart(Program p) {
    Callers calls = Callers.of(p);
    Map<String, String> copies = new HashMap<>();
    for (String f : new TreeSet<>(calls.threads())) {
      if (!calls.host().contains(f)) continue;
      String copy = f + "_in_thread";
      while (p.functions().containsKey(copy)) copy += "_";
      copies.put(f, copy);
    }
    if (copies.isEmpty()) return p;
    Map<String, FunDef> functions = new LinkedHashMap<>();
    for (FunDef f : p.functions().values()) {
      if (calls.host().contains(f.name())) {
        functions.put(f.name(), f.withBody(new Renamed(copies, false).body(f.body()), f.nextTag()));
      }
      if (calls.threads().contains(f.name())) {
        String name = copies.getOrDefault(f.name(), f.name());
        functions.put(
            name,
            new FunDef(
                name,
                f.attrs(),
                f.params(),
                f.results(),
                new Renamed(copies, true).body(f.body()),
                null,
                f.nextTag(),
                f.loc()));
      }
    }
    List<Stm> constants = new Renamed(copies, false).stms(p.constants());
    return p.withConstants(constants, p.namesForConstants().next()).withFunctions(functions);
  }

  private static final class Renamed extends DeviceMapper {
    private final Map<String, String> copies;

    Renamed(Map<String, String> copies, boolean inThread) {
      super(inThread);
      this.copies = copies;
    }

    @Override
    public Exp exp(Exp e) {
      Exp mapped = super.exp(e);
      if (!inThread() || !(mapped instanceof Exp.Apply a) || !copies.containsKey(a.function())) {
        return mapped;
      }
      return new Exp.Apply(copies.get(a.function()), a.args(), a.consumed());
    }
  }
}
