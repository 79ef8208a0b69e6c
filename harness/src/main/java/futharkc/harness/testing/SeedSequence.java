package futharkc.harness.testing;

/** A sequence of random 64-bit numbers, the same for equal seeds on all machines. */
public final class SeedSequence {
  private final SplitMix random;

  /** Creates the sequence of a seed. */
  public SeedSequence(long seed) {
    random = new SplitMix(seed);
  }

  /** Returns the next number. */
  public long next() {
    return random.next();
  }
}
