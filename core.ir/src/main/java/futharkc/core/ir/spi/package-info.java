/**
 * What passes and backends implement: found by {@link java.util.ServiceLoader}, ordered by what
 * they declare. The compiler's own passes use exactly this.
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.ir.spi;
