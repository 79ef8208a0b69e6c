/**
 * Fusion and decomposition of SOACs. The transformations are independent of profitability, which
 * passes decide.
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.ir.soac;
