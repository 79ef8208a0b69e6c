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
 * The variables in scope at a place in imperative code, and which of them may not be used there.
 */
final class CodeScope {
  /** What declares a variable, which says what may be done with it. */
  enum Kind {
    CONSTANT("a constant"),
    PARAMETER("a parameter"),
    INDEX("the index of a loop or region"),
    SCALAR("a scalar"),
    BLOCK("a block"),
    SCRATCH("a scratch block"),
    VALUES("a block of constants");

    final String described;

    Kind(String described) {
      this.described = described;
    }
  }

  /** Why a variable may not be used. */
  enum Lack {
    UNASSIGNED("used before it is assigned"),
    RELEASED("used after it is released");

    final String described;

    Lack(String described) {
      this.described = described;
    }
  }

  /**
   * A variable in scope.
   *
   * @param region how many parallel regions it is declared in
   */
  record Declared(Code.Variable variable, Kind kind, int region) {}

  private final int nextTag;
  private final boolean bytes;
  private final Map<Name, Declared> inScope = new HashMap<>();
  private final Map<Name, Code.Variable> everywhere = new HashMap<>();
  private final List<Name> order = new ArrayList<>();
  private final Map<Name, Lack> lacking = new HashMap<>();

  /** What has been changed of that, to go back: copies for each branch would take far longer. */
  private final List<Change> changes = new ArrayList<>();

  private int region;

  /** A variable that came to be lacking, or came not to be any more, and what it was before. */
  private record Change(Name name, Optional<Lack> before) {}

  /**
   * Of a function.
   *
   * @param nextTag no name in it has this number or a greater one
   * @param bytes whether blocks of i8 may be used as blocks of other types
   */
  CodeScope(int nextTag, boolean bytes) {
    this.nextTag = nextTag;
    this.bytes = bytes;
  }

  // Scopes

  /** Begins a list of statements. */
  int enter() {
    return order.size();
  }

  /** Ends a list of statements, and the scope of what it declares. */
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

  // What may not be used

  private void set(Name n, Optional<Lack> lack) {
    Lack before = lack.isPresent() ? lacking.put(n, lack.get()) : lacking.remove(n);
    if (before != lack.orElse(null)) changes.add(new Change(n, Optional.ofNullable(before)));
  }

  /** A place to go back to, or to meet. */
  int fork() {
    return changes.size();
  }

  /** Goes back to a place: what is lacking there again, and what of that had changed since. */
  Map<Name, Optional<Lack>> back(int fork) {
    Map<Name, Optional<Lack>> now = new HashMap<>();
    while (changes.size() > fork) {
      Change c = changes.removeLast();
      now.putIfAbsent(c.name, Optional.ofNullable(lacking.get(c.name)));
      if (c.before.isPresent()) lacking.put(c.name, c.before.get());
      else lacking.remove(c.name);
    }
    return now;
  }

  /**
   * Where two ways from a place meet: what may not be used after either.
   *
   * @param other what had changed on the way that has been gone back
   */
  void meet(int fork, Map<Name, Optional<Lack>> other) {
    Map<Name, Optional<Lack>> before = before(fork);
    before.forEach((n, lack) -> meet(n, other.getOrDefault(n, lack)));
    other.forEach(this::meet);
  }

  private void meet(Name n, Optional<Lack> lack) {
    if (lack.isPresent() && !lacking.containsKey(n)) set(n, lack);
  }

  /** Meets the place itself: whether less may be used than there. */
  boolean meet(int fork) {
    boolean more = false;
    for (Map.Entry<Name, Optional<Lack>> e : before(fork).entrySet()) {
      meet(e.getKey(), e.getValue());
      more |= e.getValue().isEmpty() && lacking.containsKey(e.getKey());
    }
    return more;
  }

  /** What has changed since some place, as it was there. */
  private Map<Name, Optional<Lack>> before(int fork) {
    Map<Name, Optional<Lack>> before = new HashMap<>();
    for (Change c : changes.subList(fork, changes.size())) before.putIfAbsent(c.name, c.before);
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
    Check.require(v.type() != PrimType.UNIT, "there are no variables of unit, such as " + n);
    Check.require(!inScope.containsKey(n), n + " is declared where it is in scope");
    Check.require(
        kind == Kind.CONSTANT || n.tag() < nextTag,
        n + " is not below the function's next number, " + nextTag);
    Code.Variable before = everywhere.putIfAbsent(n, v);
    Check.require(
        before == null || before.equals(v),
        n + " is " + type(v) + " here and " + (before == null ? "" : type(before)) + " elsewhere");
    inScope.put(n, new Declared(v, kind, region));
    order.add(n);
    set(n, Optional.empty());
  }

  /** A variable, perhaps not to be used yet. */
  Declared find(Name n) {
    @Nullable Declared d = inScope.get(n);
    if (d == null) throw Check.broken(n + " is not in scope");
    return d;
  }

  /** A variable that is used as one of that type. */
  Declared use(Code.Variable v) {
    Declared d = find(v.name());
    if (!d.variable.equals(v) && !(v.isBlock() && isBytes(d))) {
      throw Check.broken(v.name() + " is " + type(d.variable) + ", used as " + type(v));
    }
    Lack lack = lacking.get(v.name());
    if (lack != null) throw Check.broken(v.name() + " is " + lack.described);
    return d;
  }

  /** A variable that is given another value. */
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
