package futharkc.core.runtime.device;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The arguments of a kernel's next launch, in the form in which drivers take them: a slot of eight
 * bytes for each, and an array of the slots' addresses. Setting one is one store; they stay as they
 * are from one launch to the next.
 */
public final class KernelArguments {
  private static final int SLOT = 8;

  private final int[] sizes;
  private final MemorySegment slots;
  private final MemorySegment addresses;

  /**
   * Arguments, all 0.
   *
   * @param sizes of each parameter in bytes: 1, 2, 4 or 8; blocks of memory have 8
   */
  KernelArguments(int[] sizes) {
    this.sizes = sizes.clone();
    // Freed with the last reference: kernels live as long as a program, and there are few.
    Arena arena = Arena.ofAuto();
    slots = arena.allocate((long) SLOT * Math.max(1, sizes.length), SLOT);
    addresses = arena.allocate((long) SLOT * Math.max(1, sizes.length), SLOT);
    for (int i = 0; i < sizes.length; i++) {
      addresses.set(ValueLayout.ADDRESS, (long) SLOT * i, slots.asSlice((long) SLOT * i, sizes[i]));
    }
  }

  /** Sets an argument of each kind once, which takes long the first time. */
  public static void prepare() {
    KernelArguments all = new KernelArguments(new int[] {1, 2, 4, 8, 4, 8});
    all.set(0, (byte) 0);
    all.set(1, (short) 0);
    all.set(2, 0);
    all.set(3, 0L);
    all.set(4, 0f);
    all.set(5, 0.0);
  }

  /** The number of parameters. */
  public int count() {
    return sizes.length;
  }

  /** The size of a parameter in bytes. */
  public int size(int i) {
    return sizes[i];
  }

  /** Sets a parameter that is a block of memory. */
  public void set(int i, Buffer x) {
    slots.set(ValueLayout.JAVA_LONG, (long) SLOT * i, x.handle());
  }

  /** Sets a parameter of one byte. */
  public void set(int i, byte x) {
    slots.set(ValueLayout.JAVA_BYTE, (long) SLOT * i, x);
  }

  /** Sets a parameter of one byte. */
  public void set(int i, boolean x) {
    slots.set(ValueLayout.JAVA_BYTE, (long) SLOT * i, (byte) (x ? 1 : 0));
  }

  /** Sets a parameter of two bytes: an {@code i16}, or the bits of an {@code f16}. */
  public void set(int i, short x) {
    slots.set(ValueLayout.JAVA_SHORT, (long) SLOT * i, x);
  }

  /** Sets a parameter of four bytes. */
  public void set(int i, int x) {
    slots.set(ValueLayout.JAVA_INT, (long) SLOT * i, x);
  }

  /** Sets a parameter of eight bytes. */
  public void set(int i, long x) {
    slots.set(ValueLayout.JAVA_LONG, (long) SLOT * i, x);
  }

  /** Sets a parameter of four bytes. */
  public void set(int i, float x) {
    slots.set(ValueLayout.JAVA_FLOAT, (long) SLOT * i, x);
  }

  /** Sets a parameter of eight bytes. */
  public void set(int i, double x) {
    slots.set(ValueLayout.JAVA_DOUBLE, (long) SLOT * i, x);
  }

  /** The slot of a parameter, for drivers. */
  public MemorySegment slot(int i) {
    return slots.asSlice((long) SLOT * i, sizes[i]);
  }

  /** The addresses of all slots, for drivers. */
  public MemorySegment addresses() {
    return addresses;
  }
}
