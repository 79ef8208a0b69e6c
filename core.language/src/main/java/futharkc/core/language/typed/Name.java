package futharkc.core.language.typed;

/**
 * A unique name: the one the user wrote, and a number. Number 0 is an intrinsic: a value or type
 * that the compiler provides and that has no definition.
 */
public record Name(String base, int tag) {
  /** The intrinsic of that name. */
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
