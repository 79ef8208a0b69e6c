package futharkc.pass.mergegpubodies;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.analysis.Consumption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Joins the code of the device in each body of the host. */
final class Merging extends HostMapper {
  private final Aliases aliases;
  private final NameSource names;
  private final VisibleEffects effects;

  Merging(Aliases aliases, NameSource names, VisibleEffects effects) {
    this.aliases = aliases;
    this.names = names;
    this.effects = effects;
  }

  @Override
  public Body body(Body b) {
    Body inner = super.body(b);
    List<Stm> stms = merged(inner.stms());
    return stms == inner.stms() ? inner : new Body(stms, inner.results());
  }

  private List<Stm> merged(List<Stm> stms) {
    int bodies = 0;
    Map<Name, SubExp> scalars = new HashMap<>();
    for (Stm s : stms) {
      if (!(s.exp() instanceof HostOp.GpuBody g)) {
        continue;
      }
      bodies++;
      for (int k = 0; k < s.pat().size(); k++) {
        if (isStored(g.types().get(k))) {
          scalars.put(s.pat().get(k).name(), g.body().results().get(k));
        }
      }
    }
    if (bodies < 2) {
      return stms;
    }
    Buckets buckets = new Buckets();
    for (Stm s : stms) {
      buckets.add(item(s, scalars));
    }
    List<List<Integer>> order = buckets.order();
    int kernels = 0;
    for (int i = 1; i < order.size(); i += 2) {
      if (!order.get(i).isEmpty()) {
        kernels++;
      }
    }
    if (kernels == bodies) {
      return stms;
    }
    List<Stm> out = new ArrayList<>();
    for (int i = 0; i < order.size(); i++) {
      List<Stm> bucket = order.get(i).stream().map(stms::get).toList();
      if (i % 2 == 0 || bucket.size() < 2) {
        out.addAll(bucket);
      } else {
        out.add(new OneBody(buckets).join(bucket));
      }
    }
    return out;
  }

  private static boolean isStored(Type t) {
    return t instanceof Type.Prim && !t.equals(Type.UNIT);
  }

  private Buckets.Item item(Stm s, Map<Name, SubExp> scalars) {
    Set<Name> binds = new HashSet<>();
    for (PatElem p : s.pat()) {
      binds.add(p.name());
      if (!(p.type() instanceof Type.Prim)) {
        addRoots(p.name(), binds);
      }
    }
    Set<Name> uses = new HashSet<>();
    for (Name n : FreeNames.of(s)) {
      uses.add(n);
      addRoots(n, uses);
    }
    return new Buckets.Item(
        s.exp() instanceof HostOp.GpuBody,
        binds,
        uses,
        Consumption.of(s, aliases),
        reread(s, scalars),
        effects.isOrdered(s.exp()));
  }

  private void addRoots(Name n, Set<Name> all) {
    for (Name root : aliases.roots(n)) {
      all.add(root);
    }
  }

  /**
   * Returns the array whose only element a statement reads, if a kernel has stored that element; or
   * null.
   */
  private static @Nullable Name reread(Stm s, Map<Name, SubExp> scalars) {
    return s.exp() instanceof BasicOp.Index x
            && scalars.containsKey(x.array())
            && x.slice().isElement()
        ? x.array()
        : null;
  }

  /** The code of several kernels as the code of one. */
  private final class OneBody extends Mapper {
    private final Buckets buckets;

    /** The scalars that kernels of this body store, by the array of one element that holds each. */
    private final Map<Name, SubExp> scalars = new HashMap<>();

    /**
     * The values inside of kernels of this body that other results of these kernels have, by
     * result.
     */
    private final Map<Name, SubExp> inside = new HashMap<>();

    /** The types of results. */
    private final Map<Name, Type> rows = new HashMap<>();

    OneBody(Buckets buckets) {
      this.buckets = buckets;
    }

    Stm join(List<Stm> bodies) {
      List<PatElem> pat = new ArrayList<>();
      List<Type> types = new ArrayList<>();
      List<SubExp> results = new ArrayList<>();
      List<Stm> stms = new ArrayList<>();
      Loc loc = Loc.NONE;
      for (Stm s : bodies) {
        HostOp.GpuBody g = (HostOp.GpuBody) s.exp();
        loc = loc.to(s.aux().loc());
        Body body = inside(s, g, stms);
        for (Stm t : body.stms()) {
          stms.add(new Stm(t.pat(), t.aux().plusCerts(certs(s)), t.exp()));
        }
        for (int k = 0; k < s.pat().size(); k++) {
          PatElem p = s.pat().get(k);
          SubExp r = body.results().get(k);
          pat.add(p);
          types.add(g.types().get(k));
          results.add(r);
          (isStored(g.types().get(k)) ? scalars : inside).put(p.name(), r);
          rows.put(p.name(), g.types().get(k));
        }
      }
      return new Stm(pat, Aux.at(loc), new HostOp.GpuBody(types, new Body(stms, results)));
    }

    private List<Name> certs(Stm s) {
      return aux(s.aux()).certs();
    }

    /**
     * Returns a body in terms of the bodies before. Arrays of stored scalars are made where the
     * body needs them.
     */
    private Body inside(Stm s, HostOp.GpuBody g, List<Stm> before) {
      Map<Name, SubExp> replaced = new HashMap<>(inside);
      for (Name n : FreeNames.of(s)) {
        Name array = buckets.rereads(n);
        if (array != null && scalars.containsKey(array)) {
          replaced.put(n, scalars.get(array));
        }
      }
      Body read = body(g.body());
      for (Name n : FreeNames.of(read)) {
        if (!scalars.containsKey(n)) {
          continue;
        }
        Name array = names.fresh(n);
        Type row = Objects.requireNonNull(rows.get(n), n::toString);
        before.add(
            Stm.of(
                array,
                Type.array(row, SubExp.i64(1)),
                new BasicOp.ArrayLit(List.of(scalars.get(n)), row)));
        replaced.put(n, SubExp.of(array));
      }
      return replaced.isEmpty() ? read : new Substitution(replaced).body(read);
    }

    @Override
    public Exp exp(Exp e) {
      if (e instanceof BasicOp.Index x && x.slice().isElement()) {
        SubExp scalar = scalars.get(x.array());
        if (scalar != null) {
          return new BasicOp.SubExpOp(scalar);
        }
      }
      return super.exp(e);
    }

    @Override
    public Aux aux(Aux aux) {
      List<Name> certs = new ArrayList<>();
      for (Name c : aux.certs()) {
        SubExp now = inside.get(c);
        if (now == null) {
          certs.add(c);
        } else if (now instanceof SubExp.Var v) {
          certs.add(v.name());
        }
      }
      return certs.equals(aux.certs()) ? aux : aux.withCerts(certs);
    }
  }
}
