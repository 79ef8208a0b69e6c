package futharkc.tools.doc;

import futharkc.core.language.index.Symbol;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A documented definition.
 *
 * @param name the name with the modules around it, such as {@code M.f}
 * @param anchor the anchor on the page of its file
 * @param parent the entry of the module or module type around it, or null
 * @param members the documented definitions within a module or module type
 * @param others the visible definitions of a module or module type that are written elsewhere
 */
record Entry(
    Symbol symbol,
    String name,
    String anchor,
    LibraryFile file,
    @Nullable Symbol parent,
    List<Entry> members,
    List<Symbol> others) {

  Entry {
    members = List.copyOf(members);
    others = List.copyOf(others);
  }

  /** Returns the address from the folder of the site. */
  String address() {
    return Html.encoded(file.page()) + "#" + Html.encoded(anchor);
  }

  /** Returns the kind of the definition in words. */
  String kind() {
    return switch (symbol.kind()) {
      case VALUE, SPECIFICATION -> symbol.isFunction() ? "function" : "value";
      case LOCAL, SIZE, TYPE_PARAMETER, MODULE_PARAMETER -> symbol.kind().text();
      case TYPE -> "type";
      case MODULE -> symbol.isFunction() ? "parametric module" : "module";
      case MODULE_TYPE -> "module type";
    };
  }

  /** Tests whether the module type of the module around this type leaves the type abstract. */
  boolean isAbstract() {
    return symbol.kind() == Symbol.Kind.TYPE
        && parent != null
        && parent.abstractTypes().contains(symbol.name());
  }
}
