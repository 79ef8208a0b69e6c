package futharkc.core.language.format;

import static futharkc.core.language.grammar.FutharkParser.STAR;

import futharkc.core.language.grammar.FutharkParser.*;
import java.util.List;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.tree.ParseTree;
import org.antlr.v4.runtime.tree.TerminalNode;
import org.jspecify.annotations.Nullable;

/** The layout of types, type parameters and attributes. */
final class TypeLayout {
  private final Output out;
  private final ExpressionLayout exps;

  TypeLayout(Output out, ExpressionLayout exps) {
    this.out = out;
    this.exps = exps;
  }

  void type(TypeExpContext c) {
    items(c.typeItem());
  }

  /** Writes a function type whose parameters are all items but the last. */
  private void items(List<TypeItemContext> items) {
    TypeItemContext item = items.getFirst();
    Span span = Span.of(item).to(Span.of(items.getLast()));
    exists(item.exists(), span, () -> function(item, items.subList(1, items.size())));
  }

  /** Writes a type with its existential sizes {@code ?[n].t}. */
  private void exists(List<ExistsContext> prefixes, Span span, Runnable rest) {
    if (prefixes.isEmpty()) {
      rest.run();
      return;
    }
    ExistsContext first = prefixes.getFirst();
    out.node(
        Span.of(first).to(span),
        () -> {
          out.text("?");
          for (TerminalNode id : first.ID()) {
            out.text("[" + id.getText() + "]");
          }
          out.text(".");
          exists(prefixes.subList(1, prefixes.size()), span, rest);
        });
  }

  private void function(TypeItemContext item, List<TypeItemContext> rest) {
    if (rest.isEmpty()) {
      term(item.typeTerm());
      return;
    }
    Span start =
        item.typeTerm() != null ? Span.of(item.typeTerm()) : Span.of(item.LPAR().getSymbol());
    out.node(
        start.to(Span.of(rest.getLast())),
        () -> {
          if (item.typeTerm() != null) {
            term(item.typeTerm());
          } else {
            out.text("(" + item.ID().getText() + ": ");
            type(item.typeExp());
            out.close(")", Span.of(item.RPAR().getSymbol()));
          }
          out.line();
          out.text("-> ");
          if (rest.size() > 1) {
            items(rest);
          } else {
            out.align(() -> items(rest));
          }
        });
  }

  void term(TypeTermContext c) {
    prefixes(c.children, 0, c);
  }

  private void prefixes(List<ParseTree> children, int i, TypeTermContext c) {
    Span end = Span.of(c);
    switch (children.get(i)) {
      case TerminalNode t when t.getSymbol().getType() == STAR ->
          out.node(
              Span.of(t.getSymbol()).to(end),
              () -> {
                out.text("*");
                prefixes(children, i + 1, c);
              });
      case SizeContext s ->
          out.node(
              Span.of(s).to(end),
              () -> {
                size(s);
                prefixes(children, i + 1, c);
              });
      case TypeAtomContext a -> application(a, c.typeArg());
      case ParserRuleContext first -> sum(c, Span.of(first).to(end));
      default -> throw new IllegalStateException("in a type: " + c.getText());
    }
  }

  private void application(TypeAtomContext head, List<TypeArgContext> args) {
    if (args.isEmpty()) {
      atom(head);
      return;
    }
    TypeArgContext last = args.getLast();
    out.node(
        Span.of(head).to(Span.of(last)),
        () -> {
          application(head, args.subList(0, args.size() - 1));
          out.space();
          if (last.size() != null) {
            size(last.size());
          } else {
            atom(last.typeAtom());
          }
        });
  }

  private void sum(TypeTermContext c, Span span) {
    out.node(
        span,
        () -> {
          boolean multi = out.breaks(span);
          for (int i = 0; i < c.variant().size(); i++) {
            if (i > 0) {
              if (multi) {
                out.newLine();
              } else {
                out.space();
              }
              out.text("| ");
            } else if (multi) {
              out.text("  ");
            }
            variant(c.variant(i));
          }
        });
  }

  private void variant(VariantContext c) {
    out.text(c.CONSTRUCTOR().getText());
    for (TypeAtomContext a : c.typeAtom()) {
      out.space();
      atom(a);
    }
    if (c.size() != null) {
      out.space();
      out.node(
          Span.of(c.size()).to(Span.of(c)),
          () -> {
            size(c.size());
            term(c.typeTerm());
          });
    }
  }

  private void atom(TypeAtomContext c) {
    Span span = Span.of(c);
    if (c.qualName() != null) {
      out.node(span, () -> out.text(c.qualName().getText()));
    } else if (c.LCURLY() != null) {
      Brackets.list(out, "{", c.fieldType(), this::field, "}", span, Span.of(c.getStop()));
    } else if (c.typeExp().size() == 1) {
      out.node(
          span,
          () -> {
            out.text("(");
            type(c.typeExp(0));
            out.close(")", Span.of(c.getStop()));
          });
    } else {
      Brackets.list(
          out,
          "(",
          c.typeExp(),
          t -> out.align(() -> type(t)),
          ")",
          span,
          Span.of(c.getStop()));
    }
  }

  private void field(FieldTypeContext c) {
    out.text(c.getStart().getText() + ": ");
    out.align(() -> type(c.typeExp()));
  }

  void size(SizeContext c) {
    out.node(
        Span.of(c),
        () -> {
          out.text("[");
          if (c.exp() != null) {
            exps.exp(c.exp());
          }
          out.close("]", Span.of(c.getStop()));
        });
  }

  // Type parameters

  /** Returns the range of a list of parameters, or null. */
  static @Nullable Span spanOf(List<? extends ParserRuleContext> list) {
    return list.isEmpty() ? null : Span.of(list.getFirst()).to(Span.of(list.getLast()));
  }

  void typeParam(ParserRuleContext c) {
    out.node(Span.of(c), () -> out.text(c.getText()));
  }

  // Attributes

  void attribute(AttributeContext c) {
    out.node(
        Span.of(c),
        () -> {
          out.text("#[");
          attributeBody(c.attributeBody());
          out.close("]", Span.of(c.getStop()));
        });
  }

  private void attributeBody(AttributeBodyContext c) {
    out.node(
        Span.of(c),
        () -> {
          out.text(c.getStart().getText());
          if (c.LPAR() == null) {
            return;
          }
          out.text("(");
          String comma = "";
          for (AttributeBodyContext a : c.attributeBody()) {
            out.text(comma);
            comma = ",";
            attributeBody(a);
          }
          out.close(")", Span.of(c.getStop()));
        });
  }
}
