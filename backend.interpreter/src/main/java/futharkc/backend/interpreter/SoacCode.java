package futharkc.backend.interpreter;

import futharkc.core.ir.PrimType;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A compiler of second-order array combinators (SOACs). */
final class SoacCode {
  private final FunctionCompiler compiler;
  private final VariableScopes scopes;

  SoacCode(FunctionCompiler compiler) {
    this.compiler = compiler;
    this.scopes = compiler.scopes;
  }

  Instruction soac(Soac op, Stm s) {
    return switch (op) {
      case Soac.Screma x -> screma(x, s);
      case Soac.Hist x -> hist(x, s);
      case Soac.Stream x -> stream(x, s);
      case Soac.FlatMap x -> flatMap(x, s);
      case Soac.Jvp x -> new DerivativeCode(compiler).jvp(x, s);
      case Soac.Vjp x -> new DerivativeCode(compiler).vjp(x, s);
      case Soac.WithVjp x -> new DerivativeCode(compiler).withVjp(x, s);
    };
  }

  private static PrimType[] elems(List<Type> types) {
    return types.stream().map(Type::elemPrim).toArray(PrimType[]::new);
  }

  private Operator operator(futharkc.core.ir.Lambda op, List<SubExp> neutral) {
    return new Operator(compiler.lambda(op), scopes.ins(neutral), new Operand[0], scopes.active());
  }

  /** Returns the input arrays and accumulators, whose outer size is {@code n}. */
  private static Object[] inputs(Operand[] inputs, long n, CallFrame f) {
    Object[] values = new Object[inputs.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = inputs[i].object(f);
      if (values[i] instanceof ArrayView v && v.shape()[0] != n) {
        throw new Fault("an input of size " + v.shape()[0] + " in an operation of width " + n);
      }
    }
    return values;
  }

  /** Returns new arrays for the results; null for results that are accumulators. */
  private static ArrayView[] fresh(Destination[] outs, int from, CallFrame f) {
    ArrayView[] views = new ArrayView[outs.length - from];
    for (int k = 0; k < views.length; k++) {
      if (!(outs[from + k] instanceof Destination.Acc)) {
        views[k] = outs[from + k].fresh(f);
      }
    }
    return views;
  }

  private Instruction screma(Soac.Screma x, Stm s) {
    Operand width = scopes.in(x.width());
    Operand[] inputs = scopes.names(x.inputs());
    CompiledLambda map = compiler.lambda(x.map());
    int nscan = x.scanResults();
    int nred = x.reduceResults();
    List<Operator> scans = new ArrayList<>();
    List<PrimType[]> elems = new ArrayList<>();
    for (Soac.Scan o : x.scans()) {
      scans.add(operator(o.op(), o.neutral()));
      elems.add(elems(o.op().results()));
    }
    for (Soac.Reduce o : x.reduces()) {
      scans.add(operator(o.op(), o.neutral()));
      elems.add(elems(o.op().results()));
    }
    int firstReduce = x.scans().size();
    CompiledLambda post = compiler.lambda(x.post());
    Destination[] outs = compiler.outs(s);
    boolean backwards = compiler.machine.options().backwards() && x.isMap();
    return f -> {
      long n = width.scalar(f);
      Object[] in = inputs(inputs, n, f);
      Operator.State[] states = new Operator.State[scans.size()];
      for (int o = 0; o < states.length; o++) {
        states[o] = scans.get(o).start(f, elems.get(o));
      }
      ArrayView[] results = fresh(outs, nred, f);
      for (long j = 0; j < n; j++) {
        long i = backwards ? n - 1 - j : j;
        for (int k = 0; k < in.length; k++) {
          Elements.passRow(in[k], i, map.params()[k], f);
        }
        map.run(f);
        int at = 0;
        int param = 0;
        for (int o = 0; o < states.length; o++) {
          Operator op = scans.get(o);
          op.combine(states[o], map.results(), at, f);
          at += op.count();
          if (o >= firstReduce) {
            continue;
          }
          for (ArrayView v : states[o].values) {
            Elements.pass(v, post.params()[param++], f, true);
          }
        }
        for (int k = nscan + nred; k < map.results().length; k++) {
          post.params()[param++].bind(f, map.results()[k], f);
        }
        post.run(f);
        for (int k = 0; k < results.length; k++) {
          if (results[k] != null) {
            Elements.writeRow(results[k], i, post.results()[k], f);
          }
        }
      }
      int out = 0;
      for (int o = firstReduce; o < states.length; o++) {
        for (ArrayView v : states[o].values) {
          Elements.pass(v, outs[out++], f, false);
        }
      }
      accumulators(outs, nred, f);
    };
  }

  /** Binds the results that are accumulators. */
  static void accumulators(Destination[] outs, int from, CallFrame f) {
    for (int k = from; k < outs.length; k++) {
      if (outs[k] instanceof Destination.Acc a) {
        a.again(f);
      }
    }
  }

  private Instruction hist(Soac.Hist x, Stm s) {
    Operand width = scopes.in(x.width());
    Operand[] inputs = scopes.names(x.inputs());
    HistCode[] ops = new HistCode[x.ops().size()];
    int dims = x.ops().stream().mapToInt(o -> o.shape().size()).sum();
    int index = 0;
    for (int o = 0; o < ops.length; o++) {
      Soac.HistOp h = x.ops().get(o);
      ops[o] =
          new HistCode(
              operator(h.op(), h.neutral()),
              scopes.ins(h.shape()),
              scopes.names(h.dests()),
              index,
              dims);
      index += h.shape().size();
      dims += h.dests().size();
    }
    CompiledLambda bucket = compiler.lambda(x.bucket());
    Destination[] outs = compiler.outs(s);
    boolean backwards = compiler.machine.options().backwards();
    return f -> {
      long n = width.scalar(f);
      Object[] in = inputs(inputs, n, f);
      for (long j = 0; j < n; j++) {
        long i = backwards ? n - 1 - j : j;
        for (int k = 0; k < in.length; k++) {
          Elements.passRow(in[k], i, bucket.params()[k], f);
        }
        bucket.run(f);
        for (HistCode h : ops) {
          h.update(new long[0], bucket.results(), f);
        }
      }
      int out = 0;
      for (HistCode h : ops) {
        for (Operand dest : h.dests()) {
          outs[out++].object(f, dest.object(f));
        }
      }
    };
  }

  private Instruction stream(Soac.Stream x, Stm s) {
    Operand width = scopes.in(x.width());
    Operand[] inputs = scopes.names(x.inputs());
    Operand[] accs = scopes.ins(x.accs());
    CompiledLambda l = compiler.lambda(x.lambda());
    Destination[] outs = compiler.outs(s);
    long size = compiler.machine.options().chunk();
    return f -> {
      long n = width.scalar(f);
      Object[] in = inputs(inputs, n, f);
      ArrayView[] results = fresh(outs, accs.length, f);
      Destination[] accParams = Arrays.copyOfRange(l.params(), 1, 1 + accs.length);
      Destination[] accOuts = Arrays.copyOf(outs, accs.length);
      ControlCode.Values state = new ControlCode.Values(accs).read(f);
      long step = size <= 0 ? Math.max(n, 1) : size;
      ControlCode.Values next = new ControlCode.Values(Arrays.copyOf(l.results(), accs.length));
      for (long at = 0; at < n; at += step) {
        long chunk = Math.min(step, n - at);
        l.params()[0].scalar(f, chunk);
        state.write(accParams, f);
        for (int k = 0; k < in.length; k++) {
          Destination p = l.params()[1 + accs.length + k];
          p.object(f, in[k] instanceof ArrayView v ? part(v, at, chunk) : in[k]);
        }
        l.run(f);
        state = next.read(f);
        for (int k = 0; k < results.length; k++) {
          if (results[k] != null) {
            part(results[k], at, chunk).assign(l.results()[accs.length + k].view(f));
          }
        }
      }
      state.write(accOuts, f);
      accumulators(outs, 0, f);
    };
  }

  private static ArrayView part(ArrayView v, long start, long count) {
    long[] shape = v.shape().clone();
    shape[0] = count;
    return new ArrayView(v.store(), v.offset() + start * v.strides()[0], shape, v.strides());
  }

  private Instruction flatMap(Soac.FlatMap x, Stm s) {
    Operand width = scopes.in(x.width());
    Operand[] inputs = scopes.names(x.inputs());
    CompiledLambda l = compiler.lambda(x.lambda());
    Destination[] outs = compiler.outs(s);
    return f -> {
      long n = width.scalar(f);
      Object[] in = inputs(inputs, n, f);
      List<ArrayView[]> parts = new ArrayList<>();
      long[] offsets = new long[Math.toIntExact(n)];
      long total = 0;
      for (int i = 0; i < n; i++) {
        for (int k = 0; k < in.length; k++) {
          Elements.passRow(in[k], i, l.params()[k], f);
        }
        l.run(f);
        offsets[i] = total;
        total += l.results()[0].scalar(f);
        ArrayView[] part = new ArrayView[l.results().length - 1];
        for (int k = 0; k < part.length; k++) {
          part[k] = l.results()[k + 1].view(f).copy();
        }
        parts.add(part);
      }
      outs[0].scalar(f, total);
      ArrayView starts = outs[1].fresh(f);
      for (int i = 0; i < n; i++) {
        starts.set(starts.row(i), offsets[i]);
      }
      for (int k = 2; k < outs.length; k++) {
        ArrayView all = outs[k].fresh(f);
        for (int i = 0; i < n; i++) {
          ArrayView p = parts.get(i)[k - 2];
          part(all, offsets[i], p.shape()[0]).assign(p);
        }
      }
    };
  }
}
