package futharkc.core.codegen.lower.gpu;

import futharkc.core.codegen.lower.common.BlockLifetimes;
import futharkc.core.codegen.lower.common.ExecutionUnit;
import futharkc.core.codegen.lower.common.FunctionSymbols;
import futharkc.core.codegen.lower.common.OperatorCalls;
import futharkc.core.codegen.lower.common.Statements;
import futharkc.core.ir.Exp;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.Space;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeRenamer;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.imperative.Variables;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Functions for large operators in kernels. A scan applies its operator in several places, and
 * copies of a large operator would dominate the kernel's text. The operator's free variables become
 * parameters.
 */
final class OperatorFunctions implements OperatorCalls {
  private final FunctionSymbols scope;
  private final BlockLifetimes blocks;
  private final Statements statements;
  private final Map<Lambda, Optional<Function>> known = new IdentityHashMap<>();

  OperatorFunctions(FunctionSymbols scope, BlockLifetimes blocks, Statements statements) {
    this.scope = scope;
    this.blocks = blocks;
    this.statements = statements;
  }

  /**
   * A function for an operator.
   *
   * @param free the arguments that follow the operands
   */
  private record Function(String name, List<Code.Operand> free) {}

  @Override
  public @Nullable List<SubExp> call(Lambda op, List<Expr> operands, List<Code> out) {
    if (scope.place() != ExecutionUnit.THREAD) {
      return null;
    }
    Optional<Function> function = known.get(op);
    if (function == null) {
      function = isLarge(op) ? make(op) : Optional.empty();
      known.put(op, function);
    }
    return function.map(f -> call(f, op.results(), operands, out)).orElse(null);
  }

  private List<SubExp> call(Function f, List<Type> types, List<Expr> operands, List<Code> out) {
    List<Code.Operand> args = new ArrayList<>();
    for (Expr e : operands) {
      args.add(new Code.Operand.Scalar(e));
    }
    args.addAll(f.free);
    List<Code.Variable> targets = new ArrayList<>();
    List<SubExp> results = new ArrayList<>();
    for (Type t : types) {
      Name n = scope.names.fresh("result");
      scope.add(n, t);
      targets.add(Code.Variable.scalar(n, t.elemPrim()));
      results.add(SubExp.of(n));
    }
    out.add(new Code.Call(targets, f.name, args));
    return results;
  }

  private boolean isLarge(Lambda op) {
    boolean[] plain = {op.params().stream().noneMatch(p -> FunctionSymbols.isUnit(p.type()))};
    int[] count = {0};
    new Mapper() {
      @Override
      public Exp exp(Exp e) {
        count[0]++;
        if (e instanceof MemOp
            || e instanceof SegExp
            || e instanceof HostOp
            || e instanceof Exp.WithAcc) {
          plain[0] = false;
        }
        return super.exp(e);
      }
    }.body(op.body());
    return plain[0] && count[0] >= scope.number(KernelOptions.OPERATOR_STATEMENTS);
  }

  /**
   * Defines a function for an operator; returns nothing if it would need memory of the thread block
   * or the thread.
   */
  private Optional<Function> make(Lambda op) {
    KernelFrame around = KernelFrame.of(scope);
    ExecutionUnit place = scope.enter(ExecutionUnit.THREAD, new KernelFrame(scope));
    List<Code.Variable> params = new ArrayList<>();
    List<Code.Operand> results = new ArrayList<>();
    List<Code> body =
        blocks.kernel(
            code -> {
              for (Param p : op.params()) {
                scope.add(p.name(), p.type());
                params.add(Code.Variable.scalar(p.name(), p.type().elemPrim()));
              }
              List<SubExp> values = op.body().results();
              statements.lower(op.body().stms(), values, List.of(), code);
              for (SubExp r : values) {
                results.add(new Code.Operand.Scalar(scope.expr(r)));
              }
            });
    scope.enter(place, around);
    List<Name> operands = params.stream().map(Code.Variable::name).toList();
    List<Code.Variable> free = List.copyOf(Variables.usedBy(body, results, operands));
    if (!free.stream().allMatch(this::isPassed)) {
      return Optional.empty();
    }
    params.addAll(free);
    // A constant of the program may be among the free variables, so parameters get own names.
    CodeRenamer own = new CodeRenamer(scope.names);
    String name = scope.operator();
    scope.define(
        new ImperativeProgram.Function(
            name,
            true,
            params.stream()
                .map(v -> new Code.Variable(own.binder(v.name()), v.type(), v.isBlock()))
                .toList(),
            own.statements(body),
            results.stream().map(own::operand).toList(),
            scope.names.next()));
    return Optional.of(new Function(name, free.stream().map(Code.Variable::operand).toList()));
  }

  private boolean isPassed(Code.Variable v) {
    return !v.isBlock()
        || scope.find(v.name()) instanceof Type.Mem m && m.space() instanceof Space.Device;
  }
}
