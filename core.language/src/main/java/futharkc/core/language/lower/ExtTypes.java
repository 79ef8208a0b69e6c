package futharkc.core.language.lower;

import futharkc.core.ir.ExtType;
import futharkc.core.ir.Name;
import futharkc.core.ir.SubExp;
import futharkc.core.language.typed.MetaType;
import futharkc.core.language.typed.Program;
import futharkc.core.language.typed.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The external types of entry points. */
final class ExtTypes {
  private final Elaborator el;
  private final Map<futharkc.core.language.typed.Name, Program.TypeDef> defs;
  private final Map<String, ExtType.Def> opaques = new LinkedHashMap<>();

  /** The type names in entry points, keyed by the types' structures. */
  private final Map<String, String> names = new HashMap<>();

  ExtTypes(Elaborator el, Map<futharkc.core.language.typed.Name, Program.TypeDef> defs) {
    this.el = el;
    this.defs = defs;
  }

  /** Returns the descriptions of all opaque types met so far. */
  Map<String, ExtType.Def> opaques() {
    return opaques;
  }

  /**
   * Returns the external type of a type.
   *
   * @param text the type as written, or null; without sizes and uniqueness it is the external name
   */
  ExtType of(Type t, @Nullable String text, Frame f) {
    Ty resolved = el.types.eval(t, f, (s, g) -> size(s, g == f));
    return of(t, resolved, text == null ? null : plain(text));
  }

  /**
   * Returns the external form of a size: a constant, a name that can occur several times, or
   * unknown.
   */
  private static SubExp size(Type.Size size, boolean named) {
    return switch (size) {
      case Type.Size.Const c -> SubExp.i64(c.value());
      case Type.Size.Var v ->
          named ? SubExp.of(new Name(v.name().base(), v.name().tag())) : Ty.UNKNOWN;
      case Type.Size.Of _, Type.Size.Any _ -> Ty.UNKNOWN;
    };
  }

  /**
   * Records the written name of a type. The name is used wherever the type occurs inside other
   * types.
   */
  void declare(Type t, @Nullable String text, Frame f) {
    if (text == null) {
      return;
    }
    String name = plain(text);
    Ty resolved = el.types.eval(t, f, (s, g) -> Ty.UNKNOWN);
    Type written = t;
    while (name.startsWith("[]") && resolved instanceof Ty.Array a) {
      name = name.substring(2).strip();
      resolved = a.elem();
      if (written instanceof Type.Array x) {
        written = x.elem();
      }
    }
    boolean named =
        Character.isJavaIdentifierStart(name.charAt(0)) && !(written instanceof Type.Named);
    if (named && !(resolved instanceof Ty.Prim)) {
      names.putIfAbsent(SourceTypeText.of(resolved), name);
    }
  }

  /** Returns the external name of a type that is not written in the program. */
  private String name(@Nullable Type t, Ty resolved) {
    if (t instanceof Type.Named) {
      return SourceTypeText.of(t);
    }
    int rank = 0;
    Ty elem = resolved;
    while (true) {
      String name = names.get(SourceTypeText.of(elem));
      if (name != null) {
        return "[]".repeat(rank) + name;
      }
      if (!(elem instanceof Ty.Array a)) {
        break;
      }
      elem = a.elem();
      rank++;
    }
    return t != null ? SourceTypeText.of(t) : SourceTypeText.of(resolved);
  }

  private static String plain(String text) {
    return text.replaceAll("\\[[^\\]]*\\]", "[]").replace("*", "").strip();
  }

  private ExtType of(@Nullable Type t, Ty resolved, @Nullable String text) {
    int rank = 0;
    Ty elem = resolved;
    while (elem instanceof Ty.Array a) {
      rank++;
      elem = a.elem();
    }
    if (elem instanceof Ty.Prim p) {
      return transparent(p, rank);
    }
    String name = text != null ? text : name(t, resolved);
    Type structure = t == null ? null : expand(t);
    ExtType.Structure s =
        switch (resolved) {
          case Ty.Array a when a.leafCount() == 0 -> new ExtType.Structure.Unknown();
          case Ty.Record r -> new ExtType.Structure.Record(fields(structure, r, text));
          case Ty.Sum x -> new ExtType.Structure.Sum(variants(structure, x));
          case Ty.Array a -> {
            Type of = element(structure, rank);
            String elemText = elementText(text, rank);
            yield elem instanceof Ty.Record r
                ? new ExtType.Structure.RecordArray(
                    rank, fields(of == null ? null : expand(of), r, elemText))
                : new ExtType.Structure.Array(rank, of(of, elem, elemText));
          }
          case Ty.Prim p -> new ExtType.Structure.Unknown();
          case Ty.Acc a -> new ExtType.Structure.Unknown();
          case Ty.Fun x -> new ExtType.Structure.Unknown();
        };
    return define(name, resolved, s);
  }

  private ExtType define(String wanted, Ty type, ExtType.Structure structure) {
    List<ExtType.Transparent> parts = parts(type);
    String name = wanted;
    for (int i = 1; ; i++) {
      ExtType.Def def =
          structure instanceof ExtType.Structure.Sum
              ? new ExtType.Def(name, parts, dims(type), structure)
              : new ExtType.Def(name, parts, structure);
      ExtType.Def known = opaques.putIfAbsent(name, def);
      if (known == null) {
        return new ExtType.Opaque(name);
      }
      if (known.parts().equals(parts) && known.structure().equals(structure)) {
        opaques.put(name, known.join(def));
        return new ExtType.Opaque(name);
      }
      name = wanted + "_" + i;
    }
  }

  /**
   * Returns the dimensions of each part of a type: constants, names shared by equal sizes, or empty
   * texts for unknown sizes.
   */
  private static List<List<String>> dims(Ty type) {
    Map<SubExp, String> names = new HashMap<>();
    List<List<String>> all = new ArrayList<>();
    for (EntryParts.Part p : EntryParts.of(type)) {
      List<String> dims = new ArrayList<>();
      for (SubExp size : p.type().dims()) {
        dims.add(
            size.equals(Ty.UNKNOWN)
                ? ""
                : size instanceof SubExp.Const c
                    ? Long.toString(c.value().bits())
                    : names.computeIfAbsent(size, x -> "size" + names.size()));
      }
      all.add(dims);
    }
    return all;
  }

  private static ExtType.Transparent transparent(Ty.Prim p, int rank) {
    return new ExtType.Transparent(Ty.ir(p.type()), p.type().isUnsigned(), rank);
  }

  private List<ExtType.Field> fields(@Nullable Type t, Ty.Record r, @Nullable String text) {
    Map<String, String> texts = componentTexts(text);
    List<ExtType.Field> out = new ArrayList<>();
    r.fields()
        .forEach(
            (name, x) -> {
              Type source = t instanceof Type.Record record ? record.fields().get(name) : null;
              out.add(new ExtType.Field(name, of(source, x, texts.get(name))));
            });
    return out;
  }

  /**
   * Returns the text of the elements if an array type was written with at least the given rank, or
   * null.
   */
  private static @Nullable String elementText(@Nullable String text, int rank) {
    String dims = "[]".repeat(rank);
    return text != null && text.startsWith(dims) ? text.substring(dims.length()).strip() : null;
  }

  /**
   * Returns the texts of the components if a type was written as a tuple or record, by component
   * name.
   */
  private static Map<String, String> componentTexts(@Nullable String text) {
    Map<String, String> out = new HashMap<>();
    if (text == null || text.length() < 2 || "({".indexOf(text.charAt(0)) < 0) {
      return out;
    }
    boolean tuple = text.charAt(0) == '(';
    int depth = 0;
    int start = 1;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if ("([{".indexOf(c) >= 0) {
        depth++;
      }
      if (")]}".indexOf(c) >= 0) {
        depth--;
      }
      if (depth == 0 && i < text.length() - 1) {
        return Map.of();
      }
      if (depth == 0 || depth == 1 && c == ',') {
        String component = text.substring(start, i).strip();
        int colon = component.indexOf(':');
        if (tuple) {
          out.put(Integer.toString(out.size()), component);
        } else if (colon > 0) {
          out.put(component.substring(0, colon).strip(), component.substring(colon + 1).strip());
        }
        start = i + 1;
      }
    }
    return out;
  }

  private List<ExtType.Variant> variants(@Nullable Type t, Ty.Sum s) {
    List<ExtType.Variant> out = new ArrayList<>();
    s.variants()
        .forEach(
            (name, payload) -> {
              List<ExtType> types = new ArrayList<>();
              for (int i = 0; i < payload.size(); i++) {
                Type source =
                    t instanceof Type.Sum x
                        ? java.util.Objects.requireNonNull(x.variants().get(name)).get(i)
                        : null;
                types.add(of(source, payload.get(i), null));
              }
              out.add(new ExtType.Variant(name, types, EntryParts.slots(s, name)));
            });
    return out;
  }

  /** Returns the external parts of a type. */
  private static List<ExtType.Transparent> parts(Ty t) {
    return EntryParts.of(t).stream()
        .map(p -> new ExtType.Transparent(p.type().elemPrim(), p.unsigned(), p.type().rank()))
        .toList();
  }

  /** Returns the type below some number of dimensions, or null if the structure is hidden. */
  private @Nullable Type element(@Nullable Type t, int rank) {
    Type cur = t;
    for (int i = 0; i < rank; i++) {
      if (!(cur instanceof Type.Array a)) {
        return null;
      }
      cur = i + 1 < rank ? expand(a.elem()) : a.elem();
    }
    return cur;
  }

  /** Returns the definition of an abstract type, or any other type itself. */
  private Type expand(Type t) {
    Type cur = t;
    while (true) {
      Program.TypeDef def =
          cur instanceof Type.Named n && n.args().isEmpty() ? defs.get(n.name()) : null;
      if (def != null) {
        cur = def.type().type();
      } else if (cur instanceof MetaType m && m.solution != null) {
        cur = m.solution;
      } else {
        return cur;
      }
    }
  }
}
