package futharkc.core.language.lower;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * An alias analysis on the lowered program. It infers which results have no aliases, and which loop
 * parameters are consumed if their type was not written. Both are properties of the lowered body.
 */
final class Aliasing {
  /**
   * The root arrays with which each name may share elements. A name without an entry is its own
   * root.
   */
  private final Map<Name, Set<Name>> roots = new HashMap<>();

  /** The kinds of values with which a result may share elements. */
  enum Sharing {
    NOTHING,
    /** Parameters that are not unique, or other results. */
    OTHERS,
    CONSTANTS
  }

  private final Set<Name> consumed = new HashSet<>();

  /** The arrays that the analysed body creates. */
  private final Set<Name> own = new HashSet<>();

  private final Function<String, List<Boolean>> uniqueResults;

  private Aliasing(Function<String, List<Boolean>> uniqueResults) {
    this.uniqueResults = uniqueResults;
  }

  /**
   * Returns for each result of a function the values with which it may share elements.
   *
   * @param uniqueResults a function from a function's name to the uniqueness of its results
   */
  static List<Sharing> results(
      List<Param> params, Body body, Function<String, List<Boolean>> uniqueResults) {
    Aliasing a = new Aliasing(uniqueResults);
    Set<Name> given = new HashSet<>();
    for (Param p : params) {
      a.define(p.name(), p.type());
      if (p.unique()) {
        continue;
      }
      a.own.remove(p.name());
      given.add(p.name());
    }
    a.visit(body);
    Map<Name, Integer> count = new HashMap<>();
    for (SubExp r : body.results()) {
      for (Name n : a.roots(r)) {
        count.merge(n, 1, Integer::sum);
      }
    }
    List<Sharing> out = new ArrayList<>();
    for (SubExp r : body.results()) {
      Sharing most = Sharing.NOTHING;
      for (Name n : a.roots(r)) {
        boolean ours = a.own.contains(n) || given.contains(n);
        boolean alone = a.own.contains(n) && count.getOrDefault(n, 0) == 1;
        Sharing s = !ours ? Sharing.CONSTANTS : alone ? Sharing.NOTHING : Sharing.OTHERS;
        if (s.compareTo(most) > 0) {
          most = s;
        }
      }
      out.add(most);
    }
    return out;
  }

  /**
   * Returns a test for operands that share elements with an array that the statements consume.
   *
   * @param uniqueResults a function from a function's name to the uniqueness of its results
   */
  static Predicate<SubExp> consumed(List<Stm> stms, Function<String, List<Boolean>> uniqueResults) {
    Aliasing a = new Aliasing(uniqueResults);
    stms.forEach(a::visit);
    return e -> !Collections.disjoint(a.roots(e), a.consumed);
  }

  /**
   * Returns for each parameter of a loop whether it must be unique. A parameter must be unique if
   * the body consumes it or passes it to a unique parameter of the next iteration.
   *
   * @param uniqueResults a function from a function's name to the uniqueness of its results
   */
  static List<Boolean> unique(
      List<Param> params, Body body, Function<String, List<Boolean>> uniqueResults) {
    List<Boolean> unique = new ArrayList<>(Collections.nCopies(params.size(), false));
    if (params.stream().noneMatch(p -> p.type().rank() > 0)) {
      return unique;
    }
    Aliasing c = new Aliasing(uniqueResults);
    for (Param p : params) {
      c.define(p.name(), p.type());
    }
    c.visit(body);
    for (boolean changed = true; changed; ) {
      changed = false;
      for (int i = 0; i < params.size(); i++) {
        if (params.get(i).type().rank() == 0) {
          continue;
        }
        if (!unique.get(i) && c.consumed.contains(params.get(i).name())) {
          unique.set(i, true);
          changed = true;
        }
        if (unique.get(i)) {
          changed |= c.consumed.addAll(c.roots(body.results().get(i)));
        }
      }
    }
    return unique;
  }

  private Set<Name> roots(SubExp e) {
    return e instanceof SubExp.Var v ? roots(v.name()) : Set.of();
  }

  private Set<Name> roots(Name n) {
    Set<Name> known = roots.get(n);
    return known != null ? known : Set.of(n);
  }

  private Set<Name> roots(Collection<SubExp> es) {
    Set<Name> all = new HashSet<>();
    for (SubExp e : es) {
      all.addAll(roots(e));
    }
    return all;
  }

  private void consume(Name n) {
    consumed.addAll(roots(n));
  }

  private void visit(Body b) {
    for (Stm s : b.stms()) {
      visit(s);
    }
  }

  private void define(Name n, Type t) {
    if (t instanceof Type.Array) {
      own.add(n);
    } else {
      roots.put(n, Set.of());
    }
  }

  private void visit(Stm s) {
    List<PatElem> pat = s.pat();
    for (PatElem p : pat) {
      define(p.name(), p.type());
    }
    switch (s.exp()) {
      case BasicOp op -> basic(op, pat);
      case Exp.Apply a -> {
        List<SubExp> kept = new ArrayList<>();
        for (int i = 0; i < a.args().size(); i++) {
          if (!(a.args().get(i) instanceof SubExp.Var v)) {
            continue;
          }
          if (a.consumed().get(i)) {
            consume(v.name());
          } else {
            kept.add(v);
          }
        }
        List<Boolean> unique = uniqueResults.apply(a.function());
        List<PatElem> sharing = new ArrayList<>();
        for (int i = 0; i < pat.size(); i++) {
          if (!unique.get(i)) {
            sharing.add(pat.get(i));
          }
        }
        shared(sharing, kept);
      }
      case Exp.Match m -> {
        for (Exp.Case c : m.cases()) {
          visit(c.body());
        }
        visit(m.otherwise());
        for (int i = 0; i < pat.size(); i++) {
          Set<Name> from = new HashSet<>(roots(m.otherwise().results().get(i)));
          for (Exp.Case c : m.cases()) {
            from.addAll(roots(c.body().results().get(i)));
          }
          alias(pat.get(i), from);
        }
      }
      case Exp.Loop l -> {
        for (Exp.LoopParam p : l.params()) {
          if (p.param().unique() && p.init() instanceof SubExp.Var v) {
            consume(v.name());
            define(p.param().name(), p.param().type());
          } else {
            roots.put(p.param().name(), roots(p.init()));
          }
        }
        visit(l.body());
        List<Set<Name>> results = loopResults(l);
        for (int i = 0; i < pat.size(); i++) {
          if (!l.params().get(i).param().unique()) {
            alias(pat.get(i), results.get(i));
          }
        }
      }
      case Exp.WithAcc w -> {
        for (Exp.AccInput in : w.inputs()) {
          in.arrays().forEach(this::consume);
        }
      }
      case Soac.Hist h -> {
        for (Soac.HistOp op : h.ops()) {
          op.dests().forEach(this::consume);
        }
      }
      case Soac.Jvp x -> derived(pat, x.args(), x.tangents(), x.lambda());
      case Soac.Vjp x -> derived(pat, x.args(), x.adjoints(), x.lambda());
      case Soac.WithVjp x -> derived(pat, x.args(), List.of(), x.lambda());
      case Soac x -> {}
      case SegExp x -> {}
      case HostOp x -> {}
      case MemOp x -> {}
    }
  }

  /**
   * Returns the roots of each loop result: the roots of the initial value and of the body's result.
   * Results with common initial roots share all their roots.
   */
  private List<Set<Name>> loopResults(Exp.Loop l) {
    int n = l.params().size();
    List<Set<Name>> all = new ArrayList<>();
    List<Set<Name>> initial = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      initial.add(roots(l.params().get(i).init()));
      Set<Name> from = new HashSet<>(initial.get(i));
      from.addAll(roots(l.body().results().get(i)));
      all.add(from);
    }
    for (boolean changed = true; changed; ) {
      changed = false;
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
          boolean linked = i != j && initial.get(j).stream().anyMatch(all.get(i)::contains);
          if (linked) {
            changed |= all.get(i).addAll(all.get(j));
          }
        }
      }
    }
    return all;
  }

  /** Records that results may share elements with all arguments and with each other. */
  private void shared(List<PatElem> results, List<SubExp> args) {
    Set<Name> from = roots(args);
    for (PatElem p : results) {
      if (!(p.type() instanceof Type.Array)) {
        continue;
      }
      if (from.isEmpty()) {
        from.add(p.name());
      }
      alias(p, from);
    }
  }

  /**
   * Records the roots of the results of a derivative. They may also share elements with the results
   * of the lambda.
   */
  private void derived(List<PatElem> results, List<SubExp> args, List<SubExp> seeds, Lambda l) {
    for (Param p : l.params()) {
      roots.put(p.name(), Set.of());
    }
    visit(l.body());
    List<SubExp> all = new ArrayList<>(args);
    all.addAll(seeds);
    all.addAll(l.body().results());
    shared(results, all);
  }

  private void basic(BasicOp op, List<PatElem> pat) {
    switch (op) {
      case BasicOp.SubExpOp x -> alias(pat.get(0), roots(x.value()));
      case BasicOp.Opaque x -> alias(pat.get(0), roots(x.value()));
      case BasicOp.Index x -> alias(pat.get(0), roots(SubExp.of(x.array())));
      case BasicOp.FlatIndex x -> alias(pat.get(0), roots(SubExp.of(x.array())));
      case BasicOp.Reshape x -> alias(pat.get(0), roots(SubExp.of(x.array())));
      case BasicOp.Rearrange x -> alias(pat.get(0), roots(SubExp.of(x.array())));
      case BasicOp.Update x -> consume(x.array());
      case BasicOp.FlatUpdate x -> consume(x.array());
      case BasicOp.ArrayVal _,
          BasicOp.ArrayLit _,
          BasicOp.BinOpExp _,
          BasicOp.UnOpExp _,
          BasicOp.CmpOpExp _,
          BasicOp.ConvOpExp _,
          BasicOp.PrimFunExp _,
          BasicOp.Assert _,
          BasicOp.Concat _,
          BasicOp.Manifest _,
          BasicOp.Iota _,
          BasicOp.Replicate _,
          BasicOp.Scratch _,
          BasicOp.UpdateAcc _,
          BasicOp.UserParam _ -> {}
    }
  }

  private void alias(PatElem p, Set<Name> from) {
    if (p.type() instanceof Type.Array && !from.isEmpty()) {
      roots.put(p.name(), from);
    }
  }
}
