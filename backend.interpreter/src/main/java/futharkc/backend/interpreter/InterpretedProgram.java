package futharkc.backend.interpreter;

import futharkc.core.ir.EntryPoint;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Ir;
import futharkc.core.ir.Program;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.runtime.Context;
import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A program that the interpreter runs behind the interface of compiled programs. */
final class InterpretedProgram extends FutharkProgram {
  private static final int CHUNKS = 3;

  private final String name;
  private final Ir program;
  private final Map<String, String> classes;
  private final List<String> parameters;
  private Map<String, Long> settings = Map.of();
  private Interpreter interpreter;
  private volatile @Nullable Context context;

  InterpretedProgram(Ir program, String name) {
    this.name = name;
    this.program = program;
    this.classes = TuningParameterClasses.of(program);
    this.parameters = List.copyOf(classes.keySet());
    this.interpreter = new Interpreter(program, options());
  }

  /** Returns options with several chunks, so that races between chunks are detected. */
  private Options options() {
    return Options.DEFAULT.withChunks(CHUNKS).withTrace(this::trace).withEvents(this::event);
  }

  private void trace(String text) {
    Context ctx = context;
    if (ctx != null) {
      ctx.trace(text);
    }
  }

  private void event(Value operand, int event) {
    Context ctx = context;
    if (ctx != null) {
      ctx.event(operand, event);
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String backend() {
    return "interpreter";
  }

  @Override
  public void initialise(Context ctx) {
    interpreter(ctx).initialise();
  }

  @Override
  public TuningParameter[] tuningParameters() {
    return classes.entrySet().stream()
        .map(e -> new TuningParameter(e.getKey(), e.getValue(), 0))
        .toArray(TuningParameter[]::new);
  }

  /** Returns the interpreter for the tuning parameters of a context. */
  private synchronized Interpreter interpreter(Context ctx) {
    context = ctx;
    Map<String, Long> now = new HashMap<>();
    for (int i = 0; i < parameters.size(); i++) {
      if (ctx.tuning(i) != 0) {
        now.put(parameters.get(i), ctx.tuning(i));
      }
    }
    if (!now.equals(settings)) {
      settings = now;
      interpreter = new Interpreter(program, options().withParameters(now));
    }
    return interpreter;
  }

  @Override
  public futharkc.core.runtime.EntryPoint[] entryPoints() {
    List<futharkc.core.runtime.EntryPoint> entries = new ArrayList<>();
    switch (program) {
      case Program p -> {
        ValueTypes types = new ValueTypes(p.opaques());
        for (FunDef f : p.functions().values()) {
          if (f.entry() != null) {
            entries.add(new Entry(f.entry(), types, f.attrs()));
          }
        }
      }
      case ImperativeProgram p -> {
        ValueTypes types = new ValueTypes(p.opaques());
        for (ImperativeProgram.Entry e : p.entries()) {
          entries.add(new Entry(e.entry(), types, e.attrs()));
        }
      }
    }
    return entries.toArray(new futharkc.core.runtime.EntryPoint[0]);
  }

  private final class Entry extends futharkc.core.runtime.EntryPoint {
    Entry(EntryPoint e, ValueTypes types, List<String> attrs) {
      super(
          e.name(),
          e.params().stream()
              .map(p -> new Parameter(p.name(), types.of(p.type()), p.unique()))
              .toArray(Parameter[]::new),
          types.of(e.result()),
          e.uniqueResult(),
          new String[0],
          attrs.toArray(new String[0]));
    }

    @Override
    public Value[] call(Context ctx, Value[] args) {
      return interpreter(ctx).call(name(), Arrays.asList(args)).toArray(new Value[0]);
    }
  }
}
