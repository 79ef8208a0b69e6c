package futharkc.core.codegen.java;

import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ImperativeProgram;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The tuning parameters that each function reads, directly or through its callees. */
final class TuningParameters {
  private final Map<String, Reads> functions = new HashMap<>();

  /**
   * The tuning parameters that a function reads and the functions that it calls, without those of
   * callees.
   */
  private static final class Reads extends CodeMapper {
    private final Set<String> parameters = new LinkedHashSet<>();
    private final Set<String> calls = new LinkedHashSet<>();

    @Override
    public Expr expr(Expr e) {
      if (e instanceof Expr.Tuning t) {
        parameters.add(t.name());
      }
      return super.expr(e);
    }

    @Override
    public Code statement(Code c) {
      if (c instanceof Code.Call call) {
        calls.add(call.function());
      }
      return super.statement(c);
    }
  }

  TuningParameters(ImperativeProgram program) {
    for (ImperativeProgram.Function f : program.functions()) {
      Reads reads = new Reads();
      reads.statements(f.body());
      functions.put(f.name(), reads);
    }
  }

  /** Returns the names of the tuning parameters that a function reads. */
  List<String> of(String function) {
    Set<String> parameters = new LinkedHashSet<>();
    Set<String> seen = new HashSet<>(Set.of(function));
    Deque<String> open = new ArrayDeque<>(seen);
    while (!open.isEmpty()) {
      Reads reads = functions.get(open.pop());
      if (reads == null) {
        continue;
      }
      parameters.addAll(reads.parameters);
      for (String callee : reads.calls) {
        if (seen.add(callee)) {
          open.add(callee);
        }
      }
    }
    return List.copyOf(parameters);
  }
}
