package futharkc.core.language.parser;

import static futharkc.core.language.grammar.FutharkParser.APOSTROPHE_HAT;
import static futharkc.core.language.grammar.FutharkParser.APOSTROPHE_TILDE;
import static futharkc.core.language.grammar.FutharkParser.STAR;

import futharkc.core.ir.Loc;
import futharkc.core.language.DiagnosticException;
import futharkc.core.language.grammar.FutharkParser.*;
import futharkc.core.language.syntax.QualName;
import futharkc.core.language.syntax.TypeExp;
import futharkc.core.language.syntax.TypeParam;
import futharkc.core.language.syntax.TypeParam.Liftedness;
import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.ParseTree;
import org.antlr.v4.runtime.tree.TerminalNode;
import org.jspecify.annotations.Nullable;

/** The builder of types and type parameters from their parse trees. */
final class TypeBuilder {
  private final Sources sources;
  private final ExpBuilder exps;

  TypeBuilder(Sources sources, ExpBuilder exps) {
    this.sources = sources;
    this.exps = exps;
  }

  TypeExp type(TypeExpContext c) {
    TypeExp result = null;
    for (TypeItemContext item : c.typeItem().reversed()) {
      result = prepend(item, result);
    }
    if (result == null) {
      throw new IllegalStateException("empty type");
    }
    return result;
  }

  private TypeExp prepend(TypeItemContext item, @Nullable TypeExp to) {
    String name = item.ID() == null ? null : item.ID().getText();
    if (name != null && to == null) {
      String message = "A named parameter is only valid to the left of '->'.";
      throw new DiagnosticException("E0115", sources.loc(item), message);
    }
    TypeExp from = name == null ? term(item.typeTerm()) : type(item.typeExp());
    Loc start = name == null ? from.loc() : sources.loc(item);
    TypeExp result = to == null ? from : new TypeExp.Fun(name, from, to, start.to(to.loc()));
    for (ExistsContext e : item.exists().reversed()) {
      List<String> sizes = new ArrayList<>();
      for (TerminalNode id : e.ID()) {
        sizes.add(id.getText());
      }
      Loc loc = sources.loc(e).to(result.loc());
      result = new TypeExp.Exists(List.copyOf(sizes), result, loc);
    }
    return result;
  }

  TypeExp term(TypeTermContext c) {
    TypeExp result = c.variant().isEmpty() ? application(c) : sum(c);
    List<ParseTree> children = c.children;
    for (int i = children.size() - 1; i >= 0; i--) {
      switch (children.get(i)) {
        case SizeContext s -> result = new TypeExp.Array(size(s), result, span(s, result));
        case TerminalNode t when t.getSymbol().getType() == STAR ->
            result = new TypeExp.Unique(result, sources.loc(t.getSymbol()).to(result.loc()));
        default -> {}
      }
    }
    return result;
  }

  private Loc span(ParserRuleContext first, TypeExp last) {
    return sources.loc(first).to(last.loc());
  }

  private TypeExp application(TypeTermContext c) {
    TypeExp head = atom(c.typeAtom(0));
    if (c.typeArg().isEmpty()) {
      return head;
    }
    if (!(head instanceof TypeExp.Named named)) {
      throw new DiagnosticException("E0116", head.loc(), "Only named types take arguments.");
    }
    List<TypeExp.Arg> args = new ArrayList<>();
    for (TypeArgContext a : c.typeArg()) {
      args.add(
          a.size() != null
              ? new TypeExp.Arg.OfSize(size(a.size()))
              : new TypeExp.Arg.OfType(atom(a.typeAtom())));
    }
    Loc loc = head.loc().to(sources.loc(c.typeArg().getLast()));
    return new TypeExp.Named(named.name(), List.copyOf(args), loc);
  }

  private TypeExp sum(TypeTermContext c) {
    if (!c.typeAtom().isEmpty()) {
      throw SyntaxErrors.noConstructor(sources, c.typeAtom(0));
    }
    List<TypeExp.Variant> variants = new ArrayList<>();
    for (VariantContext v : c.variant()) {
      List<TypeExp> payload = new ArrayList<>();
      for (TypeAtomContext a : v.typeAtom()) {
        payload.add(atom(a));
      }
      if (v.size() != null) {
        TypeExp elem = term(v.typeTerm());
        payload.add(new TypeExp.Array(size(v.size()), elem, span(v.size(), elem)));
      }
      String name = v.CONSTRUCTOR().getText().substring(1);
      variants.add(new TypeExp.Variant(name, List.copyOf(payload), sources.loc(v)));
    }
    Loc loc = variants.getFirst().loc().to(variants.getLast().loc());
    return new TypeExp.Sum(List.copyOf(variants), loc);
  }

  private TypeExp atom(TypeAtomContext c) {
    Loc loc = sources.loc(c);
    if (c.qualName() != null) {
      return new TypeExp.Named(qualName(c.qualName()), List.of(), loc);
    }
    if (c.LCURLY() != null) {
      List<TypeExp.Field> fields = new ArrayList<>();
      for (FieldTypeContext f : c.fieldType()) {
        String name = f.getStart().getText();
        fields.add(new TypeExp.Field(name, type(f.typeExp()), sources.loc(f)));
      }
      return new TypeExp.Record(List.copyOf(fields), loc);
    }
    if (c.typeExp().size() == 1) {
      if (c.COMMA().isEmpty()) {
        return type(c.typeExp(0));
      }
      throw new DiagnosticException("E0112", loc, "A tuple cannot have exactly one component.");
    }
    List<TypeExp> elems = new ArrayList<>();
    for (TypeExpContext t : c.typeExp()) {
      elems.add(type(t));
    }
    return new TypeExp.Tuple(List.copyOf(elems), loc);
  }

  private TypeExp.Size size(SizeContext c) {
    return c.exp() == null
        ? new TypeExp.Size.Any(sources.loc(c))
        : new TypeExp.Size.Of(exps.exp(c.exp()));
  }

  QualName qualName(QualNameContext c) {
    if (c.ID().size() == 1) {
      return QualName.of(c.getText());
    }
    List<String> names = new ArrayList<>();
    for (TerminalNode id : c.ID()) {
      names.add(id.getText());
    }
    return new QualName(names.subList(0, names.size() - 1), names.getLast());
  }

  List<TypeParam> typeParams(List<TypeParamContext> cs) {
    List<TypeParam> result = new ArrayList<>();
    for (TypeParamContext c : cs) {
      result.add(
          c.RBRACKET() != null
              ? new TypeParam.Size(c.ID().getText(), sources.loc(c))
              : typeParam(c));
    }
    return List.copyOf(result);
  }

  /** Builds a type parameter {@code 't}, {@code '~t} or {@code '^t}. */
  TypeParam typeParam(ParserRuleContext c) {
    Token quote = c.getStart();
    Liftedness liftedness =
        switch (quote.getType()) {
          case APOSTROPHE_TILDE -> Liftedness.SIZE_LIFTED;
          case APOSTROPHE_HAT -> Liftedness.LIFTED;
          default -> Liftedness.UNLIFTED;
        };
    return new TypeParam.Type(liftedness, c.getStop().getText(), sources.loc(c));
  }

  static Liftedness liftedness(@Nullable LiftednessContext c) {
    if (c == null) {
      return Liftedness.UNLIFTED;
    }
    return c.TILDE() != null ? Liftedness.SIZE_LIFTED : Liftedness.LIFTED;
  }
}
