/** Checks that programs keep the rules of their representation. */
@org.jspecify.annotations.NullMarked
package futharkc.core.ir.verify;
