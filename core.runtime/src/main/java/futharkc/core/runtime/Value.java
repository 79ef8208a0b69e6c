package futharkc.core.runtime;

/**
 * A run-time value: what entry points take and return, and what data files hold.
 *
 * <p>Compiled code sees scalars and arrays only; {@link OpaqueValue}s are put together and taken
 * apart around it, by the structure that their {@link ValueType.Opaque} describes.
 */
public sealed interface Value permits Scalar, ArrayValue, OpaqueValue {}
