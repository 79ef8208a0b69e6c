package futharkc.backend.interpreter;

import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A compiler of calls, branches, loops and accumulator operations. */
final class ControlCode {
  private final FunctionCompiler compiler;
  private final VariableScopes scopes;

  ControlCode(FunctionCompiler compiler) {
    this.compiler = compiler;
    this.scopes = compiler.scopes;
  }

  /** A parallel assignment: all operands are read before any variable is written. */
  static final class Values {
    private final Operand[] from;
    private final long[] scalars;
    private final @Nullable Object[] objects;
    private Num.@Nullable Derived @Nullable [] derived;

    Values(Operand[] from) {
      this.from = from;
      this.scalars = new long[from.length];
      this.objects = new Object[from.length];
    }

    Values read(CallFrame f) {
      derived = f.active() ? new Num.Derived[from.length] : null;
      for (int i = 0; i < from.length; i++) {
        if (from[i].isScalar()) {
          scalars[i] = from[i].scalar(f);
        } else {
          objects[i] = from[i].object(f);
        }
        if (derived != null) {
          derived[i] = from[i].derived(f);
        }
      }
      return this;
    }

    void write(Destination[] to, CallFrame f) {
      for (int i = 0; i < to.length; i++) {
        Object o = objects[i];
        Num.Derived d = derived == null ? null : derived[i];
        if (o != null) {
          to[i].object(f, o);
        } else if (d != null) {
          to[i].number(f, d);
        } else {
          to[i].scalar(f, scalars[i]);
        }
      }
    }

    /** Overwrites the elements of arrays; an array of rank 0 is a scalar. */
    void put(ArrayView[] places) {
      for (int i = 0; i < places.length; i++) {
        Object o = objects[i];
        Num.Derived d = derived == null ? null : derived[i];
        if (o != null) {
          places[i].assign((ArrayView) o);
        } else if (d != null) {
          places[i].put(places[i].offset(), d);
        } else {
          places[i].set(places[i].offset(), scalars[i]);
        }
      }
    }
  }

  Instruction apply(Exp.Apply a, Stm s) {
    Operand[] args = scopes.ins(a.args());
    Destination[] outs = compiler.outs(s);
    Machine machine = compiler.machine;
    String name = a.function();
    boolean active = scopes.active();
    Suspended.Point call =
        f -> {
          Function g = machine.function(name, active);
          CallFrame inner = g.scopes().newFrame();
          new Values(args).read(f).write(g.code().params(), inner);
          return new Suspended(g.code(), inner, outs, f, true);
        };
    return call;
  }

  /** Compiles a body whose results are bound to variables. */
  Instruction body(Body b, Supplier<Destination[]> bound) {
    CompiledLambda body = compiler.body(b);
    Destination[] outs = bound.get();
    return f -> {
      body.run(f);
      new Values(body.results()).read(f).write(outs, f);
    };
  }

  Instruction match(Exp.Match m, Stm s) {
    Operand[] scrutinees = scopes.ins(m.scrutinees());
    int n = m.cases().size();
    CompiledLambda[] bodies = new CompiledLambda[n + 1];
    for (int i = 0; i < n; i++) {
      bodies[i] = compiler.body(m.cases().get(i).body());
    }
    bodies[n] = compiler.body(m.otherwise());
    long[][] values = new long[n][scrutinees.length];
    boolean[][] any = new boolean[n][scrutinees.length];
    for (int i = 0; i < n; i++) {
      List<@Nullable PrimValue> pattern = m.cases().get(i).pattern();
      for (int j = 0; j < scrutinees.length; j++) {
        PrimValue v = pattern.get(j);
        any[i][j] = v == null;
        if (v != null) {
          values[i][j] = ScalarOps.bits(v);
        }
      }
    }
    Destination[] outs = compiler.outs(s);
    return new Suspended.Point() {
      private CompiledLambda taken(CallFrame f) {
        int taken = 0;
        while (taken < n && !matches(scrutinees, values[taken], any[taken], f)) {
          taken++;
        }
        return bodies[taken];
      }

      @Override
      public Suspended enter(CallFrame f) {
        return new Suspended(taken(f), f, outs, f, false);
      }

      @Override
      public void run(CallFrame f) {
        CompiledLambda body = taken(f);
        body.run(f);
        new Values(body.results()).read(f).write(outs, f);
      }
    };
  }

  private static boolean matches(Operand[] scrutinees, long[] values, boolean[] any, CallFrame f) {
    for (int j = 0; j < values.length; j++) {
      if (!any[j] && scrutinees[j].scalar(f) != values[j]) {
        return false;
      }
    }
    return true;
  }

  Instruction loop(Exp.Loop l, Stm s) {
    Operand[] inits = scopes.ins(l.params().stream().map(Exp.LoopParam::init).toList());
    Operand bound = l.form() instanceof Exp.Form.For form ? scopes.in(form.bound()) : null;
    Destination[] params = compiler.params(l.params().stream().map(Exp.LoopParam::param).toList());
    Destination index =
        l.form() instanceof Exp.Form.For form
            ? scopes.out(form.index(), Type.prim(form.type()))
            : null;
    Operand cond = l.form() instanceof Exp.Form.While form ? scopes.in(form.cond()) : null;
    Operand[] last = scopes.ins(l.params().stream().map(p -> SubExp.of(p.param().name())).toList());
    CompiledLambda body = compiler.body(l.body());
    Destination[] outs = compiler.outs(s);
    return f -> {
      new Values(inits).read(f).write(params, f);
      Values next = new Values(body.results());
      if (bound != null && index != null) {
        long n = bound.scalar(f);
        for (long i = 0; i < n; i++) {
          index.scalar(f, i);
          body.run(f);
          next.read(f).write(params, f);
        }
      } else if (cond != null) {
        while (cond.scalar(f) != 0) {
          body.run(f);
          next.read(f).write(params, f);
        }
      }
      new Values(last).read(f).write(outs, f);
    };
  }

  Instruction withAcc(Exp.WithAcc w, Stm s) {
    int n = w.inputs().size();
    Operand[][] arrays = new Operand[n][];
    Operand[][] spaces = new Operand[n][];
    @Nullable CompiledLambda[] ops = new CompiledLambda[n];
    for (int i = 0; i < n; i++) {
      Exp.AccInput in = w.inputs().get(i);
      arrays[i] = scopes.names(in.arrays());
      spaces[i] = scopes.ins(in.space());
      ops[i] = in.op() == null ? null : compiler.lambda(in.op().lambda());
    }
    CompiledLambda lambda = compiler.lambda(w.lambda());
    Destination[] outs = compiler.outs(s);
    DeviceState device = compiler.machine.device();
    return f -> {
      int out = 0;
      for (int i = 0; i < n; i++) {
        ArrayView[] views = new ArrayView[arrays[i].length];
        for (int k = 0; k < views.length; k++) {
          views[k] = arrays[i][k].view(f);
          outs[out++].object(f, views[k]);
        }
        long[] space = new long[spaces[i].length];
        for (int d = 0; d < space.length; d++) {
          space[d] = spaces[i][d].scalar(f);
        }
        lambda.params()[i].scalar(f, 0);
        lambda.params()[n + i].object(f, new Accumulator(views, space, ops[i], f, device));
      }
      lambda.run(f);
      Values others = new Values(Arrays.copyOfRange(lambda.results(), n, lambda.results().length));
      others.read(f).write(Arrays.copyOfRange(outs, out, outs.length), f);
    };
  }
}
