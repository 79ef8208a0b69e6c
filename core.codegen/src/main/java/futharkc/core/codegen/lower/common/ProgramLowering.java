package futharkc.core.codegen.lower.common;

import futharkc.core.ir.EntryPoint;
import futharkc.core.ir.Exp;
import futharkc.core.ir.ExtType;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.AnalysisCache;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.memory.BlockAliases;
import futharkc.core.ir.memory.BlockUses;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A lowering of programs in MC_MEM, SEQ_MEM or GPU_MEM to the imperative language. */
public final class ProgramLowering {
  private final Program program;
  private final PassContext context;
  private final TargetLowering lowering;
  private final Map<Name, Type> constantTypes = new HashMap<>();
  private final AnalysisCache analyses;
  private final Set<String> sequential;
  private final List<ImperativeProgram.Function> functions = new ArrayList<>();

  private ProgramLowering(Program program, PassContext context, TargetLowering lowering) {
    this.program = program;
    this.context = context;
    this.lowering = lowering;
    this.analyses = context.analyses();
    this.sequential =
        program.rep().isSequential() ? program.functions().keySet() : calledInKernels(program);
    for (Stm s : program.constants()) {
      for (PatElem p : s.pat()) {
        constantTypes.put(p.name(), p.type());
      }
    }
  }

  /**
   * Lowers a program.
   *
   * @param rep the representation of the result
   * @param lowering the parts of the lowering that differ between targets
   */
  public static ImperativeProgram lower(
      Program program, Rep rep, PassContext context, TargetLowering lowering) {
    try {
      return new ProgramLowering(program, context, lowering).program(rep);
    } catch (CannotExpandException e) {
      throw new PassException(e.loc(), e.report());
    }
  }

  private ImperativeProgram program(Rep rep) {
    List<Code.Variable> constants = new ArrayList<>();
    ImperativeProgram.Function initialise = constants(constants);
    List<ImperativeProgram.Entry> entries = new ArrayList<>();
    for (FunDef fun : program.functions().values()) {
      functions.add(function(fun));
      EntryPoint e = fun.entry();
      if (e != null) {
        entries.add(entry(fun, e));
      }
    }
    return new ImperativeProgram(rep, program.opaques(), constants, initialise, functions, entries);
  }

  private ImperativeProgram.Function constants(List<Code.Variable> variables) {
    for (Stm s : program.constants()) {
      for (PatElem p : s.pat()) {
        switch (p.type()) {
          case Type.Prim t -> {
            if (t.prim() != PrimType.UNIT) {
              variables.add(new Code.Variable(p.name(), t.prim(), false));
            }
          }
          case Type.Mem m ->
              variables.add(new Code.Variable(p.name(), FunctionSymbols.elem(m), true));
          case Type.Array t -> {}
          case Type.Acc t -> {}
        }
      }
    }
    BlockAliases aliases = BlockAliases.of(program.constants(), Map.of());
    BlockUses uses = BlockUses.of(program.constants());
    FunctionSymbols scope =
        new FunctionSymbols("constants", new HashMap<>(), program.namesForConstants(), context);
    lowering.enter(scope, sequential.contains("constants"));
    BlockLifetimes blocks = new BlockLifetimes(scope, aliases, uses, kernel("constants"));
    List<SubExp> all = new ArrayList<>();
    for (Code.Variable v : variables) {
      all.add(SubExp.of(v.name()));
      if (v.isBlock()) {
        blocks.escapes(v.name());
      }
    }
    for (Stm s : program.constants()) {
      for (PatElem p : s.pat()) {
        scope.add(p.name(), p.type());
      }
    }
    List<Code> code = new ArrayList<>();
    new Statements(scope, blocks, lowering).lower(program.constants(), all, List.of(), code);
    List<Code.Operand> results = new ArrayList<>();
    for (Code.Variable v : variables) {
      if (v.isBlock()) {
        code.add(new Code.Pin(v.name(), v.type()));
      }
      results.add(v.operand());
    }
    List<Code> body = blocks.complete(code);
    functions.addAll(scope.defined());
    return new ImperativeProgram.Function(
        "constants", blocks.isSequential(), List.of(), body, results, scope.names.next());
  }

  private BlockLifetimes.@Nullable Kernel kernel(String function) {
    boolean alone = program.rep().isSequential();
    return alone || sequential.contains(function) ? new BlockLifetimes.Kernel(!alone) : null;
  }

  private ImperativeProgram.Function function(FunDef fun) {
    Map<Name, Type> types = new HashMap<>(constantTypes);
    for (Param p : fun.params()) {
      types.put(p.name(), p.type());
    }
    BlockAliases aliases = analyses.get(fun, BlockAliases.ANALYSIS);
    BlockUses uses = analyses.get(fun, BlockUses.ANALYSIS);
    FunctionSymbols scope =
        new FunctionSymbols(fun.name(), types, new NameSource(fun.nextTag()), context);
    lowering.enter(scope, sequential.contains(fun.name()));
    BlockLifetimes blocks = new BlockLifetimes(scope, aliases, uses, kernel(fun.name()));
    List<Code.Variable> params = new ArrayList<>();
    for (Param p : fun.params()) {
      switch (p.type()) {
        case Type.Prim t -> {
          if (t.prim() != PrimType.UNIT) {
            params.add(new Code.Variable(p.name(), t.prim(), false));
          }
        }
        case Type.Mem m -> {
          params.add(new Code.Variable(p.name(), FunctionSymbols.elem(m), true));
          blocks.hold(p.name());
        }
        case Type.Array t -> {}
        case Type.Acc t -> {}
      }
    }
    List<SubExp> results = fun.body().results();
    for (SubExp r : results) {
      if (r instanceof SubExp.Var v) {
        blocks.escapes(v.name());
      }
    }
    List<Code> code = new ArrayList<>();
    new Statements(scope, blocks, lowering).lower(fun.body().stms(), results, List.of(), code);
    List<Code.Operand> returned = new ArrayList<>();
    for (SubExp r : results) {
      Code.Operand o = scope.operand(r);
      if (o != null) {
        returned.add(o);
      }
    }
    List<Code> body = blocks.complete(code);
    functions.addAll(scope.defined());
    return new ImperativeProgram.Function(
        fun.name(), blocks.isSequential(), params, body, returned, scope.names.next());
  }

  // Entry points

  private ImperativeProgram.Entry entry(FunDef fun, EntryPoint e) {
    List<ImperativeProgram.Input> inputs = new ArrayList<>();
    int parts = 0;
    for (EntryPoint.Param p : e.params()) {
      parts += parts(p.type());
    }
    List<Param> values = new ArrayList<>();
    for (Param p : fun.params()) {
      if (!(p.type() instanceof Type.Mem)) {
        values.add(p);
      }
    }
    List<Param> flat = values.subList(values.size() - parts, values.size());
    Map<Name, Integer> argOfBlock = new HashMap<>();
    Map<Name, List<ImperativeProgram.Place>> places = new LinkedHashMap<>();
    Map<Name, Integer> argOfScalar = new HashMap<>();
    for (int i = 0; i < flat.size(); i++) {
      Param p = flat.get(i);
      if (p.type() instanceof Type.Array a) {
        argOfBlock.put(FunctionSymbols.mem(a).block(), i);
        for (int d = 0; d < a.shape().size(); d++) {
          if (a.shape().get(d) instanceof SubExp.Var v) {
            places
                .computeIfAbsent(v.name(), k -> new ArrayList<>())
                .add(new ImperativeProgram.Place(i, d));
          }
        }
      } else {
        argOfScalar.put(p.name(), i);
      }
    }
    List<ImperativeProgram.SizeCheck> checks = new ArrayList<>();
    for (int i = 0; i < flat.size(); i++) {
      List<SubExp> shape = flat.get(i).type().dims();
      for (int d = 0; d < shape.size(); d++) {
        ImperativeProgram.Place place = new ImperativeProgram.Place(i, d);
        switch (shape.get(d)) {
          case SubExp.Const c ->
              checks.add(new ImperativeProgram.SizeCheck.Constant(place, c.value().asLong()));
          case SubExp.Var v -> {
            Integer arg = argOfScalar.get(v.name());
            if (arg != null) {
              checks.add(new ImperativeProgram.SizeCheck.Argument(place, arg));
            }
          }
        }
      }
    }
    for (Param p : fun.params()) {
      switch (p.type()) {
        case Type.Prim t -> {
          if (t.prim() == PrimType.UNIT) {
            break;
          }
          Integer arg = argOfScalar.get(p.name());
          if (arg != null) {
            inputs.add(new ImperativeProgram.Input.Scalar(p.name(), arg, t.prim()));
          } else {
            inputs.add(
                new ImperativeProgram.Input.Size(
                    p.name(), places.getOrDefault(p.name(), List.of())));
          }
        }
        case Type.Mem m -> {
          Integer arg = argOfBlock.get(p.name());
          if (arg == null) {
            throw new IllegalStateException("block " + p.name() + " of no argument");
          }
          inputs.add(new ImperativeProgram.Input.Block(arg, flat.get(arg).type().elemPrim()));
        }
        case Type.Array t -> {}
        case Type.Acc t -> {}
      }
    }
    return new ImperativeProgram.Entry(
        e, fun.attrs(), fun.name(), inputs, checks, outputs(fun), results(fun, parts(e.result())));
  }

  private List<Code.Variable> outputs(FunDef fun) {
    List<Code.Variable> outputs = new ArrayList<>();
    for (FunDef.Result r : fun.results()) {
      switch (r.type()) {
        case Type.Prim t -> {
          if (t.prim() != PrimType.UNIT) {
            outputs.add(new Code.Variable(r.name(), t.prim(), false));
          }
        }
        case Type.Mem m -> outputs.add(new Code.Variable(r.name(), FunctionSymbols.elem(m), true));
        case Type.Array t -> {}
        case Type.Acc t -> {}
      }
    }
    return outputs;
  }

  /**
   * Returns the outputs of the entry point, which are the last {@code parts} results; existential
   * sizes and blocks precede them.
   */
  private List<ImperativeProgram.Output> results(FunDef fun, int parts) {
    Map<Name, Integer> position = new HashMap<>();
    int at = 0;
    for (Code.Variable v : outputs(fun)) {
      position.put(v.name(), at++);
    }
    List<FunDef.Result> values = new ArrayList<>();
    for (FunDef.Result r : fun.results()) {
      if (!(r.type() instanceof Type.Mem)) {
        values.add(r);
      }
    }
    List<ImperativeProgram.Output> out = new ArrayList<>();
    for (FunDef.Result r : values.subList(values.size() - parts, values.size())) {
      if (r.type() instanceof Type.Array a) {
        if (!FunctionSymbols.mem(a).lmad().equals(Lmad.rowMajor(a.shape()))) {
          throw new IllegalStateException("result of " + fun.name() + " is not row-major: " + a);
        }
        List<ImperativeProgram.Dim> shape = new ArrayList<>();
        for (SubExp d : a.shape()) {
          shape.add(dim(d, position));
        }
        Integer block = position.get(FunctionSymbols.mem(a).block());
        if (block == null) {
          throw new IllegalStateException("result of " + fun.name() + " without its block");
        }
        out.add(new ImperativeProgram.Output.Array(block, a.elem(), shape));
      } else {
        Integer scalar = position.get(r.name());
        out.add(
            scalar == null
                ? new ImperativeProgram.Output.Unit()
                : new ImperativeProgram.Output.Scalar(scalar, r.type().elemPrim()));
      }
    }
    return out;
  }

  private static ImperativeProgram.Dim dim(SubExp d, Map<Name, Integer> position) {
    return switch (d) {
      // The size of a slice is negative if its check fails, which happens before there is a
      // result.
      case SubExp.Const c -> new ImperativeProgram.Dim.Constant(Math.max(0, c.value().asLong()));
      case SubExp.Var v -> {
        Integer at = position.get(v.name());
        yield at == null
            ? new ImperativeProgram.Dim.Known(v.name())
            : new ImperativeProgram.Dim.Result(at);
      }
    };
  }

  private int parts(ExtType t) {
    return t.parts(program.opaques()).size();
  }

  /** Returns the functions that parallel operations call, directly or indirectly. */
  private static Set<String> calledInKernels(Program program) {
    Set<String> found = new HashSet<>();
    ArrayDeque<String> todo = new ArrayDeque<>();
    Mapper collect =
        new Mapper() {
          @Override
          public Exp exp(Exp e) {
            if (e instanceof Exp.Apply a && found.add(a.function())) {
              todo.add(a.function());
            }
            return super.exp(e);
          }
        };
    Mapper kernels =
        new Mapper() {
          @Override
          public SegOp segOp(SegOp op) {
            collect.segOp(op);
            return op;
          }

          @Override
          public Exp exp(Exp e) {
            if (e instanceof HostOp.GpuBody g) {
              collect.body(g.body());
              return e;
            }
            if (e instanceof Exp.WithAcc w && program.rep().hasDevice()) {
              for (Exp.AccInput in : w.inputs()) {
                if (in.op() != null) {
                  collect.body(in.op().lambda().body());
                }
              }
              return new Exp.WithAcc(w.inputs(), lambda(w.lambda()));
            }
            return super.exp(e);
          }
        };
    for (FunDef f : program.functions().values()) {
      kernels.body(f.body());
    }
    for (Stm s : program.constants()) {
      kernels.stm(s);
    }
    while (!todo.isEmpty()) {
      FunDef f = program.functions().get(todo.remove());
      if (f != null) {
        collect.body(f.body());
      }
    }
    return found;
  }
}
