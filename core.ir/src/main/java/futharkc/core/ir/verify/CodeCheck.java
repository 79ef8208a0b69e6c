package futharkc.core.ir.verify;

import static futharkc.core.ir.verify.Check.broken;
import static futharkc.core.ir.verify.Check.require;

import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.imperative.Legality;
import futharkc.core.ir.imperative.ReductionOperator;
import futharkc.core.ir.imperative.Variables;
import futharkc.core.ir.text.Printer;
import futharkc.core.ir.verify.CodeScope.Declared;
import futharkc.core.ir.verify.CodeScope.Kind;
import futharkc.core.ir.verify.CodeScope.Lack;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Verification of imperative statements: scopes and types, assignment before use, no use after
 * release, and the restrictions of parallel regions.
 */
final class CodeCheck {
  private final Rep rep;
  private final Map<String, ImperativeProgram.Function> functions;
  private final CodeScope scope;
  private final ExprCheck exprs;
  private final KernelCheck kernels;
  private final LaneCheck lanes;
  private boolean locked;

  /**
   * Makes a verifier of a function's code.
   *
   * @param onOneThread true if each call of the function runs on a single thread
   */
  CodeCheck(
      Rep rep,
      Map<String, ImperativeProgram.Function> functions,
      CodeScope scope,
      boolean onOneThread) {
    this.rep = rep;
    this.functions = functions;
    this.scope = scope;
    this.exprs = new ExprCheck(rep, scope);
    this.lanes = new LaneCheck(this, scope, exprs);
    this.kernels = new KernelCheck(this, scope, exprs, rep.hasDevice(), onOneThread);
  }

  /** Checks statements whose declarations remain in scope afterwards. */
  void statements(List<Code> code) {
    Requests.check(code);
    for (Code c : code) {
      try {
        statement(c);
      } catch (BrokenRule r) {
        if (r.where == null) {
          r.where = Printer.print(c);
        }
        throw r;
      }
    }
  }

  /** Checks a list of statements in a scope of its own. */
  void block(List<Code> code, Name... indices) {
    int entered = scope.enter();
    for (Name i : indices) {
      scope.declare(Code.Variable.scalar(i, PrimType.I64), Kind.INDEX);
    }
    statements(code);
    scope.leave(entered);
  }

  private void statement(Code code) {
    require(Legality.allows(rep, code), "this statement is not part of " + rep);
    kernels.isAllowed(code);
    lanes.isAllowed(code);
    switch (code) {
      case Code.Declare d -> {
        Expr value = d.value();
        if (value != null) {
          exprs.expr(value, d.type(), "the value of " + d.name());
        }
        scope.declare(Code.Variable.scalar(d.name(), d.type()), Kind.SCALAR);
        if (value == null) {
          scope.lack(d.name(), Lack.UNASSIGNED);
        }
      }
      case Code.Assign a -> {
        exprs.expr(a.value());
        Declared d = scope.change(Code.Variable.scalar(a.name(), a.value().type()));
        require(d.kind() == Kind.SCALAR, "the target of an assignment is " + d.kind().described);
        scope.assigned(a.name());
      }
      case Code.DeclareBlock d -> {
        Name value = d.value();
        if (value != null) {
          exprs.block(value, d.elem());
        }
        declareBlock(d.block(), d.elem(), Kind.BLOCK);
        if (value == null) {
          scope.lack(d.block(), Lack.UNASSIGNED);
        }
      }
      case Code.SetBlock s -> {
        exprs.block(s.value(), s.elem());
        Declared d = scope.change(Code.Variable.block(s.block(), s.elem()));
        require(
            d.kind() == Kind.BLOCK,
            "block variable " + s.block() + " is set, but is " + d.kind().described);
        kernels.sameMemory(s.block(), s.value());
        scope.assigned(s.block());
      }
      case Code.Alloc a -> {
        exprs.expr(a.size(), PrimType.I64, "the size of a block");
        declareBlock(a.block(), a.elem(), Kind.BLOCK);
      }
      case Code.DeclareScratch d -> declareBlock(d.block(), d.elem(), Kind.SCRATCH);
      case Code.Reserve r -> {
        exprs.expr(r.size(), PrimType.I64, "the size of a block");
        exprs.block(r.block(), r.elem());
        Declared d = scope.change(Code.Variable.block(r.block(), r.elem()));
        require(
            d.kind() == Kind.SCRATCH,
            "only scratch blocks are reserved, not " + d.kind().described);
      }
      case Code.Free f -> free(f);
      case Code.IfUnused i -> {
        exprs.block(i.block(), i.elem());
        for (Name n : i.inUse()) {
          exprs.block(n, i.elem());
        }
        branches(i.then(), i.otherwise());
      }
      case Code.ConstantBlock c -> {
        for (int k = 0; k < c.values().size(); k++) {
          PrimType t = c.values().get(k).type();
          require(t == c.elem(), "constant " + k + " is " + t + ", not " + c.elem());
        }
        declareBlock(c.block(), c.elem(), Kind.VALUES);
      }
      case Code.Pin p -> exprs.block(p.block(), p.elem());
      case Code.Store s -> {
        written(s.block(), s.elem());
        exprs.index(s.index());
        exprs.expr(s.value(), s.elem(), "the value stored in " + s.block());
      }
      case Code.CopyRun c -> {
        written(c.to(), c.elem());
        exprs.index(c.toAt());
        exprs.block(c.from(), c.elem());
        exprs.index(c.fromAt());
        exprs.expr(c.count(), PrimType.I64, "the count of a run");
      }
      case Code.FillRun f -> {
        written(f.block(), f.elem());
        exprs.index(f.at());
        exprs.expr(f.count(), PrimType.I64, "the count of a run");
        exprs.expr(f.value(), f.elem(), "the value stored in " + f.block());
      }
      case Code.MapRun m -> {
        require(Code.MapRun.isMapped(m.fun()), "no vector code of the function " + m.fun());
        written(m.to(), m.fun().type());
        exprs.block(m.from(), m.fun().type());
        exprs.expr(m.count(), PrimType.I64, "the count of a run");
      }
      case Code.If i -> {
        exprs.expr(i.cond(), PrimType.BOOL, "a condition");
        branches(i.then(), i.otherwise());
      }
      case Code.For f -> loop(f);
      case Code.While w -> loop(w);
      case Code.Scope s -> block(s.body());
      case Code.Outlined o -> outlined(o);
      case Code.Assert a -> {
        exprs.expr(a.cond(), PrimType.BOOL, "a condition");
        message(a.message());
      }
      case Code.CheckCancelled c -> {}
      case Code.Trace t -> message(t.message());
      case Code.Call c -> call(c);
      case Code.Vector v -> lanes.vector(v);
      case Code.Multicore m -> multicore(m);
      case Code.Host h -> kernels.host(h);
      case Code.Kernel k -> kernels.kernel(k);
    }
  }

  private void message(List<Code.MessagePart> parts) {
    for (Code.MessagePart m : parts) {
      if (m instanceof Code.MessagePart.Value v) {
        exprs.expr(v.value());
      }
    }
  }

  private void multicore(Code.Multicore code) {
    switch (code) {
      case Code.ChunkCount c -> {
        exprs.expr(c.total(), PrimType.I64, "the number of iterations");
        exprs.index(c.cost());
        require(c.perThread() >= 0, "the maximum number of chunks per thread is negative");
        scope.declare(Code.Variable.scalar(c.chunks(), PrimType.I64), Kind.SCALAR);
      }
      case Code.RegionTime r -> {
        exprs.expr(r.total(), PrimType.I64, "the number of iterations");
        exprs.index(r.cost());
        scope.declare(Code.Variable.scalar(r.time(), PrimType.I64), Kind.SCALAR);
      }
      case Code.ThreadCount t ->
          scope.declare(Code.Variable.scalar(t.threads(), PrimType.I64), Kind.SCALAR);
      case Code.Parallel p -> {
        region(p.total(), p.chunks());
        part(p.body(), p.chunk(), p.from(), p.to());
      }
      case Code.ChainedScan s -> {
        region(s.total(), s.chunks());
        part(s.reduce(), s.chunk(), s.from(), s.to());
        part(s.combine(), s.chunk(), s.from(), s.to());
        part(s.scan(), s.chunk(), s.from(), s.to());
      }
      case Code.Locked l -> {
        exprs.expr(l.key(), PrimType.I64, "the key of a lock");
        require(!locked, "a lock inside a lock");
        locked = true;
        block(l.body());
        locked = false;
      }
    }
  }

  private void region(Expr total, Expr chunks) {
    require(!locked, "a parallel region inside a lock");
    exprs.expr(total, PrimType.I64, "the number of iterations");
    exprs.expr(chunks, PrimType.I64, "the number of chunks");
  }

  /** Checks the body that runs for each chunk. */
  private void part(List<Code> code, Name chunk, Name from, Name to) {
    scope.enterRegion();
    block(code, chunk, from, to);
    scope.leaveRegion();
  }

  // Blocks

  private void declareBlock(Name block, PrimType elem, Kind kind) {
    scope.declare(Code.Variable.block(block, elem), kind);
  }

  void written(Name block, PrimType elem) {
    Declared d = exprs.block(block, elem);
    require(d.kind() != Kind.VALUES, block + ", a block of constants, is written to");
  }

  private void free(Code.Free f) {
    Declared d = exprs.block(f.block(), f.elem());
    for (Name n : f.unless()) {
      exprs.block(n, f.elem());
    }
    scope.change(Code.Variable.block(f.block(), f.elem()));
    switch (d.kind()) {
      case BLOCK, SCRATCH -> {}
      case CONSTANT, PARAMETER, VALUES, INDEX, SCALAR, LANES, REQUEST ->
          throw broken(f.block() + ", which is released, is " + d.kind().described);
    }
    scope.lack(f.block(), Lack.RELEASED);
  }

  // Control

  private void branches(List<Code> then, List<Code> otherwise) {
    int fork = scope.fork();
    block(then);
    Map<Name, Optional<Lack>> afterThen = scope.back(fork);
    block(otherwise);
    scope.meet(fork, afterThen);
  }

  /** Checks an outlined function. Its assignments are lost, except those to its results. */
  private void outlined(Code.Outlined o) {
    block(o.body());
    Set<Name> assigned = Variables.assignedBy(o.body());
    for (Name n : o.results()) {
      require(
          assigned.contains(n), "result " + n + " of an outlined body is not assigned in the body");
      Declared d = scope.find(n);
      require(
          d.kind() == Kind.SCALAR || d.kind() == Kind.BLOCK || d.kind() == Kind.SCRATCH,
          "result " + n + " of an outlined body is " + d.kind().described);
    }
    for (Code.Variable v : Variables.usedBy(o.body(), Set.of())) {
      boolean lost = assigned.contains(v.name()) && !o.results().contains(v.name());
      if (lost) {
        scope.lack(v.name(), Lack.UNASSIGNED);
      }
    }
  }

  private void loop(Code.For f) {
    require(f.type().isInt(), "the index of a loop is " + f.type());
    require(
        f.range() == Code.Range.UNKNOWN || f.type() == PrimType.I64,
        "a loop over " + f.type() + " is marked as " + f.range() + ", which requires i64");
    exprs.expr(f.from(), f.type(), "a bound of a loop");
    exprs.expr(f.to(), f.type(), "a bound of a loop");
    repeated(
        () -> {
          int entered = scope.enter();
          scope.declare(Code.Variable.scalar(f.index(), f.type()), Kind.INDEX);
          statements(f.body());
          scope.leave(entered);
        });
    facts(f);
  }

  /** Checks the body of a loop with an i64 index. */
  void repeated(List<Code> body, Name index) {
    repeated(body, index, Kind.INDEX);
  }

  /** Checks the declared properties of a loop, as far as they are visible in its statements. */
  private void facts(Code.For f) {
    List<Code> invariant = f.body().subList(0, f.invariant());
    List<Code> rest = f.body().subList(f.invariant(), f.body().size());
    Set<Name> variant = new HashSet<>(Variables.assignedBy(rest));
    variant.add(f.index());
    Set<Name> read = new HashSet<>(Variables.readBy(invariant));
    read.retainAll(variant);
    require(read.isEmpty(), "statements marked as invariant in a loop depend on " + read);
    if (!(f.order() instanceof Code.Order.Sequential o)) {
      return;
    }
    require(
        o.independent() >= 0 && o.independent() <= f.body().size(),
        "a loop of "
            + f.body().size()
            + " statements marks "
            + o.independent()
            + " as independent");
    List<Code> independent = f.body().subList(0, o.independent());
    for (ReductionOperator x : o.operators()) {
      for (Code.Variable v : x.accumulators()) {
        exprs.scalar(v.name(), v.type());
        require(
            !Variables.readBy(independent).contains(v.name()),
            "the operand of a reduction depends on its accumulator " + v.name());
      }
      for (int k = 0; k < x.neutral().size(); k++) {
        exprs.expr(x.neutral().get(k), x.accumulators().get(k).type(), "a neutral element");
      }
      require(
          x.results().size() == x.accumulators().size(),
          "an operator has " + x.results().size() + " results, not one per accumulator");
      int entered = scope.enter();
      for (Code.Variable v : x.operands()) {
        scope.declare(v, Kind.INDEX);
      }
      statements(x.body());
      for (int k = 0; k < x.results().size(); k++) {
        exprs.expr(x.results().get(k), x.accumulators().get(k).type(), "the result of an operator");
      }
      scope.leave(entered);
    }
  }

  /** Checks the body of a loop whose index is of the given kind. */
  void repeated(List<Code> body, Name index, Kind kind) {
    repeated(
        () -> {
          int entered = scope.enter();
          scope.declare(Code.Variable.scalar(index, PrimType.I64), kind);
          statements(body);
          scope.leave(entered);
        });
  }

  private void loop(Code.While w) {
    exprs.scalar(w.cond(), PrimType.BOOL);
    require(
        Variables.assignedBy(w.body()).contains(w.cond()),
        "the body of a loop does not assign its condition, " + w.cond());
    repeated(
        () -> {
          exprs.scalar(w.cond(), PrimType.BOOL);
          block(w.body());
          exprs.scalar(w.cond(), PrimType.BOOL);
        });
  }

  /** Checks the body of a loop, which may run any number of times, including none. */
  private void repeated(Runnable body) {
    int fork;
    do {
      fork = scope.fork();
      body.run();
    } while (scope.meet(fork));
  }

  private void call(Code.Call c) {
    ImperativeProgram.Function f = functions.get(c.function());
    if (f == null) {
      throw broken("there is no function " + c.function());
    }
    kernels.call(c, f);
    require(
        c.args().size() == f.params().size(),
        c.function() + " takes " + f.params().size() + " arguments, not " + c.args().size());
    for (int i = 0; i < c.args().size(); i++) {
      exprs.operand(c.args().get(i));
      String actual = type(c.args().get(i));
      String expected = CodeScope.type(f.params().get(i));
      require(
          actual.equals(expected),
          "argument " + i + " of " + c.function() + " is " + actual + ", not " + expected);
    }
    require(
        c.targets().size() == f.results().size(),
        c.function() + " gives " + f.results().size() + " results, not " + c.targets().size());
    for (int i = 0; i < c.targets().size(); i++) {
      Code.Variable v = c.targets().get(i);
      String result = type(f.results().get(i));
      require(
          result.equals(CodeScope.type(v)),
          v.name() + " is " + CodeScope.type(v) + ", the result of " + c.function() + " " + result);
      scope.declare(v, v.isBlock() ? Kind.BLOCK : Kind.SCALAR);
    }
  }

  static String type(Code.Operand o) {
    return switch (o) {
      case Code.Operand.Scalar s -> s.value().type().toString();
      case Code.Operand.Block b -> "[]" + b.elem();
    };
  }
}
