/** What several passes want to know of a function, and a cache of it. */
@org.jspecify.annotations.NullMarked
package futharkc.core.ir.analysis;
