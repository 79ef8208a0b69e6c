package futharkc.pass.threadloops;

import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.Scope;
import futharkc.core.ir.SegBody;
import futharkc.core.ir.SegLevel;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.Stm;
import futharkc.core.ir.sequential.FirstOrder;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Property;
import java.util.List;

/**
 * Thread loops: turns the remaining second-order operations inside of threads into loops. Passes
 * that map such operations to shared memory or registers run earlier.
 *
 * <p>Before:
 *
 * <pre>
 * segmap thread [i &lt; n] do { let s = screma(m, {xs}) map .. reduce({0}) add ..; in s }
 * </pre>
 *
 * <p>After:
 *
 * <pre>
 * segmap thread [i &lt; n] do { let s = loop (acc = 0) for j &lt; m do { .. let next = acc + x in next }; in s }
 * </pre>
 *
 * <p>Known gaps: none.
 */
public final class ThreadLoopsPass implements Pass.OnFunction {
  @Override
  public PassInfo info() {
    return PassInfo.named(
            "thread-loops", "turns second-order operations inside threads into loops", Rep.GPU)
        .after("simplify")
        .establishes(Property.FIRST_ORDER)
        .destroys(Property.SIMPLIFIED);
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public FunDef run(FunDef f, Program program, PassContext context) {
    NameSource names = new NameSource(f.nextTag());
    Body body = new Threads(names, Scope.ofAll(program, f)).body(f.body());
    return body == f.body() ? f : f.withBody(body, names.next());
  }

  /** A mapper that rewrites only the code of threads. */
  private static final class Threads extends Mapper {
    private final FirstOrder loops;
    private boolean inThread;

    Threads(NameSource names, Scope scope) {
      this.loops = FirstOrder.toFewLoops(names, scope);
    }

    @Override
    public List<Stm> stms(List<Stm> stms) {
      return inThread ? loops.stms(stms) : super.stms(stms);
    }

    @Override
    public Lambda lambda(Lambda l) {
      return l;
    }

    @Override
    public SegOp segOp(SegOp op) {
      boolean outer = inThread;
      inThread = !(op.level() instanceof SegLevel.Block);
      SegOp mapped =
          switch (op) {
            case SegOp.SegMap m ->
                new SegOp.SegMap(m.level(), m.space(), m.types(), threads(m.body()));
            case SegOp.SegRed r ->
                new SegOp.SegRed(
                    r.level(),
                    r.space(),
                    list(r.ops(), this::operator),
                    r.types(),
                    threads(r.body()),
                    r.post() == null ? null : operator(r.post()));
            case SegOp.SegScan c ->
                new SegOp.SegScan(
                    c.level(),
                    c.space(),
                    list(c.ops(), this::operator),
                    c.types(),
                    threads(c.body()),
                    operator(c.post()));
            case SegOp.SegHist h ->
                new SegOp.SegHist(
                    h.level(),
                    h.space(),
                    list(h.ops(), this::operator),
                    h.types(),
                    threads(h.body()),
                    h.strategy());
          };
      inThread = outer;
      return mapped;
    }

    private SegBody threads(SegBody b) {
      return new SegBody(stms(b.stms()), b.results());
    }

    private Lambda operator(Lambda l) {
      return new Lambda(
          l.params(), new Body(loops.stms(l.body().stms()), l.body().results()), l.results());
    }

    private SegOp.SegBinOp operator(SegOp.SegBinOp o) {
      return new SegOp.SegBinOp(o.commutative(), operator(o.op()), o.neutral(), o.shape());
    }

    private SegOp.SegHistOp operator(SegOp.SegHistOp o) {
      return new SegOp.SegHistOp(
          o.shape(), o.raceFactor(), o.dests(), o.neutral(), o.opShape(), operator(o.op()));
    }

    @Override
    public Exp exp(Exp e) {
      return switch (e) {
        case Exp.WithAcc w -> {
          List<Exp.AccInput> inputs =
              list(
                  w.inputs(),
                  in ->
                      in.op() == null
                          ? in
                          : new Exp.AccInput(
                              in.space(),
                              in.arrays(),
                              new Exp.AccOp(operator(in.op().lambda()), in.op().neutral())));
          Lambda l = w.lambda();
          yield new Exp.WithAcc(inputs, new Lambda(l.params(), body(l.body()), l.results()));
        }
        case HostOp.GpuBody b -> {
          inThread = true;
          Body body = new Body(stms(b.body().stms()), b.body().results());
          inThread = false;
          yield new HostOp.GpuBody(b.types(), body);
        }
        default -> super.exp(e);
      };
    }
  }
}
