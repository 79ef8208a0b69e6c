package futharkc.core.language.typed;

import org.jspecify.annotations.Nullable;

/** An unknown size that inference solves; a checked program has none. */
public final class MetaSize implements Type.Size {
  /** Tells this unknown from others in messages. */
  public final int id;

  /** What it was found to be. */
  public Type.@Nullable Size solution;

  public MetaSize(int id) {
    this.id = id;
  }

  @Override
  public String toString() {
    return solution == null ? "n" + id : solution.toString();
  }
}
