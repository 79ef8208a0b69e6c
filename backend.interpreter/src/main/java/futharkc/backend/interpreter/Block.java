package futharkc.backend.interpreter;

import futharkc.core.ir.PrimType;
import futharkc.core.ir.Space;
import org.jspecify.annotations.Nullable;

/** A memory block: elements of one type, or bytes. */
final class Block {
  private final @Nullable PrimType elem;
  private final @Nullable Store elements;
  private final byte @Nullable [] bytes;
  private RaceCheckedMemory.@Nullable Shadow shadow;
  private @Nullable Device device;
  private Tagged.@Nullable Writes writes;
  private BlockUses.@Nullable Use use;

  private Block(@Nullable PrimType elem, @Nullable Store elements, byte @Nullable [] bytes) {
    this.elem = elem;
    this.elements = elements;
    this.bytes = bytes;
  }

  /** The block, newly allocated, if the device wants to know who accesses it, or when. */
  Block watched(Device by) {
    BlockUses uses = by.uses();
    if (uses != null) use = uses.block(bytes());
    if (by.isWatched() && bytes != null) {
      shadow = new RaceCheckedMemory.Shadow(bytes.length);
      device = by;
    }
    return this;
  }

  private long bytes() {
    if (bytes != null) return bytes.length;
    return elements == null || elem == null ? 0 : elements.size() * elem.bytes();
  }

  /** A block of elements. */
  static Block of(PrimType elem, Store elements) {
    return new Block(elem, elements, null);
  }

  /** A new block of a kind of memory; its size is in elements or bytes, as the space says. */
  static Block allocate(Space space, long size) {
    if (space instanceof Space.Elements e) {
      return of(e.elem(), Store.scratch(e.elem(), Math.max(0, size)));
    }
    byte[] bytes = new byte[Limits.length(Math.max(0, size), 1)];
    java.util.Arrays.fill(bytes, (byte) 0x5d);
    return new Block(null, null, bytes);
  }

  /** A new block of a kind of memory that holds what the store holds. */
  static Block of(Space space, PrimType elem, Store elements) {
    if (space instanceof Space.Elements) return of(elem, elements);
    Block b = allocate(space, Math.multiplyExact(elements.size(), (long) elem.bytes()));
    Store view = b.store(elem);
    for (int i = 0; i < elements.size(); i++) view.set(i, elements.get(i));
    return b;
  }

  /**
   * The block as memory for a new array of elements of a type.
   *
   * @param array its name
   */
  Tagged tagged(PrimType t, String array) {
    Store store = store(t);
    int cells = bytes == null ? 1 : t.bytes();
    if (writes == null) {
      int all = bytes == null ? Math.toIntExact(store.size()) : bytes.length;
      writes = new Tagged.Writes(all, use);
    }
    return new Tagged(store, writes, cells, array);
  }

  /** The block as memory for elements of a type. */
  Store store(PrimType t) {
    if (bytes != null) {
      Store view = new Store.View(t, bytes);
      return shadow == null || device == null || t.bytes() == 0
          ? view
          : new RaceCheckedMemory(view, device, shadow, t.bytes());
    }
    if (elements == null || elem != t) throw new Fault("array of " + t + " in a block of " + elem);
    return elements;
  }
}
