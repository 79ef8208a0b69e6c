package futharkc.core.language.parser;

import futharkc.core.language.syntax.Attr;
import futharkc.core.language.syntax.Dec;
import futharkc.core.language.syntax.Exp;
import futharkc.core.language.syntax.Exp.Access;
import futharkc.core.language.syntax.Exp.DimIndex;
import futharkc.core.language.syntax.ModExp;
import futharkc.core.language.syntax.Pat;
import futharkc.core.language.syntax.PrimType;
import futharkc.core.language.syntax.QualName;
import futharkc.core.language.syntax.SigExp;
import futharkc.core.language.syntax.SourceFile;
import futharkc.core.language.syntax.TypeExp;
import futharkc.core.language.syntax.TypeParam;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A printer of syntax trees that makes all grouping explicit by parentheses. */
final class SyntaxPrinter {
  private SyntaxPrinter() {}

  static String print(SourceFile file) {
    // Without a documentation comment of the file, that of the first declaration would become the
    // file's.
    String doc =
        file.doc() == null && file.decs().isEmpty()
            ? ""
            : doc(file.doc() == null ? "" : file.doc());
    return doc + "\n" + all(file.decs(), SyntaxPrinter::dec, "\n") + "\n";
  }

  private static <T> String all(List<T> list, Function<T, String> f, String separator) {
    return list.stream().map(f).collect(Collectors.joining(separator));
  }

  private static <T> String each(List<T> list, Function<T, String> f) {
    return list.stream().map(x -> " " + f.apply(x)).collect(Collectors.joining());
  }

  private static String doc(@Nullable String doc) {
    return doc == null ? "" : "-- | " + doc.replace("\n", "\n-- ") + "\n";
  }

  private static String dec(Dec dec) {
    return switch (dec) {
      case Dec.Val v ->
          doc(v.doc())
              + all(v.attrs(), a -> attr(a) + "\n", "")
              + (v.entry() ? "entry " : "def ")
              + binder(v.name())
              + each(v.typeParams(), SyntaxPrinter::typeParam)
              + each(v.params(), SyntaxPrinter::pat)
              + ascription(v.result())
              + " = "
              + exp(v.body());
      case Dec.Type t ->
          doc(t.doc()) + typeHead(t.liftedness(), t.name(), t.params()) + " = " + type(t.type());
      case Dec.Mod m ->
          doc(m.doc())
              + "module "
              + m.name()
              + each(m.params(), SyntaxPrinter::param)
              + (m.sig() == null ? "" : " : " + sig(m.sig()))
              + " = "
              + mod(m.body());
      case Dec.Sig s -> doc(s.doc()) + "module type " + s.name() + " = " + sig(s.sig());
      case Dec.Open o -> "open " + mod(o.mod());
      case Dec.Import i -> "import \"" + i.path() + "\"";
      case Dec.Local l -> "local " + dec(l.dec());
    };
  }

  private static String typeHead(TypeParam.Liftedness l, String name, List<TypeParam> params) {
    String sign =
        switch (l) {
          case UNLIFTED -> "";
          case SIZE_LIFTED -> "~";
          case LIFTED -> "^";
        };
    return "type" + sign + " " + name + each(params, SyntaxPrinter::typeParam);
  }

  private static String typeParam(TypeParam param) {
    return switch (param) {
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

  private static String binder(String name) {
    return Character.isLetter(name.charAt(0)) || name.charAt(0) == '_' ? name : "(" + name + ")";
  }

  private static String ascription(@Nullable TypeExp type) {
    return type == null ? "" : " : " + type(type);
  }

  static String attr(Attr attr) {
    return "#[" + attrBody(attr) + "]";
  }

  private static String attrBody(Attr attr) {
    return switch (attr) {
      case Attr.Atom a -> a.name();
      case Attr.Int i -> String.valueOf(i.value());
      case Attr.Compound c -> c.name() + "(" + all(c.args(), SyntaxPrinter::attrBody, ", ") + ")";
    };
  }

  private static String param(ModExp.Param p) {
    return "(" + p.name() + ": " + sig(p.sig()) + ")";
  }

  private static String mod(ModExp mod) {
    return switch (mod) {
      case ModExp.Var v -> v.name().toString();
      case ModExp.Import i -> "(import \"" + i.path() + "\")";
      case ModExp.Decs d -> "{\n" + all(d.decs(), SyntaxPrinter::dec, "\n") + "\n}";
      case ModExp.Apply a -> "(" + mod(a.functor()) + " " + mod(a.arg()) + ")";
      case ModExp.Ascript a -> "(" + mod(a.mod()) + " : " + sig(a.sig()) + ")";
      case ModExp.Lambda l ->
          "(\\"
              + param(l.param())
              + (l.result() == null ? "" : " : (" + sig(l.result()) + ")")
              + " -> "
              + mod(l.body())
              + ")";
    };
  }

  private static String sig(SigExp sig) {
    return switch (sig) {
      case SigExp.Var v -> v.name().toString();
      case SigExp.Specs s -> "{\n" + all(s.specs(), SyntaxPrinter::spec, "\n") + "\n}";
      case SigExp.With w ->
          "(("
              + sig(w.sig())
              + ") with "
              + w.name()
              + each(w.params(), SyntaxPrinter::typeParam)
              + " = "
              + type(w.type())
              + ")";
      case SigExp.Arrow a ->
          "(("
              + (a.param() == null ? "" : a.param() + ": ")
              + sig(a.from())
              + ") -> "
              + sig(a.to())
              + ")";
    };
  }

  private static String spec(SigExp.Spec spec) {
    return switch (spec) {
      case SigExp.Spec.Val v ->
          doc(v.doc())
              + "val "
              + binder(v.name())
              + each(v.typeParams(), SyntaxPrinter::typeParam)
              + " : "
              + type(v.type());
      case SigExp.Spec.AbstractType t ->
          doc(t.doc()) + typeHead(t.liftedness(), t.name(), t.params());
      case SigExp.Spec.TypeAbbr t -> dec(t.dec());
      case SigExp.Spec.Mod m -> doc(m.doc()) + "module " + m.name() + " : " + sig(m.sig());
      case SigExp.Spec.Include i -> "include " + sig(i.sig());
    };
  }

  private static String type(TypeExp type) {
    return switch (type) {
      case TypeExp.Named n ->
          n.args().isEmpty()
              ? n.name().toString()
              : "(" + n.name() + each(n.args(), SyntaxPrinter::typeArg) + ")";
      case TypeExp.Tuple t -> "(" + all(t.elems(), SyntaxPrinter::type, ", ") + ")";
      case TypeExp.Record r ->
          "{" + all(r.fields(), f -> f.name() + ": " + type(f.type()), ", ") + "}";
      case TypeExp.Array a -> "(" + size(a.size()) + type(a.elem()) + ")";
      case TypeExp.Unique u -> "(*" + type(u.type()) + ")";
      case TypeExp.Fun f ->
          "("
              + (f.param() == null ? type(f.from()) : "(" + f.param() + ": " + type(f.from()) + ")")
              + " -> "
              + type(f.to())
              + ")";
      case TypeExp.Sum s ->
          "("
              + all(
                  s.variants(), v -> "#" + v.name() + each(v.payload(), SyntaxPrinter::type), " | ")
              + ")";
      case TypeExp.Exists e ->
          "(?" + all(e.sizes(), s -> "[" + s + "]", "") + "." + type(e.type()) + ")";
    };
  }

  private static String typeArg(TypeExp.Arg arg) {
    return switch (arg) {
      case TypeExp.Arg.OfSize s -> size(s.size());
      case TypeExp.Arg.OfType t -> type(t.type());
    };
  }

  private static String size(TypeExp.Size size) {
    return switch (size) {
      case TypeExp.Size.Any a -> "[]";
      case TypeExp.Size.Of e -> "[" + exp(e.exp()) + "]";
    };
  }

  private static String pat(Pat pat) {
    return switch (pat) {
      case Pat.Var v -> binder(v.name());
      case Pat.Wildcard w -> "_";
      case Pat.Tuple t -> "(" + all(t.elems(), SyntaxPrinter::pat, ", ") + ")";
      case Pat.Record r ->
          "{"
              + all(r.fields(), f -> f.name() + (f.pat() == null ? "" : " = " + pat(f.pat())), ", ")
              + "}";
      case Pat.Literal l -> "(" + (l.negated() ? "-" : "") + literal(l.literal()) + ")";
      case Pat.Constr c -> "(#" + c.name() + each(c.payload(), SyntaxPrinter::pat) + ")";
      case Pat.Ascript a -> "(" + pat(a.pat()) + " : " + type(a.type()) + ")";
      case Pat.Attributed a -> "(" + attr(a.attr()) + " " + pat(a.pat()) + ")";
    };
  }

  private static String literal(Exp literal) {
    return switch (literal) {
      case Exp.IntLit i -> i.value() + suffix(i.suffix());
      case Exp.FloatLit f -> f.text() + suffix(f.suffix());
      case Exp.BoolLit b -> String.valueOf(b.value());
      default -> throw new IllegalArgumentException(literal.toString());
    };
  }

  private static String suffix(@Nullable PrimType suffix) {
    return suffix == null ? "" : suffix.toString();
  }

  private static String string(String text) {
    var out = new StringBuilder("\"");
    text.codePoints().forEach(c -> out.append("\\x").append(Integer.toHexString(c)).append("\\&"));
    return out.append('"').toString();
  }

  private static String operator(QualName name) {
    char last = name.name().charAt(0);
    return Character.isLetter(last) || last == '_' ? "`" + name + "`" : name.toString();
  }

  static String exp(Exp exp) {
    return switch (exp) {
      case Exp.IntLit l -> literal(l);
      case Exp.FloatLit l -> literal(l);
      case Exp.BoolLit l -> literal(l);
      case Exp.StringLit s -> string(s.value());
      case Exp.Var v -> v.name().toString();
      case Exp.Hole h -> "???";
      case Exp.Paren p -> "(" + exp(p.exp()) + ")";
      case Exp.Tuple t -> "(" + all(t.elems(), SyntaxPrinter::exp, ", ") + ")";
      case Exp.Record r ->
          "{"
              + all(r.fields(), f -> f.name() + (f.exp() == null ? "" : " = " + exp(f.exp())), ", ")
              + "}";
      case Exp.ArrayLit a -> "[" + all(a.elems(), SyntaxPrinter::exp, ", ") + "]";
      case Exp.Project p -> "(" + exp(p.exp()) + ")." + p.field();
      case Exp.OpenIn o -> o.module() + ".(" + exp(o.exp()) + ")";
      case Exp.Apply a -> "((" + exp(a.fun()) + ")" + each(a.args(), SyntaxPrinter::paren) + ")";
      case Exp.Constr c -> "(#" + c.name() + each(c.args(), SyntaxPrinter::paren) + ")";
      case Exp.Negate n -> "(-" + paren(n.exp()) + ")";
      case Exp.Not n -> "(!" + paren(n.exp()) + ")";
      case Exp.BinOp b -> "(" + exp(b.left()) + " " + operator(b.op()) + " " + exp(b.right()) + ")";
      case Exp.Ascript a -> "(" + exp(a.exp()) + " : " + type(a.type()) + ")";
      case Exp.Coerce a -> "(" + exp(a.exp()) + " :> " + type(a.type()) + ")";
      case Exp.Range r ->
          "("
              + paren(r.start())
              + (r.second() == null ? "" : ".." + paren(r.second()))
              + switch (r.kind()) {
                case INCLUSIVE -> "...";
                case UP_TO -> "..<";
                case DOWN_TO -> "..>";
              }
              + paren(r.end())
              + ")";
      case Exp.Index i -> "(" + exp(i.array()) + ")[" + dims(i.dims()) + "]";
      case Exp.With w ->
          "("
              + paren(w.src())
              + " with "
              + all(w.path(), SyntaxPrinter::access, "")
              + " = "
              + paren(w.value())
              + ")";
      case Exp.Let l ->
          "(" + all(l.bindings(), SyntaxPrinter::binding, "\n") + "\nin " + exp(l.body()) + ")";
      case Exp.If i ->
          "(if " + exp(i.cond()) + " then " + exp(i.then()) + " else " + exp(i.otherwise()) + ")";
      case Exp.Match m ->
          "(match "
              + exp(m.exp())
              + each(m.cases(), c -> "case " + pat(c.pat()) + " -> " + exp(c.body()))
              + ")";
      case Exp.Loop l ->
          "(loop "
              + pat(l.pat())
              + (l.init() == null ? "" : " = " + exp(l.init()))
              + " "
              + form(l.form())
              + " do "
              + exp(l.body())
              + ")";
      case Exp.Lambda l ->
          "(\\"
              + all(l.params(), SyntaxPrinter::pat, " ")
              + ascription(l.result())
              + " -> "
              + exp(l.body())
              + ")";
      case Exp.OpSection s -> "(" + operator(s.op()) + ")";
      case Exp.LeftSection s -> "(" + paren(s.left()) + " " + operator(s.op()) + ")";
      case Exp.RightSection s -> "(" + operator(s.op()) + " " + paren(s.right()) + ")";
      case Exp.AccessSection s ->
          "(" + all(s.path(), a -> (a instanceof Access.Elem ? "." : "") + access(a), "") + ")";
      case Exp.Assert a -> "(assert " + paren(a.cond()) + " " + exp(a.exp()) + ")";
      case Exp.Attributed a -> "(" + attr(a.attr()) + " " + exp(a.exp()) + ")";
    };
  }

  private static String paren(Exp exp) {
    return "(" + exp(exp) + ")";
  }

  private static String form(Exp.LoopForm form) {
    return switch (form) {
      case Exp.LoopForm.For f -> "for " + f.index() + " < " + exp(f.bound());
      case Exp.LoopForm.ForIn f -> "for " + pat(f.pat()) + " in " + exp(f.array());
      case Exp.LoopForm.While w -> "while " + exp(w.cond());
    };
  }

  private static String binding(Exp.Binding binding) {
    return switch (binding) {
      case Exp.Binding.OfPat b ->
          "let "
              + all(b.sizes(), s -> "[" + s.name() + "] ", "")
              + pat(b.pat())
              + " = "
              + exp(b.value());
      case Exp.Binding.OfFun b ->
          "let "
              + b.name()
              + each(b.typeParams(), SyntaxPrinter::typeParam)
              + each(b.params(), SyntaxPrinter::pat)
              + ascription(b.result())
              + " = "
              + exp(b.body());
      case Exp.Binding.OfUpdate b ->
          "let " + b.name() + all(b.path(), SyntaxPrinter::access, "") + " = " + exp(b.value());
    };
  }

  private static String access(Access access) {
    return switch (access) {
      case Access.Field f -> "." + f.name();
      case Access.Elem e -> "[" + dims(e.dims()) + "]";
    };
  }

  private static String dims(List<DimIndex> dims) {
    return all(dims, SyntaxPrinter::dim, ", ");
  }

  private static String dim(DimIndex dim) {
    return switch (dim) {
      case DimIndex.Fix f -> paren(f.index());
      case DimIndex.Slice s ->
          optional(s.start())
              + ":"
              + optional(s.end())
              + (s.stride() == null ? "" : ":" + paren(s.stride()));
    };
  }

  private static String optional(@Nullable Exp exp) {
    return exp == null ? "" : paren(exp);
  }
}
