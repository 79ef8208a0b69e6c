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
 * Derivatives of programs that have not been differentiated: forward ones by computing with dual
 * numbers, reverse ones by a tape. Only the lambda is evaluated so, in code of its own.
 */
final class DerivativeCode {
  private final FunctionCompiler compiler;
  private final VariableScopes scopes;

  DerivativeCode(FunctionCompiler compiler) {
    this.compiler = compiler;
    this.scopes = compiler.scopes;
  }

  private long product(In[] sizes, Frame f) {
    long[] shape = new long[sizes.length];
    for (int d = 0; d < shape.length; d++) shape[d] = sizes[d].scalar(f);
    return View.size(shape);
  }

  private static Num[][] read(In[] values, Frame f) {
    Num[][] all = new Num[values.length][];
    for (int i = 0; i < all.length; i++) all[i] = Cells.of(values[i], f);
    return all;
  }

  private static void bind(Out[] to, Num[][] values, Frame f) {
    for (int i = 0; i < values.length; i++) Cells.bind(to[i], values[i], f);
  }

  private static Num[][] below(Num[][] values, long level) {
    Num[][] all = new Num[values.length][];
    for (int i = 0; i < all.length; i++) all[i] = Num.below(values[i], level);
    return all;
  }

  private static PrimType[] types(List<Type> types) {
    return types.stream().map(Type::elemPrim).toArray(PrimType[]::new);
  }

  Instruction jvp(Soac.Jvp x, Stm s) {
    In[] vector = scopes.ins(x.vector());
    In[] args = scopes.ins(x.args());
    In[] seeds = scopes.ins(x.tangents());
    Closure closure = Closure.of(x.lambda(), compiler);
    Out[] outs = compiler.outs(s);
    return f -> {
      int directions = Math.toIntExact(product(vector, f));
      long level = compiler.machine.newLevel();
      Num[][] primals = read(args, f);
      Num[][] tangents = read(seeds, f);
      Frame g = closure.enter(f);
      for (int i = 0; i < args.length; i++) {
        int n = primals[i].length;
        Num[] duals = new Num[n];
        for (int j = 0; j < n; j++) {
          @Nullable Num[] mine = new Num[directions];
          for (int k = 0; k < directions; k++) mine[k] = tangents[i][k * n + j];
          duals[j] = new Num.Dual(level, primals[i][j], mine);
        }
        Cells.bind(closure.lambda().params()[i], duals, g);
      }
      closure.lambda().run(g);
      Num[][] results = read(closure.lambda().results(), g);
      bind(outs, below(results, level), f);
      for (int i = 0; i < results.length; i++) {
        Cells.bind(outs[results.length + i], tangents(results[i], level, directions), f);
      }
    };
  }

  private static Num[] tangents(Num[] results, long level, int directions) {
    Num[] all = new Num[directions * results.length];
    Arrays.fill(all, Num.Const.ZERO);
    for (int j = 0; j < results.length; j++) {
      if (!(results[j] instanceof Num.Dual d && d.level() == level)) continue;
      for (int k = 0; k < directions; k++) {
        Num t = d.tangents()[k];
        if (t != null) all[k * results.length + j] = t;
      }
    }
    return all;
  }

  Instruction vjp(Soac.Vjp x, Stm s) {
    In[] vector = scopes.ins(x.vector());
    In[] args = scopes.ins(x.args());
    In[] seeds = scopes.ins(x.adjoints());
    PrimType[] types = types(x.args().stream().map(scopes::type).toList());
    Closure closure = Closure.of(x.lambda(), compiler);
    Out[] outs = compiler.outs(s);
    return f -> {
      int directions = Math.toIntExact(product(vector, f));
      long level = compiler.machine.newLevel();
      Tape tape = new Tape(level);
      Num[][] inputs = read(args, f);
      for (int i = 0; i < inputs.length; i++) {
        for (int j = 0; j < inputs[i].length; j++) {
          inputs[i][j] = tape.input(types[i], inputs[i][j]);
        }
      }
      Num[][] adjoints = read(seeds, f);
      Frame g = closure.enter(f);
      bind(closure.lambda().params(), inputs, g);
      closure.lambda().run(g);
      Num[][] results = read(closure.lambda().results(), g);
      Num[][] gradients = new Num[inputs.length][];
      for (int i = 0; i < inputs.length; i++) {
        gradients[i] = new Num[directions * inputs[i].length];
      }
      for (int k = 0; k < directions; k++) {
        Tape.Sweep sweep = new Tape.Sweep(tape);
        for (int i = 0; i < results.length; i++) {
          int n = results[i].length;
          for (int j = 0; j < n; j++) sweep.add(results[i][j], adjoints[i][k * n + j]);
        }
        sweep.run();
        for (int i = 0; i < inputs.length; i++) {
          int n = inputs[i].length;
          for (int j = 0; j < n; j++) gradients[i][k * n + j] = sweep.of(inputs[i][j]);
        }
      }
      bind(outs, below(results, level), f);
      for (int i = 0; i < inputs.length; i++) {
        Cells.bind(outs[results.length + i], gradients[i], f);
      }
    };
  }

  /**
   * If the innermost derivative around it is a reverse one, an entry of its own on its tape; the
   * derivatives further out are those of the lambda, and of the adjoint as it stands. Without any,
   * or within a forward one, it is the lambda.
   */
  Instruction withVjp(Soac.WithVjp x, Stm s) {
    In[] args = scopes.ins(x.args());
    if (!scopes.active()) {
      Lambda l = compiler.lambda(x.lambda());
      Out[] outs = compiler.outs(s);
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
    Out[] outs = compiler.outs(s);
    return f -> bind(outs, call.apply(read(args, f), f), f);
  }

  private record CustomCall(Closure function, Closure adjoint, PrimType[] results) {
    Num[][] apply(Num[][] args, Frame f) {
      Tape tape = tape(args);
      if (tape == null) return plain(args, f);
      Num[][] primals = below(args, tape.level());
      Num[][] results = below(plain(primals, f), tape.level());
      Frame later = adjoint.enterLater(f, tape.level());
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

    private Num[][] plain(Num[][] args, Frame f) {
      Frame g = function.enter(f);
      bind(function.lambda().params(), args, g);
      function.lambda().run(g);
      return read(function.lambda().results(), g);
    }

    private PrimType[] types(Num[][] values) {
      List<PrimType> all = new ArrayList<>();
      for (int i = 0; i < values.length; i++) {
        for (int j = 0; j < values[i].length; j++) all.add(results[i]);
      }
      return all.toArray(PrimType[]::new);
    }

    /** The tape of the innermost derivative that depends on the arguments; null if not reverse. */
    private static @Nullable Tape tape(Num[][] args) {
      Num innermost = Num.Const.ZERO;
      for (Num[] arg : args) {
        for (Num n : arg) if (n.level() > innermost.level()) innermost = n;
      }
      return innermost instanceof Tape.Node n ? n.tape : null;
    }

    private static Num[] flat(Num[][] values) {
      List<Num> all = new ArrayList<>();
      for (Num[] value : values) all.addAll(List.of(value));
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
