package futharkc.core.ir.verify;

import static futharkc.core.ir.verify.Check.broken;
import static futharkc.core.ir.verify.Check.require;

import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.verify.CodeScope.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Verification of an imperative program: its functions, one by one, and its entry points. */
final class ImperativeCheck {
  private final ImperativeProgram program;
  private final Map<String, ImperativeProgram.Function> functions = new HashMap<>();
  private final Set<String> labels = new HashSet<>();
  private final Set<String> entries = new HashSet<>();

  ImperativeCheck(ImperativeProgram program) {
    this.program = program;
    for (ImperativeProgram.Function f : program.functions()) {
      functions.put(f.name(), f);
    }
  }

  void initialise() {
    ImperativeProgram.Function f = program.initialise();
    require(f.params().isEmpty(), "the function that computes the constants has parameters");
    check(f, scope(f));
    List<Code.Operand> constants =
        program.constants().stream().map(Code.Variable::operand).toList();
    require(f.results().equals(constants), "the results are not the constants, in order");
  }

  void function(ImperativeProgram.Function f) {
    require(functions.get(f.name()) == f, "another function has the same name");
    CodeScope scope = scope(f);
    for (Code.Variable v : program.constants()) {
      scope.declare(v, Kind.CONSTANT);
      require(
          v.name().tag() < f.nextTag(),
          "the function's next number, " + f.nextTag() + ", must be above those of all constants");
    }
    check(f, scope);
  }

  private CodeScope scope(ImperativeProgram.Function f) {
    return new CodeScope(f.nextTag(), program.rep().isByteAddressed());
  }

  private void check(ImperativeProgram.Function f, CodeScope scope) {
    for (Code.Variable v : f.params()) {
      scope.declare(v, Kind.PARAMETER);
    }
    new CodeCheck(program.rep(), functions, scope, f.onOneThread()).statements(f.body());
    ExprCheck exprs = new ExprCheck(program.rep(), scope);
    for (Code.Operand o : f.results()) {
      exprs.operand(o);
    }
    for (String l : labels(f)) {
      require(labels.add(l), "the label " + l + " of a parallel region or kernel is not unique");
    }
  }

  private static List<String> labels(ImperativeProgram.Function f) {
    List<String> labels = new ArrayList<>();
    new CodeMapper() {
      @Override
      public Code statement(Code code) {
        if (code instanceof Code.Parallel p) {
          labels.add(p.label());
        }
        if (code instanceof Code.ChainedScan s) {
          labels.add(s.label());
        }
        if (code instanceof Code.Launch l) {
          labels.add(l.label());
        }
        return super.statement(code);
      }
    }.function(f);
    return labels;
  }

  void entry(ImperativeProgram.Entry e) {
    require(entries.add(e.entry().name()), "another entry point has the same name");
    ImperativeProgram.Function f = functions.get(e.function());
    if (f == null) {
      throw broken("there is no function " + e.function());
    }
    new EntryCheck(program, e, f).check();
  }
}
