package futharkc.tests.kit.source;

import futharkc.tests.kit.source.Expressions.Value;
import futharkc.tests.kit.source.SourceScope.Var;
import futharkc.tests.kit.source.SourceType.Prim;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A generator of random loops and branches, and of operations on the results of branches. */
final class RandomControl {
  private final Bindings bindings;
  private final Expressions exps;
  private final RandomStatements statements;

  RandomControl(Bindings bindings, RandomStatements statements) {
    this.bindings = bindings;
    this.exps = bindings.exps;
    this.statements = statements;
  }

  private String count(SourceScope s) {
    return exps.chance(0.5) ? "" + exps.random.nextInt(4) : exps.one(s.sizes);
  }

  /** Makes a loop over scalars and arrays that consumes none of the arrays. */
  @Nullable Binding loop(SourceScope s, int depth) {
    if (depth <= 0) {
      return null;
    }
    Var v = exps.chance(0.7) ? bindings.array(s) : null;
    SourceType scalar = exps.prim();
    SourceType t = v == null ? scalar : new SourceType.Tuple(List.of(scalar, v.type()));
    Value first = exps.value(s, scalar, 2);
    SourceScope inner = s.nested();
    String x = inner.name();
    inner.add(x, scalar, Set.of());
    String names = x;
    Object start = first.tree();
    if (v != null) {
      String y = inner.name();
      inner.add(y, v.type(), inner.foreign());
      names = "(" + x + ", " + y + ": " + v.type().text() + ")";
      start = Tree.piece("(", first.tree(), ", " + v.name() + ")");
    }
    String head;
    Var over = exps.chance(0.4) ? bindings.array(s) : null;
    String i = inner.name();
    if (over == null) {
      inner.add(i, Prim.I64, Set.of());
      head = " for " + i + " < " + count(s) + " do ";
    } else {
      Set<Integer> roots = new HashSet<>(inner.foreign());
      roots.addAll(over.roots());
      inner.add(i, Bindings.type(over).element(), roots);
      head = " for " + i + " in " + over.name() + " do ";
    }
    Value body = statements.block(inner, t, 1 + exps.random.nextInt(3), depth - 1);
    Tree value = Tree.of(t, "loop " + names + " = ", start, head, body.tree());
    if (v == null) {
      return bindings.bound(s, value, Set.of());
    }
    Set<Integer> roots = new HashSet<>(s.fresh());
    roots.addAll(v.roots());
    roots.addAll(inner.exported(body.roots()));
    // The rows of the array that the loop iterates over must not be consumed.
    if (over != null) {
      roots.addAll(s.foreign());
    }
    String a = s.name();
    String b = s.name();
    s.add(a, scalar, Set.of());
    s.add(b, v.type(), roots);
    return new Binding("(" + a + ", " + b + ")", value);
  }

  /** Makes a loop that updates its array in place. */
  @Nullable Binding loopInPlace(SourceScope s, int depth) {
    if (depth <= 0) {
      return null;
    }
    Var v = bindings.array(s);
    if (v == null) {
      return null;
    }
    String count = count(s);
    Tree first = bindings.consumed(s, v);
    SourceScope inner = s.nested();
    String x = inner.name();
    inner.add(x, v.type(), inner.fresh());
    String i = inner.name();
    inner.add(i, Prim.I64, Set.of());
    Tree body = statements.uniqueBlock(inner, v.type(), 1 + exps.random.nextInt(3), depth - 1);
    return bindings.bound(
        s,
        Tree.of(
            v.type(),
            "loop (" + x + ": *" + v.type().text() + ") = ",
            first,
            " for " + i + " < " + count + " do ",
            body));
  }

  @Nullable Binding whileLoop(SourceScope s, int depth) {
    if (depth <= 0) {
      return null;
    }
    Var v = bindings.array(s);
    if (v == null) {
      return null;
    }
    Tree first = bindings.consumed(s, v);
    SourceScope inner = s.nested();
    String x = inner.name();
    String i = inner.name();
    inner.add(i, Prim.I64, Set.of());
    inner.add(x, v.type(), inner.fresh());
    Tree condition = exps.chance(0.5) ? exps.scalar(inner, Prim.BOOL, 1) : Tree.piece("true");
    Tree body = statements.uniqueBlock(inner, v.type(), 1 + exps.random.nextInt(2), depth - 1);
    SourceType.Tuple t = new SourceType.Tuple(List.of(Prim.I64, v.type()));
    Tree value =
        Tree.of(
            t,
            "loop (" + i + ", " + x + ": *" + v.type().text() + ") = (0, ",
            first,
            ") while " + i + " < " + (1 + exps.random.nextInt(4)) + " && ",
            condition,
            " do (" + i + " + 1, ",
            body,
            ")");
    return bindings.boundParts(s, value, t);
  }

  @Nullable Binding branch(SourceScope s, int depth) {
    if (depth <= 0) {
      return null;
    }
    return branches(
        s, depth, Tree.piece("if ", exps.scalar(s, Prim.BOOL, 2), " then "), List.of(" else "));
  }

  @Nullable Binding match(SourceScope s, int depth) {
    if (depth <= 0) {
      return null;
    }
    return branches(
        s,
        depth,
        Tree.piece("match ", Tree.of(Prim.I64, exps.scalar(s, Prim.I64, 2), " % 3"), " case 0 -> "),
        List.of(" case 1 -> ", " case _ -> "));
  }

  private Binding branches(SourceScope s, int depth, Tree head, List<String> separators) {
    Var v = exps.chance(0.75) ? bindings.array(s) : null;
    SourceType t = v == null ? exps.prim() : v.type();
    List<Object> parts = new ArrayList<>();
    parts.add(head);
    Set<Integer> roots = new HashSet<>();
    List<SourceScope> taken = new ArrayList<>();
    for (int i = 0; i <= separators.size(); i++) {
      if (i > 0) {
        parts.add(separators.get(i - 1));
      }
      SourceScope inner = s.branch();
      Value body = statements.block(inner, t, exps.random.nextInt(3), depth - 1);
      parts.add(body.tree());
      roots.addAll(inner.exported(body.roots()));
      taken.add(inner);
    }
    taken.forEach(s::joinConsumed);
    roots.addAll(s.fresh());
    return bindings.bound(s, Tree.of(t, parts.toArray()), roots);
  }

  /** Makes an operation on the array that a branch returns; the sizes of both sides may differ. */
  @Nullable Binding overBranches(SourceScope s, int depth) {
    Var v = bindings.array(s);
    Var w = exps.chance(0.7) ? v : bindings.array(s);
    if (depth <= 0 || v == null || w == null) {
      return null;
    }
    SourceType element = exps.prim();
    boolean sameSize = Bindings.type(v).size().equals(Bindings.type(w).size());
    SourceType.Array made = new SourceType.Array(element, Bindings.type(v).size());
    Tree first = made(s, v, element, depth);
    Tree second =
        exps.chance(0.2)
            ? Tree.piece("(", choice(s, w, w, element, depth), ")")
            : made(s, w, element, depth);
    Tree array = Tree.piece("(", choice(s, first, second), ")");
    if (exps.chance(0.4)) {
      return bindings.bound(
          s, Tree.of(element, "reduce " + exps.associative(element) + " ", array), Set.of());
    }
    boolean scan = exps.chance(0.3);
    SourceType result = scan ? element : exps.prim();
    Tree operation =
        scan
            ? Tree.piece("scan " + exps.associative(element) + " ")
            : Tree.piece("map ", exps.lambda(s, List.of(element), result, depth - 1), " ");
    return sameSize
        ? bindings.bound(s, Tree.of(new SourceType.Array(result, made.size()), operation, array))
        : bindings.existential(s, result, operation, array);
  }

  private Tree choice(SourceScope s, Var v, Var w, SourceType element, int depth) {
    return choice(s, made(s, v, element, depth), made(s, w, element, depth));
  }

  private Tree choice(SourceScope s, Tree a, Tree b) {
    return Tree.piece("if ", exps.scalar(s, Prim.BOOL, 1), " then ", a, " else ", b);
  }

  /** Returns a new array of the same size as another array, or the other array itself. */
  private Tree made(SourceScope s, Var v, SourceType element, int depth) {
    if (Bindings.type(v).element().equals(element) && exps.chance(0.3)) {
      return Tree.atom(v.type(), v.name());
    }
    Tree f = exps.lambda(s, List.of(Bindings.type(v).element()), element, depth - 1);
    return Tree.piece("map ", f, " " + v.name());
  }
}
