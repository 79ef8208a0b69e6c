package futharkc.core.ir;

/**
 * The memory location of an array: a block, and the function from an index to an element offset in
 * the block.
 */
public record ArrayMem(Name block, Lmad lmad) {}
