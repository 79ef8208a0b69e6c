package futharkc.core.language.typed;

import org.jspecify.annotations.Nullable;

/** A type variable of inference. A checked program contains none. */
public abstract non-sealed class MetaType implements Type {
  /** The number that identifies this variable in messages. */
  public final int id;

  /** The solution, or null. */
  public @Nullable Type solution;

  protected MetaType(int id) {
    this.id = id;
  }

  @Override
  public String toString() {
    return solution == null ? "t" + id : solution.toString();
  }
}
