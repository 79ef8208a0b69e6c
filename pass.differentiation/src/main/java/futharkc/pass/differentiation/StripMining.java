package futharkc.pass.differentiation;

import static futharkc.core.ir.build.Arithmetic.call;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
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
 * Strip mining of a loop with {@code #[stripmine(d)]} into a nest of d loops with a shorter tape:
 *
 * <pre>
 * loop p = x for i &lt; n do f      =>      loop q = x for a &lt; ceil(n / c) do
 *                                          loop p = q for b &lt; min(c, n - a c) do {i = a c + b; f}
 * </pre>
 *
 * <p>The outer loop saves its parameters once for every c iterations. The return sweep runs the
 * inner loop once more with a tape of length c. With c the square root of n, both tapes have that
 * length. With d loops, the length is the d-th root: d n^(1/d) instead of n, for at most d
 * additional runs (Griewank and Walther, Evaluating Derivatives, chapter 12).
 */
final class StripMining {
  private static final String ATTRIBUTE = "stripmine";

  /**
   * The attribute of a loop whose tape holds the parameters of each iteration and no other values.
   */
  private static final String OUTER = "stripmined";

  private StripMining() {}

  /** Returns the number n in an attribute {@code name(n)}, or null if there is none. */
  static @Nullable Integer number(List<String> attrs, String name) {
    for (String a : attrs) {
      if (!a.startsWith(name + "(") || !a.endsWith(")")) {
        continue;
      }
      String n = a.substring(name.length() + 1, a.length() - 1).strip();
      if (n.matches("[0-9]{1,9}")) {
        return Integer.valueOf(n);
      }
    }
    return null;
  }

  static boolean isOuter(Stm s) {
    return s.aux().hasAttr(OUTER);
  }

  /** Returns the attributes of the return loop. */
  static List<String> without(List<String> attrs) {
    return attrs.stream().filter(a -> !a.startsWith(ATTRIBUTE) && !a.startsWith("bound(")).toList();
  }

  /**
   * Replaces the loop by a nest, and returns the nest's statement; null if the loop has no such
   * attribute.
   */
  static @Nullable Stm nest(Stm s, Exp.Loop l, Sweep sweep, Emitter e) {
    Integer depth = number(s.aux().attrs(), ATTRIBUTE);
    if (depth == null || depth < 2 || !(l.form() instanceof Exp.Form.For f)) {
      return null;
    }
    Emitter before = e.inner().at(s.aux());
    ConvOp widen = new ConvOp(ConvOp.Kind.SEXT, f.type(), PrimType.I64);
    SubExp n = f.type() == PrimType.I64 ? f.bound() : Arithmetic.convert(before, widen, f.bound());
    Stm nest = nest(s, l, f, depth, n, SubExp.i64(0), before);
    before.add(nest);
    before.scope().addAll(new Body(List.of(nest), List.of()));
    sweep.replaceAt(sweep.position(), s, before.stms());
    sweep.learn(List.of(nest));
    return nest;
  }

  /**
   * Returns the nest for the iterations from an offset.
   *
   * @param depth the number of loops
   * @param n the number of iterations
   * @param offset the index of the first iteration
   * @param before the emitter of code before the nest
   */
  private static Stm nest(
      Stm s, Exp.Loop l, Exp.Form.For f, int depth, SubExp n, SubExp offset, Emitter before) {
    Name j = before.names().fresh(f.index());
    before.scope().add(j, Type.I64);
    Emitter in = before.inner().at(Aux.at(s.aux().loc()));
    if (depth == 1) {
      SubExp i = Arithmetic.add(in, offset, SubExp.of(j));
      ConvOp narrow = new ConvOp(ConvOp.Kind.SEXT, PrimType.I64, f.type());
      BasicOp index =
          f.type() == PrimType.I64 ? new BasicOp.SubExpOp(i) : new BasicOp.ConvOpExp(narrow, i);
      in.add(List.of(new PatElem(f.index(), Type.prim(f.type()))), index);
      in.addAll(l.body().stms());
      return loop(s, l.params(), j, n, in.body(l.body().results()), without(s.aux().attrs()));
    }
    SubExp chunk = chunk(before, n, depth);
    SubExp chunks = Arithmetic.binary(before, BinOp.Kind.SDIV_UP, PrimType.I64, n, chunk);
    SubExp from = Arithmetic.mul(in, SubExp.of(j), chunk);
    SubExp left = Arithmetic.sub(in, n, from);
    SubExp here = Arithmetic.binary(in, BinOp.Kind.SMIN, PrimType.I64, chunk, left);
    // The inner loops begin with the outer loop's own parameters.
    Map<Name, SubExp> own = new HashMap<>();
    List<Exp.LoopParam> outer = new ArrayList<>();
    List<Exp.LoopParam> inner = new ArrayList<>();
    for (Exp.LoopParam p : l.params()) {
      Name q = before.names().fresh(p.param().name());
      own.put(p.param().name(), SubExp.of(q));
      Type t = new Substitution(own).type(p.param().type());
      before.scope().add(q, t);
      outer.add(new Exp.LoopParam(new Param(q, t, p.param().unique()), p.init(), p.attrs()));
      inner.add(new Exp.LoopParam(p.param(), SubExp.of(q), p.attrs()));
    }
    List<PatElem> pat = new ArrayList<>();
    Map<Name, SubExp> after = new HashMap<>();
    for (Exp.LoopParam p : l.params()) {
      Name r = before.names().fresh(p.param().name());
      after.put(p.param().name(), SubExp.of(r));
      pat.add(new PatElem(r, new Substitution(after).type(p.param().type())));
    }
    Stm within = new Stm(pat, s.aux(), new Exp.Loop(inner, f, l.body()));
    Stm rest =
        nest(
            within,
            (Exp.Loop) within.exp(),
            f,
            depth - 1,
            here,
            Arithmetic.add(in, offset, from),
            in);
    in.add(rest);
    List<SubExp> results = pat.stream().map(p -> SubExp.of(p.name())).toList();
    List<String> attrs = new ArrayList<>(without(s.aux().attrs()));
    attrs.add(OUTER);
    return loop(s, outer, j, chunks, in.body(results), attrs);
  }

  private static Stm loop(
      Stm s, List<Exp.LoopParam> params, Name index, SubExp bound, Body body, List<String> attrs) {
    Aux aux = new Aux(s.aux().certs(), attrs, s.aux().loc());
    return new Stm(
        s.pat(), aux, new Exp.Loop(params, new Exp.Form.For(index, PrimType.I64, bound), body));
  }

  /** Returns the chunk size, about n^((d-1)/d) and at least 1, for about n^(1/d) chunks. */
  private static SubExp chunk(Emitter e, SubExp n, int depth) {
    PrimType t = PrimType.F64;
    ConvOp toFloat = new ConvOp(ConvOp.Kind.SITOFP, PrimType.I64, t);
    ConvOp toInt = new ConvOp(ConvOp.Kind.FPTOSI, t, PrimType.I64);
    SubExp positive = Arithmetic.binary(e, BinOp.Kind.SMAX, PrimType.I64, n, SubExp.i64(1));
    SubExp x = Arithmetic.convert(e, toFloat, positive);
    SubExp exponent = Arithmetic.number(t, (depth - 1) / (double) depth);
    SubExp root =
        call(e, PrimFun.Kind.CEIL, t, Arithmetic.binary(e, BinOp.Kind.FPOW, t, x, exponent));
    SubExp chunk = Arithmetic.convert(e, toInt, root);
    return Arithmetic.binary(e, BinOp.Kind.SMAX, PrimType.I64, chunk, SubExp.i64(1));
  }
}
