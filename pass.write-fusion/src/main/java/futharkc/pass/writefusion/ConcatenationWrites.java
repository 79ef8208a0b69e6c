package futharkc.pass.writefusion;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Renamer;
import futharkc.core.ir.Scope;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.analysis.Overwrites;
import futharkc.core.ir.soac.Scremas;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes the operands of concatenations instead of the concatenated arrays. Operands of equal size
 * share one operation; others get an operation each. The producers of the operands can then be
 * fused.
 *
 * <pre>{@code
 * let is = concat(0, k, {js, ks})
 * let vs = concat(0, k, {ws, xs})             =>    screma(n, {acc, js, ws, ks, xs})
 * ... screma(k, {acc, is, vs})                        map \c j w k x -> update_acc(c, j, w);
 *       map \c i v -> update_acc(c, i, v)                               update_acc(c', k, x)
 * }</pre>
 */
final class ConcatenationWrites {
  private final Body body;
  private final Overwrites overwrites;
  private final Scope scope;
  private final NameSource names;
  private final WriteFusionRemarks remarks;
  private final Map<Name, Integer> definers = new HashMap<>();
  private final Map<Name, Integer> uses = new HashMap<>();

  private ConcatenationWrites(
      Body body, Aliases aliases, Scope scope, NameSource names, WriteFusionRemarks remarks) {
    this.body = body;
    this.overwrites = new Overwrites(body.stms(), aliases);
    this.scope = scope;
    this.names = names;
    this.remarks = remarks;
    for (int i = 0; i < body.stms().size(); i++) {
      Stm s = body.stms().get(i);
      for (Name n : s.names()) {
        definers.put(n, i);
      }
      for (Name n : FreeNames.of(s)) {
        uses.merge(n, 1, Integer::sum);
      }
    }
    for (SubExp r : body.results()) {
      if (r instanceof SubExp.Var v) {
        uses.merge(v.name(), 1, Integer::sum);
      }
    }
  }

  /**
   * A concatenation along the outermost dimension.
   *
   * @param definer the position of the concatenation
   * @param arrays the operands
   * @param sizes the outer sizes of the operands
   */
  private record Parts(int definer, List<Name> arrays, List<SubExp> sizes) {}

  /** Returns the body with its writes split by operands, or the same body if none is split. */
  static Body split(
      Body body, Aliases aliases, Scope scope, NameSource names, WriteFusionRemarks remarks) {
    boolean any = body.stms().stream().anyMatch(s -> s.exp() instanceof BasicOp.Concat);
    if (!any) {
      return body;
    }
    return new ConcatenationWrites(body, aliases, scope, names, remarks).split();
  }

  private Body split() {
    List<Stm> out = new ArrayList<>();
    Set<Name> gone = new HashSet<>();
    for (int i = 0; i < body.stms().size(); i++) {
      Stm s = body.stms().get(i);
      Write write = Write.of(s);
      List<Stm> split = write == null ? null : split(write, i, gone);
      if (split == null) {
        out.add(s);
      } else {
        out.addAll(split);
      }
    }
    if (gone.isEmpty()) {
      return body;
    }
    out.removeIf(s -> s.names().stream().anyMatch(gone::contains));
    return new Body(out, body.results());
  }

  private @Nullable List<Stm> split(Write write, int at, Set<Name> gone) {
    for (Stm inner : write.inner()) {
      List<Stm> parts = remarks.mayGoOn() ? split(inner, at, gone) : null;
      if (parts == null) {
        continue;
      }
      remarks.applied(write.stm(), "writes the operands of a concatenation");
      return write.isWhole() ? List.of(write.with(inner, parts)) : parts;
    }
    return null;
  }

  private @Nullable List<Stm> split(Stm inner, int at, Set<Name> gone) {
    Soac.Screma x = (Soac.Screma) inner.exp();
    boolean writesOnly = inner.pat().stream().allMatch(p -> p.type() instanceof Type.Acc);
    if (!x.isMap() || !writesOnly || !x.post().body().stms().isEmpty()) {
      return null;
    }
    List<Parts> all = new ArrayList<>();
    Set<Name> concatenations = new HashSet<>();
    Aux aux = inner.aux();
    for (int i = 0; i < x.inputs().size(); i++) {
      if (x.map().params().get(i).type() instanceof Type.Acc) {
        continue;
      }
      Name input = x.inputs().get(i);
      Parts parts = parts(input);
      if (parts == null || uses.getOrDefault(input, 0) != 1) {
        return null;
      }
      if (!all.isEmpty() && !all.get(0).sizes().equals(parts.sizes())) {
        return null;
      }
      if (changes(parts, at)) {
        return null;
      }
      all.add(parts);
      concatenations.add(input);
      aux = aux.plusCerts(body.stms().get(parts.definer()).aux().certs());
    }
    if (all.isEmpty()) {
      return null;
    }
    gone.addAll(concatenations);
    List<SubExp> sizes = all.get(0).sizes();
    boolean equal = sizes.stream().allMatch(sizes.get(0)::equals);
    return equal ? List.of(together(inner, x, all, aux)) : apart(inner, x, all, aux);
  }

  private @Nullable Parts parts(Name input) {
    Integer definer = definers.get(input);
    if (definer == null) {
      return null;
    }
    if (!(body.stms().get(definer).exp() instanceof BasicOp.Concat c) || c.dim() != 0) {
      return null;
    }
    List<SubExp> sizes = new ArrayList<>();
    for (Name a : c.arrays()) {
      sizes.add(scope.type(a).outerSize());
    }
    return new Parts(definer, c.arrays(), sizes);
  }

  /** Tests whether an operand is overwritten after the concatenation, or by the write itself. */
  private boolean changes(Parts parts, int write) {
    return overwrites.any(parts.arrays(), parts.definer() + 1, write + 1);
  }

  /** Returns a map that executes the old map's function once for each operand. */
  private Stm together(Stm inner, Soac.Screma x, List<Parts> all, Aux aux) {
    List<Name> inputs = new ArrayList<>();
    List<Param> params = new ArrayList<>();
    Map<Name, SubExp> current = new HashMap<>();
    for (int i = 0; i < x.inputs().size(); i++) {
      Param p = x.map().params().get(i);
      if (!(p.type() instanceof Type.Acc)) {
        continue;
      }
      inputs.add(x.inputs().get(i));
      params.add(p);
      current.put(p.name(), SubExp.of(p.name()));
    }
    List<Param> accs = List.copyOf(params);
    List<Stm> stms = new ArrayList<>();
    for (int piece = 0; piece < all.get(0).arrays().size(); piece++) {
      Lambda map = piece == 0 ? x.map() : new Renamer(names).lambda(x.map());
      int k = 0;
      Map<Name, SubExp> before = new HashMap<>();
      for (int i = 0; i < x.inputs().size(); i++) {
        Param p = map.params().get(i);
        Param original = x.map().params().get(i);
        if (p.type() instanceof Type.Acc) {
          if (piece > 0) {
            before.put(p.name(), Objects.requireNonNull(current.get(original.name())));
          }
        } else {
          inputs.add(all.get(k++).arrays().get(piece));
          params.add(p);
        }
      }
      Body copy = new Substitution(before).body(map.body());
      stms.addAll(copy.stms());
      List<SubExp> after = afterPost(x, copy.results());
      for (Param acc : accs) {
        current.put(acc.name(), result(inner, acc, after));
      }
    }
    List<SubExp> results = new ArrayList<>();
    for (PatElem p : inner.pat()) {
      for (Param acc : accs) {
        if (acc.type().equals(p.type())) {
          results.add(Objects.requireNonNull(current.get(acc.name())));
        }
      }
    }
    List<Type> types = inner.pat().stream().map(PatElem::type).toList();
    Lambda map = new Lambda(params, new Body(stms, results), types);
    SubExp width = all.get(0).sizes().get(0);
    return new Stm(
        inner.pat(),
        aux,
        new Soac.Screma(width, inputs, map, List.of(), List.of(), Scremas.identity(types, names)));
  }

  /** Returns the results of the post function, which only permutes the map's results. */
  private static List<SubExp> afterPost(Soac.Screma x, List<SubExp> mapped) {
    Map<Name, SubExp> passed = new HashMap<>();
    for (int i = 0; i < mapped.size(); i++) {
      passed.put(x.post().params().get(i).name(), mapped.get(i));
    }
    return new Substitution(passed).subExps(x.post().body().results());
  }

  /** Returns the result for an accumulator, identified by its type, which contains the token. */
  private static SubExp result(Stm inner, Param acc, List<SubExp> results) {
    for (int i = 0; i < results.size(); i++) {
      if (inner.pat().get(i).type().equals(acc.type())) {
        return results.get(i);
      }
    }
    throw new IllegalStateException("accumulator " + acc.name() + " is not returned");
  }

  /** Returns an operation for each operand. Each takes the accumulators of the previous one. */
  private List<Stm> apart(Stm inner, Soac.Screma x, List<Parts> all, Aux aux) {
    List<Stm> out = new ArrayList<>();
    Map<Name, Name> current = new HashMap<>();
    int pieces = all.get(0).arrays().size();
    for (int piece = 0; piece < pieces; piece++) {
      List<Name> inputs = new ArrayList<>();
      int k = 0;
      for (int i = 0; i < x.inputs().size(); i++) {
        Name input = x.inputs().get(i);
        boolean acc = x.map().params().get(i).type() instanceof Type.Acc;
        inputs.add(acc ? current.getOrDefault(input, input) : all.get(k++).arrays().get(piece));
      }
      List<PatElem> pat = new ArrayList<>();
      for (PatElem p : inner.pat()) {
        Name n = piece == pieces - 1 ? p.name() : names.fresh(p.name());
        pat.add(new PatElem(n, p.type()));
      }
      Soac.Screma part =
          new Soac.Screma(
              all.get(0).sizes().get(piece), inputs, x.map(), List.of(), List.of(), x.post());
      out.add(new Stm(pat, aux, piece == 0 ? part : new Renamer(names).exp(part)));
      for (int i = 0; i < x.inputs().size(); i++) {
        Type t = x.map().params().get(i).type();
        if (!(t instanceof Type.Acc)) {
          continue;
        }
        for (PatElem p : pat) {
          if (p.type().equals(t)) {
            current.put(x.inputs().get(i), p.name());
          }
        }
      }
    }
    return out;
  }
}
