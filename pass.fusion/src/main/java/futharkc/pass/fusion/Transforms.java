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
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Moves slices, transpositions and reshapes of a map's result to the map's inputs, or to the
 * results of the next map, where they stand between two maps that could be fused otherwise. Moves
 * nothing else: an array that is needed elsewhere stays.
 *
 * <pre>{@code
 * let ys = screma(n, [xs]) map f                     let xt = xs[0 :+ k * 2]
 * let yt = ys[0 :+ k * 2]                      =>    let yt = screma(k, [xt]) map f
 * let zs = screma(k, [yt]) map g                     let zs = screma(k, [yt]) map g
 * }</pre>
 */
final class Transforms {
  private final FreeNamesOfStms free;
  private final Overwrites overwrites;
  private final Scope types;
  private final Nests nests;
  private final NameSource names;
  private final Remarks remarks;
  private final List<Stm> stms;
  private final Body body;
  private final Map<Name, Integer> definers = new HashMap<>();
  private final Map<Name, Integer> uses = new HashMap<>();

  /** The last statement that mentions a name. */
  private final Map<Name, Integer> users = new HashMap<>();

  private Transforms(
      Body body,
      Aliases aliases,
      FreeNamesOfStms free,
      Scope types,
      NameSource names,
      Remarks remarks) {
    this.body = body;
    this.free = free;
    this.overwrites = new Overwrites(body.stms(), aliases);
    this.types = types;
    this.names = names;
    this.remarks = remarks;
    this.nests = new Nests(types, names);
    this.stms = new ArrayList<>(body.stms());
    for (int i = 0; i < stms.size(); i++) {
      for (Name n : stms.get(i).names()) definers.put(n, i);
      for (Name n : free.of(stms.get(i))) {
        uses.merge(n, 1, Integer::sum);
        users.put(n, i);
      }
    }
    for (SubExp r : body.results())
      if (r instanceof SubExp.Var v) uses.merge(v.name(), 1, Integer::sum);
  }

  /** The body with what it could move moved, or the very body. */
  static Body move(
      Body body,
      Aliases aliases,
      FreeNamesOfStms free,
      Scope types,
      NameSource names,
      Remarks remarks) {
    long maps = body.stms().stream().filter(s -> isMap(s) != null).count();
    if (maps < 2 || body.stms().stream().noneMatch(Transforms::isTransform)) return body;
    Body before = body;
    Body after = new Transforms(before, aliases, free, types, names, remarks).moveOne();
    while (after != before) {
      types.addAll(after);
      before = after;
      Aliases known = aliases.with(after.stms());
      after = new Transforms(before, known, free, types, names, remarks).moveOne();
    }
    return after;
  }

  private static boolean isTransform(Stm s) {
    return switch (s.exp()) {
      case BasicOp.Index x -> !x.slice().isElement();
      case BasicOp.Rearrange x -> true;
      case BasicOp.Reshape x -> true;
      default -> false;
    };
  }

  private Body moveOne() {
    for (int i = 0; i < stms.size(); i++) {
      Name operand = operand(stms.get(i));
      if (operand == null) continue;
      Integer producer = definers.get(operand);
      if (producer == null || isMap(stms.get(producer)) == null) continue;
      Stm map = stms.get(producer);
      Integer user = consumer(stms.get(i), i);
      if (user == null) continue;
      List<Integer> group = group(map);
      Integer consumer = group == null ? null : consumer(group);
      if (group == null || consumer == null) {
        missed(map, i, user, "not all results are transformed likewise for it");
        continue;
      }
      int last = Collections.max(group);
      List<Stm> transforms = group.stream().map(stms::get).toList();
      boolean mayMove = mayMove(map, producer, last);
      List<Stm> replaced = mayMove ? toInputs(map, transforms) : null;
      if (replaced != null) {
        Set<Integer> gone = new HashSet<>(group);
        gone.add(producer);
        return with(gone, last, replaced);
      }
      replaced =
          stms.get(i).exp() instanceof BasicOp.Reshape r && group.size() == 1
              ? toResults(stms.get(i), r, map, consumer)
              : null;
      if (replaced != null) return with(Set.of(i, consumer), consumer, replaced);
      String reason =
          mayMove
              ? "it cannot be applied to the inputs instead"
              : "what the first reads is overwritten before";
      missed(map, i, user, reason);
    }
    return body;
  }

  private void missed(Stm map, int transform, int consumer, String reason) {
    Name between = stms.get(transform).names().get(0);
    remarks.missed(map, stms.get(consumer), between + " is between them, and " + reason);
  }

  /** What a transform is of, if it is one. */
  private static @Nullable Name operand(Stm s) {
    return switch (s.exp()) {
      case BasicOp.Index x when !x.slice().isElement() -> x.array();
      case BasicOp.Rearrange x -> x.array();
      case BasicOp.Reshape x -> x.array();
      default -> null;
    };
  }

  /** The transforms of each result of a map, if they do the same and nothing else uses a result. */
  private @Nullable List<Integer> group(Stm map) {
    List<Integer> group = new ArrayList<>();
    for (Name result : map.names()) {
      Integer user = uses.getOrDefault(result, 0) == 1 ? users.get(result) : null;
      if (user == null) return null;
      if (!group.isEmpty() && !alike(stms.get(group.get(0)), stms.get(user))) return null;
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
   * The body without some statements and with others in the place of a later one, which is among
   * them.
   */
  private Body with(Set<Integer> gone, int place, List<Stm> replacement) {
    List<Stm> out = new ArrayList<>();
    for (int i = 0; i < stms.size(); i++) {
      if (i == place) out.addAll(replacement);
      if (!gone.contains(i)) out.add(stms.get(i));
    }
    return new Body(out, body.results());
  }

  /** The first operation that takes a transformed array, element by element; behind them all. */
  private @Nullable Integer consumer(List<Integer> transforms) {
    int last = Collections.max(transforms);
    Integer first = null;
    for (int t : transforms) {
      Integer user = consumer(stms.get(t), last);
      if (user == null) return null;
      if (first == null || user < first) first = user;
    }
    return first;
  }

  /** What takes an array element by element, perhaps transformed again. */
  private @Nullable Integer consumer(Stm transform, int behind) {
    Name result = transform.pat().get(0).name();
    if (uses.getOrDefault(result, 0) != 1) return null;
    Integer user = users.get(result);
    if (user == null || user <= behind) return null;
    Stm s = stms.get(user);
    if (result.equals(operand(s))) return consumer(s, user);
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

  /** Whether what a map reads is still there at a later place, and the map consumes nothing. */
  private boolean mayMove(Stm map, int from, int to) {
    return !overwrites.any(free.of(map), from, to);
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
      if (!(slice.dims().get(0) instanceof Slice.Range r)) return null;
      if (!isWhole(slice, producer.pat().get(k).type())) return null;
      outer = r;
    }
    if (outer == null) return null;
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

  /** Whether a slice takes everything of all but the outermost dimension. */
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
      if (!from.subList(1, from.size()).equals(to.subList(1, to.size()))) return null;
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

  /** The map over other elements of its inputs. */
  private @Nullable List<Stm> perInput(
      Stm producer, Soac.Screma map, List<Stm> transforms, SubExp width, OnInput onInput) {
    Aux aux = Nests.aux(transforms);
    List<Stm> out = new ArrayList<>();
    List<Name> inputs = new ArrayList<>();
    for (Name input : map.inputs()) {
      Type type = types.lookup(input);
      if (type == null) return null;
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
   * A map over the flattened result of a nest becomes a nest over that, whose results are
   * flattened.
   */
  private @Nullable List<Stm> toResults(
      Stm transform, BasicOp.Reshape reshape, Stm producer, int at) {
    Stm consumer = stms.get(at);
    Soac.Screma map = isMap(consumer);
    Name flat = transform.names().get(0);
    // What takes the flattened array may take another view of it.
    if (map == null || !map.inputs().contains(flat)) return null;
    if (FreeNames.of(map.map()).contains(flat) || FreeNames.of(map.post()).contains(flat)) {
      return null;
    }
    if (overwrites.any(free.of(consumer), at, at + 1)) return null;
    List<SubExp> from = producer.pat().get(0).type().dims();
    List<SubExp> to = reshape.shape();
    int outer = from.size() - to.size() + 1;
    boolean flattens =
        outer >= 2 && from.subList(outer, from.size()).equals(to.subList(1, to.size()));
    if (!flattens || !Nests.isNest((Soac.Screma) producer.exp())) return null;
    return nests.flattened(consumer, map, transform, reshape.array(), from.subList(0, outer));
  }
}
