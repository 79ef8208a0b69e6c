package futharkc.core.ir.verify;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.BoundNames;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.memory.Access;
import futharkc.core.ir.memory.Accesses;
import futharkc.core.ir.memory.ScalarValues;
import futharkc.core.ir.symbolic.Facts;
import futharkc.core.ir.symbolic.NonOverlap;
import futharkc.core.ir.text.Printer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A search for arrays that overwrite other arrays which are read later. The search shares no code
 * with the passes that assign memory. A backward liveness analysis of each body starts from its
 * results and the later reads. To detect overlaps, it tries small values that satisfy the known
 * facts about variables.
 *
 * <p>A reported overwrite is an error, provided that all relevant facts about variables are known.
 * The search is incomplete: it does not compare iterations of a loop or indices of a parallel
 * operation, and it assumes that unknown regions do not overlap.
 */
final class OverwriteCheck {
  private final Map<Name, ArrayMem> places = new HashMap<>();
  private final Map<Name, Type> types = new HashMap<>();
  private final Map<Name, Name> same = new HashMap<>();
  private final ScalarValues values = new ScalarValues();
  private final Accesses accesses = new Accesses(places::get, values).remembering();

  /** The blocks that contain several arrays. Other blocks cannot have errors. */
  private final Set<Name> shared = new HashSet<>();

  /** The statements that mention arrays in shared blocks, at any depth. */
  private final Set<Stm> concerned = Collections.newSetFromMap(new IdentityHashMap<>());

  /**
   * The numbers of a statement and its nested statements, in text order; {@code to} is exclusive.
   */
  private record Range(int from, int to) {}

  private final Map<Stm, Range> inside = new IdentityHashMap<>();

  /** The number of the statement that binds a name, or of a statement nested in it. */
  private final Map<Name, Integer> boundIn = new HashMap<>();

  private OverwriteCheck() {}

  /** Tests whether a statement binds a name, at any depth. */
  private boolean binds(Stm s, Name n) {
    Range range = inside.get(s);
    int at = boundIn.getOrDefault(n, -1);
    return range != null && range.from <= at && at < range.to;
  }

  /**
   * Checks a function of a memory representation.
   *
   * @throws BrokenRule if an array overwrites another that is read later
   */
  static void of(FunDef f) {
    OverwriteCheck check = new OverwriteCheck();
    check.new Collect().fun(f);
    check.share();
    if (check.shared.isEmpty()) {
      return;
    }
    check.new Mark().fun(f);
    List<Read> results = new ArrayList<>();
    for (SubExp r : f.body().results()) {
      ArrayMem m = r instanceof SubExp.Var v ? check.places.get(v.name()) : null;
      if (m != null && check.shared.contains(m.block())) {
        results.add(new Read(name(r), m));
      }
    }
    check.stms(f.body().stms(), results, Facts.of(f));
  }

  private void share() {
    Map<Name, Name> first = new HashMap<>();
    places.forEach(
        (array, m) -> {
          Name root = root(array);
          Name other = first.putIfAbsent(m.block(), root);
          if (other != null && !other.equals(root)) {
            shared.add(m.block());
          }
        });
  }

  // Arrays and blocks

  private Name root(Name n) {
    Name now = n;
    while (same.containsKey(now)) {
      now = same.getOrDefault(now, now);
    }
    return now;
  }

  /** Records that two names denote one array or slices of it. */
  private void join(Name a, SubExp b) {
    if (!(types.get(a) instanceof Type.Array) || !(b instanceof SubExp.Var v)) {
      return;
    }
    if (!root(a).equals(root(v.name()))) {
      same.put(root(a), root(v.name()));
    }
  }

  private final class Collect extends Mapper {
    @Override
    public PatElem patElem(PatElem p) {
      bind(p.name(), p.type());
      return p;
    }

    @Override
    public Param param(Param p) {
      bind(p.name(), p.type());
      return p;
    }

    private void bind(Name n, Type t) {
      types.put(n, t);
      if (t instanceof Type.Array a && a.mem() != null) {
        places.put(n, a.mem());
      }
    }

    @Override
    public Stm stm(Stm s) {
      values.add(s);
      super.stm(s);
      List<Name> names = s.names();
      switch (s.exp()) {
        case BasicOp.SubExpOp x -> join(names.get(0), x.value());
        case BasicOp.Opaque x -> join(names.get(0), x.value());
        case BasicOp.Index x -> join(names.get(0), SubExp.of(x.array()));
        case BasicOp.FlatIndex x -> join(names.get(0), SubExp.of(x.array()));
        case BasicOp.Rearrange x -> join(names.get(0), SubExp.of(x.array()));
        case BasicOp.Reshape x -> join(names.get(0), SubExp.of(x.array()));
        case BasicOp.Update x -> join(names.get(0), SubExp.of(x.array()));
        case BasicOp.FlatUpdate x -> join(names.get(0), SubExp.of(x.array()));
        case Exp.Match m -> {
          m.cases().forEach(c -> joinAll(names, c.body().results()));
          joinAll(names, m.otherwise().results());
        }
        case Exp.Loop l -> {
          for (int k = 0; k < names.size(); k++) {
            Name p = l.params().get(k).param().name();
            join(p, l.params().get(k).init());
            join(names.get(k), SubExp.of(p));
          }
          joinAll(names, l.body().results());
        }
        case Exp.WithAcc w -> {
          int k = 0;
          for (Exp.AccInput in : w.inputs()) {
            for (Name a : in.arrays()) {
              join(names.get(k++), SubExp.of(a));
            }
          }
          for (int i = 0; i < w.inputs().size(); i++) {
            accesses.accumulator(w.lambda().params().get(i).name(), w.inputs().get(i).arrays());
          }
        }
        case BasicOp _, Exp.Apply _, Soac _, SegExp _, HostOp _, MemOp _ -> {}
      }
      return s;
    }

    private void joinAll(List<Name> names, List<SubExp> results) {
      for (int k = 0; k < names.size(); k++) {
        join(names.get(k), results.get(k));
      }
    }
  }

  /** A traversal that finds the relevant statements. */
  private final class Mark extends Mapper {
    private final Deque<Stm> around = new ArrayDeque<>();
    private int number;

    @Override
    public Stm stm(Stm s) {
      int first = number++;
      around.push(s);
      super.stm(s);
      around.pop();
      inside.put(s, new Range(first, number));
      return s;
    }

    @Override
    public Name name(Name use) {
      ArrayMem m = places.get(use);
      boolean concerns =
          m == null ? types.get(use) instanceof Type.Acc : shared.contains(m.block());
      // All statements around a marked statement are marked already.
      if (concerns) {
        for (Stm s : around) {
          if (!concerned.add(s)) {
            break;
          }
        }
      }
      return use;
    }

    @Override
    public Name binder(Name bound) {
      boundIn.put(bound, number - 1);
      return name(bound);
    }
  }

  // Bodies

  /** A region of an array that is read later. */
  private record Read(Name array, ArrayMem place) {}

  private static Name name(SubExp e) {
    return ((SubExp.Var) e).name();
  }

  /** Returns the regions of an array that are read later. */
  private static List<Read> ofArray(Name array, List<Read> reads) {
    return reads.stream().filter(r -> r.array.equals(array)).toList();
  }

  /**
   * Adds the regions of a body's results that are needed: the regions of the statement's results
   * that are read later, or the whole result if it is copied to the statement's result.
   */
  private void results(List<SubExp> results, List<Name> names, List<Read> read, List<Read> needed) {
    for (int k = 0; k < results.size(); k++) {
      ArrayMem m = results.get(k) instanceof SubExp.Var v ? places.get(v.name()) : null;
      if (m == null || !shared.contains(m.block())) {
        continue;
      }
      Name result = name(results.get(k));
      ArrayMem to = places.get(names.get(k));
      if (to == null || !to.lmad().equals(m.lmad())) {
        needed.add(new Read(result, m));
        continue;
      }
      for (Read r : ofArray(names.get(k), read)) {
        needed.add(new Read(result, new ArrayMem(m.block(), r.place.lmad())));
      }
    }
  }

  private void body(Body b, Stm s, List<Read> read, List<Read> after, Facts facts) {
    List<Read> needed = new ArrayList<>(after);
    results(b.results(), s.names(), read, needed);
    stms(b.stms(), needed, facts);
  }

  /**
   * Checks a loop. Regions of parameters that an iteration reads are needed at the end of the
   * previous iteration.
   */
  private void loop(Exp.Loop l, Stm s, List<Read> read, List<Read> after, Facts facts) {
    List<Read> needed = new ArrayList<>(after);
    results(l.body().results(), s.names(), read, needed);
    List<Name> params = l.params().stream().map(p -> p.param().name()).toList();
    Set<Name> bound = new HashSet<>(BoundNames.of(l.body()));
    if (l.form() instanceof Exp.Form.For f) {
      bound.add(f.index());
    }
    List<Read> inside = new ArrayList<>();
    for (Stm t : l.body().stms()) {
      if (!concerned.contains(t)) {
        continue;
      }
      for (Access a : accesses.of(t)) {
        if (a.write() || a.region() == null || !params.contains(a.array())) {
          continue;
        }
        if (Collections.disjoint(variables(a.region()), bound)) {
          inside.add(new Read(a.array(), new ArrayMem(a.block(), a.region())));
        }
      }
    }
    results(l.body().results(), params, inside, needed);
    stms(l.body().stms(), needed, facts);
  }

  private static Set<Name> variables(Lmad l) {
    Set<Name> all = new HashSet<>(l.offset().variables());
    for (Lmad.Dim d : l.dims()) {
      all.addAll(d.stride().variables());
      if (d.size() instanceof SubExp.Var v) {
        all.add(v.name());
      }
    }
    return all;
  }

  private void stms(List<Stm> stms, List<Read> after, Facts before) {
    Facts facts = before.inside();
    for (Stm s : stms) {
      facts.passed(s);
    }
    List<Read> needed = new ArrayList<>(after);
    for (Stm s : stms.reversed()) {
      if (!concerned.contains(s)) {
        continue;
      }
      Set<Name> own = new HashSet<>(s.names());
      List<Read> read = needed.stream().filter(r -> own.contains(r.array)).toList();
      inside(s, read, needed.stream().filter(r -> !own.contains(r.array)).toList(), facts);
      needed.removeIf(r -> own.contains(r.array));
      for (Access a : accesses.of(s)) {
        if (!a.write() && a.region() != null && isRead(a, s)) {
          needed.add(new Read(a.array(), new ArrayMem(a.block(), a.region())));
        }
      }
    }
  }

  private boolean isRead(Access a, Stm s) {
    return shared.contains(a.block()) && !binds(s, a.array());
  }

  private void inside(Stm s, List<Read> read, List<Read> after, Facts facts) {
    switch (s.exp()) {
      case Exp.Match m -> {
        for (int k = 0; k < m.cases().size(); k++) {
          body(m.cases().get(k).body(), s, read, after, facts.inBranch(m, k));
        }
        body(m.otherwise(), s, read, after, facts.inBranch(m, m.cases().size()));
      }
      case Exp.Loop l -> loop(l, s, read, after, facts.inLoop(l));
      case Exp.WithAcc w -> {
        Body b = w.lambda().body();
        int accs = w.inputs().size();
        List<Read> needed = new ArrayList<>(after);
        List<Name> others =
            s.names().subList(s.names().size() - (b.results().size() - accs), s.names().size());
        results(b.results().subList(accs, b.results().size()), others, read, needed);
        stms(b.stms(), needed, facts);
      }
      case SegExp.ParOp p -> {
        if (p.nested() != null) {
          body(p.nested(), s, read, after, facts);
        }
        segOp(s, p.op(), after, facts);
      }
      case SegExp.Seg x -> segOp(s, x.op(), after, facts);
      case BasicOp _, Exp.Apply _, Soac _, HostOp _, MemOp _ -> writes(s, after, facts);
    }
  }

  /**
   * Tests whether sample values can be chosen for the region, that is, no variable in its offset
   * has a definition.
   */
  private boolean isKnown(Lmad region) {
    return region.offset().variables().stream().allMatch(n -> values.value(n) == null);
  }

  private void segOp(Stm s, SegOp op, List<Read> after, Facts facts) {
    stms(op.body().stms(), after, facts.at(op.space()));
    writes(s, after, facts);
  }

  // Writes

  private void writes(Stm s, List<Read> after, Facts facts) {
    if (after.isEmpty()) {
      return;
    }
    Set<ArrayMem> copied = copied(s);
    NonOverlap overlap = new NonOverlap(facts.bounds());
    for (Access w : accesses.of(s)) {
      if (!w.write() || w.region() == null || !s.names().contains(w.array()) && !isUpdate(s)) {
        continue;
      }
      for (Read r : after) {
        if (!r.place.block().equals(w.block())) {
          continue;
        }
        if (elem(r.array) != elem(w.array()) || copied.contains(places.get(r.array))) {
          continue;
        }
        Lmad there = values.expand(r.place.lmad());
        if (!isKnown(there) || !isKnown(values.expand(w.region()))) {
          continue;
        }
        List<Lmad> within = List.of(whole(w.array()), whole(r.array));
        if (!overlap.overlaps(values.expand(w.region()), there, within)) {
          continue;
        }
        Name array = isUpdate(s) ? s.names().get(0) : w.array();
        BrokenRule broken =
            new BrokenRule(array + " overwrites " + r.array + ", which is read later");
        broken.where = Printer.print(s);
        throw broken;
      }
    }
  }

  private static boolean isUpdate(Stm s) {
    return s.exp() instanceof BasicOp.Update || s.exp() instanceof BasicOp.FlatUpdate;
  }

  private Lmad whole(Name array) {
    return values.expand(Objects.requireNonNull(places.get(array)).lmad());
  }

  private PrimType elem(Name array) {
    return types.get(array) instanceof Type.Array a ? a.elem() : PrimType.I8;
  }

  /**
   * Returns the locations of arrays that a statement copies. A copy of an array to its own location
   * leaves the array intact.
   */
  private Set<ArrayMem> copied(Stm s) {
    Set<ArrayMem> all = new HashSet<>();
    for (Access a : accesses.of(s)) {
      ArrayMem m = places.get(a.array());
      if (!a.write() && m != null) {
        all.add(m);
      }
    }
    return all;
  }
}
