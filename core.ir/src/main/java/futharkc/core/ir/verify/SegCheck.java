package futharkc.core.ir.verify;

import static futharkc.core.ir.verify.Check.broken;
import static futharkc.core.ir.verify.Check.count;
import static futharkc.core.ir.verify.Check.require;

import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegLevel;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegResult;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.SegVirt;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.verify.Check.Called;
import futharkc.core.ir.verify.Check.Operand;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Verification of operations over index spaces. */
final class SegCheck {
  private final Check check;
  private final VerifierScope env;

  SegCheck(Check check) {
    this.check = check;
    this.env = check.env;
  }

  void segOp(Stm s, SegOp op) {
    ExecutionLevel level = level(op);
    SegSpace space = op.space();
    check.sizes(space.shape());
    require(!space.dims().isEmpty(), "index space without dimensions");
    int mark = env.enter();
    int uses = env.uses();
    // A scan may evaluate its body more than once at an index.
    int before = env.enterRegion(!(op instanceof SegOp.SegScan));
    int last = space.dims().size() - 1;
    for (SegSpace.Dim d : space.dims().subList(0, last)) {
      env.bind(d.index(), Type.I64);
    }
    int innermost = env.enter();
    env.bind(space.flat(), Type.I64);
    env.bind(space.dims().get(last).index(), Type.I64);
    int inBody = env.enter();
    for (Type t : op.types()) {
      check.type(t);
    }
    ExecutionLevel around = check.enter(level);
    check.stms(op.body().stms());
    count(op.body().results().size(), op.types().size(), "results of the body");
    for (int i = 0; i < op.types().size(); i++) {
      result(op.body().results().get(i), op.types().get(i));
    }
    List<Set<AliasClass>> origins =
        op.body().results().stream().map(r -> env.origins(r.value())).toList();
    env.leaveRegion(before);
    env.leave(inBody);
    // On a GPU, the lambda after the body may use the indices, too.
    if (!check.isGpu()) {
      env.leave(mark);
    }
    check.enter(check.isGpu() ? ExecutionLevel.THREAD : level);
    switch (op) {
      case SegOp.SegMap m -> {
        env.leave(mark);
        check.accumulators(s, m.types(), origins);
        check.pattern(s, arrays(m, 0));
      }
      case SegOp.SegRed r -> {
        StrategyCheck.check(r);
        if (check.isGpu()) {
          env.leave(innermost);
        }
        List<Type> results = reduced(r);
        env.leave(mark);
        check.accumulators(s, r.types(), origins);
        results.addAll(arrays(r, r.operands()));
        check.pattern(s, results);
      }
      case SegOp.SegScan c -> {
        StrategyCheck.check(c);
        Called post = scanned(c, origins);
        env.leave(mark);
        check.accumulators(s, c.post().results(), post.results());
        List<Type> results = new ArrayList<>();
        for (Type t : c.post().results()) {
          results.add(Type.array(t.withoutMem(), space.shape()));
        }
        check.pattern(s, results);
      }
      case SegOp.SegHist h -> {
        env.leave(mark);
        hist(s, h, uses);
        StrategyCheck.check(h);
      }
    }
    check.enter(around);
  }

  /** Returns the result types of the reductions, in the scope of the segments' indices. */
  private List<Type> reduced(SegOp.SegRed r) {
    List<SubExp> segments = r.space().shape().subList(0, r.space().dims().size() - 1);
    List<Type> operands = operators(r.ops(), r.types(), o -> {});
    Lambda post = r.post();
    if (post != null) {
      require(
          check.isGpu(),
          "the function after reductions is not part of representation " + check.rep);
      int before = env.enterRegion(false);
      check.body(post, operands, List.of());
      env.leaveRegion(before);
    }
    List<Type> results = new ArrayList<>();
    for (Type t : post == null ? operands : post.results()) {
      results.add(Type.array(t.withoutMem(), segments));
    }
    return results;
  }

  /**
   * Checks that an operation is legal at the current execution level. Returns the level of its
   * body.
   */
  private ExecutionLevel level(SegOp op) {
    SegLevel l = op.level();
    boolean cores = l instanceof SegLevel.Cores;
    boolean multicore = check.rep.hasCores();
    require(cores == multicore, "this level is not part of representation " + check.rep);
    return switch (l) {
      case SegLevel.Cores c -> check.level();
      case SegLevel.Thread t -> {
        require(
            check.level() == ExecutionLevel.HOST,
            "an operation of threads inside " + check.level());
        require(
            !(op instanceof SegOp.SegRed) || op.space().dims().size() > 1,
            "a reduction has no dimension of segments, so that its results would be on the host");
        grid(t.virt(), t.grid());
        yield ExecutionLevel.THREAD;
      }
      case SegLevel.Block b -> {
        require(
            check.level() == ExecutionLevel.HOST,
            "an operation of thread blocks inside " + check.level());
        require(op instanceof SegOp.SegMap, "only maps may be operations of thread blocks");
        grid(b.virt(), b.grid());
        yield ExecutionLevel.BLOCK;
      }
      case SegLevel.ThreadInBlock t -> {
        require(
            check.level() == ExecutionLevel.BLOCK,
            "an operation of a block's threads inside " + check.level());
        if (t.virt() instanceof SegVirt.Full f) {
          for (int d : f.sequential()) {
            require(d >= 0 && d < op.space().dims().size(), "there is no dimension " + d);
          }
        }
        yield ExecutionLevel.THREAD;
      }
    };
  }

  private void grid(SegVirt virt, SegLevel.@Nullable Grid g) {
    require(
        !(virt instanceof SegVirt.Full),
        "distribution 'full' is legal for threads of a block only");
    if (g != null) {
      check.sizes(List.of(g.blocks(), g.blockSize()));
    }
  }

  private void result(SegResult r, Type t) {
    Type actual = env.use(r.value());
    switch (r) {
      case SegResult.Returns x -> check.same(actual, t, "result " + x.value());
      case SegResult.Checked x -> {
        require(
            check.isGpu(),
            "results that are certificates are not part of representation " + check.rep);
        require(t.isPrim(PrimType.UNIT), "a checked result is not a certificate");
        check.same(actual, t, "result " + x.value());
      }
      case SegResult.TileReturns x -> {
        for (SegResult.TileDim d : x.dims()) {
          check.sizes(List.of(d.size(), d.tile()));
        }
        List<SubExp> tile = x.dims().stream().map(SegResult.TileDim::tile).toList();
        check.same(actual, Type.array(t.withoutMem(), tile), "tile " + x.value());
      }
      case SegResult.RegTileReturns x -> {
        for (SegResult.RegTileDim d : x.dims()) {
          check.sizes(List.of(d.size(), d.block(), d.reg()));
        }
        List<SubExp> tile = x.dims().stream().map(SegResult.RegTileDim::reg).toList();
        check.same(actual, Type.array(t.withoutMem(), tile), "tile " + x.value());
      }
    }
  }

  /**
   * Returns the types of the results that are arrays over the space, from number {@code first} on.
   */
  private static List<Type> arrays(SegOp op, int first) {
    List<Type> results = new ArrayList<>();
    for (int i = first; i < op.types().size(); i++) {
      List<SubExp> shape =
          switch (op.body().results().get(i)) {
            case SegResult.Returns x -> op.space().shape();
            case SegResult.Checked x -> List.of();
            case SegResult.TileReturns x -> x.dims().stream().map(SegResult.TileDim::size).toList();
            case SegResult.RegTileReturns x ->
                x.dims().stream().map(SegResult.RegTileDim::size).toList();
          };
      results.add(Type.array(op.types().get(i).withoutMem(), shape));
    }
    return results;
  }

  /**
   * Checks the operators and last lambda of a scan. Returns the alias classes of the last lambda's
   * results.
   *
   * @param origins the alias classes of the body's results
   */
  private Called scanned(SegOp.SegScan c, List<Set<AliasClass>> origins) {
    int before = env.enterRegion(true);
    BodyAliases handover = new BodyAliases(env, origins);
    List<Type> types = new ArrayList<>(operators(c.ops(), c.types(), handover::scan));
    types.addAll(c.types().subList(types.size(), c.types().size()));
    Called last = check.body(c.post(), types, handover.toPost());
    handover.done();
    env.leaveRegion(before);
    return last;
  }

  /** Checks operators against the first results of the body. Returns the types of their results. */
  private List<Type> operators(
      List<SegOp.SegBinOp> ops, List<Type> types, Consumer<Called> checked) {
    List<Type> results = new ArrayList<>();
    for (SegOp.SegBinOp o : ops) {
      check.sizes(o.shape());
      for (SubExp e : o.neutral()) {
        Type operand = Type.array(env.use(e).withoutMem(), o.shape());
        require(
            results.size() < types.size(), "the body has fewer results than the operators need");
        check.same(types.get(results.size()), operand, "operand of an operator");
        results.add(operand);
      }
      checked.accept(operator(o.op(), o.neutral()));
    }
    return results;
  }

  private Called operator(Lambda op, List<SubExp> neutral) {
    List<Type> elems = new ArrayList<>();
    for (SubExp e : neutral) {
      elems.add(env.use(e).withoutMem());
    }
    List<Type> params = new ArrayList<>(elems);
    params.addAll(elems);
    Called c = check.operator(op, params, SoacCheck.OPERAND);
    SoacCheck.sameTypes(check, op.results(), elems, "result of an operator");
    return c;
  }

  private void hist(Stm s, SegOp.SegHist h, int uses) {
    List<SubExp> segments = h.space().shape().subList(0, h.space().dims().size() - 1);
    List<Type> body = new ArrayList<>();
    List<Type> values = new ArrayList<>();
    List<Type> results = new ArrayList<>();
    for (SegOp.SegHistOp o : h.ops()) {
      check.sizes(o.shape());
      check.sizes(o.opShape());
      check.operand(o.raceFactor(), PrimType.I64);
      operator(o.op(), o.neutral());
      for (int i = 0; i < o.shape().size(); i++) {
        body.add(Type.I64);
      }
      count(o.dests().size(), o.neutral().size(), "destinations");
      List<SubExp> shape = new ArrayList<>(segments);
      shape.addAll(o.shape());
      for (int i = 0; i < o.dests().size(); i++) {
        Type value = Type.array(env.use(o.neutral().get(i)).withoutMem(), o.opShape());
        values.add(value);
        Type dest = env.use(o.dests().get(i));
        check.same(dest, Type.array(value, shape), "destination " + o.dests().get(i));
        results.add(dest);
      }
    }
    body.addAll(values);
    SoacCheck.sameTypes(check, h.types(), body, "result of the body");
    check.patternCount(s, results.size());
    for (int i = 0; i < results.size(); i++) {
      check.sameWithMem(s.pat().get(i).type(), results.get(i), "result " + s.pat().get(i).name());
    }
    List<Operand> operands = new ArrayList<>();
    for (SegOp.SegHistOp o : h.ops()) {
      for (Name d : o.dests()) {
        if (!(env.use(d) instanceof Type.Array)) {
          throw broken("destination " + d + " is not an array");
        }
        operands.add(Operand.of(d, ExpCheck.consumer(s)));
      }
      operands.addAll(Operand.all(o.neutral(), null));
    }
    check.operands(operands, uses);
  }
}
