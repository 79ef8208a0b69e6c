package futharkc.core.language.parser;

import futharkc.core.ir.Loc;
import futharkc.core.language.Diagnostic;
import futharkc.core.language.DiagnosticException;
import futharkc.core.language.grammar.FutharkParser.*;
import futharkc.core.language.syntax.Exp;
import futharkc.core.language.syntax.Pat;
import futharkc.core.language.syntax.TypeExp;
import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.TerminalNode;
import org.jspecify.annotations.Nullable;

/** The builder of patterns from their parse trees. */
final class PatBuilder {
  private final Sources sources;
  private final LiteralParser literals;
  private final TypeBuilder types;

  PatBuilder(Sources sources, LiteralParser literals, TypeBuilder types) {
    this.sources = sources;
    this.literals = literals;
    this.types = types;
  }

  Pat pat(PatContext c) {
    TypeExp type = c.typeExp() == null ? null : types.type(c.typeExp());
    return annotated(c.patBody(), type, c.attribute());
  }

  Pat pat(CasePatContext c) {
    TypeExp type = c.typeTerm() == null ? null : types.term(c.typeTerm());
    return annotated(c.patBody(), type, c.attribute());
  }

  private Pat annotated(PatBodyContext body, @Nullable TypeExp type, List<AttributeContext> attrs) {
    Pat result = body(body);
    if (type != null) {
      result = new Pat.Ascript(result, type, result.loc().to(type.loc()));
    }
    for (AttributeContext a : attrs.reversed()) {
      Loc loc = sources.loc(a).to(result.loc());
      result = new Pat.Attributed(DecBuilder.attribute(a), result, loc);
    }
    return result;
  }

  private Pat body(PatBodyContext c) {
    if (c.negativeLiteral() != null) {
      return negative(c.negativeLiteral());
    }
    if (c.simplePat() != null) {
      return simple(c.simplePat());
    }
    List<Pat> payload = new ArrayList<>();
    for (InnerPatContext p : c.innerPat()) {
      payload.add(inner(p));
    }
    Token constructor = c.CONSTRUCTOR().getSymbol();
    Loc loc = sources.loc(constructor);
    if (!payload.isEmpty()) {
      loc = loc.to(payload.getLast().loc());
    }
    return new Pat.Constr(constructor.getText().substring(1), List.copyOf(payload), loc);
  }

  List<Pat> params(List<ParamContext> cs) {
    List<Pat> result = new ArrayList<>();
    for (ParamContext c : cs) {
      result.add(param(c));
    }
    return List.copyOf(result);
  }

  Pat param(ParamContext c) {
    return c.CONSTRUCTOR() != null ? constructor(c.CONSTRUCTOR()) : simple(c.simplePat());
  }

  /** Returns the name of an operator that a definition binds. */
  String binder(BindingOperatorContext c) {
    if (c.BANG() != null) {
      throw new DiagnosticException(
          "E0113",
          sources.loc(c),
          "'!' is a prefix operator and cannot be used as infix operator.");
    }
    if (c.MINUS() != null) {
      return "-";
    }
    OperatorContext operator = c.operator();
    String text = operator.qualName() != null ? operator.qualName().getText() : operator.getText();
    boolean qualified =
        operator.QUALIFIED_OPERATOR() != null || operator.qualName() != null && text.contains(".");
    if (qualified) {
      throw new DiagnosticException(
          "E0114", sources.loc(c), "Cannot use a qualified name in binding position.");
    }
    return text;
  }

  private Pat inner(InnerPatContext c) {
    if (c.CONSTRUCTOR() != null) {
      return constructor(c.CONSTRUCTOR());
    }
    if (c.negativeLiteral() != null) {
      return negative(c.negativeLiteral());
    }
    return simple(c.simplePat());
  }

  private Pat constructor(TerminalNode c) {
    Token token = c.getSymbol();
    return new Pat.Constr(token.getText().substring(1), List.of(), sources.loc(token));
  }

  private Pat negative(NegativeLiteralContext c) {
    return new Pat.Literal(literal(c.getStop()), true, sources.loc(c));
  }

  private Exp literal(Token token) {
    Exp literal = literals.of(token);
    if (literal == null) {
      throw new IllegalStateException("no literal: " + token.getText());
    }
    return literal;
  }

  private Pat simple(SimplePatContext c) {
    Loc loc = sources.loc(c);
    if (c.ID() != null) {
      return new Pat.Var(c.ID().getText(), loc);
    }
    if (c.UNDERSCORE() != null) {
      return new Pat.Wildcard(loc);
    }
    if (c.bindingOperator() != null) {
      return new Pat.Var(binder(c.bindingOperator()), loc);
    }
    if (c.LPAR() != null) {
      return parenthesised(c, loc);
    }
    if (c.LCURLY() != null) {
      return record(c, loc);
    }
    return new Pat.Literal(literal(c.getStart()), false, loc);
  }

  private Pat parenthesised(SimplePatContext c, Loc loc) {
    if (c.pat().size() == 1) {
      if (c.COMMA().isEmpty()) {
        return pat(c.pat(0));
      }
      throw new DiagnosticException(
          Diagnostic.error("E0112", loc, "A tuple cannot have exactly one component."));
    }
    List<Pat> elems = new ArrayList<>();
    for (PatContext p : c.pat()) {
      elems.add(pat(p));
    }
    return new Pat.Tuple(List.copyOf(elems), loc);
  }

  private Pat record(SimplePatContext c, Loc loc) {
    List<Pat.Field> fields = new ArrayList<>();
    for (FieldPatContext f : c.fieldPat()) {
      String name = f.getStart().getText();
      Loc nameLoc = sources.loc(f.getStart());
      Pat pat = f.pat() == null ? null : pat(f.pat());
      if (f.typeExp() != null) {
        TypeExp type = types.type(f.typeExp());
        pat = new Pat.Ascript(new Pat.Var(name, nameLoc), type, nameLoc.to(type.loc()));
      }
      fields.add(new Pat.Field(name, pat, sources.loc(f)));
    }
    return new Pat.Record(List.copyOf(fields), loc);
  }
}
