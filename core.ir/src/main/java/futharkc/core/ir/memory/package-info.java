/**
 * Analyses of memory representations: aliases and live ranges of blocks, and accesses of
 * statements.
 *
 * <p>Begin with {@link Access} and {@link Accesses}. {@link BlockAliases}, {@link BlockUses} and
 * {@link BlockLiveRanges} concern block variables; {@link ScalarValues} and {@link Scopes} are
 * their symbolic basis.
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.ir.memory;
