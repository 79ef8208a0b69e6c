package futharkc.core.language.format;

import futharkc.core.language.grammar.FutharkParser.*;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.TerminalNode;
import org.jspecify.annotations.Nullable;

/** The layout of declarations and specifications. */
final class DeclarationLayout {
  private final Output out;
  private final ExpressionLayout exps;
  private final TypeLayout types;
  private final PatternLayout pats;
  private final ModuleLayout modules;

  DeclarationLayout(Output out) {
    this.out = out;
    this.exps = new ExpressionLayout(out);
    this.types = exps.types();
    this.pats = exps.pats();
    this.modules = new ModuleLayout(out, types, this);
  }

  // Lists

  /** Writes declarations. Declarations of one line on adjacent lines stay adjacent. */
  void decs(List<DecContext> decs) {
    separated(decs, DeclarationLayout::spanOf, this::dec);
  }

  /** Writes the declarations of a module in curly brackets. */
  void body(List<DecContext> decs, Span end) {
    inBraces(
        () -> decs(decs), decs.isEmpty() ? null : spanOf(decs.getLast()), end);
  }

  /** Writes specifications in curly brackets. */
  void specs(List<SpecContext> specs, Span end) {
    inBraces(
        () -> separated(specs, DeclarationLayout::spanOf, this::spec),
        specs.isEmpty() ? null : spanOf(specs.getLast()),
        end);
  }

  private void inBraces(Runnable content, @Nullable Span last, Span end) {
    out.text("{");
    out.lineIfMulti();
    out.indent(
        () -> {
          content.run();
          out.commentsAtEnd(end, last);
        });
    out.lineIfMulti();
    out.text("}");
  }

  private <T extends ParserRuleContext> void separated(List<T> list, Function<T, Span> span, Consumer<T> write) {
    Span last = null;
    for (T t : list) {
      Span next = span.apply(t);
      if (last != null) {
        separate(last, next, Span.of(t).start() < next.start());
      }
      write.accept(t);
      last = next;
    }
  }

  /**
   * Writes the line breaks between two declarations.
   *
   * @param annotated whether the second declaration has documentation or attributes
   */
  private void separate(Span last, Span next, boolean annotated) {
    if (!out.isMultiLine()) {
      out.space();
      return;
    }
    out.newLine();
    boolean adjacent =
        !annotated
            && !out.hasCommentBefore(next)
            && !next.isMultiLine()
            && !last.isMultiLine()
            && last.isRightBefore(next);
    if (!adjacent) {
      out.newLine();
    }
  }

  /** Returns the range of a declaration without its documentation and attributes. */
  private static Span spanOf(DecContext c) {
    return withoutAttributes(c, c.DOC());
  }

  private static Span spanOf(SpecContext c) {
    return withoutAttributes(c, c.DOC());
  }

  private static Span withoutAttributes(ParserRuleContext c, @Nullable TerminalNode doc) {
    Token first = c.getStart();
    for (var child : c.children) {
      if (child != doc && !(child instanceof AttributeContext)) {
        first =
            child instanceof TerminalNode t
                ? t.getSymbol()
                : ((ParserRuleContext) child).getStart();
        break;
      }
    }
    return Span.of(first, c.getStop());
  }

  // Documentation and attributes

  /** Writes a documentation comment with its line break. */
  void doc(Token doc) {
    String[] lines = doc.getText().split("\n", -1);
    for (String line : lines) {
      out.text(line.strip());
      out.newLine();
    }
  }

  /**
   * Writes a declaration with its comments, documentation and attributes.
   *
   * @param start the first token of the declaration
   */
  private void annotated(
      Token start,
      @Nullable TerminalNode doc,
      List<AttributeContext> attributes,
      Span span,
      Runnable content) {
    boolean ownLine = out.isMultiLine();
    out.declaration(
        Span.of(start).to(span),
        () -> {
          if (doc != null) {
            doc(doc.getSymbol());
            Span first = attributes.isEmpty() ? span : Span.of(attributes.getFirst());
            if (out.hasCommentBefore(first)) {
              // Without an empty line, the comment would continue the documentation.
              out.newLine();
            }
          }
          boolean first = true;
          for (AttributeContext a : attributes) {
            if (!first) {
              out.space();
            }
            first = false;
            types.attribute(a);
          }
          if (!first) {
            out.layout(ownLine, out::line);
          }
          out.declaration(span, content);
        });
  }

  // Declarations

  private void dec(DecContext c) {
    annotated(c.getStart(), c.DOC(), c.attribute(), spanOf(c), () -> content(c));
  }

  private void content(DecContext c) {
    if (c.valueDec() != null) {
      value(c.valueDec());
    } else if (c.typeDec() != null) {
      TypeDecContext t = c.typeDec();
      typeDec(t.liftedness(), t.ID().getText(), t.typeParam(), t.typeExp());
    } else if (c.moduleTypeDec() != null) {
      moduleTypeDec(c.moduleTypeDec());
    } else if (c.moduleDec() != null) {
      moduleDec(c.moduleDec());
    } else if (c.openDec() != null) {
      out.text("open ");
      modules.module(c.openDec().module());
    } else if (c.importDec() != null) {
      out.text("import " + c.importDec().STRING().getText());
    } else {
      LocalDecContext l = c.localDec();
      l.LOCAL().forEach(t -> {
        out.text("local");
        out.line();
      });
      dec(l.dec());
    }
  }

  private void value(ValueDecContext c) {
    out.text(c.ENTRY() != null ? "entry " : "def ");
    List<ParamContext> params = new ArrayList<>(c.param());
    if (c.bindingOperator() != null) {
      out.text(PatternLayout.binder(c.bindingOperator()));
    } else {
      pats.param(params.removeFirst());
    }
    Span typeParams = TypeLayout.spanOf(c.typeParam());
    Span all = span(typeParams, TypeLayout.spanOf(params));
    if (typeParams != null && !params.isEmpty() && all != null) {
      out.layout(
          all,
          () -> {
            out.space();
            out.align(
                () -> {
                  list(c.typeParam(), types::typeParam);
                  out.line();
                  list(params, pats::param);
                });
          });
    } else if (all != null) {
      out.space();
      list(c.typeParam(), types::typeParam);
      list(params, pats::param);
    }
    if (c.typeExp() != null) {
      out.text(" : ");
      types.type(c.typeExp());
    }
    out.text(" =");
    out.line();
    out.indent(() -> exps.exp(c.exp()));
  }

  private static @Nullable Span span(@Nullable Span first, @Nullable Span last) {
    if (first == null || last == null) {
      return first == null ? last : first;
    }
    return first.to(last);
  }

  /** Writes parameters on one line, or in one column if they have several lines. */
  private <T extends ParserRuleContext> void list(List<T> list, Consumer<T> write) {
    if (list.isEmpty()) {
      return;
    }
    int line = list.getFirst().getStart().getLine();
    boolean multi =
        list.stream().map(Span::of).anyMatch(s -> s.line() != line || s.endLine() != line);
    out.layout(
        out.isMultiLine() && multi,
        () ->
            out.align(
                () -> {
                  boolean first = true;
                  for (T t : list) {
                    if (!first) {
                      out.line();
                    }
                    first = false;
                    write.accept(t);
                  }
                }));
  }

  private void typeDec(
      @Nullable LiftednessContext liftedness,
      String name,
      List<TypeParamContext> params,
      TypeExpContext type) {
    out.text("type" + (liftedness == null ? "" : liftedness.getText()) + " " + name);
    if (!params.isEmpty()) {
      out.space();
      list(params, types::typeParam);
    }
    out.text(" =");
    out.line();
    out.indent(() -> types.type(type));
  }

  private void moduleTypeDec(ModuleTypeDecContext c) {
    out.text("module type " + c.ID().getText() + " =");
    if (ModuleLayout.isSpecs(c.moduleType())) {
      out.space();
      modules.moduleType(c.moduleType());
    } else {
      out.line();
      out.indent(() -> modules.moduleType(c.moduleType()));
    }
  }

  private void moduleDec(ModuleDecContext c) {
    out.text("module ");
    Span params = TypeLayout.spanOf(c.moduleParam());
    out.layout(
        params == null ? Span.of(c).first() : Span.of(c).first().to(params),
        () -> {
          out.text(c.ID().getText());
          if (params != null) {
            out.line();
            out.indent(() -> list(c.moduleParam(), modules::param));
          }
        });
    if (c.moduleType() == null) {
      out.space();
    } else {
      Span type = Span.of(c.moduleType());
      out.layout(
          params == null ? type : params.to(type),
          () -> {
            out.line();
            out.indent(
                () -> {
                  out.text(": ");
                  out.align(() -> modules.moduleType(c.moduleType()));
                  out.space();
                });
          });
    }
    out.text("=");
    if (out.breaks(Span.of(c.module()))) {
      out.space();
      modules.module(c.module());
    } else {
      out.line();
      out.indent(() -> modules.module(c.module()));
    }
  }

  // Specifications

  private void spec(SpecContext c) {
    annotated(c.getStart(), c.DOC(), c.attribute(), spanOf(c), () -> content(c));
  }

  private void content(SpecContext c) {
    if (c.VAL() != null) {
      out.text("val ");
      out.text(c.ID() != null ? c.ID().getText() : PatternLayout.binder(c.bindingOperator()));
      if (!c.typeParam().isEmpty()) {
        out.space();
        out.align(
            () -> {
              boolean first = true;
              for (TypeParamContext p : c.typeParam()) {
                if (!first) {
                  out.space();
                }
                first = false;
                types.typeParam(p);
              }
            });
      }
      out.text(" :");
      out.line();
      out.indent(() -> types.type(c.typeExp()));
    } else if (c.MODULE() != null) {
      out.text("module " + c.ID().getText() + ": ");
      modules.moduleType(c.moduleType());
    } else if (c.INCLUDE() != null) {
      out.text("include ");
      modules.moduleType(c.moduleType());
    } else if (c.typeExp() != null) {
      typeDec(c.liftedness(), c.ID().getText(), c.typeParam(), c.typeExp());
    } else {
      abstractType(c);
    }
  }

  private void abstractType(SpecContext c) {
    out.text("type" + (c.liftedness() == null ? "" : c.liftedness().getText()));
    out.text(" " + c.ID().getText());
    if (!c.typeParam().isEmpty()) {
      out.line();
      out.align(() -> list(c.typeParam(), types::typeParam));
    }
  }
}
