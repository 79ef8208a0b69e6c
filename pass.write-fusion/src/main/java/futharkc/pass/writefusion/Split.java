package futharkc.pass.writefusion;

import futharkc.core.ir.Body;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Lambda;
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
import futharkc.core.ir.liveness.DeadCode;
import futharkc.core.ir.soac.Scremas;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A map split into two maps that share little work. One map computes the results that a write can
 * use, the other computes the results that read the written array.
 *
 * <pre>{@code
 * let (is, vs) = screma(n, [ks]) \k -> (f k, xs[k])     =>   let vs = screma(n, [ks]) \k -> xs[k]
 *                                                            let is = screma(n, [ks]) \k -> f k
 * }</pre>
 *
 * <p>A result that depends on another result, which remains an array in any case, is computed from
 * that array:
 *
 * <pre>{@code
 * let (is, js) = screma(n, [ks]) \k -> i = xs[k]         =>   let is = screma(n, [ks]) \k -> xs[k]
 *                                      (i, f i)               let js = screma(n, [is]) \i -> f i
 * }</pre>
 *
 * @param rest the map that the write cannot use
 * @param taken the map that the write can use
 */
record Split(Stm rest, Stm taken) {
  /** The maximal number of operations that both maps may contain. */
  private static final int FEW = 8;

  /**
   * Returns the split of a map; null if there is none.
   *
   * @param map the map
   * @param wanted a test for results with no use except the write
   * @param overwritten a test for arrays that the write overwrites
   * @param names the source of fresh names
   */
  static @Nullable Split of(
      Stm map, Predicate<Name> wanted, Predicate<Name> overwritten, NameSource names) {
    if (!(map.exp() instanceof Soac.Screma x) || !x.isMap()) {
      return null;
    }
    if (!Scremas.isIdentity(x.post())) {
      return null;
    }
    List<Integer> taken = new ArrayList<>();
    List<Integer> rest = new ArrayList<>();
    for (int k = 0; k < map.pat().size(); k++) {
      PatElem p = map.pat().get(k);
      boolean takes =
          !(p.type() instanceof Type.Acc)
              && wanted.test(p.name())
              && reads(x, slice(x, List.of(k), Set.of())).stream().noneMatch(overwritten);
      (takes ? taken : rest).add(k);
    }
    List<Integer> derived = derived(map, x, rest, wanted, overwritten);
    taken.addAll(derived);
    rest.removeAll(derived);
    Set<Name> known = derived.isEmpty() ? Set.of() : values(x, rest);
    if (taken.isEmpty() || rest.isEmpty() || !isCheap(shared(x, taken, rest, known))) {
      return null;
    }
    Stm some = part(map, x, taken, known);
    Soac.Screma s = (Soac.Screma) some.exp();
    if (s.inputs().isEmpty()) {
      return null;
    }
    Renamer renamer = new Renamer(names);
    Lambda own = renamer.lambda(s.map());
    Lambda post = Scremas.identity(own.results(), names);
    Stm renamed =
        some.withExp(new Soac.Screma(s.width(), s.inputs(), own, List.of(), List.of(), post));
    return new Split(part(map, x, rest, Set.of()), renamed);
  }

  /**
   * Returns the results that read a written array, but that can be computed from other such
   * results.
   */
  private static List<Integer> derived(
      Stm map,
      Soac.Screma x,
      List<Integer> rest,
      Predicate<Name> wanted,
      Predicate<Name> overwritten) {
    List<Integer> derived = new ArrayList<>();
    for (int k : rest) {
      PatElem p = map.pat().get(k);
      if (p.type() instanceof Type.Acc || !wanted.test(p.name())) {
        continue;
      }
      List<Integer> others = new ArrayList<>(rest);
      others.removeAll(derived);
      others.remove((Integer) k);
      Set<Name> values = values(x, others);
      if (values.contains(value(x, k))) {
        continue;
      }
      if (reads(x, slice(x, List.of(k), values)).stream().noneMatch(overwritten)) {
        derived.add(k);
      }
    }
    return derived;
  }

  private static @Nullable Name value(Soac.Screma x, int result) {
    return x.map().body().results().get(result) instanceof SubExp.Var v ? v.name() : null;
  }

  /** Returns the names of those results that are scalars computed by the map. */
  private static Set<Name> values(Soac.Screma x, List<Integer> results) {
    Set<Name> bound = new HashSet<>();
    for (Stm s : x.map().body().stms()) {
      bound.addAll(s.names());
    }
    Set<Name> values = new HashSet<>();
    for (int r : results) {
      Name n = value(x, r);
      boolean isScalar = x.map().results().get(r) instanceof Type.Prim;
      if (n != null && isScalar && bound.contains(n)) {
        values.add(n);
      }
    }
    return values;
  }

  /**
   * Returns the statements that compute some results.
   *
   * @param known the names that need no computation
   */
  private static Body slice(Soac.Screma x, List<Integer> results, Set<Name> known) {
    Body b = x.map().body();
    List<Stm> stms = b.stms().stream().filter(s -> !known.containsAll(s.names())).toList();
    return new DeadCode().body(new Body(stms, results.stream().map(b.results()::get).toList()));
  }

  /** Returns the names that a slice of the map uses, with parameters replaced by input arrays. */
  private static Set<Name> reads(Soac.Screma x, Body slice) {
    Set<Name> free = new HashSet<>(FreeNames.of(slice));
    for (int i = 0; i < x.inputs().size(); i++) {
      if (free.remove(x.map().params().get(i).name())) {
        free.add(x.inputs().get(i));
      }
    }
    return free;
  }

  /** Returns the statements that both maps need. */
  private static List<Stm> shared(
      Soac.Screma x, List<Integer> some, List<Integer> others, Set<Name> known) {
    Set<Name> once = new HashSet<>();
    for (Stm s : slice(x, some, known).stms()) {
      once.addAll(s.names());
    }
    return slice(x, others, Set.of()).stms().stream()
        .filter(s -> s.names().stream().anyMatch(once::contains))
        .toList();
  }

  private static boolean isCheap(List<Stm> stms) {
    return stms.size() <= FEW
        && stms.stream()
            .map(s -> Weight.of(s.exp()))
            .allMatch(w -> w == Weight.VIEW || w == Weight.OPERATION);
  }

  /** Returns a map of some results. It reads known values from the arrays of other results. */
  private static Stm part(Stm map, Soac.Screma x, List<Integer> results, Set<Name> known) {
    Body b = slice(x, results, known);
    Set<Name> free = FreeNames.of(b);
    List<Integer> used =
        IntStream.range(0, x.inputs().size())
            .filter(i -> free.contains(x.map().params().get(i).name()))
            .boxed()
            .toList();
    List<Name> inputs = new ArrayList<>(used.stream().map(x.inputs()::get).toList());
    List<Param> params = new ArrayList<>(used.stream().map(x.map().params()::get).toList());
    for (int r = 0; r < map.pat().size(); r++) {
      Name n = value(x, r);
      if (n == null || results.contains(r) || !known.contains(n) || !free.remove(n)) {
        continue;
      }
      inputs.add(map.pat().get(r).name());
      params.add(new Param(n, x.map().results().get(r)));
    }
    List<Type> types = results.stream().map(x.map().results()::get).toList();
    List<Param> posted = results.stream().map(x.post().params()::get).toList();
    List<SubExp> values = posted.stream().map(p -> SubExp.of(p.name())).toList();
    Soac.Screma part =
        new Soac.Screma(
            x.width(),
            inputs,
            new Lambda(params, b, types),
            List.of(),
            List.of(),
            new Lambda(posted, new Body(List.of(), values), types));
    return new Stm(results.stream().map(map.pat()::get).toList(), map.aux(), part);
  }
}
