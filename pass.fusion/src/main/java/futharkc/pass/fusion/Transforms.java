package futharkc.pass.fusion;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Scope;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.analysis.FreeNamesOfStms;
import futharkc.core.ir.analysis.Overwrites;
import futharkc.pass.fusion.EditedBody.Place;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Moves slices, transpositions and reshapes from a map's result to the map's inputs, or to the
 * results of the next map. This applies between two maps that could be fused otherwise. An array
 * with other uses stays.
 *
 * <pre>{@code
 * let ys = screma(n, [xs]) map f                     let xt = xs[0 :+ k * 2]
 * let yt = ys[0 :+ k * 2]                      =>    let yt = screma(k, [xt]) map f
 * let zs = screma(k, [yt]) map g                     let zs = screma(k, [yt]) map g
 * }</pre>
 */
final class Transforms {
  private final EditedBody body;
  private final Overwrites overwrites;
  private final Scope types;
  private final Nests nests;
  private final NameSource names;
  private final FusionRemarks remarks;

  /**
   * The queue of transforms to visit, in program order. A transform returns to the queue if one of
   * its dependences has moved.
   */
  private final NavigableSet<Place> waiting = new TreeSet<>();

  /** The view origins: for each new name, the array of the original body that it is a view of. */
  private final Map<Name, Name> origins = new HashMap<>();

  private Transforms(
      Body body,
      Aliases aliases,
      FreeNamesOfStms free,
      Scope types,
      NameSource names,
      FusionRemarks remarks) {
    this.body = new EditedBody(body, free);
    this.overwrites = new Overwrites(body.stms(), aliases);
    this.types = types;
    this.names = names;
    this.remarks = remarks;
    this.nests = new Nests(this::type, names);
  }

  /** Returns the body with transforms moved, or the same body if none moved. */
  static Body move(
      Body body,
      Aliases aliases,
      FreeNamesOfStms free,
      Scope types,
      NameSource names,
      FusionRemarks remarks) {
    long maps = body.stms().stream().filter(s -> isMap(s) != null).count();
    if (maps < 2 || body.stms().stream().noneMatch(s -> operand(s) != null)) {
      return body;
    }
    var transforms = new Transforms(body, aliases, free, types, names, remarks);
    if (!transforms.moveAll()) {
      return body;
    }
    Body moved = transforms.body.body();
    types.addAll(moved);
    return moved;
  }

  private @Nullable Type type(Name n) {
    Place definer = body.definer(n);
    if (definer == null) {
      return types.lookup(n);
    }
    for (PatElem p : definer.stm().pat()) {
      if (p.name().equals(n)) {
        return p.type();
      }
    }
    return null;
  }

  /** Moves all transforms, and returns whether any moved. */
  private boolean moveAll() {
    for (Place p : body.places()) {
      if (operand(p.stm()) != null) {
        waiting.add(p);
      }
    }
    boolean moved = false;
    while (!waiting.isEmpty()) {
      moved |= move(waiting.removeFirst());
    }
    return moved;
  }

  private boolean move(Place transform) {
    Name operand = operand(transform.stm());
    Place producer = operand == null ? null : body.definer(operand);
    if (producer == null || isMap(producer.stm()) == null) {
      return false;
    }
    Stm map = producer.stm();
    Place user = consumer(transform, transform);
    if (user == null) {
      return false;
    }
    List<Place> group = group(map);
    Place consumer = group == null ? null : consumer(group);
    if (group == null || consumer == null) {
      missed(map, transform, user, "its results do not all have the same transformation");
      return false;
    }
    Place last = Collections.max(group);
    List<Stm> transforms = group.stream().map(Place::stm).toList();
    boolean mayMove = mayMove(producer, last);
    List<Stm> replaced = mayMove ? toInputs(map, transforms) : null;
    if (replaced != null) {
      Set<Place> gone = new HashSet<>(group);
      gone.add(producer);
      replace(gone, last, replaced);
      return true;
    }
    replaced =
        transform.stm().exp() instanceof BasicOp.Reshape r && group.size() == 1
            ? toResults(transform.stm(), r, map, consumer)
            : null;
    if (replaced != null) {
      replace(List.of(transform, consumer), consumer, replaced);
      return true;
    }
    String reason =
        mayMove
            ? "the transformation cannot move to the inputs"
            : "an array that the first reads is overwritten before";
    missed(map, transform, user, reason);
    return false;
  }

  /**
   * Replaces statements, and adds the affected transforms to the queue: new transforms, transforms
   * of moved maps' results, and transforms whose consumer is a moved map.
   */
  private void replace(Collection<Place> gone, Place place, List<Stm> replacement) {
    Set<Name> bound = new HashSet<>();
    for (Place p : gone) {
      waiting.remove(p);
      bound.addAll(p.stm().names());
    }
    List<Place> added = body.replace(gone, place, replacement);
    for (Place p : added) {
      Name operand = operand(p.stm());
      if (operand == null) {
        for (Name result : p.stm().names()) {
          await(body.onlyUser(result));
        }
      } else {
        Name result = p.stm().names().get(0);
        if (!bound.contains(result)) {
          origins.put(result, origin(operand));
        }
        await(p);
        await(firstAbove(operand));
      }
    }
    for (Name n : bound) {
      if (body.definer(n) == null) {
        origins.remove(n);
      }
    }
  }

  private void await(@Nullable Place p) {
    if (p != null && operand(p.stm()) != null) {
      waiting.add(p);
    }
  }

  /**
   * Returns the first of the transforms in the chain that defines an array; null if there is none.
   */
  private @Nullable Place firstAbove(Name array) {
    Place first = null;
    Place definer = body.definer(array);
    while (definer != null && operand(definer.stm()) instanceof Name of) {
      first = definer;
      definer = body.definer(of);
    }
    return first;
  }

  private void missed(Stm map, Place transform, Place consumer, String reason) {
    Name between = transform.stm().names().get(0);
    remarks.missed(map, consumer.stm(), between + " is between them, and " + reason);
  }

  /** Returns the operand of a transform; null for other statements. */
  private static @Nullable Name operand(Stm s) {
    return switch (s.exp()) {
      case BasicOp.Index x when !x.slice().isElement() -> x.array();
      case BasicOp.Rearrange x -> x.array();
      case BasicOp.Reshape x -> x.array();
      default -> null;
    };
  }

  /**
   * Returns the transforms of the results of a map; null if they differ or if a result has other
   * uses.
   */
  private @Nullable List<Place> group(Stm map) {
    List<Place> group = new ArrayList<>();
    for (Name result : map.names()) {
      Place user = body.onlyUser(result);
      if (user == null) {
        return null;
      }
      if (!group.isEmpty() && !alike(group.get(0).stm(), user.stm())) {
        return null;
      }
      group.add(user);
    }
    return group;
  }

  private static boolean alike(Stm s, Stm t) {
    return switch (s.exp()) {
      case BasicOp.Index x ->
          t.exp() instanceof BasicOp.Index y
              && x.slice().dims().get(0).equals(y.slice().dims().get(0));
      case BasicOp.Rearrange x ->
          t.exp() instanceof BasicOp.Rearrange y && x.perm().equals(y.perm());
      case BasicOp.Reshape x -> {
        int outer = x.coerce() ? 1 : 2;
        yield t.exp() instanceof BasicOp.Reshape y
            && x.shape().size() >= outer
            && y.shape().size() >= outer
            && x.shape().subList(0, outer).equals(y.shape().subList(0, outer));
      }
      default -> false;
    };
  }

  /**
   * Returns the first operation after all of the transforms that reads a transformed array element
   * by element; null if there is none.
   */
  private @Nullable Place consumer(List<Place> transforms) {
    Place last = Collections.max(transforms);
    Place first = null;
    for (Place t : transforms) {
      Place user = consumer(t, last);
      if (user == null) {
        return null;
      }
      if (first == null || user.compareTo(first) < 0) {
        first = user;
      }
    }
    return first;
  }

  /**
   * Returns the operation that reads an array element by element, directly or through further
   * transforms; null if there is none.
   */
  private @Nullable Place consumer(Place transform, Place behind) {
    Name result = transform.stm().pat().get(0).name();
    Place user = body.onlyUser(result);
    if (user == null || user.compareTo(behind) <= 0) {
      return null;
    }
    Stm s = user.stm();
    if (result.equals(operand(s))) {
      return consumer(user, user);
    }
    List<Name> inputs =
        switch (s.exp()) {
          case Soac.Screma x -> x.inputs();
          case Soac.Hist h -> h.inputs();
          default -> List.of();
        };
    return inputs.contains(result) ? user : null;
  }

  private static Soac.@Nullable Screma isMap(Stm s) {
    return s.exp() instanceof Soac.Screma x && x.isMap() ? x : null;
  }

  /**
   * Tests whether a map may move to a later position: no array that it reads is overwritten in
   * between, and it consumes nothing.
   */
  private boolean mayMove(Place map, Place to) {
    return !overwritten(map, to.origin());
  }

  private boolean overwritten(Place map, int to) {
    List<Name> read = map.free().stream().map(this::origin).toList();
    return overwrites.any(read, map.origin(), to);
  }

  private Name origin(Name n) {
    return origins.getOrDefault(n, n);
  }

  // From the result of a map to its inputs

  private @Nullable List<Stm> toInputs(Stm producer, List<Stm> transforms) {
    Soac.Screma map = (Soac.Screma) producer.exp();
    return switch (transforms.get(0).exp()) {
      case BasicOp.Index x -> slice(producer, map, transforms);
      case BasicOp.Rearrange x -> nests.transposed(producer, map, transforms, x.perm());
      case BasicOp.Reshape x when x.coerce() -> coerced(producer, map, transforms);
      case BasicOp.Reshape x -> nests.unflattened(producer, map, transforms);
      default -> null;
    };
  }

  private @Nullable List<Stm> slice(Stm producer, Soac.Screma map, List<Stm> transforms) {
    Slice.Range outer = null;
    for (int k = 0; k < transforms.size(); k++) {
      Slice slice = ((BasicOp.Index) transforms.get(k).exp()).slice();
      if (!(slice.dims().get(0) instanceof Slice.Range r)) {
        return null;
      }
      if (!isWhole(slice, producer.pat().get(k).type())) {
        return null;
      }
      outer = r;
    }
    if (outer == null) {
      return null;
    }
    Slice.Range range = outer;
    return perInput(
        producer,
        map,
        transforms,
        range.count(),
        (array, t) -> new BasicOp.Index(array, part(range, t)));
  }

  private static Slice part(Slice.Range outer, Type type) {
    List<Slice.Dim> dims = new ArrayList<>(Slice.fix(List.of(), type.dims()).dims());
    dims.set(0, outer);
    return new Slice(dims);
  }

  /** Tests whether a slice selects everything of all dimensions except the outermost one. */
  private static boolean isWhole(Slice slice, Type type) {
    return IntStream.range(1, type.rank())
        .allMatch(
            i ->
                slice.dims().get(i) instanceof Slice.Range r
                    && r.start().isInt(0)
                    && r.stride().isInt(1)
                    && r.count().equals(type.dims().get(i)));
  }

  private @Nullable List<Stm> coerced(Stm producer, Soac.Screma map, List<Stm> transforms) {
    SubExp width = transforms.get(0).pat().get(0).type().outerSize();
    for (int k = 0; k < transforms.size(); k++) {
      List<SubExp> from = producer.pat().get(k).type().dims();
      List<SubExp> to = transforms.get(k).pat().get(0).type().dims();
      if (!from.subList(1, from.size()).equals(to.subList(1, to.size()))) {
        return null;
      }
    }
    return perInput(
        producer,
        map,
        transforms,
        width,
        (array, t) -> {
          List<SubExp> shape = new ArrayList<>(t.dims());
          shape.set(0, width);
          return new BasicOp.Reshape(true, array, shape);
        });
  }

  private interface OnInput {
    BasicOp apply(Name array, Type type);
  }

  /** Returns the map over transformed inputs. */
  private @Nullable List<Stm> perInput(
      Stm producer, Soac.Screma map, List<Stm> transforms, SubExp width, OnInput onInput) {
    Aux aux = Nests.aux(transforms);
    List<Stm> out = new ArrayList<>();
    List<Name> inputs = new ArrayList<>();
    for (Name input : map.inputs()) {
      Type type = type(input);
      if (type == null) {
        return null;
      }
      Name name = names.fresh(input);
      Type moved = Type.array(type.row(), width);
      out.add(new Stm(List.of(new PatElem(name, moved)), aux, onInput.apply(input, type)));
      inputs.add(name);
    }
    out.add(
        new Stm(
            Nests.pat(transforms),
            producer.aux().plusCerts(aux.certs()),
            new Soac.Screma(width, inputs, map.map(), map.scans(), map.reduces(), map.post())));
    return out;
  }

  // From the input of a map to its results

  /**
   * Returns a map over the flattened result of a nest as a nest over that result, followed by
   * flattening.
   */
  private @Nullable List<Stm> toResults(
      Stm transform, BasicOp.Reshape reshape, Stm producer, Place at) {
    Stm consumer = at.stm();
    Soac.Screma map = isMap(consumer);
    Name flat = transform.names().get(0);
    // The function of the map may use the flattened array as a whole, which prevents the move.
    if (map == null || !map.inputs().contains(flat)) {
      return null;
    }
    if (FreeNames.of(map.map()).contains(flat) || FreeNames.of(map.post()).contains(flat)) {
      return null;
    }
    if (overwritten(at, at.origin() + 1)) {
      return null;
    }
    List<SubExp> from = producer.pat().get(0).type().dims();
    List<SubExp> to = reshape.shape();
    int outer = from.size() - to.size() + 1;
    boolean flattens =
        outer >= 2 && from.subList(outer, from.size()).equals(to.subList(1, to.size()));
    if (!flattens || !Nests.isNest((Soac.Screma) producer.exp())) {
      return null;
    }
    return nests.flattened(consumer, map, transform, reshape.array(), from.subList(0, outer));
  }
}
