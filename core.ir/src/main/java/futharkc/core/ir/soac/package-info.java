/** The algebra of SOACs: composing them, independent of when that pays. */
@org.jspecify.annotations.NullMarked
package futharkc.core.ir.soac;
