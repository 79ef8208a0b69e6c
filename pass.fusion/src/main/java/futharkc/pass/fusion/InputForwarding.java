package futharkc.pass.fusion;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSet;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Scope;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.analysis.Consumption;
import futharkc.core.ir.analysis.ConsumptionOfStms;
import futharkc.core.ir.analysis.FreeNamesOfStms;
import futharkc.core.ir.analysis.NameSets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the inputs of each operation by the arrays that their elements come from, so that fusion
 * sees them. A copy becomes its original, equal iotas become one iota, and a replicate becomes its
 * value. An array indexed by the position becomes an input.
 *
 * <pre>{@code
 * let is = iota(n)                                 =>   let y = screma(n, [is, xs]) \i x -> f x
 * let y  = screma(n, [is]) \i -> f (xs[i])
 * }</pre>
 */
final class InputForwarding {
  private final Aliases aliases;
  private final FreeNamesOfStms free;
  private final ConsumptionOfStms consumption;
  private final Scope types;
  private final NameSource names;

  /** Arrays with equal elements, keyed by array, as long as that {@linkplain #holds holds}. */
  private final Map<Name, Name> same = new HashMap<>();

  /** The array before all reshapes, keyed by reshaped array. */
  private final Map<Name, Name> reshaped = new HashMap<>();

  /** The certificates that these equalities require. */
  private final Map<Name, List<Name>> certs = new HashMap<>();

  private final Map<BasicOp.Iota, Name> iotas = new HashMap<>();
  private final Map<Name, BasicOp.Iota> iotaOf = new HashMap<>();
  private final Map<Name, BasicOp.Replicate> replicates = new HashMap<>();

  /**
   * A condition: a fact about a name holds until an array is overwritten.
   *
   * @param roots the roots of the array
   * @param from the position of the first statement that may overwrite the array
   */
  private record Dependence(NameSet roots, int from) {}

  private final Map<Name, Dependence> dependences = new HashMap<>();

  /** The roots that each statement so far consumes, limited to roots that facts depend on. */
  private final NameSets consumed;

  private InputForwarding(
      int stms, Aliases aliases, FreeNamesOfStms free, Scope types, NameSource names) {
    this.consumed = new NameSets(stms);
    this.aliases = aliases;
    this.free = free;
    this.consumption = new ConsumptionOfStms(aliases);
    this.types = types;
    this.names = names;
  }

  /** Returns the body with improved inputs, or the same body if none improved. */
  static Body improve(
      Body b, Aliases aliases, FreeNamesOfStms free, Scope types, NameSource names) {
    if (b.stms().stream().noneMatch(s -> s.exp() instanceof Soac.Screma)) {
      return b;
    }
    return new InputForwarding(b.stms().size(), aliases, free, types, names).improve(b);
  }

  private Body improve(Body b) {
    List<Stm> out = new ArrayList<>();
    boolean changed = false;
    for (int at = 0; at < b.stms().size(); at++) {
      Stm s = b.stms().get(at);
      Stm better = s.exp() instanceof Soac.Screma x ? improve(s, x, out) : s;
      changed |= better != s;
      out.add(better);
      if (!dependences.isEmpty()) {
        consumed.add(at, consumption.of(better));
      }
      learn(better, at + 1);
    }
    return changed ? withoutUnused(new Body(out, b.results())) : b;
  }

  /**
   * Returns the body without unused copies and iotas, because these count as uses of their
   * operands.
   */
  private Body withoutUnused(Body b) {
    Set<Name> used = new HashSet<>();
    for (SubExp r : b.results()) {
      if (r instanceof SubExp.Var v) {
        used.add(v.name());
      }
    }
    List<Stm> kept = new ArrayList<>();
    for (Stm s : b.stms().reversed()) {
      boolean removable = s.exp() instanceof BasicOp.Replicate || s.exp() instanceof BasicOp.Iota;
      if (removable && s.names().stream().noneMatch(used::contains)) {
        continue;
      }
      used.addAll(free.of(s));
      kept.add(s);
    }
    return new Body(kept.reversed(), b.results());
  }

  private boolean knows(Name input) {
    return iotaOf.containsKey(input)
        || (same.containsKey(input) || replicates.containsKey(input)) && holds(input);
  }

  /** Tests whether the fact about a name still holds. */
  private boolean holds(Name name) {
    Dependence on = dependences.get(name);
    return on == null || !consumed.meet(on.roots, on.from, Integer.MAX_VALUE);
  }

  private Name original(Name name) {
    Name original = same.get(name);
    return original != null && holds(name) ? original : name;
  }

  private void learn(Stm s, int next) {
    if (s.pat().size() != 1) {
      return;
    }
    Name name = s.pat().get(0).name();
    List<Name> needed = new ArrayList<>(s.aux().certs());
    switch (s.exp()) {
      case BasicOp.SubExpOp x when x.value() instanceof SubExp.Var v -> {
        needed.addAll(certs.getOrDefault(v.name(), List.of()));
        same(name, original(v.name()), next);
      }
      case BasicOp.Replicate r when r.shape().isEmpty() && r.value() instanceof SubExp.Var v -> {
        needed.addAll(certs.getOrDefault(v.name(), List.of()));
        same(name, original(v.name()), next);
      }
      case BasicOp.Reshape r -> {
        Name before = reshaped.getOrDefault(r.array(), r.array());
        needed.addAll(certs.getOrDefault(r.array(), List.of()));
        reshaped.put(name, before);
        if (s.pat().get(0).type().equals(types.lookup(before))) {
          same(name, before, next);
        }
      }
      case BasicOp.Replicate r when r.shape().size() == 1 -> {
        replicates.put(name, r);
        if (r.value() instanceof SubExp.Var v) {
          depends(name, v.name(), next);
        }
      }
      case BasicOp.Iota i -> {
        iotaOf.put(name, i);
        Name first = iotas.get(i);
        if (first != null && holds(first)) {
          same(name, first, next);
        } else {
          iotas.put(i, name);
          depends(name, name, next);
        }
      }
      default -> {
        return;
      }
    }
    if (!needed.isEmpty()) {
      certs.put(name, needed);
    }
  }

  private void same(Name name, Name original, int next) {
    same.put(name, original);
    depends(name, original, next);
  }

  private void depends(Name name, Name array, int next) {
    dependences.put(name, new Dependence(aliases.roots(array), next));
  }

  private boolean overlaps(NameSet overwritten, SubExp e) {
    return e instanceof SubExp.Var v && overlaps(overwritten, v.name());
  }

  private boolean overlaps(NameSet overwritten, Name name) {
    return overwritten.meets(aliases.roots(name));
  }

  private Stm improve(Stm s, Soac.Screma x, List<Stm> before) {
    if (x.inputs().stream().noneMatch(this::knows)) {
      return s;
    }
    List<Name> needed = new ArrayList<>();
    NameSet consumedInside = Consumption.ofParams(x.inputs(), x.map(), aliases);
    NameSet overwritten = consumption.of(s);
    List<Name> inputs = new ArrayList<>();
    List<Param> params = new ArrayList<>();
    Map<Name, SubExp> known = new HashMap<>();
    boolean changed = false;
    Name position = null;
    for (int i = 0; i < x.inputs().size(); i++) {
      Name input = x.inputs().get(i);
      Param p = x.map().params().get(i);
      boolean readOnly = !consumedInside.contains(p.name());
      BasicOp.Replicate replicate = readOnly && holds(input) ? replicates.get(input) : null;
      if (replicate != null && !overlaps(overwritten, replicate.value())) {
        known.put(p.name(), replicate.value());
        needed.addAll(certs.getOrDefault(input, List.of()));
        changed = true;
        continue;
      }
      Name original = readOnly ? original(input) : input;
      if (overlaps(overwritten, original)) {
        original = input;
      }
      if (original != input) {
        needed.addAll(certs.getOrDefault(input, List.of()));
        changed = true;
      }
      if (isPositions(original)) {
        position = p.name();
      }
      inputs.add(original);
      params.add(p);
    }
    Body body = known.isEmpty() ? x.map().body() : new Substitution(known).body(x.map().body());
    if (position != null) {
      Body direct = indexDirectly(body, position, x.width(), inputs, params, before);
      changed |= direct != body;
      body = direct;
    }
    if (!changed) {
      return s;
    }
    Lambda map = new Lambda(params, body, x.map().results());
    return new Stm(
        s.pat(),
        s.aux().plusCerts(needed),
        new Soac.Screma(x.width(), inputs, map, x.scans(), x.reduces(), x.post()));
  }

  /** Tests whether an array is 0, 1, ... */
  private boolean isPositions(Name input) {
    BasicOp.Iota i = iotaOf.get(input);
    return i != null && i.start().isInt(0) && i.stride().isInt(1);
  }

  /**
   * Replaces {@code xs[position]} by an element of a new input {@code xs}, and {@code xs[j,
   * position]} by an element of {@code xs[j]}.
   */
  private Body indexDirectly(
      Body body,
      Name position,
      SubExp width,
      List<Name> inputs,
      List<Param> params,
      List<Stm> before) {
    Set<Name> local = new HashSet<>();
    for (Param p : params) {
      local.add(p.name());
    }
    for (Stm s : body.stms()) {
      local.addAll(s.names());
    }
    List<Stm> stms = new ArrayList<>();
    Map<BasicOp.Index, Name> elements = new HashMap<>();
    boolean changed = false;
    for (Stm s : body.stms()) {
      BasicOp.Index part = s.exp() instanceof BasicOp.Index x ? part(x, position, width) : null;
      if (part == null || FreeNames.of(s.withExp(part)).stream().anyMatch(local::contains)) {
        stms.add(s);
        continue;
      }
      Name element = elements.get(part);
      if (element == null) {
        element = names.fresh(part.array());
        elements.put(part, element);
        Type type = s.pat().get(0).type();
        inputs.add(input(s, part, Type.array(type, width), before));
        params.add(new Param(element, type));
        types.add(element, type);
      }
      stms.add(s.withExp(new BasicOp.SubExpOp(SubExp.of(element))));
      changed = true;
    }
    return changed ? new Body(stms, body.results()) : body;
  }

  /**
   * Returns the slice of an array that the positions traverse from first to last, or null if there
   * is none.
   */
  private BasicOp.@Nullable Index part(BasicOp.Index x, Name position, SubExp width) {
    if (!(types.lookup(x.array()) instanceof Type.Array a)) {
      return null;
    }
    List<Slice.Dim> dims = new ArrayList<>(x.slice().dims());
    for (int d = 0; d < dims.size() && dims.get(d) instanceof Slice.Fix f; d++) {
      if (!f.index().equals(SubExp.of(position))) {
        continue;
      }
      if (!a.shape().get(d).equals(width)) {
        return null;
      }
      dims.set(d, new Slice.Range(SubExp.i64(0), width, SubExp.i64(1)));
      return new BasicOp.Index(x.array(), new Slice(dims));
    }
    return null;
  }

  /** Returns the slice as an array: the whole array or a slice of it. */
  private Name input(Stm s, BasicOp.Index part, Type type, List<Stm> before) {
    Type whole = types.lookup(part.array());
    if (whole != null && part.slice().equals(Slice.fix(List.of(), whole.dims()))) {
      return part.array();
    }
    Name name = names.fresh(part.array());
    before.add(new Stm(List.of(new PatElem(name, type)), s.aux(), part));
    types.add(name, type);
    return name;
  }
}
