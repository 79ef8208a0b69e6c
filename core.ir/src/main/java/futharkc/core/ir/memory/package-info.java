/** Memory blocks: which variables stand for the same, and what statements read and write. */
@org.jspecify.annotations.NullMarked
package futharkc.core.ir.memory;
