package futharkc.core.language.format;

import static futharkc.core.language.grammar.FutharkParser.COMMA;
import static futharkc.core.language.grammar.FutharkParser.LBRACKET;
import static futharkc.core.language.grammar.FutharkParser.MINUS;
import static futharkc.core.language.grammar.FutharkParser.RBRACKET;

import futharkc.core.language.grammar.FutharkParser.*;
import futharkc.core.language.parser.ParseTree;
import futharkc.core.language.parser.SequenceBuilder;
import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.TerminalNode;

/** The layout of expressions. */
final class ExpressionLayout {
  private final Output out;
  private final TypeLayout types;
  private final PatternLayout pats;
  private final SequenceBuilder<SyntaxNode> sequences =
      new SequenceBuilder<>(new SyntaxNode.Builder());

  ExpressionLayout(Output out) {
    this.out = out;
    this.types = new TypeLayout(out, this);
    this.pats = new PatternLayout(out, types);
  }

  TypeLayout types() {
    return types;
  }

  PatternLayout pats() {
    return pats;
  }

  void exp(ExpContext c) {
    write(node(c));
  }

  /** Returns an expression with resolved operators. */
  SyntaxNode node(ExpContext c) {
    return sequences.build(c.sequence(), c.typing());
  }

  private void sequence(SequenceContext c) {
    write(sequences.build(c, List.of()));
  }

  private void write(SyntaxNode node) {
    out.node(node.span(), () -> content(node));
  }

  private void aligned(SyntaxNode node) {
    out.align(() -> write(node));
  }

  /** Writes the content of an expression, after its comments. */
  private void content(SyntaxNode node) {
    switch (node) {
      case SyntaxNode.Atom a -> atom(a.atom(), a.atom().postfix().size());
      case SyntaxNode.Match m -> match(m.match());
      case SyntaxNode.Apply a -> apply(a);
      case SyntaxNode.Unary u -> {
        out.text(u.operator());
        if (u.operand() instanceof SyntaxNode.Unary) {
          out.space();
        }
        write(u.operand());
      }
      case SyntaxNode.Binary b -> {
        aligned(b.left());
        out.line();
        out.text(b.operator().getText());
        out.space();
        aligned(b.right());
      }
      case SyntaxNode.Updates u -> {
        write(u.source());
        out.space();
        out.align(() -> updates(u.updates()));
      }
      case SyntaxNode.Range r -> {
        write(r.parts().getFirst());
        for (int i = 0; i < r.dots().size(); i++) {
          out.text(r.dots().get(i).getText());
          write(r.parts().get(i + 1));
        }
      }
      case SyntaxNode.Let l -> let(l);
      case SyntaxNode.Lambda l -> lambda(l);
      case SyntaxNode.Prefixed p -> prefixed(p);
      case SyntaxNode.Typed t -> {
        write(t.exp());
        out.line();
        out.text(t.typing().COLON() != null ? ": " : ":> ");
        out.align(() -> types.type(t.typing().typeExp()));
      }
    }
  }

  private void updates(List<SyntaxNode.Update> updates) {
    boolean first = true;
    for (SyntaxNode.Update u : updates) {
      if (!first) {
        out.line();
      }
      first = false;
      out.text("with ");
      path(u.path().access());
      out.text(" = ");
      write(u.value());
    }
  }

  /** Writes the path of an update. The first component needs no dot. */
  private void path(List<AccessContext> path) {
    for (int i = 0; i < path.size(); i++) {
      AccessContext c = path.get(i);
      if (c.dims() != null) {
        dims(c.dims(), Span.of(c.getStop()));
        continue;
      }
      // Without the dot, two adjacent numbers would be a float.
      boolean number = c.NAT() != null && i + 1 < path.size() && path.get(i + 1).NAT() != null;
      out.text((i > 0 || number ? "." : "") + c.getStop().getText());
    }
  }

  // Application

  private void apply(SyntaxNode.Apply a) {
    write(a.fun());
    out.space();
    if (isConstructor(a.fun())) {
      out.align(() -> lines(a.args()));
      return;
    }
    int line = a.args().getFirst().span().line();
    boolean multi = a.args().stream().anyMatch(x -> x.span().line() != line);
    out.layout(
        multi,
        () -> {
          if (multi) {
            out.align(() -> lines(a.args()));
          } else {
            lines(a.args());
          }
        });
  }

  private static boolean isConstructor(SyntaxNode node) {
    return node instanceof SyntaxNode.Atom a
        && a.atom().CONSTRUCTOR() != null
        && a.atom().postfix().isEmpty();
  }

  private void lines(List<SyntaxNode> nodes) {
    boolean first = true;
    for (SyntaxNode n : nodes) {
      if (!first) {
        out.line();
      }
      first = false;
      write(n);
    }
  }

  // Prefixes

  private void prefixed(SyntaxNode.Prefixed p) {
    PrefixContext c = p.prefix();
    if (c.IF() != null) {
      out.text("if ");
      exp(c.exp(0));
      out.line();
      out.text("then ");
      aligned(node(c.exp(1)));
      out.line();
      out.text("else ");
      if (isConditional(p.body())) {
        write(p.body());
      } else {
        aligned(p.body());
      }
    } else if (c.LOOP() != null) {
      loop(c, p.body());
    } else if (c.ASSERT() != null) {
      out.text("assert ");
      write(new SyntaxNode.Atom(c.atom(), Span.of(c.atom())));
      out.line();
      write(p.body());
    } else {
      out.align(
          () -> {
            types.attribute(c.attribute());
            out.line();
            write(p.body());
          });
    }
  }

  private static boolean isConditional(SyntaxNode node) {
    return node instanceof SyntaxNode.Prefixed p && p.prefix().IF() != null;
  }

  private void loop(PrefixContext c, SyntaxNode body) {
    LoopFormContext form = c.loopForm();
    Span pat = Span.of(c.pat());
    out.text("loop ");
    if (c.EQ() == null) {
      out.layout(
          pat.to(formStart(form)),
          () -> {
            pats.pat(c.pat());
            out.line();
            form(form);
          });
    } else {
      SyntaxNode init = node(c.exp(0));
      out.align(
          () ->
              binding(
                  pat.to(init.span()),
                  () -> {
                    pats.pat(c.pat());
                    out.text(" =");
                  },
                  () -> aligned(init)));
      out.line();
      form(form);
    }
    out.line();
    out.indent(() -> write(body));
  }

  /** Returns the range of the first component of a loop's form. */
  private Span formStart(LoopFormContext c) {
    if (c.WHILE() != null) {
      return node(c.exp()).span();
    }
    return c.ID() != null ? Span.of(c.ID().getSymbol()) : Span.of(c.pat());
  }

  private void form(LoopFormContext c) {
    if (c.WHILE() != null) {
      out.text("while ");
    } else if (c.ID() != null) {
      out.text("for " + c.ID().getText() + " < ");
    } else {
      out.text("for ");
      pats.pat(c.pat());
      out.text(" in ");
    }
    exp(c.exp());
    out.text(" do");
  }

  private void lambda(SyntaxNode.Lambda l) {
    LambdaContext c = l.lambda();
    out.text("\\");
    boolean first = true;
    for (ParamContext p : c.param()) {
      if (!first) {
        out.space();
      }
      first = false;
      pats.param(p);
    }
    if (c.typeTerm() != null) {
      out.text(" : ");
      types.term(c.typeTerm());
    }
    out.space();
    out.nest(
        () -> {
          out.text("->");
          out.line();
          write(l.body());
        });
  }

  private void match(MatchContext c) {
    out.text("match ");
    exp(c.exp());
    for (MatchCaseContext m : c.matchCase()) {
      out.line();
      out.node(
          Span.of(m),
          () -> {
            out.text("case ");
            pats.pat(m.casePat());
            out.text(" ->");
            out.line();
            out.indent(() -> exp(m.exp()));
          });
    }
  }

  // Bindings

  /** Writes the bindings one after the other, since a chain can be long. */
  private void let(SyntaxNode.Let l) {
    for (LetBindingContext b : l.bindings()) {
      Span span = Span.of(b).to(l.span());
      out.node(span, () -> binding(b));
      out.layout(span, out::line);
    }
    out.node(
        l.body().span(),
        () -> {
          out.text("in ");
          aligned(l.body());
        });
  }

  private void binding(LetBindingContext c) {
    SyntaxNode value = node(c.exp());
    if (c.pat() != null) {
      binding(
          Span.of(c.pat()).to(value.span()),
          () -> {
            out.text("let ");
            for (SizeBinderContext s : c.sizeBinder()) {
              types.typeParam(s);
            }
            if (!c.sizeBinder().isEmpty()) {
              out.space();
            }
            pats.pat(c.pat());
            out.text(" =");
          },
          () -> write(value));
    } else if (!c.letAccess().isEmpty()) {
      binding(
          value.span(),
          () -> {
            out.text("let " + c.ID().getText());
            for (LetAccessContext a : c.letAccess()) {
              if (a.dims() != null) {
                dims(a.dims(), Span.of(a.getStop()));
              } else {
                out.text(a.getText());
              }
            }
            out.text(" =");
          },
          () -> write(value));
    } else {
      binding(value.span(), () -> localFunction(c), () -> write(value));
    }
  }

  private void localFunction(LetBindingContext c) {
    out.text("let " + c.ID().getText());
    List<ParserRuleContext> typeParams = new ArrayList<>();
    if (c.localSizeParam() != null) {
      typeParams.add(c.localSizeParam());
    }
    if (c.typeTypeParam() != null) {
      typeParams.add(c.typeTypeParam());
    }
    typeParams.addAll(c.typeParam());
    for (ParserRuleContext p : typeParams) {
      out.space();
      types.typeParam(p);
    }
    for (ParamContext p : c.param()) {
      out.space();
      pats.param(p);
    }
    if (c.typeExp() != null) {
      out.text(": ");
      types.type(c.typeExp());
    }
    out.text(" =");
  }

  /**
   * Writes a binding. The value follows on the same line if the binding has one line, and else
   * begins on its own line.
   */
  private void binding(Span span, Runnable left, Runnable value) {
    boolean breaks = out.breaks(span);
    left.run();
    if (breaks) {
      out.newLine();
      out.alwaysIndent(() -> out.align(value));
    } else {
      out.space();
      value.run();
    }
  }

  // Atoms

  /** Writes an operand with the first of its postfixes. */
  private void atom(AtomContext c, int postfixes) {
    if (postfixes == 0) {
      primary(c);
      return;
    }
    PostfixContext last = c.postfix(postfixes - 1);
    Span span = Span.of(c).to(Span.of(last));
    out.layout(
        span,
        () -> {
          atom(c, postfixes - 1);
          if (last.dims() != null) {
            index(last.dims(), Span.of(last.getStop()));
          } else if (last.exp() != null) {
            out.text(".(");
            out.align(() -> exp(last.exp()));
            out.close(")", Span.of(last.getStop()));
          } else {
            out.text(last.getText());
          }
        });
  }

  private void primary(AtomContext c) {
    Token token = c.getStart();
    if (c.paren() != null) {
      paren(c.paren());
    } else if (c.array() != null) {
      List<SyntaxNode> elements = c.array().exp().stream().map(this::node).toList();
      Span end = Span.of(c.array().getStop());
      Brackets.list(out, "[", elements, this::aligned, "]", Span.of(c.array()), end);
    } else if (c.record() != null) {
      Span end = Span.of(c.record().getStop());
      Brackets.list(out, "{", c.record().field(), this::field, "}", Span.of(c.record()), end);
    } else {
      List<Token> tokens = ParseTree.tokensOf(token);
      if (tokens.size() > 1) {
        constants(tokens, 0);
      } else {
        out.text(token.getText());
      }
    }
  }

  /**
   * Writes an array of constants.
   *
   * @param start the index of the opening bracket
   * @return the index after the closing bracket
   */
  private int constants(List<Token> tokens, int start) {
    List<List<Token>> elements = new ArrayList<>();
    int i = start + 1;
    while (tokens.get(i).getType() != RBRACKET) {
      int end = endOfConstant(tokens, i);
      elements.add(tokens.subList(i, end));
      i = tokens.get(end).getType() == COMMA ? end + 1 : end;
    }
    Span end = Span.of(tokens.get(i));
    Brackets.list(
        out,
        "[",
        elements,
        e -> out.align(() -> constant(e)),
        "]",
        Span.of(tokens.get(start)).to(end),
        end);
    return i + 1;
  }

  private void constant(List<Token> tokens) {
    out.node(
        Span.of(tokens.getFirst(), tokens.getLast()),
        () -> {
          if (isBracket(tokens.getFirst())) {
            constants(tokens, 0);
          } else {
            tokens.forEach(t -> out.text(t.getText()));
          }
        });
  }

  private static boolean isBracket(Token token) {
    return token.getType() == LBRACKET;
  }

  private static int endOfConstant(List<Token> tokens, int start) {
    if (!isBracket(tokens.get(start))) {
      return tokens.get(start).getType() == MINUS ? start + 2 : start + 1;
    }
    int depth = 0;
    int i = start;
    do {
      if (isBracket(tokens.get(i))) {
        depth++;
      } else if (tokens.get(i).getType() == RBRACKET) {
        depth--;
      }
      i++;
    } while (depth > 0);
    return i;
  }

  private void field(FieldContext c) {
    Span span = Span.of(c);
    String name = c.getStart().getText();
    out.node(
        span,
        () -> {
          if (c.exp() == null) {
            out.text(name);
          } else {
            SyntaxNode value = node(c.exp());
            binding(span, () -> out.text(name + " ="), () -> out.indent(() -> write(value)));
          }
        });
  }

  private void paren(ParenContext c) {
    Span end = Span.of(c.getStop());
    if (!c.sectionAccess().isEmpty()) {
      out.text("(");
      for (SectionAccessContext a : c.sectionAccess()) {
        sectionAccess(a);
      }
      out.close(")", end);
    } else if (c.operator() != null || c.MINUS() != null) {
      section(c, end);
    } else if (c.COMMA().isEmpty()) {
      out.text("(");
      if (c.sequence() != null) {
        out.align(() -> write(sequences.build(c.sequence(), c.typing())));
      }
      out.close(")", end);
    } else {
      List<SyntaxNode> elements = new ArrayList<>();
      elements.add(sequences.build(c.sequence(), c.typing()));
      c.exp().forEach(e -> elements.add(node(e)));
      Brackets.list(out, "(", elements, this::aligned, ")", Span.of(c), end);
    }
  }

  private void section(ParenContext c, Span end) {
    String operator = c.operator() != null ? c.operator().getText() : "-";
    out.text("(");
    if (c.sequence() == null) {
      out.text(operator);
    } else if (c.getChild(1) instanceof SequenceContext left) {
      sequence(left);
      out.text(" " + operator);
    } else {
      out.text(operator + " ");
      sequence(c.sequence());
    }
    out.close(")", end);
  }

  private void sectionAccess(SectionAccessContext c) {
    if (c.dims() == null) {
      out.text(c.getText());
    } else {
      out.text(c.DOT() == null ? "" : ".");
      dims(c.dims(), Span.of(c.getStop()));
    }
  }

  // Indices

  private void dims(DimsContext c, Span end) {
    out.layout(false, () -> index(c, end));
  }

  /** Writes indices. In a construct of several lines, each index has its own line. */
  private void index(DimsContext c, Span end) {
    out.text("[");
    boolean first = true;
    for (DimContext d : c.dim()) {
      if (!first) {
        if (out.isMultiLine()) {
          out.newLine();
          out.text(",");
        } else {
          out.text(", ");
        }
      }
      first = false;
      dim(d);
    }
    out.close("]", end);
  }

  private void dim(DimContext c) {
    for (var child : c.children) {
      switch (child) {
        case SequenceContext s -> sequence(s);
        case TerminalNode t -> out.text(t.getText());
        default -> throw new IllegalStateException("in an index: " + c.getText());
      }
    }
  }
}
