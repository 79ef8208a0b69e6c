package futharkc.core.language.check;

import futharkc.core.language.syntax.PrimType;
import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.MetaType;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The text form of types for messages. */
public final class TypePrinter {
  private final boolean withSizes;
  private final Set<TypeVar> within = Collections.newSetFromMap(new IdentityHashMap<>());

  /**
   * The names in a message, by their text, in the order of their first occurrence; null outside a
   * message.
   */
  private final @Nullable Map<String, List<Name>> named;

  /** The existential sizes that are shown as empty brackets. */
  private final Set<Name> anonymous = new HashSet<>();

  /** The parameters in function types, which correspond to each other and have no numbers. */
  private final Set<Name> parameters = new HashSet<>();

  private TypePrinter(boolean withSizes) {
    this(withSizes, null);
  }

  private TypePrinter(boolean withSizes, @Nullable Map<String, List<Name>> named) {
    this.withSizes = withSizes;
    this.named = named;
  }

  /**
   * Returns a text with types in which different sizes have different names: sizes of one name are
   * numbered in the order of their first occurrence, such as {@code d₁} and {@code d₂}. A size that
   * a function's result has only once is shown as empty brackets.
   *
   * @param text makes the text with the given printer; called twice
   */
  static String message(Function<TypePrinter, String> text) {
    TypePrinter printer = new TypePrinter(true, new HashMap<>());
    var unused = text.apply(printer);
    return text.apply(printer);
  }

  /** Returns a text with types, for a message that is not about their sizes. */
  static String unnumbered(Function<TypePrinter, String> text) {
    return text.apply(new TypePrinter(true));
  }

  /** Returns the text of a type in a message. */
  String of(Type t) {
    return type(t, 0);
  }

  /** Returns the text of a result type in a message. */
  String of(Type.Result r) {
    return result(r);
  }

  /** Returns the text of a size in a message. */
  String of(Type.Size s) {
    return size(s);
  }

  /** Returns the text of a name in a message. */
  String of(Name n) {
    if (named == null || parameters.contains(n)) {
      return n.base();
    }
    List<Name> same = named.computeIfAbsent(n.base(), _ -> new ArrayList<>());
    int number = same.indexOf(n) + 1;
    if (number == 0) {
      same.add(n);
      number = same.size();
    }
    return same.size() == 1 ? n.base() : n.base() + subscript(number);
  }

  /** Returns the names in the message so far that have a number, in the order of their numbers. */
  List<Name> numbered() {
    return named == null
        ? List.of()
        : named.values().stream().filter(same -> same.size() > 1).flatMap(List::stream).toList();
  }

  private static String subscript(int number) {
    return Integer.toString(number)
        .chars()
        .mapToObj(c -> Character.toString(c - '0' + '\u2080'))
        .collect(Collectors.joining());
  }

  /** Returns the text of a type with sizes. */
  public static String show(Type t) {
    return new TypePrinter(true).type(t, 0);
  }

  /**
   * Returns the text of a type with empty brackets for sizes, which the first pass does not know.
   */
  static String unsized(Type t) {
    return new TypePrinter(false).type(t, 0);
  }

  /** Returns the text of a result type with its existential sizes. */
  public static String show(Type.Result r) {
    return new TypePrinter(true).result(r);
  }

  static String show(Type.Size s) {
    return new TypePrinter(true).size(s);
  }

  private static String unique(boolean u) {
    return u ? "*" : "";
  }

  private String result(Type.Result r) {
    if (!withSizes || r.sizes().isEmpty()) {
      return type(r.type(), 0);
    }
    if (named != null && r.sizes().stream().allMatch(n -> Positions.isOneDimension(n, r.type()))) {
      anonymous.addAll(r.sizes());
      return type(r.type(), 0);
    }
    return "?"
        + r.sizes().stream().map(n -> "[" + of(n) + "]").collect(Collectors.joining())
        + "."
        + type(r.type(), 0);
  }

  /**
   * Returns the text of a type. At precedence 0, function types have no parentheses; at precedence
   * 1, sum types have none; at precedence 2, all compound types have parentheses.
   */
  private String type(Type t, int prec) {
    return switch (t) {
      case Type.Prim p -> p.type().toString();
      case Type.Array a ->
          unique(a.unique()) + "[" + (withSizes ? size(a.size()) : "") + "]" + type(a.elem(), 2);
      case Type.Record r -> record(r);
      case Type.Sum s -> parens(prec > 1, sum(s.variants()));
      case Type.Fun f -> {
        String from = type(f.from(), 1);
        if (f.param() != null && withSizes) {
          parameters.add(f.param());
          from = "(" + of(f.param()) + ": " + type(f.from(), 0) + ")";
        }
        yield parens(prec > 0, from + " -> " + result(f.result()));
      }
      case Type.Named n -> {
        String args =
            n.args().stream()
                .map(
                    a ->
                        switch (a) {
                          case Type.Arg.OfSize s -> " [" + (withSizes ? size(s.size()) : "") + "]";
                          case Type.Arg.OfType o -> " " + type(o.type(), 3);
                        })
                .collect(Collectors.joining());
        yield unique(n.unique()) + parens(prec > 2 && !args.isEmpty(), n.name().base() + args);
      }
      case MetaType m -> {
        Type p = TypeVar.prune(m);
        if (!(p instanceof TypeVar v)) {
          yield type(p, prec);
        }
        // In a program with errors, the constraints of an unknown can contain the unknown itself.
        if (!within.add(v)) {
          yield "...";
        }
        String s = var(v, prec);
        within.remove(v);
        yield s;
      }
    };
  }

  private String var(TypeVar v, int prec) {
    if (v.fields != null) {
      return "{..., "
          + v.fields.entrySet().stream()
              .map(e -> e.getKey() + ": " + type(e.getValue(), 0))
              .collect(Collectors.joining(", "))
          + "}";
    }
    if (v.variants != null) {
      return "... | " + sum(v.variants);
    }
    if (v.prims != 0 && Integer.bitCount(v.prims) == 1) {
      return PrimType.values()[Integer.numberOfTrailingZeros(v.prims)].toString();
    }
    if (v.prims == 0) {
      return "_";
    }
    String kind =
        v.prims == TypeVar.FLOATS ? "float" : v.prims == TypeVar.INTEGERS ? "integer" : "number";
    return parens(prec > 1, "any " + kind);
  }

  private static String parens(boolean needed, String s) {
    return needed ? "(" + s + ")" : s;
  }

  private String record(Type.Record r) {
    List<Type> elems = Type.tupleElems(r);
    if (elems != null) {
      return elems.stream().map(e -> type(e, 0)).collect(Collectors.joining(", ", "(", ")"));
    }
    return r.fields().entrySet().stream()
        .map(e -> e.getKey() + ": " + type(e.getValue(), 0))
        .collect(Collectors.joining(", ", "{", "}"));
  }

  private String sum(Map<String, List<Type>> variants) {
    return variants.entrySet().stream()
        .map(
            e ->
                "#"
                    + e.getKey()
                    + e.getValue().stream()
                        .map(p -> " " + type(p, 2))
                        .collect(Collectors.joining()))
        .collect(Collectors.joining(" | "));
  }

  private String size(Type.Size s) {
    return switch (s) {
      case Type.Size.Const c -> Long.toString(c.value());
      case Type.Size.Var v -> anonymous.contains(v.name()) ? "" : of(v.name());
      case Type.Size.Of o -> exp(o.exp(), 0);
      case Type.Size.Any a -> "";
    };
  }

  private String exp(Exp e, int prec) {
    return switch (e) {
      case Exp.Lit l ->
          l.prim() == PrimType.BOOL
              ? String.valueOf(l.bits() != 0)
              : l.prim().isFloat()
                  ? Double.longBitsToDouble(l.bits()) + l.prim().toString()
                  : l.bits() + (l.prim() == PrimType.I64 ? "" : l.prim().toString());
      case Exp.StringLit s ->
          "\"" + new String(s.bytes(), java.nio.charset.StandardCharsets.UTF_8) + "\"";
      case Exp.Var v -> of(v.name());
      case Exp.Hole h -> "???";
      case Exp.Record r -> {
        boolean tuple = r.type() instanceof Type.Record t && Type.tupleElems(t) != null;
        yield r.fields().entrySet().stream()
            .map(f -> (tuple ? "" : f.getKey() + " = ") + exp(f.getValue(), 0))
            .collect(Collectors.joining(", ", tuple ? "(" : "{", tuple ? ")" : "}"));
      }
      case Exp.ArrayLit a ->
          a.elems().stream().map(x -> exp(x, 0)).collect(Collectors.joining(", ", "[", "]"));
      case Exp.Project p -> exp(p.exp(), 9) + "." + p.field();
      case Exp.Apply a -> {
        if (a.fun() instanceof Exp.Var f
            && a.args().size() == 2
            && !Character.isJavaIdentifierStart(f.name().base().charAt(0))) {
          yield parens(
              prec > 1,
              exp(a.args().get(0), 2) + " " + f.name().base() + " " + exp(a.args().get(1), 2));
        }
        yield parens(
            prec > 7,
            exp(a.fun(), 8)
                + a.args().stream().map(x -> " " + exp(x, 8)).collect(Collectors.joining()));
      }
      case Exp.Constr c ->
          parens(
              prec > 7,
              "#"
                  + c.name()
                  + c.args().stream().map(x -> " " + exp(x, 8)).collect(Collectors.joining()));
      case Exp.BinOp b -> {
        int p = precedence(b.op());
        yield parens(prec > p, exp(b.left(), p) + " " + b.op().text + " " + exp(b.right(), p + 1));
      }
      case Exp.UnOp u -> (u.op() == Exp.Un.NEGATE ? "-" : "!") + exp(u.exp(), 8);
      case Exp.And a -> parens(prec > 0, exp(a.left(), 1) + " && " + exp(a.right(), 1));
      case Exp.Or o -> parens(prec > 0, exp(o.left(), 1) + " || " + exp(o.right(), 1));
      case Exp.Coerce c -> parens(prec > 0, exp(c.exp(), 1) + " :> " + c.text());
      case Exp.Range r -> parens(prec > 0, exp(r.start(), 1) + "..." + exp(r.end(), 1));
      case Exp.Index i ->
          exp(i.array(), 9)
              + i.dims().stream()
                  .map(
                      d ->
                          switch (d) {
                            case Exp.Dim.Fix f -> exp(f.index(), 0);
                            case Exp.Dim.Slice s ->
                                (s.start() == null ? "" : exp(s.start(), 1))
                                    + ":"
                                    + (s.end() == null ? "" : exp(s.end(), 1))
                                    + (s.stride() == null ? "" : ":" + exp(s.stride(), 1));
                          })
                  .collect(Collectors.joining(", ", "[", "]"));
      case Exp.If i ->
          parens(
              prec > 0,
              "if "
                  + exp(i.cond(), 0)
                  + " then "
                  + exp(i.then(), 0)
                  + " else "
                  + exp(i.otherwise(), 0));
      case Exp.Assert a -> parens(prec > 0, "assert " + exp(a.cond(), 8) + " " + exp(a.exp(), 8));
      case Exp.Attributed a -> exp(a.exp(), prec);
      case Exp.With w -> "(... with ...)";
      case Exp.Let l -> "(let ...)";
      case Exp.Match m -> "(match ...)";
      case Exp.Loop l -> "(loop ...)";
      case Exp.Lambda l -> "(\\... -> ...)";
    };
  }

  private static int precedence(Exp.Op op) {
    return switch (op) {
      case EQ, NEQ, LT, LE, GT, GE -> 1;
      case AND, OR, XOR -> 2;
      case SHL, SHR -> 3;
      case ADD, SUB -> 4;
      case MUL, DIV, MOD, QUOT, REM -> 5;
      case POW -> 6;
    };
  }
}
