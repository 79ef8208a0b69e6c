package futharkc.pass.loops;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.UnOp;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.CodeRenamer;
import futharkc.core.ir.imperative.CodeSearch;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.LaneForms;
import futharkc.core.ir.imperative.Variables;
import futharkc.core.ir.spi.Option;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The rewriting of one loop for {@link VectorisePass}. */
final class Vectorisation {
  /** The size of vectors in bytes. */
  static final Option WIDTH =
      Option.integer("width", 32, "the size of vectors in bytes").within(16, 64).powerOfTwo();

  /** The number of statements from which on a branch is skipped if no lane takes it. */
  static final Option BRANCH =
      Option.integer(
              "branch",
              16,
              "the number of statements from which on a branch is skipped if no lane takes it")
          .within(1, 1000);

  /** The options of the pass. */
  static final List<Option> OPTIONS =
      Stream.concat(Stream.of(WIDTH, BRANCH), LoopDistribution.OPTIONS.stream()).toList();

  private final LoopContext around;
  private final LaneForms forms;

  /** True if the index is in [0, 2³¹). */
  private final boolean fits;

  /** The number of masks around the declaration of each lane variable. */
  private final Map<Name, Integer> levels = new HashMap<>();

  /** The lane variables that have no value yet in any lane. */
  private final Set<Name> unassigned = new HashSet<>();

  /** The variables that the current list of statements has declared. */
  private Set<Name> declaredHere = Set.of();

  /** The number of uses of each variable. */
  private Map<Name, Integer> uses = Map.of();

  /** The size in bytes of the largest values of lanes. */
  private int widest = PrimType.I32.bytes();

  private Vectorisation(LoopContext around, Name index, boolean fits) {
    this.around = around;
    this.forms = new LaneForms(new HashSet<>(Set.of(index)), index);
    this.fits = fits;
  }

  /** A reason why a loop has no vector form. */
  private static final class Unfit extends RuntimeException {
    private static final long serialVersionUID = 1;

    Unfit(String reason) {
      super(reason, null, false, false);
    }
  }

  /**
   * The lanes that run a statement.
   *
   * @param name a boolean lane variable; null for all lanes
   * @param level the number of conditions that depend on the lane
   */
  private record Mask(@Nullable Name name, int level) {
    static final Mask ALL = new Mask(null, 0);
  }

  /**
   * Returns the loop with vector code; null if the loop does not fit. If only a part of the loop,
   * with its inner loops, has a vector form, the loop is distributed first.
   */
  static @Nullable List<Code> rewrite(Code.For loop, LoopContext around) {
    boolean isCandidate =
        loop.type() == PrimType.I64
            && around.isOnOneThread()
            && CodeSearch.anyStatement(
                loop.body(), c -> c instanceof Code.While || c instanceof Code.For)
            && !CodeSearch.anyStatement(loop.body(), c -> c instanceof Code.VectorLoop);
    if (!isCandidate) {
      return null;
    }
    Code.VectorLoop whole = vectorised(loop, around);
    if (whole != null) {
      remark(loop, whole, around);
      return List.of(whole);
    }
    // Without a vector form of the part, the blocks of the distribution would be in vain.
    int apart = 0;
    for (int i = 0; i < loop.body().size(); i++) {
      apart = isApart(loop.body().get(i)) ? i + 1 : apart;
    }
    List<Code> part = loop.body().subList(0, apart);
    if (vectorised(loop.within(loop.index(), loop.from(), loop.to(), part), around) == null) {
      return null;
    }
    List<Code> parts = LoopDistribution.rewrite(loop, around, Vectorisation::isApart);
    if (parts == null) {
      return null;
    }
    boolean[] any = {false};
    List<Code> out =
        new CodeMapper() {
          @Override
          public Code statement(Code c) {
            boolean isPart =
                c instanceof Code.For f && f.body().stream().anyMatch(Vectorisation::isApart);
            Code.VectorLoop now = isPart ? vectorised((Code.For) c, around) : null;
            if (now != null) {
              remark(loop, now, around);
              any[0] = true;
            }
            return now != null ? now : super.statement(c);
          }
        }.statements(parts);
    return any[0] ? out : null;
  }

  private static boolean isApart(Code c) {
    return c instanceof Code.While || c instanceof Code.For;
  }

  private static void remark(Code.For loop, Code.VectorLoop now, LoopContext around) {
    around.remark("runs " + now.lanes() + " iterations over " + loop.index() + " in vector lanes");
  }

  /** Returns one loop with vector code; null if the loop does not fit. */
  private static Code.@Nullable VectorLoop vectorised(Code.For loop, LoopContext around) {
    List<Code> body = loop.body();
    Set<Name> carried = new HashSet<>();
    for (Code.Variable v : Variables.usedBy(body, Set.of(loop.index()))) {
      carried.add(v.name());
    }
    carried.retainAll(Variables.assignedBy(body));
    if (!carried.isEmpty()) {
      return null;
    }
    Name index = around.names().fresh(loop.index());
    List<Code> copy =
        new CodeRenamer(around.names()).with(loop.index(), Expr.i64(index)).statements(body);
    Vectorisation v = new Vectorisation(around, index, loop.range().fits());
    try {
      List<Code> lanes = v.body(copy, loop.order() instanceof Code.Order.Independent);
      Name done = around.names().fresh("done");
      int count = around.number(WIDTH) / v.widest;
      Code rest =
          new Code.For(
              loop.index(),
              loop.type(),
              Expr.i64(done),
              loop.to(),
              loop.range(),
              0,
              loop.order(),
              body);
      return new Code.VectorLoop(done, index, loop.from(), loop.to(), count, lanes, List.of(rest));
    } catch (Unfit e) {
      return null;
    }
  }

  private List<Code> body(List<Code> code, boolean independent) {
    List<Code> plain = withoutIndexCopies(code);
    if (!independent) {
      requireIndependent(plain);
    }
    int before;
    do {
      before = forms.lanes().size();
      vary(plain, false);
    } while (forms.lanes().size() > before);
    uses = usesOf(plain);
    return all(plain, Mask.ALL);
  }

  private static Map<Name, Integer> usesOf(List<Code> code) {
    Map<Name, Integer> uses = new HashMap<>();
    new CodeMapper() {
      @Override
      public Name name(Name use) {
        uses.merge(use, 1, Integer::sum);
        return use;
      }
    }.statements(code);
    return uses;
  }

  // Index arithmetic

  /**
   * Replaces variables that are polynomials over the index by the polynomials, and conversions of
   * an index below 2³¹ to floats by conversions of its lower 32 bits.
   */
  private List<Code> withoutIndexCopies(List<Code> code) {
    Set<Name> assigned = Variables.assignedBy(code);
    Map<Name, Poly> copies = new HashMap<>();
    return new CodeMapper() {
      @Override
      public List<Code> statements(List<Code> list) {
        List<Code> out = new ArrayList<>();
        for (Code c : list) {
          Code now = statement(c);
          Poly p =
              now instanceof Code.Declare d && d.value() != null && !assigned.contains(d.name())
                  ? d.value().poly()
                  : null;
          if (p != null && p.mentions(forms.lanes()) && !p.mentions(assigned)) {
            copies.put(((Code.Declare) now).name(), p);
          } else {
            out.add(now);
          }
        }
        return out;
      }

      @Override
      public Expr var(Expr.Var v) {
        Poly p = copies.get(v.name());
        return p == null ? v : new Expr.Index(p);
      }

      @Override
      public Expr expr(Expr e) {
        Expr now = super.expr(e);
        boolean ofIndex =
            fits
                && now instanceof Expr.Convert c
                && c.op().kind() == ConvOp.Kind.SITOFP
                && c.op().from() == PrimType.I64
                && Poly.of(forms.index()).equals(c.operand().poly());
        if (!ofIndex) {
          return now;
        }
        Expr.Convert c = (Expr.Convert) now;
        ConvOp lower = new ConvOp(ConvOp.Kind.SEXT, PrimType.I64, PrimType.I32);
        return new Expr.Convert(
            new ConvOp(ConvOp.Kind.SITOFP, PrimType.I32, c.op().to()),
            new Expr.Convert(lower, c.operand()));
      }
    }.statements(code);
  }

  // Legality

  /**
   * Requires that iterations are independent: each stores to consecutive elements outside of inner
   * loops, and accesses a block that it writes at one offset only.
   */
  private void requireIndependent(List<Code> code) {
    Map<Name, Poly> stored = new HashMap<>();
    new CodeMapper() {
      private int loops;

      @Override
      public Code statement(Code c) {
        if (c instanceof Code.Store s) {
          Poly before = stored.putIfAbsent(s.block(), s.index());
          require(loops == 0, "a store in an inner loop");
          require(before == null || before.equals(s.index()), "stores at several offsets");
          require(forms.isConsecutive(s.index()), "a store that is not consecutive");
        }
        boolean isLoop = c instanceof Code.For || c instanceof Code.While;
        loops += isLoop ? 1 : 0;
        Code same = super.statement(c);
        loops -= isLoop ? 1 : 0;
        return same;
      }
    }.statements(code);
    for (Name a : stored.keySet()) {
      for (Name b : stored.keySet()) {
        require(a.equals(b) || !around.mayAlias(a, b), "stores to one block by two names");
      }
    }
    CodeSearch.anyExpr(
        code,
        e -> {
          if (e instanceof Expr.Load l) {
            stored.forEach(
                (block, index) ->
                    require(
                        !around.mayAlias(block, l.block())
                            || block.equals(l.block()) && index.equals(l.index()),
                        "a load of other elements of a block that the loop writes"));
          }
          return false;
        });
  }

  private static void require(boolean holds, String reason) {
    if (!holds) {
      throw new Unfit(reason);
    }
  }

  // Variables that depend on the lane

  /**
   * Adds the variables that depend on the lane.
   *
   * @param divergent true if only some lanes may run the code
   */
  private void vary(List<Code> code, boolean divergent) {
    for (Code c : code) {
      switch (c) {
        case Code.Declare d -> {
          if (d.value() != null && forms.varies(d.value())) {
            forms.lanes().add(d.name());
          }
        }
        case Code.Assign a -> {
          if (divergent || forms.varies(a.value())) {
            forms.lanes().add(a.name());
          }
        }
        case Code.If i -> {
          boolean apart = divergent || forms.varies(i.cond());
          vary(i.then(), apart);
          vary(i.otherwise(), apart);
        }
        case Code.While w -> vary(w.body(), divergent || forms.lanes().contains(w.cond()));
        case Code.For f -> vary(f.body(), divergent);
        case Code.Scope s -> vary(s.body(), divergent);
        case Code.Simple _, Code.Compound _ -> {}
      }
    }
  }

  // Statements

  private List<Code> all(List<Code> code, Mask mask) {
    Set<Name> outside = declaredHere;
    declaredHere = new HashSet<>();
    List<Code> out = new ArrayList<>();
    for (Code c : code) {
      one(c, mask, out);
      for (Code.Variable v : Variables.declaredBy(c)) {
        declaredHere.add(v.name());
      }
    }
    declaredHere = outside;
    return out;
  }

  private void one(Code code, Mask mask, List<Code> out) {
    switch (code) {
      case Code.Declare d -> {
        Expr value = d.value();
        if (!forms.lanes().contains(d.name())) {
          require(value == null || mask.name() == null || !hasLoad(value), "a load in a branch");
          out.add(d);
        } else if (value == null) {
          declare(d.name(), d.type(), Expr.zero(d.type()), mask, out);
          unassigned.add(d.name());
        } else {
          declare(d.name(), d.type(), value, mask, out);
        }
      }
      case Code.Assign a -> {
        if (!forms.lanes().contains(a.name())) {
          require(mask.name() == null || !hasLoad(a.value()), "a load in a branch");
          out.add(a);
          return;
        }
        Expr value = legal(a.value(), mask);
        boolean isFirst = unassigned.remove(a.name());
        boolean inside = mask.level() > levels.getOrDefault(a.name(), 0);
        boolean isMasked = inside && !isFirst || mask.name() != null && hasLoad(value);
        out.add(new Code.AssignLanes(a.name(), value, isMasked ? mask.name() : null));
      }
      case Code.Store s -> {
        require(LaneForms.hasVectors(s.elem()) && s.elem() != PrimType.BOOL, "small elements");
        require(forms.isConsecutive(s.index()), "a store that is not consecutive");
        widest = Math.max(widest, s.elem().bytes());
        out.add(
            new Code.StoreLanes(
                s.block(), s.elem(), s.index(), legal(s.value(), mask), mask.name()));
      }
      case Code.If i -> conditional(i, mask, out);
      case Code.While w -> loop(w, mask, out);
      case Code.For f -> {
        require(
            !forms.varies(f.from()) && !forms.varies(f.to()), "an inner loop of varying length");
        require(mask.name() == null || !hasLoad(f.from()) && !hasLoad(f.to()), "a load");
        unassigned.clear();
        List<Code> body = all(f.body(), mask);
        out.add(
            new Code.For(
                f.index(), f.type(), f.from(), f.to(), f.range(), 0, Code.Order.UNKNOWN, body));
      }
      case Code.Scope s -> out.add(new Code.Scope(all(s.body(), mask)));
      case Code.CheckCancelled c -> out.add(c);
      case Code.Simple _, Code.Compound _ -> throw new Unfit("a statement without vector form");
    }
  }

  private void conditional(Code.If i, Mask mask, List<Code> out) {
    if (!forms.varies(i.cond())) {
      require(mask.name() == null || !hasLoad(i.cond()), "a load in a branch");
      List<Code> then = all(i.then(), mask);
      out.add(new Code.If(i.cond(), then, all(i.otherwise(), mask)));
      return;
    }
    Name cond = fresh("taken");
    declare(cond, PrimType.BOOL, i.cond(), mask, out);
    Expr taken = new Expr.Var(cond, PrimType.BOOL);
    branch(i.then(), taken, mask, out);
    UnOp not = new UnOp(UnOp.Kind.NOT, PrimType.BOOL);
    branch(i.otherwise(), new Expr.Unary(not, taken), mask, out);
  }

  private void branch(List<Code> code, Expr cond, Mask mask, List<Code> out) {
    if (code.isEmpty()) {
      return;
    }
    Mask inside = masked(cond, mask, out);
    Name name = inside.name();
    boolean isLarge =
        CodeSearch.countStatements(code) >= around.number(BRANCH)
            || CodeSearch.anyStatement(code, c -> c instanceof Code.For || c instanceof Code.While);
    if (!isLarge || name == null) {
      out.addAll(all(code, inside));
      return;
    }
    // A skipped branch assigns nothing.
    unassigned.clear();
    Name any = around.names().fresh("any");
    out.add(new Code.Declare(any, PrimType.BOOL, null));
    out.add(new Code.AnyLane(any, name));
    out.add(new Code.If(new Expr.Var(any, PrimType.BOOL), all(code, inside), List.of()));
  }

  private void loop(Code.While w, Mask mask, List<Code> out) {
    unassigned.clear();
    if (!forms.lanes().contains(w.cond())) {
      out.add(new Code.While(w.cond(), all(w.body(), mask)));
      return;
    }
    Expr cond = new Expr.Var(w.cond(), PrimType.BOOL);
    Mask inside = masked(cond, mask, out);
    Name active = Objects.requireNonNull(inside.name());
    boolean isOwn = Objects.equals(uses.get(w.cond()), usesOf(List.of(w)).get(w.cond()));
    if (isOwn && declaredHere.contains(w.cond())) {
      // Nothing else reads the condition, so its values in finished lanes do not matter.
      levels.put(w.cond(), inside.level());
    }
    Name any = around.names().fresh("any");
    out.add(new Code.Declare(any, PrimType.BOOL, null));
    out.add(new Code.AnyLane(any, active));
    List<Code> body = all(w.body(), inside);
    body.add(new Code.AssignLanes(active, and(new Expr.Var(active, PrimType.BOOL), cond), null));
    body.add(new Code.AnyLane(any, active));
    out.add(new Code.While(any, body));
    unassigned.clear();
  }

  /** Declares the mask of the lanes in which a condition holds, too. */
  private Mask masked(Expr cond, Mask mask, List<Code> out) {
    Name name = fresh("mask");
    Name outer = mask.name();
    Expr value = outer == null ? cond : and(new Expr.Var(outer, PrimType.BOOL), cond);
    declare(name, PrimType.BOOL, value, mask, out);
    return new Mask(name, mask.level() + 1);
  }

  private static Expr and(Expr a, Expr b) {
    return new Expr.Binary(new BinOp(BinOp.Kind.LOG_AND, PrimType.BOOL), a, b);
  }

  private Name fresh(String base) {
    Name n = around.names().fresh(base);
    forms.lanes().add(n);
    return n;
  }

  /** Declares a lane variable. Lanes outside of the mask read no memory. */
  private void declare(Name name, PrimType type, Expr value, Mask mask, List<Code> out) {
    require(LaneForms.hasVectors(type), "small values");
    widest = Math.max(widest, type.bytes());
    levels.put(name, mask.level());
    Expr legal = legal(value, mask);
    if (mask.name() != null && hasLoad(legal)) {
      out.add(new Code.DeclareLanes(name, type, Expr.zero(type)));
      out.add(new Code.AssignLanes(name, legal, mask.name()));
    } else {
      out.add(new Code.DeclareLanes(name, type, legal));
    }
  }

  // Expressions

  private static boolean hasLoad(Expr e) {
    return CodeSearch.anyPartOf(e, x -> x instanceof Expr.Load);
  }

  private Expr legal(Expr e, Mask mask) {
    require(
        forms.isLegal(e, mask.name() != null && hasLoad(e)), "an expression without vector form");
    measure(e);
    return e;
  }

  /** Records the size of the values that an expression has in lanes. */
  private void measure(Expr e) {
    boolean isNarrowed = e instanceof Expr.Convert c && forms.narrowed(c) != null;
    if (!forms.varies(e) || isNarrowed) {
      return;
    }
    widest = Math.max(widest, e.type().bytes());
    switch (e) {
      case Expr.Const _, Expr.Var _, Expr.Index _, Expr.Load _, Expr.Capacity _, Expr.Tuning _ -> {}
      case Expr.Binary b -> {
        measure(b.left());
        measure(b.right());
      }
      case Expr.Unary u -> measure(u.operand());
      case Expr.Compare c -> {
        widest = Math.max(widest, c.op().type().bytes());
        measure(c.left());
        measure(c.right());
      }
      case Expr.Convert c -> measure(c.operand());
      case Expr.Apply a -> {
        if (LaneForms.usesDoubles(a.fun())) {
          widest = Math.max(widest, PrimType.F64.bytes());
        }
        a.args().forEach(this::measure);
      }
    }
  }
}
