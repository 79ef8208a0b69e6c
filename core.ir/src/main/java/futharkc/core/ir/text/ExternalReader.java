package futharkc.core.ir.text;

import futharkc.core.ir.EntryPoint;
import futharkc.core.ir.ExtType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A parser of opaque types and entry points. */
class ExternalReader extends Reader {
  ExternalReader(String source, String text, int from) {
    super(source, text, from);
  }

  /** Reads an opaque type, after the word {@code type}, and adds it to {@code others}. */
  final void opaque(Map<String, ExtType.Def> others) {
    Token start = peek();
    ExtType.Def d = opaque();
    if (others.put(d.name(), d) != null) {
      throw error(start, "type " + d.name() + " is defined twice");
    }
  }

  private ExtType.Def opaque() {
    String name = string();
    List<List<String>> dims = new ArrayList<>();
    List<ExtType.Transparent> parts =
        list(
            "(",
            () -> {
              List<String> sizes = new ArrayList<>();
              while (skip("[")) {
                sizes.add(size());
                expect("]");
              }
              dims.add(sizes);
              External t = external();
              return new ExtType.Transparent(t.type(), t.unsigned(), sizes.size());
            },
            ")");
    expect("=");
    return new ExtType.Def(name, parts, dims, structure());
  }

  /** Reads the known size of a dimension: a number, a word, or nothing. */
  private String size() {
    Token t = peek();
    return t.kind() == Token.Kind.NUMBER || t.kind() == Token.Kind.IDENT ? next().text() : "";
  }

  private ExtType.Structure structure() {
    if (skip("record")) {
      return new ExtType.Structure.Record(list("{", this::field, "}"));
    }
    if (skip("sum")) {
      return new ExtType.Structure.Sum(list("{", this::variant, "}"));
    }
    if (skip("array")) {
      int rank = smallNumber();
      return new ExtType.Structure.Array(rank, ext());
    }
    if (skip("record_array")) {
      int rank = smallNumber();
      return new ExtType.Structure.RecordArray(rank, list("{", this::field, "}"));
    }
    if (skip("unknown")) {
      return new ExtType.Structure.Unknown();
    }
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

  final ExtType ext() {
    if (peek().kind() == Token.Kind.STRING) {
      return new ExtType.Opaque(string());
    }
    int rank = 0;
    while (skip("[")) {
      expect("]");
      rank++;
    }
    External t = external();
    return new ExtType.Transparent(t.type(), t.unsigned(), rank);
  }

  /** Reads an entry point, after the word {@code entry}. */
  final EntryPoint entry() {
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
