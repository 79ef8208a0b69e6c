package futharkc.core.language.index;

import futharkc.core.ir.Loc;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A definition of a name. Symbols are compared by identity.
 *
 * <p>A specification in a module type and the definitions that implement it need the same name.
 * They form a group, and so does a variable with its updates {@code let x[i] = v}.
 */
public final class Symbol {
  /** The kinds of symbols. */
  public enum Kind {
    /** A value or function of a file or module. */
    VALUE,
    /** A specification of a value in a module type. */
    SPECIFICATION,
    /** A variable or function within a definition. */
    LOCAL,
    /** A size parameter. */
    SIZE,
    /** A type, or its specification in a module type. */
    TYPE,
    /** A type parameter. */
    TYPE_PARAMETER,
    /** A module, or its specification in a module type. */
    MODULE,
    /** A parameter of a parametric module. */
    MODULE_PARAMETER,
    /** A module type. */
    MODULE_TYPE;

    /** Returns the kind in words. */
    public String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  private final Kind kind;
  private final String name;
  private final Loc nameLoc;
  private final Loc loc;
  private final @Nullable String doc;
  private final boolean function;

  /** The members of a module or module type; null for other symbols. */
  @Nullable Meaning meaning;

  /** The head of the definition as written, without its body; empty for variables. */
  private final String signature;

  /** The range of the head of the definition. */
  private final Loc head;

  /** The types that the module type of a module leaves abstract. */
  Set<String> abstractTypes = Set.of();

  private @Nullable Symbol representative;

  Symbol(
      Kind kind,
      String name,
      Loc nameLoc,
      Loc loc,
      @Nullable String doc,
      boolean function,
      String signature,
      Loc head) {
    this.kind = kind;
    this.name = name;
    this.nameLoc = nameLoc;
    this.loc = loc;
    this.doc = doc;
    this.function = function;
    this.signature = signature;
    this.head = head;
  }

  /** Creates a symbol without documentation. */
  static Symbol of(Kind kind, String name, Loc nameLoc, Loc loc) {
    return new Symbol(kind, name, nameLoc, loc, null, false, "", loc);
  }

  public Kind kind() {
    return kind;
  }

  public String name() {
    return name;
  }

  /** Returns the range of the name in its definition. */
  public Loc nameLoc() {
    return nameLoc;
  }

  /** Returns the range of the whole definition. */
  public Loc loc() {
    return loc;
  }

  /** Returns the documentation comment, or null. */
  public @Nullable String doc() {
    return doc;
  }

  /** Returns the head of the definition as written, without its body; empty for variables. */
  public String signature() {
    return signature;
  }

  /** Returns the range of the head of the definition, up to its body. */
  public Loc headLoc() {
    return head;
  }

  /** Returns the names of the types that the module type of a module leaves abstract. */
  public Set<String> abstractTypes() {
    return abstractTypes;
  }

  /** Tests whether the definition has parameters. */
  public boolean isFunction() {
    return function;
  }

  /** Tests whether the name is a symbolic operator. */
  public boolean isOperator() {
    char first = name.charAt(0);
    return !Character.isLetter(first) && first != '_';
  }

  /** Tests whether the definition is part of the prelude. */
  public boolean isBuiltin() {
    return nameLoc.file().startsWith("/prelude/");
  }

  /** Returns the symbol that stands for the group of this symbol. */
  public Symbol group() {
    Symbol s = this;
    while (s.representative != null) {
      s = s.representative;
    }
    return s;
  }

  /** Adds a symbol with its group to the group of this symbol. A builtin symbol stands for both. */
  void join(Symbol other) {
    Symbol a = group();
    Symbol b = other.group();
    if (a == b) {
      return;
    }
    if (b.isBuiltin()) {
      a.representative = b;
    } else {
      b.representative = a;
    }
  }

  @Override
  public String toString() {
    return kind.text() + " " + name + " at " + nameLoc;
  }
}
