package futharkc.pass.memorymerge;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.Body;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.Program;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegResult;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.memory.BlockAliases;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.Remark;
import futharkc.core.ir.symbolic.Bounds;
import futharkc.core.ir.symbolic.Facts;
import futharkc.core.ir.symbolic.NonOverlap;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Coalesces the blocks of one function: outer bodies first, in each the last copy first. */
final class Coalescing extends Bodies {
  private final FunDef function;
  private final PassContext context;
  private final FunctionTable table;
  private final BlockAliases aliases;
  private final Set<Name> gone = new HashSet<>();
  private final Set<Name> dropped = new HashSet<>();

  Coalescing(FunDef function, Program program, PassContext context) {
    this.function = function;
    this.context = context;
    this.table = new FunctionTable(function, program);
    this.aliases = context.analyses().get(function, BlockAliases.ANALYSIS);
  }

  FunDef run() {
    Facts facts = Facts.of(function);
    table.indices().forEach((i, bound) -> facts.bounds().addIndex(i, Poly.of(bound)));
    Body b = body(function.body(), facts);
    if (gone.isEmpty()) return function;
    Body moved = new Moving(table, gone, dropped).body(b);
    return function.withBody(moved, function.nextTag());
  }

  // Bodies

  @Override
  Body body(Body b, Facts facts) {
    List<Stm> stms = copies(b.stms(), mentioned(b.results()), facts);
    return new Body(inner(stms, facts), b.results());
  }

  /**
   * What is known in a body.
   *
   * @param facts before its first statement
   * @param all after its last one: if that is never reached, nobody sees what was overwritten
   */
  private record Known(Facts facts, Facts all) {
    Known(Facts facts, List<Stm> stms) {
      this(facts, facts.inside());
      for (Stm s : stms) all.passed(s);
    }

    Bounds bounds() {
      return all.bounds();
    }

    /** Before a statement: where something is too small, a check after it comes too late. */
    Bounds before(List<Stm> stms, int at) {
      Facts known = facts.inside();
      for (Stm s : stms.subList(0, at)) known.passed(s);
      return known.bounds();
    }
  }

  private static Set<Name> mentioned(List<SubExp> results) {
    Set<Name> names = new HashSet<>();
    for (SubExp r : results) if (r instanceof SubExp.Var v) names.add(v.name());
    return names;
  }

  private List<Stm> copies(List<Stm> stms, Set<Name> results, Facts facts) {
    List<Stm> now = stms;
    Known known = new Known(facts, stms);
    for (int i = now.size() - 1; i >= 0; i--) {
      context.checkCancelled();
      Stm s = now.get(i);
      List<Copy> copies = Copy.in(s, table);
      for (int k = copies.size() - 1; k >= 0; k--) {
        List<Stm> next = coalesce(now, i, results, copies.get(k), known, null, s.aux().loc());
        if (next != null) now = next;
      }
    }
    return now;
  }

  @Override
  List<Stm> segBody(Stm s, SegOp op, Facts facts) {
    List<Stm> stms = op instanceof SegOp.SegMap ? rows(s, op, facts) : op.body().stms();
    return inner(copies(stms, mentioned(op.body().values()), facts), facts);
  }

  /** Arrays that a map makes at each index are made in their part of its result. */
  private List<Stm> rows(Stm s, SegOp op, Facts facts) {
    List<SubExp> index = op.space().dims().stream().map(d -> SubExp.of(d.index())).toList();
    List<Stm> now = op.body().stms();
    Known known = new Known(facts, now);
    for (int k = op.body().results().size() - 1; k >= 0; k--) {
      SegResult r = op.body().results().get(k);
      PatElem p = s.pat().get(k);
      ArrayMem whole = table.place(p.name());
      if (!(r instanceof SegResult.Returns)
          || !(r.value() instanceof SubExp.Var v)
          || !(table.type(v.name()) instanceof Type.Array)
          || whole == null) {
        continue;
      }
      Lmad row = whole.lmad().slice(Slice.fix(index, whole.lmad().shape()));
      Copy c = new Copy(v.name(), new ArrayMem(whole.block(), row), List.of(), null, p.name());
      Set<Name> others = new HashSet<>();
      for (int i = 0; i < op.body().results().size(); i++) {
        if (i != k) others.addAll(mentioned(List.of(op.body().values().get(i))));
      }
      List<Stm> next = coalesce(now, now.size(), others, c, known, op.space(), s.aux().loc());
      if (next != null) now = next;
    }
    return now;
  }

  // One copy

  /**
   * Makes an array where it is copied to.
   *
   * @param at the statement that copies it; after the last, if the end of the body does
   * @param results what is used after the statements
   * @param space the indices at each of which the body runs, in any order; null if once
   * @return the statements in a new order, or null if the array stays where it is
   */
  private @Nullable List<Stm> coalesce(
      List<Stm> stms,
      int at,
      Set<Name> results,
      Copy copy,
      Known known,
      @Nullable SegSpace space,
      Loc loc) {
    ArrayMem from = table.place(copy.array());
    if (from == null || from.equals(copy.to())) return null;
    if (aliases.maySame(from.block(), copy.to().block())) return missed(copy, loc, "it is there");
    Web web = Web.of(copy.array(), copy.to(), table, known.bounds());
    String refusal = web.refusal();
    if (refusal != null) return missed(copy, loc, refusal);
    for (Name b : web.blocks()) {
      if (aliases.maySame(b, copy.to().block())) return missed(copy, loc, b + " may be there");
    }
    int first = firstMention(stms, at, web);
    if (first < 0) return missed(copy, loc, "it is made outside");
    if (isUsed(stms, at, results, web)) return missed(copy, loc, "it is used later");
    if (!web.isSized(known.before(stms, first)))
      return missed(copy, loc, "its sizes are not known");
    NonOverlap prover = new NonOverlap(known.bounds());
    Set<Name> needed = new LinkedHashSet<>(copy.certs());
    needed.addAll(FunctionTable.names(copy.to()));
    List<Stm> order = null;
    Map<Name, ArrayMem> places = web.moved(copy.to());
    if (places == null) return missed(copy, loc, String.valueOf(web.refusal()));
    places.forEach((array, m) -> needed.addAll(added(array, m)));
    if (!areOutside(needed, stms.subList(first, at))) {
      return missed(copy, loc, "the destination is not known before");
    }
    Interval interval = new Interval(table, aliases, known.bounds(), web, copy.to(), places);
    for (List<Name> also : earlier(copy)) {
      needed.addAll(also);
      Advance advance = new Advance(table, aliases, prover);
      List<Stm> moved = advance.before(stms, first, at, needed, web.blocks());
      if (moved == null) {
        refusal = "the destination is not known before";
        continue;
      }
      if (!isInside(copy, known.before(moved, moved.indexOf(stms.get(first))))) {
        refusal = "it may be outside of the destination";
        continue;
      }
      interval = new Interval(table, aliases, known.bounds(), web, copy.to(), places);
      if (interval.isFree(moved, at, from.block())) {
        order = moved;
        break;
      }
      refusal = interval.refusal();
    }
    if (order == null) return missed(copy, loc, refusal == null ? "it is not free" : refusal);
    if (space != null && !isPrivate(order, copy.to(), space, interval)) {
      String why = interval.refusal();
      return missed(copy, loc, why == null ? "indices may share the place" : why);
    }
    List<Stm> checked = checked(order, at, copy.certs(), web);
    table.move(places, web.blocks(), copy.to().block());
    gone.addAll(web.allocated());
    dropped.addAll(web.dropped());
    String what = copy.array() + " is made where it is copied to, in " + copy.name();
    context.remark(Remark.Kind.APPLIED, function.name(), loc, what);
    return checked;
  }

  private @Nullable List<Stm> missed(Copy copy, Loc loc, String why) {
    String what = copy.array() + " is copied to " + copy.name() + ": " + why;
    context.remark(Remark.Kind.MISSED, function.name(), loc, what);
    return null;
  }

  /**
   * What else may have to be there before the array, the least first: the array of which a part is
   * updated, or checks of the sizes of what is concatenated.
   */
  private List<List<Name>> earlier(Copy copy) {
    List<Name> certs = new ArrayList<>();
    for (Name n : copy.beside()) {
      Stm s = table.statement(n);
      if (s != null) certs.addAll(s.aux().certs());
    }
    if (copy.updated() != null) certs.add(copy.updated());
    return certs.isEmpty() ? List.of(List.of()) : List.of(List.of(), certs);
  }

  /** Whether the place is part of the destination, whatever checks that come later say. */
  private boolean isInside(Copy copy, Bounds before) {
    for (Name n : copy.beside()) {
      Poly size = Poly.of(type(n).dims().get(copy.dim()));
      if (!before.provesAtMost(Poly.ZERO, table.values.expand(size))) return false;
    }
    return true;
  }

  private Type type(Name array) {
    return Objects.requireNonNull(table.type(array));
  }

  /** What the new place of an array names that the old one does not. */
  private Set<Name> added(Name array, ArrayMem place) {
    Set<Name> names = FunctionTable.names(place);
    names.removeAll(table.names(array));
    return names;
  }

  /** Whether no body inside of these statements binds any of these names. */
  private static boolean areOutside(Set<Name> names, List<Stm> stms) {
    for (Stm s : stms) {
      for (Name n : futharkc.core.ir.BoundNames.of(s)) {
        if (names.contains(n) && !s.names().contains(n)) return false;
      }
    }
    return true;
  }

  /** The first statement that binds something in the blocks, or a block itself. */
  private int firstMention(List<Stm> stms, int end, Web web) {
    Set<Name> arrays = new HashSet<>(web.blocks());
    for (Name b : web.blocks()) arrays.addAll(table.arraysIn(b));
    int first = -1;
    Set<Name> waiting = new HashSet<>();
    for (int i = 0; i < end; i++) {
      Stm s = stms.get(i);
      boolean alloc = s.names().stream().anyMatch(web.allocated()::contains);
      if (alloc) waiting.addAll(s.names());
      else if (first < 0 && binds(s, arrays)) first = i;
    }
    return waiting.isEmpty() && first < 0 ? -1 : first;
  }

  private static boolean binds(Stm s, Set<Name> names) {
    for (Name n : futharkc.core.ir.BoundNames.of(s)) if (names.contains(n)) return true;
    return false;
  }

  private boolean isUsed(List<Stm> stms, int at, Set<Name> results, Web web) {
    Set<Name> arrays = new HashSet<>();
    for (Name b : web.blocks()) arrays.addAll(table.arraysIn(b));
    for (Name n : results) if (arrays.contains(n)) return true;
    for (int i = at + 1; i < stms.size(); i++) {
      for (Name n : FreeNames.of(stms.get(i))) if (arrays.contains(n)) return true;
    }
    return false;
  }

  private boolean isPrivate(List<Stm> stms, ArrayMem to, SegSpace space, Interval interval) {
    Set<Name> bound = new HashSet<>();
    for (SegSpace.Dim d : space.dims()) bound.add(d.index());
    Lmad all = table.accesses.outside(to.lmad(), bound, space.dims());
    return all != null && interval.isPrivate(stms, all);
  }

  /** What is made in a place needs what makes it one. */
  private List<Stm> checked(List<Stm> stms, int end, List<Name> certs, Web web) {
    if (certs.isEmpty()) return stms;
    List<Stm> out = new ArrayList<>();
    for (int i = 0; i < stms.size(); i++) {
      Stm s = stms.get(i);
      boolean inside = false;
      for (PatElem p : s.pat()) {
        ArrayMem m = table.place(p.name());
        inside |= m != null && web.blocks().contains(m.block());
      }
      out.add(i < end && inside ? new Stm(s.pat(), s.aux().plusCerts(certs), s.exp()) : s);
    }
    return out;
  }
}
