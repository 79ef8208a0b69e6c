package futharkc.core.language.index;

import futharkc.core.ir.Loc;
import futharkc.core.language.check.TypePrinter;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Pat;
import futharkc.core.language.typed.Type;
import futharkc.core.language.typed.ValDef;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The names and types in all files of a program. Lines and columns count from 1; columns count code
 * points.
 */
public final class ProgramIndex {
  private final Map<String, FileNames> names;
  private final Map<String, TypeIndex> types;
  private final Supplier<TypeIndex> prelude;

  /**
   * Creates an index.
   *
   * @param names the names of the files, by path
   * @param types the types in the checked files, by path
   * @param prelude the types of the definitions of the prelude
   */
  ProgramIndex(
      Map<String, FileNames> names, Map<String, TypeIndex> types, Supplier<TypeIndex> prelude) {
    this.names = new LinkedHashMap<>(names);
    this.types = Map.copyOf(types);
    this.prelude = prelude;
  }

  /** Returns the paths of the files, each after the files that it imports. */
  public List<String> files() {
    return List.copyOf(names.keySet());
  }

  /** Tests whether the types in a file are known. */
  public boolean hasTypes(String path) {
    return types.containsKey(path);
  }

  // Names

  /** Returns the definitions of a file, in order. */
  public List<Outline> outline(String path) {
    FileNames file = names.get(path);
    return file == null ? List.of() : List.copyOf(file.outline);
  }

  /** Returns all occurrences of names in a file. */
  public List<Occurrence> occurrences(String path) {
    FileNames file = names.get(path);
    return file == null ? List.of() : List.copyOf(file.occurrences);
  }

  /** Returns the occurrence of a name at a position, or at the end of which the position is. */
  public Optional<Occurrence> occurrenceAt(String path, int line, int column) {
    Occurrence best = null;
    for (Occurrence o : occurrences(path)) {
      if (!SourceRanges.covers(o.loc(), line, column)) {
        continue;
      }
      boolean ends = o.loc().endLine() == line && o.loc().endColumn() == column;
      if (!ends) {
        return Optional.of(o);
      }
      best = o;
    }
    return Optional.ofNullable(best);
  }

  /** Returns all occurrences of a symbol and of its group, in all files. */
  public List<Occurrence> occurrences(Symbol symbol) {
    Symbol group = symbol.group();
    List<Occurrence> found = new ArrayList<>();
    for (FileNames file : names.values()) {
      for (Occurrence o : file.occurrences) {
        if (o.symbol().group() == group) {
          found.add(o);
        }
      }
    }
    return found;
  }

  /** Returns the symbols that are visible at a position, the innermost of each name first. */
  public List<Symbol> visibleAt(String path, int line, int column) {
    FileNames file = names.get(path);
    if (file == null) {
      return List.of();
    }
    FileNames.ScopeRange best = null;
    for (FileNames.ScopeRange s : file.scopes) {
      if (SourceRanges.covers(s.loc(), line, column)
          && (best == null || SourceRanges.isWithin(s.loc(), best.loc()))) {
        best = s;
      }
    }
    Map<String, Symbol> visible = new LinkedHashMap<>();
    NameScope scope = best == null ? file.scope : best.scope();
    scope.each(
        s -> {
          boolean later =
              s.nameLoc().file().equals(path)
                  && SourceRanges.isBefore(line, column, s.nameLoc().line(), s.nameLoc().column());
          if (!later) {
            visible.putIfAbsent(Members.Space.of(s) + s.name(), s);
          }
        });
    return List.copyOf(visible.values());
  }

  /** Returns the symbols that a module or module type defines; empty for other symbols. */
  public List<Symbol> members(Symbol module) {
    return module.meaning == null ? List.of() : all(module.meaning.members());
  }

  /**
   * Returns the symbols that a module or module type defines, or that the result of a parametric
   * module defines; empty for other symbols.
   */
  public List<Symbol> contents(Symbol module) {
    Meaning meaning = module.meaning;
    while (meaning instanceof Meaning.Parametric p) {
      meaning = p.result();
    }
    return meaning == null ? List.of() : all(meaning.members());
  }

  /** Returns the symbols that other files see when they import a file. */
  public List<Symbol> exports(String path) {
    FileNames file = names.get(path);
    return file == null ? List.of() : all(file.exports);
  }

  /** Returns the documentation comment at the beginning of a file, or empty if there is none. */
  public Optional<String> documentation(String path) {
    FileNames file = names.get(path);
    return file == null ? Optional.empty() : Optional.ofNullable(file.file.doc());
  }

  private static List<Symbol> all(Members members) {
    List<Symbol> all = new ArrayList<>();
    for (Members.Space space : Members.Space.values()) {
      all.addAll(members.all(space).values());
    }
    return all;
  }

  // Types

  private @Nullable TypeIndex types(String path) {
    return path.startsWith("/prelude/") ? prelude.get() : types.get(path);
  }

  /** Returns the type of the value of a symbol, or empty if the type is not known. */
  public Optional<String> typeOf(Symbol symbol) {
    TypeIndex index = types(symbol.nameLoc().file());
    if (index == null) {
      return Optional.empty();
    }
    if (symbol.kind() == Symbol.Kind.SIZE) {
      return Optional.of("i64");
    }
    return Optional.ofNullable(type(symbol)).map(TypePrinter::show);
  }

  private @Nullable Type type(Symbol symbol) {
    TypeIndex index = types(symbol.nameLoc().file());
    if (index == null) {
      return null;
    }
    ValDef def = definition(symbol);
    if (def != null) {
      return def.type();
    }
    Type atName = index.at(symbol.nameLoc());
    return atName == null ? index.at(symbol.loc()) : atName;
  }

  /** Returns the size and type parameters of a definition, such as {@code [n] 't}. */
  public String parametersOf(Symbol symbol) {
    ValDef def = definition(symbol);
    if (def == null) {
      return "";
    }
    List<String> parameters = new ArrayList<>();
    for (Name n : def.sizeParams()) {
      parameters.add("[" + n.base() + "]");
    }
    for (Name n : def.typeParams()) {
      parameters.add("'" + n.base());
    }
    return String.join(" ", parameters);
  }

  /** The type of an expression. */
  public record TypeAt(Loc loc, String type) {}

  /** Returns the smallest expression at a position with its type. */
  public Optional<TypeAt> typeAt(String path, int line, int column) {
    TypeIndex index = types(path);
    Loc loc = index == null ? null : index.around(line, column);
    Type type = index == null || loc == null ? null : index.at(loc);
    return type == null || loc == null
        ? Optional.empty()
        : Optional.of(new TypeAt(loc, TypePrinter.show(type)));
  }

  /** Returns the type of the pattern or expression with exactly this range. */
  public Optional<String> typeOf(Loc loc) {
    TypeIndex index = types(loc.file());
    Type type = index == null ? null : index.at(loc);
    return Optional.ofNullable(type).map(TypePrinter::show);
  }

  /** Returns the result type of the definition with this range, or of the local function. */
  public Optional<String> resultOf(Loc loc) {
    TypeIndex index = types(loc.file());
    ValDef def = index == null ? null : index.definition(loc);
    return Optional.ofNullable(def).map(d -> TypePrinter.show(d.result()));
  }

  /** Returns the places in a file at which a type could be stated, with the known types. */
  public Map<TypeSite, String> typeSites(String path) {
    FileNames file = names.get(path);
    Map<TypeSite, String> sites = new LinkedHashMap<>();
    if (file != null) {
      for (TypeSite s : TypeSite.of(file.file)) {
        Optional<String> type =
            s.kind() == TypeSite.Kind.RESULT ? resultOf(s.typed()) : typeOf(s.typed());
        type.ifPresent(t -> sites.put(s, t));
      }
    }
    return sites;
  }

  /**
   * Returns the fields of a record with their types.
   *
   * @param path the fields from the value of the symbol to the record
   */
  public SortedMap<String, String> fieldsOf(Symbol symbol, List<String> path) {
    Type type = type(symbol);
    for (String field : path) {
      type = type instanceof Type.Record r ? r.fields().get(field) : null;
    }
    return fields(type);
  }

  /** Returns the fields of the largest expression that ends at a position, if it is a record. */
  public SortedMap<String, String> fieldsAt(String path, int line, int column) {
    TypeIndex index = types(path);
    Loc loc = index == null ? null : index.endingAt(line, column);
    return fields(index == null || loc == null ? null : index.at(loc));
  }

  private static SortedMap<String, String> fields(@Nullable Type type) {
    SortedMap<String, String> fields = new TreeMap<>(Type.FIELD_ORDER);
    if (type instanceof Type.Record r) {
      r.fields().forEach((name, t) -> fields.put(name, TypePrinter.show(t)));
    }
    return fields;
  }

  /** Returns the parameters of a symbol's function type: names, as far as they exist, and types. */
  public List<String> parameterTypesOf(Symbol symbol) {
    ValDef def = definition(symbol);
    List<String> parameters = new ArrayList<>();
    Type type = type(symbol);
    while (type instanceof Type.Fun f) {
      int i = parameters.size();
      String name =
          def != null && i < def.params().size() && def.params().get(i) instanceof Pat.Var v
              ? v.name().base()
              : null;
      if (name == null && f.param() != null) {
        name = f.param().base();
      }
      String shown = TypePrinter.show(f.from());
      parameters.add(name == null ? shown : "(" + name + ": " + shown + ")");
      type = f.result().type();
    }
    return parameters;
  }

  private @Nullable ValDef definition(Symbol symbol) {
    TypeIndex index = types(symbol.nameLoc().file());
    boolean local = symbol.kind() == Symbol.Kind.LOCAL;
    return index == null ? null : index.definition(local ? symbol.nameLoc() : symbol.loc());
  }
}
