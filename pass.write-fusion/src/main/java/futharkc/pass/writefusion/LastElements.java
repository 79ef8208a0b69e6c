package futharkc.pass.writefusion;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.UseCounts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the array of a scan within a write by its last element, if the program reads only that
 * element. An example is the size of a filter's result.
 *
 * <pre>{@code
 * let ys, s = with_acc acc([k], {a}) ...        let ys, l = with_acc acc([k], {a}) acc([1], {b}) ...
 *   ... post \x acc -> (x, ...)           =>      ... post \x acc last i -> (...,
 * let n = s[w - 1]                                      update_acc(last, [i - (w - 1)], {x}))
 *                                               let n = l[0]
 * }</pre>
 *
 * <p>An update at a negative index has no effect, so only the last update has one.
 */
final class LastElements {
  private final Map<Name, BasicOp.BinOpExp> sums;
  private final NameSource names;
  private final WriteFusionRemarks remarks;

  /**
   * Creates the transformation for the bodies of a function.
   *
   * @param sums the additions and subtractions of the function, keyed by result
   */
  LastElements(Map<Name, BasicOp.BinOpExp> sums, NameSource names, WriteFusionRemarks remarks) {
    this.sums = sums;
    this.names = names;
    this.remarks = remarks;
  }

  /** Returns the additions and subtractions of a function at any depth, keyed by result. */
  static Map<Name, BasicOp.BinOpExp> sums(FunDef f) {
    Map<Name, BasicOp.BinOpExp> sums = new HashMap<>();
    new Mapper() {
      @Override
      public Stm stm(Stm s) {
        if (s.exp() instanceof BasicOp.BinOpExp b
            && (b.op().kind() == BinOp.Kind.ADD || b.op().kind() == BinOp.Kind.SUB)) {
          sums.put(s.names().get(0), b);
        }
        return super.stm(s);
      }
    }.fun(f);
    return sums;
  }

  /** Returns the body with such writes extended, or the same body if there are none. */
  Body body(Body body) {
    Set<Name> onlyLast = onlyLast(body);
    if (onlyLast.isEmpty()) {
      return body;
    }
    Map<Name, PatElem> places = new HashMap<>();
    List<Stm> out = new ArrayList<>();
    for (Stm s : body.stms()) {
      Stm write = s;
      Map<Name, Integer> uses = new HashMap<>();
      for (PatElem p : s.pat()) {
        // An accumulator for one result does not change the uses of the others.
        if (onlyLast.contains(p.name()) && uses.isEmpty()) {
          uses = uses(s);
        }
        Place place = onlyLast.contains(p.name()) ? place(write, p, uses) : null;
        if (place == null || !remarks.mayGoOn()) {
          continue;
        }
        remarks.applied(s, "only the last element of " + p.name() + " is written");
        List<Stm> written = written(write, p, place);
        out.addAll(written.subList(0, written.size() - 1));
        write = written.getLast();
        places.put(p.name(), lastPlace(write));
      }
      out.add(write);
    }
    return places.isEmpty() ? body : lookedUp(new Body(out, body.results()), places);
  }

  /**
   * Returns the results of accumulations, other than the arrays written, whose last element alone
   * is used.
   */
  private Set<Name> onlyLast(Body body) {
    Map<Name, SubExp> sizes = new HashMap<>();
    for (Stm s : body.stms()) {
      if (!(s.exp() instanceof Exp.WithAcc w)) {
        continue;
      }
      for (PatElem p : s.pat().subList(Write.arrays(w), s.pat().size())) {
        if (p.type().rank() == 1) {
          sizes.put(p.name(), p.type().outerSize());
        }
      }
    }
    if (sizes.isEmpty()) {
      return Set.of();
    }
    Map<Name, Integer> last = new HashMap<>();
    new Mapper() {
      @Override
      public Exp exp(Exp e) {
        if (e instanceof BasicOp.Index x) {
          SubExp size = sizes.get(x.array());
          if (size != null && isLast(x, size)) {
            last.merge(x.array(), 1, Integer::sum);
          }
        }
        return super.exp(e);
      }
    }.body(body);
    if (last.isEmpty()) {
      return Set.of();
    }
    Map<Name, Integer> uses = UseCounts.of(body);
    last.entrySet().removeIf(e -> !e.getValue().equals(uses.get(e.getKey())));
    return last.keySet();
  }

  /**
   * The scan that computes an additional result of an accumulation.
   *
   * @param operation the statement of the scan
   * @param scan the scan
   * @param output the position among the results of the scan's post function
   */
  private record Place(Stm operation, Soac.Screma scan, int output) {}

  private static Map<Name, Integer> uses(Stm write) {
    return UseCounts.of(((Exp.WithAcc) write.exp()).lambda().body());
  }

  private static @Nullable Place place(Stm write, PatElem p, Map<Name, Integer> uses) {
    Exp.WithAcc w = (Exp.WithAcc) write.exp();
    int k = write.pat().indexOf(p) - Write.arrays(w) + w.inputs().size();
    SubExp inside = w.lambda().body().results().get(k);
    for (Stm s : w.lambda().body().stms()) {
      if (!(s.exp() instanceof Soac.Screma x) || x.scans().isEmpty()) {
        continue;
      }
      for (int i = x.reduceResults(); i < s.pat().size(); i++) {
        Name n = s.pat().get(i).name();
        if (!inside.equals(SubExp.of(n))) {
          continue;
        }
        if (uses.getOrDefault(n, 0) == 1) {
          return new Place(s, x, i - x.reduceResults());
        }
      }
    }
    return null;
  }

  private boolean isLast(BasicOp.Index x, SubExp width) {
    if (!(x.slice().dims().get(0) instanceof Slice.Fix at)) {
      return false;
    }
    if (width instanceof SubExp.Const c) {
      return at.index().isInt(c.value().bits() - 1);
    }
    if (!(at.index() instanceof SubExp.Var v)) {
      return false;
    }
    BasicOp.BinOpExp sum = sums.get(v.name());
    if (sum == null || sum.op().type() != PrimType.I64) {
      return false;
    }
    return sum.op().kind() == BinOp.Kind.ADD
        ? sum.left().equals(width) && sum.right().isInt(-1)
            || sum.right().equals(width) && sum.left().isInt(-1)
        : sum.left().equals(width) && sum.right().isInt(1);
  }

  /** Returns the body with reads of last elements redirected to the arrays of size 1. */
  private static Body lookedUp(Body body, Map<Name, PatElem> places) {
    return new Mapper() {
      @Override
      public Exp exp(Exp e) {
        PatElem place = e instanceof BasicOp.Index x ? places.get(x.array()) : null;
        if (place == null) {
          return super.exp(e);
        }
        return new BasicOp.Index(
            place.name(), Slice.fix(List.of(SubExp.i64(0)), place.type().dims()));
      }
    }.body(body);
  }

  private static PatElem lastPlace(Stm write) {
    return write.pat().get(Write.arrays((Exp.WithAcc) write.exp()) - 1);
  }

  /**
   * Returns the statements before a write, and the write with an accumulator for a last element.
   */
  private List<Stm> written(Stm write, PatElem p, Place place) {
    Exp.WithAcc w = (Exp.WithAcc) write.exp();
    Soac.Screma x = place.scan;
    Type elem = p.type().row();
    List<SubExp> one = List.of(SubExp.i64(1));
    Name blank = names.fresh("blank");
    Name iota = names.fresh("iota");
    Stm scratch = Stm.of(blank, Type.array(elem, one), new BasicOp.Scratch(elem.elemPrim(), one));
    Stm positions =
        Stm.of(
            iota,
            Type.array(Type.I64, x.width()),
            new BasicOp.Iota(x.width(), SubExp.i64(0), SubExp.i64(1), PrimType.I64));
    Param token = new Param(names.fresh("token"), Type.UNIT);
    Type.Acc type = new Type.Acc(token.name(), one, List.of(elem));
    Param acc = new Param(names.fresh("last"), type);

    Stm updating = updating(place, acc, iota, type, write);
    Name updated = updating.pat().getLast().name();
    int n = w.inputs().size();
    int arrays = Write.arrays(w);
    int k = write.pat().indexOf(p);
    List<Stm> stms = new ArrayList<>();
    for (Stm s : w.lambda().body().stms()) {
      stms.add(s == place.operation ? updating : s);
    }
    List<SubExp> results = new ArrayList<>(w.lambda().body().results());
    results.remove(k - arrays + n);
    results.add(n, SubExp.of(updated));
    List<Type> types = new ArrayList<>(w.lambda().results());
    types.remove(k - arrays + n);
    types.add(n, type);
    List<Param> params = new ArrayList<>(w.lambda().params());
    params.add(acc);
    params.add(n, token);
    List<PatElem> pat = new ArrayList<>(write.pat());
    pat.remove(k);
    pat.add(arrays, new PatElem(names.fresh(p.name()), Type.array(elem, one)));
    List<Exp.AccInput> inputs = new ArrayList<>(w.inputs());
    inputs.add(new Exp.AccInput(one, List.of(blank), null));
    Lambda lambda = new Lambda(params, new Body(stms, results), types);
    return List.of(scratch, positions, new Stm(pat, write.aux(), new Exp.WithAcc(inputs, lambda)));
  }

  /** Returns the scan with an update in place of a result. */
  private Stm updating(Place place, Param acc, Name iota, Type.Acc type, Stm write) {
    Soac.Screma x = place.scan;
    List<Name> inputs = new ArrayList<>(x.inputs());
    inputs.add(acc.name());
    inputs.add(iota);
    Param inMap = new Param(names.fresh(acc.name()), type);
    Param position = new Param(names.fresh("i"), Type.I64);
    List<Param> params = new ArrayList<>(x.map().params());
    params.add(inMap);
    params.add(position);
    List<SubExp> mapped = new ArrayList<>(x.map().body().results());
    mapped.add(SubExp.of(inMap.name()));
    mapped.add(SubExp.of(position.name()));
    List<Type> mappedTypes = new ArrayList<>(x.map().results());
    mappedTypes.add(type);
    mappedTypes.add(Type.I64);
    Lambda map = new Lambda(params, new Body(x.map().body().stms(), mapped), mappedTypes);

    Param inPost = new Param(names.fresh(acc.name()), type);
    Param at = new Param(names.fresh("i"), Type.I64);
    List<Param> postParams = new ArrayList<>(x.post().params());
    postParams.add(inPost);
    postParams.add(at);
    var post = new futharkc.core.ir.Builder(names);
    post.with(futharkc.core.ir.Aux.at(write.aux().loc()));
    post.addAll(x.post().body().stms());
    SubExp end = post.binOp("end", BinOp.Kind.SUB, PrimType.I64, x.width(), SubExp.i64(1));
    SubExp index = post.binOp("at", BinOp.Kind.SUB, PrimType.I64, SubExp.of(at.name()), end);
    SubExp value = x.post().body().results().get(place.output);
    SubExp updated =
        post.letExp(
            "last", type, new BasicOp.UpdateAcc(inPost.name(), List.of(index), List.of(value)));
    List<SubExp> results = new ArrayList<>(x.post().body().results());
    List<Type> types = new ArrayList<>(x.post().results());
    results.remove(place.output);
    types.remove(place.output);
    results.add(updated);
    types.add(type);
    List<PatElem> pat = new ArrayList<>(place.operation.pat());
    pat.remove(x.reduceResults() + place.output);
    pat.add(new PatElem(names.fresh("last"), type));
    Lambda postLambda = new Lambda(postParams, post.body(results), types);
    return new Stm(
        pat,
        place.operation.aux(),
        new Soac.Screma(x.width(), inputs, map, x.scans(), x.reduces(), postLambda));
  }
}
