package futharkc.core.language.parser;

import futharkc.core.ir.Loc;
import futharkc.core.language.Diagnostic;
import futharkc.core.language.DiagnosticException;
import futharkc.core.language.grammar.FutharkParser.AtomContext;
import futharkc.core.language.grammar.FutharkParser.InfixContext;
import futharkc.core.language.grammar.FutharkParser.LambdaContext;
import futharkc.core.language.grammar.FutharkParser.MatchContext;
import futharkc.core.language.grammar.FutharkParser.PrefixContext;
import futharkc.core.language.grammar.FutharkParser.SequenceContext;
import futharkc.core.language.grammar.FutharkParser.TypingContext;
import futharkc.core.language.syntax.Exp;
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
 */
final class SequenceBuilder {
  private final ExpBuilder exps;

  SequenceBuilder(ExpBuilder exps) {
    this.exps = exps;
  }

  /** Builds the expression of a sequence. A type annotation belongs to the innermost frame. */
  Exp build(SequenceContext sequence, List<TypingContext> typings) {
    Deque<Frame> frames = frames(sequence);
    Exp result = exps.typed(frames.element().close(), typings);
    for (Frame inner = frames.pop(); !frames.isEmpty(); inner = frames.pop()) {
      Exp whole = exps.prefixed(inner.prefixes, result);
      frames.element().arguments.add(whole);
      result = frames.element().close();
    }
    return result;
  }

  /**
   * Builds the operand of a section {@code (e op)}. An operator in the operand that binds less
   * tightly than the section's operator is an error.
   */
  Exp buildLeftOperand(SequenceContext sequence, Fixity fixity, Loc opLoc) {
    Deque<Frame> frames = frames(sequence);
    Frame frame = frames.element();
    boolean fits = frames.size() == 1;
    for (InfixContext op : frame.operators) {
      fits &= !Infix.isRange(op) && Infix.of(op, exps).fixity().holdsAgainst(fixity);
    }
    if (fits) {
      return frame.close();
    }
    throw new DiagnosticException(
        Diagnostic.error("E0107", opLoc, "The operand of this operator section is ambiguous.")
            .hint("Put parentheses around the operand."));
  }

  private Deque<Frame> frames(SequenceContext sequence) {
    Deque<Frame> frames = new ArrayDeque<>();
    frames.push(new Frame());
    for (ParseTree child : sequence.children) {
      Frame frame = frames.element();
      switch (child) {
        case PrefixContext p when ExpBuilder.isTight(p) -> frame.pending.add(p);
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

    final List<Exp> operands = new ArrayList<>();
    final List<InfixContext> operators = new ArrayList<>();

    /** The unary operators before the current operand. */
    final List<PrefixContext> pending = new ArrayList<>();

    /** The function and arguments of the current operand. */
    List<Exp> arguments = new ArrayList<>();

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
      Exp operand = exps.apply(arguments);
      for (PrefixContext unary : pending.reversed()) {
        operand = exps.unary(unary, operand);
      }
      operands.add(operand);
      pending.clear();
      arguments = new ArrayList<>();
    }

    Exp close() {
      endOperand();
      return operators.isEmpty() ? operands.getFirst() : resolveRange(operands, operators);
    }
  }

  /** Builds a range. Ranges have the lowest precedence and do not chain. */
  private Exp resolveRange(List<Exp> operands, List<InfixContext> operators) {
    List<Exp> parts = new ArrayList<>();
    List<Token> dots = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < operators.size(); i++) {
      if (!Infix.isRange(operators.get(i))) {
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

  private Exp resolve(List<Exp> operands, List<InfixContext> operators) {
    Deque<Exp> done = new ArrayDeque<>();
    Deque<Infix> waiting = new ArrayDeque<>();
    done.push(operands.getFirst());
    for (int i = 0; i < operators.size(); i++) {
      Infix next = Infix.of(operators.get(i), exps);
      while (!waiting.isEmpty() && waiting.element().fixity().holdsAgainst(next.fixity())) {
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

  private static void reduce(Deque<Exp> done, Infix operator) {
    Exp right = done.pop();
    Exp left = done.pop();
    done.push(operator.combine(left, right));
  }

  /** An infix operator, or {@code with path =}. */
  private record Infix(
      Fixity fixity, ExpBuilder.@Nullable Operator operator, List<Exp.Access> path) {

    static boolean isRange(InfixContext c) {
      return c.TWO_DOTS() != null
          || c.THREE_DOTS() != null
          || c.TWO_DOTS_LT() != null
          || c.TWO_DOTS_GT() != null;
    }

    static Infix of(InfixContext c, ExpBuilder exps) {
      if (c.WITH() != null) {
        return new Infix(Fixity.WITH, null, exps.path(c.access()));
      }
      ExpBuilder.Operator operator = exps.operator(c, c.qualName());
      return new Infix(operator.fixity(), operator, List.of());
    }

    Exp combine(Exp left, Exp right) {
      Loc loc = left.loc().to(right.loc());
      return operator == null
          ? new Exp.With(left, path, right, loc)
          : new Exp.BinOp(left, operator.name(), operator.loc(), right, loc);
    }
  }
}
