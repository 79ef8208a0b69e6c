package futharkc.core.language.typed;

/**
 * A unique name: the user's name and a tag. Tag 0 denotes an intrinsic, a value or type without a
 * definition.
 */
public record Name(String base, int tag) {
  /** Returns the intrinsic of a name. */
  public static Name intrinsic(String base) {
    return new Name(base, 0);
  }

  public boolean isIntrinsic() {
    return tag == 0;
  }

  @Override
  public String toString() {
    return tag == 0 ? "intrinsics." + base : base + "_" + tag;
  }
}
