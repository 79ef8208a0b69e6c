package futharkc.core.ir.soac;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Builder;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSet;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Renamer;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.analysis.Consumption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Fusion of two sequential streams of equal width. The second may take the first's arrays as
 * inputs, chunk by chunk. Both may share inputs. Maps, scans and reductions can be converted to
 * streams ({@link #asStream}).
 *
 * <pre>{@code
 * let a, ys = stream(n, [xs], [a0]) \c a xs' -> e in a', ys'     =>
 * let b     = stream(n, [ys], [b0]) \c b zs  -> f in b'
 *       let a, b = stream(n, [xs], [a0, b0]) \c a b xs' -> e; f with ys' for zs in a', b'
 * }</pre>
 *
 * <p>Fusion copies no code: the statements keep their names, so the caller must remove the
 * originals. If the second consumes a chunk of the first's arrays or keeps it in an accumulator, it
 * receives a copy, unless the chunk is known to be fresh.
 */
public final class StreamFusion {
  /** A stream and the pattern that binds its results. */
  public record Bound(List<PatElem> pat, Soac.Stream stream) {
    public Bound {
      pat = List.copyOf(pat);
    }

    private int numAccs() {
      return stream.accs().size();
    }

    private Name chunk() {
      return stream.lambda().params().getFirst().name();
    }

    private List<Param> accParams() {
      return stream.lambda().params().subList(1, 1 + numAccs());
    }

    private List<Param> inputParams() {
      List<Param> params = stream.lambda().params();
      return params.subList(1 + numAccs(), params.size());
    }

    /** Returns the chunk result for each array among the results. */
    private Map<Name, SubExp> products() {
      Map<Name, SubExp> products = new LinkedHashMap<>();
      for (int k = numAccs(); k < pat.size(); k++) {
        products.put(pat.get(k).name(), stream.lambda().body().results().get(k));
      }
      return products;
    }

    /**
     * Returns the parameters that the lambda consumes or that an accumulator may alias afterwards.
     */
    private NameSet owned() {
      return Consumption.of(stream.lambda()).union(given(stream.lambda(), numAccs()));
    }
  }

  /** The results of a stream, collected one by one. */
  private static final class Results {
    final List<PatElem> pat = new ArrayList<>();
    final List<SubExp> values = new ArrayList<>();
    final List<Type> types = new ArrayList<>();

    void add(List<PatElem> more, Lambda lambda, int from, int to, Predicate<Name> kept) {
      for (int k = from; k < to; k++) {
        if (!kept.test(more.get(k).name())) {
          continue;
        }
        pat.add(more.get(k));
        values.add(lambda.body().results().get(k));
        types.add(lambda.results().get(k));
      }
    }
  }

  private StreamFusion() {}

  /** Tests whether a result of a stream's lambda may alias an input. */
  public static boolean mayGive(Soac.Stream stream, Name input) {
    Lambda lambda = stream.lambda();
    NameSet given = given(lambda, lambda.results().size());
    int before = 1 + stream.accs().size();
    for (int k = 0; k < stream.inputs().size(); k++) {
      Name chunk = lambda.params().get(before + k).name();
      if (stream.inputs().get(k).equals(input) && given.contains(chunk)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the aliases of the lambda's first results, with each parameter as a root. */
  private static NameSet given(Lambda lambda, int results) {
    Aliases aliases = Aliases.of(lambda.body().stms());
    NameSet given = NameSet.of();
    for (SubExp r : lambda.body().results().subList(0, results)) {
      if (r instanceof SubExp.Var v) {
        given = given.union(aliases.roots(v.name()));
      }
    }
    return given;
  }

  /**
   * Fuses two streams.
   *
   * @param kept a test for arrays of the first that are results of the fused stream, too
   * @return the fused stream, with the results of both streams' accumulators first
   */
  public static Bound fuse(Bound first, Bound second, Predicate<Name> kept, NameSource names) {
    Lambda f = first.stream.lambda();
    Map<Name, SubExp> products = first.products();
    List<Name> inputs = new ArrayList<>(first.stream.inputs());
    List<Param> inputParams = new ArrayList<>(first.inputParams());
    List<Stm> copies = new ArrayList<>();
    Map<Name, SubExp> known = new HashMap<>();
    known.put(second.chunk(), SubExp.of(first.chunk()));
    Set<Name> owned = second.owned();
    for (int k = 0; k < second.stream.inputs().size(); k++) {
      Name input = second.stream.inputs().get(k);
      Param p = second.inputParams().get(k);
      SubExp product = products.get(input);
      int shared = inputs.indexOf(input);
      if (product != null) {
        if (owned.contains(p.name())
            && !ScremaFusion.isFresh(product, products.values(), f.body().stms())) {
          Name copy = names.fresh(p.name());
          copies.add(Stm.of(copy, p.type(), new BasicOp.Replicate(List.of(), product)));
          product = SubExp.of(copy);
        }
        known.put(p.name(), product);
      } else if (shared >= 0) {
        known.put(p.name(), SubExp.of(inputParams.get(shared).name()));
      } else {
        inputs.add(input);
        inputParams.add(p);
      }
    }
    var onFirst = new Substitution(known);
    Lambda g = onFirst.lambda(second.stream.lambda());

    List<Param> params = new ArrayList<>(f.params().subList(0, 1));
    params.addAll(first.accParams());
    params.addAll(second.accParams());
    params.addAll(onFirst.params(inputParams));
    List<Stm> stms = new ArrayList<>(f.body().stms());
    stms.addAll(onFirst.stms(copies));
    stms.addAll(g.body().stms());
    List<SubExp> accs = new ArrayList<>(first.stream.accs());
    accs.addAll(second.stream.accs());
    var out = new Results();
    out.add(first.pat, f, 0, first.numAccs(), n -> true);
    out.add(second.pat, g, 0, second.numAccs(), n -> true);
    out.add(first.pat, f, first.numAccs(), first.pat.size(), kept);
    out.add(second.pat, g, second.numAccs(), second.pat.size(), n -> true);
    Lambda lambda = new Lambda(params, new Body(stms, out.values), out.types);
    return new Bound(out.pat, new Soac.Stream(first.stream.width(), inputs, accs, lambda));
  }

  /**
   * Converts a Screma to a stream. Accumulators keep the final values of scans and reductions of
   * the previous chunk, with which the next chunk continues.
   *
   * <pre>{@code
   * screma(n, [xs]) map f scan (+) 0 reduce (*) 1 post g   =>   stream(n, [xs], [0, 1]) \c s r xs' ->
   *   let q, ys, ss = screma(c, [xs']) map f scan (+) 0 reduce (*) 1 post (\x -> g (s + x), s + x)
   *   in ss[c - 1], r * q, ys
   * }</pre>
   *
   * @param bound a Screma without accumulators
   */
  public static Bound asStream(ScremaFusion.Bound bound, NameSource names) {
    Soac.Screma s = bound.screma();
    Lambda map = s.map();
    int scans = s.scanResults();
    int both = scans + s.reduceResults();
    SubExp chunk = SubExp.of(names.fresh("chunk"));
    List<SubExp> neutral = new ArrayList<>();
    s.scans().forEach(o -> neutral.addAll(o.neutral()));
    s.reduces().forEach(o -> neutral.addAll(o.neutral()));
    List<Type> accTypes = map.results().subList(0, both);
    List<Param> accs = fresh("acc", accTypes, names);
    List<Param> chunks = new ArrayList<>();
    for (Param p : map.params()) {
      chunks.add(new Param(names.fresh(p.name()), Type.array(p.type(), chunk)));
    }

    List<Param> inChunk = fresh("x", accTypes.subList(0, scans), names);
    Builder behind = new Builder(names);
    List<SubExp> total = new ArrayList<>();
    for (Soac.Scan o : s.scans()) {
      int from = total.size();
      int to = from + o.neutral().size();
      total.addAll(apply(o.op(), accs.subList(from, to), inChunk.subList(from, to), behind));
    }
    Body post = onArgs(s.post().params().subList(0, scans), total).body(s.post().body());
    behind.addAll(post.stms());
    List<SubExp> elements = new ArrayList<>(post.results());
    elements.addAll(total);
    List<Type> elementTypes = new ArrayList<>(s.post().results());
    elementTypes.addAll(accTypes.subList(0, scans));
    List<Param> postParams = new ArrayList<>(inChunk);
    postParams.addAll(s.post().params().subList(scans, s.post().params().size()));
    Lambda onward = new Lambda(postParams, behind.body(elements), elementTypes);

    List<Param> reduced = fresh("red", accTypes.subList(scans, both), names);
    List<Type> arrayTypes = elementTypes.stream().map(t -> Type.array(t, chunk)).toList();
    List<Param> arrays = fresh("part", arrayTypes, names);
    List<PatElem> onChunk = pat(reduced);
    onChunk.addAll(pat(arrays));
    List<Name> inputs = chunks.stream().map(Param::name).toList();
    Builder body = new Builder(names);
    body.let(onChunk, new Soac.Screma(chunk, inputs, map, s.scans(), s.reduces(), onward));

    List<SubExp> results = new ArrayList<>();
    int outputs = s.post().results().size();
    if (scans > 0) {
      SubExp last = body.binOp("last", BinOp.Kind.SUB, PrimType.I64, chunk, SubExp.i64(1));
      for (Param p : arrays.subList(outputs, arrays.size())) {
        Slice slice = Slice.fix(List.of(last), p.type().dims());
        results.add(body.letExp("carry", p.type().row(), new BasicOp.Index(p.name(), slice)));
      }
    }
    for (Soac.Reduce o : s.reduces()) {
      int from = results.size();
      int to = from + o.neutral().size();
      results.addAll(
          apply(o.op(), accs.subList(from, to), reduced.subList(from - scans, to - scans), body));
    }
    results.addAll(vars(arrays.subList(0, outputs)));
    List<Type> types = new ArrayList<>(accTypes);
    types.addAll(arrayTypes.subList(0, outputs));

    List<Param> params = new ArrayList<>();
    params.add(new Param(((SubExp.Var) chunk).name(), Type.I64));
    params.addAll(accs);
    params.addAll(chunks);
    List<PatElem> pat = pat(fresh("carry", accTypes.subList(0, scans), names));
    pat.addAll(bound.pat());
    Lambda lambda = new Lambda(params, body.body(results), types);
    return new Bound(pat, new Soac.Stream(s.width(), s.inputs(), neutral, lambda));
  }

  /** Applies an operator to two operands with a copy of its body, and returns the results. */
  private static List<SubExp> apply(Lambda op, List<Param> left, List<Param> right, Builder to) {
    Lambda copy = new Renamer(to.names()).lambda(op);
    List<SubExp> args = vars(left);
    args.addAll(vars(right));
    Body body = onArgs(copy.params(), args).body(copy.body());
    to.addAll(body.stms());
    return body.results();
  }

  private static Substitution onArgs(List<Param> params, List<SubExp> args) {
    Map<Name, SubExp> known = new HashMap<>();
    for (int k = 0; k < params.size(); k++) {
      known.put(params.get(k).name(), args.get(k));
    }
    return new Substitution(known);
  }

  private static List<Param> fresh(String base, List<Type> types, NameSource names) {
    return types.stream().map(t -> new Param(names.fresh(base), t)).toList();
  }

  private static List<PatElem> pat(List<Param> params) {
    List<PatElem> pat = new ArrayList<>();
    for (Param p : params) {
      pat.add(new PatElem(p.name(), p.type()));
    }
    return pat;
  }

  private static List<SubExp> vars(List<Param> params) {
    List<SubExp> vars = new ArrayList<>();
    for (Param p : params) {
      vars.add(SubExp.of(p.name()));
    }
    return vars;
  }
}
