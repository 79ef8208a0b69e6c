package futharkc.core.language.typed;

import org.jspecify.annotations.Nullable;

/** An unknown that inference solves; a checked program has none. */
public abstract non-sealed class MetaType implements Type {
  /** Tells this unknown from others in messages. */
  public final int id;

  /** What it was found to be. */
  public @Nullable Type solution;

  protected MetaType(int id) {
    this.id = id;
  }

  @Override
  public String toString() {
    return solution == null ? "t" + id : solution.toString();
  }
}
