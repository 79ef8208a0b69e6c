package futharkc.core.ir.text;

import futharkc.core.ir.Name;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.ImperativeProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A printer of imperative programs, which {@link ImperativeReader} reads. */
final class ImperativePrinter {
  private final Printer p;
  private final Declarations scope = new Declarations();
  private final CodePrinter code;

  ImperativePrinter(Printer p) {
    this.p = p;
    this.code = new CodePrinter(p, scope);
  }

  void program(ImperativeProgram program) {
    p.header(program.rep(), program.opaques().values());
    if (!program.constants().isEmpty()) {
      p.put("\n");
    }
    for (Code.Variable v : program.constants()) {
      p.put("const " + CodePrinter.declaration(v) + "\n");
    }
    if (!program.initialise().equals(ImperativeReader.NO_CONSTANTS)) {
      p.put("\ninitialise ");
      function(program.initialise());
      p.put("\n");
    }
    program.constants().forEach(code::declare);
    for (ImperativeProgram.Function f : program.functions()) {
      p.put("\n");
      function(f);
      p.put("\n");
    }
    for (ImperativeProgram.Entry e : program.entries()) {
      p.put("\n");
      entry(e);
      p.put("\n");
    }
  }

  void function(ImperativeProgram.Function f) {
    int entered = scope.enter();
    p.put("fun " + Atoms.word(f.name()));
    code.variables("(", f.params(), ")");
    f.params().forEach(code::declare);
    if (f.onOneThread()) {
      p.put(" on_one_thread");
    }
    p.put(" next " + f.nextTag() + " ");
    List<Runnable> lines = new ArrayList<>();
    for (Code c : f.body()) {
      lines.add(() -> code.statement(c));
    }
    lines.add(() -> p.put("return ").list("(", f.results(), code::operand, ")"));
    p.lines(lines, Runnable::run);
    scope.leave(entered);
  }

  private void entry(ImperativeProgram.Entry e) {
    p.entry(e.entry());
    if (!e.attrs().isEmpty()) {
      p.clause(() -> p.attrs(e.attrs()));
    }
    p.clause(() -> p.put("call " + Atoms.word(e.function())).list("(", e.params(), this::in, ")"));
    if (!e.checks().isEmpty()) {
      p.clause(() -> p.put("where ").list("{", e.checks(), this::is, "}"));
    }
    p.clause(() -> code.variables("giving (", e.outputs(), ")"));
    p.clause(() -> p.put("return ").list("(", e.results(), this::out, ")"));
  }

  private void in(ImperativeProgram.Input input) {
    p.put(
        switch (input) {
          case ImperativeProgram.Input.Scalar s ->
              Atoms.name(s.name()) + ": " + s.type() + " = " + s.arg();
          case ImperativeProgram.Input.Size s ->
              Atoms.name(s.name())
                  + " = "
                  + s.places().stream()
                      .map(ImperativePrinter::place)
                      .collect(Collectors.joining(", ", "{", "}"));
          case ImperativeProgram.Input.Block b -> "[]" + b.elem() + " = " + b.arg();
        });
  }

  private static String place(ImperativeProgram.Place place) {
    return place.arg() + "[" + place.dim() + "]";
  }

  private void is(ImperativeProgram.SizeCheck check) {
    p.put(
        switch (check) {
          case ImperativeProgram.SizeCheck.Constant c -> place(c.place()) + " = " + c.size();
          case ImperativeProgram.SizeCheck.Argument a -> place(a.place()) + " = #" + a.arg();
        });
  }

  private void out(ImperativeProgram.Output output) {
    p.put(
        switch (output) {
          case ImperativeProgram.Output.Unit u -> "()";
          case ImperativeProgram.Output.Scalar s -> s.type() + " #" + s.result();
          case ImperativeProgram.Output.Array a ->
              a.shape().stream().map(ImperativePrinter::dim).collect(Collectors.joining())
                  + a.elem()
                  + " #"
                  + a.block();
        });
  }

  private static String dim(ImperativeProgram.Dim dim) {
    return switch (dim) {
      case ImperativeProgram.Dim.Constant c -> "[" + c.size() + "]";
      case ImperativeProgram.Dim.Result r -> "[#" + r.result() + "]";
      case ImperativeProgram.Dim.Known k -> "[" + name(k.size()) + "]";
    };
  }

  private static String name(Name n) {
    return Atoms.name(n);
  }
}
