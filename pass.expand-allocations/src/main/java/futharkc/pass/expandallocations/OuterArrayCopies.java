package futharkc.pass.expandallocations;

import futharkc.core.ir.Aux;
import futharkc.core.ir.Body;
import futharkc.core.ir.Builder;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Scope;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Copies arrays from outside if their memory block's name may also refer to a block that a thread
 * allocates. The two blocks have different layouts after expansion. For a thread of a thread block,
 * allocations of the thread block are outside as well.
 */
final class OuterArrayCopies extends Mapper {
  private final NameSource names;
  private final Scope scope;
  private final BlockFlows flows;

  /** The names that may refer to both kinds of memory blocks. */
  private final Set<Name> mixed = new HashSet<>();

  /** The number of operations around the current code. */
  private int depth;

  OuterArrayCopies(NameSource names, Scope scope, BlockFlows flows) {
    this.names = names;
    this.scope = scope;
    this.flows = flows;
    for (Set<Name> names1 : flows.classes().values()) {
      Set<Integer> homes = new HashSet<>();
      for (Name n : names1) {
        if (flows.depth(n) == 0 || flows.allocs().containsKey(n)) {
          homes.add(flows.depth(n));
        }
      }
      if (homes.size() > 1) {
        mixed.addAll(names1);
      }
    }
  }

  @Override
  public SegOp segOp(SegOp op) {
    depth++;
    SegOp mapped = super.segOp(op);
    depth--;
    return mapped;
  }

  @Override
  public List<Stm> stms(List<Stm> stms) {
    List<Stm> out = new ArrayList<>();
    boolean changed = false;
    for (Stm s : stms) {
      Builder before = new Builder(names).with(Aux.at(s.aux().loc()));
      Stm t = stm(s);
      Exp e =
          switch (t.exp()) {
            case Exp.Match m -> match(t, m);
            case Exp.Loop l -> loop(l, before);
            case Exp.WithAcc w -> withAcc(t, w);
            default -> t.exp();
          };
      if (e != t.exp()) {
        t = t.withExp(e);
      }
      out.addAll(before.stms());
      out.add(t);
      changed |= t != s;
    }
    return changed ? out : stms;
  }

  /** A pattern element or parameter that receives a value. */
  private record Receiver(Name name, Type type) {}

  private static List<Receiver> receivers(Stm s) {
    return s.pat().stream().map(p -> new Receiver(p.name(), p.type())).toList();
  }

  private Exp match(Stm s, Exp.Match m) {
    List<Receiver> receivers = receivers(s);
    List<Exp.Case> cases =
        list(
            m.cases(),
            c -> {
              Body b = own(c.body(), receivers);
              return b == c.body() ? c : new Exp.Case(c.pattern(), b);
            });
    Body otherwise = own(m.otherwise(), receivers);
    return cases == m.cases() && otherwise == m.otherwise()
        ? m
        : new Exp.Match(m.scrutinees(), cases, otherwise);
  }

  private Exp loop(Exp.Loop l, Builder before) {
    List<Receiver> receivers =
        l.params().stream().map(p -> new Receiver(p.param().name(), p.param().type())).toList();
    List<SubExp> given = l.params().stream().map(Exp.LoopParam::init).toList();
    List<SubExp> init = own(before, given, receivers);
    Body body = own(l.body(), receivers);
    if (init == given && body == l.body()) {
      return l;
    }
    List<Exp.LoopParam> params = new ArrayList<>();
    for (int k = 0; k < init.size(); k++) {
      Exp.LoopParam p = l.params().get(k);
      params.add(new Exp.LoopParam(p.param(), init.get(k), p.attrs()));
    }
    return new Exp.Loop(params, l.form(), body);
  }

  private Exp withAcc(Stm s, Exp.WithAcc w) {
    int accs = w.inputs().size();
    Lambda l = w.lambda();
    List<Receiver> receivers = new ArrayList<>();
    for (int k = 0; k < accs; k++) {
      receivers.add(new Receiver(l.params().get(k).name(), Type.UNIT));
    }
    List<Receiver> all = receivers(s);
    receivers.addAll(all.subList(all.size() - (l.results().size() - accs), all.size()));
    Body body = own(l.body(), receivers);
    return body == l.body()
        ? w
        : new Exp.WithAcc(w.inputs(), new Lambda(l.params(), body, l.results()));
  }

  private Body own(Body b, List<Receiver> receivers) {
    Builder after = new Builder(names);
    after.addAll(b.stms());
    List<SubExp> results = own(after, b.results(), receivers);
    return results == b.results() ? b : after.body(results);
  }

  /** Returns the values, with arrays from outside copied if their memory block's name is mixed. */
  private List<SubExp> own(Builder b, List<SubExp> values, List<Receiver> receivers) {
    List<SubExp> out = new ArrayList<>(values);
    boolean changed = false;
    for (int k = 0; k < receivers.size(); k++) {
      if (!(receivers.get(k).type() instanceof Type.Mem mem)
          || !(values.get(k) instanceof SubExp.Var v)
          || !mixed.contains(v.name())
          || flows.depth(v.name()) == depth) {
        continue;
      }
      changed = true;
      boolean copied = false;
      for (int j = 0; j < receivers.size(); j++) {
        if (!(receivers.get(j).type() instanceof Type.Array t)
            || t.mem() == null
            || !t.mem().block().equals(receivers.get(k).name())) {
          continue;
        }
        copied = true;
        Name array = ((SubExp.Var) values.get(j)).name();
        Type.Array a = (Type.Array) scope.type(array);
        Name block = RowMajorCopies.block(b, scope, a, mem.space());
        out.set(k, SubExp.of(block));
        out.set(j, SubExp.of(RowMajorCopies.copy(b, scope, array, RowMajorCopies.in(block, a))));
        for (int o = 0; o < receivers.size(); o++) {
          if (t.mem().lmad().offset().names().contains(receivers.get(o).name())) {
            out.set(o, SubExp.i64(0));
          }
        }
      }
      if (!copied) {
        throw new IllegalStateException(v.name() + " has no array among the results");
      }
    }
    return changed ? out : values;
  }
}
