package futharkc.core.ir.soac;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Renamer;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Weight;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decompositions of a {@code Screma}. */
public final class Scremas {
  private Scremas() {}

  /** Returns a lambda that returns its arguments. */
  public static Lambda identity(List<Type> types, NameSource names) {
    List<Param> params = new ArrayList<>();
    for (Type t : types) {
      params.add(new Param(names.fresh("x"), t));
    }
    return new Lambda(
        params, new Body(List.of(), params.stream().map(p -> SubExp.of(p.name())).toList()), types);
  }

  /**
   * Returns the composition of the map and the post-lambda of a Screma without scans. The results
   * are those for the reductions, then the outputs.
   */
  public static Lambda mapThenPost(Soac.Screma s) {
    if (isIdentity(s.post())) {
      return s.map();
    }
    int nred = s.reduceResults();
    List<Stm> stms = new ArrayList<>(s.map().body().stms());
    List<SubExp> results = new ArrayList<>(s.map().body().results().subList(0, nred));
    List<Type> types = new ArrayList<>(s.map().results().subList(0, nred));
    for (int k = 0; k < s.post().params().size(); k++) {
      Param p = s.post().params().get(k);
      stms.add(
          Stm.of(p.name(), p.type(), new BasicOp.SubExpOp(s.map().body().results().get(nred + k))));
    }
    stms.addAll(s.post().body().stms());
    results.addAll(s.post().body().results());
    types.addAll(s.post().results());
    return new Lambda(s.map().params(), new Body(stms, results), types);
  }

  /** Tests whether a lambda returns its arguments. */
  public static boolean isIdentity(Lambda l) {
    if (!l.body().stms().isEmpty() || l.params().size() != l.body().results().size()) {
      return false;
    }
    for (int k = 0; k < l.params().size(); k++) {
      if (!l.body().results().get(k).equals(SubExp.of(l.params().get(k).name()))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Splits a Screma into a map to arrays, and the scans, reductions and post-lambda over these
   * arrays. If the map returns a scalar element unchanged, the second operation uses the input
   * itself.
   */
  public static List<Stm> mapFirst(Stm stm, Soac.Screma s, NameSource names) {
    List<Name> params = s.map().params().stream().map(Param::name).toList();
    List<PatElem> arrays = arrays(s.map().results(), s.width(), names);
    List<PatElem> made = new ArrayList<>();
    List<SubExp> results = new ArrayList<>();
    List<Type> types = new ArrayList<>();
    List<Name> inputs = new ArrayList<>();
    for (int k = 0; k < arrays.size(); k++) {
      SubExp r = s.map().body().results().get(k);
      int given = r instanceof SubExp.Var v ? params.indexOf(v.name()) : -1;
      if (given >= 0 && s.map().results().get(k) instanceof Type.Prim) {
        inputs.add(s.inputs().get(given));
        continue;
      }
      inputs.add(arrays.get(k).name());
      made.add(arrays.get(k));
      results.add(r);
      types.add(s.map().results().get(k));
    }
    Lambda map = new Lambda(s.map().params(), new Body(s.map().body().stms(), results), types);
    Stm first =
        new Stm(
            made,
            stm.aux(),
            new Soac.Screma(
                s.width(), s.inputs(), map, List.of(), List.of(), identity(types, names)));
    Stm rest =
        new Stm(
            stm.pat(),
            stm.aux(),
            new Soac.Screma(
                s.width(),
                inputs,
                identity(s.map().results(), names),
                s.scans(),
                s.reduces(),
                s.post()));
    return List.of(first, rest);
  }

  /**
   * Splits a Screma without scans into a map, which computes the outputs and the operands of the
   * reductions, and the reductions.
   */
  public static List<Stm> outputsFirst(Stm stm, Soac.Screma s, NameSource names) {
    int nred = s.reduceResults();
    Lambda map = mapThenPost(s);
    List<Type> operands = map.results().subList(0, nred);
    List<PatElem> arrays = arrays(operands, s.width(), names);
    List<PatElem> pat = new ArrayList<>(arrays);
    pat.addAll(stm.pat().subList(nred, stm.pat().size()));
    Stm outputs =
        new Stm(
            pat,
            stm.aux(),
            new Soac.Screma(
                s.width(), s.inputs(), map, List.of(), List.of(), identity(map.results(), names)));
    Stm reduce =
        new Stm(
            stm.pat().subList(0, nred),
            stm.aux(),
            new Soac.Screma(
                s.width(),
                arrays.stream().map(PatElem::name).toList(),
                identity(operands, names),
                List.of(),
                s.reduces(),
                identity(List.of(), names)));
    return List.of(outputs, reduce);
  }

  /**
   * Splits a Screma into the reductions, which also return the operands of the scans and the other
   * values as arrays, and the scans over these arrays.
   */
  public static List<Stm> reduceThenScan(Stm stm, Soac.Screma s, NameSource names) {
    int nscan = s.scanResults();
    int nred = s.reduceResults();
    List<SubExp> values = s.map().body().results();
    List<Type> types = s.map().results();
    List<SubExp> reordered = new ArrayList<>(values.subList(nscan, nscan + nred));
    List<Type> reorderedTypes = new ArrayList<>(types.subList(nscan, nscan + nred));
    List<SubExp> others = new ArrayList<>(values.subList(0, nscan));
    List<Type> otherTypes = new ArrayList<>(types.subList(0, nscan));
    others.addAll(values.subList(nscan + nred, values.size()));
    otherTypes.addAll(types.subList(nscan + nred, types.size()));
    reordered.addAll(others);
    reorderedTypes.addAll(otherTypes);
    List<PatElem> arrays = arrays(otherTypes, s.width(), names);
    List<PatElem> pat = new ArrayList<>(stm.pat().subList(0, nred));
    pat.addAll(arrays);
    Stm reduce =
        new Stm(
            pat,
            stm.aux(),
            new Soac.Screma(
                s.width(),
                s.inputs(),
                new Lambda(
                    s.map().params(), new Body(s.map().body().stms(), reordered), reorderedTypes),
                List.of(),
                s.reduces(),
                identity(otherTypes, names)));
    Stm scan =
        new Stm(
            stm.pat().subList(nred, stm.pat().size()),
            Aux.at(stm.aux().loc()),
            new Soac.Screma(
                s.width(),
                arrays.stream().map(PatElem::name).toList(),
                identity(otherTypes, names),
                s.scans(),
                List.of(),
                s.post()));
    return List.of(reduce, scan);
  }

  /** Tests whether the map updates accumulators. A map before a scan is evaluated twice. */
  public static boolean mapUpdates(Soac.Screma s) {
    return s.map().body().stms().stream()
        .anyMatch(t -> t.pat().stream().anyMatch(p -> p.type() instanceof Type.Acc));
  }

  /**
   * Tests whether evaluating a map twice costs more than storing and reading its results: the map
   * reads elements by index, contains loops or evaluates transcendental functions.
   */
  public static boolean isCostly(Lambda map) {
    boolean[] costly = {false};
    new Mapper() {
      @Override
      public Exp exp(Exp e) {
        costly[0] |=
            switch (Weight.of(e)) {
              case ELEMENT, FUNCTION -> true;
              case CODE -> !(e instanceof Exp.Match);
              case VIEW, OPERATION, ARRAY, COPY, CHECK, EFFECT -> false;
            };
        return super.exp(e);
      }
    }.lambda(map);
    return costly[0];
  }

  /** Tests whether arrays are among the scanned values or the values passed to the post-lambda. */
  public static boolean scansArrays(Soac.Screma s) {
    return s.post().params().stream().anyMatch(p -> p.type() instanceof Type.Array);
  }

  /**
   * Splits a Screma without reductions into a map, which computes the operands of the scans and
   * other values, the scans, and a map of the post-lambda.
   */
  public static List<Stm> scanThenPost(Stm stm, Soac.Screma s, NameSource names) {
    int nscan = s.scanResults();
    List<Type> scanTypes = s.map().results().subList(0, nscan);
    List<PatElem> mapped = arrays(s.map().results(), s.width(), names);
    List<PatElem> scanned = arrays(scanTypes, s.width(), names);
    List<Name> mappedNames = mapped.stream().map(PatElem::name).toList();
    Stm map =
        new Stm(
            mapped,
            stm.aux(),
            new Soac.Screma(
                s.width(),
                s.inputs(),
                s.map(),
                List.of(),
                List.of(),
                identity(s.map().results(), names)));
    List<Stm> out = new ArrayList<>(List.of(map));
    int at = 0;
    for (Soac.Scan scan : s.scans()) {
      int n = scan.neutral().size();
      out.addAll(
          scan(
              scanned.subList(at, at + n),
              stm.aux(),
              s.width(),
              mapped.subList(at, at + n),
              scan,
              names));
      at += n;
    }
    List<Name> inputs = new ArrayList<>(scanned.stream().map(PatElem::name).toList());
    inputs.addAll(mappedNames.subList(nscan, mappedNames.size()));
    Stm post =
        new Stm(
            stm.pat(),
            stm.aux(),
            new Soac.Screma(
                s.width(),
                inputs,
                s.post(),
                List.of(),
                List.of(),
                identity(s.post().results(), names)));
    out.add(post);
    return out;
  }

  /**
   * Returns statements for a scan of arrays. If the operator is elementwise, the scan becomes a map
   * over scans of elements.
   */
  private static List<Stm> scan(
      List<PatElem> pat,
      Aux aux,
      SubExp width,
      List<PatElem> inputs,
      Soac.Scan scan,
      NameSource names) {
    List<Name> arrays = inputs.stream().map(PatElem::name).toList();
    List<Type> types = scan.op().results();
    Elementwise elementwise =
        types.stream().anyMatch(t -> t.rank() > 0) ? elementwise(scan.op()) : null;
    if (elementwise == null) {
      return List.of(
          new Stm(
              pat,
              aux,
              new Soac.Screma(
                  width,
                  arrays,
                  identity(types, names),
                  List.of(scan),
                  List.of(),
                  identity(types, names))));
    }
    List<Stm> out = new ArrayList<>();
    List<Name> columns = new ArrayList<>();
    List<Param> params = new ArrayList<>();
    List<SubExp> neutral = new ArrayList<>();
    List<Type> elems = types.stream().map(Type::row).toList();
    List<Type> columnTypes = elems.stream().map(t -> Type.array(t, width)).toList();
    for (int k = 0; k < inputs.size(); k++) {
      Type t = Type.array(columnTypes.get(k), elementwise.width());
      columns.add(transposed(arrays.get(k), t, out, names));
      params.add(new Param(names.fresh("column"), columnTypes.get(k)));
    }
    List<Name> mapInputs = new ArrayList<>(columns);
    for (int k = 0; k < inputs.size(); k++) {
      mapInputs.add(((SubExp.Var) scan.neutral().get(k)).name());
      Param ne = new Param(names.fresh("ne"), elems.get(k));
      params.add(ne);
      neutral.add(SubExp.of(ne.name()));
    }
    List<PatElem> inner = arrays(elems, width, names);
    Stm along =
        new Stm(
            inner,
            Aux.at(aux.loc()),
            new Soac.Screma(
                width,
                params.subList(0, inputs.size()).stream().map(Param::name).toList(),
                identity(elems, names),
                List.of(new Soac.Scan(new Renamer(names).lambda(elementwise.op()), neutral)),
                List.of(),
                identity(elems, names)));
    Body body = new Body(List.of(along), inner.stream().map(p -> SubExp.of(p.name())).toList());
    List<PatElem> scanned = arrays(columnTypes, elementwise.width(), names);
    out.add(
        new Stm(
            scanned,
            aux,
            new Soac.Screma(
                elementwise.width(),
                mapInputs,
                new Lambda(params, body, columnTypes),
                List.of(),
                List.of(),
                identity(columnTypes, names))));
    for (int k = 0; k < pat.size(); k++) {
      out.add(
          new Stm(
              List.of(pat.get(k)),
              Aux.at(aux.loc()),
              swapped(scanned.get(k).name(), pat.get(k).type())));
    }
    return out;
  }

  private static Name transposed(Name array, Type t, List<Stm> out, NameSource names) {
    Name n = names.fresh(array);
    out.add(Stm.of(n, t, swapped(array, t)));
    return n;
  }

  /** Returns the array with its two outer dimensions exchanged. */
  private static BasicOp swapped(Name array, Type t) {
    List<Integer> perm = new ArrayList<>(List.of(1, 0));
    for (int i = 2; i < t.rank(); i++) {
      perm.add(i);
    }
    return new BasicOp.Rearrange(array, perm);
  }

  private static List<PatElem> arrays(List<Type> rows, SubExp width, NameSource names) {
    List<PatElem> pat = new ArrayList<>();
    for (Type t : rows) {
      pat.add(new PatElem(names.fresh("mapped"), Type.array(t, width)));
    }
    return pat;
  }

  /** A lambda that only maps an operator over all its parameters, in order. */
  public record Elementwise(SubExp width, Lambda op) {}

  /** Returns the lambda as an elementwise map, or null if it is not one. */
  public static @Nullable Elementwise elementwise(Lambda l) {
    if (l.body().stms().size() != 1) {
      return null;
    }
    Stm s = l.body().stms().get(0);
    if (!(s.exp() instanceof Soac.Screma map) || !map.isMap() || !s.aux().certs().isEmpty()) {
      return null;
    }
    if (!map.inputs().equals(l.params().stream().map(Param::name).toList())) {
      return null;
    }
    if (!l.body().results().equals(s.names().stream().map(SubExp::of).toList())) {
      return null;
    }
    return new Elementwise(map.width(), mapThenPost(map));
  }

  /**
   * Tests whether a statement may be evaluated at each element instead of at each row: it is cheap
   * and contains no check. There may be any number of elements per row, including none.
   */
  public static boolean isCheap(Stm s) {
    return switch (Weight.of(s.exp())) {
      case VIEW, ELEMENT, OPERATION -> true;
      case FUNCTION, ARRAY, COPY, CHECK, EFFECT, CODE -> false;
    };
  }
}
