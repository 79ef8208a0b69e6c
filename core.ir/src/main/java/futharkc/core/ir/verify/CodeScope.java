package futharkc.core.ir.verify;

import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The variables in scope at a point of imperative code, and the variables that must not be used
 * there.
 */
final class CodeScope {
  /** The kind of a variable's declaration, which determines its legal uses. */
  enum Kind {
    CONSTANT("a constant"),
    PARAMETER("a parameter"),
    INDEX("the index of a loop or region"),
    SCALAR("a scalar"),
    BLOCK("a block"),
    SCRATCH("a scratch block"),
    VALUES("a block of constants"),
    LANES("a lane variable"),
    REQUEST("a request");

    final String described;

    Kind(String described) {
      this.described = described;
    }
  }

  /** The reason why a variable must not be used. */
  enum Lack {
    UNASSIGNED("used before it is assigned"),
    RELEASED("used after it is released"),
    REQUESTED("a request, which only an await uses");

    final String described;

    Lack(String described) {
      this.described = described;
    }
  }

  /**
   * A variable in scope.
   *
   * @param region the number of parallel regions around its declaration
   */
  record Declared(Code.Variable variable, Kind kind, int region) {}

  private final int nextTag;
  private final boolean bytes;
  private final Map<Name, Declared> inScope = new HashMap<>();
  private final Map<Name, Code.Variable> everywhere = new HashMap<>();
  private final List<Name> order = new ArrayList<>();
  private final Map<Name, Lack> lacking = new HashMap<>();

  /**
   * The log of changes to {@link #lacking}, for undoing them. Copying the map at each branch would
   * be slower.
   */
  private final List<Change> changes = new ArrayList<>();

  private int region;

  /** A change of a variable's usability, with the previous state. */
  private record Change(Name name, Optional<Lack> before) {}

  /**
   * Makes the scope of a function.
   *
   * @param nextTag a number greater than that of every name in the function
   * @param bytes true if blocks of i8 may be used as blocks of other types
   */
  CodeScope(int nextTag, boolean bytes) {
    this.nextTag = nextTag;
    this.bytes = bytes;
  }

  // Scopes

  /** Begins a list of statements and returns a mark for {@link #leave}. */
  int enter() {
    return order.size();
  }

  /** Ends a list of statements and the scope of its declarations. */
  void leave(int entered) {
    while (order.size() > entered) {
      Name n = order.removeLast();
      inScope.remove(n);
      set(n, Optional.empty());
    }
  }

  void enterRegion() {
    region++;
  }

  void leaveRegion() {
    region--;
  }

  // Usability of variables

  private void set(Name n, Optional<Lack> lack) {
    Lack before = lack.isPresent() ? lacking.put(n, lack.get()) : lacking.remove(n);
    if (before != lack.orElse(null)) {
      changes.add(new Change(n, Optional.ofNullable(before)));
    }
  }

  /** Returns the current position in the log, for {@link #back} and {@link #meet}. */
  int fork() {
    return changes.size();
  }

  /**
   * Undoes all changes since a position. Returns the states of the changed variables before the
   * undo.
   */
  Map<Name, Optional<Lack>> back(int fork) {
    Map<Name, Optional<Lack>> now = new HashMap<>();
    while (changes.size() > fork) {
      Change c = changes.removeLast();
      now.putIfAbsent(c.name, Optional.ofNullable(lacking.get(c.name)));
      if (c.before.isPresent()) {
        lacking.put(c.name, c.before.get());
      } else {
        lacking.remove(c.name);
      }
    }
    return now;
  }

  /**
   * Joins two control-flow paths from a fork: a variable is unusable after the join if it is
   * unusable after either path.
   *
   * @param other the changes of the path that has been undone
   */
  void meet(int fork, Map<Name, Optional<Lack>> other) {
    Map<Name, Optional<Lack>> before = before(fork);
    before.forEach((n, lack) -> meet(n, other.getOrDefault(n, lack)));
    other.forEach(this::meet);
  }

  private void meet(Name n, Optional<Lack> lack) {
    if (lack.isPresent() && !lacking.containsKey(n)) {
      set(n, lack);
    }
  }

  /**
   * Joins the current path with the state at the fork. Returns true if the join made a variable
   * unusable that was usable at the fork.
   */
  boolean meet(int fork) {
    boolean more = false;
    for (Map.Entry<Name, Optional<Lack>> e : before(fork).entrySet()) {
      meet(e.getKey(), e.getValue());
      more |= e.getValue().isEmpty() && lacking.containsKey(e.getKey());
    }
    return more;
  }

  /** Returns the state at a position of all variables changed since. */
  private Map<Name, Optional<Lack>> before(int fork) {
    Map<Name, Optional<Lack>> before = new HashMap<>();
    for (Change c : changes.subList(fork, changes.size())) {
      before.putIfAbsent(c.name, c.before);
    }
    return before;
  }

  void lack(Name n, Lack why) {
    set(n, Optional.of(why));
  }

  void assigned(Name n) {
    set(n, Optional.empty());
  }

  // Variables

  void declare(Code.Variable v, Kind kind) {
    Name n = v.name();
    Check.require(
        v.type() != PrimType.UNIT, "variable " + n + " has type unit, which no variable may have");
    Check.require(!inScope.containsKey(n), n + " is declared, but already in scope");
    Check.require(
        kind == Kind.CONSTANT || n.tag() < nextTag,
        n + " is not below the function's next number, " + nextTag);
    Code.Variable before = everywhere.putIfAbsent(n, v);
    Check.require(
        before == null || before.equals(v),
        n
            + " is declared as "
            + type(v)
            + " here and as "
            + (before == null ? "" : type(before))
            + " elsewhere");
    inScope.put(n, new Declared(v, kind, region));
    order.add(n);
    set(n, Optional.empty());
  }

  /** Returns a variable in scope, which may be unusable. */
  Declared find(Name n) {
    @Nullable Declared d = inScope.get(n);
    if (d == null) {
      throw Check.broken(n + " is not in scope");
    }
    return d;
  }

  /** Checks a use of a variable at the given type. */
  Declared use(Code.Variable v) {
    Declared d = find(v.name());
    if (!d.variable.equals(v) && !(v.isBlock() && isBytes(d))) {
      throw Check.broken(v.name() + " is " + type(d.variable) + ", used as " + type(v));
    }
    Lack lack = lacking.get(v.name());
    if (lack != null) {
      throw Check.broken(v.name() + " is " + lack.described);
    }
    return d;
  }

  /** Checks an assignment to a variable. */
  Declared change(Code.Variable v) {
    Declared d = find(v.name());
    if (!d.variable.equals(v)) {
      throw Check.broken(v.name() + " is " + type(d.variable) + ", set to " + type(v));
    }
    Check.require(
        d.region == region, v.name() + " is declared outside the parallel region that changes it");
    return d;
  }

  private boolean isBytes(Declared d) {
    return bytes
        && d.kind != Kind.VALUES
        && d.variable.isBlock()
        && d.variable.type() == PrimType.I8;
  }

  static String type(Code.Variable v) {
    return (v.isBlock() ? "[]" : "") + v.type();
  }
}
