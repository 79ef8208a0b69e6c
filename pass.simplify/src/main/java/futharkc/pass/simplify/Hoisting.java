package futharkc.pass.simplify;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.SegBody;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Moves out of a loop or lambda what is the same in every evaluation and safe to evaluate even if
 * there is none: total scalar operations, and other views of arrays.
 */
final class Hoisting {
  private Hoisting() {}

  /** A statement, and what was moved out of it. */
  record Result(List<Stm> before, Stm stm) {}

  static Result outOf(Stm s, Simplifier in) {
    List<Stm> before = new ArrayList<>();
    Exp e =
        switch (s.exp()) {
          case Exp.Loop l -> {
            Set<Name> bound = new HashSet<>();
            for (Exp.LoopParam p : l.params()) bound.add(p.param().name());
            if (l.form() instanceof Exp.Form.For f) bound.add(f.index());
            List<Stm> rest = split(l.body().stms(), bound, before);
            yield before.isEmpty()
                ? l
                : new Exp.Loop(l.params(), l.form(), new Body(rest, l.body().results()));
          }
          case Soac.Screma x -> {
            Lambda map = lambda(x.map(), before);
            Lambda post = lambda(x.post(), before);
            List<Soac.Scan> scans = new ArrayList<>();
            for (Soac.Scan o : x.scans())
              scans.add(new Soac.Scan(lambda(o.op(), before), o.neutral()));
            List<Soac.Reduce> reduces = new ArrayList<>();
            for (Soac.Reduce o : x.reduces()) {
              reduces.add(new Soac.Reduce(o.commutative(), lambda(o.op(), before), o.neutral()));
            }
            yield before.isEmpty()
                ? x
                : new Soac.Screma(x.width(), x.inputs(), map, scans, reduces, post);
          }
          case Soac.Hist x -> {
            Lambda bucket = lambda(x.bucket(), before);
            yield before.isEmpty() ? x : new Soac.Hist(x.width(), x.inputs(), x.ops(), bucket);
          }
          case Soac.Stream x -> {
            Lambda l = lambda(x.lambda(), before);
            yield before.isEmpty() ? x : new Soac.Stream(x.width(), x.inputs(), x.accs(), l);
          }
          case Exp.WithAcc w -> {
            Lambda l = lambda(w.lambda(), before);
            yield before.isEmpty() ? w : new Exp.WithAcc(w.inputs(), l);
          }
          case SegExp.ParOp p -> {
            SegOp op = segOp(p.op(), before);
            yield before.isEmpty() ? p : new SegExp.ParOp(op, p.nested());
          }
          case SegExp.Seg p -> {
            SegOp op = segOp(p.op(), before);
            yield before.isEmpty() ? p : new SegExp.Seg(op);
          }
          default -> s.exp();
        };
    return before.isEmpty() ? new Result(List.of(), s) : new Result(before, s.withExp(e));
  }

  private static Lambda lambda(Lambda l, List<Stm> before) {
    int n = before.size();
    Set<Name> bound = new HashSet<>();
    l.params().forEach(p -> bound.add(p.name()));
    List<Stm> rest = split(l.body().stms(), bound, before);
    return before.size() == n
        ? l
        : new Lambda(l.params(), new Body(rest, l.body().results()), l.results());
  }

  private static SegOp segOp(SegOp op, List<Stm> before) {
    Set<Name> bound = new HashSet<>();
    bound.add(op.space().flat());
    for (SegSpace.Dim d : op.space().dims()) bound.add(d.index());
    List<Stm> rest = split(op.body().stms(), bound, before);
    if (before.isEmpty()) return op;
    SegBody body = new SegBody(rest, op.body().results());
    return switch (op) {
      case SegOp.SegMap m -> new SegOp.SegMap(m.level(), m.space(), m.types(), body);
      case SegOp.SegRed r -> new SegOp.SegRed(r.level(), r.space(), r.ops(), r.types(), body);
      case SegOp.SegScan r ->
          new SegOp.SegScan(r.level(), r.space(), r.ops(), r.types(), body, r.post());
      case SegOp.SegHist h -> new SegOp.SegHist(h.level(), h.space(), h.ops(), h.types(), body);
    };
  }

  /** Adds what can go to {@code before}; returns the rest. The set grows by what stays. */
  private static List<Stm> split(List<Stm> stms, Set<Name> bound, List<Stm> before) {
    List<Stm> rest = new ArrayList<>();
    for (Stm s : stms) {
      if (isSafe(s) && isInvariant(s, bound)) {
        before.add(s);
      } else {
        rest.add(s);
        for (PatElem p : s.pat()) bound.add(p.name());
      }
    }
    return rest;
  }

  private static boolean isInvariant(Stm s, Set<Name> bound) {
    for (Name n : FreeNames.of(s)) if (bound.contains(n)) return false;
    return true;
  }

  /** Whether evaluation cannot fail and costs next to nothing. */
  static boolean isSafe(Stm s) {
    if (!s.aux().certs().isEmpty()) {
      // A view of an array may be taken early only if the check that allows it has been made: it
      // then is outside too.
      return s.exp() instanceof BasicOp.Index && s.pat().get(0).type() instanceof Type.Array;
    }
    return switch (s.exp()) {
      case BasicOp.SubExpOp x -> true;
      case BasicOp.BinOpExp x -> isTotal(x.op(), x.right());
      case BasicOp.UnOpExp x -> true;
      case BasicOp.CmpOpExp x -> true;
      case BasicOp.ConvOpExp x -> true;
      case BasicOp.PrimFunExp x -> true;
      case BasicOp.Index x -> s.pat().get(0).type() instanceof Type.Array;
      case BasicOp.Reshape x -> true;
      case BasicOp.Rearrange x -> true;
      default -> false;
    };
  }

  private static boolean isTotal(BinOp op, SubExp right) {
    if (!op.isPartial()) return true;
    return right instanceof SubExp.Const c
        && (op.kind() == BinOp.Kind.POW ? c.value().asLong() >= 0 : c.value().asLong() != 0);
  }
}
