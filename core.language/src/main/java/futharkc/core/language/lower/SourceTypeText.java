package futharkc.core.language.lower;

import futharkc.core.ir.BasicOp.MsgPart;
import futharkc.core.ir.SubExp;
import futharkc.core.language.typed.MetaType;
import futharkc.core.language.typed.Type;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The text form of types for users. */
final class SourceTypeText {
  private SourceTypeText() {}

  /**
   * Returns the text of a type without sizes: {@code [][]i32}, {@code (i64, f32)}, {@code {x:
   * bool}}.
   */
  static String of(Type t) {
    return switch (t) {
      case Type.Prim p -> p.type().toString();
      case Type.Array a -> "[]" + of(a.elem());
      case Type.Record r -> {
        List<Type> elems = Type.tupleElems(r);
        yield elems != null
            ? elems.stream().map(SourceTypeText::of).collect(Collectors.joining(", ", "(", ")"))
            : record(r.fields(), SourceTypeText::of);
      }
      case Type.Sum s -> sum(s.variants(), SourceTypeText::atom);
      case Type.Fun f -> atom(f.from()) + " -> " + of(f.result().type());
      case Type.Named n ->
          n.name().base()
              + n.args().stream()
                  .map(
                      x ->
                          switch (x) {
                            case Type.Arg.OfSize s -> " []";
                            case Type.Arg.OfType y -> " " + atom(y.type());
                          })
                  .collect(Collectors.joining());
      case MetaType m -> m.solution == null ? m.toString() : of(m.solution);
    };
  }

  /** Returns the text of a resolved type, as {@link #of(Type)} does. */
  static String of(Ty t) {
    return of(t, size -> "");
  }

  /** Returns the text of a resolved type with texts of its sizes. */
  static String of(Ty t, Function<SubExp, String> size) {
    return switch (t) {
      case Ty.Prim p -> p.type().toString();
      case Ty.Array a -> "[" + size.apply(a.size()) + "]" + atom(of(a.elem(), size));
      case Ty.Record r ->
          isTuple(r)
              ? r.fields().values().stream()
                  .map(x -> of(x, size))
                  .collect(Collectors.joining(", ", "(", ")"))
              : record(r.fields(), x -> of(x, size));
      case Ty.Sum s -> sum(s.variants(), x -> atom(of(x, size)));
      case Ty.Acc a -> "acc";
      case Ty.Fun f -> "function";
    };
  }

  /** Tests whether a record is a tuple. */
  static boolean isTuple(Ty.Record r) {
    return r.fields().isEmpty() || r.fields().firstKey().equals("0");
  }

  private static String atom(Type t) {
    return atom(of(t));
  }

  private static String atom(String s) {
    return s.indexOf(' ') >= 0 && !s.startsWith("(") && !s.startsWith("{") ? "(" + s + ")" : s;
  }

  private static <T> String record(Map<String, T> fields, Function<T, String> text) {
    return fields.entrySet().stream()
        .map(e -> e.getKey() + ": " + text.apply(e.getValue()))
        .collect(Collectors.joining(", ", "{", "}"));
  }

  private static <T> String sum(Map<String, List<T>> variants, Function<T, String> text) {
    return variants.entrySet().stream()
        .map(
            e ->
                "#"
                    + e.getKey()
                    + e.getValue().stream()
                        .map(t -> " " + text.apply(t))
                        .collect(Collectors.joining()))
        .collect(Collectors.joining(" | "));
  }

  /** Adds the text of a type with the run-time values of its sizes to a message. */
  static void ofSizes(Ty t, List<MsgPart> out) {
    switch (t) {
      case Ty.Prim p -> out.add(Emit.text(p.type().toString()));
      case Ty.Array a -> {
        out.add(Emit.text("["));
        out.add(Emit.value(a.size()));
        out.add(Emit.text("]"));
        ofSizes(a.elem(), out);
      }
      case Ty.Record r -> {
        boolean tuple = isTuple(r);
        String separator = tuple ? "(" : "{";
        if (r.fields().isEmpty()) {
          out.add(Emit.text("("));
        }
        for (var e : r.fields().entrySet()) {
          out.add(Emit.text(tuple ? separator : separator + e.getKey() + ": "));
          ofSizes(e.getValue(), out);
          separator = ", ";
        }
        out.add(Emit.text(tuple ? ")" : "}"));
      }
      case Ty.Sum s -> {
        String separator = "#";
        for (var e : s.variants().entrySet()) {
          out.add(Emit.text(separator + e.getKey()));
          for (Ty x : e.getValue()) {
            out.add(Emit.text(" "));
            ofSizes(x, out);
          }
          separator = " | #";
        }
      }
      case Ty.Acc a -> out.add(Emit.text("acc"));
      case Ty.Fun f -> out.add(Emit.text("function"));
    }
  }
}
