package futharkc.core.language.uniqueness;

import futharkc.core.language.typed.Name;
import java.util.HashSet;
import java.util.Set;

/**
 * The checked top-level functions whose results contain several arrays that share memory. Code must
 * not consume such a result, even if an abstract type hides its components.
 */
public final class SharedResults {
  private final Set<Name> always = new HashSet<>();
  private final Set<Name> ofEqualArguments = new HashSet<>();

  /** Creates an empty set of functions. */
  public SharedResults() {}

  /** Tests whether no result certainly shares memory with itself. */
  public boolean isEmpty() {
    return always.isEmpty();
  }

  /** Tests whether the result of every call shares memory with itself. */
  public boolean isAlways(Name function) {
    return always.contains(function);
  }

  /**
   * Tests whether two arrays of the result may come from different arguments, so that they share
   * memory if the arguments do.
   */
  boolean isOfEqualArguments(Name function) {
    return ofEqualArguments.contains(function);
  }

  void add(Name function, boolean always, boolean ofEqualArguments) {
    if (always) {
      this.always.add(function);
    }
    if (ofEqualArguments) {
      this.ofEqualArguments.add(function);
    }
  }

  /** Adds a function that returns the same results as another. */
  public void copy(Name from, Name to) {
    add(to, always.contains(from), ofEqualArguments.contains(from));
  }

  /** Returns a copy of this set. */
  public SharedResults copy() {
    SharedResults copy = new SharedResults();
    copy.replace(this);
    return copy;
  }

  /** Replaces the functions by those of another set. */
  public void replace(SharedResults by) {
    always.clear();
    always.addAll(by.always);
    ofEqualArguments.clear();
    ofEqualArguments.addAll(by.ofEqualArguments);
  }
}
