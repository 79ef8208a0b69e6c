package futharkc.pass.writefusion;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Builder;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Scope;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.analysis.Consumption;
import futharkc.core.ir.analysis.DependenceGraph;
import futharkc.core.ir.analysis.DependenceGraph.Node;
import futharkc.core.ir.soac.Scremas;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Converts a write over flattened arrays to a nest of writes over the original arrays, so that it
 * can be fused with the map that produces these. The order of writes is arbitrary, so a
 * transposition before the flattening is permitted.
 *
 * <pre>{@code
 * let v = reshape([n*m], ys)              let w = reshape([n, m], js)
 * screma(n*m, {acc, js, v}) map f   =>    screma(n, {acc, w, ys}) map
 *                                           \c r y -> screma(m, {c, r, y}) map f
 * }</pre>
 */
final class WriteUnflattening {
  private final DependenceGraph graph;
  private final Scope scope;
  private final Stm inner;
  private final Soac.Screma map;
  private final Map<Name, Chain> chains = new LinkedHashMap<>();

  /**
   * The statements between a map's result and an input of the write.
   *
   * @param flatten the reshape
   * @param transposition the transposition before the reshape, or null
   * @param producer the map
   * @param source the map's result
   */
  private record Chain(Node flatten, @Nullable Node transposition, Node producer, Name source) {}

  private WriteUnflattening(DependenceGraph graph, Scope scope, Stm inner, Soac.Screma map) {
    this.graph = graph;
    this.scope = scope;
    this.inner = inner;
    this.map = map;
  }

  /**
   * Returns the conversion if the write's operation has flattened inputs and permits a nest; else
   * null.
   */
  static @Nullable WriteUnflattening of(
      DependenceGraph graph, Scope scope, Node node, Write write) {
    for (Stm s : write.inner()) {
      Soac.Screma x = (Soac.Screma) s.exp();
      boolean writesOnly = s.pat().stream().allMatch(p -> p.type() instanceof Type.Acc);
      if (!x.isMap() || !writesOnly || !x.post().body().stms().isEmpty()) {
        continue;
      }
      var f = new WriteUnflattening(graph, scope, s, x);
      f.findChains(node);
      if (!f.chains.isEmpty()) {
        return f;
      }
    }
    return null;
  }

  private void findChains(Node node) {
    for (Name input : map.inputs()) {
      Chain chain = chain(input, node);
      if (chain == null) {
        continue;
      }
      if (!chains.isEmpty() && !sameShape(first(), chain)) {
        continue;
      }
      chains.put(input, chain);
    }
  }

  private Chain first() {
    return chains.values().iterator().next();
  }

  private @Nullable Chain chain(Name input, Node node) {
    Node flatten = graph.definer(input);
    if (flatten == null || graph.isUsedBesides(input, node)) {
      return null;
    }
    if (!(flatten.stm().exp() instanceof BasicOp.Reshape r) || r.coerce()) {
      return null;
    }
    Type from = scope.type(r.array());
    Type to = scope.type(input);
    boolean flattens =
        from.rank() == to.rank() + 1
            && from.dims().subList(2, from.rank()).equals(to.dims().subList(1, to.rank()));
    if (!flattens) {
      return null;
    }
    Name source = r.array();
    Node before = graph.definer(source);
    if (before == null) {
      return null;
    }
    Node transposition = null;
    if (before.stm().exp() instanceof BasicOp.Rearrange t && swaps(t)) {
      if (graph.isUsedBesides(source, flatten)) {
        return null;
      }
      transposition = before;
      source = t.array();
      before = graph.definer(source);
    }
    if (before == null || !(before.stm().exp() instanceof Soac.Screma)) {
      return null;
    }
    return new Chain(flatten, transposition, before, source);
  }

  private static boolean swaps(BasicOp.Rearrange t) {
    List<Integer> perm = t.perm();
    if (perm.get(0) != 1 || perm.get(1) != 0) {
      return false;
    }
    for (int i = 2; i < perm.size(); i++) {
      if (perm.get(i) != i) {
        return false;
      }
    }
    return true;
  }

  private boolean sameShape(Chain a, Chain b) {
    return (a.transposition == null) == (b.transposition == null)
        && scope
            .type(a.source)
            .dims()
            .subList(0, 2)
            .equals(scope.type(b.source).dims().subList(0, 2));
  }

  /** Returns the producer of the first flattened array. */
  Node producer() {
    return first().producer;
  }

  /** Returns the operation that the conversion replaces. */
  Stm operation() {
    return inner;
  }

  /** Returns the statements that the conversion makes redundant. */
  Set<Node> gone() {
    Set<Node> gone = new LinkedHashSet<>();
    for (Chain c : chains.values()) {
      gone.add(c.flatten);
      if (c.transposition != null) {
        gone.add(c.transposition);
      }
    }
    return gone;
  }

  /** Returns the reason that a nest could not be fused with the map, or null. */
  @Nullable String obstacle(Node node) {
    Node producer = producer();
    Soac.Screma made = (Soac.Screma) producer.stm().exp();
    if (!made.width().equals(scope.type(first().source).outerSize())) {
      return "it is not over the outer dimension";
    }
    for (Name n : producer.stm().names()) {
      if (node.uses(n)) {
        return n + " is also used in flat form";
      }
    }
    Name read = graph.overwritten(producer, node);
    if (read != null) {
      return "it reads " + read + ", which is written";
    }
    List<Node> between = graph.between(producer, node, gone());
    return between.isEmpty()
        ? null
        : between.getLast() + " uses the producer, and the write uses that statement";
  }

  /**
   * Returns the nest.
   *
   * @param before the list to which this method adds the statements that reshape other inputs
   */
  Stm nest(Aliases aliases, NameSource names, List<Stm> before) {
    List<SubExp> shape = scope.type(first().source).dims().subList(0, 2);
    boolean transposed = first().transposition != null;
    SubExp rows = shape.get(0);
    SubExp columns = shape.get(1);
    Set<Name> consumed = Consumption.ofParams(map.inputs(), map.map(), aliases);
    Aux aux = inner.aux();
    for (Node l : gone()) {
      aux = aux.plusCerts(l.stm().aux().certs());
    }

    List<Name> outerInputs = new ArrayList<>();
    List<Param> outerParams = new ArrayList<>();
    List<Name> innerInputs = new ArrayList<>();
    List<Param> innerParams = new ArrayList<>();
    Map<Name, SubExp> known = new HashMap<>();
    Builder positions = new Builder(names);
    Builder views = new Builder(names);
    SubExp position = null;
    for (int i = 0; i < map.inputs().size(); i++) {
      Name input = map.inputs().get(i);
      Param p = map.map().params().get(i);
      Node definer = graph.definer(input);
      Chain chain = chains.get(input);
      if (p.type() instanceof Type.Acc) {
        Param outer = new Param(names.fresh(p.name()), p.type());
        outerInputs.add(input);
        outerParams.add(outer);
        innerInputs.add(outer.name());
        innerParams.add(p);
        continue;
      }
      boolean readOnly = !consumed.contains(p.name());
      if (readOnly && definer != null && chain == null) {
        // A scalar cannot be overwritten in between, unlike an array.
        if (definer.stm().exp() instanceof BasicOp.Replicate r
            && r.shape().size() == 1
            && p.type() instanceof Type.Prim) {
          known.put(p.name(), r.value());
          aux = aux.plusCerts(definer.stm().aux().certs());
          continue;
        }
        if (definer.stm().exp() instanceof BasicOp.Iota iota && iota.type() == PrimType.I64) {
          if (position == null) {
            Param i0 = index(rows, outerInputs, outerParams, views);
            Param i1 = index(columns, innerInputs, innerParams, views);
            SubExp high = SubExp.of(transposed ? i1.name() : i0.name());
            SubExp low = SubExp.of(transposed ? i0.name() : i1.name());
            SubExp size = transposed ? rows : columns;
            SubExp row = positions.binOp("row", BinOp.Kind.MUL, PrimType.I64, high, size);
            position = positions.binOp("at", BinOp.Kind.ADD, PrimType.I64, row, low);
          }
          SubExp steps =
              positions.binOp("steps", BinOp.Kind.MUL, PrimType.I64, position, iota.stride());
          known.put(
              p.name(),
              positions.binOp("value", BinOp.Kind.ADD, PrimType.I64, iota.start(), steps));
          aux = aux.plusCerts(definer.stm().aux().certs());
          continue;
        }
      }
      Name array = chain != null ? chain.source : view(input, shape, transposed, views);
      Param row = new Param(names.fresh(p.name()), Type.array(p.type(), columns));
      outerInputs.add(array);
      outerParams.add(row);
      innerInputs.add(row.name());
      innerParams.add(p);
    }
    before.addAll(views.stms());
    List<Stm> stms = new ArrayList<>(positions.stms());
    var onKnown = new Substitution(known);
    stms.addAll(onKnown.stms(map.map().body().stms()));
    List<Type> types = inner.pat().stream().map(PatElem::type).toList();
    List<PatElem> written = new ArrayList<>();
    for (PatElem p : inner.pat()) {
      written.add(new PatElem(names.fresh(p.name()), p.type()));
    }
    Lambda body =
        new Lambda(
            innerParams,
            new futharkc.core.ir.Body(stms, onKnown.subExps(map.map().body().results())),
            map.map().results());
    Stm along =
        new Stm(
            written,
            Aux.at(aux.loc()),
            new Soac.Screma(columns, innerInputs, body, List.of(), List.of(), map.post()));
    Lambda across =
        new Lambda(
            outerParams,
            new futharkc.core.ir.Body(
                List.of(along), written.stream().map(p -> SubExp.of(p.name())).toList()),
            types);
    return new Stm(
        inner.pat(),
        aux,
        new Soac.Screma(
            rows, outerInputs, across, List.of(), List.of(), Scremas.identity(types, names)));
  }

  /** Adds an input with the positions 0, 1, ... */
  private static Param index(SubExp n, List<Name> inputs, List<Param> params, Builder before) {
    Name iota =
        before.let(
            "iota",
            Type.array(Type.I64, n),
            new BasicOp.Iota(n, SubExp.i64(0), SubExp.i64(1), PrimType.I64));
    Param p = new Param(before.names().fresh("i"), Type.I64);
    inputs.add(iota);
    params.add(p);
    return p;
  }

  /** Returns another array reshaped like the arrays before the flattening. */
  private Name view(Name array, List<SubExp> shape, boolean transposed, Builder before) {
    Type row = scope.type(array).row();
    List<SubExp> flat = new ArrayList<>(transposed ? shape.reversed() : shape);
    flat.addAll(row.dims());
    Type type = Type.array(Type.prim(row.elemPrim()), flat);
    Name reshaped = before.let(array.base(), type, new BasicOp.Reshape(false, array, flat));
    if (!transposed) {
      return reshaped;
    }
    List<Integer> perm = new ArrayList<>(List.of(1, 0));
    for (int i = 2; i < flat.size(); i++) {
      perm.add(i);
    }
    Type swapped = Type.array(row, shape);
    return before.let(array.base(), swapped, new BasicOp.Rearrange(reshaped, perm));
  }
}
