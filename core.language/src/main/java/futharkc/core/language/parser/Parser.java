package futharkc.core.language.parser;

import futharkc.core.ir.Loc;
import futharkc.core.language.DiagnosticException;
import futharkc.core.language.Diagnostics;
import futharkc.core.language.grammar.FutharkParser;
import futharkc.core.language.syntax.Dec;
import futharkc.core.language.syntax.SourceFile;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.antlr.v4.runtime.CharStream;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.DefaultErrorStrategy;
import org.antlr.v4.runtime.InputMismatchException;
import org.antlr.v4.runtime.ListTokenSource;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.atn.PredictionMode;
import org.jspecify.annotations.Nullable;

/**
 * The parser of one file. It parses each declaration in the fast prediction mode and, after a
 * failure, in the exact mode. A declaration with a syntax error is reported and skipped, so that a
 * run shows the errors of all declarations.
 */
public final class Parser {
  /** The nesting depth from which on the parser runs on a thread with a larger stack. */
  private static final int DEEP = 150;

  private static final long DEEP_STACK_BYTES = 512L << 20;

  private final String path;
  private final Diagnostics sink;
  private final CharStream text;
  private final List<Token> tokens;
  private final CommonTokenStream stream;
  private final FutharkParser parser;

  private @Nullable Token docToken;
  private @Nullable String doc;
  private final List<FutharkParser.DecContext> trees = new ArrayList<>();
  private final List<Dec> decs = new ArrayList<>();

  private Parser(String path, CharStream text, List<Token> tokens, Diagnostics sink) {
    this.path = path;
    this.sink = sink;
    this.text = text;
    this.tokens = tokens;
    this.stream = new CommonTokenStream(new ListTokenSource(tokens, path));
    this.parser = new FutharkParser(stream);
    parser.removeErrorListeners();
    parser.setErrorHandler(new FirstErrorStrategy());
  }

  /**
   * Parses a file.
   *
   * @param name the import path without extension
   * @param path the path shown in messages
   * @param text the text of the whole file
   * @param sink the collector of syntax errors; after an error, the result lacks declarations
   */
  public static SourceFile parse(String name, String path, String text, Diagnostics sink) {
    Parser parser = run(path, text, sink);
    return new SourceFile(name, path, parser.doc, parser.decs);
  }

  /** Parses a file like {@link #parse}, and returns its parse tree. */
  static ParseTree parseTree(String path, String text, Diagnostics sink) {
    Parser parser = run(path, text, sink);
    return new ParseTree(parser.tokens, parser.docToken, parser.trees);
  }

  private static Parser run(String path, String text, Diagnostics sink) {
    CharStream chars = CharStreams.fromString(text, path);
    List<Token> tokens = TokenScanner.scan(chars, path, sink);
    var parser = new Parser(path, chars, tokens, sink);
    int depth = Nesting.check(tokens, path, sink);
    if (depth <= DEEP) {
      parser.file();
    } else if (depth <= Nesting.LIMIT) {
      onDeepStack(parser::file);
    }
    return parser;
  }

  private static void onDeepStack(Runnable parse) {
    var result = new CompletableFuture<Boolean>();
    Runnable task =
        () -> {
          try {
            parse.run();
            result.complete(true);
          } catch (Throwable e) {
            result.completeExceptionally(e);
          }
        };
    new Thread(null, task, "parser", DEEP_STACK_BYTES).start();
    try {
      result.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException r) {
        throw r;
      }
      throw e;
    }
  }

  private void file() {
    var builder = new DecBuilder(new Sources(path, text));
    if (stream.LA(1) == FutharkParser.DOC) {
      docToken = stream.LT(1);
      doc = DecBuilder.docText(docToken.getText());
      stream.consume();
    }
    while (stream.LA(1) != Token.EOF) {
      int start = stream.index();
      try {
        FutharkParser.DecContext tree = dec(start);
        decs.add(builder.dec(tree));
        trees.add(tree);
      } catch (SyntaxFailure e) {
        sink.report(new SyntaxErrors(path, tokens).describe(parser, start, e.cause()));
        skipDeclaration(start);
      } catch (DiagnosticException e) {
        sink.report(e);
      } catch (StackOverflowError e) {
        Loc loc = Sources.loc(path, stream.LT(1));
        sink.report(Nesting.tooDeep(loc));
        skipDeclaration(start);
      }
    }
  }

  private FutharkParser.DecContext dec(int start) {
    try {
      parser.getInterpreter().setPredictionMode(PredictionMode.SLL);
      return parser.dec();
    } catch (SyntaxFailure e) {
      stream.seek(start);
      parser.getInterpreter().setPredictionMode(PredictionMode.LL);
      return parser.dec();
    }
  }

  /**
   * Skips to the next token that starts a declaration at the beginning of a line, with no more
   * indentation than the declaration with the error.
   */
  private void skipDeclaration(int start) {
    int column = tokens.get(start).getCharPositionInLine();
    int i = Math.max(start + 1, stream.index());
    while (!startsDeclaration(i, column)) {
      i++;
    }
    stream.seek(i);
  }

  private boolean startsDeclaration(int i, int column) {
    Token t = tokens.get(i);
    if (t.getType() == Token.EOF) {
      return true;
    }
    return t.getCharPositionInLine() <= column
        && tokens.get(i - 1).getLine() < t.getLine()
        && SyntaxErrors.startsDeclaration(t.getType());
  }

  /** An exception that carries a syntax error out of the generated parser. */
  static final class SyntaxFailure extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient RecognitionException recognition;

    SyntaxFailure(RecognitionException recognition) {
      super(null, recognition, false, false);
      this.recognition = recognition;
    }

    RecognitionException cause() {
      return recognition;
    }
  }

  /**
   * An error strategy that stops at the first error of a declaration. Error recovery would lead to
   * misleading further errors.
   */
  private static final class FirstErrorStrategy extends DefaultErrorStrategy {
    @Override
    public void recover(org.antlr.v4.runtime.Parser recognizer, RecognitionException e) {
      throw new SyntaxFailure(e);
    }

    @Override
    public void reportError(org.antlr.v4.runtime.Parser recognizer, RecognitionException e) {}

    @Override
    public Token recoverInline(org.antlr.v4.runtime.Parser recognizer) {
      throw new SyntaxFailure(new InputMismatchException(recognizer));
    }

    @Override
    public void sync(org.antlr.v4.runtime.Parser recognizer) {}
  }
}
