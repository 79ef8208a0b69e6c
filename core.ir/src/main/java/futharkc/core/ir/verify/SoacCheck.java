package futharkc.core.ir.verify;

import static futharkc.core.ir.verify.Check.broken;
import static futharkc.core.ir.verify.Check.count;
import static futharkc.core.ir.verify.Check.require;

import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.verify.Check.Called;
import futharkc.core.ir.verify.Check.Operand;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Verification of second-order array combinators. */
final class SoacCheck {
  static final String OPERAND = "an operand of an operator";

  private final Check check;
  private final VerifierScope env;

  SoacCheck(Check check) {
    this.check = check;
    this.env = check.env;
  }

  List<@Nullable Set<AliasClass>> soac(Stm s, Soac op) {
    check.operand(op.width(), PrimType.I64);
    switch (op) {
      case Soac.Screma x -> screma(s, x);
      case Soac.Hist x -> hist(s, x);
      case Soac.Stream x -> {
        return stream(s, x);
      }
      case Soac.FlatMap x -> flatMap(s, x);
      case Soac.Jvp x -> {
        seeds(x.vector(), x.args(), x.tangents());
        Called c = called(x.lambda(), x.args(), x.tangents());
        List<Type> results = new ArrayList<>(x.lambda().results());
        for (Type t : x.lambda().results()) {
          results.add(Type.array(t.withoutMem(), x.vector()));
        }
        check.pattern(s, results);
        return shared(s.pat(), x.args(), x.tangents(), c);
      }
      case Soac.Vjp x -> {
        check.sizes(x.vector());
        Called c = called(x.lambda(), x.args(), x.adjoints());
        count(x.adjoints().size(), x.lambda().results().size(), "adjoints");
        for (int i = 0; i < x.adjoints().size(); i++) {
          Type expected = Type.array(x.lambda().results().get(i), x.vector());
          check.same(env.use(x.adjoints().get(i)), expected, "adjoint " + x.adjoints().get(i));
        }
        List<Type> results = new ArrayList<>(x.lambda().results());
        for (SubExp e : x.args()) {
          results.add(Type.array(env.use(e), x.vector()));
        }
        check.pattern(s, results);
        return shared(s.pat(), x.args(), x.adjoints(), c);
      }
      case Soac.WithVjp x -> {
        Called c = called(x.lambda(), x.args(), List.of());
        check.pattern(s, x.lambda().results());
        List<Type> params = new ArrayList<>(types(x.args()));
        params.addAll(x.lambda().results());
        params.addAll(x.lambda().results());
        check.operator(x.adjoint(), params, "a parameter of an adjoint");
        sameTypes(check, x.adjoint().results(), types(x.args()), "result of the adjoint");
        return shared(s.pat(), x.args(), List.of(), c);
      }
    }
    return ExpCheck.FRESH;
  }

  static void sameTypes(Check check, List<Type> actual, List<Type> expected, String what) {
    count(actual.size(), expected.size(), "types (" + what + ")");
    for (int i = 0; i < actual.size(); i++) {
      check.same(actual.get(i), expected.get(i), what);
    }
  }

  private List<Type> types(List<SubExp> es) {
    List<Type> ts = new ArrayList<>();
    for (SubExp e : es) {
      ts.add(env.use(e).withoutMem());
    }
    return ts;
  }

  private Called called(Lambda l, List<SubExp> args, List<SubExp> others) {
    int uses = env.uses();
    Called c = check.lambda(l, types(args));
    List<Operand> operands = new ArrayList<>(Operand.all(others, null));
    for (int i = 0; i < args.size(); i++) {
      operands.add(new Operand(args.get(i), c.consumer(i)));
    }
    check.operands(operands, uses);
    return c;
  }

  /** Returns the inputs as operands. An input is consumed if the parameter for its elements is. */
  private static List<Operand> inputs(List<Name> inputs, Called c) {
    List<Operand> operands = new ArrayList<>();
    for (int i = 0; i < inputs.size(); i++) {
      operands.add(Operand.of(inputs.get(i), c.consumer(i)));
    }
    return operands;
  }

  private void seeds(List<SubExp> vector, List<SubExp> args, List<SubExp> seeds) {
    check.sizes(vector);
    count(seeds.size(), args.size(), "tangents");
    for (int i = 0; i < args.size(); i++) {
      Type expected = Type.array(env.use(args.get(i)).withoutMem(), vector);
      check.same(env.use(seeds.get(i)), expected, "tangent " + seeds.get(i));
    }
  }

  /**
   * Returns the alias classes of results of a lambda and of its derivative. An array result may
   * alias all operands, the lambda's results, and the other results.
   */
  private List<@Nullable Set<AliasClass>> shared(
      List<PatElem> results, List<SubExp> args, List<SubExp> seeds, Called lambda) {
    Set<AliasClass> all = new LinkedHashSet<>(env.origins(args));
    all.addAll(env.origins(seeds));
    for (Set<AliasClass> result : lambda.results()) {
      all.addAll(result);
    }
    Set<AliasClass> renewed = new ResultAliases(env.region()).of(all);
    List<@Nullable Set<AliasClass>> origins = new ArrayList<>();
    for (PatElem p : results) {
      origins.add(p.type() instanceof Type.Prim ? null : renewed);
    }
    return origins;
  }

  /** Returns the types of the inputs' elements: rows of arrays, or accumulators themselves. */
  private List<Type> elements(List<Name> inputs, SubExp width) {
    List<Type> rows = new ArrayList<>();
    for (Name n : inputs) {
      switch (env.use(n)) {
        case Type.Array a -> {
          require(
              a.outerSize().equals(width),
              "input " + n + " has size " + a.outerSize() + ", not " + width);
          rows.add(a.row());
        }
        case Type.Acc a -> rows.add(a);
        case Type.Prim p -> throw broken("input " + n + " is a scalar");
        case Type.Mem m -> throw broken("input " + n + " is a memory block");
      }
    }
    return rows;
  }

  private void screma(Stm s, Soac.Screma x) {
    int uses = env.uses();
    List<Type> elements = elements(x.inputs(), x.width());
    int before = env.enterRegion(false);
    Called map = check.body(x.map(), elements, List.of());
    if (!x.scans().isEmpty()) {
      for (int i = 0; i < elements.size(); i++) {
        require(
            !(elements.get(i) instanceof Type.Acc) || map.consumer(i) == null,
            "accumulator "
                + x.inputs().get(i)
                + " is updated before a scan, which may repeat the update");
      }
    }
    List<Type> mapped = x.map().results();
    int nscan = x.scanResults();
    int nred = x.reduceResults();
    require(
        mapped.size() >= nscan + nred,
        "the map has fewer results than the scans and reductions need");
    List<Type> post = new ArrayList<>(mapped.subList(0, nscan));
    post.addAll(mapped.subList(nscan + nred, mapped.size()));
    BodyAliases handover = new BodyAliases(env, map.results());
    List<Operand> operands = new ArrayList<>();
    int at = 0;
    for (Soac.Scan o : x.scans()) {
      int n = o.neutral().size();
      handover.scan(operator(o.op(), o.neutral(), mapped.subList(at, at + n)));
      operands.addAll(Operand.all(o.neutral(), null));
      at += n;
    }
    List<Type> results = new ArrayList<>();
    for (Soac.Reduce o : x.reduces()) {
      int n = o.neutral().size();
      operator(o.op(), o.neutral(), mapped.subList(at, at + n));
      handover.reduce(n);
      operands.addAll(Operand.all(o.neutral(), null));
      results.addAll(mapped.subList(at, at + n));
      at += n;
    }
    Called last = check.body(x.post(), post, handover.toPost());
    handover.done();
    env.leaveRegion(before);
    for (Type t : x.post().results()) {
      results.add(Type.array(t.withoutMem(), x.width()));
    }
    for (int i = 0; i < x.inputs().size(); i++) {
      // An accumulator passes through the whole operation, whichever lambda updates it.
      boolean acc = elements.get(i) instanceof Type.Acc;
      operands.add(Operand.of(x.inputs().get(i), acc ? ExpCheck.consumer(s) : map.consumer(i)));
    }
    check.operands(operands, uses);
    check.accumulators(s, x.post().results(), last.results());
    check.pattern(s, results);
  }

  /** Checks an operator and its neutral element, with operands of the given types. */
  private Called operator(Lambda op, List<SubExp> neutral, List<Type> types) {
    sameTypes(check, types(neutral), types, "neutral element");
    List<Type> params = new ArrayList<>(types);
    params.addAll(types);
    Called c = check.operator(op, params, OPERAND);
    sameTypes(check, op.results(), types, "result of an operator");
    return c;
  }

  private void hist(Stm s, Soac.Hist x) {
    List<Type> elements = elements(x.inputs(), x.width());
    int uses = env.uses();
    Called c = check.lambda(x.bucket(), elements);
    List<Operand> operands = inputs(x.inputs(), c);
    List<Type> bucket = new ArrayList<>();
    List<Type> dests = new ArrayList<>();
    for (Soac.HistOp o : x.ops()) {
      for (int i = 0; i < o.shape().size(); i++) {
        bucket.add(Type.I64);
      }
    }
    for (Soac.HistOp o : x.ops()) {
      check.sizes(o.shape());
      check.operand(o.raceFactor(), PrimType.I64);
      List<Type> types = types(o.neutral());
      operator(o.op(), o.neutral(), types);
      bucket.addAll(types);
      count(o.dests().size(), types.size(), "destinations");
      for (int i = 0; i < types.size(); i++) {
        Type expected = Type.array(types.get(i), o.shape());
        check.same(env.use(o.dests().get(i)), expected, "destination " + o.dests().get(i));
        dests.add(expected);
      }
    }
    sameTypes(check, x.bucket().results(), bucket, "result of the bucket function");
    for (Soac.HistOp o : x.ops()) {
      for (Name d : o.dests()) {
        operands.add(Operand.of(d, ExpCheck.consumer(s)));
      }
      operands.addAll(Operand.all(o.neutral(), null));
    }
    check.operands(operands, uses);
    check.pattern(s, dests);
  }

  private List<@Nullable Set<AliasClass>> stream(Stm s, Soac.Stream x) {
    require(!x.lambda().params().isEmpty(), "a stream's lambda takes the chunk's size");
    SubExp chunk = SubExp.of(x.lambda().params().get(0).name());
    List<Type> params = new ArrayList<>(List.of(Type.I64));
    params.addAll(types(x.accs()));
    for (Type row : elements(x.inputs(), x.width())) {
      params.add(row instanceof Type.Acc ? row : Type.array(row, chunk));
    }
    int uses = env.uses();
    int n = x.accs().size();
    int before = env.enterRegion(false);
    List<Set<AliasClass>> given = new ArrayList<>();
    for (int i = 0; i < x.lambda().params().size(); i++) {
      Param p = x.lambda().params().get(i);
      boolean kept = i <= n && !LoopCheck.isConsumed(p);
      given.add(
          env.fresh(
              p.name(), p.type(), kept ? "an accumulator of a stream that is not unique" : null));
    }
    Called c = check.body(x.lambda(), params, given);
    require(x.lambda().results().size() >= n, "fewer results than accumulators");
    CarriedValues carried = carried(x, c);
    carried.check();
    env.leaveRegion(before);
    List<Operand> operands = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      boolean owned = LoopCheck.isConsumed(x.lambda().params().get(1 + i));
      operands.add(new Operand(x.accs().get(i), owned ? ExpCheck.consumer(s) : null));
    }
    for (int i = 0; i < x.inputs().size(); i++) {
      operands.add(Operand.of(x.inputs().get(i), c.consumer(1 + n + i)));
    }
    check.operands(operands, uses);
    List<Type> results = new ArrayList<>(x.lambda().results().subList(0, n));
    sameTypes(check, results, params.subList(1, 1 + n), "accumulator");
    for (Type t : x.lambda().results().subList(n, x.lambda().results().size())) {
      require(
          t instanceof Type.Array a && a.outerSize().equals(chunk),
          "an array result of a stream's lambda does not have the chunk's size");
      results.add(Type.array(t.row(), x.width()));
    }
    check.pattern(s, results);
    return carried.results(env);
  }

  private CarriedValues carried(Soac.Stream x, Called lambda) {
    int n = x.accs().size();
    var carried = new CarriedValues(env.region());
    for (int i = 0; i < n; i++) {
      Param p = x.lambda().params().get(1 + i);
      carried.add(
          p.name(),
          LoopCheck.isConsumed(p),
          lambda.params().get(1 + i),
          env.origins(x.accs().get(i)),
          x.lambda().body().results().get(i),
          lambda.results().get(i));
    }
    for (int i = 0; i < x.inputs().size(); i++) {
      carried.addPart(lambda.params().get(1 + n + i), env.origins(x.inputs().get(i)));
    }
    return carried;
  }

  private void flatMap(Stm s, Soac.FlatMap x) {
    Lambda l = x.lambda();
    List<Type> elements = elements(x.inputs(), x.width());
    int uses = env.uses();
    int mark = env.enter();
    int before = env.enterRegion(false);
    check.lambdaParams(l, elements, List.of());
    check.stms(l.body().stms());
    Called c = check.called(l);
    count(l.body().results().size(), l.results().size(), "results of the lambda's body");
    require(
        !l.results().isEmpty() && l.results().get(0).equals(Type.I64),
        "the first result is not a size");
    SubExp size = l.body().results().get(0);
    check.operand(size, PrimType.I64);
    List<Type> rows = new ArrayList<>();
    for (SubExp e : l.body().results().subList(1, l.results().size())) {
      Type t = env.use(e);
      require(
          t instanceof Type.Array a && a.outerSize().equals(size),
          "result " + e + " does not have the size given by the first result");
      rows.add(t.row());
    }
    env.leaveRegion(before);
    env.leave(mark);
    check.operands(inputs(x.inputs(), c), uses);
    check.patternCount(s, rows.size() + 2);
    SubExp total = SubExp.of(s.pat().get(0).name());
    List<Type> results = new ArrayList<>(List.of(Type.I64, Type.array(Type.I64, x.width())));
    for (Type row : rows) {
      results.add(Type.array(row, total));
    }
    check.pattern(s, results);
  }
}
