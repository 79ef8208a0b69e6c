package futharkc.core.ir.text;

import futharkc.core.ir.Body;
import futharkc.core.ir.EntryPoint;
import futharkc.core.ir.ExtType;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Ir;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Param;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.Stm;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.ImperativeProgram;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A parser of the text form. The first line is {@code #futhark-ir REPRESENTATION v1}. Types ({@code
 * type}), constants ({@code const}) and functions ({@code fun}, after an optional {@code entry})
 * follow in any order. If a function omits {@code next}, it is the least number unused in the
 * program so far and in the function. {@link ImperativeReader} describes the form of imperative
 * programs.
 */
public final class Parser extends ExpReader {
  private static final String HEADER = "#futhark-ir ";

  private Parser(String source, String text, int from) {
    super(source, text, from);
  }

  /** Tests whether the text begins with the header of this form. */
  public static boolean hasHeader(String text) {
    return text.startsWith(HEADER);
  }

  /**
   * Parses a program in any representation.
   *
   * @param source the name of the text in error messages, usually a file name
   * @throws ParseException if the text is malformed
   */
  public static Ir parseAny(String source, String text) {
    int end = text.indexOf('\n');
    String header = (end < 0 ? text : text.substring(0, end)).strip();
    Rep rep = header.endsWith(" v1") ? rep(header) : null;
    if (rep == null) {
      throw atStart(
          source, "expected a first line such as '" + HEADER + "soacs v1', found '" + header + "'");
    }
    int from = end < 0 ? text.length() : end;
    return rep.isImperative()
        ? new ImperativeReader(source, text, from).program(rep)
        : new Parser(source, text, from).program(rep);
  }

  /**
   * Parses an array program.
   *
   * @param source the name of the text in error messages, usually a file name
   * @throws ParseException if the text is malformed or imperative
   */
  public static Program parse(String source, String text) {
    return switch (parseAny(source, text)) {
      case Program p -> p;
      case ImperativeProgram p ->
          throw atStart(source, "expected a program of arrays, found one in " + p.rep());
    };
  }

  /**
   * Parses an imperative program.
   *
   * @param source the name of the text in error messages, usually a file name
   * @throws ParseException if the text is malformed or an array program
   */
  public static ImperativeProgram parseImperative(String source, String text) {
    return switch (parseAny(source, text)) {
      case ImperativeProgram p -> p;
      case Program p ->
          throw atStart(source, "expected an imperative program, found one in " + p.rep());
    };
  }

  /** Parses a body in braces, for tests. */
  public static Body parseBody(String text) {
    Parser p = new Parser("body", text, 0);
    Body b = p.body();
    p.expectEnd();
    return b;
  }

  /**
   * Parses imperative statements, for tests. A use of a variable that the statements do not declare
   * states its type: {@code x_1: f32} or {@code xs_2: []f32}.
   */
  public static List<Code> parseCode(String text) {
    return new CodeReader("code", text, 0).all();
  }

  private static ParseException atStart(String source, String message) {
    return new ParseException(source, 1, 1, message);
  }

  private static @Nullable Rep rep(String header) {
    if (!header.startsWith(HEADER)) {
      return null;
    }
    String name = header.substring(HEADER.length(), header.length() - 3).strip();
    for (Rep r : Rep.values()) {
      if (r.toString().equals(name)) {
        return r;
      }
    }
    return null;
  }

  private Program program(Rep rep) {
    Map<String, ExtType.Def> opaques = new LinkedHashMap<>();
    List<Stm> constants = new ArrayList<>();
    Map<String, FunDef> functions = new LinkedHashMap<>();
    while (peek().kind() != Token.Kind.END) {
      Token start = peek();
      if (skip("type")) {
        opaque(opaques);
      } else if (skip("const")) {
        constants.add(stm());
      } else if (sees("entry") || sees("fun")) {
        FunDef f = function();
        if (functions.put(f.name(), f) != null) {
          throw error(start, "function " + f.name() + " is defined twice");
        }
      } else {
        throw expected("'type', 'const', 'entry' or 'fun'");
      }
    }
    return new Program(rep, opaques, constants, functions);
  }

  private FunDef function() {
    EntryPoint entry = skip("entry") ? entry() : null;
    expect("fun");
    String name = word();
    List<Param> params = list("(", this::param, ")");
    expect("->");
    List<FunDef.Result> results =
        list(
            "(",
            () -> {
              Param p = param();
              return new FunDef.Result(p.name(), p.type(), p.unique());
            },
            ")");
    List<String> attrs = attrs();
    int next = skip("next") ? smallNumber() : -1;
    Loc loc = optionalLoc();
    expect("=");
    Body body = body();
    if (next < 0) {
      next = maxTag + 1;
    }
    return new FunDef(name, attrs, params, results, body, entry, next, loc);
  }
}
