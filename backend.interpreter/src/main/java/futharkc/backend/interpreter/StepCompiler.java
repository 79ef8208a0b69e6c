package futharkc.backend.interpreter;

import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.runtime.FutharkError;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A compiler of the statements of a function of an imperative program. */
final class StepCompiler {
  private final ImperativeMachine machine;
  private final VariableSlots variables;
  private final ExprCompiler terms;
  private final RegionCompiler regions;
  private final LaneCompiler lanes;
  private final KernelCompiler kernels;

  /** The blocks of constants that the function declares. */
  private final Set<Name> constants = new HashSet<>();

  StepCompiler(ImperativeMachine machine, VariableSlots variables) {
    this.machine = machine;
    this.variables = variables;
    this.terms = new ExprCompiler(variables, machine.options());
    this.regions = new RegionCompiler(machine.options(), variables, terms, this);
    this.lanes = new LaneCompiler(machine.options(), variables, terms, this);
    this.kernels = new KernelCompiler(machine.options(), variables, terms, this);
  }

  ExprCompiler terms() {
    return terms;
  }

  /** Compiles a list of statements for one thread. */
  Step all(List<Code> code) {
    Step[] steps = code.stream().map(this::one).toArray(Step[]::new);
    return a -> {
      for (Step s : steps) {
        s.run(a);
      }
    };
  }

  private Step one(Code code) {
    Step step = step(code);
    return a -> {
      try {
        step.run(a);
      } catch (Fault f) {
        throw f.in(code);
      }
    };
  }

  private Step step(Code code) {
    return switch (code) {
      case Code.Declare d -> {
        Expr e = d.value();
        CompiledExpr value = e == null ? null : terms.expr(e);
        int slot = variables.declareScalar(d.name());
        yield value == null
            ? a -> a.undefined[slot] = Undefined.UNASSIGNED
            : a -> a.set(slot, value);
      }
      case Code.Assign s -> {
        CompiledExpr value = terms.expr(s.value());
        int slot = variables.ownScalar(s.name());
        yield a -> a.set(slot, value);
      }
      case Code.DeclareBlock d -> {
        Name n = d.value();
        ExprCompiler.Block value = n == null ? null : terms.block(n);
        int slot = variables.declareBlock(d.block());
        yield value == null ? a -> a.blocks[slot] = null : a -> a.blocks[slot] = value.of(a);
      }
      case Code.SetBlock s -> {
        ExprCompiler.Block value = terms.block(s.value());
        int slot = variables.ownBlock(s.block());
        yield a -> a.blocks[slot] = value.of(a);
      }
      case Code.Alloc c -> {
        CompiledExpr size = terms.expr(c.size());
        int slot = variables.declareBlock(c.block());
        yield a -> a.blocks[slot] = allocate(c.block(), c.elem(), size, a);
      }
      case Code.DeclareScratch d -> {
        int slot = variables.declareBlock(d.block());
        CheckedBlock none = CheckedBlock.allocate(d.block().toString(), d.elem(), 0);
        yield a -> a.blocks[slot] = none;
      }
      case Code.Reserve r -> {
        CompiledExpr size = terms.expr(r.size());
        ExprCompiler.Block before = terms.block(r.block());
        int slot = variables.ownBlock(r.block());
        yield a -> {
          a.execution.release(before.of(a));
          a.blocks[slot] = allocate(r.block(), r.elem(), size, a);
        };
      }
      case Code.Free f -> {
        ExprCompiler.Block block = terms.block(f.block());
        ExprCompiler.Block[] unless = blocks(f.unless());
        yield a -> {
          CheckedBlock b = block.of(a);
          if (isNone(b, unless, a)) {
            a.execution.release(b);
          }
        };
      }
      case Code.IfUnused i -> {
        ExprCompiler.Block block = terms.block(i.block());
        ExprCompiler.Block[] inUse = blocks(i.inUse());
        Step then = all(i.then());
        Step otherwise = all(i.otherwise());
        yield a -> (isNone(block.of(a), inUse, a) ? then : otherwise).run(a);
      }
      case Code.ConstantBlock c -> {
        CheckedBlock values = values(c);
        constants.add(c.block());
        int slot = variables.declareBlock(c.block());
        yield a -> a.blocks[slot] = values;
      }
      case Code.Pin p -> {
        ExprCompiler.Block block = terms.block(p.block());
        yield a -> block.of(a).pin();
      }
      case Code.Store s -> store(s);
      case Code.CopyRun c -> copy(c);
      case Code.FillRun f -> fill(f);
      case Code.MapRun m -> map(m);
      case Code.If i -> {
        CompiledExpr cond = terms.expr(i.cond());
        Step then = all(i.then());
        Step otherwise = all(i.otherwise());
        yield a -> (a.defined(cond, "a condition") != 0 ? then : otherwise).run(a);
      }
      case Code.For f -> {
        CompiledExpr from = terms.expr(f.from());
        CompiledExpr to = terms.expr(f.to());
        int slot = variables.declareScalar(f.index());
        Step body = all(f.body());
        boolean fits = f.range().fits();
        boolean anyOrder =
            machine.options().backwards() && f.order() instanceof Code.Order.Independent;
        yield a -> {
          long start = a.defined(from, "the bound of a loop");
          long end = a.defined(to, "the bound of a loop");
          if (fits && start < end && (start < 0 || end > Integer.MAX_VALUE)) {
            throw new Fault(
                "a loop from " + start + " to " + end + ", whose counter does not fit in 32 bits");
          }
          for (long i = start; i < end; i++) {
            a.set(slot, anyOrder ? end - 1 - (i - start) : i);
            body.run(a);
          }
        };
      }
      case Code.While w -> {
        CompiledExpr cond = terms.expr(new Expr.Var(w.cond(), PrimType.BOOL));
        Step body = all(w.body());
        yield a -> {
          while (a.defined(cond, "the condition of a loop") != 0) {
            body.run(a);
          }
        };
      }
      case Code.Scope s -> all(s.body());
      case Code.Outlined o -> outlined(o);
      case Code.Assert x -> assertion(x);
      case Code.CheckCancelled c -> a -> Sequence.checkInterrupt();
      case Code.Trace t -> {
        List<CompiledExpr> values = values(t.message());
        yield a -> machine.options().trace().accept(message(t.message(), values, a, "a trace"));
      }
      case Code.Call c -> call(c);
      case Code.Vector v -> lanes.step(v);
      case Code.Multicore m -> regions.step(m);
      case Code.Host h -> kernels.host(h);
      case Code.Kernel k -> kernels.thread(k);
    };
  }

  /**
   * Compiles an outlined function. Its assignments have no effect on the caller, apart from its
   * results.
   */
  private Step outlined(Code.Outlined o) {
    Step body = all(o.body());
    Set<Name> lost = new HashSet<>(futharkc.core.ir.imperative.Variables.assignedBy(o.body()));
    o.results().forEach(lost::remove);
    List<Step> forget = new ArrayList<>();
    for (Code.Variable v : futharkc.core.ir.imperative.Variables.usedBy(o.body(), Set.of())) {
      if (!lost.contains(v.name()) || v.isBlock()) {
        continue;
      }
      int slot = variables.ownScalar(v.name());
      forget.add(a -> a.undefined[slot] = Undefined.UNASSIGNED);
    }
    return a -> {
      body.run(a);
      for (Step s : forget) {
        s.run(a);
      }
    };
  }

  // Blocks

  private CheckedBlock allocate(Name name, PrimType elem, CompiledExpr size, Activation a) {
    long n = a.defined(size, "the size of a block");
    return a.execution.made(
        machine.isGpu()
            ? CheckedBlock.bytes(name.toString(), n)
            : CheckedBlock.allocate(name.toString(), elem, n));
  }

  private static CheckedBlock values(Code.ConstantBlock c) {
    Store store = Store.scratch(c.elem(), c.values().size());
    int i = 0;
    for (PrimValue v : c.values()) {
      store.set(i++, ScalarOps.bits(v));
    }
    return CheckedBlock.of(c.block().toString(), c.elem(), store).fixed("it is a constant");
  }

  private ExprCompiler.Block[] blocks(List<Name> names) {
    return names.stream().map(terms::block).toArray(ExprCompiler.Block[]::new);
  }

  /** Tests whether a block differs from all blocks of a list. */
  private static boolean isNone(CheckedBlock b, ExprCompiler.Block[] others, Activation a) {
    for (ExprCompiler.Block other : others) {
      if (other.of(a) == b) {
        return false;
      }
    }
    return true;
  }

  // Elements

  private Step store(Code.Store s) {
    ExprCompiler.Block block = terms.block(s.block());
    CompiledExpr index = terms.poly(s.index());
    CompiledExpr value = terms.expr(s.value());
    return a -> {
      Execution x = a.execution;
      long i = a.defined(index, "an index");
      x.undefined = null;
      long bits = value.value(a);
      block.of(a).write(s.elem(), i, bits, x.undefined, x);
    };
  }

  private Step copy(Code.CopyRun c) {
    ExprCompiler.Block to = terms.block(c.to());
    CompiledExpr toAt = terms.poly(c.toAt());
    ExprCompiler.Block from = terms.block(c.from());
    CompiledExpr fromAt = terms.poly(c.fromAt());
    CompiledExpr count = terms.expr(c.count());
    boolean isConstant = constants.contains(c.from());
    return a -> {
      Execution x = a.execution;
      CheckedBlock source = from.of(a);
      CheckedBlock target = to.of(a);
      long n = a.defined(count, "the count of a run");
      long first = a.defined(fromAt, "an index");
      long start = a.defined(toAt, "an index");
      source.checkRun(c.elem(), first, n, "read");
      target.checkRun(c.elem(), start, n, "written");
      long[] bits = new long[(int) n];
      Undefined[] undefined = new Undefined[(int) n];
      for (int k = 0; k < n; k++) {
        x.undefined = null;
        bits[k] = source.read(c.elem(), first + k, x);
        undefined[k] = x.undefined;
      }
      for (int k = 0; k < n; k++) {
        target.write(c.elem(), start + k, bits[k], undefined[k], x);
      }
      if (n > 0 && isConstant) {
        x.counters.written(n * c.elem().bytes());
      } else if (n > 0) {
        x.counters.copied();
      }
    };
  }

  private Step map(Code.MapRun m) {
    ExprCompiler.Block to = terms.block(m.to());
    ExprCompiler.Block from = terms.block(m.from());
    CompiledExpr count = terms.expr(m.count());
    PrimType type = m.fun().type();
    ScalarFunctions.Function function = ScalarFunctions.of(m.fun());
    return a -> {
      Execution x = a.execution;
      CheckedBlock source = from.of(a);
      CheckedBlock target = to.of(a);
      long n = a.defined(count, "the count of a run");
      source.checkRun(type, 0, n, "read");
      target.checkRun(type, 0, n, "written");
      for (int k = 0; k < n; k++) {
        x.undefined = null;
        long bits = source.read(type, k, x);
        target.write(type, k, function.apply(bits, 0, 0), x.undefined, x);
      }
    };
  }

  private Step fill(Code.FillRun f) {
    ExprCompiler.Block block = terms.block(f.block());
    CompiledExpr at = terms.poly(f.at());
    CompiledExpr count = terms.expr(f.count());
    CompiledExpr value = terms.expr(f.value());
    return a -> {
      Execution x = a.execution;
      CheckedBlock b = block.of(a);
      long n = a.defined(count, "the count of a run");
      long start = a.defined(at, "an index");
      b.checkRun(start, n, "written");
      x.undefined = null;
      long bits = value.value(a);
      Undefined undefined = x.undefined;
      for (long k = 0; k < n; k++) {
        b.write(start + k, bits, undefined, x);
      }
    };
  }

  // Assertions and calls

  private Step assertion(Code.Assert x) {
    CompiledExpr cond = terms.expr(x.cond());
    List<CompiledExpr> values = values(x.message());
    return a -> {
      if (a.defined(cond, "a condition") != 0) {
        return;
      }
      String message = message(x.message(), values, a, "a message");
      throw new FutharkError(message, ValueFormatter.trace(x.trace()));
    };
  }

  private List<CompiledExpr> values(List<Code.MessagePart> message) {
    List<CompiledExpr> values = new ArrayList<>();
    for (Code.MessagePart m : message) {
      values.add(m instanceof Code.MessagePart.Value v ? terms.expr(v.value()) : a -> 0);
    }
    return values;
  }

  private static String message(
      List<Code.MessagePart> parts, List<CompiledExpr> values, Activation a, String what) {
    StringBuilder message = new StringBuilder();
    for (int i = 0; i < parts.size(); i++) {
      switch (parts.get(i)) {
        case Code.MessagePart.Text t -> message.append(t.text());
        case Code.MessagePart.Value v ->
            message.append(
                ValueFormatter.scalar(
                    v.value().type(), v.unsigned(), a.defined(values.get(i), what)));
      }
    }
    return message.toString();
  }

  private Step call(Code.Call c) {
    List<Code.Operand> args = c.args();
    CompiledExpr[] scalars = new CompiledExpr[args.size()];
    ExprCompiler.Block[] blocks = new ExprCompiler.Block[args.size()];
    for (int i = 0; i < args.size(); i++) {
      switch (args.get(i)) {
        case Code.Operand.Scalar s -> scalars[i] = terms.expr(s.value());
        case Code.Operand.Block b -> blocks[i] = terms.block(b.name());
      }
    }
    int[] targets =
        c.targets().stream()
            .mapToInt(
                v ->
                    v.isBlock()
                        ? variables.declareBlock(v.name())
                        : variables.declareScalar(v.name()))
            .toArray();
    return a -> {
      ImperativeMachine.Function f = machine.function(c.function());
      Activation callee = f.activation(a.execution);
      for (int i = 0; i < scalars.length; i++) {
        int slot = f.params()[i];
        if (blocks[i] != null) {
          callee.blocks[slot] = blocks[i].of(a);
        } else {
          a.execution.undefined = null;
          callee.scalars[slot] = scalars[i].value(a);
          callee.undefined[slot] = a.execution.undefined;
        }
      }
      f.body().run(callee);
      for (int i = 0; i < targets.length; i++) {
        if (c.targets().get(i).isBlock()) {
          a.blocks[targets[i]] = f.results().get(i).block(callee);
        } else {
          a.execution.undefined = null;
          a.scalars[targets[i]] = f.results().get(i).scalar(callee);
          a.undefined[targets[i]] = a.execution.undefined;
        }
      }
    };
  }

  /** A result of a function. */
  sealed interface Result {
    /** Returns the block of a result that is a block. */
    CheckedBlock block(Activation a);

    /**
     * Returns the value of a result that is a scalar. If the value is undefined, the execution
     * records that.
     */
    long scalar(Activation a);

    /** A scalar result. */
    record Scalar(CompiledExpr term) implements Result {
      @Override
      public CheckedBlock block(Activation a) {
        throw new Fault("a scalar is used as a block");
      }

      @Override
      public long scalar(Activation a) {
        return term.value(a);
      }
    }

    /** A block result. */
    record Block(ExprCompiler.Block block) implements Result {
      @Override
      public CheckedBlock block(Activation a) {
        return block.of(a);
      }

      @Override
      public long scalar(Activation a) {
        throw new Fault("a block is used as a scalar");
      }
    }
  }

  Result result(Code.Operand o) {
    return switch (o) {
      case Code.Operand.Scalar s -> new Result.Scalar(terms.expr(s.value()));
      case Code.Operand.Block b -> new Result.Block(terms.block(b.name()));
    };
  }
}
