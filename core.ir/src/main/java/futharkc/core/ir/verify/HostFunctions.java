package futharkc.core.ir.verify;

import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Program;
import futharkc.core.ir.SegExp;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The functions of a GPU program that only host code may call, since they use the device. */
final class HostFunctions {
  private HostFunctions() {}

  static Set<String> of(Program program) {
    if (!program.rep().hasDevice()) {
      return Set.of();
    }
    Set<String> found = new HashSet<>();
    Map<String, Set<String>> callers = new HashMap<>();
    for (FunDef f : program.functions().values()) {
      new Mapper() {
        @Override
        public Exp exp(Exp e) {
          if (e instanceof SegExp || e instanceof HostOp) {
            found.add(f.name());
          }
          if (e instanceof Exp.Apply a) {
            callers.computeIfAbsent(a.function(), k -> new HashSet<>()).add(f.name());
          }
          return super.exp(e);
        }
      }.body(f.body());
    }
    ArrayDeque<String> work = new ArrayDeque<>(found);
    while (!work.isEmpty()) {
      for (String caller : callers.getOrDefault(work.remove(), Set.of())) {
        if (found.add(caller)) {
          work.add(caller);
        }
      }
    }
    return found;
  }
}
