/**
 * The uniqueness check: aliases, consumption, and unique results. Begin reading at {@link
 * futharkc.core.language.uniqueness.UniquenessCheck}.
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.language.uniqueness;
