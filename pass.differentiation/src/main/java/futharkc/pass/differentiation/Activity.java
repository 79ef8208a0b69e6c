package futharkc.pass.differentiation;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * An analysis of active variables. A variable is active if its value depends on the inputs of the
 * derivative through operations that have a derivative. Only active variables have tangents and
 * adjoints (Griewank and Walther, Evaluating Derivatives, section 6.2). An accumulator is active if
 * its token is active: if its arrays or a value written to them are.
 *
 * <p>The analysis traverses the statements repeatedly until the set of active names is stable.
 */
final class Activity {
  private final Set<Name> active;
  private boolean grew;

  private Activity(Set<Name> active) {
    this.active = active;
  }

  /** Returns the active names of a body, at any depth, including the inputs. */
  static Set<Name> of(Body b, Collection<Name> inputs) {
    Activity a = new Activity(new HashSet<>(inputs));
    do {
      a.grew = false;
      a.body(b);
    } while (a.grew);
    return a.active;
  }

  /** Tests whether a variable of the given type is active. */
  static boolean isActive(Name n, Type t, Set<Name> active) {
    return t instanceof Type.Acc a ? active.contains(a.token()) : active.contains(n);
  }

  private boolean is(Name n) {
    return active.contains(n);
  }

  private boolean is(SubExp e) {
    return e instanceof SubExp.Var v && is(v.name());
  }

  private boolean any(Collection<SubExp> es) {
    return es.stream().anyMatch(this::is);
  }

  private void add(Name n, Type t) {
    if (t.equals(Type.UNIT) || t instanceof Type.Acc) {
      return;
    }
    grew |= active.add(n);
  }

  private void add(PatElem p, boolean now) {
    if (now) {
      add(p.name(), p.type());
    }
  }

  private void add(Param p, boolean now) {
    if (now) {
      add(p.name(), p.type());
    }
  }

  private void all(List<PatElem> pat, boolean now) {
    for (PatElem p : pat) {
      add(p, now);
    }
  }

  private void body(Body b) {
    for (Stm s : b.stms()) {
      stm(s);
    }
  }

  private void stm(Stm s) {
    switch (s.exp()) {
      case BasicOp op -> all(s.pat(), basic(op, s.pat().get(0)));
      case Exp.Apply a -> all(s.pat(), any(a.args()));
      case Exp.Match m -> {
        for (Exp.Case c : m.cases()) {
          results(s, c.body());
        }
        results(s, m.otherwise());
      }
      case Exp.Loop l -> {
        for (Exp.LoopParam p : l.params()) {
          add(p.param(), is(p.init()));
        }
        body(l.body());
        for (int k = 0; k < l.params().size(); k++) {
          Param p = l.params().get(k).param();
          add(p, is(l.body().results().get(k)));
          add(s.pat().get(k), is(p.name()));
        }
      }
      case Exp.WithAcc w -> withAcc(s, w);
      case Soac op -> soac(s, op);
      default -> throw new IllegalStateException("not a SOACS expression: " + s.exp());
    }
  }

  private void results(Stm s, Body b) {
    body(b);
    for (int k = 0; k < s.pat().size(); k++) {
      add(s.pat().get(k), is(b.results().get(k)));
    }
  }

  /** Tests whether the result of an operation is active. */
  private boolean basic(BasicOp op, PatElem result) {
    return switch (op) {
      case BasicOp.SubExpOp x -> is(x.value());
      case BasicOp.Opaque x -> is(x.value());
      case BasicOp.ArrayVal x -> false;
      case BasicOp.ArrayLit x -> any(x.elems());
      case BasicOp.BinOpExp x -> !ScalarPartials.isConstant(x) && (is(x.left()) || is(x.right()));
      case BasicOp.UnOpExp x -> !ScalarPartials.isConstant(x) && is(x.operand());
      case BasicOp.CmpOpExp x -> false;
      case BasicOp.ConvOpExp x -> is(x.operand());
      case BasicOp.PrimFunExp x -> !ScalarPartials.isConstant(x) && any(x.args());
      case BasicOp.Assert x -> false;
      case BasicOp.Index x -> is(x.array());
      case BasicOp.Update x -> is(x.array()) || is(x.value());
      case BasicOp.FlatIndex x -> is(x.array());
      case BasicOp.FlatUpdate x -> is(x.array()) || is(x.value());
      case BasicOp.Concat x -> x.arrays().stream().anyMatch(this::is);
      case BasicOp.Manifest x -> is(x.array());
      case BasicOp.Iota x ->
          x.type() == PrimType.I64 && is(x.count()) || is(x.start()) || is(x.stride());
      case BasicOp.Replicate x -> is(x.value());
      case BasicOp.Scratch x -> false;
      case BasicOp.Reshape x -> is(x.array());
      case BasicOp.Rearrange x -> is(x.array());
      case BasicOp.UpdateAcc x -> {
        if (any(x.values()) && result.type() instanceof Type.Acc a) {
          grew |= active.add(a.token());
        }
        yield false;
      }
      case BasicOp.UserParam x -> false;
    };
  }

  private void withAcc(Stm s, Exp.WithAcc w) {
    Lambda l = w.lambda();
    int n = w.inputs().size();
    for (int i = 0; i < n; i++) {
      Exp.AccInput in = w.inputs().get(i);
      Name token = l.params().get(i).name();
      boolean now = in.arrays().stream().anyMatch(this::is);
      if (in.op() != null) {
        now |= any(in.op().neutral());
        body(in.op().lambda().body());
        // An active free variable of the operator makes the operator's results active.
        now |= any(in.op().lambda().body().results());
        for (Param p :
            in.op()
                .lambda()
                .params()
                .subList(in.space().size(), 2 * in.arrays().size() + in.space().size())) {
          add(p, is(token));
        }
      }
      if (now) {
        grew |= active.add(token);
      }
    }
    body(l.body());
    int at = 0;
    for (int i = 0; i < n; i++) {
      boolean now = is(l.params().get(i).name());
      for (int k = 0; k < w.inputs().get(i).arrays().size(); k++) {
        add(s.pat().get(at++), now);
      }
    }
    for (int i = n; i < l.body().results().size(); i++) {
      add(s.pat().get(at++), is(l.body().results().get(i)));
    }
  }

  private void soac(Stm s, Soac op) {
    switch (op) {
      case Soac.Screma x -> screma(s, x);
      case Soac.Hist x -> {
        elements(x.inputs(), x.bucket().params());
        body(x.bucket().body());
        List<SubExp> results = x.bucket().body().results();
        int value = x.ops().stream().mapToInt(o -> o.shape().size()).sum();
        int at = 0;
        for (Soac.HistOp o : x.ops()) {
          int n = o.dests().size();
          List<SubExp> given = results.subList(value + at, value + at + n);
          operator(o.op(), o.neutral(), given);
          for (int k = 0; k < n; k++) {
            Param left = o.op().params().get(k);
            add(left, is(o.dests().get(k)));
            add(s.pat().get(at + k), is(left.name()));
          }
          at += n;
        }
      }
      case Soac.Stream x -> {
        List<Param> params = x.lambda().params();
        int n = x.accs().size();
        elements(x.inputs(), params.subList(1 + n, params.size()));
        body(x.lambda().body());
        List<SubExp> results = x.lambda().body().results();
        for (int k = 0; k < results.size(); k++) {
          if (k < n) {
            add(params.get(1 + k), is(x.accs().get(k)) || is(results.get(k)));
          }
          add(s.pat().get(k), is(results.get(k)) || k < n && is(params.get(1 + k).name()));
        }
      }
      case Soac.FlatMap x -> {
        elements(x.inputs(), x.lambda().params());
        body(x.lambda().body());
        List<SubExp> results = x.lambda().body().results();
        for (int k = 1; k < results.size(); k++) {
          add(s.pat().get(k + 1), is(results.get(k)));
        }
      }
      case Soac.WithVjp x -> all(s.pat(), any(x.args()));
      case Soac.Jvp x -> throw new IllegalStateException("nested derivative operator left");
      case Soac.Vjp x -> throw new IllegalStateException("nested derivative operator left");
    }
  }

  private void elements(List<Name> inputs, List<Param> params) {
    for (int i = 0; i < inputs.size(); i++) {
      add(params.get(i), is(inputs.get(i)));
    }
  }

  private void screma(Stm s, Soac.Screma x) {
    elements(x.inputs(), x.map().params());
    body(x.map().body());
    List<SubExp> mapped = x.map().body().results();
    List<Param> post = x.post().params();
    int at = 0;
    for (Soac.Scan o : x.scans()) {
      int n = o.neutral().size();
      operator(o.op(), o.neutral(), mapped.subList(at, at + n));
      for (int k = 0; k < n; k++) {
        add(post.get(at + k), is(o.op().params().get(k).name()));
      }
      at += n;
    }
    int scans = at;
    for (Soac.Reduce o : x.reduces()) {
      int n = o.neutral().size();
      operator(o.op(), o.neutral(), mapped.subList(at, at + n));
      for (int k = 0; k < n; k++) {
        add(s.pat().get(at - scans + k), is(o.op().params().get(k).name()));
      }
      at += n;
    }
    for (int k = at; k < mapped.size(); k++) {
      add(post.get(scans + k - at), is(mapped.get(k)));
    }
    body(x.post().body());
    for (int k = 0; k < x.post().body().results().size(); k++) {
      add(s.pat().get(at - scans + k), is(x.post().body().results().get(k)));
    }
  }

  /**
   * Adds the active operands of an operator. An operand is active if any of its possible values is;
   * left operands include the operator's results.
   */
  private void operator(Lambda op, List<SubExp> neutral, List<SubExp> given) {
    int n = neutral.size();
    body(op.body());
    for (int k = 0; k < n; k++) {
      boolean now = is(given.get(k)) || is(neutral.get(k)) || is(op.body().results().get(k));
      now |= is(op.params().get(k).name());
      add(op.params().get(k), now);
      add(op.params().get(n + k), now);
    }
  }
}
