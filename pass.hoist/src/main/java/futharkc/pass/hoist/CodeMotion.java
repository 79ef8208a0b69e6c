package futharkc.pass.hoist;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Builder;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.Renamer;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.TripCount;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Copies a part of a body to the code before it, and replaces the part's results by those of the
 * copy.
 */
final class CodeMotion {
  private final NameSource names;
  private final Set<SubExp> sizes;
  private final List<Stm> before = new ArrayList<>();
  private final Map<Name, Name> copies = new HashMap<>();

  /**
   * Creates the movement.
   *
   * @param names the source of fresh names
   * @param sizes the operands known to be non-negative before the body
   */
  CodeMotion(NameSource names, Set<SubExp> sizes) {
    this.names = names;
    this.sizes = sizes;
  }

  /** Returns the statements to evaluate before the body. */
  List<Stm> before() {
    return before;
  }

  /** Returns the copy of each result, keyed by the original name. */
  Map<Name, Name> copies() {
    return copies;
  }

  /**
   * Returns the remaining statements of the body.
   *
   * @param part the part to move
   * @param body the statements of the body
   * @param tripCount the number of evaluations of the body
   */
  List<Stm> out(InvariantPart part, List<Stm> body, TripCount tripCount) {
    if (tripCount.isPositive()) {
      always(part);
    } else {
      ifAny(part, tripCount);
    }
    // The sizes depend on the certificates of the moved part.
    List<Name> certs =
        part.all().stream().flatMap(s -> s.aux().certs().stream()).distinct().toList();
    List<Stm> rest = new ArrayList<>();
    for (Stm s : body) {
      if (!part.costly().contains(s)) {
        rest.add(s);
        continue;
      }
      for (PatElem p : s.pat()) {
        Name copy = copies.get(p.name());
        if (copy == null) {
          continue;
        }
        Exp same =
            p.type() instanceof Type.Prim
                ? new BasicOp.SubExpOp(SubExp.of(copy))
                : new BasicOp.Reshape(true, copy, p.type().dims());
        Aux aux = Aux.at(s.aux().loc());
        if (!p.type().dims().stream().allMatch(this::isKnown)) {
          aux = aux.withCerts(certs);
        }
        rest.add(new Stm(List.of(p), aux, same));
      }
    }
    return rest;
  }

  private void always(InvariantPart part) {
    Renamer renamer = new Renamer(names);
    for (Stm s : part.all()) {
      before.add(renamer.stm(s));
    }
    for (PatElem p : part.results()) {
      copies.put(p.name(), renamer.name(p.name()));
    }
  }

  private void ifAny(InvariantPart part, TripCount tripCount) {
    Aux aux = Aux.at(part.all().get(0).aux().loc());
    Builder outside = new Builder(names).with(aux);
    Builder empty = new Builder(names).with(aux);
    SubExp none = tripCount.isZero(outside);
    List<PatElem> pat = new ArrayList<>();
    List<SubExp> results = new ArrayList<>();
    List<SubExp> nothing = new ArrayList<>();
    Map<SubExp, SubExp> sizesThere = new HashMap<>();
    for (PatElem p : part.results()) {
      for (SubExp d : p.type().dims()) {
        if (isKnown(d) || sizesThere.containsKey(d)) {
          continue;
        }
        Name size = names.fresh("size");
        sizesThere.put(d, SubExp.of(size));
        pat.add(new PatElem(size, Type.I64));
        results.add(d);
        nothing.add(SubExp.i64(0));
      }
    }
    for (PatElem p : part.results()) {
      Name copy = names.fresh(p.name());
      copies.put(p.name(), copy);
      results.add(SubExp.of(p.name()));
      Type type = p.type();
      if (type instanceof Type.Prim t) {
        pat.add(new PatElem(copy, t));
        nothing.add(SubExp.of(PrimValue.zero(t.prim())));
        continue;
      }
      List<SubExp> dims = type.dims();
      pat.add(
          new PatElem(
              copy,
              type.withShape(dims.stream().map(d -> sizesThere.getOrDefault(d, d)).toList())));
      List<SubExp> no = dims.stream().map(d -> isKnown(d) ? d : SubExp.i64(0)).toList();
      Exp scratch = new BasicOp.Scratch(type.elemPrim(), no);
      nothing.add(empty.letExp("nothing", type.withShape(no), scratch));
    }
    Body some = new Renamer(names).body(new Body(part.all(), results));
    before.addAll(outside.stms());
    before.add(new Stm(pat, aux, Exp.Match.conditional(none, empty.body(nothing), some)));
  }

  private boolean isKnown(SubExp size) {
    return size instanceof SubExp.Const || sizes.contains(size);
  }
}
