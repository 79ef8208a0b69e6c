package futharkc.core.ir;

/**
 * A name that a statement binds. Its type may mention names bound by earlier elements of the same
 * pattern.
 */
public record PatElem(Name name, Type type) {}
