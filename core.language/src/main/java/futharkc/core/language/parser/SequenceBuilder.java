package futharkc.core.language.parser;

import futharkc.core.language.grammar.FutharkParser.AtomContext;
import futharkc.core.language.grammar.FutharkParser.InfixContext;
import futharkc.core.language.grammar.FutharkParser.LambdaContext;
import futharkc.core.language.grammar.FutharkParser.MatchContext;
import futharkc.core.language.grammar.FutharkParser.PrefixContext;
import futharkc.core.language.grammar.FutharkParser.SequenceContext;
import futharkc.core.language.grammar.FutharkParser.TypingContext;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.ParseTree;
import org.jspecify.annotations.Nullable;

/**
 * The builder of expressions from flat sequences of prefixes, operands and infix operators. A
 * prefix such as {@code let ... in} or {@code if ... else} opens a frame that extends to the end of
 * the sequence. Frames are closed from the innermost outwards, so that long chains need no
 * recursion.
 *
 * @param <E> the type of the expressions
 */
public final class SequenceBuilder<E> {
  private final Expressions<E> exps;

  /** Creates a builder that combines expressions with the given constructors. */
  public SequenceBuilder(Expressions<E> exps) {
    this.exps = exps;
  }

  /**
   * The constructors of expressions.
   *
   * @param <E> the type of the expressions
   */
  public interface Expressions<E> {
    /** Returns an operand with its postfixes. */
    E atom(AtomContext c);

    /** Returns a match expression. */
    E match(MatchContext c);

    /** Returns a function or constructor with its arguments, or a single operand. */
    E apply(List<E> atoms);

    /** Returns an operand with a unary operator. */
    E unary(PrefixContext c, E operand);

    /** Returns an infix operator, or {@code with path =}, with its operands. */
    E binary(E left, InfixContext operator, E right);

    /** Returns a range of two or more operands with the dots between them. */
    E range(List<E> parts, List<Token> dots);

    /** Returns an expression from a prefix, or several adjacent lets, and the body. */
    E prefixed(List<ParserRuleContext> prefixes, E body);

    /** Returns an expression with its type annotations, from the first to the last. */
    E typed(E exp, List<TypingContext> typings);
  }

  /** Tests whether a prefix is a unary operator, which binds tighter than any infix operator. */
  private static boolean isTight(PrefixContext c) {
    return c.MINUS() != null || c.BANG() != null;
  }

  /** Tests whether an infix operator is part of a range. */
  private static boolean isRange(InfixContext c) {
    return c.TWO_DOTS() != null
        || c.THREE_DOTS() != null
        || c.TWO_DOTS_LT() != null
        || c.TWO_DOTS_GT() != null;
  }

  /** Returns the fixity of an infix operator or of {@code with}. */
  private static Fixity fixity(InfixContext c) {
    if (c.WITH() != null) {
      return Fixity.WITH;
    }
    return c.qualName() != null ? Fixity.NAME : Fixity.ofQualified(c.getText());
  }

  /** Builds the expression of a sequence. A type annotation belongs to the innermost frame. */
  public E build(SequenceContext sequence, List<TypingContext> typings) {
    Deque<Frame> frames = frames(sequence);
    E result = exps.typed(frames.element().close(), typings);
    for (Frame inner = frames.pop(); !frames.isEmpty(); inner = frames.pop()) {
      E whole = exps.prefixed(inner.prefixes, result);
      frames.element().arguments.add(whole);
      result = frames.element().close();
    }
    return result;
  }

  /**
   * Builds the operand of a section {@code (e op)}.
   *
   * @param fixity the fixity of the section's operator
   * @return the operand, or null if an operator in the operand binds less tightly than the
   *     section's operator
   */
  @Nullable E buildLeftOperand(SequenceContext sequence, Fixity fixity) {
    Deque<Frame> frames = frames(sequence);
    Frame frame = frames.element();
    boolean fits = frames.size() == 1;
    for (InfixContext op : frame.operators) {
      fits &= !isRange(op) && fixity(op).holdsAgainst(fixity);
    }
    return fits ? frame.close() : null;
  }

  private Deque<Frame> frames(SequenceContext sequence) {
    Deque<Frame> frames = new ArrayDeque<>();
    frames.push(new Frame());
    for (ParseTree child : sequence.children) {
      Frame frame = frames.element();
      switch (child) {
        case PrefixContext p when isTight(p) -> frame.pending.add(p);
        case PrefixContext p when frame.continuesLets(p) -> frame.prefixes.add(p);
        case PrefixContext p -> frames.push(new Frame(p));
        case LambdaContext l -> frames.push(new Frame(l));
        case AtomContext a -> frame.arguments.add(exps.atom(a));
        case MatchContext m -> frame.arguments.add(exps.match(m));
        case InfixContext op -> {
          frame.endOperand();
          frame.operators.add(op);
        }
        default -> throw new IllegalStateException("in a sequence: " + child.getText());
      }
    }
    return frames;
  }

  /** The expression after a prefix, or the whole sequence. */
  private final class Frame {
    /**
     * The prefixes of the frame: one prefix, several adjacent {@code let ... in}, or none for the
     * whole sequence.
     */
    final List<ParserRuleContext> prefixes = new ArrayList<>();

    final List<E> operands = new ArrayList<>();
    final List<InfixContext> operators = new ArrayList<>();

    /** The unary operators before the current operand. */
    final List<PrefixContext> pending = new ArrayList<>();

    /** The function and arguments of the current operand. */
    List<E> arguments = new ArrayList<>();

    Frame() {}

    Frame(ParserRuleContext prefix) {
      prefixes.add(prefix);
    }

    boolean continuesLets(PrefixContext next) {
      return !next.letBinding().isEmpty()
          && !prefixes.isEmpty()
          && prefixes.getLast() instanceof PrefixContext last
          && !last.letBinding().isEmpty()
          && operators.isEmpty()
          && pending.isEmpty();
    }

    void endOperand() {
      E operand = exps.apply(arguments);
      for (PrefixContext unary : pending.reversed()) {
        operand = exps.unary(unary, operand);
      }
      operands.add(operand);
      pending.clear();
      arguments = new ArrayList<>();
    }

    E close() {
      endOperand();
      return operators.isEmpty() ? operands.getFirst() : resolveRange(operands, operators);
    }
  }

  /** Builds a range. Ranges have the lowest precedence and do not chain. */
  private E resolveRange(List<E> operands, List<InfixContext> operators) {
    List<E> parts = new ArrayList<>();
    List<Token> dots = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < operators.size(); i++) {
      if (!isRange(operators.get(i))) {
        continue;
      }
      parts.add(resolve(operands.subList(start, i + 1), operators.subList(start, i)));
      dots.add(operators.get(i).getStart());
      start = i + 1;
    }
    parts.add(
        resolve(
            operands.subList(start, operands.size()), operators.subList(start, operators.size())));
    return dots.isEmpty() ? parts.getFirst() : exps.range(parts, dots);
  }

  private E resolve(List<E> operands, List<InfixContext> operators) {
    Deque<E> done = new ArrayDeque<>();
    Deque<InfixContext> waiting = new ArrayDeque<>();
    done.push(operands.getFirst());
    for (int i = 0; i < operators.size(); i++) {
      InfixContext next = operators.get(i);
      while (!waiting.isEmpty() && fixity(waiting.element()).holdsAgainst(fixity(next))) {
        reduce(done, waiting.pop());
      }
      waiting.push(next);
      done.push(operands.get(i + 1));
    }
    while (!waiting.isEmpty()) {
      reduce(done, waiting.pop());
    }
    return done.pop();
  }

  private void reduce(Deque<E> done, InfixContext operator) {
    E right = done.pop();
    E left = done.pop();
    done.push(exps.binary(left, operator, right));
  }
}
