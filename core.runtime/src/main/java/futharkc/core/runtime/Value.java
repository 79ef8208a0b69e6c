package futharkc.core.runtime;

/**
 * A run-time value: an argument or result of an entry point, or a value in a data file.
 *
 * <p>Compiled code works with scalars and arrays only. {@link OpaqueValue}s are constructed and
 * decomposed around it, by the structure that their {@link ValueType.Opaque} describes.
 */
public sealed interface Value permits Scalar, ArrayValue, OpaqueValue {}
