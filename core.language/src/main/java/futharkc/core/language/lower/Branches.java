package futharkc.core.language.lower;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Exp.Case;
import futharkc.core.ir.Exp.Match;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.analysis.Weight;
import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The lowering of conditionals and matches. */
final class Branches {
  /**
   * The largest number of scalar operations that are executed unconditionally instead of in a
   * branch.
   */
  private static final int CHEAP = 6;

  private final Elaborator el;
  private final Emit emit;

  Branches(Elaborator el) {
    this.el = el;
    this.emit = el.emit;
  }

  /** The length of a chain of {@code else if} from which on the branch is selected by number. */
  private static final int LONG_CHAIN = 32;

  LoweredValue conditional(Exp.If i, Frame f) {
    List<Exp.If> links = chain(i);
    if (links.size() > LONG_CHAIN) {
      return choose(links, f);
    }
    SubExp cond = el.eval(i.cond(), f).scalar();
    if (cond instanceof SubExp.Const c) {
      LoweredValue v = el.eval(c.value().asBoolean() ? i.then() : i.otherwise(), f);
      el.bindResult(i.type(), i.sizes(), v, f);
      return v;
    }
    emit.at(i.loc());
    return join(
        List.of(() -> el.eval(i.then(), f), () -> el.eval(i.otherwise(), f)),
        i.type(),
        i.sizes(),
        f,
        bodies -> Match.conditional(cond, bodies.get(0), bodies.get(1)));
  }

  private static List<Exp.If> chain(Exp.If first) {
    List<Exp.If> links = new ArrayList<>();
    for (Exp e = first; e instanceof Exp.If i; e = i.otherwise()) {
      links.add(i);
    }
    return links;
  }

  /**
   * Lowers a long chain of {@code else if} without deep nesting. The code first computes the number
   * of the taken branch, one group of conditions at a time, and then selects the branch by its
   * number.
   */
  private LoweredValue choose(List<Exp.If> links, Frame f) {
    Exp.If first = links.get(0);
    int n = links.size();
    emit.at(first.loc());
    SubExp none = emit.prim(PrimType.I32, n);
    SubExp number = none;
    for (int k = 0; k < n; k += LONG_CHAIN) {
      int from = k;
      int to = Math.min(n, k + LONG_CHAIN);
      Supplier<SubExp> group = () -> firstTrue(links, from, to, none, f);
      if (number.equals(none)) {
        number = group.get();
      } else if (number instanceof SubExp.Var) {
        SubExp open = emit.cmp(CmpOp.Kind.EQ, PrimType.I32, number, none);
        Body search = emit.body(() -> List.of(group.get()));
        Match m = Match.conditional(open, search, new Body(List.of(), List.of(number)));
        number = emit.let("number", futharkc.core.ir.Type.prim(PrimType.I32), m);
      }
    }
    if (number instanceof SubExp.Const c) {
      int k = (int) c.value().asLong();
      LoweredValue v = el.eval(k < n ? links.get(k).then() : links.get(n - 1).otherwise(), f);
      el.bindResult(first.type(), first.sizes(), v, f);
      return v;
    }
    List<Supplier<LoweredValue>> branches = new ArrayList<>();
    for (Exp.If i : links) {
      branches.add(() -> el.eval(i.then(), f));
    }
    branches.add(() -> el.eval(links.get(n - 1).otherwise(), f));
    List<SubExp> scrutinee = List.of(number);
    return join(
        branches,
        first.type(),
        first.sizes(),
        f,
        bodies -> {
          List<Case> cases = new ArrayList<>();
          for (int k = 0; k < n; k++) {
            cases.add(new Case(List.of(PrimValue.ofInt(PrimType.I32, k)), bodies.get(k)));
          }
          return new Match(scrutinee, cases, bodies.get(n));
        });
  }

  /** Returns the number of the first condition that holds. */
  private SubExp firstTrue(List<Exp.If> links, int from, int to, SubExp none, Frame f) {
    if (from == to) {
      return none;
    }
    SubExp cond = el.eval(links.get(from).cond(), f).scalar();
    if (cond.equals(SubExp.FALSE)) {
      return firstTrue(links, from + 1, to, none, f);
    }
    SubExp found = emit.prim(PrimType.I32, from);
    if (cond.equals(SubExp.TRUE)) {
      return found;
    }
    emit.at(links.get(from).loc());
    Body rest = emit.body(() -> List.of(firstTrue(links, from + 1, to, none, f)));
    Match m = Match.conditional(cond, new Body(List.of(), List.of(found)), rest);
    return emit.let("number", futharkc.core.ir.Type.prim(PrimType.I32), m);
  }

  /**
   * Lowers a match. The code evaluates the tests of all cases at once, on the tags and literals
   * that the patterns inspect.
   */
  LoweredValue match(Exp.Match m, Frame f) {
    LoweredValue v = el.eval(m.exp(), f);
    emit.at(m.loc());
    List<Exp.Case> cases = new ArrayList<>();
    List<List<PatternLowering.Condition>> conditions = new ArrayList<>();
    for (Exp.Case c : m.cases()) {
      List<PatternLowering.Condition> cs = el.patterns.conditions(c.pat(), v);
      if (cs == null) {
        continue;
      }
      cases.add(c);
      conditions.add(cs);
      if (cs.isEmpty()) {
        break;
      }
    }
    if (cases.isEmpty()) {
      throw new IllegalStateException("no case matches at " + m.loc());
    }
    int last = cases.size() - 1;
    if (last == 0) {
      LoweredValue result = branch(cases.get(0), v, f);
      el.bindResult(m.type(), m.sizes(), result, f);
      return result;
    }
    LinkedHashSet<SubExp> columns = new LinkedHashSet<>();
    for (int i = 0; i < last; i++) {
      conditions.get(i).forEach(c -> columns.add(c.operand()));
    }
    List<SubExp> scrutinees = new ArrayList<>(columns);
    List<Supplier<LoweredValue>> branches = new ArrayList<>();
    for (Exp.Case c : cases) {
      branches.add(() -> branch(c, v, f));
    }
    return join(
        branches,
        m.type(),
        m.sizes(),
        f,
        bodies -> {
          List<Case> irCases = new ArrayList<>();
          for (int i = 0; i < last; i++) {
            irCases.add(new Case(row(scrutinees, conditions.get(i)), bodies.get(i)));
          }
          return new Match(scrutinees, irCases, bodies.get(last));
        });
  }

  private static List<@Nullable PrimValue> row(
      List<SubExp> scrutinees, List<PatternLowering.Condition> conditions) {
    @Nullable PrimValue[] row = new @Nullable PrimValue[scrutinees.size()];
    for (var c : conditions) {
      row[scrutinees.indexOf(c.operand())] = c.value();
    }
    return Arrays.asList(row);
  }

  private LoweredValue branch(Exp.Case c, LoweredValue v, Frame f) {
    el.patterns.bind(c.pat(), v, f);
    return el.eval(c.body(), f);
  }

  LoweredValue and(Exp.And a, Frame f) {
    SubExp left = el.eval(a.left(), f).scalar();
    if (left.equals(SubExp.FALSE)) {
      return LoweredValue.bool(left);
    }
    if (left.equals(SubExp.TRUE)) {
      return el.eval(a.right(), f);
    }
    return shortCircuit(left, a.right(), f, true);
  }

  LoweredValue or(Exp.Or o, Frame f) {
    SubExp left = el.eval(o.left(), f).scalar();
    if (left.equals(SubExp.TRUE)) {
      return LoweredValue.bool(left);
    }
    if (left.equals(SubExp.FALSE)) {
      return el.eval(o.right(), f);
    }
    return shortCircuit(left, o.right(), f, false);
  }

  private LoweredValue shortCircuit(SubExp left, Exp rightExp, Frame f, boolean and) {
    Emit.Block block = emit.nested();
    SubExp right = emit.in(block, () -> el.eval(rightExp, f).scalar());
    if (block.stms().size() <= CHEAP && block.stms().stream().allMatch(Branches::isCheap)) {
      emit.splice(block);
      return LoweredValue.bool(and ? emit.and(left, right) : emit.or(left, right));
    }
    Body then = new Body(block.stms(), List.of(right));
    Body constant = new Body(List.of(), List.of(and ? SubExp.FALSE : SubExp.TRUE));
    return LoweredValue.bool(
        emit.let(
            "cond",
            futharkc.core.ir.Type.BOOL,
            and
                ? Match.conditional(left, then, constant)
                : Match.conditional(left, constant, then)));
  }

  private static boolean isCheap(Stm s) {
    if (!s.aux().certs().isEmpty()) {
      return false;
    }
    boolean computes = Weight.of(s.exp()) == Weight.OPERATION;
    return computes && !(s.exp() instanceof BasicOp.BinOpExp b && b.op().isPartial());
  }

  /**
   * Evaluates branches, one of which will be taken at run time. A leaf or size with the same value
   * in all branches is used directly. Any other leaf becomes a result of the choice. Any other size
   * is computed from the type, or becomes a result too.
   */
  LoweredValue join(
      List<Supplier<LoweredValue>> branches,
      Type type,
      List<Name> sizes,
      Frame f,
      Function<List<Body>, futharkc.core.ir.Exp> choice) {
    List<Emit.Block> blocks = new ArrayList<>();
    List<LoweredValue> values = new ArrayList<>();
    for (Supplier<LoweredValue> b : branches) {
      Emit.Block block = emit.nested();
      blocks.add(block);
      values.add(emit.in(block, b));
    }
    if (values.stream().anyMatch(LoweredValue::hasFunctions)) {
      throw new IllegalStateException("function as result of a branch at " + emit.loc());
    }
    Joined joined = joinTypes(values.stream().map(LoweredValue::type).toList(), type, sizes, f);

    int n = values.size();
    List<List<SubExp>> results = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      int at = i;
      Map<SubExp, SubExp> own = new HashMap<>();
      joined.existential.forEach((name, choices) -> own.put(SubExp.of(name), choices.get(at)));
      Ty target = joined.type.mapSizes(s -> own.getOrDefault(s, s));
      results.add(emit.in(blocks.get(i), () -> el.types.coerce(values.get(at), target).leaves()));
    }
    List<PatElem> pat = new ArrayList<>();
    List<List<SubExp>> bodyResults = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      bodyResults.add(new ArrayList<>());
    }
    joined.existential.forEach(
        (name, choices) -> {
          pat.add(new PatElem(name, futharkc.core.ir.Type.I64));
          for (int i = 0; i < n; i++) {
            bodyResults.get(i).add(choices.get(i));
          }
        });
    List<SubExp> leaves = new ArrayList<>();
    List<futharkc.core.ir.Type> leafTypes = joined.type.leaves();
    for (int k = 0; k < leafTypes.size(); k++) {
      SubExp first = results.get(0).get(k);
      boolean same = true;
      for (int i = 1; i < n; i++) {
        same &= results.get(i).get(k).equals(first);
      }
      if (same) {
        leaves.add(first);
        continue;
      }
      var name = emit.fresh("branch");
      pat.add(new PatElem(name, leafTypes.get(k)));
      leaves.add(SubExp.of(name));
      for (int i = 0; i < n; i++) {
        bodyResults.get(i).add(results.get(i).get(k));
      }
    }
    boolean pure = pat.isEmpty() && blocks.stream().allMatch(b -> b.stms().isEmpty());
    if (!pure) {
      List<Body> bodies = new ArrayList<>();
      for (int i = 0; i < n; i++) {
        bodies.add(new Body(blocks.get(i).stms(), bodyResults.get(i)));
      }
      emit.add(pat, choice.apply(bodies), List.of());
    }
    LoweredValue v = LoweredValue.of(joined.type, leaves);
    el.bindResult(type, sizes, v, f);
    return v;
  }

  /**
   * The common type of all branches.
   *
   * @param existential the value in each branch of each size in which the branches differ
   */
  private record Joined(Ty type, Map<futharkc.core.ir.Name, List<SubExp>> existential) {}

  private Joined joinTypes(List<Ty> types, Type declared, List<Name> sizes, Frame f) {
    Ty first = types.get(0);
    Map<futharkc.core.ir.Name, List<SubExp>> existential = new LinkedHashMap<>();
    if (types.stream().allMatch(first::equals)) {
      return new Joined(first, existential);
    }

    Ty expected =
        el.types.eval(
            declared,
            f,
            (s, g) ->
                s instanceof Type.Size.Var v && sizes.contains(v.name())
                    ? Ty.UNKNOWN
                    : el.types.size(s, g));
    List<List<SubExp>> choices = new ArrayList<>();
    for (Ty t : types) {
      List<SubExp> column = new ArrayList<>();
      t.zipSizes(t, (a, b) -> column.add(a));
      choices.add(column);
    }
    List<SubExp> known = new ArrayList<>();
    expected.zipSizes(expected, (a, b) -> known.add(a));
    Map<List<SubExp>, SubExp> made = new HashMap<>();
    List<SubExp> result = new ArrayList<>();
    for (int k = 0; k < choices.get(0).size(); k++) {
      int at = k;
      List<SubExp> each = choices.stream().map(c -> c.get(at)).toList();
      if (each.stream().allMatch(each.get(0)::equals)) {
        result.add(each.get(0));
      } else if (!known.get(k).equals(Ty.UNKNOWN)) {
        result.add(known.get(k));
      } else {
        result.add(
            made.computeIfAbsent(
                each,
                e -> {
                  var n = emit.fresh("size");
                  existential.put(n, e);
                  emit.assumeNonNegative(SubExp.of(n));
                  return SubExp.of(n);
                }));
      }
    }
    var next = result.iterator();
    return new Joined(first.mapSizes(s -> next.next()), existential);
  }
}
