package futharkc.core.language.format;

import futharkc.core.language.grammar.FutharkParser.AtomContext;
import futharkc.core.language.grammar.FutharkParser.InfixContext;
import futharkc.core.language.grammar.FutharkParser.LambdaContext;
import futharkc.core.language.grammar.FutharkParser.LetBindingContext;
import futharkc.core.language.grammar.FutharkParser.MatchContext;
import futharkc.core.language.grammar.FutharkParser.PrefixContext;
import futharkc.core.language.grammar.FutharkParser.TypingContext;
import futharkc.core.language.parser.SequenceBuilder;
import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;

/**
 * An expression with resolved operators over the parse trees of its components. Unlike the syntax
 * tree, it refers to all tokens.
 */
sealed interface SyntaxNode {
  Span span();

  /** An operand with its postfixes. */
  record Atom(AtomContext atom, Span span) implements SyntaxNode {}

  /** A match expression. */
  record Match(MatchContext match, Span span) implements SyntaxNode {}

  /** A function or constructor with its arguments. */
  record Apply(SyntaxNode fun, List<SyntaxNode> args, Span span) implements SyntaxNode {}

  /** An operand with a prefix operator. */
  record Unary(String operator, SyntaxNode operand, Span span) implements SyntaxNode {}

  /** An infix operator with its operands. */
  record Binary(SyntaxNode left, InfixContext operator, SyntaxNode right, Span span)
      implements SyntaxNode {}

  /** Consecutive updates {@code e with p = v with q = w}. */
  record Updates(SyntaxNode source, List<Update> updates, Span span) implements SyntaxNode {}

  /** A path with its new value. */
  record Update(InfixContext path, SyntaxNode value) {}

  /** A range of two or three operands with the dots between them. */
  record Range(List<SyntaxNode> parts, List<Token> dots, Span span) implements SyntaxNode {}

  /** A chain of bindings with a body. */
  record Let(List<LetBindingContext> bindings, SyntaxNode body, Span span) implements SyntaxNode {}

  /** A lambda. */
  record Lambda(LambdaContext lambda, SyntaxNode body, Span span) implements SyntaxNode {}

  /** A conditional, loop, assertion or attribute. */
  record Prefixed(PrefixContext prefix, SyntaxNode body, Span span) implements SyntaxNode {}

  /** An expression with a type annotation. */
  record Typed(SyntaxNode exp, TypingContext typing, Span span) implements SyntaxNode {}

  /** The constructors of nodes. */
  final class Builder implements SequenceBuilder.Expressions<SyntaxNode> {
    @Override
    public SyntaxNode atom(AtomContext c) {
      return new Atom(c, Span.of(c));
    }

    @Override
    public SyntaxNode match(MatchContext c) {
      return new Match(c, Span.of(c));
    }

    @Override
    public SyntaxNode apply(List<SyntaxNode> atoms) {
      SyntaxNode fun = atoms.getFirst();
      if (atoms.size() == 1) {
        return fun;
      }
      List<SyntaxNode> args = List.copyOf(atoms.subList(1, atoms.size()));
      return new Apply(fun, args, fun.span().to(args.getLast().span()));
    }

    @Override
    public SyntaxNode unary(PrefixContext c, SyntaxNode operand) {
      return new Unary(c.getText(), operand, Span.of(c).to(operand.span()));
    }

    @Override
    public SyntaxNode binary(SyntaxNode left, InfixContext operator, SyntaxNode right) {
      Span span = left.span().to(right.span());
      if (operator.WITH() == null) {
        return new Binary(left, operator, right, span);
      }
      Update update = new Update(operator, right);
      if (left instanceof Updates chain) {
        List<Update> updates = new ArrayList<>(chain.updates);
        updates.add(update);
        return new Updates(chain.source, updates, span);
      }
      return new Updates(left, List.of(update), span);
    }

    @Override
    public SyntaxNode range(List<SyntaxNode> parts, List<Token> dots) {
      return new Range(parts, dots, parts.getFirst().span().to(parts.getLast().span()));
    }

    @Override
    public SyntaxNode prefixed(List<ParserRuleContext> prefixes, SyntaxNode body) {
      Span span = Span.of(prefixes.getFirst()).to(body.span());
      if (prefixes.getFirst() instanceof LambdaContext l) {
        return new Lambda(l, body, span);
      }
      PrefixContext first = (PrefixContext) prefixes.getFirst();
      if (first.lambda() != null) {
        return new Lambda(first.lambda(), body, span);
      }
      if (first.letBinding().isEmpty()) {
        return new Prefixed(first, body, span);
      }
      List<LetBindingContext> bindings = new ArrayList<>();
      for (ParserRuleContext prefix : prefixes) {
        bindings.addAll(((PrefixContext) prefix).letBinding());
      }
      if (body instanceof Let inner) {
        bindings.addAll(inner.bindings);
        return new Let(bindings, inner.body, span);
      }
      return new Let(bindings, body, span);
    }

    @Override
    public SyntaxNode typed(SyntaxNode exp, List<TypingContext> typings) {
      SyntaxNode result = exp;
      for (TypingContext t : typings) {
        result = new Typed(result, t, result.span().to(Span.of(t)));
      }
      return result;
    }
  }
}
