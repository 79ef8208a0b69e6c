package futharkc.core.ir.text;

import futharkc.core.ir.Lmad;
import futharkc.core.ir.Poly;
import futharkc.core.ir.Space;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The text form of types. */
final class TypeText {
  private TypeText() {}

  static String subExp(SubExp e) {
    return switch (e) {
      case SubExp.Const c -> Atoms.value(c.value());
      case SubExp.Var v -> Atoms.name(v.name());
    };
  }

  static String type(Type t) {
    return switch (t) {
      case Type.Prim p -> p.prim().toString();
      case Type.Array a -> {
        String s = dims(a.shape()) + a.elem();
        yield a.mem() == null
            ? s
            : s + " @ " + Atoms.name(a.mem().block()) + " -> " + lmad(a.mem().lmad());
      }
      case Type.Acc acc ->
          "acc("
              + Atoms.name(acc.token())
              + ", "
              + shape(acc.space())
              + ", {"
              + String.join(", ", acc.elems().stream().map(TypeText::type).toList())
              + "})";
      case Type.Mem m -> "mem " + space(m.space());
    };
  }

  /** Returns {@code [n_1][4i64]}. */
  static String dims(List<SubExp> dims) {
    return dims.stream().map(d -> "[" + subExp(d) + "]").collect(Collectors.joining());
  }

  /** Returns {@code [n_1, 4i64]}. */
  static String shape(List<SubExp> dims) {
    return dims.stream().map(TypeText::subExp).collect(Collectors.joining(", ", "[", "]"));
  }

  static String space(Space s) {
    return switch (s) {
      case Space.Elements e -> e.elem().toString();
      case Space.Device d -> "device";
      case Space.Shared d -> "shared";
      case Space.Scalar sc -> "scalar " + shape(sc.shape()) + " " + sc.elem();
      case Space.Named n -> Atoms.string(n.name());
    };
  }

  static String lmad(Lmad l) {
    return poly(l.offset())
        + " + {"
        + l.dims().stream()
            .map(d -> subExp(d.size()) + ": " + poly(d.stride()))
            .collect(Collectors.joining(", "))
        + "}";
  }

  static String poly(Poly p) {
    if (p.isZero()) {
      return "0";
    }
    return p.terms().entrySet().stream().map(TypeText::term).collect(Collectors.joining(" + "));
  }

  private static String term(Map.Entry<Poly.Product, Long> term) {
    String product =
        term.getKey().factors().stream().map(Atoms::name).collect(Collectors.joining("*"));
    if (product.isEmpty()) {
      return term.getValue().toString();
    }
    return term.getValue() == 1 ? product : term.getValue() + "*" + product;
  }
}
