package futharkc.core.runtime.device;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The arguments of a kernel's next launch, in the drivers' format: a slot of eight bytes for each
 * argument, and an array of the slots' addresses. Setting an argument is one store. Arguments keep
 * their values between launches.
 */
public final class KernelArguments {
  private static final int SLOT = 8;

  private final int[] sizes;
  private final MemorySegment slots;

  /** The slots. A buffer is faster than a memory segment in code that is not compiled yet. */
  private final ByteBuffer values;

  private final MemorySegment addresses;

  /**
   * Creates arguments with value 0.
   *
   * @param sizes the size of each parameter in bytes: 1, 2, 4 or 8; memory blocks have 8
   */
  KernelArguments(int[] sizes) {
    this.sizes = sizes.clone();
    // The arena is freed with the last reference: kernels live as long as a program, and there are
    // few.
    Arena arena = Arena.ofAuto();
    slots = arena.allocate((long) SLOT * Math.max(1, sizes.length), SLOT);
    values = slots.asByteBuffer().order(ByteOrder.nativeOrder());
    addresses = arena.allocate((long) SLOT * Math.max(1, sizes.length), SLOT);
    for (int i = 0; i < sizes.length; i++) {
      addresses.set(ValueLayout.ADDRESS, (long) SLOT * i, slots.asSlice((long) SLOT * i, sizes[i]));
    }
  }

  /** Returns the number of parameters. */
  public int count() {
    return sizes.length;
  }

  /** Returns the size of a parameter in bytes. */
  public int size(int i) {
    return sizes[i];
  }

  /** Sets a parameter that is a memory block. */
  public void set(int i, Buffer x) {
    values.putLong(SLOT * i, x.handle());
  }

  /** Sets a parameter of one byte. */
  public void set(int i, byte x) {
    values.put(SLOT * i, x);
  }

  /** Sets a parameter of one byte. */
  public void set(int i, boolean x) {
    values.put(SLOT * i, (byte) (x ? 1 : 0));
  }

  /** Sets a parameter of two bytes: an {@code i16}, or the bits of an {@code f16}. */
  public void set(int i, short x) {
    values.putShort(SLOT * i, x);
  }

  /** Sets a parameter of four bytes. */
  public void set(int i, int x) {
    values.putInt(SLOT * i, x);
  }

  /** Sets a parameter of eight bytes. */
  public void set(int i, long x) {
    values.putLong(SLOT * i, x);
  }

  /** Sets a parameter of four bytes. */
  public void set(int i, float x) {
    values.putFloat(SLOT * i, x);
  }

  /** Sets a parameter of eight bytes. */
  public void set(int i, double x) {
    values.putDouble(SLOT * i, x);
  }

  /** Returns the slot of a parameter, for drivers. */
  public MemorySegment slot(int i) {
    return slots.asSlice((long) SLOT * i, sizes[i]);
  }

  /** Returns the address of the slot of a parameter, for drivers. */
  public long address(int i) {
    return slots.address() + (long) SLOT * i;
  }

  /** Returns the address of an array of the addresses of all slots, for drivers. */
  public long addresses() {
    return addresses.address();
  }
}
