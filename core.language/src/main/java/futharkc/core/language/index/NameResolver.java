package futharkc.core.language.index;

import futharkc.core.ir.Loc;
import futharkc.core.language.syntax.Dec;
import futharkc.core.language.syntax.ModExp;
import futharkc.core.language.syntax.Pat;
import futharkc.core.language.syntax.QualName;
import futharkc.core.language.syntax.SigExp;
import futharkc.core.language.syntax.TypeExp;
import futharkc.core.language.syntax.TypeParam;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The resolution of names in the declarations of a file. Unknown names are skipped, so that
 * programs with errors have an index too.
 */
final class NameResolver {
  private final FileNames names;
  private final Function<String, @Nullable Members> imports;
  private final ExpressionResolver exps;

  /**
   * Creates a resolver.
   *
   * @param names the receiver of the names of the file
   * @param imports a function from the path in an import to the names of the file
   */
  NameResolver(FileNames names, Function<String, @Nullable Members> imports) {
    this.names = names;
    this.imports = imports;
    this.exps = new ExpressionResolver(this);
  }

  /** Resolves the names of the whole file. */
  void file() {
    names.exports.addAll(decs(names.file.decs(), names.scope, names.outline));
  }

  // Occurrences

  void occurs(Symbol symbol, Loc loc, Occurrence.Role role) {
    names.occurrences.add(new Occurrence(symbol, loc, role));
  }

  void visible(Loc loc, NameScope scope) {
    names.scopes.add(new FileNames.ScopeRange(loc, scope));
  }

  SourceText text() {
    return names.text;
  }

  /** Resolves a qualified name. Returns its symbol, or null for an unknown name. */
  @Nullable Symbol reference(QualName name, Loc loc, Members.Space space, NameScope scope) {
    List<String> path = new ArrayList<>(name.qualifiers());
    path.add(name.name());
    List<Loc> locs = text().findAll(loc, path);
    Symbol symbol = null;
    for (int i = 0; i < path.size(); i++) {
      Members.Space s = i == path.size() - 1 ? space : Members.Space.VALUES;
      symbol =
          i == 0
              ? scope.find(s, path.get(i))
              : symbol == null || symbol.meaning == null
                  ? null
                  : symbol.meaning.members().get(s, path.get(i));
      if (symbol == null) {
        return null;
      }
      occurs(symbol, locs.get(i), Occurrence.Role.REFERENCE);
    }
    return symbol;
  }

  /**
   * Creates the symbol of a definition and adds its occurrence.
   *
   * @param body the range of the body, or null if the whole definition is the signature
   */
  private Symbol define(
      Symbol.Kind kind,
      String name,
      Loc loc,
      @Nullable String doc,
      boolean function,
      @Nullable Loc body) {
    Loc nameLoc = text().find(loc, name);
    Symbol symbol =
        new Symbol(kind, name, nameLoc, loc, doc, function, signature(loc, body), head(loc, body));
    occurs(symbol, nameLoc, Occurrence.Role.DEFINITION);
    return symbol;
  }

  /** Returns the text of a definition before its body. */
  String signature(Loc loc, @Nullable Loc body) {
    Loc end = body == null ? end(loc) : body;
    String head = text().between(loc, end);
    return body != null && head.endsWith("=") ? head.substring(0, head.length() - 1).strip() : head;
  }

  /** Returns the range of a definition before its body. */
  static Loc head(Loc loc, @Nullable Loc body) {
    return body == null
        ? loc
        : new Loc(loc.file(), loc.line(), loc.column(), body.line(), body.column());
  }

  private static Loc end(Loc loc) {
    return new Loc(loc.file(), loc.endLine(), loc.endColumn(), loc.endLine(), loc.endColumn());
  }

  /** Binds size and type parameters in a scope. */
  void typeParams(List<TypeParam> params, NameScope scope) {
    for (TypeParam p : params) {
      Symbol.Kind kind =
          p instanceof TypeParam.Size ? Symbol.Kind.SIZE : Symbol.Kind.TYPE_PARAMETER;
      scope.bind(define(kind, p.name(), p.loc(), null, false, null));
    }
  }

  // Declarations

  private Members decs(List<Dec> decs, NameScope scope, List<Outline> outline) {
    Members members = new Members();
    for (Dec d : decs) {
      dec(d, scope, members, outline);
    }
    return members;
  }

  private void dec(Dec dec, NameScope scope, Members members, List<Outline> outline) {
    switch (dec) {
      case Dec.Val v -> add(value(v, scope), List.of(), scope, members, outline);
      case Dec.Type t -> add(type(t, scope), List.of(), scope, members, outline);
      case Dec.Mod m -> {
        List<Outline> inner = new ArrayList<>();
        Symbol symbol =
            define(
                Symbol.Kind.MODULE,
                m.name(),
                m.loc(),
                m.doc(),
                !m.params().isEmpty(),
                m.body().loc());
        symbol.meaning = module(m, symbol, scope, inner);
        add(symbol, inner, scope, members, outline);
      }
      case Dec.Sig s -> {
        List<Outline> inner = new ArrayList<>();
        Symbol symbol =
            define(Symbol.Kind.MODULE_TYPE, s.name(), s.loc(), s.doc(), false, s.sig().loc());
        symbol.meaning = sig(s.sig(), scope, inner);
        add(symbol, inner, scope, members, outline);
      }
      case Dec.Open o -> {
        Members opened = mod(o.mod(), scope, outline).members();
        scope.open(opened);
        members.addAll(opened);
      }
      case Dec.Import i -> {
        Members opened = imports.apply(i.path());
        if (opened != null) {
          scope.open(opened);
        }
      }
      case Dec.Local l -> dec(l.dec(), scope, new Members(), outline);
    }
  }

  private static void add(
      Symbol symbol, List<Outline> inner, NameScope scope, Members members, List<Outline> outline) {
    outline.add(new Outline(symbol, List.copyOf(inner)));
    scope.bind(symbol);
    members.add(symbol);
  }

  private Symbol value(Dec.Val v, NameScope outer) {
    Loc nameLoc = text().find(v.nameLoc(), v.name());
    boolean function = !v.params().isEmpty();
    String signature = signature(v.loc(), v.body().loc());
    Symbol symbol =
        new Symbol(
            Symbol.Kind.VALUE,
            v.name(),
            nameLoc,
            v.loc(),
            v.doc(),
            function,
            signature,
            head(v.loc(), v.body().loc()));
    occurs(symbol, nameLoc, Occurrence.Role.DEFINITION);
    NameScope scope = new NameScope(outer);
    if (function && !symbol.isOperator()) {
      scope.bind(symbol);
    }
    typeParams(v.typeParams(), scope);
    for (Pat p : v.params()) {
      exps.pat(p, scope);
    }
    if (v.result() != null) {
      exps.type(v.result(), scope);
    }
    visible(v.loc(), scope);
    exps.exp(v.body(), scope);
    return symbol;
  }

  private Symbol type(Dec.Type t, NameScope outer) {
    Symbol symbol =
        define(Symbol.Kind.TYPE, t.name(), t.loc(), t.doc(), !t.params().isEmpty(), null);
    NameScope scope = new NameScope(outer);
    typeParams(t.params(), scope);
    visible(t.loc(), scope);
    exps.type(t.type(), scope);
    return symbol;
  }

  // Modules

  private Meaning module(Dec.Mod m, Symbol symbol, NameScope outer, List<Outline> outline) {
    NameScope scope = new NameScope(outer);
    List<Meaning> params = new ArrayList<>();
    for (ModExp.Param p : m.params()) {
      params.add(param(p, scope));
    }
    visible(m.loc(), scope);
    Meaning type = m.sig() == null ? null : sig(m.sig(), scope, new ArrayList<>());
    Meaning result = mod(m.body(), scope, outline);
    if (type != null) {
      symbol.abstractTypes = abstractTypes(m.sig(), type);
      result = ascribe(result, type);
    }
    for (Meaning p : params.reversed()) {
      result = new Meaning.Parametric(p, result);
    }
    return result;
  }

  /** Returns the types of a module type without a definition. */
  private static Set<String> abstractTypes(@Nullable SigExp sig, Meaning meaning) {
    Set<String> types = new HashSet<>();
    for (Symbol type : meaning.members().all(Members.Space.TYPES).values()) {
      if (!type.signature().contains("=")) {
        types.add(type.name());
      }
    }
    for (SigExp s = sig; s instanceof SigExp.With w; s = w.sig()) {
      types.remove(w.name().name());
    }
    return Set.copyOf(types);
  }

  private Meaning param(ModExp.Param p, NameScope scope) {
    Symbol symbol = define(Symbol.Kind.MODULE_PARAMETER, p.name(), p.loc(), null, false, null);
    Meaning meaning = sig(p.sig(), scope, new ArrayList<>());
    symbol.meaning = meaning;
    scope.bind(symbol);
    return meaning;
  }

  /** Returns the members of a module type, with the definitions of a module where it has them. */
  private static Meaning ascribe(Meaning module, Meaning type) {
    Meaning.join(module, type);
    if (!(type instanceof Meaning.Structure t) || !(module instanceof Meaning.Structure m)) {
      return type;
    }
    Members members = new Members();
    for (Members.Space space : Members.Space.values()) {
      t.members()
          .all(space)
          .forEach(
              (name, specified) -> {
                Symbol given = m.members().get(space, name);
                members.add(space, name, given == null ? specified : given);
              });
    }
    return new Meaning.Structure(members);
  }

  private Meaning mod(ModExp mod, NameScope scope, List<Outline> outline) {
    return switch (mod) {
      case ModExp.Var v -> {
        Symbol symbol = reference(v.name(), v.loc(), Members.Space.VALUES, scope);
        yield symbol == null || symbol.meaning == null ? Meaning.unknown() : symbol.meaning;
      }
      case ModExp.Import i -> {
        Members members = imports.apply(i.path());
        yield members == null ? Meaning.unknown() : new Meaning.Structure(members);
      }
      case ModExp.Decs d -> {
        NameScope inner = new NameScope(scope);
        visible(d.loc(), inner);
        yield new Meaning.Structure(decs(d.decs(), inner, outline));
      }
      case ModExp.Apply a -> {
        Meaning functor = mod(a.functor(), scope, outline);
        Meaning argument = mod(a.arg(), scope, outline);
        if (functor instanceof Meaning.Parametric p) {
          Meaning.join(argument, p.parameter());
          yield p.result();
        }
        yield Meaning.unknown();
      }
      case ModExp.Ascript a -> {
        Meaning module = mod(a.mod(), scope, outline);
        yield ascribe(module, sig(a.sig(), scope, new ArrayList<>()));
      }
      case ModExp.Lambda l -> {
        NameScope inner = new NameScope(scope);
        Meaning parameter = param(l.param(), inner);
        visible(l.loc(), inner);
        Meaning type = l.result() == null ? null : sig(l.result(), inner, new ArrayList<>());
        Meaning body = mod(l.body(), inner, outline);
        yield new Meaning.Parametric(parameter, type == null ? body : ascribe(body, type));
      }
    };
  }

  // Module types

  private Meaning sig(SigExp sig, NameScope scope, List<Outline> outline) {
    return switch (sig) {
      case SigExp.Var v -> {
        Symbol symbol = reference(v.name(), v.loc(), Members.Space.MODULE_TYPES, scope);
        yield symbol == null || symbol.meaning == null ? Meaning.unknown() : symbol.meaning;
      }
      case SigExp.Specs s -> {
        NameScope inner = new NameScope(scope);
        visible(s.loc(), inner);
        Members members = new Members();
        for (SigExp.Spec spec : s.specs()) {
          spec(spec, inner, members, outline);
        }
        yield new Meaning.Structure(members);
      }
      case SigExp.With w -> {
        Meaning meaning = sig(w.sig(), scope, outline);
        refined(w, meaning);
        NameScope inner = new NameScope(scope);
        typeParams(w.params(), inner);
        exps.type(w.type(), inner);
        yield meaning;
      }
      case SigExp.Arrow a -> {
        NameScope inner = new NameScope(scope);
        Meaning parameter = sig(a.from(), scope, new ArrayList<>());
        if (a.param() != null) {
          Symbol symbol =
              define(Symbol.Kind.MODULE_PARAMETER, a.param(), a.loc(), null, false, a.to().loc());
          symbol.meaning = parameter;
          inner.bind(symbol);
        }
        yield new Meaning.Parametric(parameter, sig(a.to(), inner, new ArrayList<>()));
      }
    };
  }

  /** Resolves the name of a refined type in the members of the module type. */
  private void refined(SigExp.With w, Meaning meaning) {
    Loc after =
        new Loc(
            w.loc().file(),
            w.sig().loc().endLine(),
            w.sig().loc().endColumn(),
            w.loc().endLine(),
            w.loc().endColumn());
    NameScope members = new NameScope(null);
    members.open(meaning.members());
    reference(w.name(), after, Members.Space.TYPES, members);
  }

  private void spec(SigExp.Spec spec, NameScope scope, Members members, List<Outline> outline) {
    switch (spec) {
      case SigExp.Spec.Val v -> {
        Symbol symbol =
            define(
                Symbol.Kind.SPECIFICATION,
                v.name(),
                v.loc(),
                v.doc(),
                v.type() instanceof TypeExp.Fun,
                null);
        NameScope inner = new NameScope(scope);
        typeParams(v.typeParams(), inner);
        exps.type(v.type(), inner);
        add(symbol, List.of(), scope, members, outline);
      }
      case SigExp.Spec.AbstractType t -> {
        Symbol symbol = define(Symbol.Kind.TYPE, t.name(), t.loc(), t.doc(), false, null);
        typeParams(t.params(), new NameScope(scope));
        add(symbol, List.of(), scope, members, outline);
      }
      case SigExp.Spec.TypeAbbr t -> add(type(t.dec(), scope), List.of(), scope, members, outline);
      case SigExp.Spec.Mod m -> {
        List<Outline> inner = new ArrayList<>();
        Symbol symbol = define(Symbol.Kind.MODULE, m.name(), m.loc(), m.doc(), false, null);
        symbol.meaning = sig(m.sig(), scope, inner);
        add(symbol, inner, scope, members, outline);
      }
      case SigExp.Spec.Include i -> {
        Meaning meaning = sig(i.sig(), scope, outline);
        Members included = meaning.members();
        // A name that is specified twice denotes one definition.
        Meaning.join(new Meaning.Structure(members), meaning);
        scope.open(included);
        members.addAll(included);
      }
    }
  }
}
