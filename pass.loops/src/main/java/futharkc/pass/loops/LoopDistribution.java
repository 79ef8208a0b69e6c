package futharkc.pass.loops;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeCopies;
import futharkc.core.ir.imperative.CostModel;
import futharkc.core.ir.imperative.DeadCode;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.Variables;
import futharkc.core.ir.spi.Option;
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

/** The rewriting of one loop for {@link LoopDistributionPass}. */
final class LoopDistribution {
  /**
   * The minimum cost, in elementary operations, of statements before an iteration's while-loops for
   * splitting them off.
   */
  static final Option BEFORE =
      Option.integer(
          "operations-before",
          30,
          "minimum cost, in elementary operations, of statements before an iteration's"
              + " while-loops for splitting them off");

  /**
   * The minimum cost, in elementary operations, of statements after an iteration's while-loops for
   * splitting them off.
   */
  static final Option BEHIND =
      Option.integer(
          "operations-behind",
          50,
          "minimum cost, in elementary operations, of statements after an iteration's"
              + " while-loops for splitting them off");

  /** The options of the pass. */
  static final List<Option> OPTIONS =
      List.of(
          StripOptions.LONGEST,
          StripOptions.FEWEST,
          StripOptions.BYTES,
          StripOptions.SCALARS,
          BEFORE,
          BEHIND);

  private LoopDistribution() {}

  /**
   * Returns the distributed loop; null if the loop does not fit. Except for scalars between the
   * parts, no part may change data that another part uses.
   */
  static @Nullable List<Code> rewrite(Code.For loop, LoopContext around) {
    return rewrite(loop, around, c -> c instanceof Code.While);
  }

  /**
   * Returns the distributed loop, as above.
   *
   * @param isApart a test for the loops that are to be a part of their own
   */
  static @Nullable List<Code> rewrite(Code.For loop, LoopContext around, Predicate<Code> isApart) {
    boolean fits =
        loop.order() instanceof Code.Order.Independent || loop.order().equals(Code.Order.UNKNOWN);
    if (!fits || !around.isOnOneThread()) {
      return null;
    }
    NameSource names = around.names();
    Poly from = loop.from().poly();
    Poly to = loop.to().poly();
    if (from == null || to == null) {
      return null;
    }
    List<Part> parts = parts(loop, around, isApart);
    if (parts.size() < 2 || carries(parts, around)) {
      return null;
    }
    Map<Name, PrimType> between = between(parts);
    if (between == null || between.size() > around.number(StripOptions.SCALARS)) {
      return null;
    }
    Code header = new Code.For(loop.index(), loop.type(), loop.from(), loop.to(), List.of());
    Set<Name> bounds = Variables.readBy(List.of(header));
    if (!Collections.disjoint(bounds, Variables.assignedBy(loop.body()))) {
      return null;
    }

    List<Code> out = new ArrayList<>();
    List<Expanded> expanded = new ArrayList<>();
    int longest = StripMineInterchange.longest(between.values(), StripOptions.LONGEST, around);
    Code.Declare room =
        StripMineInterchange.room(names.fresh("room"), to.minus(from), longest, around);
    out.add(room);
    Expr lanes = Expr.i64(room.name());
    between.forEach(
        (n, type) -> expanded.add(new Expanded(n, type, around.expand(type, lanes, out))));
    Name strip = names.fresh("strip");
    Name begin = names.fresh("begin");
    Name end = names.fresh("end");
    Poly next = Poly.of(begin).plus(Poly.of(longest));
    List<Code> body = new ArrayList<>();
    body.add(
        new Code.Declare(
            begin, PrimType.I64, new Expr.Index(from.plus(Poly.of(strip).times(longest)))));
    body.add(
        new Code.Declare(
            end, PrimType.I64, Expr.binary(BinOp.Kind.SMIN, new Expr.Index(next), loop.to())));
    Set<Name> known = new HashSet<>();
    for (int k = 0; k < parts.size(); k++) {
      Part part = parts.get(k);
      List<Part> later = parts.subList(k + 1, parts.size());
      Name index = part.isCopied ? names.fresh(loop.index()) : loop.index();
      Poly at = Poly.of(index).minus(Poly.of(begin));
      List<Code> code = new ArrayList<>();
      for (Expanded l : expanded) {
        if (known.contains(l.scalar) && part.used.containsKey(l.scalar)) {
          code.add(new Code.Declare(l.scalar, l.type, new Expr.Load(l.block, l.type, at)));
        }
      }
      code.addAll(part.code);
      for (Expanded l : expanded) {
        if (part.changed.contains(l.scalar)
            && later.stream().anyMatch(p -> p.used.containsKey(l.scalar))) {
          code.add(new Code.Store(l.block, l.type, at, new Expr.Var(l.scalar, l.type)));
          known.add(l.scalar);
        }
      }
      if (part.isCopied) {
        Set<Name> own = new HashSet<>();
        for (Code.Variable v : Variables.declaredBy(code)) {
          own.add(v.name());
        }
        Map<Name, Poly> copy = CodeCopies.fresh(own, names);
        copy.put(loop.index(), Poly.of(index));
        code = CodeCopies.sideBySide(code, List.of(copy));
      }
      body.add(loop.within(index, Expr.i64(begin), Expr.i64(end), code));
    }
    Expr strips = StripMineInterchange.count(to.minus(from), longest);
    out.add(loop.within(strip, Expr.i64(0), strips, body));
    around.remark("distributed the loop over " + loop.index() + " at its inner loops");
    return out;
  }

  /** A scalar between the parts, and the array of its values in a strip. */
  private record Expanded(Name scalar, PrimType type, Name block) {}

  /**
   * A part of an iteration.
   *
   * @param code the statements
   * @param isCopied true if the part's variables are renamed
   * @param used the variables that the part uses and does not declare
   * @param changed the variables that the part declares or assigns
   */
  private record Part(
      List<Code> code, boolean isCopied, Map<Name, Code.Variable> used, Set<Name> changed) {
    static Part of(List<Code> code, boolean isCopied) {
      Map<Name, Code.Variable> used = new LinkedHashMap<>();
      for (Code.Variable v : Variables.usedBy(code, Set.of())) {
        used.put(v.name(), v);
      }
      Set<Name> changed = new HashSet<>(Variables.assignedBy(code));
      for (Code.Variable v : Variables.declaredBy(code)) {
        changed.add(v.name());
      }
      return new Part(code, isCopied, used, changed);
    }
  }

  /**
   * Returns the loops that are apart as one part, and the code before and after them as further
   * parts if they are large enough.
   */
  private static List<Part> parts(Code.For loop, LoopContext around, Predicate<Code> isApart) {
    List<Code> body = loop.body();
    int last = -1;
    int before = 0;
    for (int i = 0; i < body.size(); i++) {
      if (isApart.test(body.get(i))) {
        last = i;
      }
      if (before == i && body.get(i) instanceof Code.Declare d && d.value() != null) {
        before++;
      }
    }
    if (last < 0) {
      return List.of();
    }
    // A declaration without operations stays with the loop that it initialises.
    while (before > 0 && operations(body.subList(before - 1, before), loop.index(), around) == 0) {
      before--;
    }
    if (operations(body.subList(0, before), loop.index(), around) < around.number(BEFORE)) {
      before = 0;
    }
    // Dead scalars would need a block, so they are removed.
    List<Code> rest = body.subList(last + 1, body.size());
    List<Code> behind = DeadCode.without(rest, Variables.assignedBy(rest));
    boolean isSplit =
        CodeCopies.canCopy(behind)
            && operations(behind, loop.index(), around) >= around.number(BEHIND);
    List<Part> parts = new ArrayList<>();
    if (before > 0) {
      parts.add(Part.of(body.subList(0, before), true));
    }
    parts.add(Part.of(body.subList(before, isSplit ? last + 1 : body.size()), false));
    if (isSplit) {
      parts.add(Part.of(behind, true));
    }
    return parts;
  }

  private static long operations(List<Code> code, Name index, LoopContext around) {
    return new CostModel(around.machine())
        .cost(code, Set.of(index)).terms().values().stream().mapToLong(x -> x).sum();
  }

  /**
   * Returns the scalars that parts use of earlier parts; null if they use anything else of them.
   */
  private static @Nullable Map<Name, PrimType> between(List<Part> parts) {
    Map<Name, PrimType> scalars = new HashMap<>();
    Set<Name> changed = new HashSet<>();
    Map<Name, PrimType> between = new LinkedHashMap<>();
    for (Part p : parts) {
      for (Code.Variable v : p.used.values()) {
        if (!changed.contains(v.name())) {
          continue;
        }
        PrimType type = scalars.get(v.name());
        if (type == null) {
          return null;
        }
        between.put(v.name(), type);
      }
      for (Code c : p.code) {
        if (c instanceof Code.Declare d) {
          scalars.put(d.name(), d.type());
        }
      }
      changed.addAll(p.changed);
    }
    return between;
  }

  /**
   * Tests whether an iteration may use data that a later part of the previous iteration has
   * changed.
   */
  private static boolean carries(List<Part> parts, LoopContext around) {
    for (int i = 0; i < parts.size(); i++) {
      for (int j = i + 1; j < parts.size(); j++) {
        if (carries(parts.get(i), parts.get(j), around)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean carries(Part first, Part second, LoopContext around) {
    Set<Name> changedBehind = Variables.assignedBy(second.code);
    Set<Name> written = written(first.code);
    written.addAll(written(second.code));
    Collection<Code.Variable> behind = second.used.values();
    for (Code.Variable v : first.used.values()) {
      if (changedBehind.contains(v.name())) {
        return true;
      }
      if (!v.isBlock()) {
        continue;
      }
      for (Code.Variable w : behind) {
        boolean shared = w.isBlock() && around.mayAlias(v.name(), w.name());
        if (shared && (written.contains(v.name()) || written.contains(w.name()))) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns the blocks that code may write. */
  static Set<Name> written(List<Code> code) {
    Set<Name> blocks = new HashSet<>();
    written(code, blocks);
    return blocks;
  }

  private static void written(List<Code> code, Set<Name> blocks) {
    for (Code c : code) {
      switch (c) {
        case Code.Declare d -> {}
        case Code.Assign a -> {}
        case Code.Assert a -> {}
        case Code.CheckCancelled x -> {}
        case Code.Trace t -> {}
        case Code.Store s -> blocks.add(s.block());
        case Code.CopyRun r -> blocks.add(r.to());
        case Code.FillRun r -> blocks.add(r.block());
        case Code.MapRun r -> blocks.add(r.to());
        case Code.If i -> {
          written(i.then(), blocks);
          written(i.otherwise(), blocks);
        }
        case Code.For f -> written(f.body(), blocks);
        case Code.While w -> written(w.body(), blocks);
        case Code.Scope s -> written(s.body(), blocks);
        case Code.Locked l -> written(l.body(), blocks);
        default -> {
          for (Code.Variable v : Variables.usedBy(List.of(c), Set.of())) {
            blocks.add(v.name());
          }
        }
      }
    }
  }
}
