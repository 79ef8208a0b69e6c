package futharkc.tools.doc;

import futharkc.core.language.index.Outline;
import futharkc.core.language.index.ProgramIndex;
import futharkc.core.language.index.Symbol;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The documented definitions of a library, by file and by symbol. */
final class Entries {
  private final Library library;
  private final Map<LibraryFile, List<Entry>> byFile = new LinkedHashMap<>();
  private final Map<LibraryFile, List<Symbol>> others = new LinkedHashMap<>();
  private final Map<Symbol, Entry> bySymbol = new IdentityHashMap<>();

  Entries(Library library) {
    this.library = library;
    for (LibraryFile file : library.files()) {
      Anchors anchors = new Anchors(file);
      List<Outline> outline = library.index().outline(file.path());
      Set<Symbol> visible = library.visible(file);
      byFile.put(file, anchors.entries(outline, visible, null, ""));
      others.put(file, elsewhere(outline, visible));
    }
  }

  /** Returns the entries of a file that are outside modules, in order. */
  List<Entry> of(LibraryFile file) {
    return byFile.getOrDefault(file, List.of());
  }

  /** Returns the definitions of other files that users of a file see through this file. */
  List<Symbol> others(LibraryFile file) {
    return others.getOrDefault(file, List.of());
  }

  /** Returns the entry of a symbol, or null if the symbol is not documented. */
  @Nullable Entry of(Symbol symbol) {
    return bySymbol.get(symbol);
  }

  /** Returns all entries, also those within modules. */
  List<Entry> all() {
    List<Entry> all = new ArrayList<>();
    byFile.values().forEach(entries -> collect(entries, all));
    return all;
  }

  private static void collect(List<Entry> entries, List<Entry> all) {
    for (Entry e : entries) {
      all.add(e);
      collect(e.members(), all);
    }
  }

  /**
   * Returns the address of a symbol from the folder of the site: its documentation, or its line in
   * the source text. The result is null for symbols of undocumented files.
   */
  @Nullable String address(Symbol symbol) {
    Entry entry = bySymbol.get(symbol);
    if (entry != null) {
      return entry.address();
    }
    LibraryFile file = library.file(symbol.nameLoc().file());
    return file == null ? null : file.source(symbol.nameLoc().line());
  }

  private static List<Symbol> elsewhere(List<Outline> outline, Collection<Symbol> visible) {
    Set<Symbol> here = Collections.newSetFromMap(new IdentityHashMap<>());
    outline.forEach(o -> here.add(o.symbol()));
    return visible.stream().filter(s -> !here.contains(s)).toList();
  }

  /** The choice of anchors for the definitions of one file. */
  private final class Anchors {
    private final LibraryFile file;
    private final Set<String> used = new HashSet<>();

    Anchors(LibraryFile file) {
      this.file = file;
    }

    List<Entry> entries(
        List<Outline> outline, Set<Symbol> visible, @Nullable Symbol parent, String prefix) {
      ProgramIndex index = library.index();
      List<Entry> entries = new ArrayList<>();
      for (Outline o : outline) {
        Symbol symbol = o.symbol();
        if (!visible.contains(symbol)) {
          continue;
        }
        String name = prefix + symbol.name();
        String anchor = anchor(symbol, name);
        Set<Symbol> contents = Collections.newSetFromMap(new IdentityHashMap<>());
        contents.addAll(index.contents(symbol));
        List<Symbol> ordered = index.contents(symbol);
        Entry entry =
            new Entry(
                symbol,
                name,
                anchor,
                file,
                parent,
                entries(o.members(), contents, symbol, name + "."),
                elsewhere(o.members(), ordered));
        entries.add(entry);
        bySymbol.put(symbol, entry);
      }
      return entries;
    }

    private String anchor(Symbol symbol, String name) {
      String space =
          switch (symbol.kind()) {
            case VALUE, SPECIFICATION, LOCAL, SIZE, MODULE, MODULE_PARAMETER -> "term";
            case TYPE, TYPE_PARAMETER -> "type";
            case MODULE_TYPE -> "modtype";
          };
      String anchor = space + ":" + name;
      int number = 1;
      while (!used.add(anchor)) {
        number++;
        anchor = space + ":" + name + ":" + number;
      }
      return anchor;
    }
  }
}
