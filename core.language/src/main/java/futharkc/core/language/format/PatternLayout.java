package futharkc.core.language.format;

import futharkc.core.language.grammar.FutharkParser.*;
import java.util.List;
import org.antlr.v4.runtime.ParserRuleContext;

/** The layout of patterns and parameters. */
final class PatternLayout {
  private final Output out;
  private final TypeLayout types;

  PatternLayout(Output out, TypeLayout types) {
    this.out = out;
    this.types = types;
  }

  void pat(PatContext c) {
    annotated(
        c.attribute(),
        Span.of(c),
        () -> {
          if (c.typeExp() == null) {
            body(c.patBody());
          } else {
            typed(c.patBody(), () -> types.type(c.typeExp()), Span.of(c));
          }
        });
  }

  void pat(CasePatContext c) {
    annotated(
        c.attribute(),
        Span.of(c),
        () -> {
          if (c.typeTerm() == null) {
            body(c.patBody());
          } else {
            typed(c.patBody(), () -> types.term(c.typeTerm()), Span.of(c));
          }
        });
  }

  private void annotated(List<AttributeContext> attributes, Span span, Runnable rest) {
    if (attributes.isEmpty()) {
      rest.run();
      return;
    }
    AttributeContext first = attributes.getFirst();
    out.node(
        Span.of(first).to(span),
        () -> {
          types.attribute(first);
          out.space();
          annotated(attributes.subList(1, attributes.size()), span, rest);
        });
  }

  private void typed(PatBodyContext body, Runnable type, Span end) {
    out.node(
        Span.of(body).to(end),
        () -> {
          body(body);
          out.text(": ");
          type.run();
        });
  }

  private void body(PatBodyContext c) {
    if (c.simplePat() != null) {
      simple(c.simplePat());
    } else if (c.negativeLiteral() != null) {
      text(c.negativeLiteral());
    } else {
      out.node(
          Span.of(c),
          () -> {
            out.text(c.CONSTRUCTOR().getText());
            if (c.innerPat().isEmpty()) {
              return;
            }
            out.line();
            out.align(
                () -> {
                  boolean first = true;
                  for (InnerPatContext p : c.innerPat()) {
                    if (!first) {
                      out.line();
                    }
                    first = false;
                    inner(p);
                  }
                });
          });
    }
  }

  private void inner(InnerPatContext c) {
    if (c.simplePat() != null) {
      simple(c.simplePat());
    } else {
      text(c);
    }
  }

  void param(ParamContext c) {
    if (c.simplePat() != null) {
      simple(c.simplePat());
    } else {
      text(c);
    }
  }

  private void text(ParserRuleContext c) {
    out.node(Span.of(c), () -> out.text(c.getText()));
  }

  private void simple(SimplePatContext c) {
    Span span = Span.of(c);
    Span end = Span.of(c.getStop());
    if (c.bindingOperator() != null) {
      out.node(span, () -> out.text(binder(c.bindingOperator())));
    } else if (c.LCURLY() != null) {
      Brackets.list(out, "{", c.fieldPat(), this::field, "}", span, end);
    } else if (c.LPAR() == null) {
      text(c);
    } else if (c.pat().size() == 1) {
      out.node(
          span,
          () -> {
            out.text("(");
            out.align(() -> pat(c.pat(0)));
            out.lineIfMulti();
            out.close(")", end);
          });
    } else {
      Brackets.list(out, "(", c.pat(), this::pat, ")", span, end);
    }
  }

  private void field(FieldPatContext c) {
    String name = c.getStart().getText();
    if (c.pat() != null) {
      explicitField(c, name);
    } else if (c.typeExp() != null) {
      out.text(name + ": ");
      types.type(c.typeExp());
    } else {
      out.node(Span.of(c), () -> out.text(name));
    }
  }

  private void explicitField(FieldPatContext c, String name) {
    if (out.breaks(Span.of(c))) {
      out.text(name + " =");
      out.line();
      out.alwaysIndent(() -> out.align(() -> pat(c.pat())));
    } else {
      out.text(name + " = ");
      pat(c.pat());
    }
  }

  /** Returns the name that a definition binds: an operator is in parentheses. */
  static String binder(BindingOperatorContext c) {
    if (c.operator() != null && c.operator().qualName() != null) {
      return c.operator().qualName().getText();
    }
    return "(" + c.getText() + ")";
  }
}
