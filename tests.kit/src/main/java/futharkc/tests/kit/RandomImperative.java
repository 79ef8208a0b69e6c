package futharkc.tests.kit;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Rep;
import futharkc.core.ir.UnOp;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.imperative.ReductionOperator;
import futharkc.core.ir.imperative.Variables;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * A generator of random imperative programs with every kind of node of the representation. The
 * programs are well-formed trees, but neither well typed nor well scoped. {@link RandomSyntax}
 * generates functional programs of this kind.
 */
public final class RandomImperative {
  private final Rep rep;
  private final RandomSyntax g;
  private int depth;

  /** Creates a generator for a representation that draws from {@code random}. */
  public RandomImperative(Rep rep, RandomGenerator random) {
    this.rep = rep;
    this.g = new RandomSyntax(rep, random);
  }

  /** Returns a program with some types, constants, functions and entry points. */
  public ImperativeProgram program() {
    Map<String, ImperativeProgram.Function> functions = new LinkedHashMap<>();
    for (ImperativeProgram.Function f : g.few(this::function)) {
      functions.put(f.name(), f);
    }
    return new ImperativeProgram(
        rep,
        g.opaques(),
        g.few(this::variable),
        function(),
        List.copyOf(functions.values()),
        g.few(this::entry));
  }

  private ImperativeProgram.Function function() {
    return new ImperativeProgram.Function(
        g.text(), g.flip(), g.few(this::variable), code(), g.few(this::operand), g.below(1000));
  }

  private Code.Variable variable() {
    return new Code.Variable(g.name(), g.primType(), g.flip());
  }

  private ImperativeProgram.Entry entry() {
    return new ImperativeProgram.Entry(
        g.entry(),
        g.few(g::text),
        g.text(),
        g.few(this::input),
        g.few(this::check),
        g.few(this::variable),
        g.few(this::output));
  }

  private ImperativeProgram.Input input() {
    return switch (g.below(3)) {
      case 0 -> new ImperativeProgram.Input.Scalar(g.name(), g.below(9), g.primType());
      case 1 -> new ImperativeProgram.Input.Size(g.name(), g.few(this::place));
      default -> new ImperativeProgram.Input.Block(g.below(9), g.primType());
    };
  }

  private ImperativeProgram.Place place() {
    return new ImperativeProgram.Place(g.below(9), g.below(4));
  }

  private ImperativeProgram.SizeCheck check() {
    return g.flip()
        ? new ImperativeProgram.SizeCheck.Constant(place(), g.below(99))
        : new ImperativeProgram.SizeCheck.Argument(place(), g.below(9));
  }

  private ImperativeProgram.Output output() {
    return switch (g.below(3)) {
      case 0 -> new ImperativeProgram.Output.Unit();
      case 1 -> new ImperativeProgram.Output.Scalar(g.below(9), g.primType());
      default -> new ImperativeProgram.Output.Array(g.below(9), g.primType(), g.some(this::dim));
    };
  }

  private ImperativeProgram.Dim dim() {
    return switch (g.below(3)) {
      case 0 -> new ImperativeProgram.Dim.Constant(g.below(99));
      case 1 -> new ImperativeProgram.Dim.Result(g.below(9));
      default -> new ImperativeProgram.Dim.Known(g.name());
    };
  }

  private List<Code> code() {
    if (depth > 3) {
      return List.of();
    }
    depth++;
    List<Code> code = g.few(this::statement);
    depth--;
    return code;
  }

  /** Returns a random statement. */
  public Code statement() {
    List<Supplier<? extends Code>> choices = new ArrayList<>();
    choices.add(() -> new Code.Declare(g.name(), g.primType(), g.flip() ? expr() : null));
    choices.add(() -> new Code.Assign(g.name(), expr()));
    choices.add(() -> new Code.DeclareBlock(g.name(), g.primType(), g.flip() ? g.name() : null));
    choices.add(() -> new Code.SetBlock(g.name(), g.primType(), g.name()));
    choices.add(() -> new Code.Alloc(g.name(), g.primType(), expr(), g.loc()));
    choices.add(() -> new Code.DeclareScratch(g.name(), g.primType()));
    choices.add(() -> new Code.Reserve(g.name(), g.primType(), expr(), g.loc()));
    choices.add(() -> new Code.Free(g.name(), g.primType(), g.few(g::name)));
    choices.add(() -> new Code.IfUnused(g.name(), g.primType(), g.few(g::name), code(), code()));
    choices.add(() -> new Code.ConstantBlock(g.name(), g.primType(), g.few(g::primValue)));
    choices.add(() -> new Code.Pin(g.name(), g.primType()));
    choices.add(() -> new Code.Store(g.name(), g.primType(), g.poly(), expr()));
    choices.add(
        () -> new Code.CopyRun(g.name(), g.poly(), g.name(), g.poly(), g.primType(), expr()));
    choices.add(
        () -> {
          PrimFun.Kind kind = kind(new PrimFun.Kind[] {PrimFun.Kind.SIN, PrimFun.Kind.COS});
          return new Code.MapRun(new PrimFun(kind, PrimType.F32), g.name(), g.name(), expr());
        });
    choices.add(() -> new Code.FillRun(g.name(), g.primType(), g.poly(), expr(), expr()));
    choices.add(() -> new Code.If(expr(), code(), code()));
    choices.add(this::loop);
    choices.add(() -> new Code.While(g.name(), code()));
    choices.add(() -> new Code.Scope(code()));
    choices.add(this::outlined);
    choices.add(() -> new Code.Assert(expr(), g.few(this::messagePart), g.few(g::loc)));
    choices.add(Code.CheckCancelled::new);
    choices.add(() -> new Code.Trace(g.few(this::messagePart)));
    choices.add(() -> new Code.Call(g.few(this::variable), g.text(), g.few(this::operand)));
    if (!rep.hasDevice()) {
      choices.add(this::vector);
    }
    if (rep.hasCores()) {
      choices.add(this::multicore);
    }
    if (rep.hasDevice()) {
      choices.add(() -> g.flip() ? host() : kernel());
    }
    return g.oneOf(choices);
  }

  private Code loop() {
    PrimType type = g.primType();
    Expr from = g.flip() ? Expr.zero(type) : expr();
    List<Code> body = code();
    int invariant = g.flip() ? 0 : g.below(body.size() + 1);
    Code.Order order =
        g.flip()
            ? new Code.Order.Independent()
            : new Code.Order.Sequential(
                g.below(body.size() + 1), g.flip() ? List.of() : List.of(operator()));
    return new Code.For(g.name(), type, from, expr(), range(type), invariant, order, body);
  }

  private Code.Range range(PrimType type) {
    return type == PrimType.I64
        ? Code.Range.values()[g.below(Code.Range.values().length)]
        : Code.Range.UNKNOWN;
  }

  private ReductionOperator operator() {
    Code.Variable accumulator = Code.Variable.scalar(g.name(), g.primType());
    return new ReductionOperator(
        List.of(accumulator),
        List.of(expr()),
        List.of(g.name()),
        List.of(g.name()),
        code(),
        List.of(expr()),
        g.flip());
  }

  private Code.MessagePart messagePart() {
    return g.flip()
        ? new Code.MessagePart.Text(g.text())
        : new Code.MessagePart.Value(expr(), g.flip());
  }

  private Code.Operand operand() {
    return g.flip()
        ? new Code.Operand.Scalar(expr())
        : new Code.Operand.Block(g.name(), g.primType());
  }

  private Code vector() {
    return switch (g.below(5)) {
      case 0 ->
          new Code.VectorLoop(g.name(), g.name(), expr(), expr(), 2 << g.below(4), code(), code());
      case 1 -> new Code.DeclareLanes(g.name(), g.primType(), g.flip() ? expr() : null);
      case 2 -> new Code.AssignLanes(g.name(), expr(), g.flip() ? g.name() : null);
      case 3 ->
          new Code.StoreLanes(g.name(), g.primType(), g.poly(), expr(), g.flip() ? g.name() : null);
      default -> new Code.AnyLane(g.name(), g.name());
    };
  }

  private Code multicore() {
    return switch (g.below(6)) {
      case 0 -> new Code.ChunkCount(g.name(), expr(), g.poly(), g.below(9));
      case 5 -> new Code.RegionTime(g.name(), expr(), g.poly(), g.flip());
      case 1 -> new Code.ThreadCount(g.name());
      case 2 ->
          new Code.Parallel(
              g.text(), g.loc(), expr(), expr(), g.name(), g.name(), g.name(), code());
      case 3 ->
          new Code.ChainedScan(
              g.text(), g.loc(), expr(), expr(), g.name(), g.name(), g.name(), code(), code(),
              code());
      default -> new Code.Locked(expr(), code());
    };
  }

  private Code host() {
    return switch (g.below(8)) {
      case 0 -> {
        List<Code.Dimension> space = g.few(() -> new Code.Dimension(g.name(), g.name(), g.poly()));
        boolean covers = !space.isEmpty() && g.flip();
        yield new Code.Launch(
            g.text(),
            g.loc(),
            g.name(),
            g.name(),
            new Code.Grid(expr(), expr(), g.below(2) * 512, covers),
            space,
            g.few(() -> new Code.Shared(g.name(), expr())),
            code());
      }
      case 1 ->
          new Code.AwaitElements(
              g.few(() -> new Code.AwaitedElement(g.name(), g.primType(), g.name())));
      case 5 -> new Code.AskElement(g.name(), g.name(), g.primType(), g.poly(), g.loc());
      case 2 -> new Code.WriteElement(g.name(), g.primType(), g.poly(), expr());
      case 3 -> new Code.GetSize(g.name(), g.tuningParameter());
      case 4 -> new Code.GetSizeMax(g.name(), g.sizeClass());
      case 6 ->
          new Code.OnCopies(g.few(() -> new Code.HostCopy(g.name(), g.name(), g.flip())), code());
      default -> new Code.CompareSize(g.name(), g.tuningParameter(), expr());
    };
  }

  private Code kernel() {
    return switch (g.below(13)) {
      case 11 -> new Code.SineAndCosine(g.name(), g.name(), g.primType(), expr());
      case 9 -> {
        List<Code> body = code();
        int independent = g.flip() ? body.size() : g.below(body.size() + 1);
        yield new Code.Strided(
            g.name(), expr(), expr(), expr(), kind(Code.Distribution.values()), independent, body);
      }
      case 0 -> new Code.Private(g.name(), g.primType(), g.below(99));
      case 1 ->
          new Code.DeclarePointer(
              g.name(),
              kind(Code.Memory.values()),
              g.primType(),
              g.flip() ? g.name() : null,
              g.flip() ? Poly.ZERO : g.poly());
      case 2 -> new Code.Barrier();
      case 3 -> new Code.Fence(g.below(2) == 0);
      case 4 ->
          new Code.Atomic(
              g.name(), kind(Code.AtomicOp.values()), g.name(), g.primType(), g.poly(), expr());
      case 5 -> new Code.CompareAndSet(g.name(), g.name(), g.primType(), g.poly(), expr(), expr());
      case 6 -> new Code.VolatileLoad(g.name(), g.name(), g.primType(), g.poly());
      case 7 -> new Code.VolatileStore(g.name(), g.primType(), g.poly(), expr());
      case 8 -> new Code.Attempt(code());
      case 10 -> new Code.Shuffle(g.name(), g.primType(), expr(), expr(), 1 << g.below(6));
      default -> new Code.LeaveIfFailed();
    };
  }

  private Code outlined() {
    List<Code> body = code();
    List<Name> results = new ArrayList<>(Variables.assignedBy(body));
    results.sort(Comparator.comparing(Name::toString));
    results.removeIf(n -> g.flip());
    return new Code.Outlined(results, body);
  }

  private Expr expr() {
    depth++;
    Expr e = depth > 6 ? leaf() : g.flip() ? leaf() : operation();
    depth--;
    return e;
  }

  private Expr leaf() {
    return switch (g.below(5)) {
      case 0 -> new Expr.Const(g.primValue());
      case 1 -> new Expr.Var(g.name(), g.primType());
      case 2 -> new Expr.Index(g.poly());
      case 3 -> new Expr.Capacity(g.name(), g.primType());
      default -> new Expr.Load(g.name(), g.primType(), g.poly());
    };
  }

  private Expr operation() {
    return switch (g.below(6)) {
      case 0 -> new Expr.Binary(new BinOp(kind(BinOp.Kind.values()), g.primType()), expr(), expr());
      case 1 -> new Expr.Unary(new UnOp(kind(UnOp.Kind.values()), g.primType()), expr());
      case 2 ->
          new Expr.Compare(new CmpOp(kind(CmpOp.Kind.values()), g.primType()), expr(), expr());
      case 3 ->
          new Expr.Convert(
              new ConvOp(kind(ConvOp.Kind.values()), g.primType(), g.primType()), expr());
      case 4 -> {
        PrimFun.Kind k = kind(PrimFun.Kind.values());
        yield new Expr.Apply(new PrimFun(k, g.primType()), g.times(k.arity, this::expr));
      }
      default -> new Expr.Tuning(g.text(), expr());
    };
  }

  private <T> T kind(T[] kinds) {
    return kinds[g.below(kinds.length)];
  }
}
