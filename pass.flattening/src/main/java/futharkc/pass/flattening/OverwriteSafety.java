package futharkc.pass.flattening;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.BoundNames;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSet;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.SegBody;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegLevel;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegResult;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.FreeNamesOfStms;
import futharkc.core.ir.analysis.NameSets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Inserts copies where flattened code consumes an array that is still needed or belongs to other
 * code. Flattening turns copies, such as the rows that a map returns, into aliases of whole arrays.
 */
final class OverwriteSafety {
  /**
   * A root of arrays in which an element may occur at several indices. Such arrays must not be
   * overwritten.
   */
  private static final Name REPEATED = new Name("repeated", -2);

  private final NameSource names;
  private final Map<String, List<Boolean>> uniqueResults;
  private final Map<Name, NameSet> roots = new HashMap<>();

  /** The arrays with known roots, in the order of their bindings. */
  private final List<Name> arrays = new ArrayList<>();

  private final NameSets rootsOfArrays = new NameSets(0);

  private final Map<Name, Type> types = new HashMap<>();
  private final FreeNamesOfStms free = new FreeNamesOfStms();

  /** The arrays that the current body may overwrite. */
  private Set<Name> owned = new HashSet<>();

  OverwriteSafety(NameSource names, Map<String, List<Boolean>> uniqueResults) {
    this.names = names;
    this.uniqueResults = uniqueResults;
  }

  /**
   * Returns a function that consumes only arrays that it may overwrite.
   *
   * @param uniqueResults for each function by name, whether each result aliases no argument
   */
  static FunDef of(FunDef f, Map<String, List<Boolean>> uniqueResults) {
    NameSource names = new NameSource(f.nextTag());
    OverwriteSafety o = new OverwriteSafety(names, uniqueResults);
    for (Param p : f.params()) {
      o.types.put(p.name(), p.type());
      o.share(p.name(), NameSet.of(p.name()));
      if (p.unique()) {
        o.owned.add(p.name());
      }
    }
    Set<Name> params = new HashSet<>();
    f.params().forEach(p -> params.add(p.name()));
    List<Stm> stms = new ArrayList<>();
    o.stms(f.body().stms(), f.body().results(), n -> false, stms);
    List<SubExp> results = new ArrayList<>();
    Set<Name> given = new HashSet<>();
    Set<Name> exclusive = new HashSet<>();
    for (int i = 0; i < f.results().size(); i++) {
      SubExp r = f.body().results().get(i);
      if (f.results().get(i).type() instanceof Type.Prim) {
        // Among scalars are constants of the program, of which no type is known here.
        results.add(r);
        continue;
      }
      NameSet shared = o.roots(r);
      boolean unique = f.results().get(i).unique();
      boolean mine = true;
      for (Name n : shared) {
        boolean isParam = params.contains(n);
        mine &= o.owned.contains(n) || isParam && !unique;
      }
      // No other result may alias a unique result.
      mine &= shared.stream().noneMatch((unique ? given : exclusive)::contains);
      if (!mine && r instanceof SubExp.Var v) {
        r = o.copy(v.name(), stms);
      }
      given.addAll(o.roots(r));
      if (unique) {
        exclusive.addAll(o.roots(r));
      }
      results.add(r);
    }
    return f.withBody(new Body(stms, results), names.next());
  }

  /**
   * Returns the program constants with statements that consume only arrays that they may overwrite.
   */
  List<Stm> constants(List<Stm> constants) {
    List<Stm> out = new ArrayList<>();
    // Functions may use all of them.
    Set<Name> all = new HashSet<>();
    for (Stm s : constants) {
      all.addAll(s.names());
    }
    stms(constants, List.of(), all::contains, out);
    return out;
  }

  private SubExp copy(Name n, List<Stm> out) {
    Name c = names.fresh(n);
    Type t = types.getOrDefault(n, Type.UNIT);
    Stm s =
        new Stm(
            List.of(new PatElem(c, t)), Aux.NONE, new BasicOp.Replicate(List.of(), SubExp.of(n)));
    bindFresh(s);
    out.add(s);
    return SubExp.of(c);
  }

  private NameSet roots(SubExp e) {
    return e instanceof SubExp.Var v ? roots(v.name()) : NameSet.of();
  }

  private NameSet roots(Name n) {
    Type t = types.get(n);
    if (t != null && !(t instanceof Type.Array)) {
      return NameSet.of();
    }
    NameSet known = roots.get(n);
    return known == null ? NameSet.of(n) : known;
  }

  private void bind(PatElem p, NameSet of) {
    types.put(p.name(), p.type());
    share(p.name(), of);
  }

  private void share(Name n, NameSet of) {
    roots.put(n, of);
    rootsOfArrays.add(arrays.size(), of);
    arrays.add(n);
  }

  private void bindFresh(Stm s) {
    for (PatElem p : s.pat()) {
      bind(p, NameSet.of(p.name()));
      owned.add(p.name());
    }
  }

  private Set<Name> free(Stm s) {
    return free.of(s);
  }

  // Bodies

  /**
   * Processes the statements of a body.
   *
   * @param later a test for names that code after the body uses
   * @param out the list to which this method appends the statements
   */
  private void stms(List<Stm> stms, List<SubExp> results, After later, List<Stm> out) {
    Map<Name, Integer> last = new HashMap<>();
    for (int i = 0; i < stms.size(); i++) {
      for (Name n : free(stms.get(i))) {
        last.put(n, i);
      }
    }
    for (SubExp r : results) {
      if (r instanceof SubExp.Var v) {
        last.put(v.name(), stms.size());
      }
    }
    for (int i = 0; i < stms.size(); i++) {
      int at = i;
      stm(stms.get(i), n -> last.getOrDefault(n, -1) > at || later.uses(n), out);
    }
  }

  /** A test for names that code after a statement uses. */
  private interface After {
    boolean uses(Name n);
  }

  private Body body(Body b, After after) {
    List<Stm> out = new ArrayList<>();
    stms(b.stms(), b.results(), after, out);
    return new Body(out, b.results());
  }

  // Statements

  private void stm(Stm s, After after, List<Stm> out) {
    switch (s.exp()) {
      case BasicOp op -> basicOp(s, op, after, out);
      case Exp.Apply a -> apply(s, a, after, out);
      case Exp.Match m -> {
        List<Exp.Case> cases = new ArrayList<>();
        List<Body> bodies = new ArrayList<>();
        for (Exp.Case c : m.cases()) {
          Body b = body(c.body(), after);
          bodies.add(b);
          cases.add(new Exp.Case(c.pattern(), b));
        }
        Body otherwise = body(m.otherwise(), after);
        bodies.add(otherwise);
        for (int i = 0; i < s.pat().size(); i++) {
          NameSet all = NameSet.of();
          for (Body b : bodies) {
            all = all.union(roots(b.results().get(i)));
          }
          bind(s.pat().get(i), all);
        }
        out.add(s.withExp(new Exp.Match(m.scrutinees(), cases, otherwise)));
      }
      case Exp.Loop l -> loop(s, l, after, out);
      case Exp.WithAcc w -> withAcc(s, w, after, out);
      case SegExp.Seg x -> {
        SegOp op = segOp(s, x.op(), after, out);
        bindFresh(s);
        out.add(op == x.op() ? s : s.withExp(new SegExp.Seg(op)));
      }
      default -> {
        bindFresh(s);
        out.add(s);
      }
    }
  }

  private void basicOp(Stm s, BasicOp op, After after, List<Stm> out) {
    Stm t =
        switch (op) {
          case BasicOp.Update x ->
              s.withExp(
                  new BasicOp.Update(
                      x.safe(), own(s, x.array(), after, out), x.slice(), x.value()));
          case BasicOp.FlatUpdate x ->
              s.withExp(
                  new BasicOp.FlatUpdate(own(s, x.array(), after, out), x.slice(), x.value()));
          default -> s;
        };
    Name viewed =
        switch (op) {
          case BasicOp.SubExpOp x -> x.value() instanceof SubExp.Var v ? v.name() : null;
          case BasicOp.Opaque x -> x.value() instanceof SubExp.Var v ? v.name() : null;
          case BasicOp.Index x -> x.array();
          case BasicOp.FlatIndex x -> x.array();
          case BasicOp.Reshape x -> x.array();
          case BasicOp.Rearrange x -> x.array();
          default -> null;
        };
    if (viewed == null) {
      bindFresh(t);
    } else {
      NameSet shared = roots(viewed);
      bind(t.pat().get(0), repeats(op) ? shared.with(REPEATED) : shared);
    }
    out.add(t);
  }

  private static boolean repeats(BasicOp op) {
    return op instanceof BasicOp.FlatIndex
        || op instanceof BasicOp.Index x
            && x.slice().dims().stream()
                .anyMatch(d -> d instanceof Slice.Range r && r.stride().isInt(0));
  }

  /** Returns an array that a statement may consume: the given array or a copy. */
  private Name own(Stm s, Name array, After after, List<Stm> out) {
    NameSet mine = roots(array);
    boolean free =
        owned.containsAll(mine) && !isUsedOtherwise(s, array, mine) && !isUsed(mine, after);
    return free ? array : ((SubExp.Var) copy(array, out)).name();
  }

  /** Tests whether an array with one of the roots is used later. */
  private boolean isUsed(NameSet mine, After after) {
    for (Name root : mine) {
      if (after.uses(root) && roots(root).contains(root)) {
        return true;
      }
    }
    int i = rootsOfArrays.first(mine, 0);
    for (; i >= 0; i = rootsOfArrays.first(mine, i + 1)) {
      Name n = arrays.get(i);
      if (after.uses(n) && roots(n).meets(mine)) {
        return true;
      }
    }
    return false;
  }

  /** Tests whether a statement consumes an array and uses an alias of that array. */
  private boolean isUsedOtherwise(Stm s, Name array, NameSet mine) {
    for (Name n : free(s)) {
      if (!n.equals(array) && roots(n).meets(mine)) {
        return true;
      }
    }
    return uses(s.exp(), array) > 1;
  }

  private static int uses(Exp e, Name array) {
    int[] count = {0};
    new Mapper() {
      @Override
      public Name name(Name use) {
        if (use.equals(array)) {
          count[0]++;
        }
        return use;
      }
    }.exp(e);
    return count[0];
  }

  private void apply(Stm s, Exp.Apply a, After after, List<Stm> out) {
    List<SubExp> args = new ArrayList<>();
    NameSet kept = NameSet.of();
    for (int i = 0; i < a.args().size(); i++) {
      SubExp arg = a.args().get(i);
      boolean consumed = a.consumed().get(i) && types.get(name(arg)) instanceof Type.Array;
      if (consumed) {
        args.add(SubExp.of(own(s, name(arg), after, out)));
      } else {
        args.add(arg);
        kept = kept.union(roots(arg));
      }
    }
    List<Boolean> unique = uniqueResults.get(a.function());
    NameSet shared = kept;
    for (int i = 0; i < s.pat().size(); i++) {
      PatElem p = s.pat().get(i);
      if (unique != null && unique.get(i)) {
        bind(p, NameSet.of(p.name()));
        owned.add(p.name());
      } else {
        if (shared.equals(kept)) {
          // A non-unique result may alias the other non-unique results.
          shared = kept.with(p.name());
          owned.add(p.name());
        }
        bind(p, shared);
      }
    }
    out.add(s.withExp(new Exp.Apply(a.function(), args, a.consumed())));
  }

  private static Name name(SubExp e) {
    return e instanceof SubExp.Var v ? v.name() : REPEATED;
  }

  private void withAcc(Stm s, Exp.WithAcc w, After after, List<Stm> out) {
    List<Exp.AccInput> inputs = new ArrayList<>();
    int arrays = 0;
    for (Exp.AccInput in : w.inputs()) {
      List<Name> mine = new ArrayList<>();
      for (Name a : in.arrays()) {
        mine.add(own(s, a, after, out));
      }
      arrays += mine.size();
      inputs.add(new Exp.AccInput(in.space(), mine, in.op()));
    }
    w.lambda().params().forEach(p -> types.put(p.name(), p.type()));
    Body b = body(w.lambda().body(), after);
    int count = w.inputs().size();
    for (int i = 0; i < s.pat().size(); i++) {
      PatElem p = s.pat().get(i);
      if (i < arrays) {
        bind(p, NameSet.of(p.name()));
        owned.add(p.name());
      } else {
        bind(p, roots(b.results().get(count + i - arrays)));
      }
    }
    Lambda l = new Lambda(w.lambda().params(), b, w.lambda().results());
    out.add(s.withExp(new Exp.WithAcc(inputs, l)));
  }

  private void loop(Stm s, Exp.Loop l, After after, List<Stm> out) {
    List<Exp.LoopParam> params = new ArrayList<>();
    Set<Name> outside = owned;
    Set<Name> inside = new HashSet<>();
    Map<Name, NameSet> begins = new HashMap<>();
    for (Exp.LoopParam p : l.params()) {
      boolean unique = p.param().unique() && p.param().type() instanceof Type.Array;
      SubExp init = p.init();
      if (unique) {
        init = SubExp.of(own(s, name(init), after, out));
      }
      params.add(new Exp.LoopParam(p.param(), init));
      types.put(p.param().name(), p.param().type());
      begins.put(p.param().name(), roots(init));
      share(p.param().name(), NameSet.of(p.param().name()));
      if (unique) {
        inside.add(p.param().name());
      }
    }
    owned = inside;
    List<Stm> stms = new ArrayList<>();
    stms(l.body().stms(), l.body().results(), n -> false, stms);
    List<SubExp> next = new ArrayList<>(l.body().results());
    for (int i = 0; i < params.size(); i++) {
      if (!inside(params.get(i).param())) {
        continue;
      }
      NameSet mine = roots(next.get(i));
      boolean free = owned.containsAll(mine);
      for (int k = 0; k < next.size(); k++) {
        if (k != i && roots(next.get(k)).meets(mine)) {
          free = false;
        }
      }
      if (!free) {
        next.set(i, copy(name(next.get(i)), stms));
      }
    }
    List<NameSet> reached = reached(params, next, begins);
    NameSet made = NameSet.copyOf(BoundNames.of(new Body(stms, next)));
    owned = outside;
    for (int i = 0; i < s.pat().size(); i++) {
      PatElem p = s.pat().get(i);
      if (inside(params.get(i).param())) {
        bind(p, NameSet.of(p.name()));
        owned.add(p.name());
      } else {
        bind(p, reached.get(i));
        // An array allocated in the loop may be overwritten after the loop.
        owned.addAll(reached.get(i).intersect(made));
      }
    }
    out.add(s.withExp(new Exp.Loop(params, l.form(), new Body(stms, next))));
  }

  private static boolean inside(Param p) {
    return p.unique() && p.type() instanceof Type.Array;
  }

  /**
   * Returns the roots of the final values: roots of initial values, and arrays allocated in the
   * loop.
   */
  private List<NameSet> reached(
      List<Exp.LoopParam> params, List<SubExp> next, Map<Name, NameSet> begins) {
    List<NameSet> all = new ArrayList<>();
    for (int i = 0; i < params.size(); i++) {
      NameSet found = NameSet.of();
      Set<Name> seen = new HashSet<>();
      List<Name> work = new ArrayList<>(List.of(params.get(i).param().name()));
      while (!work.isEmpty()) {
        Name p = work.removeLast();
        if (!seen.add(p)) {
          continue;
        }
        NameSet begin = begins.get(p);
        if (begin == null) {
          found = found.with(p);
          continue;
        }
        found = found.union(begin);
        for (int k = 0; k < params.size(); k++) {
          if (params.get(k).param().name().equals(p)) {
            work.addAll(roots(next.get(k)));
          }
        }
      }
      all.add(found);
    }
    return all;
  }

  private SegOp segOp(Stm s, SegOp op, After after, List<Stm> out) {
    if (op instanceof SegOp.SegHist h) {
      List<SegOp.SegHistOp> ops = new ArrayList<>();
      for (SegOp.SegHistOp o : h.ops()) {
        List<Name> dests = new ArrayList<>();
        for (Name d : o.dests()) {
          dests.add(own(s, d, after, out));
        }
        ops.add(
            new SegOp.SegHistOp(
                o.shape(), o.raceFactor(), dests, o.neutral(), o.opShape(), o.op()));
      }
      return new SegOp.SegHist(h.level(), h.space(), ops, h.types(), h.body(), h.strategy());
    }
    if (!(op instanceof SegOp.SegMap m) || !(op.level() instanceof SegLevel.Block)) {
      return op;
    }
    Set<Name> outside = owned;
    owned = new HashSet<>();
    List<Stm> stms = new ArrayList<>();
    List<SubExp> results = m.body().results().stream().map(SegResult::value).toList();
    stms(m.body().stms(), results, n -> false, stms);
    owned = outside;
    return new SegOp.SegMap(m.level(), m.space(), m.types(), new SegBody(stms, m.body().results()));
  }
}
