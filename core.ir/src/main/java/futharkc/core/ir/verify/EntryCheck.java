package futharkc.core.ir.verify;

import static futharkc.core.ir.verify.Check.count;
import static futharkc.core.ir.verify.Check.require;

import futharkc.core.ir.EntryPoint;
import futharkc.core.ir.ExtType;
import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.ImperativeProgram;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Verification of an imperative program's entry point against the function that it calls. */
final class EntryCheck {
  private final ImperativeProgram program;
  private final ImperativeProgram.Entry entry;
  private final ImperativeProgram.Function function;
  private final List<ExtType.Transparent> args = new ArrayList<>();
  private final List<ExtType.Transparent> parts = new ArrayList<>();

  /** The i64 variables whose values are known when the function returns. */
  private final Set<Name> sizes = new HashSet<>();

  EntryCheck(
      ImperativeProgram program,
      ImperativeProgram.Entry entry,
      ImperativeProgram.Function function) {
    this.program = program;
    this.entry = entry;
    this.function = function;
  }

  void check() {
    for (EntryPoint.Param p : entry.entry().params()) {
      args.addAll(Check.parts(p.type(), program.opaques()));
    }
    parts.addAll(Check.parts(entry.entry().result(), program.opaques()));
    for (Code.Variable v : program.constants()) {
      if (isSize(v)) {
        sizes.add(v.name());
      }
    }
    count(entry.params().size(), function.params().size(), "arguments of " + function.name());
    for (int i = 0; i < entry.params().size(); i++) {
      input(entry.params().get(i), function.params().get(i));
    }
    for (ImperativeProgram.SizeCheck c : entry.checks()) {
      place(c.place());
      if (c instanceof ImperativeProgram.SizeCheck.Argument a) {
        argument(a.arg(), PrimType.I64, "an expected size");
      }
    }
    count(entry.outputs().size(), function.results().size(), "results of " + function.name());
    for (int i = 0; i < entry.outputs().size(); i++) {
      Code.Variable v = entry.outputs().get(i);
      String actual = CodeCheck.type(function.results().get(i));
      require(
          actual.equals(CodeScope.type(v)),
          v.name() + " is " + CodeScope.type(v) + ", but the function's result is " + actual);
    }
    count(entry.results().size(), parts.size(), "results of the entry point");
    for (int i = 0; i < parts.size(); i++) {
      output(entry.results().get(i), parts.get(i));
    }
  }

  private static boolean isSize(Code.Variable v) {
    return !v.isBlock() && v.type() == PrimType.I64;
  }

  private void input(ImperativeProgram.Input input, Code.Variable param) {
    String actual =
        switch (input) {
          case ImperativeProgram.Input.Scalar s -> {
            argument(s.arg(), s.type(), s.name().toString());
            if (s.type() == PrimType.I64) {
              sizes.add(s.name());
            }
            yield s.type().toString();
          }
          case ImperativeProgram.Input.Size s -> {
            require(
                !s.places().isEmpty(), "size " + s.name() + " is not a dimension of any argument");
            s.places().forEach(this::place);
            sizes.add(s.name());
            yield PrimType.I64.toString();
          }
          case ImperativeProgram.Input.Block b -> {
            ExtType.Transparent t = argument(b.arg());
            require(
                t.rank() > 0 && t.prim() == b.elem(),
                "argument " + b.arg() + " is " + t.text() + ", passed as []" + b.elem());
            yield "[]" + program.inBlocks(b.elem());
          }
        };
    require(
        actual.equals(CodeScope.type(param)),
        "parameter " + param.name() + " is " + CodeScope.type(param) + ", passed " + actual);
  }

  private ExtType.Transparent argument(int arg) {
    require(arg >= 0 && arg < args.size(), "there is no argument " + arg);
    return args.get(arg);
  }

  private void argument(int arg, PrimType type, String what) {
    ExtType.Transparent t = argument(arg);
    require(
        t.rank() == 0 && t.prim() == type,
        "argument " + arg + " is " + t.text() + ", but " + what + " is " + type);
  }

  private void place(ImperativeProgram.Place p) {
    ExtType.Transparent t = argument(p.arg());
    require(
        p.dim() >= 0 && p.dim() < t.rank(),
        "argument " + p.arg() + ", which is " + t.text() + ", has no dimension " + p.dim());
  }

  private void output(ImperativeProgram.Output output, ExtType.Transparent part) {
    String actual =
        switch (output) {
          case ImperativeProgram.Output.Unit u -> "()";
          case ImperativeProgram.Output.Scalar s -> {
            result(s.result(), false, s.type());
            yield s.type().toString();
          }
          case ImperativeProgram.Output.Array a -> {
            result(a.block(), true, program.inBlocks(a.elem()));
            a.shape().forEach(this::dim);
            yield "[]".repeat(a.shape().size()) + a.elem();
          }
        };
    String expected = new ExtType.Transparent(part.prim(), false, part.rank()).text();
    require(actual.equals(expected), "a result is " + actual + ", not " + expected);
  }

  private void result(int result, boolean isBlock, PrimType type) {
    require(result >= 0 && result < entry.outputs().size(), "the function has no result " + result);
    Code.Variable v = entry.outputs().get(result);
    require(
        v.isBlock() == isBlock && v.type() == type,
        "result " + result + " of the function is " + CodeScope.type(v) + ", used as " + type);
  }

  private void dim(ImperativeProgram.Dim dim) {
    switch (dim) {
      case ImperativeProgram.Dim.Constant c ->
          require(c.size() >= 0, "a size of a result is negative");
      case ImperativeProgram.Dim.Result r -> result(r.result(), false, PrimType.I64);
      case ImperativeProgram.Dim.Known k ->
          require(
              sizes.contains(k.size()),
              "size " + k.size() + " of a result is neither an input nor a constant");
    }
  }
}
