package futharkc.core.ir.text;

import futharkc.core.ir.Body;
import futharkc.core.ir.EntryPoint;
import futharkc.core.ir.ExtType;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Param;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.Stm;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the text form. The first line is {@code #futhark-ir REPRESENTATION v1}; then follow types
 * ({@code type}), constants ({@code const}) and functions ({@code fun}, after {@code entry} where
 * there is one), in that order or any other. {@code next} may be left out of a function: then it is
 * the least number that is free in the program so far and in this function.
 */
public final class Parser extends ExpReader {
  private static final String HEADER = "#futhark-ir ";

  private Parser(String source, String text, int from) {
    super(source, text, from);
  }

  /** Whether the text claims to be a program in this form. */
  public static boolean hasHeader(String text) {
    return text.startsWith(HEADER);
  }

  /**
   * A program.
   *
   * @param source what messages call the text, usually a file's name
   * @throws ParseException if it is malformed
   */
  public static Program parse(String source, String text) {
    int end = text.indexOf('\n');
    String header = (end < 0 ? text : text.substring(0, end)).strip();
    Rep rep = header.endsWith(" v1") ? rep(header) : null;
    if (rep == null) {
      throw new ParseException(
          source,
          1,
          1,
          "expected a first line such as '" + HEADER + "soacs v1', found '" + header + "'");
    }
    return new Parser(source, text, end < 0 ? text.length() : end).program(rep);
  }

  /** A body in braces, for tests. */
  public static Body parseBody(String text) {
    Parser p = new Parser("body", text, 0);
    Body b = p.body();
    if (p.peek().kind() != Token.Kind.END) throw p.expected("the end");
    return b;
  }

  private static @Nullable Rep rep(String header) {
    if (!header.startsWith(HEADER)) return null;
    String name = header.substring(HEADER.length(), header.length() - 3).strip();
    for (Rep r : Rep.values()) {
      if (r.toString().equals(name)) return r;
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
        ExtType.Def d = opaque();
        if (opaques.put(d.name(), d) != null) throw error(start, "second type " + d.name());
      } else if (skip("const")) {
        constants.add(stm());
      } else if (sees("entry") || sees("fun")) {
        FunDef f = function();
        if (functions.put(f.name(), f) != null) throw error(start, "second function " + f.name());
      } else {
        throw expected("'type', 'const', 'entry' or 'fun'");
      }
    }
    return new Program(rep, opaques, constants, functions);
  }

  private ExtType.Def opaque() {
    String name = string();
    List<ExtType.Transparent> parts =
        list(
            "(",
            () -> {
              Token t = peek();
              if (ext() instanceof ExtType.Transparent x) return x;
              throw error(t, "a part is a scalar or array of a primitive type");
            },
            ")");
    expect("=");
    return new ExtType.Def(name, parts, structure());
  }

  private ExtType.Structure structure() {
    if (skip("record")) return new ExtType.Structure.Record(list("{", this::field, "}"));
    if (skip("sum")) return new ExtType.Structure.Sum(list("{", this::variant, "}"));
    if (skip("array")) {
      int rank = smallNumber();
      return new ExtType.Structure.Array(rank, ext());
    }
    if (skip("record_array")) {
      int rank = smallNumber();
      return new ExtType.Structure.RecordArray(rank, list("{", this::field, "}"));
    }
    if (skip("unknown")) return new ExtType.Structure.Unknown();
    throw expected("'record', 'sum', 'array', 'record_array' or 'unknown'");
  }

  private ExtType.Field field() {
    String name = string();
    expect(":");
    return new ExtType.Field(name, ext());
  }

  private ExtType.Variant variant() {
    String name = string();
    List<ExtType> payload = list("(", this::ext, ")");
    return new ExtType.Variant(name, payload, list("[", this::permutation, "]"));
  }

  private ExtType ext() {
    if (peek().kind() == Token.Kind.STRING) return new ExtType.Opaque(string());
    int rank = 0;
    while (skip("[")) {
      expect("]");
      rank++;
    }
    External t = external();
    return new ExtType.Transparent(t.type(), t.unsigned(), rank);
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
    if (next < 0) next = maxTag + 1;
    return new FunDef(name, attrs, params, results, body, entry, next, loc);
  }

  private EntryPoint entry() {
    String name = string();
    List<EntryPoint.Param> params =
        list(
            "(",
            () -> {
              String p = string();
              expect(":");
              boolean unique = skip("*");
              return new EntryPoint.Param(p, ext(), unique);
            },
            ")");
    expect("->");
    boolean unique = skip("*");
    ExtType result = ext();
    String doc = skip("doc") ? string() : "";
    return new EntryPoint(name, params, result, unique, doc);
  }
}
