package futharkc.pass.simplify;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BoundNames;
import futharkc.core.ir.Builder;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.SegBody;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegLevel;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegResult;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Aliases;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rules on kernels that host code launches. */
final class SegRules {
  private SegRules() {}

  /**
   * Removes kernel results that need no threads: values that are the same everywhere, slices of
   * arrays, and arrays that another kernel has computed.
   *
   * <pre>{@code
   * segmap thread [i < n] do { in a }                       =>   replicate([n], a)
   * segmap thread [i < n] do { let x = xss[i, k] in x }     =>   xss[0 :+ n * 1, k], copied
   * }</pre>
   */
  static @Nullable List<Stm> simplify(Stm s, SegExp.Seg x, Simplifier in) {
    if (in.hasMemory() || !(x.op() instanceof SegOp.SegMap m)) {
      return null;
    }
    if (m.level() instanceof SegLevel.Block) {
      return uncopied(s, m, in);
    }
    if (!(m.level() instanceof SegLevel.Thread)) {
      return null;
    }
    Set<Name> inside = new HashSet<>();
    inside.add(m.space().flat());
    for (SegSpace.Dim d : m.space().dims()) {
      inside.add(d.index());
    }
    for (Stm t : m.body().stms()) {
      inside.addAll(BoundNames.of(t));
    }
    Builder b = in.builder(s.aux());
    // The equal array may be another result of this map.
    Builder after = in.builder(s.aux());
    List<PatElem> pat = new ArrayList<>();
    List<Type> types = new ArrayList<>();
    List<SegResult> results = new ArrayList<>();
    for (int k = 0; k < s.pat().size(); k++) {
      SegResult r = m.body().results().get(k);
      boolean done =
          r instanceof SegResult.Returns
              && !(m.types().get(k) instanceof Type.Acc)
              && (invariant(s.pat().get(k), m, r.value(), inside, b, in)
                  || part(s.pat().get(k), m, r.value(), inside, b, in)
                  || again(s, k, m, after, in));
      if (done) {
        continue;
      }
      pat.add(s.pat().get(k));
      types.add(m.types().get(k));
      results.add(r);
    }
    if (pat.size() == s.pat().size()) {
      return null;
    }
    if (!pat.isEmpty()) {
      SegBody body = new SegBody(m.body().stms(), results);
      SegOp rest = new SegOp.SegMap(m.level(), m.space(), types, body);
      b.add(new Stm(pat, s.aux(), new SegExp.Seg(rest)));
    }
    after.stms().forEach(b::add);
    return b.stms();
  }

  /**
   * Removes a thread block's copy of an outer array that is only read. Code after the thread blocks
   * alone may consume the array. The rule requires that neighbouring elements are adjacent in the
   * array: repeated reads of distant elements would cost more than the copy.
   */
  private static @Nullable List<Stm> uncopied(Stm s, SegOp.SegMap m, Simplifier in) {
    List<Stm> stms = m.body().stms();
    if (stms.stream().noneMatch(t -> copied(t) != null)) {
      return null;
    }
    Aliases aliases = Aliases.of(stms);
    Set<Name> inside = new HashSet<>();
    for (Stm t : stms) {
      inside.addAll(BoundNames.of(t));
    }
    List<Stm> out = new ArrayList<>();
    Set<Name> rows = new HashSet<>();
    boolean same = true;
    for (Stm t : stms) {
      if (t.exp() instanceof BasicOp.Index x && isRow(x)) {
        rows.addAll(t.names());
      }
      Name array = copied(t);
      boolean needless =
          array != null
              && rows.contains(array)
              && Collections.disjoint(aliases.roots(array), inside)
              && in.isOnlyReadOrCopied(t.names().get(0));
      same &= !needless;
      out.add(array != null && needless ? t.withExp(new BasicOp.SubExpOp(SubExp.of(array))) : t);
    }
    if (same) {
      return null;
    }
    SegBody body = new SegBody(out, m.body().results());
    return List.of(s.withExp(new SegExp.Seg(m.withBody(body))));
  }

  /** Tests whether neighbouring elements of a slice are neighbours in the array. */
  private static boolean isRow(BasicOp.Index x) {
    return x.slice().dims().getLast() instanceof Slice.Range r && r.stride().isInt(1);
  }

  private static @Nullable Name copied(Stm s) {
    return s.exp() instanceof BasicOp.Replicate x
            && x.shape().isEmpty()
            && x.value() instanceof SubExp.Var v
            && s.pat().get(0).type() instanceof Type.Array
            && s.aux().certs().isEmpty()
        ? v.name()
        : null;
  }

  private static boolean isOutside(SubExp e, Set<Name> inside) {
    return !(e instanceof SubExp.Var v) || !inside.contains(v.name());
  }

  private static boolean invariant(
      PatElem p, SegOp.SegMap m, SubExp value, Set<Name> inside, Builder b, Simplifier in) {
    if (!isOutside(value, inside) || !in.stays(value)) {
      return false;
    }
    b.let(List.of(p), new BasicOp.Replicate(m.space().shape(), value));
    return true;
  }

  /**
   * Replaces an array that another operation has already computed with a superset of the
   * certificates.
   */
  private static boolean again(Stm s, int k, SegOp.SegMap m, Builder b, Simplifier in) {
    KernelValue value = KernelValue.of(m, k);
    if (value == null) {
      return false;
    }
    Stm earlier = in.common().maker(value);
    if (earlier == null) {
      in.common().makes(value, new Stm(List.of(s.pat().get(k)), s.aux(), s.exp()));
      return false;
    }
    PatElem made = earlier.pat().get(0);
    boolean same =
        !made.equals(s.pat().get(k))
            && made.type().equals(s.pat().get(k).type())
            && earlier.aux().certs().containsAll(s.aux().certs())
            && in.stay(List.of(made.name(), s.pat().get(k).name()));
    if (same) {
      b.let(List.of(s.pat().get(k)), new BasicOp.SubExpOp(SubExp.of(made.name())));
    }
    return same;
  }

  private static boolean part(
      PatElem p, SegOp.SegMap m, SubExp value, Set<Name> inside, Builder b, Simplifier in) {
    Stm def = null;
    for (Stm t : m.body().stms()) {
      if (value instanceof SubExp.Var v && t.names().contains(v.name())) {
        def = t;
      }
    }
    if (def == null
        || !(def.exp() instanceof BasicOp.Index x)
        || inside.contains(x.array())
        || !in.stays(SubExp.of(x.array()))
        || def.aux().certs().stream().anyMatch(inside::contains)) {
      return false;
    }
    List<Slice.Dim> slice = new ArrayList<>();
    int next = 0;
    List<SegSpace.Dim> dims = m.space().dims();
    for (Slice.Dim d : x.slice().dims()) {
      switch (d) {
        case Slice.Fix f -> {
          if (next < dims.size() && f.index().equals(SubExp.of(dims.get(next).index()))) {
            slice.add(new Slice.Range(SubExp.i64(0), dims.get(next++).size(), SubExp.i64(1)));
          } else if (isOutside(f.index(), inside)) {
            slice.add(f);
          } else {
            return false;
          }
        }
        case Slice.Range r -> {
          boolean known =
              isOutside(r.start(), inside)
                  && isOutside(r.count(), inside)
                  && isOutside(r.stride(), inside);
          // The rows are in the order of the result's indices.
          if (!known || next < dims.size()) {
            return false;
          }
          slice.add(r);
        }
      }
    }
    if (next < dims.size()) {
      return false;
    }
    Builder view = in.builder(b.aux().plusCerts(def.aux().certs()));
    Name all = view.let("part", p.type(), new BasicOp.Index(x.array(), new Slice(slice)));
    b.addAll(view.stms());
    b.let(List.of(p), new BasicOp.Replicate(List.of(), SubExp.of(all)));
    return true;
  }
}
