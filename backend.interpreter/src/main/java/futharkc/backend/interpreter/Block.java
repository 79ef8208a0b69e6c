package futharkc.backend.interpreter;

import futharkc.core.ir.PrimType;
import futharkc.core.ir.Space;
import org.jspecify.annotations.Nullable;

/** A memory block: elements of one type, or bytes. */
final class Block {
  private final @Nullable PrimType elem;
  private final @Nullable Store elements;
  private final byte @Nullable [] bytes;
  private RaceCheckedStore.@Nullable Shadow shadow;
  private @Nullable DeviceState device;
  private TaggedStore.@Nullable Writes writes;
  private BlockUsage.@Nullable Use use;

  private Block(@Nullable PrimType elem, @Nullable Store elements, byte @Nullable [] bytes) {
    this.elem = elem;
    this.elements = elements;
    this.bytes = bytes;
  }

  /** Returns this newly allocated block with the checks of accesses that the device asks for. */
  Block watched(DeviceState by) {
    BlockUsage uses = by.uses();
    if (uses != null) {
      use = uses.block(bytes());
    }
    if (by.isWatched() && bytes != null) {
      shadow = new RaceCheckedStore.Shadow(bytes.length);
      device = by;
    }
    return this;
  }

  private long bytes() {
    if (bytes != null) {
      return bytes.length;
    }
    return elements == null || elem == null ? 0 : elements.size() * elem.bytes();
  }

  /** Returns a block of elements. */
  static Block of(PrimType elem, Store elements) {
    return new Block(elem, elements, null);
  }

  /**
   * Allocates a block in a memory space.
   *
   * @param size the size in bytes or elements, as the space defines
   */
  static Block allocate(Space space, long size) {
    if (space instanceof Space.Elements e) {
      return of(e.elem(), Store.scratch(e.elem(), Math.max(0, size)));
    }
    byte[] bytes = new byte[Limits.length(Math.max(0, size), 1)];
    java.util.Arrays.fill(bytes, (byte) 0x5d);
    return new Block(null, null, bytes);
  }

  /** Returns a new block in a memory space with the elements of a store. */
  static Block of(Space space, PrimType elem, Store elements) {
    if (space instanceof Space.Elements) {
      return of(elem, elements);
    }
    Block b = allocate(space, Math.multiplyExact(elements.size(), (long) elem.bytes()));
    Store view = b.store(elem);
    for (int i = 0; i < elements.size(); i++) {
      view.set(i, elements.get(i));
    }
    return b;
  }

  /**
   * Returns this block as memory for a new array.
   *
   * @param t the element type of the array
   * @param array the name of the array
   */
  TaggedStore tagged(PrimType t, String array) {
    Store store = store(t);
    int cells = bytes == null ? 1 : t.bytes();
    if (writes == null) {
      int all = bytes == null ? Math.toIntExact(store.size()) : bytes.length;
      writes = new TaggedStore.Writes(all, use);
    }
    return new TaggedStore(store, writes, cells, array);
  }

  /** Returns this block as memory for elements of a type. */
  Store store(PrimType t) {
    if (bytes != null) {
      Store view = new Store.ByteView(t, bytes);
      return shadow == null || device == null || t.bytes() == 0
          ? view
          : new RaceCheckedStore(view, device, shadow, t.bytes());
    }
    if (elements == null || elem != t) {
      throw new Fault("array of " + t + " in a block of " + elem);
    }
    return elements;
  }
}
