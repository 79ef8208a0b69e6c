package futharkc.pass.fusion;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.soac.Scremas;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Transformations of maps whose function is a map: interchange, splitting and flattening. */
final class Nests {
  private final Function<Name, @Nullable Type> types;
  private final NameSource names;

  /**
   * Creates the transformations.
   *
   * @param types the types of the arrays that maps read
   * @param names the source of fresh names
   */
  Nests(Function<Name, @Nullable Type> types, NameSource names) {
    this.types = types;
    this.names = names;
  }

  /** Tests whether a map returns exactly the results of an inner map. */
  static boolean isNest(Soac.Screma outer) {
    List<Stm> stms = outer.map().body().stms();
    if (stms.isEmpty()) {
      return false;
    }
    Stm last = stms.getLast();
    return last.exp() instanceof Soac.Screma inner
        && inner.isMap()
        && outer.map().body().results().equals(last.names().stream().map(SubExp::of).toList());
  }

  /**
   * Returns the transpose of a nest, as the nest over the transposed inputs.
   *
   * <pre>{@code
   * rearrange((1,0), map (\row b -> map (\x c -> f x b c) row cs) xss bs)
   *   => map (\col c -> map (\x b -> f x b c) col bs) (rearrange((1,0), xss)) cs
   * }</pre>
   */
  @Nullable List<Stm> transposed(
      Stm producer, Soac.Screma outer, List<Stm> transforms, List<Integer> perm) {
    if (!perm.equals(swap(perm.size()))) {
      return null;
    }
    if (!isNest(outer)
        || outer.map().body().stms().size() != 1
        || !Scremas.isIdentity(outer.post())) {
      return null;
    }
    Stm innerStm = outer.map().body().stms().get(0);
    Soac.Screma inner = (Soac.Screma) innerStm.exp();
    Aux moved = aux(transforms);
    Set<Name> free = new HashSet<>(FreeNames.of(inner.map()));
    free.addAll(FreeNames.of(inner.post()));

    List<Stm> out = new ArrayList<>();
    List<Name> outerInputs = new ArrayList<>();
    List<Param> outerParams = new ArrayList<>();
    List<Name> innerInputs = new ArrayList<>();
    List<Param> innerParams = new ArrayList<>();
    Set<Name> rows = new HashSet<>();
    for (int i = 0; i < outer.inputs().size(); i++) {
      Param p = outer.map().params().get(i);
      Name input = outer.inputs().get(i);
      boolean isRow = inner.inputs().contains(p.name());
      if (isRow && free.contains(p.name())) {
        return null;
      }
      if (!isRow) {
        innerInputs.add(input);
        innerParams.add(p);
        continue;
      }
      rows.add(p.name());
      if (!(types.apply(input) instanceof Type.Array a)) {
        return null;
      }
      List<SubExp> shape = new ArrayList<>(a.shape());
      shape.set(0, a.shape().get(1));
      shape.set(1, a.shape().get(0));
      Name turned = names.fresh(input);
      out.add(
          stm(
              turned,
              new Type.Array(a.elem(), shape),
              moved,
              new BasicOp.Rearrange(input, swap(a.rank()))));
      for (int k = 0; k < inner.inputs().size(); k++) {
        if (!inner.inputs().get(k).equals(p.name())) {
          continue;
        }
        Param column = new Param(names.fresh(p.name()), new Type.Array(a.elem(), shape).row());
        outerInputs.add(turned);
        outerParams.add(column);
        innerInputs.add(column.name());
        innerParams.add(inner.map().params().get(k));
      }
    }
    for (int k = 0; k < inner.inputs().size(); k++) {
      if (rows.contains(inner.inputs().get(k))) {
        continue;
      }
      outerInputs.add(inner.inputs().get(k));
      outerParams.add(inner.map().params().get(k));
    }
    Lambda innerMap = new Lambda(innerParams, inner.map().body(), inner.map().results());
    var newInner =
        new Soac.Screma(outer.width(), innerInputs, innerMap, List.of(), List.of(), inner.post());
    out.add(
        nest(
            pat(transforms),
            producer.aux().plusCerts(moved.certs()),
            inner.width(),
            outerInputs,
            outerParams,
            innerStm.aux(),
            newInner,
            rows(transforms)));
    return out;
  }

  /** Returns the permutation that swaps the two outer dimensions. */
  private static List<Integer> swap(int rank) {
    return IntStream.range(0, rank).mapToObj(d -> d < 2 ? 1 - d : d).toList();
  }

  /**
   * Returns a map whose results are reshaped into rows, as a nest over the inputs reshaped into
   * rows.
   */
  @Nullable List<Stm> unflattened(Stm producer, Soac.Screma map, List<Stm> transforms) {
    for (int k = 0; k < transforms.size(); k++) {
      List<SubExp> from = producer.pat().get(k).type().dims();
      List<SubExp> to = transforms.get(k).pat().get(0).type().dims();
      if (to.size() != from.size() + 1) {
        return null;
      }
      if (!to.subList(2, to.size()).equals(from.subList(1, from.size()))) {
        return null;
      }
    }
    List<SubExp> shape = transforms.get(0).pat().get(0).type().dims();
    Aux moved = aux(transforms);
    List<Stm> out = new ArrayList<>();
    List<Name> inputs = new ArrayList<>();
    for (Name input : map.inputs()) {
      Name split = split(input, shape.subList(0, 2), moved, out);
      if (split == null) {
        return null;
      }
      inputs.add(split);
    }
    Aux aux = producer.aux().plusCerts(moved.certs());
    List<Type> elems = rows(transforms).stream().map(Type::row).toList();
    out.add(rowWise(pat(transforms), aux, shape.subList(0, 2), inputs, map, elems));
    return out;
  }

  /** Returns the pattern elements that the transforms bind. */
  static List<PatElem> pat(List<Stm> transforms) {
    return transforms.stream().map(t -> t.pat().get(0)).toList();
  }

  private static List<Type> rows(List<Stm> transforms) {
    return transforms.stream().map(t -> t.pat().get(0).type().row()).toList();
  }

  /** Returns annotations with the certificates of all transforms. */
  static Aux aux(List<Stm> transforms) {
    Aux aux = transforms.get(0).aux();
    for (Stm t : transforms) {
      aux = aux.plusCerts(t.aux().certs());
    }
    return aux;
  }

  /**
   * Returns a map over a flattened array as a nest over the original array, followed by reshapes of
   * the results.
   *
   * @param whole the array before the flattening
   * @param outer the sizes of the flattened dimensions
   */
  @Nullable List<Stm> flattened(
      Stm consumer, Soac.Screma map, Stm transform, Name whole, List<SubExp> outer) {
    List<Stm> out = new ArrayList<>();
    List<Name> inputs = new ArrayList<>();
    for (Name input : map.inputs()) {
      boolean same = input.equals(transform.pat().get(0).name());
      Name split = same ? whole : split(input, outer, transform.aux(), out);
      if (split == null) {
        return null;
      }
      inputs.add(split);
    }
    List<PatElem> pat = new ArrayList<>();
    List<Type> elems = new ArrayList<>();
    for (PatElem p : consumer.pat()) {
      Type elem = p.type().row();
      pat.add(new PatElem(names.fresh(p.name()), Type.array(elem, outer)));
      elems.add(elem);
    }
    out.add(rowWise(pat, aux(consumer, transform), outer, inputs, map, elems));
    for (int i = 0; i < pat.size(); i++) {
      PatElem p = consumer.pat().get(i);
      out.add(
          new Stm(
              List.of(p),
              transform.aux(),
              new BasicOp.Reshape(false, pat.get(i).name(), p.type().dims())));
    }
    return out;
  }

  private @Nullable Name split(Name input, List<SubExp> outer, Aux aux, List<Stm> out) {
    Type type = types.apply(input);
    if (type == null) {
      return null;
    }
    Type moved = Type.array(type.row(), outer);
    Name name = names.fresh(input);
    out.add(stm(name, moved, aux, new BasicOp.Reshape(false, input, moved.dims())));
    return name;
  }

  /**
   * Returns a nest with one level for each size, and the old map at the innermost level.
   *
   * @param elems the types of the old map's results for one element
   */
  private Stm rowWise(
      List<PatElem> pat,
      Aux aux,
      List<SubExp> outer,
      List<Name> inputs,
      Soac.Screma map,
      List<Type> elems) {
    Aux inside = Aux.at(aux.loc());
    Soac.Screma work = map;
    for (int level = outer.size() - 1; ; level--) {
      List<SubExp> here = outer.subList(level, outer.size());
      List<Param> rows = new ArrayList<>();
      List<Name> rowNames = new ArrayList<>();
      for (Param p : map.map().params()) {
        Param row = new Param(names.fresh(p.name()), Type.array(p.type(), here));
        rows.add(row);
        rowNames.add(row.name());
      }
      List<Type> rowTypes = elems.stream().map(t -> Type.array(t, here)).toList();
      SubExp width = outer.get(level);
      var inner =
          new Soac.Screma(width, rowNames, work.map(), work.scans(), work.reduces(), work.post());
      Stm nest = nest(pat, aux, outer.get(level - 1), inputs, rows, inside, inner, rowTypes);
      if (level == 1) {
        return nest;
      }
      work = (Soac.Screma) nest.exp();
    }
  }

  private Stm nest(
      List<PatElem> pat,
      Aux aux,
      SubExp width,
      List<Name> inputs,
      List<Param> params,
      Aux innerAux,
      Soac.Screma inner,
      List<Type> rowTypes) {
    List<PatElem> rows = new ArrayList<>();
    List<SubExp> results = new ArrayList<>();
    List<Param> through = new ArrayList<>();
    List<SubExp> passed = new ArrayList<>();
    for (Type t : rowTypes) {
      Name row = names.fresh("row");
      rows.add(new PatElem(row, t));
      results.add(SubExp.of(row));
      Name p = names.fresh("x");
      through.add(new Param(p, t));
      passed.add(SubExp.of(p));
    }
    Body body = new Body(List.of(new Stm(rows, innerAux, inner)), results);
    Lambda map = new Lambda(params, body, rowTypes);
    Lambda post = new Lambda(through, new Body(List.of(), passed), rowTypes);
    return new Stm(pat, aux, new Soac.Screma(width, inputs, map, List.of(), List.of(), post));
  }

  private static Aux aux(Stm map, Stm transform) {
    return map.aux().plusCerts(transform.aux().certs());
  }

  private static Stm stm(Name name, Type type, Aux aux, BasicOp op) {
    return new Stm(List.of(new PatElem(name, type)), aux, op);
  }
}
