package futharkc.pass.memorymerge;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.Program;
import futharkc.core.ir.SegBody;
import futharkc.core.ir.SegExp;
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
import futharkc.core.ir.symbolic.Facts;
import futharkc.core.ir.symbolic.NonOverlap;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Coalesces the blocks of one function: outer bodies first, in each the last copy first. */
final class Coalescing {
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

  private Body body(Body b, Facts facts) {
    for (Stm s : b.stms()) facts.passed(s);
    List<Stm> stms = copies(b.stms(), mentioned(b.results()), facts);
    return new Body(inner(stms, facts), b.results());
  }

  private static Set<Name> mentioned(List<SubExp> results) {
    Set<Name> names = new HashSet<>();
    for (SubExp r : results) if (r instanceof SubExp.Var v) names.add(v.name());
    return names;
  }

  private List<Stm> copies(List<Stm> stms, Set<Name> results, Facts facts) {
    List<Stm> now = stms;
    for (int i = now.size() - 1; i >= 0; i--) {
      context.checkCancelled();
      Stm s = now.get(i);
      List<Copy> copies = Copy.in(s, table);
      for (int k = copies.size() - 1; k >= 0; k--) {
        List<Stm> next = coalesce(now, i, results, copies.get(k), facts, null, s.aux().loc());
        if (next != null) now = next;
      }
    }
    return now;
  }

  private List<Stm> inner(List<Stm> stms, Facts facts) {
    List<Stm> out = new ArrayList<>();
    for (Stm s : stms) out.add(inner(s, facts));
    return out;
  }

  private Stm inner(Stm s, Facts facts) {
    return switch (s.exp()) {
      case Exp.Match m -> {
        List<Exp.Case> cases = new ArrayList<>();
        for (int k = 0; k < m.cases().size(); k++) {
          Exp.Case c = m.cases().get(k);
          cases.add(new Exp.Case(c.pattern(), body(c.body(), facts.inBranch(m, k))));
        }
        Body otherwise = body(m.otherwise(), facts.inBranch(m, m.cases().size()));
        yield s.withExp(new Exp.Match(m.scrutinees(), cases, otherwise));
      }
      case Exp.Loop l ->
          s.withExp(new Exp.Loop(l.params(), l.form(), body(l.body(), facts.inLoop(l))));
      case Exp.WithAcc w -> {
        Lambda f = w.lambda();
        Body b = body(f.body(), facts.inside());
        yield s.withExp(new Exp.WithAcc(w.inputs(), new Lambda(f.params(), b, f.results())));
      }
      case SegExp.ParOp p -> {
        SegOp op = segOp(s, p.op(), facts);
        Body nested = p.nested() == null ? null : body(p.nested(), facts.inside());
        yield s.withExp(new SegExp.ParOp(op, nested));
      }
      case SegExp.Seg x -> s.withExp(new SegExp.Seg(segOp(s, x.op(), facts)));
      default -> s;
    };
  }

  private SegOp segOp(Stm s, SegOp op, Facts outside) {
    Facts facts = outside.at(op.space());
    for (Stm t : op.body().stms()) facts.passed(t);
    List<Stm> stms = op.body().stms();
    if (op instanceof SegOp.SegMap) stms = rows(s, op, facts);
    stms = copies(stms, mentioned(op.body().values()), facts);
    SegBody body = new SegBody(inner(stms, facts), op.body().results());
    return switch (op) {
      case SegOp.SegMap m -> new SegOp.SegMap(m.level(), m.space(), m.types(), body);
      case SegOp.SegRed r ->
          new SegOp.SegRed(r.level(), r.space(), r.ops(), r.types(), body, r.post());
      case SegOp.SegScan r ->
          new SegOp.SegScan(r.level(), r.space(), r.ops(), r.types(), body, r.post());
      case SegOp.SegHist h -> new SegOp.SegHist(h.level(), h.space(), h.ops(), h.types(), body);
    };
  }

  /** Arrays that a map makes at each index are made in their part of its result. */
  private List<Stm> rows(Stm s, SegOp op, Facts facts) {
    List<SubExp> index = op.space().dims().stream().map(d -> SubExp.of(d.index())).toList();
    List<Stm> now = op.body().stms();
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
      List<Stm> next = coalesce(now, now.size(), others, c, facts, op.space(), s.aux().loc());
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
      Facts facts,
      @Nullable SegSpace space,
      Loc loc) {
    ArrayMem from = table.place(copy.array());
    if (from == null || from.equals(copy.to())) return null;
    if (aliases.maySame(from.block(), copy.to().block())) return missed(copy, loc, "it is there");
    Web web = Web.of(copy.array(), copy.to(), table, facts);
    String refusal = web.refusal();
    if (refusal != null) return missed(copy, loc, refusal);
    for (Name b : web.blocks()) {
      if (aliases.maySame(b, copy.to().block())) return missed(copy, loc, b + " may be there");
    }
    int first = firstMention(stms, at, web);
    if (first < 0) return missed(copy, loc, "it is made outside");
    if (isUsed(stms, at, results, web)) return missed(copy, loc, "it is used later");
    NonOverlap prover = new NonOverlap(facts.bounds());
    Set<Name> needed = new LinkedHashSet<>(copy.certs());
    needed.addAll(names(copy.to()));
    List<Stm> order = null;
    Map<Name, ArrayMem> places = web.moved(copy.to().block());
    if (places == null) return missed(copy, loc, String.valueOf(web.refusal()));
    Interval interval = new Interval(table, aliases, facts.bounds(), web, copy.to(), places);
    for (boolean early : new boolean[] {false, true}) {
      if (early && copy.updated() == null) break;
      if (early && copy.updated() != null) needed.add(copy.updated());
      Advance advance = new Advance(table, aliases, prover);
      List<Stm> moved = advance.before(stms, first, at, needed, web.blocks());
      if (moved == null) {
        refusal = "the destination is not known before";
        continue;
      }
      interval = new Interval(table, aliases, facts.bounds(), web, copy.to(), places);
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

  private static Set<Name> names(ArrayMem m) {
    Set<Name> names = new LinkedHashSet<>();
    names.add(m.block());
    names.addAll(m.lmad().offset().variables());
    for (Lmad.Dim d : m.lmad().dims()) names.addAll(d.stride().variables());
    return names;
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
