package futharkc.core.ir;

import java.util.AbstractSet;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * An immutable set of names. Sets derived from other sets share structure, and operations skip
 * shared subtrees. A chain of n sets, each with one name more than the one before, takes O(n log n)
 * memory and time.
 *
 * <p>A Patricia trie over the names' numbers (C. Okasaki and A. Gill, "Fast Mergeable Integer
 * Maps", 1998). A leaf holds all names of 64 neighbouring numbers. Iteration is in order of
 * numbers.
 */
public abstract sealed class NameSet extends AbstractSet<Name> {
  private static final NameSet EMPTY = new Empty();

  private NameSet() {}

  /** Returns the empty set. */
  public static NameSet of() {
    return EMPTY;
  }

  /** Returns the set of one name. */
  public static NameSet of(Name n) {
    return new Leaf(n.tag() >>> 6, 1L << n.tag(), new Name[] {n});
  }

  /** Returns the set of the names in a collection. */
  public static NameSet copyOf(Collection<Name> names) {
    if (names instanceof NameSet set) {
      return set;
    }
    NameSet all = EMPTY;
    for (Name n : names) {
      all = all.with(n);
    }
    return all;
  }

  /** Returns this set with one more name. */
  public final NameSet with(Name n) {
    return contains(n) ? this : union(of(n));
  }

  /** Returns the union of two sets: one of the two sets itself if it contains the other. */
  public final NameSet union(NameSet other) {
    if (this == other || other == EMPTY) {
      return this;
    }
    if (this == EMPTY) {
      return other;
    }
    if (bit() > other.bit() && covers(other)) {
      Fork a = (Fork) this;
      return a.isLeft(other)
          ? a.with(a.left.union(other), a.right, a)
          : a.with(a.left, a.right.union(other), a);
    }
    if (bit() < other.bit() && other.covers(this)) {
      Fork b = (Fork) other;
      return b.isLeft(this) ? b.with(union(b.left), b.right, b) : b.with(b.left, union(b.right), b);
    }
    if (bit() != other.bit() || !covers(other)) {
      return Fork.of(this, other);
    }
    if (this instanceof Leaf a) {
      return a.merge((Leaf) other);
    }
    Fork a = (Fork) this;
    Fork b = (Fork) other;
    return a.with(a.left.union(b.left), a.right.union(b.right), b);
  }

  /** Returns the intersection of two sets: one of the two sets itself if the other contains it. */
  public final NameSet intersect(NameSet other) {
    if (this == other || this == EMPTY) {
      return this;
    }
    if (other == EMPTY) {
      return other;
    }
    if (bit() > other.bit()) {
      return covers(other) ? ((Fork) this).child(other).intersect(other) : EMPTY;
    }
    if (bit() < other.bit()) {
      return other.covers(this) ? intersect(((Fork) other).child(this)) : EMPTY;
    }
    if (!covers(other)) {
      return EMPTY;
    }
    if (this instanceof Leaf a) {
      return a.keep((Leaf) other);
    }
    Fork a = (Fork) this;
    Fork b = (Fork) other;
    return a.with(a.left.intersect(b.left), a.right.intersect(b.right), b);
  }

  /** Tests whether the two sets have a name in common. */
  public final boolean meets(NameSet other) {
    if (this == EMPTY || other == EMPTY) {
      return false;
    }
    if (this == other) {
      return true;
    }
    if (bit() > other.bit()) {
      return covers(other) && ((Fork) this).child(other).meets(other);
    }
    if (bit() < other.bit()) {
      return other.covers(this) && meets(((Fork) other).child(this));
    }
    if (!covers(other)) {
      return false;
    }
    if (this instanceof Leaf a) {
      return (a.bits & ((Leaf) other).bits) != 0;
    }
    Fork a = (Fork) this;
    Fork b = (Fork) other;
    return a.left.meets(b.left) || a.right.meets(b.right);
  }

  /** Tests whether this set contains all names of another. */
  public final boolean includes(NameSet other) {
    if (this == other || other == EMPTY) {
      return true;
    }
    if (size() < other.size() || bit() < other.bit() || !covers(other)) {
      return false;
    }
    if (this instanceof Leaf a) {
      return (((Leaf) other).bits & ~a.bits) == 0;
    }
    Fork a = (Fork) this;
    if (bit() > other.bit()) {
      return a.child(other).includes(other);
    }
    Fork b = (Fork) other;
    return a.left.includes(b.left) && a.right.includes(b.right);
  }

  @Override
  public final boolean containsAll(Collection<?> c) {
    return c instanceof NameSet set ? includes(set) : super.containsAll(c);
  }

  @Override
  public final boolean contains(@Nullable Object o) {
    if (!(o instanceof Name n)) {
      return false;
    }
    NameSet s = this;
    while (s instanceof Fork f) {
      s = (n.tag() >>> 6 & f.bit) == 0 ? f.left : f.right;
    }
    return s instanceof Leaf l && l.has(n);
  }

  @Override
  public final Iterator<Name> iterator() {
    return new InOrder(this);
  }

  /**
   * Returns the number of some leaf of this set: its names' numbers without the lowest six bits.
   */
  abstract int word();

  /** Returns the highest bit in which the leaves' numbers differ, or 0 for a single leaf. */
  abstract int bit();

  /**
   * Tests whether all leaves of another set, whose {@link #bit} is not higher, agree with this
   * trie's prefix.
   */
  final boolean covers(NameSet other) {
    int differing = word() ^ other.word();
    return bit() == 0 ? differing == 0 : (differing & -(bit() << 1)) == 0;
  }

  private static final class Empty extends NameSet {
    @Override
    public int size() {
      return 0;
    }

    @Override
    int word() {
      return -1;
    }

    @Override
    int bit() {
      return 0;
    }
  }

  /** A leaf: names of 64 neighbouring numbers. */
  private static final class Leaf extends NameSet {
    private final int word;
    private final long bits;

    /** The names in order, one for each set bit. */
    private final Name[] names;

    Leaf(int word, long bits, Name[] names) {
      this.word = word;
      this.bits = bits;
      this.names = names;
    }

    boolean has(Name n) {
      return (bits >>> n.tag() & 1) != 0 && n.equals(at(n.tag()));
    }

    private Name at(int bit) {
      return names[Long.bitCount(bits & (1L << bit) - 1)];
    }

    NameSet merge(Leaf other) {
      return select(bits | other.bits, other);
    }

    NameSet keep(Leaf other) {
      return select(bits & other.bits, other);
    }

    /** Returns the names of this leaf or another whose bits are set. */
    private NameSet select(long all, Leaf other) {
      if (all == bits) {
        return this;
      }
      if (all == other.bits) {
        return other;
      }
      if (all == 0) {
        return EMPTY;
      }
      Name[] selected = new Name[Long.bitCount(all)];
      int k = 0;
      for (long rest = all; rest != 0; rest &= rest - 1) {
        int bit = Long.numberOfTrailingZeros(rest);
        selected[k++] = (bits >>> bit & 1) != 0 ? at(bit) : other.at(bit);
      }
      return new Leaf(word, all, selected);
    }

    @Override
    public int size() {
      return names.length;
    }

    @Override
    int word() {
      return word;
    }

    @Override
    int bit() {
      return 0;
    }
  }

  /**
   * An inner node: its leaves' numbers agree above one bit, which is clear in the left subtree and
   * set in the right.
   */
  private static final class Fork extends NameSet {
    private final int bit;
    private final NameSet left;
    private final NameSet right;
    private final int size;

    private Fork(int bit, NameSet left, NameSet right) {
      this.bit = bit;
      this.left = left;
      this.right = right;
      this.size = left.size() + right.size();
    }

    /**
     * Returns the fork of two sets whose leaves differ in a bit above those in which each set's own
     * leaves differ.
     */
    static Fork of(NameSet a, NameSet b) {
      int bit = Integer.highestOneBit(a.word() ^ b.word());
      return (a.word() & bit) == 0 ? new Fork(bit, a, b) : new Fork(bit, b, a);
    }

    boolean isLeft(NameSet below) {
      return (below.word() & bit) == 0;
    }

    NameSet child(NameSet below) {
      return isLeft(below) ? left : right;
    }

    /**
     * Returns a fork of two subtrees: this fork or {@code other} itself if it has these subtrees.
     */
    NameSet with(NameSet l, NameSet r, Fork other) {
      if (l == left && r == right) {
        return this;
      }
      if (l == other.left && r == other.right) {
        return other;
      }
      if (l == EMPTY) {
        return r;
      }
      return r == EMPTY ? l : new Fork(bit, l, r);
    }

    @Override
    public int size() {
      return size;
    }

    @Override
    int word() {
      return left.word();
    }

    @Override
    int bit() {
      return bit;
    }
  }

  private static final class InOrder implements Iterator<Name> {
    private final Deque<NameSet> rest = new ArrayDeque<>();
    private Iterator<Name> leaf = Arrays.<Name>asList().iterator();

    InOrder(NameSet all) {
      rest.push(all);
      advance();
    }

    private void advance() {
      while (!leaf.hasNext() && !rest.isEmpty()) {
        switch (rest.pop()) {
          case Fork f -> {
            rest.push(f.right);
            rest.push(f.left);
          }
          case Leaf l -> leaf = Arrays.asList(l.names).iterator();
          case Empty _ -> {}
        }
      }
    }

    @Override
    public boolean hasNext() {
      return leaf.hasNext();
    }

    @Override
    public Name next() {
      Name n = leaf.next();
      advance();
      return n;
    }
  }
}
