package futharkc.backend.interpreter;

import futharkc.core.ir.PrimType;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A compiler of derivatives in programs that no pass has differentiated. Forward derivatives use
 * dual numbers, reverse ones a tape. The lambda under the derivative is compiled separately, with
 * scalars that may have derivatives.
 */
final class DerivativeCode {
  private final FunctionCompiler compiler;
  private final VariableScopes scopes;

  DerivativeCode(FunctionCompiler compiler) {
    this.compiler = compiler;
    this.scopes = compiler.scopes;
  }

  private long product(Operand[] sizes, CallFrame f) {
    long[] shape = new long[sizes.length];
    for (int d = 0; d < shape.length; d++) {
      shape[d] = sizes[d].scalar(f);
    }
    return ArrayView.size(shape);
  }

  private static Num[][] read(Operand[] values, CallFrame f) {
    Num[][] all = new Num[values.length][];
    for (int i = 0; i < all.length; i++) {
      all[i] = FlatScalars.of(values[i], f);
    }
    return all;
  }

  private static void bind(Destination[] to, Num[][] values, CallFrame f) {
    for (int i = 0; i < values.length; i++) {
      FlatScalars.bind(to[i], values[i], f);
    }
  }

  private static Num[][] below(Num[][] values, long level) {
    Num[][] all = new Num[values.length][];
    for (int i = 0; i < all.length; i++) {
      all[i] = Num.below(values[i], level);
    }
    return all;
  }

  private static PrimType[] types(List<Type> types) {
    return types.stream().map(Type::elemPrim).toArray(PrimType[]::new);
  }

  Instruction jvp(Soac.Jvp x, Stm s) {
    Operand[] vector = scopes.ins(x.vector());
    Operand[] args = scopes.ins(x.args());
    Operand[] seeds = scopes.ins(x.tangents());
    Closure closure = Closure.of(x.lambda(), compiler);
    Destination[] outs = compiler.outs(s);
    return f -> {
      int directions = Math.toIntExact(product(vector, f));
      long level = compiler.machine.newLevel();
      Num[][] primals = read(args, f);
      Num[][] tangents = read(seeds, f);
      CallFrame g = closure.enter(f);
      for (int i = 0; i < args.length; i++) {
        int n = primals[i].length;
        Num[] duals = new Num[n];
        for (int j = 0; j < n; j++) {
          @Nullable Num[] mine = new Num[directions];
          for (int k = 0; k < directions; k++) {
            mine[k] = tangents[i][k * n + j];
          }
          duals[j] = new Num.Dual(level, primals[i][j], mine);
        }
        FlatScalars.bind(closure.lambda().params()[i], duals, g);
      }
      closure.lambda().run(g);
      Num[][] results = read(closure.lambda().results(), g);
      bind(outs, below(results, level), f);
      for (int i = 0; i < results.length; i++) {
        FlatScalars.bind(outs[results.length + i], tangents(results[i], level, directions), f);
      }
    };
  }

  private static Num[] tangents(Num[] results, long level, int directions) {
    Num[] all = new Num[directions * results.length];
    Arrays.fill(all, Num.Const.ZERO);
    for (int j = 0; j < results.length; j++) {
      if (!(results[j] instanceof Num.Dual d && d.level() == level)) {
        continue;
      }
      for (int k = 0; k < directions; k++) {
        Num t = d.tangents()[k];
        if (t != null) {
          all[k * results.length + j] = t;
        }
      }
    }
    return all;
  }

  Instruction vjp(Soac.Vjp x, Stm s) {
    Operand[] vector = scopes.ins(x.vector());
    Operand[] args = scopes.ins(x.args());
    Operand[] seeds = scopes.ins(x.adjoints());
    PrimType[] types = types(x.args().stream().map(scopes::type).toList());
    Closure closure = Closure.of(x.lambda(), compiler);
    Destination[] outs = compiler.outs(s);
    return f -> {
      int directions = Math.toIntExact(product(vector, f));
      long level = compiler.machine.newLevel();
      OperationTape tape = new OperationTape(level);
      Num[][] inputs = read(args, f);
      for (int i = 0; i < inputs.length; i++) {
        for (int j = 0; j < inputs[i].length; j++) {
          inputs[i][j] = tape.input(types[i], inputs[i][j]);
        }
      }
      Num[][] adjoints = read(seeds, f);
      CallFrame g = closure.enter(f);
      bind(closure.lambda().params(), inputs, g);
      closure.lambda().run(g);
      Num[][] results = read(closure.lambda().results(), g);
      Num[][] gradients = new Num[inputs.length][];
      for (int i = 0; i < inputs.length; i++) {
        gradients[i] = new Num[directions * inputs[i].length];
      }
      for (int k = 0; k < directions; k++) {
        OperationTape.Sweep sweep = new OperationTape.Sweep(tape);
        for (int i = 0; i < results.length; i++) {
          int n = results[i].length;
          for (int j = 0; j < n; j++) {
            sweep.add(results[i][j], adjoints[i][k * n + j]);
          }
        }
        sweep.run();
        for (int i = 0; i < inputs.length; i++) {
          int n = inputs[i].length;
          for (int j = 0; j < n; j++) {
            gradients[i][k * n + j] = sweep.of(inputs[i][j]);
          }
        }
      }
      bind(outs, below(results, level), f);
      for (int i = 0; i < inputs.length; i++) {
        FlatScalars.bind(outs[results.length + i], gradients[i], f);
      }
    };
  }

  /**
   * Compiles a call of a lambda with a custom adjoint.
   *
   * <p>If the innermost enclosing derivative is a reverse one, the call is a custom entry on its
   * tape. Outer derivatives then differentiate the lambda and the adjoint themselves. If there is
   * no enclosing derivative, or the innermost one is a forward one, only the lambda is called.
   */
  Instruction withVjp(Soac.WithVjp x, Stm s) {
    Operand[] args = scopes.ins(x.args());
    if (!scopes.active()) {
      CompiledLambda l = compiler.lambda(x.lambda());
      Destination[] outs = compiler.outs(s);
      return f -> {
        new ControlCode.Values(args).read(f).write(l.params(), f);
        l.run(f);
        new ControlCode.Values(l.results()).read(f).write(outs, f);
      };
    }
    CustomCall call =
        new CustomCall(
            Closure.of(x.lambda(), compiler),
            Closure.of(x.adjoint(), compiler),
            types(x.lambda().results()));
    Destination[] outs = compiler.outs(s);
    return f -> bind(outs, call.apply(read(args, f), f), f);
  }

  private record CustomCall(Closure function, Closure adjoint, PrimType[] results) {
    Num[][] apply(Num[][] args, CallFrame f) {
      OperationTape tape = tape(args);
      if (tape == null) {
        return plain(args, f);
      }
      Num[][] primals = below(args, tape.level());
      Num[][] results = below(plain(primals, f), tape.level());
      CallFrame later = adjoint.enterLater(f, tape.level());
      Num[][] all = new Num[primals.length + 2 * results.length][];
      System.arraycopy(primals, 0, all, 0, primals.length);
      System.arraycopy(results, 0, all, primals.length, results.length);
      return split(
          tape.custom(
              flat(args),
              flat(results),
              types(results),
              seeds -> {
                Num[][] adjoints = split(seeds, results);
                System.arraycopy(adjoints, 0, all, primals.length + results.length, results.length);
                bind(adjoint.lambda().params(), all, later);
                adjoint.lambda().run(later);
                return flat(read(adjoint.lambda().results(), later));
              }),
          results);
    }

    private Num[][] plain(Num[][] args, CallFrame f) {
      CallFrame g = function.enter(f);
      bind(function.lambda().params(), args, g);
      function.lambda().run(g);
      return read(function.lambda().results(), g);
    }

    private PrimType[] types(Num[][] values) {
      List<PrimType> all = new ArrayList<>();
      for (int i = 0; i < values.length; i++) {
        for (int j = 0; j < values[i].length; j++) {
          all.add(results[i]);
        }
      }
      return all.toArray(PrimType[]::new);
    }

    /**
     * Returns the tape of the innermost derivative on which the arguments depend; null if that
     * derivative is not a reverse one.
     */
    private static @Nullable OperationTape tape(Num[][] args) {
      Num innermost = Num.Const.ZERO;
      for (Num[] arg : args) {
        for (Num n : arg) {
          if (n.level() > innermost.level()) {
            innermost = n;
          }
        }
      }
      return innermost instanceof OperationTape.Node n ? n.tape : null;
    }

    private static Num[] flat(Num[][] values) {
      List<Num> all = new ArrayList<>();
      for (Num[] value : values) {
        all.addAll(List.of(value));
      }
      return all.toArray(Num[]::new);
    }

    private static Num[][] split(Num[] all, Num[][] like) {
      Num[][] values = new Num[like.length][];
      int next = 0;
      for (int i = 0; i < values.length; i++) {
        values[i] = Arrays.copyOfRange(all, next, next + like[i].length);
        next += like[i].length;
      }
      return values;
    }
  }
}
