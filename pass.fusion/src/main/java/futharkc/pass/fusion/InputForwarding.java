package futharkc.pass.fusion;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes the inputs of each operation in a body the arrays that its elements really come from, so
 * that fusion sees them: the original instead of a copy, one of several equal iotas, the value
 * instead of its replication, and an input instead of an array indexed by position.
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

  /** Arrays with the same elements; the latter still has them. */
  private final Map<Name, Name> same = new HashMap<>();

  /** Of reshaped arrays, those before all reshaping. */
  private final Map<Name, Name> reshaped = new HashMap<>();

  /** What must hold for these to be used. */
  private final Map<Name, List<Name>> certs = new HashMap<>();

  private final Map<BasicOp.Iota, Name> iotas = new HashMap<>();
  private final Map<Name, BasicOp.Iota> iotaOf = new HashMap<>();
  private final Map<Name, BasicOp.Replicate> replicates = new HashMap<>();

  /** Of each root, the names about which something is known that holds until it is consumed. */
  private final Map<Name, List<Name>> dependents = new HashMap<>();

  private InputForwarding(Aliases aliases, FreeNamesOfStms free, Scope types, NameSource names) {
    this.aliases = aliases;
    this.free = free;
    this.consumption = new ConsumptionOfStms(aliases);
    this.types = types;
    this.names = names;
  }

  /** The body with better inputs, or the very body. */
  static Body improve(
      Body b, Aliases aliases, FreeNamesOfStms free, Scope types, NameSource names) {
    if (b.stms().stream().noneMatch(s -> s.exp() instanceof Soac.Screma)) return b;
    return new InputForwarding(aliases, free, types, names).improve(b);
  }

  private Body improve(Body b) {
    List<Stm> out = new ArrayList<>();
    boolean changed = false;
    for (Stm s : b.stms()) {
      Stm better = s.exp() instanceof Soac.Screma x ? improve(s, x, out) : s;
      changed |= better != s;
      out.add(better);
      if (!dependents.isEmpty()) forget(consumption.of(better));
      learn(better);
    }
    return changed ? withoutUnused(new Body(out, b.results())) : b;
  }

  /**
   * Copies and iotas that nothing takes as input any more would only hide that their operands are
   * not needed.
   */
  private Body withoutUnused(Body b) {
    Set<Name> used = new HashSet<>();
    for (SubExp r : b.results()) if (r instanceof SubExp.Var v) used.add(v.name());
    List<Stm> kept = new ArrayList<>();
    for (Stm s : b.stms().reversed()) {
      boolean removable = s.exp() instanceof BasicOp.Replicate || s.exp() instanceof BasicOp.Iota;
      if (removable && s.names().stream().noneMatch(used::contains)) continue;
      used.addAll(free.of(s));
      kept.add(s);
    }
    return new Body(kept.reversed(), b.results());
  }

  private boolean knows(Name input) {
    return same.containsKey(input) || iotaOf.containsKey(input) || replicates.containsKey(input);
  }

  private void learn(Stm s) {
    if (s.pat().size() != 1) return;
    Name name = s.pat().get(0).name();
    List<Name> needed = new ArrayList<>(s.aux().certs());
    switch (s.exp()) {
      case BasicOp.SubExpOp x when x.value() instanceof SubExp.Var v -> {
        needed.addAll(certs.getOrDefault(v.name(), List.of()));
        same(name, same.getOrDefault(v.name(), v.name()));
      }
      case BasicOp.Replicate r when r.shape().isEmpty() && r.value() instanceof SubExp.Var v -> {
        needed.addAll(certs.getOrDefault(v.name(), List.of()));
        same(name, same.getOrDefault(v.name(), v.name()));
      }
      case BasicOp.Reshape r -> {
        Name before = reshaped.getOrDefault(r.array(), r.array());
        needed.addAll(certs.getOrDefault(r.array(), List.of()));
        reshaped.put(name, before);
        if (s.pat().get(0).type().equals(types.lookup(before))) same(name, before);
      }
      case BasicOp.Replicate r when r.shape().size() == 1 -> {
        replicates.put(name, r);
        if (r.value() instanceof SubExp.Var v) depends(name, v.name());
      }
      case BasicOp.Iota i -> {
        iotaOf.put(name, i);
        Name first = iotas.putIfAbsent(i, name);
        if (first == null) depends(name, name);
        else same(name, first);
      }
      default -> {
        return;
      }
    }
    if (!needed.isEmpty()) certs.put(name, needed);
  }

  private void same(Name name, Name original) {
    same.put(name, original);
    depends(name, original);
  }

  private void depends(Name name, Name array) {
    for (Name root : aliases.roots(array)) {
      dependents.computeIfAbsent(root, k -> new ArrayList<>()).add(name);
    }
  }

  /** What is overwritten is no longer the same as what was made of it before. */
  private void forget(Set<Name> consumed) {
    for (Name root : consumed) {
      List<Name> names = dependents.remove(root);
      if (names == null) continue;
      for (Name n : names) {
        same.remove(n);
        replicates.remove(n);
        BasicOp.Iota iota = iotaOf.get(n);
        if (iota != null) iotas.remove(iota, n);
      }
    }
  }

  private boolean overlaps(Set<Name> consumed, SubExp e) {
    return e instanceof SubExp.Var v && overlaps(consumed, v.name());
  }

  private boolean overlaps(Set<Name> consumed, Name name) {
    return aliases.roots(name).stream().anyMatch(consumed::contains);
  }

  private Stm improve(Stm s, Soac.Screma x, List<Stm> before) {
    if (x.inputs().stream().noneMatch(this::knows)) return s;
    List<Name> needed = new ArrayList<>();
    Set<Name> consumed = Consumption.ofParams(x.inputs(), x.map(), aliases);
    Set<Name> overwritten = consumption.of(s);
    List<Name> inputs = new ArrayList<>();
    List<Param> params = new ArrayList<>();
    Map<Name, SubExp> known = new HashMap<>();
    boolean changed = false;
    Name position = null;
    for (int i = 0; i < x.inputs().size(); i++) {
      Name input = x.inputs().get(i);
      Param p = x.map().params().get(i);
      boolean readOnly = !consumed.contains(p.name());
      BasicOp.Replicate replicate = readOnly ? replicates.get(input) : null;
      if (replicate != null && !overlaps(overwritten, replicate.value())) {
        known.put(p.name(), replicate.value());
        needed.addAll(certs.getOrDefault(input, List.of()));
        changed = true;
        continue;
      }
      Name original = readOnly ? same.getOrDefault(input, input) : input;
      if (overlaps(overwritten, original)) original = input;
      if (original != input) {
        needed.addAll(certs.getOrDefault(input, List.of()));
        changed = true;
      }
      if (isPositions(original)) position = p.name();
      inputs.add(original);
      params.add(p);
    }
    Body body = known.isEmpty() ? x.map().body() : new Substitution(known).body(x.map().body());
    if (position != null) {
      Body direct = indexDirectly(body, position, x.width(), inputs, params, before);
      changed |= direct != body;
      body = direct;
    }
    if (!changed) return s;
    Lambda map = new Lambda(params, body, x.map().results());
    return new Stm(
        s.pat(),
        s.aux().plusCerts(needed),
        new Soac.Screma(x.width(), inputs, map, x.scans(), x.reduces(), x.post()));
  }

  /** Whether an array is 0, 1, ... */
  private boolean isPositions(Name input) {
    BasicOp.Iota i = iotaOf.get(input);
    return i != null && i.start().isInt(0) && i.stride().isInt(1);
  }

  /**
   * Replaces {@code xs[position]} by an element of a new input {@code xs}, and {@code xs[j,
   * position]} by one of {@code xs[j]}.
   */
  private Body indexDirectly(
      Body body,
      Name position,
      SubExp width,
      List<Name> inputs,
      List<Param> params,
      List<Stm> before) {
    Set<Name> local = new HashSet<>();
    for (Param p : params) local.add(p.name());
    for (Stm s : body.stms()) local.addAll(s.names());
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

  /** The part of an array that positions run through, from first to last, if there is one. */
  private BasicOp.@Nullable Index part(BasicOp.Index x, Name position, SubExp width) {
    if (!(types.lookup(x.array()) instanceof Type.Array a)) return null;
    List<Slice.Dim> dims = new ArrayList<>(x.slice().dims());
    for (int d = 0; d < dims.size() && dims.get(d) instanceof Slice.Fix f; d++) {
      if (!f.index().equals(SubExp.of(position))) continue;
      if (!a.shape().get(d).equals(width)) return null;
      dims.set(d, new Slice.Range(SubExp.i64(0), width, SubExp.i64(1)));
      return new BasicOp.Index(x.array(), new Slice(dims));
    }
    return null;
  }

  /** The part as an array: the whole one, or a slice of it. */
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
