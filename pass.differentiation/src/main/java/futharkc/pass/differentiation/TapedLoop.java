package futharkc.pass.differentiation;

import static java.util.Objects.requireNonNull;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Renamer;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.build.Arithmetic;
import futharkc.core.ir.build.Emitter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A loop that writes a tape. The tape of a for-loop has an entry for each iteration. For a
 * while-loop, {@code #[bound(n)]} gives the length of the tape, and more iterations are an error.
 * Without that attribute, a first run of the loop counts the iterations.
 */
final class TapedLoop {
  private final Stm s;
  private final Exp.Loop l;
  private final LoopTape tape;
  private final Emitter before;
  private @Nullable SubExp count;

  /**
   * Creates the loop.
   *
   * @param s the statement of the loop
   * @param l the loop
   * @param tape the tape
   * @param before the emitter of code before the loop
   */
  TapedLoop(Stm s, Exp.Loop l, LoopTape tape, Emitter before) {
    this.s = s;
    this.l = l;
    this.tape = tape;
    this.before = before;
  }

  /** Returns the trip count after the loop, as a non-negative i64. */
  SubExp count(Emitter e) {
    SubExp known = count;
    if (known != null) {
      return known;
    }
    if (!(l.form() instanceof Exp.Form.For f)) {
      throw new IllegalStateException("the loop has no trip count");
    }
    return iterations(e.at(Aux.at(s.aux().loc())), f);
  }

  private static SubExp iterations(Emitter e, Exp.Form.For f) {
    ConvOp widen = new ConvOp(ConvOp.Kind.SEXT, f.type(), PrimType.I64);
    SubExp n = f.type() == PrimType.I64 ? f.bound() : Arithmetic.convert(e, widen, f.bound());
    return Arithmetic.binary(e, BinOp.Kind.SMAX, PrimType.I64, n, SubExp.i64(0));
  }

  /**
   * Returns the loop with the tape.
   *
   * @param body the statements of an iteration
   */
  Stm write(List<Stm> body) {
    boolean isWhile = l.form() instanceof Exp.Form.While;
    Integer bound = isWhile ? bound() : null;
    if (tape.names().isEmpty() && !isWhile) {
      return replaced(body, List.of(), List.of(), List.of());
    }
    before.at(s.aux());
    SubExp room =
        switch (l.form()) {
          case Exp.Form.For f -> iterations(before, f);
          case Exp.Form.While w when bound != null -> SubExp.i64(bound);
          case Exp.Form.While w when tape.names().isEmpty() -> SubExp.i64(0);
          case Exp.Form.While w -> counted();
        };
    Emitter in = before.inner().at(Aux.at(s.aux().loc()));
    List<Exp.LoopParam> params = new ArrayList<>();
    Param counter = null;
    SubExp i;
    if (l.form() instanceof Exp.Form.For f) {
      before.scope().add(f.index(), Type.prim(f.type()));
      ConvOp widen = new ConvOp(ConvOp.Kind.SEXT, f.type(), PrimType.I64);
      i =
          f.type() == PrimType.I64
              ? SubExp.of(f.index())
              : Arithmetic.convert(in, widen, SubExp.of(f.index()));
    } else {
      counter = before.param("iteration", Type.I64);
      params.add(new Exp.LoopParam(counter, SubExp.i64(0)));
      i = SubExp.of(counter.name());
      if (bound != null) {
        in.at(limit(in, i, bound));
      }
    }
    List<SubExp> results = new ArrayList<>();
    List<PatElem> pat = new ArrayList<>();
    if (counter != null) {
      BinOp add = new BinOp(BinOp.Kind.ADD, PrimType.I64);
      results.add(in.let("next", Type.I64, new BasicOp.BinOpExp(add, i, SubExp.i64(1))));
      Name n = before.names().fresh("iterations");
      pat.add(new PatElem(n, Type.I64));
      count = SubExp.of(n);
    }
    Map<Name, Name> arrays = new HashMap<>();
    for (Name n : tape.names()) {
      Type t = Type.array(before.type(n), room);
      SubExp blank = before.let("tape", t, new BasicOp.Scratch(t.elemPrim(), t.dims()));
      Param p = before.param(n.base() + "_tape", t, true);
      params.add(new Exp.LoopParam(p, blank));
      arrays.put(n, p.name());
    }
    for (Name n : tape.entries()) {
      put(in, n, i, arrays);
    }
    Aux aux = in.aux();
    for (Stm t : body) {
      in.at(aux).add(t);
      for (Name n : t.names()) {
        if (tape.saved().contains(n)) {
          put(in, n, i, arrays);
        }
      }
    }
    for (Name n : tape.names()) {
      Name written = requireNonNull(arrays.get(n));
      Name after = before.names().fresh(n.base() + "_tape");
      results.add(SubExp.of(written));
      pat.add(new PatElem(after, before.type(written)));
      tape.arrays().put(n, after);
    }
    return replaced(in.stms(), params, results, pat);
  }

  private static void put(Emitter in, Name n, SubExp i, Map<Name, Name> arrays) {
    Name array = requireNonNull(arrays.get(n));
    Type t = in.type(array);
    arrays.put(
        n,
        in.name("tape", t, new BasicOp.Update(false, array, LoopTape.place(i, t), SubExp.of(n))));
  }

  /** Returns the loop with another body and additional parameters. */
  private Stm replaced(
      List<Stm> body, List<Exp.LoopParam> params, List<SubExp> results, List<PatElem> pat) {
    List<Exp.LoopParam> allParams = new ArrayList<>(l.params());
    allParams.addAll(params);
    List<SubExp> allResults = new ArrayList<>(l.body().results());
    allResults.addAll(results);
    List<PatElem> allPat = new ArrayList<>(s.pat());
    allPat.addAll(pat);
    return new Stm(allPat, s.aux(), new Exp.Loop(allParams, l.form(), new Body(body, allResults)));
  }

  // While-loops

  /** Returns the number in {@code #[bound(n)]}, or null. */
  private @Nullable Integer bound() {
    return StripMining.number(s.aux().attrs(), "bound");
  }

  /** Emits an assertion of the bound, and returns the annotations with its certificate. */
  private Aux limit(Emitter in, SubExp i, int bound) {
    SubExp ok = Arithmetic.compare(in, CmpOp.Kind.SLT, PrimType.I64, i, SubExp.i64(bound));
    Loc loc = s.aux().loc();
    Name cert =
        in.name(
            "bounded",
            Type.UNIT,
            new BasicOp.Assert(
                ok,
                List.of(
                    new BasicOp.MsgPart.Text(
                        "The loop has more iterations than the "
                            + bound
                            + " that its attribute #[bound("
                            + bound
                            + ")] promises.")),
                List.of(loc)));
    return new Aux(List.of(cert), List.of(), loc);
  }

  /** Emits a run of the loop that counts its iterations, and returns the count. */
  private SubExp counted() {
    List<Exp.LoopParam> params = new ArrayList<>();
    for (Exp.LoopParam p : l.params()) {
      SubExp init = p.param().unique() ? before.copy(p.init()) : p.init();
      params.add(new Exp.LoopParam(p.param(), init, p.attrs()));
    }
    Param counter = before.param("iteration", Type.I64);
    params.add(new Exp.LoopParam(counter, SubExp.i64(0)));
    Emitter in = before.inner();
    for (Stm t : l.body().stms()) {
      in.add(t);
    }
    BinOp add = new BinOp(BinOp.Kind.ADD, PrimType.I64);
    SubExp next =
        in.let(
            "next", Type.I64, new BasicOp.BinOpExp(add, SubExp.of(counter.name()), SubExp.i64(1)));
    List<SubExp> results = new ArrayList<>(l.body().results());
    results.add(next);
    Exp loop = new Renamer(before.names()).exp(new Exp.Loop(params, l.form(), in.body(results)));
    List<PatElem> pat = new ArrayList<>();
    Map<Name, SubExp> stands = new HashMap<>();
    for (Exp.LoopParam p : params) {
      Name n = before.names().fresh(p.param().name());
      stands.put(p.param().name(), SubExp.of(n));
      pat.add(new PatElem(n, new Substitution(stands).type(p.param().type())));
    }
    Stm run = new Stm(pat, s.aux(), loop);
    before.add(run);
    before.scope().addAll(new Body(List.of(run), List.of()));
    return SubExp.of(pat.get(pat.size() - 1).name());
  }
}
