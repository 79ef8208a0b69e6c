package futharkc.core.ir.soac;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Fusion of two {@link Soac.Screma}s of equal width. The second may take the first's arrays as
 * inputs, element by element. Both may share inputs.
 *
 * <p>The fused operation evaluates the first's statements after its scans and the second's before
 * its scans in one of two positions: statements that depend on no scan result move before all
 * scans, the others after all scans. Fusion is therefore possible unless a scan or reduction of the
 * second depends on a scan of the first. If there are scans, accumulator updates move after them,
 * since code before the scans may be evaluated more than once.
 *
 * <pre>{@code
 * first:  map p, scan s, post q          fused: map (p; what of q;r needs no scan), scan s, scan t,
 * second: map r, scan t, post u                 post (the rest of q;r; u)
 * }</pre>
 *
 * <p>Fusion copies no code: the statements keep their names, so the caller must remove the
 * originals. If the second consumes an element of the first's arrays, the fused body consumes a
 * copy, unless the element is known to be fresh.
 */
public final class ScremaFusion {
  /** A Screma and the pattern that binds its results. */
  public record Bound(List<PatElem> pat, Soac.Screma screma) {
    public Bound {
      pat = List.copyOf(pat);
    }

    /** Returns the results other than those of the reductions. */
    public List<PatElem> arrays() {
      return pat.subList(screma.reduceResults(), pat.size());
    }

    private List<PatElem> reductions() {
      return pat.subList(0, screma.reduceResults());
    }
  }

  private final Bound first;
  private final Bound second;
  private final NameSource names;

  /** The result of the first's last lambda for each array of the first. */
  private final Map<Name, SubExp> produced = new HashMap<>();

  private final List<Name> inputs;
  private final List<Param> params;
  private final List<Stm> before = new ArrayList<>();
  private final List<Stm> middle = new ArrayList<>();
  private boolean scans;

  /** The names that depend on the first's scans and are therefore computed after all scans. */
  private final Set<Name> late = new HashSet<>();

  private ScremaFusion(Bound first, Bound second, NameSource names) {
    this.first = first;
    this.second = second;
    this.names = names;
    this.inputs = new ArrayList<>(first.screma.inputs());
    this.params = new ArrayList<>(first.screma.map().params());
  }

  /**
   * Fuses two Scremas.
   *
   * @param kept a test for arrays of the first that are results of the fused operation, too
   * @param consumed a test for parameters of the second's {@code map} that its body consumes
   * @return the fused operation, with the results of both reductions first, or null if fusion is
   *     impossible
   */
  public static @Nullable Bound fuse(
      Bound first, Bound second, Predicate<Name> kept, Predicate<Name> consumed, NameSource names) {
    return new ScremaFusion(first, second, names).fuse(kept, consumed);
  }

  private @Nullable Bound fuse(Predicate<Name> kept, Predicate<Name> consumed) {
    Soac.Screma a = first.screma;
    Soac.Screma b = second.screma;
    int scansA = a.scanResults();
    int early = scansA + a.reduceResults();
    scans = !a.scans().isEmpty() || !b.scans().isEmpty();
    for (Stm s : a.map().body().stms()) {
      boolean moves = scans && updates(s);
      if (moves && s.pat().size() > 1) {
        return null;
      }
      (moves ? middle : before).add(s);
    }

    // The post-lambda of the first, applied to the results of its map
    Map<Name, SubExp> others = new HashMap<>();
    List<Param> post = a.post().params();
    for (int i = scansA; i < post.size(); i++) {
      others.put(post.get(i).name(), a.map().body().results().get(early + i - scansA));
    }
    for (Param p : post.subList(0, scansA)) {
      late.add(p.name());
    }
    var onMap = new Substitution(others);
    middle.addAll(onMap.stms(a.post().body().stms()));
    List<SubExp> results = onMap.subExps(a.post().body().results());
    List<PatElem> arrays = first.arrays();
    for (int i = 0; i < arrays.size(); i++) {
      produced.put(arrays.get(i).name(), results.get(i));
    }

    // The map of the second, applied to the results of the first
    boolean consumes = b.map().params().stream().anyMatch(p -> consumed.test(p.name()));
    Map<Name, SubExp> elements = new HashMap<>();
    for (int i = 0; i < b.inputs().size(); i++) {
      Param p = b.map().params().get(i);
      elements.put(p.name(), element(b.inputs().get(i), p, consumes));
    }
    elements.entrySet().removeIf(e -> e.getValue().equals(SubExp.of(e.getKey())));
    var onElements = new Substitution(elements);
    middle.addAll(onElements.stms(b.map().body().stms()));
    List<SubExp> resultsB = onElements.subExps(b.map().body().results());

    findLate();
    int earlyB = b.scanResults() + b.reduceResults();
    if (resultsB.subList(0, earlyB).stream().anyMatch(this::isLate)) {
      return null;
    }
    return assemble(resultsB, kept);
  }

  /** Returns the replacement for a parameter of the second. */
  private SubExp element(Name input, Param param, boolean consumes) {
    SubExp given = produced.get(input);
    if (given != null) {
      boolean copy = consumes && param.type().rank() > 0 && !isFresh(given);
      if (!copy) {
        return given;
      }
      Name name = names.fresh(param.name());
      middle.add(Stm.of(name, param.type(), new BasicOp.Replicate(List.of(), given)));
      return SubExp.of(name);
    }
    int shared = inputs.indexOf(input);
    if (shared >= 0) {
      return SubExp.of(params.get(shared).name());
    }
    inputs.add(input);
    params.add(param);
    return SubExp.of(param.name());
  }

  /** Tests whether a result of the first is a fresh array without aliases. */
  private boolean isFresh(SubExp result) {
    List<Stm> stms = new ArrayList<>(first.screma.map().body().stms());
    stms.addAll(middle);
    return isFresh(result, produced.values(), stms);
  }

  /** Tests whether one of the results of statements is a fresh array without aliases. */
  static boolean isFresh(SubExp result, Collection<SubExp> results, List<Stm> stms) {
    if (!(result instanceof SubExp.Var v)) {
      return true;
    }
    if (Collections.frequency(results, result) > 1) {
      return false;
    }
    boolean fresh = false;
    for (Stm s : stms) {
      if (s.names().contains(v.name())) {
        fresh = makesFreshArray(s);
      } else if (FreeNames.of(s).contains(v.name())) {
        return false;
      }
    }
    return fresh;
  }

  private static boolean makesFreshArray(Stm s) {
    return switch (s.exp()) {
      case BasicOp.Replicate r -> true;
      case BasicOp.Iota i -> true;
      case BasicOp.Scratch x -> true;
      case BasicOp.ArrayLit l -> true;
      case BasicOp.ArrayVal l -> true;
      case BasicOp.Concat c -> true;
      case Soac.Screma x -> true;
      case BasicOp.SubExpOp _,
          BasicOp.Opaque _,
          BasicOp.BinOpExp _,
          BasicOp.UnOpExp _,
          BasicOp.CmpOpExp _,
          BasicOp.ConvOpExp _,
          BasicOp.PrimFunExp _,
          BasicOp.Assert _,
          BasicOp.Index _,
          BasicOp.Update _,
          BasicOp.FlatIndex _,
          BasicOp.FlatUpdate _,
          BasicOp.Manifest _,
          BasicOp.Reshape _,
          BasicOp.Rearrange _,
          BasicOp.UpdateAcc _,
          BasicOp.UserParam _,
          Exp.Apply _,
          Exp.Match _,
          Exp.Loop _,
          Exp.WithAcc _,
          Soac.Hist _,
          Soac.Stream _,
          Soac.FlatMap _,
          Soac.Jvp _,
          Soac.Vjp _,
          Soac.WithVjp _,
          SegExp _,
          HostOp _,
          MemOp _ ->
          false;
    };
  }

  private boolean isLate(SubExp e) {
    return e instanceof SubExp.Var v && late.contains(v.name());
  }

  /** Finds the statements that must be evaluated after all scans. */
  private void findLate() {
    if (!scans) {
      return;
    }
    boolean any = false;
    for (Stm s : middle) {
      boolean isLate =
          updates(s) || FreeNames.of(s).stream().anyMatch(late::contains) || any && mayOverwrite(s);
      if (!isLate) {
        continue;
      }
      any = true;
      for (PatElem p : s.pat()) {
        late.add(p.name());
      }
    }
  }

  /** Tests whether a statement updates an accumulator. */
  private static boolean updates(Stm s) {
    return s.pat().stream().anyMatch(p -> p.type() instanceof Type.Acc);
  }

  /** Tests whether a statement may consume an array that an earlier statement reads. */
  private static boolean mayOverwrite(Stm s) {
    return !(s.exp() instanceof BasicOp op)
        ? s.pat().stream().anyMatch(p -> p.type().rank() > 0)
        : op instanceof BasicOp.Update || op instanceof BasicOp.FlatUpdate;
  }

  private @Nullable Bound assemble(List<SubExp> resultsB, Predicate<Name> kept) {
    Soac.Screma a = first.screma;
    Soac.Screma b = second.screma;
    List<Stm> after = new ArrayList<>();
    for (Stm s : middle) {
      boolean isLate = s.pat().stream().anyMatch(p -> late.contains(p.name()));
      (isLate ? after : before).add(s);
    }
    List<PatElem> pat = new ArrayList<>(first.reductions());
    pat.addAll(second.reductions());
    List<SubExp> outputs = new ArrayList<>();
    List<Type> outputTypes = new ArrayList<>();
    List<PatElem> arrays = first.arrays();
    for (int i = 0; i < arrays.size(); i++) {
      if (!kept.test(arrays.get(i).name())) {
        continue;
      }
      pat.add(arrays.get(i));
      outputs.add(produced.get(arrays.get(i).name()));
      outputTypes.add(a.post().results().get(i));
    }

    int scansB = b.scanResults();
    int earlyB = scansB + b.reduceResults();
    Map<Name, SubExp> others = new HashMap<>();
    List<Param> postB = b.post().params();
    for (int i = scansB; i < postB.size(); i++) {
      others.put(postB.get(i).name(), resultsB.get(earlyB + i - scansB));
    }
    var onMap = new Substitution(others);
    after.addAll(onMap.stms(b.post().body().stms()));
    outputs.addAll(onMap.subExps(b.post().body().results()));
    outputTypes.addAll(b.post().results());
    pat.addAll(second.arrays());

    List<Soac.Scan> scans = new ArrayList<>(a.scans());
    scans.addAll(b.scans());
    List<Soac.Reduce> reduces = new ArrayList<>(a.reduces());
    reduces.addAll(b.reduces());
    List<SubExp> resultsA = a.map().body().results();
    int scansA = a.scanResults();
    int earlyA = scansA + a.reduceResults();
    List<SubExp> results = new ArrayList<>();
    results.addAll(resultsA.subList(0, scansA));
    results.addAll(resultsB.subList(0, scansB));
    results.addAll(resultsA.subList(scansA, earlyA));
    results.addAll(resultsB.subList(scansB, earlyB));
    List<Type> resultTypes = new ArrayList<>();
    resultTypes.addAll(a.map().results().subList(0, scansA));
    resultTypes.addAll(b.map().results().subList(0, scansB));
    resultTypes.addAll(a.map().results().subList(scansA, earlyA));
    resultTypes.addAll(b.map().results().subList(scansB, earlyB));

    List<Param> postParams = new ArrayList<>(a.post().params().subList(0, scansA));
    postParams.addAll(postB.subList(0, scansB));
    @Nullable Lambda post;
    if (scans.isEmpty()) {
      before.addAll(after);
      post = pass(outputs, outputTypes, results, resultTypes, postParams);
    } else {
      post = carry(before, after, outputs, outputTypes, results, resultTypes, postParams);
      if (post == null) {
        return null;
      }
    }
    Lambda map = new Lambda(params, new Body(before, results), resultTypes);
    return new Bound(pat, new Soac.Screma(a.width(), inputs, map, scans, reduces, post));
  }

  /** Returns the post-lambda of an operation without scans: the identity. */
  private Lambda pass(
      List<SubExp> outputs,
      List<Type> outputTypes,
      List<SubExp> results,
      List<Type> resultTypes,
      List<Param> params) {
    results.addAll(outputs);
    resultTypes.addAll(outputTypes);
    List<SubExp> through = new ArrayList<>();
    for (Type t : outputTypes) {
      Param p = new Param(names.fresh("x"), t);
      params.add(p);
      through.add(SubExp.of(p.name()));
    }
    return new Lambda(params, new Body(List.of(), through), outputTypes);
  }

  /**
   * Returns the post-lambda of an operation with scans, to which the map passes the required
   * values. Returns null if such a value is an array whose size may vary between elements.
   */
  private @Nullable Lambda carry(
      List<Stm> before,
      List<Stm> after,
      List<SubExp> outputs,
      List<Type> outputTypes,
      List<SubExp> results,
      List<Type> resultTypes,
      List<Param> postParams) {
    Map<Name, Type> inMap = new HashMap<>();
    params.forEach(p -> inMap.put(p.name(), p.type()));
    before.forEach(s -> s.pat().forEach(p -> inMap.put(p.name(), p.type())));
    Body body = withCertificates(new Body(after, outputs), before);
    Map<Name, SubExp> carried = new LinkedHashMap<>();
    for (Name n : FreeNames.of(body)) {
      Type type = inMap.get(n);
      if (type == null) {
        continue;
      }
      if (FreeNames.of(type).stream().anyMatch(inMap::containsKey)) {
        return null;
      }
      Param p = new Param(names.fresh(n), type);
      postParams.add(p);
      results.add(SubExp.of(n));
      resultTypes.add(type);
      carried.put(n, SubExp.of(p.name()));
    }
    return new Lambda(postParams, new Substitution(carried).body(body), outputTypes);
  }

  /**
   * Repeats checks after the scans for statements there that need their certificates, since the map
   * does not pass certificates. If a check before the scans becomes unused, it is dead code.
   */
  private Body withCertificates(Body late, List<Stm> before) {
    Body body = late;
    for (Stm s : before.reversed()) {
      if (!(s.exp() instanceof BasicOp.Assert)) {
        continue;
      }
      Name cert = s.names().getFirst();
      if (!FreeNames.of(body).contains(cert)) {
        continue;
      }
      Name again = names.fresh(cert);
      List<Stm> stms = new ArrayList<>();
      stms.add(new Stm(List.of(new PatElem(again, Type.UNIT)), s.aux(), s.exp()));
      Body renamed = new Substitution(Map.of(cert, SubExp.of(again))).body(body);
      stms.addAll(renamed.stms());
      body = new Body(stms, renamed.results());
    }
    return body;
  }
}
