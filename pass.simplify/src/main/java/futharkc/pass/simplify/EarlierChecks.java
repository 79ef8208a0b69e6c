package futharkc.pass.simplify;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Mapper;
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
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Moves checks from a kernel that only checks values to the kernel that computes these values. This
 * saves a kernel launch and its reads. A failure then occurs earlier. The rule applies after memory
 * allocation: before, a map with a check would stay even when its array has no reads.
 *
 * <pre>{@code
 * let ns = segmap thread [i < k] do {             let ns, ok = segmap thread [i < k] do {
 *   .. in n }                                       .. let c = assert(n >= 0, "..")
 * ..                                         =>     in n, checked c }
 * let ok = segmap thread [j < k] do {             ..
 *   let n = ns[j]
 *   let c = assert(n >= 0, "..")
 *   in checked c }
 * }</pre>
 */
final class EarlierChecks extends Mapper {
  /** The maximal statement count of a kernel that only checks. */
  private static final int SMALL = 12;

  private EarlierChecks() {}

  /** Returns the body with such checks moved, or the same body if there are none. */
  static Body of(Body b) {
    return new EarlierChecks().body(b);
  }

  @Override
  public List<Stm> stms(List<Stm> given) {
    List<Stm> stms = super.stms(given);
    List<Stm> out = new ArrayList<>();
    boolean moved = false;
    for (Stm s : stms) {
      int first = isCheck(s) ? producer(s, out) : -1;
      Stm both = first < 0 ? null : together(out.get(first), s);
      if (both == null) {
        out.add(s);
      } else {
        out.set(first, both);
        moved = true;
      }
    }
    return moved ? out : stms;
  }

  private static SegOp.@Nullable SegMap map(Stm s) {
    return s.exp() instanceof SegExp.Seg x
            && x.op() instanceof SegOp.SegMap m
            && m.level() instanceof SegLevel.Thread t
            && t.grid() == null
            && m.types().stream().noneMatch(Type.Acc.class::isInstance)
        ? m
        : null;
  }

  private static boolean isCheck(Stm s) {
    SegOp.SegMap m = map(s);
    return m != null
        && m.body().stms().size() <= SMALL
        && m.body().results().stream().allMatch(SegResult.Checked.class::isInstance)
        && m.body().stms().stream().allMatch(t -> isScalar(t));
  }

  private static boolean isScalar(Stm s) {
    return s.exp() instanceof BasicOp && s.pat().stream().allMatch(p -> p.type().rank() == 0);
  }

  /**
   * Returns the position of the kernel that computes the checked values, if all other operands
   * precede it; else -1.
   */
  private static int producer(Stm check, List<Stm> before) {
    Set<Name> free = FreeNames.of(check);
    for (int k = before.size() - 1; k >= 0; k--) {
      if (before.get(k).names().stream().anyMatch(free::contains)) {
        return k;
      }
    }
    return -1;
  }

  private static @Nullable Stm together(Stm first, Stm check) {
    SegOp.SegMap a = map(first);
    SegOp.SegMap b = map(check);
    if (a == null || b == null || !a.space().shape().equals(b.space().shape())) {
      return null;
    }
    Map<Name, SubExp> indices = new HashMap<>();
    indices.put(b.space().flat(), SubExp.of(a.space().flat()));
    for (int d = 0; d < b.space().dims().size(); d++) {
      indices.put(b.space().dims().get(d).index(), SubExp.of(a.space().dims().get(d).index()));
    }
    Substitution here = new Substitution(indices);
    Map<Name, SubExp> values = new HashMap<>();
    for (int k = 0; k < first.pat().size(); k++) {
      if (a.types().get(k) instanceof Type.Prim) {
        values.put(first.names().get(k), a.body().results().get(k).value());
      }
    }
    List<Stm> stms = new ArrayList<>(a.body().stms());
    OwnReads own = new OwnReads(values, a.space());
    List<Stm> checks = own.stms(here.stms(b.body().stms()));
    Set<Name> made = new HashSet<>(first.names());
    made.retainAll(FreeNames.of(new Body(checks, List.of())));
    if (!made.isEmpty() || check.aux().certs().stream().anyMatch(first.names()::contains)) {
      return null;
    }
    for (Stm t : checks) {
      List<Name> certs = new ArrayList<>(t.aux().certs());
      check.aux().certs().stream().filter(c -> !certs.contains(c)).forEach(certs::add);
      stms.add(new Stm(t.pat(), t.aux().withCerts(certs), t.exp()));
    }
    List<PatElem> pat = new ArrayList<>(first.pat());
    List<Type> types = new ArrayList<>(a.types());
    List<SegResult> results = new ArrayList<>(a.body().results());
    pat.addAll(check.pat());
    types.addAll(b.types());
    for (SegResult r : b.body().results()) {
      results.add(new SegResult.Checked(here.subExp(r.value())));
    }
    SegOp map = new SegOp.SegMap(a.level(), a.space(), types, new SegBody(stms, results));
    return new Stm(pat, first.aux(), new SegExp.Seg(map));
  }

  /**
   * A traversal that replaces reads of values that the thread itself has computed, including
   * certificates.
   */
  private static final class OwnReads extends Mapper {
    private final Map<Name, SubExp> values;
    private final Slice own;

    OwnReads(Map<Name, SubExp> values, SegSpace space) {
      this.values = values;
      this.own =
          new Slice(
              space.dims().stream()
                  .<Slice.Dim>map(d -> new Slice.Fix(SubExp.of(d.index())))
                  .toList());
    }

    @Override
    public Stm stm(Stm s) {
      Stm t = super.stm(s);
      List<Name> certs = new ArrayList<>();
      for (Name c : t.aux().certs()) {
        certs.add(values.get(c) instanceof SubExp.Var v ? v.name() : c);
      }
      return certs.equals(t.aux().certs())
          ? t
          : new Stm(t.pat(), t.aux().withCerts(certs), t.exp());
    }

    @Override
    public Exp exp(Exp e) {
      return e instanceof BasicOp.Index x
              && values.get(x.array()) instanceof SubExp value
              && x.slice().equals(own)
          ? new BasicOp.SubExpOp(value)
          : super.exp(e);
    }
  }
}
