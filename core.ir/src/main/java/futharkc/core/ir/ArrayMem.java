package futharkc.core.ir;

/**
 * Where an array's elements are: a block, and the function from index to offset in it, counted in
 * elements.
 */
public record ArrayMem(Name block, Lmad lmad) {}
