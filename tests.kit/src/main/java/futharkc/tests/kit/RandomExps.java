package futharkc.tests.kit;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FlatSlice;
import futharkc.core.ir.HistStrategy;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Loc;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.Rep;
import futharkc.core.ir.SegBody;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegLevel;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegResult;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.SegStrategy;
import futharkc.core.ir.SegVirt;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Type;
import futharkc.core.ir.UnOp;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The generator of expressions for {@link RandomSyntax}, with every kind of node of the
 * representation.
 */
final class RandomExps {
  private final RandomSyntax g;

  RandomExps(RandomSyntax g) {
    this.g = g;
  }

  Exp exp() {
    if (g.below(3) > 0) {
      return basicOp();
    }
    List<Supplier<? extends Exp>> choices = new ArrayList<>();
    choices.add(this::apply);
    choices.add(this::match);
    choices.add(this::loop);
    choices.add(() -> new Exp.WithAcc(g.few(this::accInput), g.lambda()));
    Rep rep = g.rep();
    if (rep.hasCombinators()) {
      choices.add(this::soac);
    }
    if (rep.hasCores()) {
      choices.add(this::parOp);
    }
    if (rep.hasDevice()) {
      choices.add(() -> new SegExp.Seg(segOp()));
      choices.add(this::hostOp);
    }
    if (rep.hasMemory()) {
      choices.add(() -> new MemOp.Alloc(g.subExp(), g.space()));
      choices.add(() -> new MemOp.EnsureDirect(g.name()));
    }
    return g.oneOf(choices);
  }

  private Exp apply() {
    int n = g.below(4);
    return new Exp.Apply(g.text(), g.times(n, g::subExp), g.times(n, g::flip));
  }

  private Exp match() {
    if (g.flip()) {
      return Exp.Match.conditional(g.subExp(), g.body(), g.body());
    }
    int n = 1 + g.below(3);
    return new Exp.Match(
        g.times(n, g::subExp), g.few(() -> new Exp.Case(pattern(n), g.body())), g.body());
  }

  private List<@Nullable PrimValue> pattern(int n) {
    List<@Nullable PrimValue> values = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      values.add(g.flip() ? null : g.primValue());
    }
    return values;
  }

  private Exp loop() {
    Exp.Form form =
        g.flip()
            ? new Exp.Form.While(g.name())
            : new Exp.Form.For(g.name(), g.primType(), g.subExp());
    return new Exp.Loop(
        g.few(() -> new Exp.LoopParam(g.param(), g.subExp(), g.few(g::text))), form, g.body());
  }

  private Exp.AccInput accInput() {
    Exp.AccOp op = g.flip() ? null : new Exp.AccOp(g.lambda(), g.few(g::subExp));
    return new Exp.AccInput(g.few(g::subExp), g.few(g::name), op);
  }

  private Exp soac() {
    return g.<Exp>oneOf(
        List.of(
            () ->
                new Soac.Screma(
                    g.subExp(),
                    g.few(g::name),
                    g.lambda(),
                    g.few(() -> new Soac.Scan(g.lambda(), g.few(g::subExp))),
                    g.few(() -> new Soac.Reduce(g.flip(), g.lambda(), g.few(g::subExp))),
                    g.lambda()),
            () -> new Soac.Hist(g.subExp(), g.few(g::name), g.few(this::histOp), g.lambda()),
            () -> new Soac.Stream(g.subExp(), g.few(g::name), g.few(g::subExp), g.lambda()),
            () -> new Soac.FlatMap(g.subExp(), g.few(g::name), g.lambda()),
            () -> new Soac.Jvp(g.few(g::subExp), g.few(g::subExp), g.few(g::subExp), g.lambda()),
            () -> new Soac.Vjp(g.few(g::subExp), g.few(g::subExp), g.few(g::subExp), g.lambda()),
            () -> new Soac.WithVjp(g.few(g::subExp), g.lambda(), g.lambda())));
  }

  private Soac.HistOp histOp() {
    return new Soac.HistOp(
        g.few(g::subExp), g.subExp(), g.few(g::name), g.few(g::subExp), g.lambda());
  }

  private Exp parOp() {
    SegExp.Choice choice = g.flip() ? null : new SegExp.Choice(g.below(9), g.below(9));
    return new SegExp.ParOp(segOp(), g.flip() ? null : g.body(), choice, g.below(3));
  }

  private SegOp segOp() {
    SegSpace space = new SegSpace(g.name(), g.few(() -> new SegSpace.Dim(g.name(), g.subExp())));
    SegBody body = new SegBody(g.stms(), g.few(this::segResult));
    List<Type> types = g.few(g::type);
    return switch (g.below(4)) {
      case 0 -> new SegOp.SegMap(level(), space, types, body);
      case 1 -> {
        Lambda post = g.flip() ? null : g.lambda();
        yield new SegOp.SegRed(
            level(), space, g.few(this::segBinOp), types, body, post, division());
      }
      case 2 ->
          new SegOp.SegScan(
              level(), space, g.few(this::segBinOp), types, body, g.lambda(), division());
      default -> {
        List<SegOp.SegHistOp> ops = g.few(this::segHistOp);
        HistStrategy strategy = ops.isEmpty() ? null : strategy();
        yield new SegOp.SegHist(level(), space, ops, types, body, strategy);
      }
    };
  }

  private @Nullable SegStrategy division() {
    return switch (g.below(7)) {
      case 0 -> new SegStrategy.Threads();
      case 1 -> new SegStrategy.Columns(g.below(9), g.below(9), g.below(9));
      case 2 -> new SegStrategy.OnePass(windows(), g.below(9), g.below(9));
      case 3 -> new SegStrategy.TwoPasses(windows(), g.below(9));
      case 4 -> {
        SegStrategy.Order order =
            g.flip() ? windows() : new SegStrategy.AnyOrder(g.below(9), g.below(9));
        yield new SegStrategy.Blocks(
            g.flip(), order, g.below(9), g.below(9), g.below(9), g.below(9));
      }
      default -> null;
    };
  }

  private SegStrategy.Windows windows() {
    return new SegStrategy.Windows(g.below(9), g.below(9));
  }

  private @Nullable HistStrategy strategy() {
    return switch (g.below(4)) {
      case 0 -> new HistStrategy.Cores(g.below(9), g.below(9), g.below(9), g.below(9), g.flip());
      case 1 -> new HistStrategy.Device(null, HistStrategy.Global.PLAIN);
      case 2 ->
          new HistStrategy.Device(
              new HistStrategy.Shared(g.below(9), g.below(9), g.below(9), g.below(9), g.below(9)),
              new HistStrategy.Global(g.below(9), g.below(9), g.below(9)));
      default -> null;
    };
  }

  private SegResult segResult() {
    return switch (g.below(4)) {
      case 0 ->
          new SegResult.TileReturns(
              g.few(() -> new SegResult.TileDim(g.subExp(), g.subExp())), g.subExp());
      case 1 ->
          new SegResult.RegTileReturns(
              g.few(() -> new SegResult.RegTileDim(g.subExp(), g.subExp(), g.subExp())),
              g.subExp());
      case 2 -> new SegResult.Checked(g.subExp());
      default -> new SegResult.Returns(g.subExp());
    };
  }

  private SegLevel level() {
    SegLevel.Grid grid = g.flip() ? null : new SegLevel.Grid(g.subExp(), g.subExp());
    return switch (g.below(4)) {
      case 0 -> new SegLevel.Thread(virt(), grid);
      case 1 -> new SegLevel.Block(virt(), grid);
      case 2 -> new SegLevel.ThreadInBlock(virtInBlock());
      default -> new SegLevel.Cores();
    };
  }

  private SegVirt virt() {
    return g.flip() ? SegVirt.VIRT : SegVirt.NO_VIRT;
  }

  private SegVirt virtInBlock() {
    return g.flip() ? virt() : new SegVirt.Full(g.few(() -> g.below(3)));
  }

  private SegOp.SegBinOp segBinOp() {
    return new SegOp.SegBinOp(g.flip(), g.lambda(), g.few(g::subExp), g.few(g::subExp));
  }

  private SegOp.SegHistOp segHistOp() {
    Lambda op = g.lambda();
    return new SegOp.SegHistOp(
        g.few(g::subExp), g.subExp(), g.few(g::name), g.few(g::subExp), g.few(g::subExp), op);
  }

  private Exp hostOp() {
    return g.<Exp>oneOf(
        List.of(
            () -> new HostOp.GetSize(g.tuningParameter()),
            () -> new HostOp.GetSizeMax(g.sizeClass()),
            () -> new HostOp.CmpSizeLe(g.tuningParameter(), g.subExp()),
            () -> new HostOp.CalcNumBlocks(g.subExp(), g.tuningParameter(), g.subExp()),
            () ->
                new HostOp.Read(
                    g.times(1 + g.below(3), () -> new HostOp.Element(g.name(), g.few(g::subExp)))),
            () -> new HostOp.GpuBody(g.few(g::type), g.body())));
  }

  private Exp basicOp() {
    return g.<Exp>oneOf(
        List.of(
            () -> new BasicOp.SubExpOp(g.subExp()),
            () -> new BasicOp.Opaque(tag(), g.subExp()),
            () -> new BasicOp.ArrayVal(g.few(g::primValue), g.primType()),
            () -> new BasicOp.ArrayLit(g.few(g::subExp), g.type()),
            () ->
                new BasicOp.BinOpExp(
                    new BinOp(any(BinOp.Kind.values()), g.primType()), g.subExp(), g.subExp()),
            () -> new BasicOp.UnOpExp(new UnOp(any(UnOp.Kind.values()), g.primType()), g.subExp()),
            () ->
                new BasicOp.CmpOpExp(
                    new CmpOp(any(CmpOp.Kind.values()), g.primType()), g.subExp(), g.subExp()),
            () ->
                new BasicOp.ConvOpExp(
                    new ConvOp(any(ConvOp.Kind.values()), g.primType(), g.primType()), g.subExp()),
            this::primFun,
            () -> new BasicOp.Assert(g.subExp(), g.few(this::msgPart), g.few(this::place)),
            () -> new BasicOp.Index(g.name(), slice()),
            () -> new BasicOp.Update(g.flip(), g.name(), slice(), g.subExp()),
            () -> new BasicOp.FlatIndex(g.name(), flatSlice()),
            () -> new BasicOp.FlatUpdate(g.name(), flatSlice(), g.name()),
            () -> new BasicOp.Concat(g.below(3), g.few(g::name), g.subExp()),
            () -> new BasicOp.Manifest(g.name(), g.few(() -> g.below(4))),
            () -> new BasicOp.Iota(g.subExp(), g.subExp(), g.subExp(), g.primType()),
            () -> new BasicOp.Replicate(g.few(g::subExp), g.subExp()),
            () -> new BasicOp.Scratch(g.primType(), g.few(g::subExp)),
            () -> new BasicOp.Reshape(g.flip(), g.name(), g.few(g::subExp)),
            () -> new BasicOp.Rearrange(g.name(), g.few(() -> g.below(4))),
            () -> new BasicOp.UpdateAcc(g.flip(), g.name(), g.few(g::subExp), g.few(g::subExp)),
            () -> new BasicOp.UserParam(g.text(), g.subExp())));
  }

  private Exp primFun() {
    PrimFun f = new PrimFun(any(PrimFun.Kind.values()), g.primType());
    return new BasicOp.PrimFunExp(f, g.times(f.kind().arity, g::subExp));
  }

  private Loc place() {
    Loc l = g.loc();
    return l.line() == 0 ? new Loc("a.fut", 1, 2, 3, 4) : l;
  }

  private BasicOp.Tag tag() {
    return switch (g.below(3)) {
      case 0 -> new BasicOp.Tag.Barrier();
      case 1 -> new BasicOp.Tag.Break();
      default -> new BasicOp.Tag.Trace(g.text());
    };
  }

  private BasicOp.MsgPart msgPart() {
    return g.flip()
        ? new BasicOp.MsgPart.Text(g.text())
        : new BasicOp.MsgPart.Value(g.subExp(), g.primType(), g.flip());
  }

  private Slice slice() {
    return new Slice(
        g.few(
            () ->
                g.flip()
                    ? new Slice.Fix(g.subExp())
                    : new Slice.Range(g.subExp(), g.subExp(), g.subExp())));
  }

  private FlatSlice flatSlice() {
    return new FlatSlice(g.subExp(), g.few(() -> new FlatSlice.Dim(g.subExp(), g.subExp())));
  }

  private <T> T any(T[] values) {
    return values[g.below(values.length)];
  }
}
