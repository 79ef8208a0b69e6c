package futharkc.pass.differentiation;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Removes accumulators from repeated code that has other results: all updates, and all accumulator
 * operands. No other value depends on an accumulator.
 */
final class AccumulatorRemoval extends Mapper {
  private final Set<Name> tokens;

  AccumulatorRemoval(Set<Name> tokens) {
    this.tokens = tokens;
  }

  private boolean goes(Type t) {
    return t instanceof Type.Acc a && tokens.contains(a.token());
  }

  @Override
  public Body body(Body b) {
    return tokens.isEmpty() ? b : super.body(b);
  }

  @Override
  public List<Stm> stms(List<Stm> stms) {
    List<Stm> out = new ArrayList<>();
    for (Stm s : stms) {
      Stm t = without(stm(s));
      if (!t.pat().isEmpty()) {
        out.add(t);
      }
    }
    return out;
  }

  private Stm without(Stm s) {
    List<Integer> stay = new ArrayList<>();
    for (int k = 0; k < s.pat().size(); k++) {
      if (!goes(s.pat().get(k).type())) {
        stay.add(k);
      }
    }
    if (stay.size() == s.pat().size()) {
      return s;
    }
    List<PatElem> pat = pick(s.pat(), stay);
    if (pat.isEmpty()) {
      return new Stm(pat, s.aux(), s.exp());
    }
    Exp e =
        switch (s.exp()) {
          case Exp.Match m -> {
            List<Exp.Case> cases = new ArrayList<>();
            for (Exp.Case c : m.cases()) {
              cases.add(new Exp.Case(c.pattern(), pick(c.body(), stay)));
            }
            yield new Exp.Match(m.scrutinees(), cases, pick(m.otherwise(), stay));
          }
          case Exp.Loop l -> new Exp.Loop(pick(l.params(), stay), l.form(), pick(l.body(), stay));
          case Exp.WithAcc w -> {
            int arrays = w.inputs().stream().mapToInt(i -> i.arrays().size()).sum();
            List<Integer> results = new ArrayList<>();
            for (int i = 0; i < w.inputs().size(); i++) {
              results.add(i);
            }
            for (int k : stay) {
              if (k >= arrays) {
                results.add(k - arrays + w.inputs().size());
              }
            }
            yield new Exp.WithAcc(w.inputs(), pick(w.lambda(), results));
          }
          case Soac.Screma x -> screma(x);
          case BasicOp op -> op;
          default -> throw new IllegalStateException("accumulator operand of " + s.exp());
        };
    return new Stm(pat, s.aux(), e);
  }

  private Soac.Screma screma(Soac.Screma x) {
    List<Integer> inputs = new ArrayList<>();
    for (int i = 0; i < x.inputs().size(); i++) {
      if (!goes(x.map().params().get(i).type())) {
        inputs.add(i);
      }
    }
    Lambda map = x.map();
    map = new Lambda(pick(map.params(), inputs), map.body(), map.results());
    map = pick(map, staying(map.results()));
    Lambda post = x.post();
    List<Type> given = new ArrayList<>();
    post.params().forEach(p -> given.add(p.type()));
    post = new Lambda(pick(post.params(), staying(given)), post.body(), post.results());
    post = pick(post, staying(post.results()));
    return new Soac.Screma(x.width(), pick(x.inputs(), inputs), map, x.scans(), x.reduces(), post);
  }

  private List<Integer> staying(List<Type> types) {
    List<Integer> stay = new ArrayList<>();
    for (int k = 0; k < types.size(); k++) {
      if (!goes(types.get(k))) {
        stay.add(k);
      }
    }
    return stay;
  }

  private static Lambda pick(Lambda l, List<Integer> results) {
    return new Lambda(l.params(), pick(l.body(), results), pick(l.results(), results));
  }

  private static Body pick(Body b, List<Integer> results) {
    return new Body(b.stms(), pick(b.results(), results));
  }

  private static <T> List<T> pick(List<T> all, List<Integer> positions) {
    return positions.stream().map(all::get).toList();
  }
}
