package futharkc.pass.staging;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Builder;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Program;
import futharkc.core.ir.Scope;
import futharkc.core.ir.SegBody;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegLevel;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegResult;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.SegVirt;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.Remark;
import futharkc.core.ir.symbolic.Bounds;
import futharkc.core.ir.symbolic.Conditions;
import futharkc.core.ir.symbolic.Facts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The staging of windows in the kernels of one function. */
final class KernelStaging {
  /**
   * The maximum bytes of one array's window in shared memory, which leaves space for the thread
   * block's other arrays.
   */
  static final Option WINDOW =
      Option.integer(
          "window",
          16 << 10,
          "maximum bytes of one array's window in shared memory, which leaves space for the"
              + " thread block's other arrays");

  private final FunDef function;
  private final PassContext context;
  private final Scope scope;
  private final NameSource names;

  /** The definitions outside of kernels, and in thread blocks outside of their loops. */
  private final Map<Name, Exp> definitions = new HashMap<>();

  KernelStaging(FunDef function, Program program, PassContext context) {
    this.function = function;
    this.context = context;
    this.scope = Scope.ofAll(program, function);
    this.names = new NameSource(function.nextTag());
  }

  FunDef run() {
    Body b = body(function.body(), Facts.of(function));
    return b == function.body() ? function : function.withBody(b, names.next());
  }

  // Host

  private Body body(Body b, Facts known) {
    List<Stm> out = new ArrayList<>();
    boolean same = true;
    for (Stm s : b.stms()) {
      Stm t = host(s, known);
      same &= t == s;
      out.add(t);
      passed(s, known);
    }
    return same ? b : new Body(out, b.results());
  }

  private void passed(Stm s, Facts known) {
    known.passed(s);
    if (s.pat().size() == 1) {
      definitions.put(s.pat().get(0).name(), s.exp());
    }
  }

  private @Nullable Exp definition(SubExp e) {
    return e instanceof SubExp.Var v ? definitions.get(v.name()) : null;
  }

  private Stm host(Stm s, Facts known) {
    return switch (s.exp()) {
      case Exp.Loop l -> {
        Body b = body(l.body(), known.inLoop(l));
        yield b == l.body() ? s : s.withExp(new Exp.Loop(l.params(), l.form(), b));
      }
      case Exp.Match m -> match(s, m, known);
      case SegExp.Seg g
          when g.op() instanceof SegOp.SegMap m && m.level() instanceof SegLevel.Block ->
          block(s, m, known.at(m.space()));
      default -> s;
    };
  }

  private Stm match(Stm s, Exp.Match m, Facts known) {
    List<Exp.Case> cases = new ArrayList<>();
    boolean same = true;
    for (int k = 0; k < m.cases().size(); k++) {
      Exp.Case c = m.cases().get(k);
      Body b = body(c.body(), known.inBranch(m, k));
      same &= b == c.body();
      cases.add(new Exp.Case(c.pattern(), b));
    }
    Body otherwise = body(m.otherwise(), known.inBranch(m, m.cases().size()));
    same &= otherwise == m.otherwise();
    return same ? s : s.withExp(new Exp.Match(m.scrutinees(), cases, otherwise));
  }

  // Thread blocks

  private Stm block(Stm s, SegOp.SegMap m, Facts known) {
    Set<Name> inside = bound(m);
    WindowReads reads = new WindowReads(a -> !inside.contains(a), context.number(WINDOW));
    List<Stm> checks = new ArrayList<>();
    Map<Window, Fetch> fetches = new LinkedHashMap<>();
    for (Stm t : m.body().stms()) {
      if (t.exp() instanceof Exp.Loop l) {
        for (Window w : reads.loop(l, known)) {
          fetches.computeIfAbsent(
              w, k -> new Fetch(w, t.aux().loc(), List.copyOf(checks), known.inside()));
        }
      }
      passed(t, known);
      if (t.exp() instanceof BasicOp.Assert) {
        checks.add(t);
      }
    }
    Map<Stm, Read> found = reads.found();
    found.values().removeIf(r -> !Objects.requireNonNull(fetches.get(r.window())).isInside());
    if (found.isEmpty()) {
      return s;
    }
    Map<Window, Name> staged = new HashMap<>();
    List<Stm> out = new ArrayList<>();
    for (Stm t : m.body().stms()) {
      if (!(t.exp() instanceof Exp.Loop)) {
        out.add(t);
        continue;
      }
      List<Stm> before = new ArrayList<>();
      Stm near =
          new Near(
                  found,
                  w ->
                      staged.computeIfAbsent(
                          w, k -> Objects.requireNonNull(fetches.get(w)).add(before)))
              .stm(t);
      out.addAll(before);
      out.add(near);
    }
    SegBody body = new SegBody(out, m.body().results());
    return s.withExp(new SegExp.Seg(m.withBody(body)));
  }

  private static Set<Name> bound(SegOp.SegMap m) {
    Set<Name> all = new HashSet<>();
    new Mapper() {
      @Override
      public Name binder(Name b) {
        all.add(b);
        return b;
      }
    }.segOp(m);
    return all;
  }

  /** The operation that fetches a window before a loop. */
  private final class Fetch {
    private final Window window;
    private final Loc loc;
    private final List<Stm> checks;
    private final Facts known;
    private final Type.Array type;
    private final SegSpace space;

    Fetch(Window window, Loc loc, List<Stm> checks, Facts known) {
      this.window = window;
      this.loc = loc;
      this.checks = checks;
      this.known = known;
      this.type = (Type.Array) scope.type(window.array());
      List<SegSpace.Dim> dims = new ArrayList<>();
      for (SubExp w : window.widths()) {
        dims.add(new SegSpace.Dim(names.fresh("near"), w));
      }
      this.space = new SegSpace(names.fresh("flat"), dims);
    }

    /** Tests whether the whole window is proved to be within the array. */
    boolean isInside() {
      // The facts from checks usually suffice and are few, so they are tried first.
      Bounds few = new Bounds(null);
      for (SegSpace.Dim d : space.dims()) {
        few.addIndex(d.index(), known.poly(d.size()));
        few.addFact(known.poly(d.size()).minus(Poly.ONE));
      }
      Bounds all = known.at(space).bounds();
      for (Bounds b : List.of(few, all)) {
        for (Stm c : checks) {
          holds(((BasicOp.Assert) c.exp()).cond(), b);
        }
      }
      for (int d = 0; d < space.dims().size(); d++) {
        Poly at = known.poly(window.bases().get(d)).plus(Poly.of(space.dims().get(d).index()));
        Poly size = known.poly(type.shape().get(d));
        if (!few.provesNonNegative(at) && !all.provesNonNegative(at)) {
          return false;
        }
        if (!few.provesLess(at, size) && !all.provesLess(at, size)) {
          return false;
        }
      }
      return true;
    }

    /**
     * Adds the facts of a condition. If one operand of a disjunction is known to be false, the
     * other one holds.
     */
    private void holds(SubExp cond, Bounds bounds) {
      switch (definition(cond)) {
        case BasicOp.BinOpExp b when b.op().kind() == BinOp.Kind.LOG_AND -> {
          holds(b.left(), bounds);
          holds(b.right(), bounds);
        }
        case BasicOp.BinOpExp b when b.op().kind() == BinOp.Kind.LOG_OR -> {
          if (isRefuted(b.left(), bounds)) {
            holds(b.right(), bounds);
          } else if (isRefuted(b.right(), bounds)) {
            holds(b.left(), bounds);
          }
        }
        case null, default ->
            new Conditions(KernelStaging.this::definition, known::poly).add(cond, true, bounds);
      }
    }

    private boolean isRefuted(SubExp cond, Bounds bounds) {
      return definition(cond) instanceof BasicOp.CmpOpExp c
          && c.op().equals(new CmpOp(CmpOp.Kind.EQ, PrimType.I64))
          && bounds.provesLess(known.poly(c.right()), known.poly(c.left()));
    }

    /** Adds the operation; returns the array that it creates. */
    Name add(List<Stm> out) {
      Type elem = Type.prim(type.elemPrim());
      List<Name> certs = new ArrayList<>();
      for (Stm c : checks) {
        certs.addAll(c.names());
      }
      Builder b = new Builder(names).with(Aux.at(loc));
      List<SubExp> at = new ArrayList<>();
      for (int d = 0; d < space.dims().size(); d++) {
        SubExp offset = SubExp.of(space.dims().get(d).index());
        SubExp base = window.bases().get(d);
        at.add(base.isInt(0) ? offset : b.binOp("far", BinOp.Kind.ADD, PrimType.I64, base, offset));
      }
      Builder checked = b.with(Aux.at(loc).withCerts(certs));
      SubExp element = checked.letExp("far", elem, new BasicOp.Index(window.array(), fixed(at)));
      SegBody body = new SegBody(checked.stms(), List.of(new SegResult.Returns(element)));
      SegLevel threads = new SegLevel.ThreadInBlock(SegVirt.VIRT);
      SegOp map = new SegOp.SegMap(threads, space, List.of(elem), body);
      PatElem staged = new PatElem(names.fresh("staged"), Type.array(elem, window.widths()));
      out.add(new Stm(List.of(staged), Aux.at(loc), new SegExp.Seg(map)));
      String what = "a window of " + window.array() + " is copied to shared memory";
      context.remark(Remark.Kind.APPLIED, function.name(), loc, what);
      return staged.name();
    }
  }

  /**
   * A rewriting of reads: from the window if the element is in it, else from the original array.
   */
  private final class Near extends Mapper {
    private final Map<Stm, Read> found;
    private final Function<Window, Name> staged;

    Near(Map<Stm, Read> found, Function<Window, Name> staged) {
      this.found = found;
      this.staged = staged;
    }

    @Override
    public List<Stm> stms(List<Stm> stms) {
      List<Stm> out = new ArrayList<>();
      for (Stm s : stms) {
        Read r = found.get(s);
        if (r == null) {
          out.add(stm(s));
        } else {
          out.addAll(near(s, r, staged.apply(r.window())));
        }
      }
      return out;
    }
  }

  /** Returns a read of an element of a window. */
  private List<Stm> near(Stm s, Read r, Name array) {
    if (r.isInside()) {
      return List.of(s.withExp(new BasicOp.Index(array, fixed(r.offsets()))));
    }
    Builder b = new Builder(names).with(Aux.at(s.aux().loc()));
    @Nullable SubExp isNear = null;
    for (int d = 0; d < r.offsets().size(); d++) {
      SubExp offset = r.offsets().get(d);
      if (offset.isInt(0)) {
        continue;
      }
      isNear = and(isNear, below(offset, r.window().widths().get(d), b), b);
    }
    if (isNear == null) {
      return List.of(s);
    }
    Type elem = s.pat().get(0).type();
    Builder near = new Builder(names).with(Aux.at(s.aux().loc()));
    Builder far = new Builder(names).with(Aux.at(s.aux().loc()));
    Body then =
        near.body(List.of(near.letExp("near", elem, new BasicOp.Index(array, fixed(r.offsets())))));
    Body otherwise = far.body(List.of(far.letExp("far", elem, s.exp())));
    List<Stm> out = new ArrayList<>(b.stms());
    out.add(s.withExp(Exp.Match.conditional(isNear, then, otherwise)));
    return out;
  }

  private static SubExp below(SubExp index, SubExp size, Builder b) {
    return b.cmp("below", CmpOp.Kind.ULT, PrimType.I64, index, size);
  }

  private static SubExp and(@Nullable SubExp a, SubExp c, Builder b) {
    return a == null ? c : b.binOp("both", BinOp.Kind.LOG_AND, PrimType.BOOL, a, c);
  }

  private static Slice fixed(List<SubExp> indices) {
    List<Slice.Dim> dims = new ArrayList<>();
    for (SubExp i : indices) {
      dims.add(new Slice.Fix(i));
    }
    return new Slice(dims);
  }
}
