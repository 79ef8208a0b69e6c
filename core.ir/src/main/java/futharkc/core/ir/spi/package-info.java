/**
 * The service provider interface of passes. {@link java.util.ServiceLoader} finds passes, and the
 * driver orders them by their declarations. The compiler's own passes use the same interface.
 *
 * <p>Begin with {@link Pass} and {@link PassInfo}. A change of a method's signature or contract
 * breaks plugins and needs a new {@link Pass#API_LEVEL}.
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.ir.spi;
