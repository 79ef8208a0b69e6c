/**
 * The text form of programs: what the compiler prints, and what people write by hand, for every
 * representation.
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.ir.text;
