/**
 * Lowering: from the checked tree to the SOACS representation. A checked program is evaluated
 * symbolically, in one go: records, functions, type and size parameters exist only while lowering;
 * what is left are statements on scalars and arrays of scalars.
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.language.lower;
