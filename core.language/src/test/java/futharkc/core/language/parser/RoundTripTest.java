package futharkc.core.language.parser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.language.Diagnostics;
import futharkc.core.language.grammar.FutharkParser;
import futharkc.core.language.syntax.SourceFile;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.ListTokenSource;
import org.antlr.v4.runtime.atn.DecisionInfo;
import org.antlr.v4.runtime.atn.PredictionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests over programs that contain every construct of the language. */
class RoundTripTest {
  @ParameterizedTest
  @ValueSource(strings = {"expressions.fut", "modules.fut"})
  void printedTreeParsesToTheSameTree(String program) {
    SourceFile file = Parsing.file(Parsing.resource(program));
    String printed = SyntaxPrinter.print(file);
    assertEquals(Trees.show(file.decs()), Trees.show(Parsing.file(printed).decs()), printed);
  }

  /**
   * Checks the reason for the parser's speed: the fast prediction mode suffices, and its lookahead
   * is bounded.
   */
  @ParameterizedTest
  @ValueSource(strings = {"expressions.fut", "modules.fut"})
  void predictionIsLocal(String program) {
    var chars = CharStreams.fromString(Parsing.resource(program));
    var tokens = TokenScanner.scan(chars, program, new Diagnostics());
    var parser = new FutharkParser(new CommonTokenStream(new ListTokenSource(tokens)));
    parser.setProfile(true);
    parser.getInterpreter().setPredictionMode(PredictionMode.SLL);
    if (parser.getInputStream().LA(1) == FutharkParser.DOC) {
      parser.getInputStream().consume();
    }
    parser.file();
    assertEquals(0, parser.getNumberOfSyntaxErrors());
    long invocations = 0;
    long tokensSeen = 0;
    for (DecisionInfo d : parser.getParseInfo().getDecisionInfo()) {
      invocations += d.invocations;
      tokensSeen += d.SLL_TotalLook;
      String rule = FutharkParser.ruleNames[parser.getATN().getDecisionState(d.decision).ruleIndex];
      // In the fast mode, the bar of a further alternative of a sum type can also be an operator.
      int bound = rule.equals("typeTerm") ? 16 : 6;
      assertTrue(d.SLL_MaxLook <= bound, rule + " looks at " + d.SLL_MaxLook + " tokens");
      assertEquals(0, d.LL_Fallback);
    }
    assertTrue(tokensSeen < 1.5 * invocations, tokensSeen + " tokens, " + invocations);
  }
}
