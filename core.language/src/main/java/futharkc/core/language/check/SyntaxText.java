package futharkc.core.language.check;

import futharkc.core.language.syntax.Exp;
import futharkc.core.language.syntax.Pat;
import futharkc.core.language.syntax.TypeExp;
import futharkc.core.language.syntax.TypeParam;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The one-line text of expressions for messages. */
final class SyntaxText {
  private static final int MAX = 80;

  private SyntaxText() {}

  /** Returns the text of an expression, abbreviated if it is long. */
  static String brief(Exp e) {
    String s = exp(e);
    return s.length() <= MAX ? s : s.substring(0, MAX) + "...";
  }

  static <T> String join(String separator, List<? extends T> parts, Function<T, String> f) {
    return parts.stream().map(f).collect(Collectors.joining(separator));
  }

  static String exp(Exp e) {
    return switch (e) {
      case Exp.IntLit i -> i.value() + (i.suffix() == null ? "" : i.suffix().toString());
      case Exp.FloatLit f -> f.text() + (f.suffix() == null ? "" : f.suffix().toString());
      case Exp.BoolLit b -> String.valueOf(b.value());
      case Exp.StringLit s -> "\"" + s.value() + "\"";
      case Exp.Var v -> v.name().toString();
      case Exp.Hole h -> "???";
      case Exp.Paren p -> "(" + exp(p.exp()) + ")";
      case Exp.Tuple t -> "(" + join(", ", t.elems(), SyntaxText::exp) + ")";
      case Exp.Record r ->
          "{"
              + join(
                  ", ",
                  r.fields(),
                  (Exp.Field f) -> f.exp() == null ? f.name() : f.name() + " = " + exp(f.exp()))
              + "}";
      case Exp.ArrayLit a -> "[" + join(", ", a.elems(), SyntaxText::exp) + "]";
      case Exp.Project p -> atom(p.exp()) + "." + p.field();
      case Exp.OpenIn o -> o.module() + ".(" + exp(o.exp()) + ")";
      case Exp.Apply a -> atom(a.fun()) + " " + join(" ", a.args(), SyntaxText::atom);
      case Exp.Constr c ->
          "#" + c.name() + (c.args().isEmpty() ? "" : " " + join(" ", c.args(), SyntaxText::atom));
      case Exp.Negate n -> "-" + atom(n.exp());
      case Exp.Not n -> "!" + atom(n.exp());
      case Exp.BinOp b ->
          operand(b.left()) + " " + op(b.op().toString()) + " " + operand(b.right());
      case Exp.Ascript a -> exp(a.exp()) + " : " + type(a.type());
      case Exp.Coerce c -> exp(c.exp()) + " :> " + type(c.type());
      case Exp.Range r ->
          operand(r.start())
              + (r.second() == null ? "" : ".." + operand(r.second()))
              + switch (r.kind()) {
                case INCLUSIVE -> "...";
                case UP_TO -> "..<";
                case DOWN_TO -> "..>";
              }
              + operand(r.end());
      case Exp.Index i -> atom(i.array()) + "[" + join(", ", i.dims(), SyntaxText::dim) + "]";
      case Exp.With w ->
          atom(w.src())
              + " with "
              + join("", w.path(), SyntaxText::access)
              + " = "
              + exp(w.value());
      case Exp.Let l -> "let ... in " + exp(l.body());
      case Exp.If i ->
          "if " + exp(i.cond()) + " then " + exp(i.then()) + " else " + exp(i.otherwise());
      case Exp.Match m -> "match " + exp(m.exp()) + " ...";
      case Exp.Loop l -> "loop " + pat(l.pat()) + " ...";
      case Exp.Lambda l ->
          "\\" + join(" ", l.params(), SyntaxText::patAtom) + " -> " + exp(l.body());
      case Exp.OpSection o -> "(" + op(o.op().toString()) + ")";
      case Exp.LeftSection s -> "(" + exp(s.left()) + " " + op(s.op().toString()) + ")";
      case Exp.RightSection s -> "(" + op(s.op().toString()) + " " + exp(s.right()) + ")";
      case Exp.AccessSection s -> "(" + join("", s.path(), SyntaxText::access) + ")";
      case Exp.Assert a -> "assert " + atom(a.cond()) + " " + atom(a.exp());
      case Exp.Attributed a -> exp(a.exp());
    };
  }

  private static String op(String name) {
    char last = name.charAt(name.length() - 1);
    return Character.isLetterOrDigit(last) || last == '_' || last == '\'' ? "`" + name + "`" : name;
  }

  private static String operand(Exp e) {
    return e instanceof Exp.Apply || e instanceof Exp.BinOp ? exp(e) : atom(e);
  }

  static String atom(Exp e) {
    return switch (e) {
      case Exp.IntLit i -> exp(i);
      case Exp.FloatLit f -> exp(f);
      case Exp.BoolLit b -> exp(b);
      case Exp.StringLit s -> exp(s);
      case Exp.Var v -> exp(v);
      case Exp.Hole h -> exp(h);
      case Exp.Paren p -> exp(p);
      case Exp.Tuple t -> exp(t);
      case Exp.Record r -> exp(r);
      case Exp.ArrayLit a -> exp(a);
      case Exp.Project p -> exp(p);
      case Exp.OpenIn o -> exp(o);
      case Exp.Index i -> exp(i);
      case Exp.OpSection o -> exp(o);
      case Exp.LeftSection s -> exp(s);
      case Exp.RightSection s -> exp(s);
      case Exp.AccessSection s -> exp(s);
      default -> "(" + exp(e) + ")";
    };
  }

  private static String dim(Exp.DimIndex d) {
    return switch (d) {
      case Exp.DimIndex.Fix f -> exp(f.index());
      case Exp.DimIndex.Slice s ->
          (s.start() == null ? "" : exp(s.start()))
              + ":"
              + (s.end() == null ? "" : exp(s.end()))
              + (s.stride() == null ? "" : ":" + exp(s.stride()));
    };
  }

  private static String access(Exp.Access a) {
    return switch (a) {
      case Exp.Access.Field f -> "." + f.name();
      case Exp.Access.Elem e -> "[" + join(", ", e.dims(), SyntaxText::dim) + "]";
    };
  }

  static String pat(Pat p) {
    return switch (p) {
      case Pat.Var v -> v.name();
      case Pat.Wildcard w -> "_";
      case Pat.Tuple t -> "(" + join(", ", t.elems(), SyntaxText::pat) + ")";
      case Pat.Record r ->
          "{"
              + join(
                  ", ",
                  r.fields(),
                  (Pat.Field f) -> f.pat() == null ? f.name() : f.name() + " = " + pat(f.pat()))
              + "}";
      case Pat.Literal l -> (l.negated() ? "-" : "") + exp(l.literal());
      case Pat.Constr c ->
          "#"
              + c.name()
              + (c.payload().isEmpty() ? "" : " " + join(" ", c.payload(), SyntaxText::patAtom));
      case Pat.Ascript a -> pat(a.pat()) + ": " + type(a.type());
      case Pat.Attributed a -> pat(a.pat());
    };
  }

  static String patAtom(Pat p) {
    return p instanceof Pat.Ascript || p instanceof Pat.Constr c && !c.payload().isEmpty()
        ? "(" + pat(p) + ")"
        : pat(p);
  }

  static String type(TypeExp t) {
    return switch (t) {
      case TypeExp.Named n ->
          n.name()
              + n.args().stream()
                  .map(
                      a ->
                          switch (a) {
                            case TypeExp.Arg.OfSize s -> " " + size(s.size());
                            case TypeExp.Arg.OfType o -> " " + typeAtom(o.type());
                          })
                  .collect(Collectors.joining());
      case TypeExp.Tuple u -> "(" + join(", ", u.elems(), SyntaxText::type) + ")";
      case TypeExp.Record r ->
          "{" + join(", ", r.fields(), (TypeExp.Field f) -> f.name() + ": " + type(f.type())) + "}";
      case TypeExp.Array a -> size(a.size()) + typeAtom(a.elem());
      case TypeExp.Unique u -> "*" + type(u.type());
      case TypeExp.Fun f ->
          (f.param() != null
                  ? "(" + f.param() + ": " + type(f.from()) + ")"
                  : f.from() instanceof TypeExp.Fun ? "(" + type(f.from()) + ")" : type(f.from()))
              + " -> "
              + type(f.to());
      case TypeExp.Sum s ->
          join(
              " | ",
              s.variants(),
              (TypeExp.Variant v) ->
                  "#"
                      + v.name()
                      + (v.payload().isEmpty()
                          ? ""
                          : " " + join(" ", v.payload(), SyntaxText::typeAtom)));
      case TypeExp.Exists x ->
          "?" + join("", x.sizes(), (String n) -> "[" + n + "]") + "." + type(x.type());
    };
  }

  private static String typeAtom(TypeExp t) {
    return switch (t) {
      case TypeExp.Fun f -> "(" + type(f) + ")";
      case TypeExp.Sum s -> "(" + type(s) + ")";
      case TypeExp.Exists x -> "(" + type(x) + ")";
      case TypeExp.Named n when !n.args().isEmpty() -> "(" + type(n) + ")";
      default -> type(t);
    };
  }

  static String size(TypeExp.Size s) {
    return switch (s) {
      case TypeExp.Size.Any a -> "[]";
      case TypeExp.Size.Of o -> "[" + exp(o.exp()) + "]";
    };
  }

  static String typeParam(TypeParam p) {
    return switch (p) {
      case TypeParam.Size s -> "[" + s.name() + "]";
      case TypeParam.Type t ->
          switch (t.liftedness()) {
                case UNLIFTED -> "'";
                case SIZE_LIFTED -> "'~";
                case LIFTED -> "'^";
              }
              + t.name();
    };
  }
}
